"""numpy: differences, gradients, interpolation, convolution."""

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


def ediff1d(ary, to_end=None, to_begin=None):
    steps = diff(np.ravel(ary))
    ends = [[] if v is None else np.ravel(v) for v in (to_begin, to_end)]
    return np.concatenate([ends[0], steps, ends[1]]).astype(steps.dtype)


def cumulative_sum(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    found = np.cumsum(x, axis, dtype)
    if include_initial:
        found = np.moveaxis(found, axis or 0, 0)
        found = np.moveaxis(np.concatenate([0 * found[:1], found]), 0, axis or 0)
    return np._written(found, out)


def cumulative_prod(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    found = np.cumprod(x, axis, dtype)
    if include_initial:
        found = np.moveaxis(found, axis or 0, 0)
        found = np.moveaxis(np.concatenate([0 * found[:1] + 1, found]), 0, axis or 0)
    return np._written(found, out)


def unwrap(p, discont=None, axis=-1, *, period=2 * np.pi):
    p = np.asarray(p) * 1.0
    steps = diff(p, axis=axis)
    half = period / 2
    away = (steps + half) % period - half
    away = np.where((away == -half) & (steps > 0), half, away)
    mend = np.where(abs(steps) < (half if discont is None else max(discont, half)), 0, away - steps)
    rows = np.moveaxis(p.copy(), axis, 0)
    rows[1:] += np.moveaxis(np.cumsum(mend, axis=axis), axis, 0)
    return np.moveaxis(rows, 0, axis)


def trim_zeros(filt, trim="fb"):
    kept = np.nonzero(filt)[0]
    if kept.size == 0:
        return filt[:0]
    start = kept[0] if "f" in trim.lower() else 0
    return filt[int(start):int(kept[-1]) + 1 if "b" in trim.lower() else None]


def vecdot(x1, x2, /, *, axis=-1):
    return np.sum(np.asarray(x1) * np.asarray(x2), axis=axis)


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


def interp(x, xp, fp, left=None, right=None, period=None):
    x, xp, fp = np.asarray(x) * 1.0, np.asarray(xp) * 1.0, np.asarray(fp) * 1.0
    if xp.size != fp.size:
        raise ValueError("fp and xp are not of the same length.")
    if xp.size == 0:
        raise ValueError("array of sample points is empty")
    if period is not None:
        if period == 0:
            raise ValueError("period must be a non-zero value")
        period, left, right = abs(period), None, None
        x, xp = x % period, xp % period
        order = np.argsort(xp)
        xp, fp = xp[order], fp[order]
        xp = np.concatenate([xp[-1:] - period, xp, xp[:1] + period])
        fp = np.concatenate([fp[-1:], fp, fp[:1]])
    found = fp[0] + 0 * x
    if xp.size > 1:
        j = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, xp.size - 2)
        away = x - xp[j]
        found = np.where(away == 0, fp[j], (fp[j + 1] - fp[j]) / (xp[j + 1] - xp[j]) * away + fp[j])
    found = np.where(x >= xp[-1], np.where(x == xp[-1], fp[-1], fp[-1] if right is None else right), found)
    return np.where(x < xp[0], fp[0] if left is None else left, found)[()]


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
