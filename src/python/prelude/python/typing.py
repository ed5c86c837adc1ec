"""typing: names for annotations, which have no effect."""


class _Form:
    __module__ = "typing"

    def __init__(self, name, args=None):
        self._name = name
        self.__args__ = args

    def __getitem__(self, args):
        return _Form(self._name, args if isinstance(args, tuple) else (args,))

    def __or__(self, other):
        return _Form("Union", (self, other))

    def __ror__(self, other):
        return _Form("Union", (other, self))

    def __repr__(self):
        if self.__args__ is None:
            return "typing." + self._name
        shown = [a.__name__ if isinstance(a, type) else repr(a) for a in self.__args__]
        return f"typing.{self._name}[{', '.join(shown)}]"


Any = _Form("Any")
Callable = _Form("Callable")
ClassVar = _Form("ClassVar")
Deque = _Form("Deque")
Dict = _Form("Dict")
Final = _Form("Final")
FrozenSet = _Form("FrozenSet")
Generator = _Form("Generator")
Iterable = _Form("Iterable")
Iterator = _Form("Iterator")
List = _Form("List")
Literal = _Form("Literal")
Mapping = _Form("Mapping")
NoReturn = _Form("NoReturn")
Optional = _Form("Optional")
Self = _Form("Self")
Sequence = _Form("Sequence")
Set = _Form("Set")
Tuple = _Form("Tuple")
Type = _Form("Type")
Union = _Form("Union")
Text = str
TYPE_CHECKING = False


class Generic:
    __module__ = "typing"

    @classmethod
    def __class_getitem__(cls, args):
        return cls


class Protocol(Generic):
    pass


class NamedTuple(tuple):
    """A class of named tuples: from its annotations, or called with a name and fields."""

    def __new__(cls, typename, fields=(), /):
        from collections import namedtuple

        made = namedtuple(typename, [name for name, _ in fields])
        made.__annotations__ = dict(fields)
        return made

    def __init_subclass__(cls):
        from collections import namedtuple

        kinds = cls.__dict__.get("__annotations__", {})
        if not kinds:
            return
        usual = [cls.__dict__[name] for name in kinds if name in cls.__dict__]
        made = namedtuple(cls.__name__, list(kinds), defaults=usual)
        for name in made.__dict__:
            if name in kinds or name not in cls.__dict__:
                setattr(cls, name, made.__dict__[name])
        cls._make = lambda iterable: cls(*iterable)


class TypeVar:
    __module__ = "typing"

    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False):
        self.__name__ = name

    def __repr__(self):
        return "~" + self.__name__


def NewType(name, tp):
    return lambda value: value


def cast(typ, val):
    return val


def overload(func):
    return func


def final(f):
    return f


def runtime_checkable(cls):
    return cls
