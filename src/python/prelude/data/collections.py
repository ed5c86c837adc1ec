"""collections: containers besides list, dict and set."""


class defaultdict(dict):
    __module__ = "collections"

    def __init__(self, default_factory=None, /, *args, **keywords):
        if default_factory is not None and not callable(default_factory):
            raise TypeError("first argument must be callable or None")
        super().__init__(*args, **keywords)
        self.default_factory = default_factory

    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        self[key] = value = self.default_factory()
        return value

    def copy(self):
        return defaultdict(self.default_factory, self)

    def __repr__(self):
        return f"defaultdict({self.default_factory!r}, {dict(self)!r})"


def _ordered(view):
    view._ordered = True
    return view


class OrderedDict(dict):
    __module__ = "collections"

    def move_to_end(self, key, last=True):
        value = self.pop(key)
        if last:
            self[key] = value
        else:
            rest = list(self.items())
            self.clear()
            self[key] = value
            self.update(rest)

    def popitem(self, last=True):
        if not self:
            raise KeyError("dictionary is empty")
        key = list(self)[-1 if last else 0]
        return key, self.pop(key)

    def copy(self):
        return OrderedDict(self)

    def keys(self):
        return _ordered(super().keys())

    def values(self):
        return _ordered(super().values())

    def items(self):
        return _ordered(super().items())

    def __repr__(self):
        return f"OrderedDict({list(self.items())!r})" if self else "OrderedDict()"


