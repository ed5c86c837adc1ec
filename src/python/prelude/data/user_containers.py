"""collections: containers to derive from, which keep their elements in `data`."""

from collections.abc import MutableMapping, MutableSequence


class UserDict(MutableMapping):
    __module__ = "collections"

    def __init__(self, dict=None, /, **keywords):
        self.data = {}
        if dict is not None:
            self.update(dict)
        self.update(keywords)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        if key in self.data:
            return self.data[key]
        if hasattr(type(self), "__missing__"):
            return type(self).__missing__(self, key)
        raise KeyError(key)

    def __setitem__(self, key, item):
        self.data[key] = item

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, key):
        return key in self.data

    def copy(self):
        return type(self)(self.data)

    def __repr__(self):
        return repr(self.data)


class UserList(MutableSequence):
    __module__ = "collections"

    def __init__(self, initlist=None):
        self.data = [] if initlist is None else list(initlist)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return type(self)(self.data[i]) if isinstance(i, slice) else self.data[i]

    def __setitem__(self, i, item):
        self.data[i] = item

    def __delitem__(self, i):
        del self.data[i]

    def insert(self, i, item):
        self.data.insert(i, item)

    def append(self, item):
        self.data.append(item)

    def copy(self):
        return type(self)(self.data)

    def sort(self, /, **keywords):
        self.data.sort(**keywords)

    def __contains__(self, item):
        return item in self.data

    def __eq__(self, other):
        return self.data == list(other)

    def __lt__(self, other):
        return self.data < list(other)

    def __add__(self, other):
        return type(self)(self.data + list(other))

    def __radd__(self, other):
        return type(self)(list(other) + self.data)

    def __mul__(self, n):
        return type(self)(self.data * n)

    def __repr__(self):
        return repr(self.data)
