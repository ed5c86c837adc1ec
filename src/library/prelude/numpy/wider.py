"""numpy: what operations of the table do not take, and the parts of functions and methods that need a page."""

import numpy as np


def _wider_count_nonzero(a, axis=None, *, keepdims=False):
    return np.sum(np.asarray(a) != 0, axis=axis, keepdims=keepdims)


def _wider_unsqueeze(a, axis):
    a = np.asarray(a)
    rank = a.ndim + (len(axis) if isinstance(axis, (tuple, list)) else 1)
    axes = np._axes(axis, rank)
    return a[tuple(None if k in axes else slice(None) for k in range(rank))]


def _wider_trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    a = np.asarray(a)
    if a.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    return np.sum(np.diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype, out=out)


def _wider_cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = np.moveaxis(np.asarray(a), axisa, -1), np.moveaxis(np.asarray(b), axisb, -1)
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise ValueError("incompatible dimensions for cross product\n(dimension must be 2 or 3)")

    def parts(v):
        return v[..., 0], v[..., 1], v[..., 2] if v.shape[-1] == 3 else 0 * v[..., 0]
    (a0, a1, a2), (b0, b1, b2) = parts(a), parts(b)
    last = a0 * b1 - a1 * b0
    if a.shape[-1] == b.shape[-1] == 2:
        return np.asarray(last)
    return np.moveaxis(np.stack([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, last], axis=-1), -1, axisc)


def _wider_bincount(x, weights=None, minlength=0):
    x = np.asarray(x)
    if x.dtype.kind == "f" and x.size > 0:
        raise TypeError(f"Cannot cast array data from dtype('{x.dtype}') to dtype('int64') according to the rule 'safe'")
    if x.ndim != 1:
        raise ValueError("object of too small depth for desired array" if x.ndim == 0 else "object too deep for desired array")
    if (x < 0).any():
        raise ValueError("'list' argument must have no negative elements")
    return np.bincount(x.astype(int), None if weights is None else np.asarray(weights), minlength)


def _full_of(shape, fill_value, dtype=None):
    fill_value = np.asarray(fill_value)
    made = np.empty(shape, dtype=dtype or fill_value.dtype)
    made[...] = fill_value
    return made


def _dot(a, b):
    return np.tensordot(a, b, ([a.ndim - 1], [b.ndim - 2]))


def _item(a, *at):
    if len(at) == 1 and isinstance(at[0], tuple):
        at = at[0]
    if len(at) == 1:
        if not -a.size <= at[0] < a.size:
            raise IndexError(f"index {at[0]} is out of bounds for size {a.size}")
        return a.reshape(-1)[at[0]].item()
    if len(at) != a.ndim:
        raise ValueError("incorrect number of indices for array")
    return a[at].item()


def _of_number(v, name):
    """What a number has of an array's attributes."""
    if name == "imag":
        return type(v)(0)
    if name == "flat":
        return np.asarray(v).reshape(-1)
    return v if name == "T" else lambda *args, **more: v


class _Flat:
    """The elements of an array that do not lie in a row."""
    __module__ = "numpy"
    __qualname__ = "flatiter"

    def __init__(self, base):
        self.base = base
        self._at = 0

    def __len__(self):
        return self.base.size

    def __iter__(self):
        return iter(self.copy())

    def __next__(self):
        if self._at == len(self):
            raise StopIteration
        self._at += 1
        return self[self._at - 1]

    def copy(self):
        return self.base.flatten()

    def __getitem__(self, key):
        return self.copy()[key]

    def __setitem__(self, key, value):
        places = np.arange(self.base.size)[key]
        self.base[np.unravel_index(places, self.base.shape)] = np.resize(value, np.shape(places)) if np.ndim(value) else value
