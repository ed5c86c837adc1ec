"""enum: classes of named constants."""


class auto:
    __module__ = "enum"


class EnumType(type):
    __module__ = "enum"

    def __call__(cls, value, names=None, *, module=None, qualname=None, type=None, start=1):
        if names is None:
            return Enum.__new__(cls, value)
        if isinstance(names, str):
            names = names.replace(",", " ").split()
        if isinstance(names, dict):
            names = list(names.items())
        pairs = [(n, k + start) if isinstance(n, str) else n for k, n in enumerate(names)]
        bases = (cls,) if type is None else (type, cls)
        return EnumType(value, bases, dict(pairs))

    def __iter__(cls):
        return iter([m for n, m in cls.__members__.items() if m._name_ == n])

    def __len__(cls):
        return len(list(iter(cls)))

    def __getitem__(cls, name):
        if name not in cls.__members__:
            raise KeyError(name)
        return cls.__members__[name]

    def __contains__(cls, member):
        if not isinstance(member, Enum):
            raise TypeError(
                f"unsupported operand type(s) for 'in': '{type(member).__qualname__}' and 'EnumType'"
            )
        return isinstance(member, cls)

    def __getattr__(cls, name):
        raise AttributeError(name)

    def __repr__(cls):
        kind = "flag" if issubclass(cls, Flag) else "enum"
        return f"<{kind} {cls.__name__!r}>"


EnumMeta = EnumType


def _is_member(name, value):
    kinds = (property, classmethod, staticmethod)
    return not (name.startswith("_") or isinstance(value, kinds) or callable(value) and value is not auto)


class Enum(metaclass=EnumType):
    __module__ = "enum"
    __members__ = {}

    def __init_subclass__(cls, **keywords):
        members = {}
        values = []
        for name, value in list(cls.__dict__.items()):
            if not _is_member(name, value):
                continue
            if isinstance(value, auto) or value is auto:
                value = cls._generate_next_value_(name, 1, len(values), values)
            same = [m for m in members.values() if m._value_ == value]
            if same:
                member = same[0]
            else:
                member = cls._made(name, value)
                if "__init__" in [n for c in cls.__mro__ if c not in (Enum, object) for n in getattr(c, "__dict__", {})]:
                    member.__init__(*(value if isinstance(value, tuple) else (value,)))
            values.append(value)
            setattr(cls, name, member)
            members[name] = member
        if members:
            cls.__members__ = members
        # A class mixed in, such as str, has ways to print that a member does not take.
        own = [c for c in cls.__mro__ if c not in (int, str, float, tuple, object)]
        for name in ("__repr__", "__str__", "__format__"):
            says = [c for c in own if name in c.__dict__]
            if says[0] is not cls:
                setattr(cls, name, says[0].__dict__[name])

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return last_values[-1] + 1 if last_values else start

    @classmethod
    def _made(cls, name, value):
        mixed = [b for b in cls.__mro__ if b in (int, str, float, tuple)]
        member = mixed[0].__new__(cls, value) if mixed else object.__new__(cls)
        member._name_ = name
        member._value_ = value
        return member

    @classmethod
    def _missing_(cls, value):
        return None

    def __new__(cls, value):
        for member in cls.__members__.values():
            if member._value_ == value:
                return member
        member = cls._missing_(value)
        if member is None:
            raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
        return member

    def __init__(self, value=None):
        pass

    @property
    def name(self):
        return self._name_

    @property
    def value(self):
        return self._value_

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __hash__(self):
        return hash(self._name_)

    def __eq__(self, other):
        return self is other

    def __repr__(self):
        return f"<{type(self).__name__}.{self._name_}: {self._value_!r}>"

    def __str__(self):
        return f"{type(self).__name__}.{self._name_}"

    def __format__(self, format_spec):
        return format(str(self), format_spec)


class _Plain:
    """A member that is a number or a text is equal to it."""

    def __eq__(self, other):
        return self._value_ == (other._value_ if isinstance(other, Enum) else other)

    def __hash__(self):
        return hash(self._value_)

    def __str__(self):
        return str(self._value_)

    def __format__(self, format_spec):
        return format(self._value_, format_spec)


class IntEnum(_Plain, int, Enum):
    __module__ = "enum"


class StrEnum(_Plain, str, Enum):
    __module__ = "enum"

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()


class Flag(Enum):
    __module__ = "enum"

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return 2 ** max(last_values).bit_length() if last_values else start

    @classmethod
    def _missing_(cls, value):
        inside = [m for m in cls if m._value_ & value]
        known = 0
        for m in inside:
            known |= m._value_
        if value & ~known:
            return None
        return cls._made("|".join([m._name_ for m in inside]) or None, value)

    def __or__(self, other):
        return type(self)(self._value_ | other._value_)

    def __and__(self, other):
        return type(self)(self._value_ & other._value_)

    def __xor__(self, other):
        return type(self)(self._value_ ^ other._value_)

    def __invert__(self):
        return type(self)(sum([m._value_ for m in type(self) if not m._value_ & self._value_]))

    def __contains__(self, other):
        return other._value_ & self._value_ == other._value_

    def __iter__(self):
        return iter([m for m in type(self) if m._value_ & self._value_])

    def __bool__(self):
        return bool(self._value_)

    def __hash__(self):
        return hash(self._value_)

    def __eq__(self, other):
        return type(self) is type(other) and self._value_ == other._value_

    def __repr__(self):
        name = "" if self._name_ is None else "." + self._name_
        return f"<{type(self).__name__}{name}: {self._value_!r}>"

    def __str__(self):
        name = type(self).__name__
        return f"{name}({self._value_})" if self._name_ is None else f"{name}.{self._name_}"


class IntFlag(_Plain, int, Flag):
    __module__ = "enum"


def unique(enumeration):
    twice = [f"{n} -> {m._name_}" for n, m in enumeration.__members__.items() if m._name_ != n]
    if twice:
        raise ValueError(f"duplicate values found in {enumeration!r}: {', '.join(twice)}")
    return enumeration
