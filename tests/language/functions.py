def f(a, b=2, *args, c=3, **kw):
    """Doc string."""
    return a, b, args, c, kw
print(f(1), f(1, 5), f(1, 2, 3, 4), f(1, c=9, z=0), f(*[1, 2, 3], **{"c": 4, "d": 5}), f(b=1, a=0))
print(f.__name__, f.__doc__, (lambda x: x).__name__)
def g(a, /, b, *, c): return a + b + c
print(g(1, 2, c=3), g(1, b=2, c=3))
def outer():
    n = 0
    def inc(by=1):
        nonlocal n
        n += by
        return n
    def get(): return n
    return inc, get
inc, get = outer(); inc(); inc(5); print(get())
fs = [lambda: i for i in range(3)]; print([h() for h in fs]); fs = [lambda i=i: i for i in range(3)]; print([h() for h in fs])
count = 0
def bump():
    global count
    count += 1
bump(); bump(); print(count)
def fact(n): return 1 if n < 2 else n * fact(n - 1)
print(fact(10), fact(20))
def fib(n):
    a, b = 0, 1
    for _ in range(n): a, b = b, a + b
    return a
print([fib(i) for i in range(10)])
def twice(fn):
    def wrapper(*args, **kwargs):
        return fn(fn(*args, **kwargs))
    return wrapper
@twice
def add3(x): return x + 3
print(add3(1), (lambda *a, **k: (a, k))(1, 2, z=3), (lambda x, y=2: x * y)(4))
def compose(*fns):
    def run(x):
        for fn in fns: x = fn(x)
        return x
    return run
print(compose(abs, lambda v: v + 1, str)(-4))
def early(x):
    if x > 0: return "pos"
    elif x < 0: return "neg"
    else: return "zero"
print(early(1), early(-1), early(0), early.__name__)
def nothing(): pass
print(nothing(), callable(nothing), callable(3))
def loops():
    out = []
    for i in range(5):
        if i == 1: continue
        if i == 4: break
        out.append(i)
    else: out.append("never")
    for i in range(2): pass
    else: out.append("else")
    n = 3
    while n:
        n -= 1
        if n == 1: continue
    else: out.append("wend")
    while True:
        break
    return out, i, n
print(loops())
def tryit(x):
    out = []
    try:
        out.append("try")
        if x == 1: raise ValueError("one")
        if x == 2: return out + ["ret"]
        if x == 3: [][0]
    except ValueError as e: out.append(str(e))
    except (KeyError, IndexError) as e: out.append(type(e).__name__)
    else: out.append("else")
    finally: out.append("finally")
    return out
print(tryit(0), tryit(1), tryit(2), tryit(3))
def fin():
    try: return 1
    finally: return 2
print(fin())
for k in range(3):
    try:
        if k == 1: continue
        if k == 2: break
        print("body", k)
    finally: print("fin", k)
try:
    try: 1 / 0
    except ZeroDivisionError: raise ValueError("again") from None
except ValueError as e: print("outer", e, e.args)
try:
    try: int("x")
    except ValueError: raise
except Exception as e: print(type(e), repr(e))
class MyError(ValueError):
    def __init__(self, code): super().__init__(f"code {code}"); self.code = code
try: raise MyError(7)
except ValueError as e: print(e, e.code, isinstance(e, MyError), type(e).__name__)
class Plain(Exception): pass
try: raise Plain("a", 1)
except Plain as e: print(e, e.args, repr(e))
try: raise Plain
except Plain as e: print(repr(str(e)), repr(e))
try: {}["k"]
except KeyError as e: print(e, repr(e), str(e))
def gen_in_fn(xs): return sum(x * k for x in xs for k in [1, 2])
print(gen_in_fn([1, 2]))
x = 10
def shadow():
    x = 5
    def inner(): return x
    return [x for _ in range(2)], inner()
print(shadow(), x, [x for x in range(3)], x)
print((lambda: (yield_ := 3) + 1)(), [(lambda v: v * k)(2) for k in range(3)])
print(getattr("abc", "upper")(), hasattr([], "append"), hasattr([], "foo"), getattr(1, "foo", "dflt"))
a = b = c = []; a.append(1); print(b, c is a)
i = 5
i += 1; i -= 2; i *= 3; i //= 2; i **= 2; i %= 7; i <<= 2; i |= 1; i ^= 3; i &= 14; print(i)
z = 7; z /= 2; print(z); del z
try: z
except NameError as e: print(e)
if x == 10 and not x != 10: print("ok"); print("same line")
assert x == 10, "fine"
pass
print(sorted([(1, "b"), (1, "a"), (0, "c")]), sorted({"b": 1, "a": 2}), max("a", "b"), min([[2], [1, 5]]))


def unknown_keyword(function, *given):
    try:
        function(*given, dim=1)
    except TypeError as e:
        print(e)


for function in [print, len, sum, abs, min, max, round, repr, ascii, sorted, any, all, iter, callable]:
    unknown_keyword(function, [1, 2])
for function in [enumerate, zip, list, tuple, set, frozenset, str, bool, reversed, id, hash, format, dir, vars]:
    unknown_keyword(function, [1, 2])
unknown_keyword(isinstance, 1, int)
unknown_keyword(getattr, 1, "real")
unknown_keyword(hasattr, 1, "real")
unknown_keyword(divmod, 3, 2)
unknown_keyword(pow, 2, 3)
unknown_keyword(map, abs, [1])
unknown_keyword(filter, abs, [1])
unknown_keyword(next, iter([1]))
for function in [chr, bin, hex, oct, range, int, float, slice]:
    unknown_keyword(function, 65)
