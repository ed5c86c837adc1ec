"""types: simple objects with attributes."""


class SimpleNamespace:
    __module__ = "types"

    def __init__(self, /, **keywords):
        for name, value in keywords.items():
            setattr(self, name, value)

    def __repr__(self):
        parts = [f"{name}={value!r}" for name, value in self.__dict__.items()]
        return f"namespace({', '.join(parts)})"

    def __eq__(self, other):
        return isinstance(other, SimpleNamespace) and self.__dict__ == other.__dict__


class GenericAlias:
    __module__ = "types"

    def __init__(self, origin, args):
        self.__origin__ = origin
        self.__args__ = args if isinstance(args, tuple) else (args,)

    def __call__(self, *args, **keywords):
        return self.__origin__(*args, **keywords)

    def __getitem__(self, args):
        return GenericAlias(self.__origin__, args)

    def __or__(self, other):
        from typing import Union

        return Union[self, other]

    def __ror__(self, other):
        from typing import Union

        return Union[other, self]

    def __eq__(self, other):
        return isinstance(other, GenericAlias) and repr(self) == repr(other)

    def __hash__(self):
        return hash(repr(self))

    def __repr__(self):
        shown = ["..." if a is ... else a.__name__ if isinstance(a, type) else repr(a) for a in self.__args__]
        return f"{self.__origin__.__name__}[{', '.join(shown)}]"


def MethodType(function, instance, /):
    from functools import partial

    return partial(function, instance)


def new_class(name, bases=(), kwds=None, exec_body=None):
    contents = {}
    if exec_body is not None:
        exec_body(contents)
    return type(name, bases, contents)
