"""numpy: polynomials, windows and functions of numbers."""

import math
import numpy as np


class errstate:
    def __init__(self, **kinds):
        self.kinds = kinds

    def __enter__(self):
        return None

    def __exit__(self, *error):
        return False

    def __call__(self, function):
        return function


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


def hanning(M):
    return np.array([0.5 + 0.5 * math.cos(math.pi * k / (M - 1)) for k in range(1 - M, M, 2)]) if M > 1 else np.ones(M)


def hamming(M):
    return np.array([0.54 + 0.46 * math.cos(math.pi * k / (M - 1)) for k in range(1 - M, M, 2)]) if M > 1 else np.ones(M)


euler_gamma = 0.5772156649015329
