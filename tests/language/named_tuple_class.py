from typing import NamedTuple
class T(NamedTuple):
    a: int
    b: float = 0.5
    def total(self): return self.a + self.b
t = T(1); print(t, t.b, t._replace(a=2), t.total()); a, b = t
print(a, b, t == (1, 0.5), isinstance(t, tuple), T._fields, t._asdict(), len(t), T._field_defaults)
u = T(a=3, b=4.0); print(u[0], u.a, T._make([5, 6.]))
try: T()
except TypeError as e: print(e)
try: t.a = 3
except AttributeError as e: print(e)
P = NamedTuple("P", [("x", int), ("y", int)])
print(P(1, 2))
class Transition(NamedTuple):
    """One step."""
    state: list
    action: int
    reward: float
batch = Transition(*zip(*[Transition([1], 0, 1.), Transition([2], 1, 0.)]))
print(batch, batch.action)
