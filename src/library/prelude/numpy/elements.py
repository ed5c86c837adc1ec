"""numpy: functions that go from element to element."""

import math
import numpy as np


def piecewise(x, condlist, funclist, *args, **kw):
    x = np.asarray(x)
    single = isinstance(condlist, (bool, np.bool_)) or not isinstance(condlist[0], (list, tuple, np.ndarray)) and x.ndim != 0
    conditions = [np.asarray(c, dtype=bool) for c in ([condlist] if single else condlist)]
    count, given = len(conditions), len(funclist)
    if given == count + 1:
        conditions.append(~np.any(np.array(conditions), axis=0))
    elif given != count:
        raise ValueError(f"with {count} condition(s), either {count} or {count + 1} functions are expected")
    y = np.zeros_like(x)
    for where, function in zip(conditions, funclist):
        if callable(function):
            if where.any():
                y[where] = function(x[where], *args, **kw)
        else:
            y[where] = function
    return y


def array_equal(a1, a2, equal_nan=False):
    """Returns whether shapes and elements are equal."""
    try:
        a1, a2 = np.asarray(a1), np.asarray(a2)
    except Exception:
        return False
    if a1.shape != a2.shape:
        return False
    same = a1 == a2
    return bool(np.all(same | ((a1 != a1) & (a2 != a2)) if equal_nan else same))


def resize(a, new_shape):
    flat = np.ravel(a)
    shape = (new_shape,) if isinstance(new_shape, int) else tuple(new_shape)
    if any(n < 0 for n in shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    count = math.prod(shape)
    if flat.size == 0 or count == 0:
        return np.zeros(shape, dtype=flat.dtype)
    return np.concatenate([flat] * (-(-count // flat.size)))[:count].reshape(shape)


def place(arr, mask, vals):
    mask, vals = np.asarray(mask, dtype=bool), np.ravel(vals)
    arr[mask] = resize(vals, int(mask.sum()))


def putmask(a, mask, values):
    mask = np.asarray(mask, dtype=bool)
    a[mask] = resize(values, a.shape)[mask]


def copyto(dst, src, where=True):
    if where is True:
        dst[...] = src
    else:
        where = np.broadcast_to(where, dst.shape)
        dst[where] = np.broadcast_to(src, dst.shape)[where]


def extract(condition, arr):
    return np.ravel(arr)[np.ravel(condition).astype(bool)]


# Digits of the mantissa, and the exponent of the least number.
_WIDTHS = {"float64": (53, -1074), "float32": (24, -149), "float16": (11, -24)}


def _steps(function, *arrays):
    """What function gives for the elements, and for the width of their type, in that type."""
    typed = [a for a in arrays if isinstance(a, (np.ndarray, np.generic))]
    kind = np.result_type(*typed) if typed else np.dtype("float64")
    kind = kind if kind.kind == "f" else np.dtype("float64")
    whole = np.broadcast_arrays(*[np.asarray(a, dtype=kind) for a in arrays])
    rows = zip(*[a.reshape(-1).tolist() for a in whole])
    made = np.array([function(*row, *_WIDTHS[kind.name]) for row in rows], dtype=kind).reshape(whole[0].shape)
    return made[()]


def _spacing(x, digits, least):
    if not math.isfinite(x):
        return math.nan
    exponent = math.frexp(x)[1] - digits if x else least
    return math.copysign(math.ldexp(1.0, max(exponent, least)), x)


def _next(x, y, digits, least):
    if math.isnan(x) or math.isnan(y):
        return math.nan
    if x == y:
        return y
    if x == 0:
        return math.copysign(math.ldexp(1.0, least), y)
    step = _spacing(x, digits, least)
    if (y > x) == (x > 0):
        return x + step
    # Below a power of two the numbers are twice as dense.
    mantissa, exponent = math.frexp(abs(x))
    return x - step / 2 if mantissa == 0.5 and exponent - digits > least else x - step


def spacing(x):
    return _steps(_spacing, x)


def nextafter(x1, x2):
    return _steps(_next, x1, x2)
