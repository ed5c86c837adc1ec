# Classes that derive from list, dict, str, tuple, float; __new__, __init_subclass__; operators, properties, context managers.
class Stack(list):
    def push(self, x): self.append(x)
    def peek(self): return self[-1]
s = Stack([1]); s.push(2); s.push(3); print(s, len(s), s.peek(), s[0:2], 2 in s, list(s), s == [1, 2, 3], isinstance(s, list), sum(s), bool(Stack()), s + [4], type(s).__name__)
s[0] = 9; del s[1]; print(s, sorted(s), [x for x in s], s.index(3), max(s)); s.sort(); print(s)
for v in s: print(v)
class D(dict):
    def __getattr__(self, k):
        try: return self[k]
        except KeyError: raise AttributeError(k)
    def __setattr__(self, k, v): self[k] = v
d = D(a=1); d.b = 2; print(d, d.a, d['b'], d.get('z'), list(d.items()), 'a' in d, len(d), {**d}, isinstance(d, dict), d == {'a': 1, 'b': 2})
try: d.zz
except AttributeError as e: print('AE', e)
class M(dict):
    def __missing__(self, k): return k * 2
m = M(); print(m['ab'], m)
class Celsius(float):
    def f(self): return self * 9 / 5 + 32
c = Celsius(100); print(c, c.f(), c + 1, round(c), isinstance(c, float), f"{c:.2f}", max(c, 3))
class Name(str):
    def shout(self): return self.upper() + '!'
n = Name('bob'); print(n, n.shout(), len(n), n + 'x', n == 'bob', {n: 1}['bob'], n[0], f"{n:>5}")
class Pt(tuple):
    def __new__(cls, x, y): return super().__new__(cls, (x, y))
    @property
    def x(self): return self[0]
p = Pt(1, 2); print(p, p.x, p == (1, 2), len(p)); a, b = p; print(a, b)
class Int(int): pass
i = Int(5); print(i, i + 1, [1, 2, 3, 4, 5, 6][i], i == 5, range(i), type(i + 1))
class L(list):
    def __init__(self, n):
        super().__init__(range(n))
        self.n = n
    def append(self, x):
        print('appending', x)
        super().append(x)
    def __repr__(self): return 'L' + super().__repr__()
    def __len__(self): return 100
l = L(3); l.append(7); print(l, l.n, len(l), str(l))
class A(object):
    def __init__(self): self.v = 1
a = A(); print(a == a, a != A(), isinstance(a, object), hash(a) == hash(a), repr(a)[:20], str(a)[:19], bool(a))
class B(object): pass
try: B() + 1
except TypeError as e: print(e)
try: B() < B()
except TypeError as e: print(e)
try: len(B())
except TypeError as e: print(e)
try: B()[0]
except TypeError as e: print(e)
try: iter(B())
except TypeError as e: print(e)
print(object() == object(), B().__class__.__name__, B.__doc__, B().__eq__(5))
class Single:
    _i = None
    def __new__(cls, *a):
        if cls._i is None: cls._i = super().__new__(cls)
        return cls._i
    def __init__(self, v): self.v = v
x, y = Single(1), Single(2); print(x is y, x.v)
class Base:
    def __init_subclass__(cls, **k): print('sub', cls.__name__)
class Sub(Base): pass
class A:
    count = 0
    def __init__(self, x, y=2):
        self.x = x
        self._y = y
        A.count += 1
    @property
    def y(self): return self._y
    @y.setter
    def y(self, v):
        if v < 0: raise ValueError("negative")
        self._y = v
    @y.deleter
    def y(self): del self._y
    @classmethod
    def make(cls, *a): return cls(*a)
    @staticmethod
    def twice(v): return 2 * v
    def __repr__(self): return f"A({self.x}, {self.y})"
    def __eq__(self, o): return isinstance(o, A) and self.x == o.x
    def __hash__(self): return hash(self.x)
    def __lt__(self, o): return self.x < o.x
a = A(1); b = A.make(3, 4)
print(a, b, A.count, A.twice(4), a.twice(5), sorted([b, a]))
a.y = 10
print(a.y, a == A(1), a != b, {a: 1}[A(1)])
try: a.y = -1
except ValueError as e: print(e)
del a.y
try: a.y
except AttributeError as e: print(e)
try: a.zz
except AttributeError as e: print(e)
try: A.zz
except AttributeError as e: print(e)
try: A()
except TypeError as e: print(e)
try: a < 5
except AttributeError as e: print(e)
try: a > 5
except Exception as e: print(type(e), e)
try: a <= b
except Exception as e: print(type(e), e)
print(vars(b), b.__dict__, b.__class__, type(b).__name__, A.__name__, A.__mro__)
print(hasattr(b, 'y'), getattr(b, 'q', 0), isinstance(b, A), issubclass(A, object))
setattr(b, 'z', 5); print(b.z); delattr(b, 'z')
try: b.z
except AttributeError as e: print(e)
try: b.make2()
except AttributeError as e: print(e)
print(A.make, A.twice) if False else None
class Base:
    def __init__(self, n): self.n = n
    def hello(self): return f"base {self.n}"
    def area(self): raise NotImplementedError
    def __str__(self): return f"<{type(self).__name__} {self.n}>"
