"""numpy: grids and rows from slices, and the places of triangles and diagonals."""

import numpy as np


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


def fill_diagonal(a, val):
    n = min(a.shape)
    places = np.arange(n)
    a[tuple(places for _ in a.shape)] = val


def tril_indices(n, k=0, m=None):
    return np.nonzero(np.tril(np.ones((n, n if m is None else m)), k))


def triu_indices(n, k=0, m=None):
    return np.nonzero(np.triu(np.ones((n, n if m is None else m)), k))


def diag_indices(n, ndim=2):
    return (np.arange(n),) * ndim
