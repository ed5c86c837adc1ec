"""numpy: temporary print options, grids from slices, polynomials, functions of numbers."""

import math
import numpy as np


class printoptions:
    def __init__(self, **options):
        self.options = options

    def __enter__(self):
        self.before = np.get_printoptions()
        np.set_printoptions(**self.options)
        return np.get_printoptions()

    def __exit__(self, *error):
        np.set_printoptions(**self.before)


class errstate:
    def __init__(self, **kinds):
        self.kinds = kinds

    def __enter__(self):
        return None

    def __exit__(self, *error):
        return False

    def __call__(self, function):
        return function


def array2string(a, max_line_width=None, precision=None, suppress_small=None, separator=" ", prefix="", **options):
    if max_line_width is not None:
        options["linewidth"] = max_line_width
    if precision is not None:
        options["precision"] = precision
    if suppress_small is not None:
        options["suppress"] = suppress_small
    with printoptions(**options):
        if separator == ", ":
            text = repr(np.asarray(a))[6:]
            return text[:text.rindex("]") + 1].replace("\n      ", "\n")
        text = str(np.asarray(a)) if np.ndim(a) else str(np.asarray(a).reshape(1))[1:-1]
        return text if separator == " " else ("," if separator == "," else separator).join(text.split(" "))


def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    return array2string(a, max_line_width, precision, suppress_small)


def array_repr(arr, max_line_width=None, precision=None, suppress_small=None):
    with printoptions(**({} if precision is None else {"precision": precision})):
        return repr(np.asarray(arr))


class _Columns:
    def __getitem__(self, key):
        parts = [np.asarray(_run(p)) for p in (key if isinstance(key, tuple) else (key,))]
        return np.concatenate([p.reshape(-1, 1) if p.ndim < 2 else p for p in parts], 1)


class _Rows:
    def __getitem__(self, key):
        return np.concatenate([np.atleast_1d(_run(p)) for p in (key if isinstance(key, tuple) else (key,))])


def _run(part):
    if not isinstance(part, slice):
        return part
    return np.arange(part.start or 0, part.stop, 1 if part.step is None else part.step)


class _Grid:
    def __init__(self, sparse):
        self.sparse = sparse

    def __getitem__(self, key):
        if not isinstance(key, tuple):
            return _run(key)
        grids = np.meshgrid(*[_run(p) for p in key], indexing="ij", sparse=self.sparse)
        return grids if self.sparse else np.stack(grids)


class _Slices:
    def __getitem__(self, key):
        return key


c_ = _Columns()
r_ = _Rows()
mgrid = _Grid(False)
ogrid = _Grid(True)
s_ = _Slices()
index_exp = _Slices()


class poly1d:
    def __init__(self, c, r=False):
        c = np.atleast_1d(c)
        if r:
            whole = np.array([1.0])
            for root in c:
                whole = np.convolve(whole, np.array([1.0, -root]))
            c = whole
        kept = [i for i, v in enumerate(c.tolist()) if v != 0]
        self.coeffs = self.c = self.coef = c[kept[0]:] if kept else c[:1] * 0
        self.order = self.o = len(self.coeffs) - 1

    def __call__(self, x):
        return np.polyval(self.coeffs, x)

    def __repr__(self):
        return f"poly1d({repr(self.coeffs)[6:-1]})"

    def __len__(self):
        return self.order

    def __getitem__(self, k):
        return self.coeffs[self.order - k] if 0 <= k <= self.order else 0

    def __add__(self, other):
        return poly1d(np.polyadd(self.coeffs, getattr(other, "coeffs", other)))

    def __mul__(self, other):
        return poly1d(np.polymul(self.coeffs, getattr(other, "coeffs", other)))

    __radd__ = __add__
    __rmul__ = __mul__

    def deriv(self, m=1):
        return poly1d(np.polyder(self.coeffs, m))

    def integ(self, m=1, k=0):
        return poly1d(np.polyint(self.coeffs, m, k))


def fill_diagonal(a, val):
    n = min(a.shape)
    places = np.arange(n)
    a[tuple(places for _ in a.shape)] = val


def cbrt(x):
    return np.vectorize(math.cbrt, otypes=[float])(x)[()]


def _whole(function, x1, x2):
    x1, x2 = np.broadcast_arrays(x1, x2)
    found = [function(a, b) for a, b in zip(x1.reshape(-1).tolist(), x2.reshape(-1).tolist())]
    return np.array(found).reshape(x1.shape)[()]


def gcd(x1, x2):
    return _whole(math.gcd, x1, x2)


def lcm(x1, x2):
    return _whole(math.lcm, x1, x2)


def positive(x):
    return +np.asarray(x)[()]


def conj(x):
    return np.asarray(x)[()]


def real(val):
    return np.asarray(val)[()]


def imag(val):
    return np.zeros_like(np.asarray(val))[()]


def isreal(x):
    return np.ones_like(np.asarray(x), dtype=bool)[()]


def iscomplex(x):
    return np.zeros_like(np.asarray(x), dtype=bool)[()]


def isrealobj(x):
    return True


def iscomplexobj(x):
    return False


def shares_memory(a, b):
    return np._shares_memory(a, b)


def iterable(y):
    return hasattr(y, "__iter__")


def tril_indices(n, k=0, m=None):
    return np.nonzero(np.tril(np.ones((n, n if m is None else m)), k))


def triu_indices(n, k=0, m=None):
    return np.nonzero(np.triu(np.ones((n, n if m is None else m)), k))


def diag_indices(n, ndim=2):
    return (np.arange(n),) * ndim


def hanning(M):
    return np.array([0.5 + 0.5 * math.cos(math.pi * k / (M - 1)) for k in range(1 - M, M, 2)]) if M > 1 else np.ones(M)


def hamming(M):
    return np.array([0.54 + 0.46 * math.cos(math.pi * k / (M - 1)) for k in range(1 - M, M, 2)]) if M > 1 else np.ones(M)


euler_gamma = 0.5772156649015329
