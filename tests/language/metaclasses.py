class M(type):
    def __new__(mcs, name, bases, ns, **kw):
        c = super().__new__(mcs, name, bases, ns)
        c.tag = name.lower()
        return c
    def hello(cls): return "hello " + cls.__name__
    @property
    def up(cls): return cls.__name__.upper()
class A(metaclass=M):
    """Doc."""
    x = 1
    def f(self): return self.tag
class B(A): pass
print(A.tag, B.tag, type(A), type(B), A.hello(), B.up, A().f(), isinstance(A, M), isinstance(A, type), A.__class__, A.__doc__, A.x, B.__mro__, A, A.__qualname__)
try: A().hello()
except AttributeError as e: print(e)
print(M("Z", (), {"y": 3}).y, M("Z", (A,), {}).tag, type("W", (A,), {}).tag)
class R(type):
    reg = {}
    def __init__(cls, name, bases, ns):
        super().__init__(name, bases, ns)
        R.reg[name] = cls
    def __call__(cls, *a, **k):
        print("making", cls.__name__)
        return super().__call__(*a, **k)
class A(metaclass=R):
    def __init__(self, x, y=2): self.x = x; self.y = y
print(A(3).x, A(3, y=4).y, list(R.reg))
class Singleton(type):
    _instances = {}
    def __call__(cls, *args, **kwargs):
        if cls not in cls._instances:
            cls._instances[cls] = super(Singleton, cls).__call__(*args, **kwargs)
        return cls._instances[cls]
class Logger(metaclass=Singleton):
    def __init__(self, n=0): self.n = n
a, b = Logger(3), Logger(4); print(a is b, b.n)
class M(type):
    def __iter__(cls): return iter([1, 2])
    def __len__(cls): return 7
    def __getitem__(cls, k): return k * 2
    def __contains__(cls, k): return k == 3
    def __repr__(cls): return "<M " + cls.__name__ + ">"
    def __instancecheck__(cls, v): return v == 5
    def __getattr__(cls, name): return "no " + name
class A(metaclass=M): pass
print(list(A), len(A), A[4], 3 in A, 4 in A, A, str(A), isinstance(5, A), isinstance(6, (A, str)), A.zip)
class Base:
    subs = []
    def __init_subclass__(cls, /, tag=None, **kw):
        super().__init_subclass__(**kw)
        Base.subs.append((cls.__name__, tag))
class X(Base, tag="x"): pass
class Y(Base): pass
print(Base.subs)
try:
    class Z(Base, other=1): pass
except TypeError as e: print(e)
try:
    class Q(tag=1): pass
except TypeError as e: print(e)
class M(type):
    def __new__(mcs, name, bases, ns):
        ns["names"] = [k for k in ns if not k.startswith("__")]
        return type.__new__(mcs, name, bases, ns)
    def __init__(cls, name, bases, ns):
        print("init", name, bases)
class A(metaclass=M):
    b = 1
print(A.names)
from abc import ABCMeta, ABC, abstractmethod
class M(ABCMeta):
    def __call__(cls, *a): print("call"); return super().__call__(*a)
class A(metaclass=M):
    @abstractmethod
    def f(self): pass
class B(A):
    def f(self): return 1
print(B().f(), isinstance(B, ABCMeta))
try: A()
except TypeError as e: print(e)
class Shape(ABC):
    @property
    @abstractmethod
    def area(self): ...
    @abstractmethod
    def name(self): ...
    def both(self): return self.name(), self.area
@Shape.register
class Other: pass
class Square(Shape):
    def __init__(self, side): self.side = side
    @property
    def area(self): return self.side ** 2
    def name(self): return "square"
print(Square(3).both(), isinstance(Square(2), Shape), isinstance(Other(), Shape), issubclass(Other, Shape), isinstance(3, Shape), Shape.__abstractmethods__ == {"area", "name"})
try: Shape()
except TypeError as e: print(e)
class P:
    def __class_getitem__(cls, k): return cls.__name__, k
class Meta(type):
    def __getitem__(cls, k): return cls.__name__ + str(k)
class Q(metaclass=Meta): pass
print(P[3], Q[3])
