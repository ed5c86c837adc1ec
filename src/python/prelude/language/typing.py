"""typing: names for annotations, which have no effect."""


def _shown(argument):
    if isinstance(argument, list):
        return "[" + ", ".join([_shown(a) for a in argument]) + "]"
    if argument is ...:
        return "..."
    return argument.__name__ if isinstance(argument, type) else repr(argument)


class _Form:
    __module__ = "typing"

    def __init__(self, name, args=None, origin=None):
        self._name = name
        self.__args__ = args
        self.__origin__ = origin

    def __getitem__(self, args):
        return _Form(self._name, args if isinstance(args, tuple) else (args,), self.__origin__)

    def __call__(self, *args, **keywords):
        if self.__origin__ is None:
            raise TypeError(f"Cannot instantiate {self!r}")
        return self.__origin__(*args, **keywords)

    def _checked(self):
        if self.__args__ is not None and self._name != "Union":
            raise TypeError("Subscripted generics cannot be used with class and instance checks")
        if self._name in ("Union", "Optional"):
            return self.__args__
        if self.__origin__ is not None:
            return self.__origin__
        from collections import abc, deque

        kinds = {"List": list, "Dict": dict, "Tuple": tuple, "Type": type, "FrozenSet": frozenset, "Deque": deque, "Set": set}
        kind = kinds.get(self._name) or getattr(abc, self._name, None)
        if kind is None:
            raise TypeError(f"{self!r} cannot be used with isinstance()")
        return kind

    def __instancecheck__(self, instance):
        return isinstance(instance, self._checked())

    def __subclasscheck__(self, subclass):
        return issubclass(subclass, self._checked())

    def __or__(self, other):
        return _Form("Union", (self, other))

    def __ror__(self, other):
        return _Form("Union", (other, self))

    def __repr__(self):
        if self.__args__ is None:
            return "typing." + self._name
        shown = [_shown(a) for a in self.__args__]
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
Collection = _Form("Collection")
Container = _Form("Container")
Hashable = _Form("Hashable")
MutableMapping = _Form("MutableMapping")
MutableSequence = _Form("MutableSequence")
Sized = _Form("Sized")
SupportsFloat = _Form("SupportsFloat")
SupportsInt = _Form("SupportsInt")
Annotated = _Form("Annotated")
DefaultDict = _Form("DefaultDict")
OrderedDict = _Form("OrderedDict")
Counter = _Form("Counter")
Concatenate = _Form("Concatenate")
TypeAlias = _Form("TypeAlias")
Required = _Form("Required")
NotRequired = _Form("NotRequired")
LiteralString = _Form("LiteralString")
Never = _Form("Never")
Reversible = _Form("Reversible")
Awaitable = _Form("Awaitable")
Coroutine = _Form("Coroutine")
IO = _Form("IO")
TextIO = _Form("TextIO")
BinaryIO = _Form("BinaryIO")
Text = str
TYPE_CHECKING = False


class Generic:
    __module__ = "typing"

    @classmethod
    def __class_getitem__(cls, args):
        return cls


class _ProtocolMeta(type):
    """A protocol knows an instance by the names in it."""

    def __instancecheck__(cls, instance):
        if "_is_protocol" not in cls.__dict__:
            return super().__instancecheck__(instance)
        if not cls.__dict__.get("_is_runtime_protocol", False):
            raise TypeError(
                "Instance and class checks can only be used with @runtime_checkable protocols"
            )
        names = list(cls.__dict__) + list(cls.__dict__.get("__annotations__", {}))
        names = [n for n in names if not n.startswith("_is_") and n not in _NOT_ASKED]
        return all([hasattr(instance, n) for n in names])


_NOT_ASKED = ["__module__", "__doc__", "__annotations__", "__qualname__", "__init__"]


class Protocol(Generic, metaclass=_ProtocolMeta):
    __module__ = "typing"

    def __init_subclass__(cls):
        if Protocol in cls.__bases__:
            cls._is_protocol = True


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
    cls._is_runtime_protocol = True
    return cls


class TypedDict:
    """A dict; its annotations say with which keys."""

    def __new__(cls, /, *args, **keywords):
        if cls is not TypedDict:
            return dict(*args, **keywords)
        return type(args[0], (TypedDict,), {"__annotations__": dict(args[1])})

    def __init_subclass__(cls, total=True):
        own = cls.__dict__.get("__annotations__", {})
        cls.__annotations__ = {**getattr(cls.__mro__[1], "__annotations__", {}), **own}
        cls.__total__ = total


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    return dict(getattr(obj, "__annotations__", {}))


def get_origin(tp):
    return getattr(tp, "__origin__", None)


def get_args(tp):
    return getattr(tp, "__args__", None) or ()


def assert_never(arg, /):
    raise AssertionError(f"Expected code to be unreachable, but got: {arg!r}")


def no_type_check(arg):
    return arg


def reveal_type(obj, /):
    return obj
