from dataclasses import dataclass, asdict, fields
from typing import ClassVar


class Doubled:
    def __set_name__(self, owner, name):
        print("named", owner.__name__, name)
        self.name = "_" + name

    def __get__(self, instance, owner):
        return self if instance is None else getattr(instance, self.name, "none")

    def __set__(self, instance, value):
        setattr(instance, self.name, value * 2)


class Box:
    size = Doubled()


b = Box()
print(b.size)
b.size = 4
b.__dict__["size"] = 1
print(b.size, b._size, type(Box.size).__name__)


@dataclass
class Options:
    rate: float = 1.0
    count: ClassVar[int] = 3


print(Options(), asdict(Options(2)), [f.name for f in fields(Options)], Options.count)


def f(a, *, c=3):
    pass


for given, named in (((1, 2), {}), ((1, 2), {"c": 1}), ((1, 2, 3), {})):
    try:
        f(*given, **named)
    except TypeError as e:
        print(e)

from collections import OrderedDict

o = OrderedDict(a=1, b=2)
print(o.keys(), o.values(), o.items(), list(o.keys()), len(o.items()), "a" in o.keys())
