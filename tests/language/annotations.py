def f(a: int, *args: float, k: list[int] = None, **kw: dict) -> "str": return a
print(f.__annotations__)
class C:
    x: int = 3
    def g(self, y: float) -> None: pass
print(C.__annotations__, C.g.__annotations__, C().g.__annotations__, (lambda: 1).__annotations__)
from typing import TypedDict, get_type_hints, Optional
class M(TypedDict):
    name: str
    year: int
class N(M, total=False):
    more: float
m: M = {"name": "a", "year": 1}
print(m, M(name="b", year=2), M.__annotations__, N(name="c", more=2.), N.__total__)
Q = TypedDict("Q", {"a": int}); print(Q(a=3))
from functools import singledispatch, singledispatchmethod, partialmethod
@singledispatch
def f(x): return "any"
@f.register(int)
def _(x): return "int"
@f.register
def _(x: list): return "list"
@f.register(str)
@f.register(bytes if False else tuple)
def _(x): return "str or tuple"
@f.register
def _(x: float | complex): return "real"
class A: pass
class B(A): pass
@f.register
def _(x: A): return "A"
print(f(1), f([1]), f("s"), f((1,)), f(True), f(2.5), f(None), f(B()), f.dispatch(int)(3), int in f.registry, f.__name__)
try: f()
except TypeError as e: print(e)
class S:
    @singledispatchmethod
    def show(self, x): return "any"
    @show.register
    def _(self, x: int): return "int", self.n
    n = 5
print(S().show(3), S().show("s"))
class C:
    on = False
    def set(self, n, v=0): self.on = n; return n, v
    turn_on = partialmethod(set, True)
    turn_off = partialmethod(set, False, v=2)
c = C(); print(c.turn_on(3), c.on, c.turn_off(), c.on)
import csv, io
print(list(csv.reader(["a,b,c", '1,"x, y",3', '"he said ""hi""",,', "", "z"])))
for r in csv.DictReader(io.StringIO("n,v\na,1\nb,2,3\nc\n")): print(r)
o = io.StringIO(); w = csv.writer(o); w.writerow([1, "a,b", 'q"q', None, 2.5, "x\ny"]); w.writerows([["a"], [""], []]); print(repr(o.getvalue()))
print(list(csv.reader(io.StringIO('a;b\n"x\ny";2\n'), delimiter=";")), list(csv.reader(["a, b"], skipinitialspace=True)), list(csv.reader(['1,"a"'], quoting=csv.QUOTE_NONNUMERIC)))
o = io.StringIO(); w = csv.DictWriter(o, fieldnames=["a", "b"], lineterminator="\n"); w.writeheader(); w.writerow({"b": 2, "a": 1}); w.writerow({"a": 3}); print(o.getvalue())
o = io.StringIO(); csv.writer(o, quoting=csv.QUOTE_ALL, delimiter="\t").writerow([1, "b"]); print(repr(o.getvalue()))
try: w.writerow({"z": 1})
except ValueError as e: print(e)
with open("t.csv", "w", newline="") as file: csv.writer(file).writerow(["x", 1])
with open("t.csv") as file: print(list(csv.reader(file)))
import unicodedata
print(unicodedata.normalize("NFD", "é") == "e\u0301", unicodedata.normalize("NFC", "e\u0301") == "é", [unicodedata.category(c) for c in "aA1 .-_(+é\u0301$ª\n'"], unicodedata.combining("\u0301"))
print("".join(c for c in unicodedata.normalize("NFD", "Ślusàrski") if unicodedata.category(c) != "Mn"), unicodedata.normalize("NFKC", "ﬁ"))
