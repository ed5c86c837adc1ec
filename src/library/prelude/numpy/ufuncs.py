"""numpy: methods of functions that take two arrays, np.add.reduce; the keywords where and initial."""

import numpy as np

_WHOLE = {"add": np.sum, "multiply": np.prod, "maximum": np.max, "minimum": np.min,
          "logical_and": np.all, "logical_or": np.any}
_RUNNING = {"add": np.cumsum, "multiply": np.cumprod}


class _Ufunc:
    """A function of the pages that goes from element to element, with the methods and keywords of NumPy's."""
    __module__ = "numpy"
    __qualname__ = "ufunc"

    def __init__(self, function, nin):
        self._function, self.nin, self.nout = function, nin, 1
        self.__name__ = function.__name__

    def __repr__(self):
        return f"<ufunc '{self.__name__}'>"

    def __call__(self, *args, out=None, where=True, dtype=None, casting="same_kind"):
        if not self.nin <= len(args) <= self.nin + 1:
            raise TypeError(f"{self.__name__}() takes from {self.nin} to {self.nin + 1} positional arguments but {len(args)} were given")
        out = args[self.nin] if len(args) > self.nin else out[0] if isinstance(out, tuple) else out
        found = self._function(*args[:self.nin])
        if dtype is not None:
            found = np.asarray(found).astype(dtype)[()]
        if where is not True:
            found = np.where(where, found, 0 if out is None else out)
        return np._written(found, out)

    def reduce(self, *args, **more):
        return _ufunc_reduce(self, *args, **more)

    def accumulate(self, *args, **more):
        return _ufunc_accumulate(self, *args, **more)

    def reduceat(self, *args, **more):
        return _ufunc_reduceat(self, *args, **more)

    def outer(self, A, B):
        return _ufunc_outer(self, A, B)

    def at(self, a, indices, b=None):
        return _ufunc_at(self, a, indices, b)


def _ufunc(nin):
    return lambda function: _Ufunc(function, nin)


def _ufunc_reduce(f, array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
    a = np.asarray(array, dtype=dtype)
    whole = _WHOLE.get(f.__name__)
    if whole is not None and where is True:
        found = whole(a, axis=axis, keepdims=keepdims)
    elif axis is None:
        found = _ufunc_reduce(f, a.reshape(-1), 0, initial=initial, where=where)
        initial = None
    else:
        rows = np.moveaxis(a, axis, 0)
        if where is not True:
            rows = rows[np.asarray(where)]
        found = rows[0]
        for row in rows[1:]:
            found = f(found, row)
        if keepdims:
            found = np.expand_dims(found, axis)
    if initial is not None:
        found = f(initial, found)
    if out is None:
        return found
    out[...] = found
    return out


def _ufunc_accumulate(f, array, axis=0, dtype=None, out=None):
    a = np.asarray(array, dtype=dtype)
    running = _RUNNING.get(f.__name__)
    if running is not None:
        return running(a, axis=axis)
    found = []
    for row in np.moveaxis(a, axis, 0):
        found.append(row if not found else f(found[-1], row))
    return np.moveaxis(np.stack(found), 0, axis) if found else a


def _ufunc_outer(f, A, B):
    A, B = np.asarray(A), np.asarray(B)
    return f(A.reshape(A.shape + (1,) * B.ndim), B)


def _ufunc_at(f, a, indices, b=None):
    places = np.arange(a.size).reshape(a.shape)[indices]
    given = np.broadcast_to(b, np.shape(places)).reshape(-1)
    flat = a.reshape(-1)
    for k, v in zip(np.asarray(places).reshape(-1), given):
        flat[k] = f(flat[k], v)
    if not np.shares_memory(flat, a):
        a[...] = flat.reshape(a.shape)


def _ufunc_reduceat(f, array, indices, axis=0):
    rows = np.moveaxis(np.asarray(array), axis, 0)
    ends = list(indices[1:]) + [len(rows)]
    parts = [_ufunc_reduce(f, rows[i:j]) if i < j else rows[i] for i, j in zip(indices, ends)]
    return np.moveaxis(np.stack(parts), 0, axis)


def _ufunc_chosen(f, *args, where=True, initial=None, out=None, **more):
    name = f.__name__
    if name not in ("sum", "prod", "mean", "max", "min", "amax", "amin", "any", "all"):
        found = f(*args, **more)
        if out is None:
            return np.where(where, found, 0)
        out[...] = np.where(where, found, out)
        return out
    a = np.asarray(args[0])
    least = name in ("min", "amin")
    if where is not True:
        if name == "mean":
            count = np.sum(np.broadcast_to(where, a.shape), *args[1:], **more)
            return np.sum(np.where(where, a, 0), *args[1:], **more) / count
        if initial is None and (least or name in ("max", "amax")):
            op = "minimum" if least else "maximum"
            raise ValueError(
                f"reduction operation '{op}' does not have an identity, so to use a where mask "
                "one has to specify 'initial'"
            )
        empty = {"prod": 1, "any": False, "all": True}.get(name, 0 if name == "sum" else initial)
        a = np.where(where, a, np.asarray(empty).astype(a.dtype))
    if a.size == 0 and initial is not None and name in ("max", "amax", "min", "amin"):
        return np.asarray(initial).astype(a.dtype)[()]
    found = f(a, *args[1:], **more)
    if initial is not None:
        join = {"sum": np.add, "prod": np.multiply}.get(name, np.minimum if least else np.maximum)
        found = join(initial, found)
    if out is None:
        return found
    out[...] = found
    return out


def argsort(a, axis=-1, kind=None, order=None, *, stable=None):
    return np._argsort(np.asarray(a), axis=axis) if axis is not None else np._argsort(np.asarray(a).reshape(-1))
