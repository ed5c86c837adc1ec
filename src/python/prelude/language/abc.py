"""abc: abstract base classes."""


def abstractmethod(funcobj):
    funcobj.__isabstractmethod__ = True
    return funcobj


def _is_abstract(value):
    if isinstance(value, property):
        value = value.fget
    return getattr(value, "__isabstractmethod__", False)


class ABCMeta(type):
    __module__ = "abc"

    def __init__(cls, name, bases, contents, **keywords):
        names = {n for c in cls.__mro__ for n in getattr(c, "__dict__", ())}
        cls.__abstractmethods__ = frozenset([n for n in names if _is_abstract(getattr(cls, n, None))])
        cls._registered = []

    def __call__(cls, *args, **keywords):
        lacking = sorted(cls.__abstractmethods__)
        if lacking:
            s = "" if len(lacking) == 1 else "s"
            raise TypeError(
                f"Can't instantiate abstract class {cls.__name__} with abstract method{s} {', '.join(lacking)}"
            )
        return super().__call__(*args, **keywords)

    def register(cls, subclass):
        cls._registered.append(subclass)
        return subclass

    def __instancecheck__(cls, instance):
        return cls.__subclasscheck__(type(instance))

    def __subclasscheck__(cls, subclass):
        if super().__subclasscheck__(subclass):
            return True
        return any([issubclass(subclass, c) for c in cls._registered])


class ABC(metaclass=ABCMeta):
    __module__ = "abc"
