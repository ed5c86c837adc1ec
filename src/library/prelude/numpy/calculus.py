"""numpy: differences, gradients, polynomials, interpolation, convolution."""

import numpy as np


def diff(a, n=1, axis=-1, prepend=None, append=None):
    a = np.asarray(a)
    if a.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    rows = np.moveaxis(a, axis, 0)
    if prepend is not None:
        rows = np.concatenate([np.atleast_1d(prepend), rows])
    if append is not None:
        rows = np.concatenate([rows, np.atleast_1d(append)])
    for _ in range(n):
        rows = rows[1:] != rows[:-1] if rows.dtype == bool else rows[1:] - rows[:-1]
    return np.moveaxis(rows, 0, axis)


def ediff1d(ary):
    return diff(np.asarray(ary).reshape(-1))


def _slope(f, h, order):
    out = np.zeros(f.shape)
    if np.ndim(h) == 0:
        out[1:-1] = (f[2:] - f[:-2]) / (2.0 * h)
        first = last = h
    else:
        left, right = h[:-1], h[1:]
        shape = [-1] + [1] * (f.ndim - 1)
        a = (-right / (left * (left + right))).reshape(shape)
        b = ((right - left) / (left * right)).reshape(shape)
        c = (left / (right * (left + right))).reshape(shape)
        out[1:-1] = a * f[:-2] + b * f[1:-1] + c * f[2:]
        first, last = h[0], h[-1]
    if order == 1:
        out[0] = (f[1] - f[0]) / first
        out[-1] = (f[-1] - f[-2]) / last
    elif np.ndim(h) == 0:
        out[0] = -1.5 / h * f[0] + 2.0 / h * f[1] + -0.5 / h * f[2]
        out[-1] = 0.5 / h * f[-3] + -2.0 / h * f[-2] + 1.5 / h * f[-1]
    else:
        p, q = h[0], h[1]
        out[0] = -(2.0 * p + q) / (p * (p + q)) * f[0] + (p + q) / (p * q) * f[1] + -p / (q * (p + q)) * f[2]
        p, q = h[-2], h[-1]
        out[-1] = q / (p * (p + q)) * f[-3] + -(q + p) / (p * q) * f[-2] + (2.0 * q + p) / (q * (p + q)) * f[-1]
    return out


def gradient(f, *varargs, axis=None, edge_order=1):
    f = np.asarray(f)
    if axis is None:
        axes = list(range(f.ndim))
    else:
        axes = [a % f.ndim for a in (axis if isinstance(axis, (tuple, list)) else [axis])]
    steps = list(varargs) or [1.0]
    if len(steps) == 1 and np.ndim(steps[0]) == 0:
        steps = steps * len(axes)
    if len(steps) != len(axes):
        raise TypeError("invalid number of arguments")
    found = []
    for a, h in zip(axes, steps):
        if f.shape[a] < edge_order + 1:
            raise ValueError(
                "Shape of array too small to calculate a numerical gradient, "
                "at least (edge_order + 1) elements are required."
            )
        if np.ndim(h) == 1:
            h = np.asarray(h)
            if h.size != f.shape[a]:
                raise ValueError("when 1d, distances must match the length of the corresponding dimension")
            h = np.diff(h)
            if (h == h[0]).all():
                h = h[0]
        found.append(np.moveaxis(_slope(np.moveaxis(f, a, 0), h, edge_order), 0, a))
    return found[0] if len(found) == 1 else tuple(found)


def trapezoid(y, x=None, dx=1.0, axis=-1):
    y = np.moveaxis(np.asarray(y), axis, -1)
    d = dx if x is None else np.diff(np.asarray(x), axis=-1)
    return np.sum(d * (y[..., 1:] + y[..., :-1]) / 2.0, axis=-1)


def vander(x, N=None, increasing=False):
    x = np.asarray(x)
    n = x.size if N is None else N
    powers = [np.ones_like(x)]
    for _ in range(n - 1):
        powers.append(powers[-1] * x)
    return np.stack(powers[:n] if increasing else powers[:n][::-1], axis=1)


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    x, y = np.asarray(x) * 1.0, np.asarray(y) * 1.0
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if x.size == 0:
        raise TypeError("expected non-empty vector for x")
    if x.shape[0] != y.shape[0]:
        raise TypeError("expected x and y to have same length")
    left = vander(x, deg + 1)
    if w is not None:
        left, y = left * np.asarray(w)[:, None], (y.T * np.asarray(w)).T
    scale = np.sqrt((left * left).sum(axis=0))
    c = np.linalg.lstsq(left / scale, y, x.size * 2.220446049250313e-16 if rcond is None else rcond)[0]
    return (c.T / scale).T


def polyval(p, x):
    x = np.asarray(x)
    y = np.zeros_like(x)
    for c in np.asarray(p):
        y = y * x + c
    return y


def polyder(p, m=1):
    p = np.asarray(p)
    for _ in range(m):
        p = p[:-1] * np.arange(p.size - 1, 0, -1)
    return p


def polyint(p, m=1, k=0):
    p = np.asarray(p)
    for _ in range(m):
        p = np.concatenate([p / np.arange(p.size, 0, -1), [k]])
    return p


def polyadd(a1, a2):
    a1, a2 = np.atleast_1d(a1), np.atleast_1d(a2)
    n = max(a1.size, a2.size)
    return np.pad(a1, (n - a1.size, 0)) + np.pad(a2, (n - a2.size, 0))


def polymul(a1, a2):
    return convolve(a1, a2)


def interp(x, xp, fp, left=None, right=None):
    xp, fp = np.asarray(xp) * 1.0, np.asarray(fp) * 1.0
    if xp.size != fp.size:
        raise ValueError("fp and xp are not of the same length.")
    if xp.size == 0:
        raise ValueError("array of sample points is empty")
    low = fp[0] if left is None else left
    high = fp[-1] if right is None else right

    def one(v):
        if v != v:
            return v
        if v < xp[0]:
            return low
        if v >= xp[-1]:
            return fp[-1] if v == xp[-1] else high
        j = np.searchsorted(xp, v, side="right") - 1
        return (fp[j + 1] - fp[j]) / (xp[j + 1] - xp[j]) * (v - xp[j]) + fp[j]

    x = np.asarray(x) * 1.0
    if np.ndim(x) == 0:
        return np.float64(one(x))
    return np.array([one(v) for v in x.reshape(-1)]).reshape(x.shape)


def convolve(a, v, mode="full"):
    a, v = np.atleast_1d(a), np.atleast_1d(v)
    if a.size == 0:
        raise ValueError("a cannot be empty")
    if v.size == 0:
        raise ValueError("v cannot be empty")
    if v.size > a.size:
        a, v = v, a
    n, m = a.size, v.size
    long = np.zeros(n + m - 1, dtype=(a[:1] * v[:1]).dtype)
    for i in range(m):
        long[i:i + n] += v[i] * a
    if mode == "full":
        return long
    if mode == "same":
        return long[(m - 1) // 2:(m - 1) // 2 + n]
    if mode == "valid":
        return long[m - 1:n]
    raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got '{mode}')")


def correlate(a, v, mode="valid"):
    return convolve(a, np.asarray(v)[::-1], mode)
