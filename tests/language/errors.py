def t(f):
    try:
        print("no error:", f())
    except Exception as e:
        print(type(e).__name__, "|", e)

class A:
    def m(self): pass
    def __init__(self): self.v = 1

def f(a): pass
def g(a, b, c): pass
def h(a, b=1, *, k): pass

t(lambda: A().m(1)); t(lambda: f()); t(lambda: g(1)); t(lambda: g()); t(lambda: h(1)); t(lambda: h(1, 2, 3, k=1)); t(lambda: h(1, k=1, z=2)); t(lambda: f(1, a=2))
t(lambda: len()); t(lambda: len(1, 2)); t(lambda: "a".join()); t(lambda: [].append()); t(lambda: abs()); t(lambda: [].pop(1, 2)); t(lambda: range())
t(lambda: range("a")); t(lambda: min()); t(lambda: sorted()); t(lambda: isinstance(1)); t(lambda: round()); t(lambda: print(foo=1))
t(lambda: int("a")); t(lambda: float("x")); t(lambda: float([])); t(lambda: int([])); t(lambda: int(None)); t(lambda: enumerate()); t(lambda: enumerate(1)); t(lambda: zip(1))
t(lambda: [1].index(2)); t(lambda: (1,).index(2)); t(lambda: {}["a"]); t(lambda: [].remove(1)); t(lambda: {}.pop(1)); t(lambda: len(1)); t(lambda: [][0]); t(lambda: ()[0]); t(lambda: ""[0])
t(lambda: [1]["a"]); t(lambda: {1}[0]); t(lambda: None[0]); t(lambda: None.x); t(lambda: (1).x); t(lambda: A().x); t(lambda: A.x); t(lambda: f.x); t(lambda: None()); t(lambda: (1)())
t(lambda: 1 + "a"); t(lambda: "a" + 1); t(lambda: [] + 1); t(lambda: () + []); t(lambda: "a" * "b"); t(lambda: [] * 1.5); t(lambda: -"a"); t(lambda: ~1.5); t(lambda: 1 < "a"); t(lambda: 1 in 2); t(lambda: 1 in "abc")
t(lambda: max([])); t(lambda: next(iter([]))); t(lambda: next([])); t(lambda: 1 // 0); t(lambda: 1 % 0); t(lambda: 1 / 0); t(lambda: 1.0 / 0); t(lambda: 1.0 // 0); t(lambda: 1.0 % 0)
t(lambda: 0 ** -1); t(lambda: 0.0 ** -1); t(lambda: 1 << -1); t(lambda: divmod(1, 0)); t(lambda: divmod(1., 0)); t(lambda: int(float("nan"))); t(lambda: int(float("inf"))); t(lambda: 10.0 ** 400)
t(lambda: chr(-1)); t(lambda: ord("ab")); t(lambda: "abc".index("z")); t(lambda: {[]: 1}); t(lambda: {[]}); t(lambda: 1 @ 2); t(lambda: [] < {}); t(lambda: abs("a")); t(lambda: round("a")); t(lambda: iter(1)); t(lambda: reversed(1))
t(lambda: sum(["a"])); t(lambda: "%d" % "a"); t(lambda: "%d %d" % 1); t(lambda: "%d" % (1, 2)); t(lambda: "{}".format()); t(lambda: "{:d}".format("a")); t(lambda: f"{1.5:d}"); t(lambda: "{a}".format(b=1))
t(lambda: isinstance(1, 2)); t(lambda: getattr(1, "foo")); t(lambda: [1, 2, 3][::0]); t(lambda: range(1, 2, 0)); t(lambda: [1, 2][1.0]); t(lambda: "abc"[1:"x"]); t(lambda: (lambda: 0)(1)); t(lambda: "".join([1]))
t(lambda: undefined_name); t(lambda: sorted([1, "a"])); t(lambda: [] > 3); t(lambda: print(sep=1)); t(lambda: "a".split(1)); t(lambda: "a".replace("b"))
def u():
    print(v)
    v = 1
t(u)
def unpack1():
    a, b = 1, 2, 3
def unpack2():
    a, b, c = 1, 2
def unpack3():
    a, *b, c = [1]
def unpack4():
    a, b = 5
t(unpack1); t(unpack2); t(unpack3); t(unpack4)
def r1(): raise 1
def r2(): raise ValueError
def r3(): raise ValueError("a", 2)
def r4(): assert 1 == 2
def r5(): assert 0, "no " + "way"
def r6(): raise KeyError("k")
def r7(): del zzz
def r8(): raise
t(r1); t(r2); t(r3); t(r4); t(r5); t(r6); t(r7); t(r8)
def setitem(o, k, v): o[k] = v
t(lambda: setitem((1,), 0, 1)); t(lambda: setitem("a", 0, "b")); t(lambda: setitem([], 0, 1)); t(lambda: setitem(1, 0, 1)); t(lambda: setattr(1, "a", 2))
def delitem(o, k): del o[k]
t(lambda: delitem([1], 3)); t(lambda: delitem({}, 3)); t(lambda: delitem((1,), 0))
def rec(n): return rec(n + 1)
try:
    rec(0)
except RecursionError as e:
    print(str(e)[:32])