class Mid(Base):
    def hello(self): return "mid " + super().hello()
class Leaf(Mid):
    def __init__(self, n, m):
        super().__init__(n)
        self.m = m
    def hello(self): return "leaf " + super().hello()
    def area(self): return self.m ** 2
x = Leaf(1, 2)
print(x, x.hello(), x.area(), [c.__name__ for c in Leaf.__mro__])
try: Base(1).area()
except NotImplementedError as e: print(repr(e), str(e) == '')
class P:
    def f(self): return ['P']
class Q(P):
    def f(self): return ['Q'] + super().f()
class R(P):
    def f(self): return ['R'] + super().f()
class S(Q, R):
    def f(self): return ['S'] + super().f()
print(S().f(), S.__bases__)
print(isinstance(x, (int, Base)), issubclass(Leaf, Base), Leaf.__base__)
try:
    class T(P, S): pass
except TypeError as e: print(e)
class V:
    def __init__(self, *c): self.c = list(c)
    def __add__(self, o):
        if not isinstance(o, V): return NotImplemented
        return V(*[a + b for a, b in zip(self.c, o.c)])
    def __radd__(self, o): return V(*[o + a for a in self.c])
    def __sub__(self, o): return V(*[a - b for a, b in zip(self.c, o.c)])
    def __mul__(self, k): return V(*[a * k for a in self.c])
    __rmul__ = __mul__
    def __truediv__(self, k): return V(*[a / k for a in self.c])
    def __floordiv__(self, k): return V(*[a // k for a in self.c])
    def __mod__(self, k): return V(*[a % k for a in self.c])
    def __pow__(self, k): return V(*[a ** k for a in self.c])
    def __neg__(self): return V(*[-a for a in self.c])
    def __pos__(self): return self
    def __abs__(self): return sum(a * a for a in self.c) ** 0.5
    def __invert__(self): return 'inv'
    def __matmul__(self, o): return sum(a * b for a, b in zip(self.c, o.c))
    def __getitem__(self, i): return self.c[i]
    def __setitem__(self, i, v): self.c[i] = v
    def __delitem__(self, i): del self.c[i]
    def __len__(self): return len(self.c)
    def __iter__(self): return iter(self.c)
    def __contains__(self, v): return v in self.c
    def __bool__(self): return any(self.c)
    def __call__(self, x): return ('called', x)
    def __repr__(self): return 'V' + repr(tuple(self.c))
    def __iadd__(self, o): self.c = [a + 1 for a in self.c]; return self
    def __float__(self): return 1.5
    def __int__(self): return 7
    def __index__(self): return 1
    def __round__(self, n=None): return ('round', n)
    def __format__(self, spec): return f'<{spec}>'
    def __reversed__(self): return reversed(self.c)
    def __divmod__(self, o): return 'dm'
    def __lshift__(self, o): return 'ls'
    def __and__(self, o): return 'and'
    def __or__(self, o): return 'or'
    def __xor__(self, o): return 'xor'
    def __rsub__(self, o): return 'rsub'
    def __rtruediv__(self, o): return 'rdiv'
    def __rpow__(self, o): return 'rpow'
a, b = V(1, 2), V(3, 4)
print(a + b, 5 + a, a - b, a * 2, 2 * a, a / 2, a // 2, a % 2, a ** 2, -a, +a, abs(b), ~a, a @ b)
print(a[0], a[-1], a[0:2], len(a), list(a), 2 in a, bool(V(0)), a(3), [*a], max(a), sum(a))
a[0] = 9; del a[1]; print(a); a += 1; print(a)
print(float(a), int(a), [10, 20][a], round(a), round(a, 2), f"{a:xyz}", f"{a}", list(reversed(b)), divmod(a, 1), a << 1, a & 1, a | 1, a ^ 1, 1 - a, 1 / a, 2 ** a)
x, y = b; print(x, y)
try: a + 'q'
except TypeError as e: print(e)
try: a + 3
except TypeError as e: print(e)
try: a < b
except TypeError as e: print(e)
try: a >> 1
except TypeError as e: print(e)
print(sum([V(1, 1), V(2, 2)], V(0, 0)))
for v in b: print(v, end=' ')
print()
print('%s %r' % (b, b), str(b), '{}'.format(b), '{!r:>12}'.format(b))
class C:
    def __enter__(self): print('enter'); return self
    def __exit__(self, t, v, tb): print('exit', t, v); return t is ValueError
with C() as c: print('in')
with C(): raise ValueError('x')
try:
    with C(): raise KeyError('k')
except KeyError as e: print('caught', e, repr(e))
with C() as a, C() as b: print('two')
def f():
    with C(): return 5
print(f())
try:
    with 5: pass
except TypeError as e: print(e)
