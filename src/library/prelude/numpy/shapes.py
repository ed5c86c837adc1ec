"""numpy: joining, splitting, rotating and filling arrays."""

import numpy as np


def _arrays(arrays, verb):
    made = [np.asarray(a) for a in arrays]
    if not made:
        raise ValueError(f"need at least one array to {verb}")
    return made


def concatenate(arrays, axis=0, out=None, dtype=None):
    made = _arrays(arrays, "concatenate")
    first = made[0]
    if any(a.ndim == 0 for a in made):
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    if axis is None:
        made, axis, first = [a.reshape(-1) for a in made], 0, made[0].reshape(-1)
    for i, a in enumerate(made):
        if a.ndim != first.ndim:
            raise ValueError(
                "all the input arrays must have same number of dimensions, but the array at index 0 has "
                f"{first.ndim} dimension(s) and the array at index {i} has {a.ndim} dimension(s)"
            )
    axis = _axis(axis, first.ndim)
    for i, a in enumerate(made):
        for d in range(first.ndim):
            if d != axis and a.shape[d] != first.shape[d]:
                raise ValueError(
                    "all the input array dimensions except for the concatenation axis must match exactly, but along "
                    f"dimension {d}, the array at index 0 has size {first.shape[d]} and the array at index {i} has size {a.shape[d]}"
                )
    whole = np._concatenate(made, axis)
    if dtype is None and any(a.size == 0 for a in made) and whole.dtype.kind in "biuf":
        # An empty array has its type too.
        dtype = np.result_type(*made)
    return np._written(whole if dtype is None else whole.astype(dtype), out)


def stack(arrays, axis=0, out=None, dtype=None):
    made = _arrays(arrays, "stack")
    if any(a.shape != made[0].shape for a in made):
        raise ValueError("all input arrays must have the same shape")
    whole = np._stack(made, axis)
    return np._written(whole if dtype is None else whole.astype(dtype), out)


concat = concatenate


def unstack(x, /, *, axis=0):
    return tuple(moveaxis(x, axis, 0))


def vstack(tup, dtype=None):
    return concatenate([np.atleast_2d(a) for a in _arrays(tup, "concatenate")], 0, dtype=dtype)


def hstack(tup, dtype=None):
    made = [np.atleast_1d(a) for a in _arrays(tup, "concatenate")]
    return concatenate(made, 0 if made[0].ndim == 1 else 1, dtype=dtype)


def column_stack(tup):
    made = [np.asarray(a) for a in tup]
    return concatenate([a.reshape(-1, 1) if a.ndim < 2 else a for a in made], 1)


def dstack(tup):
    return concatenate([atleast_3d(a) for a in tup], 2)


def block(arrays):
    if not isinstance(arrays, list):
        return np.atleast_1d(arrays)
    if any(isinstance(row, list) for row in arrays):
        return vstack([block(row) for row in arrays])
    return hstack([np.atleast_2d(a) if any(np.ndim(b) == 2 for b in arrays) else a for a in arrays])


def append(arr, values, axis=None):
    if axis is None:
        return concatenate([np.asarray(arr).reshape(-1), np.asarray(values).reshape(-1)])
    return concatenate([arr, values], axis)


def _axis(axis, ndim, of=None):
    """An axis counted from the front."""
    if not -ndim <= axis < ndim:
        raise np.exceptions.AxisError(f"{of + ': ' if of else ''}axis {axis} is out of bounds for array of dimension {ndim}")
    return axis % ndim


def _axes(axis, ndim, of=None):
    """One axis or several, counted from the front."""
    axes = [_axis(k, ndim, of) for k in (axis if isinstance(axis, (tuple, list)) else [axis])]
    if len(set(axes)) < len(axes):
        raise ValueError(f"repeated axis in `{of}` argument" if of else "repeated axis")
    return axes


def _taken(a, axis, places):
    return a[(slice(None),) * axis + (places,)]


def insert(arr, obj, values, axis=None):
    a = np.asarray(arr)
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis = _axis(axis, a.ndim)
    n = a.shape[axis]
    places = np.arange(n)[obj] if isinstance(obj, slice) else np.asarray(obj)
    places = np.nonzero(places)[0] if places.dtype == bool else places.astype(int)
    for k in places.reshape(-1).tolist():
        if not -n <= k <= n:
            raise IndexError(f"index {k} is out of bounds for axis {axis} with size {n}")
    values = np.asarray(values).astype(a.dtype)
    values = values.reshape((1,) * (a.ndim - values.ndim) + values.shape)
    if places.ndim == 0:
        values = np.moveaxis(values, 0, axis)
    places = np.where(places < 0, places + n, places).reshape(-1)
    if places.size == 1:
        # All of them go to that place.
        places = places + np.zeros(values.shape[axis], dtype=int)
    more = places.size
    values = np.broadcast_to(values, a.shape[:axis] + (more,) + a.shape[axis + 1:])
    order = np.argsort(np.append(np.arange(n) + 0.5, places))
    return _taken(concatenate([a, values], axis), axis, order)


