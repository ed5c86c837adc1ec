import collections.abc as abc
from collections import UserDict, UserList, deque, OrderedDict
for v in (1, "s", [1], (1,), {1: 2}, {1}, range(3), len, lambda: 1, iter([]), (i for i in []), deque(), {}.keys(), {}.items(), {}.values(), zip(), None, int, OrderedDict(), frozenset()):
    print([isinstance(v, c) for c in (abc.Iterable, abc.Iterator, abc.Sequence, abc.MutableSequence, abc.Mapping, abc.MutableMapping, abc.Set, abc.Callable, abc.Hashable, abc.Sized, abc.Container, abc.Collection, abc.Generator, abc.Reversible)])
import typing
print(isinstance([1], typing.Sequence), isinstance(3, typing.Hashable), isinstance({}, typing.Dict), isinstance([], typing.Iterable))
print(issubclass(list, abc.Sequence), issubclass(dict, abc.Mapping), issubclass(str, abc.Iterable), issubclass(int, abc.Iterable))
class C:
    def __len__(self): return 3
    def __iter__(self): return iter([])
    def __call__(self): pass
print(isinstance(C(), abc.Sized), isinstance(C(), abc.Iterable), isinstance(C(), abc.Callable), isinstance(C(), abc.Sequence), issubclass(C, abc.Sized), issubclass(C, abc.Mapping))
class S(abc.Sequence):
    def __getitem__(self, k):
        if not 0 <= k < 3: raise IndexError
        return k * k
    def __len__(self): return 3
s = S(); print(list(s), 4 in s, 5 in s, s.index(4), s.count(1), list(reversed(s)), isinstance(s, abc.Sequence), isinstance([], S))
class Mp(abc.MutableMapping):
    def __init__(self): self.d = {}
    def __getitem__(self, k): return self.d[k]
    def __setitem__(self, k, v): self.d[k] = v
    def __delitem__(self, k): del self.d[k]
    def __iter__(self): return iter(self.d)
    def __len__(self): return len(self.d)
m = Mp(); m["a"] = 1; m.update({"b": 2}, c=3); print(m.get("z", 9), "a" in m, list(m.keys()), list(m.items()), m.pop("a"), m.setdefault("q", 5), m == {"b": 2, "c": 3, "q": 5}, len(m))
try: abc.Sequence()
except TypeError as e: print(e)
class D(UserDict):
    def __setitem__(self, k, v): super().__setitem__(k.upper(), v)
d = D(a=1); d["b"] = 2; print(d, d.data, len(d), "A" in d, list(d), d.get("Z", 5), list(d.items()))
class L(UserList):
    def total(self): return sum(self.data)
l = L([1, 2]); l.append(3); l.extend([4]); print(l, l.data, len(l), l[0], l + [4], l[1:], l.total(), type(l[1:]).__name__, l.pop(), 2 in l)
from typing import Protocol, runtime_checkable
@runtime_checkable
class Closes(Protocol):
    def close(self): ...
class File:
    def close(self): pass
print(isinstance(File(), Closes), isinstance(3, Closes))
class P(Protocol):
    def f(self): ...
try: isinstance(3, P)
except TypeError as e: print(e)
Vector = list[float]; print(Vector, dict[str, int], tuple[int, ...], list[list[int]], list[int]([1, 2]), list[int] == list[int])
