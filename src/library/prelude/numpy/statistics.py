"""numpy: variances, quantiles, histograms, averages."""

import numpy as np


def ptp(a, axis=None, out=None, keepdims=False):
    return _written(np.max(a, axis=axis, keepdims=keepdims) - np.min(a, axis=axis, keepdims=keepdims), out)


def _written(found, out):
    """What a function found, in `out` where there is one."""
    if out is None:
        return found
    out[...] = found
    return out


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None):
    a = np.asarray(a, dtype=dtype)
    if a.dtype.kind != "f":
        a = a.astype(float)
    if where is not True:
        return _written(_var_where(a, axis, ddof if correction is None else correction, keepdims, where, mean), out)
    axes = range(a.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    n = 1
    for k in axes:
        n *= np.size(a, k)
    away = a - (np.sum(a, axis=axis, keepdims=True) / n if mean is None else mean)
    count = n - (ddof if correction is None else correction)
    return _written((np.sum(away * away, axis=axis, keepdims=keepdims) / (count if count > 0 else np.float64(0)))[()], out)


def _var_where(a, axis, ddof, keepdims, where, mean):
    where = np.broadcast_to(where, a.shape)
    if mean is None:
        mean = np.sum(np.where(where, a, 0), axis=axis, keepdims=True) / np.sum(where, axis=axis, keepdims=True)
    away = np.where(where, a - mean, 0)
    return np.sum(away * away, axis=axis, keepdims=keepdims) / np.maximum(np.sum(where, axis=axis, keepdims=keepdims) - ddof, 0)


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None):
    return _written(np.sqrt(var(a, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction)), out)


def _place(n, q, method):
    at = q * (n - 1)
    low = int(np.floor(at))
    if method == "linear":
        return low, min(low + 1, n - 1), at - low
    if method == "lower":
        return low, low, 0.0
    if method == "higher":
        return int(np.ceil(at)), int(np.ceil(at)), 0.0
    if method == "nearest":
        near = int(np.rint(at))
        return near, near, 0.0
    if method == "midpoint":
        return low, int(np.ceil(at)), 0.5
    raise ValueError(f"'{method}' is not a valid method. Use one of: ['linear', 'lower', 'higher', 'nearest', 'midpoint']")


def _between(a, b, t):
    # From the nearer end, as NumPy does, so that t = 1 gives b exactly.
    return a + (b - a) * t if t < 0.5 else b - (b - a) * (1 - t)


def _at(rows, q, method):
    if not 0 <= q <= 1:
        raise ValueError("Quantiles must be in the range [0, 1]")
    low, high, t = _place(rows.shape[0], q, method)
    return _between(rows[low], rows[high], t)


def _rows(a, axis):
    """The elements along some axes in order, in front of the other axes."""
    if axis is None or a.ndim == 0:
        return np.sort(a.reshape(-1))
    axes = np._axes(axis, a.ndim)
    rest = [k for k in range(a.ndim) if k not in axes]
    along = np.prod([a.shape[k] for k in axes], dtype=int)
    return np.sort(a.transpose(axes + rest).reshape([along] + [a.shape[k] for k in rest]), axis=0)


def _kept(found, a, axis, front=()):
    """What was found along axes, which stay with a length of one."""
    axes = range(a.ndim) if axis is None else np._axes(axis, a.ndim)
    return np.asarray(found).reshape(list(front) + [1 if k in axes else n for k, n in enumerate(a.shape)])


def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    a = np.asarray(a)
    q = np.asarray(q, dtype=float)
    rows = _rows(a, axis)
    if rows.dtype.kind == "f" and np.isnan(rows).any():
        found = np.full(q.shape + rows.shape[1:], np.nan)
    elif q.ndim == 0:
        found = _at(rows, q.item(), method)
    else:
        found = np.stack([_at(rows, one, method) for one in q.reshape(-1).tolist()])
        found = found.reshape(q.shape + rows.shape[1:])
    return _written(_kept(found, a, axis, q.shape) if keepdims else found, out)


def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    q = np.asarray(q, dtype=float) / 100
    if not np.all((q >= 0) & (q <= 1)):
        raise ValueError("Percentiles must be in the range [0, 100]")
    return quantile(a, q, axis, out, overwrite_input, method, keepdims)


