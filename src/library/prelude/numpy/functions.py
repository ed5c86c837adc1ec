"""numpy: functions of numbers, and windows."""

import math
import numpy as np


class errstate:
    def __init__(self, **kinds):
        self.kinds = kinds

    def __enter__(self):
        self.before = seterr(**self.kinds)

    def __exit__(self, *error):
        seterr(**self.before)
        return False

    def __call__(self, function):
        def within(*args, **kwargs):
            with errstate(**self.kinds):
                return function(*args, **kwargs)
        return within


_errors = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}


def geterr():
    return dict(_errors)


def seterr(all=None, divide=None, over=None, under=None, invalid=None):
    before = dict(_errors)
    for kind, one in (("divide", divide), ("over", over), ("under", under), ("invalid", invalid)):
        _errors[kind] = one or all or _errors[kind]
    np._raise_errors([kind for kind, then in _errors.items() if then == "raise"])
    return before


def isscalar(element):
    return isinstance(element, (int, float, complex, str, bytes, np.generic))


@np._ufunc(1)
def cbrt(x):
    return np.vectorize(math._cbrt, otypes=[float])(x)[()]


def _whole(function, x1, x2):
    x1, x2 = np.broadcast_arrays(x1, x2)
    found = [function(a, b) for a, b in zip(x1.reshape(-1).tolist(), x2.reshape(-1).tolist())]
    return np.array(found).reshape(x1.shape)[()]


@np._ufunc(2)
def gcd(x1, x2):
    return _whole(math.gcd, x1, x2)


@np._ufunc(2)
def lcm(x1, x2):
    return _whole(math.lcm, x1, x2)


@np._ufunc(2)
def left_shift(x1, x2):
    return np.asarray(x1)[()] << np.asarray(x2)[()]


@np._ufunc(2)
def right_shift(x1, x2):
    return np.asarray(x1)[()] >> np.asarray(x2)[()]


bitwise_left_shift = left_shift
bitwise_right_shift = right_shift


@np._ufunc(2)
def heaviside(x1, x2):
    x1, x2 = np.asarray(x1), np.asarray(x2)
    return np.where(x1 != x1, x1, np.where(x1 == 0, x2, (x1 > 0) * 1.0))[()]


@np._ufunc(1)
def reciprocal(x):
    x = np.asarray(x)
    if x.dtype.kind == "f":
        return np.true_divide(1, x)
    kind = "int8" if x.dtype == bool else x.dtype
    return np.trunc(np.true_divide(1, x)).astype(kind)[()]


@np._ufunc(1)
def positive(x):
    return +np.asarray(x)[()]


def conj(x):
    return np.asarray(x)[()]


conjugate = conj


@np._ufunc(2)
def ldexp(x1, x2):
    return np.asarray(x1) * 2.0 ** np.asarray(x2)


def frexp(x):
    x = np.asarray(x) * 1.0
    pairs = [math.frexp(v) for v in x.reshape(-1).tolist()]
    parts = [np.array([p[k] for p in pairs], dtype=kind).reshape(x.shape) for k, kind in ((0, x.dtype), (1, np.int32))]
    return parts[0][()], parts[1][()]


def binary_repr(num, width=None):
    if num < 0 and width is not None:
        # The two's complement, with ones in front.
        digits = len(f"{-num - 1:b}") + 1 if num < -1 else 1
        text = f"{2 ** digits + num:b}"
        filled = text.rjust(max(width, digits), "1")
    else:
        text = f"{num:b}"
        digits = len(text)
        filled = text.zfill(width or 1)
    if width is not None and width < digits:
        raise ValueError(f"Insufficient bit width={width} provided for binwidth={digits}")
    return filled


def base_repr(number, base=2, padding=0):
    if base > 36:
        raise ValueError("Bases greater than 36 not handled in base_repr.")
    if base < 2:
        raise ValueError("Bases less than 2 not handled in base_repr.")
    rest, digits = abs(int(number)), ""
    while rest:
        digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[rest % base] + digits
        rest //= base
    return ("-" if number < 0 else "") + "0" * padding + digits or "0"


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


def blackman(M):
    at = [math.pi * k / (M - 1) for k in range(1 - M, M, 2)] if M > 1 else []
    return np.array([0.42 + 0.5 * math.cos(t) + 0.08 * math.cos(2 * t) for t in at]) if M > 1 else np.ones(M)


def bartlett(M):
    return 1 - abs(np.arange(1 - M, M, 2) / (M - 1)) if M > 1 else np.ones(M)


euler_gamma = 0.5772156649015329
