# How arrays print, and functions that go from element to element.
import numpy as np

a, b, whole = np.array([1., -2.5, 1 / 3]), np.array([1.5, 20.]), np.array([1, -20, 300])
for options in (
    {"sign": "+"}, {"sign": " "}, {"floatmode": "fixed"}, {"floatmode": "fixed", "precision": 2},
    {"floatmode": "unique", "precision": 2}, {"floatmode": "maxprec_equal", "precision": 3},
    {"sign": "+", "suppress": True}, {"formatter": {"float": lambda v: f"{v:.2f}!"}},
    {"formatter": {"int_kind": hex, "float_kind": "{:.1f}".format}}, {"formatter": {"all": lambda v: "x", "int": str}},
):
    with np.printoptions(**options):
        print(list(options), a, b, whole, np.array([1e-9, 1e9]), np.array([np.nan, np.inf, 1.]), np.array([[1, 2], [3, 4]]), np.float64(1))
        print(repr(a), repr(whole), repr(np.array([[1.5, 2], [3, 4]], dtype=np.float32)), repr(np.array([True, False])))
print(a, np.get_printoptions())
print(np.array2string(a, sign="+"), np.array2string(a, floatmode="fixed", precision=2), np.array2string(b, formatter={"float_kind": lambda v: "%.2f" % v}))
for wrong in ({"sign": "*"}, {"floatmode": "short"}):
    try:
        np.set_printoptions(**wrong)
    except Exception as e:
        print(type(e).__name__, e)

t = np.linspace(-2.5, 2.5, 6)
print(np.piecewise(t, [t < 0, t >= 0], [lambda t: -t, lambda t: t]), np.piecewise(t, [t < 0], [lambda t: -t, 7]))
print(np.piecewise(t, t < 0, [lambda t: -t]), np.piecewise(3, [True], [lambda t, k: t * k], 4))
try:
    np.piecewise(t, [t < 0, t > 1], [1, 2, 3, 4])
except ValueError as e:
    print(e)
print(np.resize(np.arange(3), (2, 3)), np.resize([1, 2], 5), np.poly([1, 2]), np.extract([True, False, True], [1, 2, 3]))
print(np.nextafter(1., 2.), np.nextafter(1., 0.), np.nextafter(np.float32(1), np.float32(2)), np.nextafter(np.array([1., 0, -1, 2]), 5), np.nextafter(2., 1.))
print(np.spacing(1.), np.spacing(np.float32(1)), np.spacing(np.array([1., 1e10, 0, -1])), np.spacing(1))
c = np.arange(5)
np.place(c, c > 2, [7, 8]); print(c)
np.putmask(c, c > 6, [1, 2, 3, 4, 5]); print(c)
np.copyto(c, 0, where=c > 3); print(c)
print(np.clip(c, None, None), np.clip(c), c.clip(), c.clip(None, 2))
for shape in ((3, 3), 3, (2,)):
    try:
        np.broadcast_to(np.ones((2, 2)), shape)
    except ValueError as e:
        print(e)