def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    a = np.asarray(a)
    rows = _rows(a, axis)
    n = rows.shape[0]
    if n == 0:
        return np.float64(np.nan)
    found = np.mean(rows[n // 2 - (n % 2 == 0):n // 2 + 1], axis=0)
    if a.dtype.kind == "f" and np.isnan(a).any():
        found = np.where(np.isnan(np.sum(rows, axis=0)), np.nan, found)[()]
    return _written(_kept(found, a, axis) if keepdims else found, out)


def average(a, axis=None, weights=None, returned=False, keepdims=False):
    a = np.asarray(a)
    if weights is None:
        found = np.mean(a, axis=axis, keepdims=keepdims)
        total = np.float64(a.size / max(np.size(found), 1))
    else:
        w = np.asarray(weights)
        if w.shape != a.shape:
            if axis is None:
                raise TypeError("Axis must be specified when shapes of a and weights differ.")
            axes = np._axes(axis, a.ndim)
            if w.shape != tuple(a.shape[k] for k in axes):
                raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
            w = w.transpose(np.argsort(axes).tolist()).reshape([n if k in axes else 1 for k, n in enumerate(a.shape)])
            w = np.broadcast_to(w, a.shape)
        total = np.sum(w * 1.0, axis=axis, keepdims=keepdims)
        if np.any(total == 0.0):
            raise ZeroDivisionError("Weights sum to zero, can't be normalized")
        found = np.sum(a * w * 1.0, axis=axis, keepdims=keepdims) / total
    return (found, np.broadcast_to(total, np.shape(found)).copy()[()]) if returned else found


def histogram(a, bins=10, range=None, density=None, weights=None):
    a = np.asarray(a).reshape(-1)
    w = None if weights is None else np.asarray(weights).reshape(-1)
    if isinstance(bins, str):
        raise NotImplementedError("np.histogram takes a number of bins or the bin edges")
    if np.ndim(bins) == 0:
        if bins < 1:
            raise ValueError("`bins` must be positive, when an integer")
        low, high = (float(a.min()), float(a.max())) if range is None and a.size else range or (0.0, 1.0)
        if low > high:
            raise ValueError("max must be larger than min in range parameter.")
        if low == high:
            low, high = low - 0.5, high + 0.5
        edges = np.linspace(low, high, bins + 1)
        kept = (a >= low) & (a <= high)
        w = None if w is None else w[kept]
        a = a[kept] * 1.0
        place = ((a - low) / (high - low) * bins).astype(int)
        place[place == bins] -= 1
        place[a < edges[place]] -= 1
        place[(a >= edges[place + 1]) & (place != bins - 1)] += 1
        counts = np.bincount(place, weights=w, minlength=bins)
    else:
        edges = np.asarray(bins)
        if np.any(edges[:-1] > edges[1:]):
            raise ValueError("`bins` must increase monotonically, when an array")
        kept = (a >= edges[0]) & (a <= edges[-1])
        place = np.searchsorted(edges, a[kept], side="right") - 1
        place[place == edges.size - 1] -= 1
        counts = np.bincount(place, weights=None if w is None else w[kept], minlength=edges.size - 1)
    if density:
        return counts / np.diff(edges) / counts.sum(), edges
    return counts, edges


def cov(m, y=None, rowvar=True, bias=False, ddof=None):
    rows = np.atleast_2d(np.asarray(m) * 1.0)
    if not rowvar and rows.shape[0] != 1:
        rows = rows.T
    if y is not None:
        more = np.atleast_2d(np.asarray(y) * 1.0)
        rows = np.concatenate([rows, more if rowvar or more.shape[0] == 1 else more.T])
    if ddof is None:
        ddof = 0 if bias else 1
    away = rows - np.mean(rows, axis=1, keepdims=True)
    return np.asarray(np.squeeze(away @ away.T * np.true_divide(1, rows.shape[1] - ddof)))


def corrcoef(x, y=None, rowvar=True):
    c = cov(x, y, rowvar)
    if np.ndim(c) == 0:
        return c / c
    spread = np.sqrt(np.diag(c))
    return np.clip(c / spread[:, None] / spread[None, :], -1, 1)


def _without_nan(a, fill):
    a = np.asarray(a)
    return np.where(np.isnan(a), fill, a)


def nansum(a, axis=None, keepdims=False):
    return np.sum(_without_nan(a, 0), axis=axis, keepdims=keepdims)


def nanprod(a, axis=None, keepdims=False):
    return np.prod(_without_nan(a, 1), axis=axis, keepdims=keepdims)


def nanmax(a, axis=None, keepdims=False):
    return np.max(_without_nan(a, -np.inf), axis=axis, keepdims=keepdims)


def nanmin(a, axis=None, keepdims=False):
    return np.min(_without_nan(a, np.inf), axis=axis, keepdims=keepdims)


def nanmean(a, axis=None, keepdims=False):
    a = np.asarray(a)
    count = np.sum(~np.isnan(a), axis=axis, keepdims=keepdims)
    return nansum(a, axis, keepdims) / count


def nanvar(a, axis=None, ddof=0, keepdims=False):
    a = np.asarray(a)
    away = a - nanmean(a, axis, True)
    count = np.sum(~np.isnan(a), axis=axis, keepdims=keepdims)
    return nansum(away * away, axis, keepdims) / (count - ddof)


def nanstd(a, axis=None, ddof=0, keepdims=False):
    return np.sqrt(nanvar(a, axis, ddof, keepdims))


def nanargmax(a, axis=None):
    return np.argmax(_without_nan(a, -np.inf), axis=axis)


def nanargmin(a, axis=None):
    return np.argmin(_without_nan(a, np.inf), axis=axis)


def nancumsum(a, axis=None, dtype=None, out=None):
    return np.cumsum(_without_nan(a, 0), axis, dtype, out)


def nancumprod(a, axis=None, dtype=None, out=None):
    return np.cumprod(_without_nan(a, 1), axis, dtype, out)


def nanquantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    a, q = np.asarray(a), np.asarray(q, dtype=float)
    rows = _rows(a, axis)
    whole = rows.reshape(rows.shape[0], -1).T

    def one(row):
        row = row[~np.isnan(row)]
        return quantile(row, q, method=method) if row.size else np.full(q.shape, np.nan)
    found = np.moveaxis(np.array([one(row) for row in whole]).reshape(rows.shape[1:] + q.shape), list(range(rows.ndim - 1)), list(range(q.ndim, q.ndim + rows.ndim - 1)))
    return np._written(_kept(found, a, axis, q.shape) if keepdims else found[()], out)


def nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    return nanquantile(a, np.asarray(q, dtype=float) / 100, axis, out, overwrite_input, method, keepdims)


def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    return nanquantile(a, 0.5, axis, out, overwrite_input, keepdims=keepdims)


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    x = np.asarray(x)
    if x.dtype.kind != "f":
        return x
    most = np.finfo(x.dtype).max
    x = np.where(np.isnan(x), nan, x)
    x = np.where(x == np.inf, most if posinf is None else posinf, x)
    return np.where(x == -np.inf, -most if neginf is None else neginf, x)[()]
