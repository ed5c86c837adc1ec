"""dataclasses: classes that hold data."""


class _Missing:
    def __repr__(self):
        return "<dataclasses._MISSING_TYPE object>"


class _InitVar:
    _name = "InitVar"

    def __init__(self, type=None):
        self.type = type

    def __getitem__(self, type):
        return _InitVar(type)

    def __repr__(self):
        return f"dataclasses.InitVar[{getattr(self.type, '__name__', self.type)}]"


class _KeywordsOnly:
    def __repr__(self):
        return "<dataclasses._KW_ONLY_TYPE object>"


InitVar = _InitVar()
KW_ONLY = _KeywordsOnly()


MISSING = _Missing()


class FrozenInstanceError(AttributeError):
    pass


class Field:
    __module__ = "dataclasses"

    def __init__(self, default, default_factory, init, repr, hash, compare, kw_only):
        self.name = None
        self.type = None
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.hash = hash
        self.compare = compare
        self.kw_only = kw_only


def field(
    *,
    default=MISSING,
    default_factory=MISSING,
    init=True,
    repr=True,
    hash=None,
    compare=True,
    metadata=None,
    kw_only=False,
):
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError("cannot specify both default and default_factory")
    return Field(default, default_factory, init, repr, hash, compare, kw_only)


def dataclass(
    cls=None,
    /,
    *,
    init=True,
    repr=True,
    eq=True,
    order=False,
    unsafe_hash=False,
    frozen=False,
    match_args=True,
    kw_only=False,
    slots=False,
):
    def decorate(cls):
        return _process(cls, init, repr, eq, order, unsafe_hash, frozen, kw_only)

    return decorate if cls is None else decorate(cls)


def _list(names):
    names = [f"'{n}'" for n in names]
    if len(names) < 3:
        return " and ".join(names)
    return ", ".join(names[:-1]) + ", and " + names[-1]


