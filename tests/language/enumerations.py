from enum import Enum, IntEnum, Flag, IntFlag, auto, unique
C = Enum("C", "RED GREEN BLUE"); print(C.RED, C(2), list(C), C["BLUE"].value)
D = Enum("D", ["a", "b"]); print(D.a, D.b.value)
E = Enum("E", {"x": 10, "y": 20}); print(E.y, repr(E.x))
E = Enum("E", [("x", 10), ("y", 20)]); print(E.y, len(E), E.x in E, D.a in E)
class P(Flag):
    R = auto(); W = auto(); X = auto()
print(P.R | P.W, P.R.value, P.X.value, bool(P.R & P.W), repr(P.R | P.X), ~P.R, P.R in (P.R | P.W), P(3), P(0), repr(P.R & P.W), list(P.R | P.X))
class S(str, Enum):
    A = "a"; B = "b"
print(S.A, S.A == "a", S("b"), S.A.value, repr(S.A), len(S), S.A in S, isinstance(S.A, str), S.A.upper(), {S.A: 1}["a"])
class I(IntEnum):
    A = 1; B = 2; C = 1
print(I.A + 1, I.B > I.A, I(2), str(I.A), repr(I.B), I.C is I.A, [10, 20, 30][I.B], I.A == 1, sorted([I.B, I.A]), list(I), list(I.__members__), f"{I.A}", int(I.B))
class Planet(Enum):
    EARTH = (5.0, 6.0)
    MARS = (6.0, 3.0)
    def __init__(self, mass, radius): self.mass = mass; self.radius = radius
    @property
    def g(self): return self.mass / self.radius
print(Planet.EARTH.mass, Planet.MARS.g, Planet((5.0, 6.0)), type(Planet), type(Planet.EARTH), Planet, S, P)
class M(Enum):
    A = 1
    @classmethod
    def _missing_(cls, value): return cls.A
print(M(99))
try: unique(I)
except ValueError as e: print(e)
for f in (lambda: C(9), lambda: C["Z"], lambda: 1 in C, lambda: C.PINK):
    try: f()
    except Exception as e: print(type(e).__name__, e)
for c in C: print(c.name, c.value, end=" ")
print()
