"""enum: classes of named constants."""


class auto:
    __module__ = "enum"


class Enum:
    __module__ = "enum"

    def __init_subclass__(cls):
        members = {}
        last = 0
        for name, value in list(cls.__dict__.items()):
            if name.startswith("_") or callable(value) or isinstance(value, property):
                continue
            if isinstance(value, (classmethod, staticmethod)):
                continue
            if isinstance(value, auto) or value is auto:
                value = last + 1
            last = value
            same = [m for m in members.values() if m._value_ == value]
            if same:
                member = same[0]
            else:
                member = object.__new__(cls)
                member._name_ = name
                member._value_ = value
            setattr(cls, name, member)
            members[name] = member
        cls.__members__ = members

    def __new__(cls, value):
        for member in cls.__members__.values():
            if member._value_ == value:
                return member
        raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")

    def __init__(self, value=None):
        pass

    @property
    def name(self):
        return self._name_

    @property
    def value(self):
        return self._value_

    @classmethod
    def __class_getitem__(cls, name):
        if name not in cls.__members__:
            raise KeyError(name)
        return cls.__members__[name]

    @classmethod
    def __class_iter__(cls):
        return iter([m for n, m in cls.__members__.items() if m._name_ == n])

    def __hash__(self):
        return hash(self._name_)

    def __eq__(self, other):
        return self is other

    def __repr__(self):
        return f"<{type(self).__name__}.{self._name_}: {self._value_!r}>"

    def __str__(self):
        return f"{type(self).__name__}.{self._name_}"


class IntEnum(Enum):
    def __int__(self):
        return self._value_

    def __index__(self):
        return self._value_

    def __eq__(self, other):
        return self._value_ == (other._value_ if isinstance(other, Enum) else other)

    def __lt__(self, other):
        return self._value_ < (other._value_ if isinstance(other, Enum) else other)

    def __add__(self, other):
        return self._value_ + other

    def __radd__(self, other):
        return other + self._value_

    def __hash__(self):
        return hash(self._value_)

    def __str__(self):
        return str(self._value_)
