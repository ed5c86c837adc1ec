"""abc: abstract base classes."""


def abstractmethod(funcobj):
    funcobj.__isabstractmethod__ = True
    return funcobj


class ABC:
    __module__ = "abc"

    def __new__(cls, *args, **keywords):
        lacking = []
        for base in cls.__mro__:
            for name in getattr(base, "__dict__", {}):
                found = getattr(cls, name, None)
                if isinstance(found, property):
                    found = found.fget
                if getattr(found, "__isabstractmethod__", False) and name not in lacking:
                    lacking.append(name)
        if lacking:
            s = "" if len(lacking) == 1 else "s"
            names = ", ".join(sorted(lacking))
            raise TypeError(
                f"Can't instantiate abstract class {cls.__name__} with abstract method{s} {names}"
            )
        return super().__new__(cls)


class ABCMeta:
    __module__ = "abc"
    __stand_in__ = ABC