def delete(arr, obj, axis=None):
    a = np.asarray(arr)
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis = _axis(axis, a.ndim)
    n = a.shape[axis]
    if isinstance(obj, slice):
        gone = set(range(n)[obj])
    elif np.asarray(obj).dtype == bool:
        if np.shape(obj) != (n,):
            raise ValueError(f"boolean array argument `obj` to delete must be one dimensional and match the axis length of {n}")
        gone = set(np.nonzero(obj)[0].tolist())
    else:
        places = [int(obj)] if np.ndim(obj) == 0 else [int(k) for k in np.asarray(obj)]
        for k in places:
            if not -n <= k < n:
                raise IndexError(f"index {k} is out of bounds for axis {axis} with size {n}")
        gone = {k % n for k in places}
    return _taken(a, axis, np.array([i for i in range(n) if i not in gone], dtype=int))


def array_split(ary, indices_or_sections, axis=0):
    a = np.asarray(ary)
    n = a.shape[axis]
    if np.ndim(indices_or_sections) == 0:
        parts = int(indices_or_sections)
        if parts <= 0:
            raise ValueError("number sections must be larger than 0.")
        each, more = divmod(n, parts)
        cuts = [0]
        for i in range(parts):
            cuts.append(cuts[-1] + each + (i < more))
    else:
        cuts = [0] + [int(k) for k in indices_or_sections] + [n]
    return [_taken(a, axis % a.ndim, slice(p, q)) for p, q in zip(cuts, cuts[1:])]


def split(ary, indices_or_sections, axis=0):
    a = np.asarray(ary)
    if np.ndim(indices_or_sections) == 0 and a.shape[axis] % int(indices_or_sections):
        raise ValueError("array split does not result in an equal division")
    return array_split(a, indices_or_sections, axis)


def hsplit(ary, indices_or_sections):
    return split(ary, indices_or_sections, 1 if np.ndim(ary) > 1 else 0)


def vsplit(ary, indices_or_sections):
    if np.ndim(ary) < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(ary, indices_or_sections, 0)


def dsplit(ary, indices_or_sections):
    if np.ndim(ary) < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return split(ary, indices_or_sections, 2)


def atleast_1d(*arys):
    made = [np.asarray(a) for a in arys]
    made = [a.reshape(1) if a.ndim == 0 else a for a in made]
    return made[0] if len(made) == 1 else tuple(made)


def atleast_2d(*arys):
    made = [np.asarray(a) for a in arys]
    made = [a.reshape(1, -1) if a.ndim < 2 else a for a in made]
    return made[0] if len(made) == 1 else tuple(made)


def atleast_3d(*arys):
    made = [np.asarray(a) for a in arys]
    made = [a.reshape(1, -1, 1) if a.ndim < 2 else a.reshape(a.shape + (1,)) if a.ndim == 2 else a for a in made]
    return made[0] if len(made) == 1 else tuple(made)


def swapaxes(a, axis1, axis2):
    a = np.asarray(a)
    axis1, axis2 = _axis(axis1, a.ndim, "axis1"), _axis(axis2, a.ndim, "axis2")
    order = list(range(a.ndim))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return a.transpose(order)


def moveaxis(a, source, destination):
    a = np.asarray(a)
    source, destination = _axes(source, a.ndim, "source"), _axes(destination, a.ndim, "destination")
    if len(source) != len(destination):
        raise ValueError("`source` and `destination` arguments must have the same number of elements")
    order = [n for n in range(a.ndim) if n not in source]
    for d, s in sorted(zip(destination, source)):
        order.insert(d, s)
    return a.transpose(order)


def transpose(a, axes=None):
    a = np.asarray(a)
    return a.transpose() if axes is None else a.transpose(axes)


permute_dims = transpose


def matrix_transpose(x, /):
    return swapaxes(x, -1, -2)


def rollaxis(a, axis, start=0):
    a = np.asarray(a)
    axis = _axis(axis, a.ndim)
    start = start + a.ndim if start < 0 else start
    return moveaxis(a, axis, start - (axis < start))


