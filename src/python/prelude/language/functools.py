"""functools: functions that work on functions."""

from collections import namedtuple


def _missing():
    pass


def reduce(function, iterable, initial=_missing, /):
    elements = iter(iterable)
    if initial is _missing:
        try:
            total = next(elements)
        except StopIteration:
            raise TypeError("reduce() of empty iterable with no initial value") from None
    else:
        total = initial
    for element in elements:
        total = function(total, element)
    return total


class partial:
    __module__ = "functools"

    def __init__(self, func, /, *args, **keywords):
        if not callable(func):
            raise TypeError("the first argument must be callable")
        if isinstance(func, partial):
            args = func.args + args
            keywords = {**func.keywords, **keywords}
            func = func.func
        self.func = func
        self.args = args
        self.keywords = keywords

    def __call__(self, /, *args, **keywords):
        return self.func(*self.args, *args, **{**self.keywords, **keywords})

    def __repr__(self):
        parts = [repr(self.func)] + [repr(a) for a in self.args]
        parts += [f"{k}={v!r}" for k, v in self.keywords.items()]
        return "functools.partial(" + ", ".join(parts) + ")"


def wraps(wrapped, assigned=None, updated=None):
    def decorate(wrapper):
        return update_wrapper(wrapper, wrapped)

    return decorate


def update_wrapper(wrapper, wrapped, assigned=None, updated=None):
    for name in ("__module__", "__name__", "__qualname__", "__doc__"):
        if hasattr(wrapped, name):
            setattr(wrapper, name, getattr(wrapped, name))
    wrapper.__wrapped__ = wrapped
    return wrapper


_Info = namedtuple("CacheInfo", ["hits", "misses", "maxsize", "currsize"])


def lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return _cached(maxsize, 128)

    def decorate(function):
        return _cached(function, maxsize)

    return decorate


def cache(user_function, /):
    return _cached(user_function, None)


def _cached(function, maxsize):
    known = {}
    counts = [0, 0]

    def wrapper(*args, **keywords):
        key = (args, tuple(keywords.items()))
        if key in known:
            counts[0] += 1
            value = known.pop(key)
        else:
            counts[1] += 1
            value = function(*args, **keywords)
            if maxsize is not None and len(known) >= maxsize and known:
                known.pop(next(iter(known)))
        known[key] = value
        return value

    def cache_clear():
        known.clear()
        counts[0] = counts[1] = 0

    wrapper.cache_info = lambda: _Info(counts[0], counts[1], maxsize, len(known))
    wrapper.cache_clear = cache_clear
    return update_wrapper(wrapper, function)


def cmp_to_key(mycmp):
    class K:
        def __init__(self, obj):
            self.obj = obj

        def __lt__(self, other):
            return mycmp(self.obj, other.obj) < 0

        def __gt__(self, other):
            return mycmp(self.obj, other.obj) > 0

        def __eq__(self, other):
            return mycmp(self.obj, other.obj) == 0

    return K


def total_ordering(cls):
    def has(name):
        return name in cls.__dict__

    if has("__lt__"):
        made = {
            "__gt__": lambda a, b: not (a < b) and a != b,
            "__le__": lambda a, b: a < b or a == b,
            "__ge__": lambda a, b: not a < b,
        }
    elif has("__le__"):
        made = {
            "__ge__": lambda a, b: not a <= b or a == b,
            "__lt__": lambda a, b: a <= b and a != b,
            "__gt__": lambda a, b: not a <= b,
        }
    elif has("__gt__"):
        made = {
            "__lt__": lambda a, b: not (a > b) and a != b,
            "__ge__": lambda a, b: a > b or a == b,
            "__le__": lambda a, b: not a > b,
        }
    elif has("__ge__"):
        made = {
            "__le__": lambda a, b: not a >= b or a == b,
            "__gt__": lambda a, b: a >= b and a != b,
            "__lt__": lambda a, b: not a >= b,
        }
    else:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    for name, function in made.items():
        if not has(name):
            setattr(cls, name, function)
    return cls


def cached_property(func):
    place = "_cached_" + func.__name__

    def get(self):
        if not hasattr(self, place):
            setattr(self, place, func(self))
        return getattr(self, place)

    return property(get)


class partialmethod:
    __module__ = "functools"

    def __init__(self, func, /, *args, **keywords):
        self.func = func
        self.args = args
        self.keywords = keywords

    def __get__(self, obj, cls=None):
        func = self.func.__get__(obj, cls) if hasattr(self.func, "__get__") else partial(self.func, obj)
        return partial(func, *self.args, **self.keywords)


def _kinds(cls):
    return cls.__args__ if hasattr(cls, "__args__") else (cls,)


def singledispatch(func):
    registry = {object: func}

    def dispatch(cls):
        fits = [c for c in registry if issubclass(cls, c)]
        best = fits[0]
        for c in fits[1:]:
            if issubclass(c, best):
                best = c
        return registry[best]

    def register(cls, func=None):
        if func is None and isinstance(cls, type) or hasattr(cls, "__args__"):
            return lambda func: register(cls, func)
        if func is None:
            func = cls
            cls = next(iter(getattr(func, "__annotations__", {}).values()), None)
            if cls is None:
                raise TypeError(
                    f"Invalid first argument to `register()`: {func!r}. Use either `@register(some_class)`"
                    " or plain `@register` on an annotated function."
                )
        for one in _kinds(cls):
            registry[one] = func
        return func

    def wrapper(*args, **keywords):
        if not args:
            raise TypeError(f"{func.__name__} requires at least 1 positional argument")
        return dispatch(type(args[0]))(*args, **keywords)

    wrapper.register = register
    wrapper.dispatch = dispatch
    wrapper.registry = registry
    return update_wrapper(wrapper, func)


class singledispatchmethod:
    __module__ = "functools"

    def __init__(self, func):
        self.dispatcher = singledispatch(func)

    def register(self, cls, method=None):
        return self.dispatcher.register(cls, method)

    def __get__(self, obj, cls=None):
        return lambda *args, **keywords: self.dispatcher.dispatch(type(args[0]))(obj, *args, **keywords)
