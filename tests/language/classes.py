class Vec:
    dims = 2
    def __init__(self, x, y=0): self.x, self.y = x, y
    def __repr__(self): return f"Vec({self.x}, {self.y})"
    def __add__(self, o): return Vec(self.x + o.x, self.y + o.y)
    def __sub__(self, o): return Vec(self.x - o.x, self.y - o.y)
    def __mul__(self, k): return Vec(self.x * k, self.y * k) if isinstance(k, (int, float)) else NotImplemented
    __rmul__ = __mul__
    def __neg__(self): return Vec(-self.x, -self.y)
    def __eq__(self, o): return isinstance(o, Vec) and (self.x, self.y) == (o.x, o.y)
    def __lt__(self, o): return self.norm() < o.norm()
    def __getitem__(self, i): return (self.x, self.y)[i]
    def __len__(self): return 2
    def __iter__(self): return iter((self.x, self.y))
    def __call__(self, k): return self * k
    def __contains__(self, v): return v in (self.x, self.y)
    def __bool__(self): return self.x != 0 or self.y != 0
    def __abs__(self): return self.norm()
    def norm(self): return (self.x ** 2 + self.y ** 2) ** 0.5
    @property
    def length(self): return self.norm()
    @length.setter
    def length(self, v):
        n = self.norm(); self.x, self.y = self.x * v / n, self.y * v / n
    @staticmethod
    def zero(): return Vec(0, 0)
    @classmethod
    def unit(cls): return cls(1)
    def __setitem__(self, i, v):
        if i == 0: self.x = v
        else: self.y = v
v, w = Vec(3, 4), Vec(1)
print(v, w, v + w, v - w, v * 2, 2 * v, -v, v == Vec(3, 4), v != w, w < v, v[0], len(v), list(v), v(3), 4 in v, bool(Vec.zero()), abs(v), v.length, Vec.unit(), Vec.dims, v.dims)
v.length = 10; print(v); v[0] = 1; print(v, sorted([Vec(5, 0), w]), sum([1, 2]), max([w, v]))
v.extra = "dyn"; print(v.extra, hasattr(v, "nope"), vars(w), w.__dict__, type(v).__name__, v.__class__.__name__, isinstance(v, Vec))
try: v * "a"
except TypeError as e: print(e)
try: v + 1
except AttributeError as e: print(e)
class Base:
    kind = "base"
    def __init__(self, n): self.n = n
    def hello(self): return f"{self.kind} {self.n}"
    def __str__(self): return "str:" + self.hello()
class Child(Base):
    kind = "child"
    def __init__(self, n, m): super().__init__(n); self.m = m
    def hello(self): return super().hello() + f" {self.m}"
class Grand(Child): pass
c = Child(1, 2); print(c, c.hello(), Base(5), isinstance(c, Base), issubclass(Child, Base), Grand(3, 4).hello(), Child.__name__, Grand.__mro__[1].__name__)
print(f"{c}", "%s" % c, [Base(1).n], str(c))
class A:
    def who(self): return "A"
class B(A):
    def who(self): return "B" + super().who()
class C(A):
    def who(self): return "C" + super().who()
class D(B, C):
    def who(self): return "D" + super().who()
print(D().who(), [k.__name__ for k in D.__mro__])
class Counter:
    total = 0
    def __init__(self): Counter.total += 1; self.items = []
    def __enter__(self): print("enter"); return self
    def __exit__(self, t, v, tb): print("exit", t.__name__ if t else None, v); return t is ValueError
    def __getattr__(self, name): return "missing " + name
    def __next__(self):
        if len(self.items) > 2: raise StopIteration
        self.items.append(1); return len(self.items)
    def __iter__(self): return self
with Counter() as k: print(k.total, k.whatever)
with Counter(): raise ValueError("swallowed")
try:
    with Counter(): raise KeyError("out")
except KeyError as e: print("caught", e)
print(list(Counter()), Counter.total)
class Stack(list if False else object):
    def __init__(self): self._d = []
    def push(self, x): self._d.append(x); return self
    def __len__(self): return len(self._d)
print(len(Stack().push(1).push(2)), bool(Stack()))
class Fn:
    calls = []
    def __call__(self, *a, **k): self.calls.append(a); return (a, k)
print(Fn()(1, z=2), Fn.calls)
class P:
    @property
    def ro(self): return 1
try: P().ro = 2
except AttributeError as e: print(e)
try: P().zip
except AttributeError as e: print(e)
try: P(1)
except TypeError as e: print(e)
class Deco:
    def __init__(self, f): self.f = f
    def __call__(self, x): return self.f(x) * 10
@Deco
def five(x): return x + 5
print(five(1))
class Hash:
    def __init__(self, k): self.k = k
    def __hash__(self): return hash(self.k)
    def __eq__(self, o): return self.k == o.k
    def __repr__(self): return f"H{self.k}"
h1 = Hash(1); print({h1: "a"}[h1], h1 in [Hash(1)], [Hash(1)] == [Hash(1)], {"x": h1})
class Num:
    def __init__(self, v): self.v = v
    def __radd__(self, o): return Num(o + self.v)
    def __iadd__(self, o): self.v += o; return self
    def __truediv__(self, o): return "div"
    def __pow__(self, o): return "pow"
    def __matmul__(self, o): return "mm"
    def __float__(self): return float(self.v)
    def __int__(self): return self.v
    def __format__(self, spec): return f"<{spec}>"
n = Num(3); n += 4; print(n.v, (1 + n).v, n / 1, n ** 2, n @ 3, float(n), int(n), f"{n:abc}")
class Outer:
    class Inner:
        val = 3
    def make(self): return self.Inner()
print(Outer().make().val, Outer.Inner.__qualname__)
class K:
    x = 1
    y = x + 1
    z = [i for i in range(y)]
    def get(self): return self.x, K.y
print(K().get(), K.z)


class Private:
    __made = 0

    def __init__(self):
        self.__v = 3
        Private.__made += 1

    def __hidden(self):
        return f"{self.__v} {self.__made}"

    def shown(self):
        return self.__hidden()


class Deriving(Private):
    def peek(self):
        return self.__v


print(Private().shown(), Private()._Private__v, vars(Private()))
try:
    Deriving().peek()
except AttributeError as e:
    print(e)
print(-9223372036854775808, -9223372036854775808 + 1)