def _process(cls, init, show, eq, order, unsafe_hash, frozen, kw_only):
    taken = {}
    for base in reversed(cls.__mro__[1:]):
        taken.update(getattr(base, "_dataclass_taken", {}))
    for name, kind in cls.__dict__.get("__annotations__", {}).items():
        if kind is KW_ONLY:
            kw_only = True
        if kind is KW_ONLY or getattr(kind, "_name", None) == "ClassVar":
            continue
        default = cls.__dict__.get(name, MISSING)
        if isinstance(default, Field):
            made = default
            if made.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, made.default)
        else:
            if isinstance(default, (list, dict, set)):
                raise ValueError(
                    f"mutable default {type(default)} for field {name} is not allowed: use default_factory"
                )
            made = field(default=default, kw_only=kw_only)
        made.name = name
        made.type = kind
        taken[name] = made
    cls._dataclass_taken = taken
    every = list(taken.values())
    known = {f.name: f for f in every if getattr(f.type, "_name", None) != "InitVar"}
    cls.__dataclass_fields__ = known
    taken = [f for f in every if f.init]
    usual = [f for f in taken if not f.kw_only]
    seen = None
    for f in usual:
        if f.default is not MISSING or f.default_factory is not MISSING:
            seen = f
        elif seen is not None and init:
            raise TypeError(f"non-default argument {f.name!r} follows default argument")
    title = cls.__name__

    def __init__(self, *args, **keywords):
        if len(args) > len(usual):
            required = [f for f in usual if f.default is MISSING and f.default_factory is MISSING]
            n, least = len(usual) + 1, len(required) + 1
            takes = f"{n}" if least == n else f"from {least} to {n}"
            s = "" if n == 1 else "s"
            raise TypeError(
                f"{title}.__init__() takes {takes} positional argument{s} but {len(args) + 1} were given"
            )
        values = dict(zip([f.name for f in usual], args))
        names = [f.name for f in taken]
        for name, value in keywords.items():
            if name not in names:
                raise TypeError(f"{title}.__init__() got an unexpected keyword argument {name!r}")
            if name in values:
                raise TypeError(f"{title}.__init__() got multiple values for argument {name!r}")
            values[name] = value
        for only, way in ((False, "positional"), (True, "keyword-only")):
            lacking = []
            for f in taken:
                if f.name not in values and f.default is MISSING and f.default_factory is MISSING and f.kw_only == only:
                    lacking.append(f.name)
            if lacking:
                s = "" if len(lacking) == 1 else "s"
                raise TypeError(
                    f"{title}.__init__() missing {len(lacking)} required {way} argument{s}: {_list(lacking)}"
                )
        first = []
        for f in every:
            if f.name in values:
                value = values[f.name]
            elif f.default_factory is not MISSING:
                value = f.default_factory()
            elif f.default is not MISSING:
                value = f.default
            else:
                continue
            if f.name in known:
                object.__setattr__(self, f.name, value)
            else:
                first.append(value)
        if hasattr(self, "__post_init__"):
            self.__post_init__(*first)

    def __repr__(self):
        parts = [f"{f.name}={getattr(self, f.name)!r}" for f in known.values() if f.repr]
        return f"{type(self).__qualname__}({', '.join(parts)})"

    def values(self):
        return tuple(getattr(self, f.name) for f in known.values() if f.compare)

    def same(a, b):
        return type(b) is type(a)

    def refuse_set(self, name, value):
        if type(self) is cls or name in known:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        object.__setattr__(self, name, value)

    def refuse_delete(self, name):
        if type(self) is cls or name in known:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        object.__delattr__(self, name)

    def give(name, function):
        if name not in cls.__dict__:
            setattr(cls, name, function)

    if init:
        give("__init__", __init__)
    if show:
        give("__repr__", __repr__)
    if eq:
        give("__eq__", lambda a, b: values(a) == values(b) if same(a, b) else NotImplemented)
    if order:
        give("__lt__", lambda a, b: values(a) < values(b) if same(a, b) else NotImplemented)
        give("__le__", lambda a, b: values(a) <= values(b) if same(a, b) else NotImplemented)
        give("__gt__", lambda a, b: values(a) > values(b) if same(a, b) else NotImplemented)
        give("__ge__", lambda a, b: values(a) >= values(b) if same(a, b) else NotImplemented)
    if frozen:
        cls.__setattr__ = refuse_set
        cls.__delattr__ = refuse_delete
    if unsafe_hash or (eq and frozen):
        give("__hash__", lambda self: hash(values(self)))
    cls.__match_args__ = tuple(f.name for f in usual)
    return cls


def is_dataclass(obj):
    return hasattr(obj, "__dataclass_fields__")


def fields(class_or_instance):
    if not is_dataclass(class_or_instance):
        raise TypeError("must be called with a dataclass type or instance") from None
    return tuple(class_or_instance.__dataclass_fields__.values())


def _inside(value, convert):
    if is_dataclass(value) and not isinstance(value, type):
        return convert(value)
    if isinstance(value, (list, tuple)):
        return type(value)([_inside(v, convert) for v in value])
    if isinstance(value, dict):
        return {k: _inside(v, convert) for k, v in value.items()}
    return value


def asdict(obj, *, dict_factory=dict):
    if not is_dataclass(obj) or isinstance(obj, type):
        raise TypeError("asdict() should be called on dataclass instances")
    return dict_factory([(f.name, _inside(getattr(obj, f.name), asdict)) for f in fields(obj)])


def astuple(obj, *, tuple_factory=tuple):
    if not is_dataclass(obj) or isinstance(obj, type):
        raise TypeError("astuple() should be called on dataclass instances")
    return tuple_factory([_inside(getattr(obj, f.name), astuple) for f in fields(obj)])


def replace(obj, /, **changes):
    for f in fields(obj):
        if f.init and f.name not in changes:
            changes[f.name] = getattr(obj, f.name)
    return type(obj)(**changes)
