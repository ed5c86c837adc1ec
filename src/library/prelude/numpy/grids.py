"""numpy: numbers between two ends, which may be arrays; grids and rows from slices; the places of triangles and
diagonals."""

import numpy as np


def _linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    """np.linspace between arrays."""
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    start, stop = np.asarray(start) * 1.0, np.asarray(stop) * 1.0
    parts = num - 1 if endpoint else num
    at = np.arange(0.0, num).reshape((-1,) + (1,) * np.ndim(stop - start))
    step = (stop - start) / parts if parts > 0 else np.nan
    by_steps = parts > 0 and np.all(step != 0)
    y = (at * step if by_steps else at / max(parts, 1) * (stop - start)) + start
    if endpoint and num > 1:
        y[-1] = stop
    y = np.moveaxis(y, 0, axis)
    if dtype is not None:
        y = (np.floor(y) if np.dtype(dtype).kind in "iu" else y).astype(dtype)
    return (y, step) if retstep else y


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    if np.ndim(base):
        start, stop, base = np.broadcast_arrays(start, stop, base)
        base = np.expand_dims(base, axis)
    found = np.power(base, np.linspace(start, stop, num, endpoint=endpoint, axis=axis))
    return found if dtype is None else found.astype(dtype)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    start, stop = np.asarray(start) * 1.0, np.asarray(stop) * 1.0
    if np.any(start == 0) or np.any(stop == 0):
        raise ValueError("Geometric sequence cannot include zero")
    sign = np.sign(start)
    start, stop = start / sign, stop / sign
    found = logspace(np.log10(start), np.log10(stop), num, endpoint)
    if num > 0:
        found[0] = start
        if num > 1 and endpoint:
            found[-1] = stop
    found = np.moveaxis(found * sign, 0, axis)
    return found if dtype is None else found.astype(dtype)


class _Rows:
    def __init__(self, axis, ndmin, at):
        self.usual = [axis, ndmin, at]

    def __getitem__(self, key):
        parts = list(key) if isinstance(key, tuple) else [key]
        given = [int(n) for n in parts.pop(0).split(",")] if isinstance(parts[0], str) else []
        axis, ndmin, at = given + self.usual[len(given):]
        made = []
        for part in parts:
            part = np.asarray(_run(part))
            missing = max(ndmin - part.ndim, 0)
            front = at if at >= 0 else max(at + missing + 1, 0)
            made.append(part.reshape((1,) * min(front, missing) + part.shape + (1,) * (missing - front)))
        return np.concatenate(made, axis)


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
    def __init__(self, tuples):
        self.tuples = tuples

    def __getitem__(self, key):
        return (key,) if self.tuples and not isinstance(key, tuple) else key


c_ = _Rows(-1, 2, 0)
r_ = _Rows(0, 1, -1)
mgrid = _Grid(False)
ogrid = _Grid(True)
s_ = _Slices(False)
index_exp = _Slices(True)


def fill_diagonal(a, val, wrap=False):
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    n = min(a.shape)
    if a.ndim > 2 and max(a.shape) > n:
        raise ValueError("All dimensions of input must be of equal length")
    places = [np.arange(n)] * a.ndim
    if wrap and a.ndim == 2:
        # Again from the left, with a row between.
        steps = np.arange(0, a.size, a.shape[1] + 1)
        places = [steps // a.shape[1], steps % a.shape[1]]
    a[tuple(places)] = np.resize(val, places[0].shape) if np.ndim(val) else val


def tril_indices(n, k=0, m=None):
    return np.nonzero(np.tril(np.ones((n, n if m is None else m)), k))


def triu_indices(n, k=0, m=None):
    return np.nonzero(np.triu(np.ones((n, n if m is None else m)), k))


def tril_indices_from(arr, k=0):
    return tril_indices(arr.shape[-2], k, arr.shape[-1])


def triu_indices_from(arr, k=0):
    return triu_indices(arr.shape[-2], k, arr.shape[-1])


def diag_indices_from(arr):
    return diag_indices(arr.shape[0], arr.ndim)


def diag_indices(n, ndim=2):
    return (np.arange(n),) * ndim
