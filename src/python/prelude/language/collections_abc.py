"""collections.abc: what containers can do, for isinstance and to derive from."""

from abc import ABCMeta, abstractmethod


def _has(kind, methods):
    """Whether a class of the program has all of some methods."""
    own = [c for c in kind.__mro__ if c.__module__ != "builtins"]
    return bool(methods) and all([any([m in getattr(c, "__dict__", ()) for c in own]) for m in methods])


class _Meta(ABCMeta):
    """Knows an instance by its methods, or by the kinds of Python's own that are such."""

    __module__ = "abc"

    def __instancecheck__(cls, instance):
        kinds = cls.__dict__.get("_kinds", ())
        if any([c.__name__ in kinds for c in type(instance).__mro__]):
            return True
        if _has(type(instance), cls.__dict__.get("_methods", ())):
            return True
        return super().__instancecheck__(instance)

    def __subclasscheck__(cls, subclass):
        if super().__subclasscheck__(subclass):
            return True
        if getattr(subclass, "__module__", "") == "builtins":
            return any([c.__name__ in cls.__dict__.get("_kinds", ()) for c in subclass.__mro__])
        return _has(subclass, cls.__dict__.get("_methods", ()))

    def __getitem__(cls, args):
        import typing

        return typing._Form(cls.__name__, args if isinstance(args, tuple) else (args,), cls)


_VIEWS = ["dict_keys", "dict_values", "dict_items"]
_SEQUENCES = ["list", "tuple", "str", "range", "deque", "Size"]
_SETS = ["set", "frozenset", "dict_keys", "dict_items"]
_ITERATORS = ["generator", "zip", "map", "filter", "enumerate", "reversed"]
_ITERATORS += ["list_iterator", "tuple_iterator", "range_iterator", "str_ascii_iterator"]
_ITERATORS += ["dict_keyiterator", "set_iterator"]
_SIZED = _SEQUENCES + _SETS + _VIEWS + ["dict", "ndarray"]


class Iterable(metaclass=_Meta):
    __module__ = "collections.abc"
    _kinds = _SIZED + _ITERATORS + ["Tensor"]
    _methods = ["__iter__"]


class Iterator(Iterable):
    __module__ = "collections.abc"
    _kinds = _ITERATORS
    _methods = ["__iter__", "__next__"]

    def __iter__(self):
        return self


class Generator(Iterator):
    __module__ = "collections.abc"
    _kinds = ["generator"]
    _methods = ["__iter__", "__next__", "send", "throw", "close"]


class Reversible(Iterable):
    __module__ = "collections.abc"
    _kinds = ["list", "tuple", "str", "range", "deque", "dict"] + _VIEWS
    _methods = ["__reversed__", "__iter__"]


class Sized(metaclass=_Meta):
    __module__ = "collections.abc"
    _kinds = _SIZED + ["Tensor"]
    _methods = ["__len__"]


class Container(metaclass=_Meta):
    __module__ = "collections.abc"
    _kinds = _SEQUENCES + _SETS + ["dict", "dict_values", "ndarray", "Tensor"]
    _methods = ["__contains__"]


class Collection(Sized, Iterable, Container):
    __module__ = "collections.abc"
    _kinds = _SEQUENCES + _SETS + ["dict", "dict_values", "ndarray", "Tensor"]
    _methods = ["__len__", "__iter__", "__contains__"]


class _Calls(_Meta):
    __module__ = "abc"

    def __instancecheck__(cls, instance):
        return callable(instance) if cls is Callable else super().__instancecheck__(instance)


class Callable(metaclass=_Calls):
    __module__ = "collections.abc"
    _methods = ["__call__"]


class _Hashes(_Meta):
    __module__ = "abc"

    def __instancecheck__(cls, instance):
        if cls is not Hashable:
            return super().__instancecheck__(instance)
        kinds = [c.__name__ for c in type(instance).__mro__]
        unhashed = ("list", "dict", "set", "deque", "ndarray", "dict_keys", "dict_items")
        return not any([k in unhashed for k in kinds]) and getattr(instance, "__hash__", 0) is not None