class Counter(dict):
    __module__ = "collections"

    def __init__(self, iterable=None, /, **keywords):
        super().__init__()
        self.update(iterable, **keywords)

    def __missing__(self, key):
        return 0

    def update(self, iterable=None, /, **keywords):
        for source in (iterable, keywords):
            if isinstance(source, dict):
                for key, n in source.items():
                    self[key] = self[key] + n
            elif source is not None:
                for key in source:
                    self[key] = self[key] + 1

    def subtract(self, iterable=None, /, **keywords):
        for key, n in Counter(iterable, **keywords).items():
            self[key] = self[key] - n

    def most_common(self, n=None):
        pairs = sorted(self.items(), key=lambda pair: pair[1], reverse=True)
        return pairs if n is None else pairs[:n]

    def elements(self):
        for key, n in self.items():
            for _ in range(n):
                yield key

    def total(self):
        return sum(self.values())

    def copy(self):
        return Counter(self)

    def _combined(self, other, combine):
        made = Counter()
        for key in list(self) + [k for k in other if k not in self]:
            n = combine(self[key], other[key])
            if n > 0:
                made[key] = n
        return made

    def __add__(self, other):
        return self._combined(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self._combined(other, lambda a, b: a - b)

    def __or__(self, other):
        return self._combined(other, max)

    def __and__(self, other):
        return self._combined(other, min)

    def __repr__(self):
        if not self:
            return "Counter()"
        return "Counter({" + ", ".join(f"{k!r}: {n!r}" for k, n in self.most_common()) + "})"


class deque:
    __module__ = "collections"

    def __init__(self, iterable=(), maxlen=None):
        self.maxlen = maxlen
        self._items = []
        self.extend(iterable)

    def append(self, x):
        self._items.append(x)
        if self.maxlen is not None and len(self._items) > self.maxlen:
            self._items.pop(0)

    def appendleft(self, x):
        self._items.insert(0, x)
        if self.maxlen is not None and len(self._items) > self.maxlen:
            self._items.pop()

    def extend(self, iterable):
        for x in iterable:
            self.append(x)

    def extendleft(self, iterable):
        for x in iterable:
            self.appendleft(x)

    def pop(self):
        if not self._items:
            raise IndexError("pop from an empty deque")
        return self._items.pop()

    def popleft(self):
        if not self._items:
            raise IndexError("pop from an empty deque")
        return self._items.pop(0)

    def rotate(self, n=1):
        if self._items:
            n %= len(self._items)
            self._items = self._items[len(self._items) - n :] + self._items[: len(self._items) - n]

    def clear(self):
        self._items.clear()

    def copy(self):
        return deque(self._items, self.maxlen)

    def count(self, x):
        return self._items.count(x)

    def index(self, x):
        if x not in self._items:
            raise ValueError(f"{x!r} is not in deque")
        return self._items.index(x)

    def insert(self, i, x):
        if self.maxlen is not None and len(self._items) >= self.maxlen:
            raise IndexError("deque already at its maximum size")
        self._items.insert(i, x)

    def remove(self, value):
        if value not in self._items:
            raise ValueError("deque.remove(x): x not in deque")
        self._items.remove(value)

    def reverse(self):
        self._items.reverse()

    def __len__(self):
        return len(self._items)

    def __iter__(self):
        return iter(self._items)

    def __reversed__(self):
        return reversed(self._items)

    def __contains__(self, x):
        return x in self._items

    def __getitem__(self, i):
        if isinstance(i, slice):
            raise TypeError("sequence index must be integer, not 'slice'")
        if not -len(self._items) <= i < len(self._items):
            raise IndexError("deque index out of range")
        return self._items[i]

    def __setitem__(self, i, x):
        if not -len(self._items) <= i < len(self._items):
            raise IndexError("deque index out of range")
        self._items[i] = x

    def __delitem__(self, i):
        del self._items[i]

    def __eq__(self, other):
        return isinstance(other, deque) and self._items == other._items

    def __add__(self, other):
        return deque(self._items + list(other), self.maxlen)

    def __iadd__(self, other):
        self.extend(other)
        return self

    def __repr__(self):
        limit = "" if self.maxlen is None else f", maxlen={self.maxlen}"
        return f"deque({self._items!r}{limit})"


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()
    fields = tuple(field_names)
    for i, name in enumerate(fields):
        if not name.isidentifier():
            raise ValueError(f"Type names and field names must be valid identifiers: {name!r}")
        if name.startswith("_"):
            raise ValueError(f"Field names cannot start with an underscore: {name!r}")
        if name in fields[:i]:
            raise ValueError(f"Encountered duplicate field name: {name!r}")
    given = tuple(defaults or ())
    if len(given) > len(fields):
        raise TypeError("Got more default values than field names")
    usual = dict(zip(fields[len(fields) - len(given) :], given))

    def __new__(cls, /, *args, **keywords):
        if len(args) > len(fields):
            n, least = len(fields) + 1, len(fields) + 1 - len(usual)
            takes = f"{n}" if least == n else f"from {least} to {n}"
            raise TypeError(
                f"{typename}.__new__() takes {takes} positional arguments but {len(args) + 1} were given"
            )
        values = dict(zip(fields, args))
        for name, value in keywords.items():
            if name not in fields:
                raise TypeError(f"{typename}.__new__() got an unexpected keyword argument {name!r}")
            if name in values:
                raise TypeError(f"{typename}.__new__() got multiple values for argument {name!r}")
            values[name] = value
        lacking = [repr(n) for n in fields if n not in values and n not in usual]
        if lacking:
            s = "" if len(lacking) == 1 else "s"
            if len(lacking) < 3:
                names = " and ".join(lacking)
            else:
                names = ", ".join(lacking[:-1]) + ", and " + lacking[-1]
            raise TypeError(
                f"{typename}.__new__() missing {len(lacking)} required positional argument{s}: {names}"
            )
        return tuple.__new__(cls, [values.get(n, usual.get(n)) for n in fields])

    def __repr__(self):
        return type(self).__name__ + "(" + ", ".join(f"{n}={v!r}" for n, v in zip(fields, self)) + ")"

    def _asdict(self):
        return dict(zip(fields, self))

    def _replace(self, /, **keywords):
        wrong = [n for n in keywords if n not in fields]
        if wrong:
            raise ValueError(f"Got unexpected field names: {wrong!r}")
        return type(self)(*[keywords.get(n, v) for n, v in zip(fields, self)])

    def __setattr__(self, name, value):
        if name in fields:
            raise AttributeError("can't set attribute")
        object.__setattr__(self, name, value)

    contents = {
        "__new__": __new__,
        "__repr__": __repr__,
        "__setattr__": __setattr__,
        "_asdict": _asdict,
        "_replace": _replace,
        "_fields": fields,
        "_field_defaults": usual,
        "__match_args__": fields,
    }
    for i, name in enumerate(fields):
        contents[name] = property(lambda self, i=i: self[i])
    made = type(typename, (tuple,), contents)
    made._make = lambda iterable: made(*iterable)
    return made


class ChainMap:
    __module__ = "collections"

    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __getitem__(self, key):
        for m in self.maps:
            if key in m:
                return m[key]
        raise KeyError(key)

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __contains__(self, key):
        return any(key in m for m in self.maps)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def __iter__(self):
        merged = {}
        for m in reversed(self.maps):
            merged.update(m)
        return iter(merged)

    def __len__(self):
        return len(list(iter(self)))

    def __repr__(self):
        return f"ChainMap({', '.join(map(repr, self.maps))})"