def broadcast_shapes(*shapes):
    shapes = [(s,) if isinstance(s, int) else tuple(s) for s in shapes]
    rank = max([len(s) for s in shapes], default=0)
    whole = []
    for column in zip(*[(1,) * (rank - len(s)) + s for s in shapes]):
        sizes = {n for n in column if n != 1}
        if len(sizes) > 1:
            raise ValueError(
                "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg 0 with shape "
                f"{str(shapes[0]).replace(' ', '')} and arg 1 with shape {str(shapes[1]).replace(' ', '')}."
            )
        whole.append(sizes.pop() if sizes else 1)
    return tuple(whole)


def broadcast_to(array, shape):
    a = np.asarray(array)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    fits = len(shape) >= a.ndim and all(n in (1, m) for n, m in zip(a.shape[::-1], shape[::-1]))
    if len(shape) < a.ndim:
        raise ValueError("input operand has more dimensions than allowed by the axis remapping")
    if not fits:
        raise ValueError(
            "operands could not be broadcast together with remapped shapes [original->remapped]: "
            f"{str(a.shape).replace(' ', '')}  and requested shape {str(shape).replace(' ', '')}"
        )
    return np._broadcast_to(a, shape)


def broadcast_arrays(*args):
    made = [np.asarray(a) for a in args]
    shape = broadcast_shapes(*[a.shape for a in made])
    return tuple(broadcast_to(a, shape) for a in made)


def flip(m, axis=None):
    m = np.asarray(m)
    axes = range(m.ndim) if axis is None else _axes(axis, m.ndim)
    return m[tuple(slice(None, None, -1) if i in axes else slice(None) for i in range(m.ndim))]


def flipud(m):
    return flip(m, 0)


def fliplr(m):
    if np.ndim(m) < 2:
        raise ValueError("Input must be >= 2-d.")
    return flip(m, 1)


def rot90(m, k=1, axes=(0, 1)):
    for _ in range(k % 4):
        m = flip(swapaxes(m, *axes), axes[0])
    return np.asarray(m)


def roll(a, shift, axis=None):
    a = np.asarray(a)
    if axis is None:
        return roll(a.reshape(-1), int(np.sum(shift)), 0).reshape(a.shape)
    shifts, axes = np.broadcast_arrays(shift, axis)
    for s, x in zip(shifts.reshape(-1).tolist(), axes.reshape(-1).tolist()):
        n = a.shape[x]
        a = _taken(a, x % a.ndim, np.array([(i - s) % n for i in range(n)], dtype=int))
    return a


def diagflat(v, k=0):
    return np.diag(np.asarray(v).reshape(-1), k)


def tri(N, M=None, k=0, dtype=float):
    return (np.arange(N)[:, None] + k >= np.arange(N if M is None else M)).astype(dtype)


def tril(m, k=0):
    m = np.asarray(m)
    return np.where(tri(*(m.shape * 2)[-2:], k, bool), m, np.zeros(1, m.dtype))


def triu(m, k=0):
    m = np.asarray(m)
    return np.where(tri(*(m.shape * 2)[-2:], k - 1, bool), np.zeros(1, m.dtype), m)


def outer(a, b, out=None):
    return np.multiply(np.reshape(a, (-1, 1)), np.reshape(b, (1, -1)), out=out)


def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None):
    """Makes an array with the same shape and type, filled with numbers."""
    made = np.empty(np.shape(a) if shape is None else shape, dtype or np.asarray(a).dtype, order=order)
    made[...] = fill_value
    return made


def meshgrid(*xi, indexing="xy", sparse=False, copy=True):
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    made = [np.asarray(x).reshape(-1) for x in xi]
    rank = len(made)
    grids = [a.reshape([-1 if d == i else 1 for d in range(rank)]) for i, a in enumerate(made)]
    if indexing == "xy" and rank > 1:
        grids = [np.swapaxes(g, 0, 1) for g in grids]
    return tuple(grids) if sparse else tuple(np.copy(g) for g in broadcast_arrays(*grids))


def indices(dimensions, dtype=int, sparse=False):
    grids = meshgrid(*[np.arange(n, dtype=dtype) for n in dimensions], indexing="ij", sparse=sparse)
    return grids if sparse else stack(grids)


def ix_(*args):
    made = [np.asarray(a, dtype=int if np.size(a) == 0 else None) for a in args]
    if any(a.ndim != 1 for a in made):
        raise ValueError("Cross index must be 1 dimensional")
    made = [np.nonzero(a)[0] if a.dtype == bool else a for a in made]
    return tuple(a.reshape([-1 if d == i else 1 for d in range(len(args))]) for i, a in enumerate(made))


def fromfunction(function, shape, dtype=float):
    return function(*indices(shape, dtype))


def fromiter(iter, dtype, count=-1):
    return np.array(list(iter), dtype=dtype)