class Hashable(metaclass=_Hashes):
    __module__ = "collections.abc"
    _kinds = ["int", "float", "str", "tuple", "frozenset", "range", "bool"]
    _methods = ["__hash__"]


class Sequence(Reversible, Collection):
    __module__ = "collections.abc"
    _kinds = _SEQUENCES

    @abstractmethod
    def __getitem__(self, index):
        raise IndexError

    @abstractmethod
    def __len__(self):
        return 0

    def __iter__(self):
        for k in range(len(self)):
            yield self[k]

    def __contains__(self, value):
        return any([v is value or v == value for v in self])

    def __reversed__(self):
        for k in reversed(range(len(self))):
            yield self[k]

    def index(self, value):
        for k, v in enumerate(self):
            if v is value or v == value:
                return k
        raise ValueError

    def count(self, value):
        return sum([1 for v in self if v is value or v == value])


class MutableSequence(Sequence):
    __module__ = "collections.abc"
    _kinds = ["list", "deque"]

    @abstractmethod
    def __setitem__(self, index, value):
        raise IndexError

    @abstractmethod
    def __delitem__(self, index):
        raise IndexError

    @abstractmethod
    def insert(self, index, value):
        raise IndexError

    def append(self, value):
        self.insert(len(self), value)

    def extend(self, values):
        for v in list(values):
            self.append(v)

    def pop(self, index=-1):
        value = self[index]
        del self[index]
        return value

    def remove(self, value):
        del self[self.index(value)]

    def reverse(self):
        for k in range(len(self) // 2):
            self[k], self[-k - 1] = self[-k - 1], self[k]

    def clear(self):
        while len(self):
            self.pop()

    def __iadd__(self, values):
        self.extend(values)
        return self


class Mapping(Collection):
    __module__ = "collections.abc"
    _kinds = ["dict"]

    @abstractmethod
    def __getitem__(self, key):
        raise KeyError

    @abstractmethod
    def __iter__(self):
        return iter(())

    @abstractmethod
    def __len__(self):
        return 0

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def keys(self):
        return dict(self.items()).keys()

    def values(self):
        return dict(self.items()).values()

    def items(self):
        return {key: self[key] for key in self}.items()

    def __eq__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        return dict(self.items()) == dict(other.items())


class MutableMapping(Mapping):
    __module__ = "collections.abc"
    _kinds = ["dict"]

    @abstractmethod
    def __setitem__(self, key, value):
        raise KeyError

    @abstractmethod
    def __delitem__(self, key):
        raise KeyError

    def pop(self, key, *default):
        if key not in self and default:
            return default[0]
        value = self[key]
        del self[key]
        return value

    def popitem(self):
        if not len(self):
            raise KeyError
        key = next(iter(self))
        return key, self.pop(key)

    def clear(self):
        while len(self):
            self.popitem()

    def update(self, other=(), /, **keywords):
        pairs = other.items() if isinstance(other, Mapping) else other
        for key, value in list(pairs) + list(keywords.items()):
            self[key] = value

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]


class Set(Collection):
    __module__ = "collections.abc"
    _kinds = _SETS

    @classmethod
    def _from_iterable(cls, iterable):
        return cls(iterable)

    def __and__(self, other):
        return self._from_iterable([v for v in other if v in self])

    def __or__(self, other):
        return self._from_iterable(list(self) + list(other))

    def __sub__(self, other):
        return self._from_iterable([v for v in self if v not in other])

    def __le__(self, other):
        return len(self) <= len(other) and all([v in other for v in self])

    def __eq__(self, other):
        return len(self) == len(other) and self <= other

    def isdisjoint(self, other):
        return not any([v in self for v in other])


class MutableSet(Set):
    __module__ = "collections.abc"
    _kinds = ["set"]

    def remove(self, value):
        if value not in self:
            raise KeyError(value)
        self.discard(value)


class KeysView(Set):
    __module__ = "collections.abc"
    _kinds = ["dict_keys"]


class ItemsView(Set):
    __module__ = "collections.abc"
    _kinds = ["dict_items"]


class ValuesView(Collection):
    __module__ = "collections.abc"
    _kinds = ["dict_values"]


class Awaitable(metaclass=_Meta):
    __module__ = "collections.abc"
