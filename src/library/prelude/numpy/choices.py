"""numpy: indices, sets, sorting, functions over elements."""

import numpy as np


def nonzero(a):
    a = np.asarray(a)
    if a.ndim == 0:
        raise ValueError("Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead.")
    return tuple(np._where(a != 0))


def where(condition, x=None, y=None):
    if x is None and y is None:
        return nonzero(condition)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    condition = np.asarray(condition) != 0
    if isinstance(x, str) or isinstance(y, str):
        return np._by_places(np._where, (condition, x, y), {})
    return np._where(condition, x, y)


def flatnonzero(a):
    return nonzero(np.asarray(a).reshape(-1))[0]


def argwhere(a):
    return np.stack(nonzero(a), axis=1)


def searchsorted(a, v, side="left", sorter=None):
    a = np.asarray(a)
    if sorter is not None:
        a = a[sorter]
    if side not in ("left", "right"):
        raise ValueError(f"search side must be 'left' or 'right' (got '{side}')")
    v = np.asarray(v)
    if a.ndim == 1 and a.dtype.kind in "if" and v.dtype.kind in "if":
        kind = np.result_type(a, v)
        # NaN lies at the end.
        sorted, values = (torch.as_tensor(t.astype(kind)) for t in (a[a == a], v))
        found = torch.searchsorted(sorted, values, right=side == "right").numpy()
        found = np.where(v != v, len(a) if side == "right" else len(sorted), found)
        return found if v.ndim else np.int64(found.item())
    keys = a.tolist()

    def one(x):
        low, high = 0, len(keys)
        while low < high:
            middle = (low + high) // 2
            if keys[middle] < x or side == "right" and keys[middle] == x:
                low = middle + 1
            else:
                high = middle
        return low

    if v.ndim == 0:
        return np.int64(one(v.item()))
    return np.array([one(x) for x in v.reshape(-1).tolist()], dtype=int).reshape(v.shape)


def digitize(x, bins, right=False):
    bins, side = np.asarray(bins), "left" if right else "right"
    steps = bins[1:] - bins[:-1]
    if not (steps >= 0).all() and not (steps <= 0).all():
        raise ValueError("bins must be monotonically increasing or decreasing")
    if (steps >= 0).all():
        return searchsorted(bins, x, side=side)
    return len(bins) - searchsorted(bins[::-1], x, side=side)


def take(a, indices, axis=None, out=None, mode="raise"):
    a, indices = np.asarray(a), np.asarray(indices)
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis = np._axis(axis, a.ndim)
    if mode != "raise":
        indices = _inside(indices, a.shape[axis], mode, "")
    return np._written(a[(slice(None),) * axis + (indices,)], out)


def compress(condition, a, axis=None, out=None):
    return take(a, nonzero(condition)[0], axis, out)


def put(a, ind, v, mode="raise"):
    ind = np.asarray(ind)
    ind = ind if mode == "raise" else _inside(ind, a.size, mode, "")
    a.flat[ind] = np.resize(v, ind.shape)


def take_along_axis(arr, indices, axis):
    arr, indices = np.asarray(arr), np.asarray(indices)
    places = list(np.ix_(*[np.arange(n) for n in indices.shape]))
    places[axis] = indices
    return arr[tuple(places)]


def put_along_axis(arr, indices, values, axis):
    indices = np.asarray(indices)
    places = list(np.ix_(*[np.arange(n) for n in indices.shape]))
    places[axis] = indices
    arr[tuple(places)] = values


def _inside(places, n, mode, message):
    """Indices of a length, by what becomes of those beyond it."""
    places = np.asarray(places)
    if mode == "wrap":
        return places % n
    if mode == "clip":
        return np.clip(places, 0, n - 1)
    if ((places < 0) | (places >= n)).any():
        raise ValueError(message)
    return places


def choose(a, choices, out=None, mode="raise"):
    a = _inside(a, len(choices), mode, "invalid entry in choice array")
    made = np.broadcast_arrays(a, *choices)
    found = made[1]
    for i, c in enumerate(made[1:]):
        found = np.where(made[0] == i, c, found)
    return np._written(found, out)


def partition(a, kth, axis=-1):
    return np.sort(a, axis=axis)


def argpartition(a, kth, axis=-1):
    return np.argsort(a, axis=axis)


def select(condlist, choicelist, default=0):
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    found = default
    for c, v in zip(reversed(condlist), reversed(choicelist)):
        found = np.where(c, v, found)
    return found


def lexsort(keys):
    keys = [np.asarray(k).tolist() for k in keys]
    return np.array(sorted(range(len(keys[0])), key=lambda i: [k[i] for k in reversed(keys)]), dtype=int)


def unravel_index(indices, shape, order="C"):
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    rest, size = np.asarray(indices), np.prod(shape, dtype=int)
    for k in rest.reshape(-1).tolist():
        if not 0 <= k < size:
            raise ValueError(f"index {k} is out of bounds for array with size {size}")
    found = []
    for n in shape if order == "F" else reversed(shape):
        found.append((rest % n)[()])
        rest = rest // n
    return tuple(found if order == "F" else found[::-1])


def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    dims = (dims,) if isinstance(dims, int) else tuple(dims)
    modes = (mode,) * len(dims) if isinstance(mode, str) else mode
    rows = [_inside(i, n, m, "invalid entry in coordinates array") for i, n, m in zip(multi_index, dims, modes)]
    pairs = list(zip(rows, dims))
    found = 0
    for i, n in pairs[::-1] if order == "F" else pairs:
        found = found * n + i
    return found[()]


def ndindex(*shape):
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = tuple(shape[0])
    whole = [()]
    for n in shape:
        whole = [p + (i,) for p in whole for i in range(n)]
    return iter(whole)


def ndenumerate(arr):
    arr = np.asarray(arr)
    return ((p, arr[p]) for p in ndindex(arr.shape))


class nditer:
    """The elements of an array one after the other, as views that can be written."""

    def __init__(self, op, flags=(), op_flags=(), op_dtypes=None, order="K", casting="safe"):
        ops = op if isinstance(op, (list, tuple)) and all(np.ndim(a) > 0 for a in op) else [op]
        self.operands = tuple(np.broadcast_arrays(*ops)) if len(ops) > 1 else (np.asarray(ops[0]),)
        self.shape = self.operands[0].shape
        self._places = list(ndindex(self.shape))
        self.itersize = len(self._places)
        self.iterindex = 0

    @property
    def finished(self):
        return self.iterindex >= self.itersize

    @property
    def multi_index(self):
        return self._places[self.iterindex]

    @property
    def index(self):
        return self.iterindex

    @property
    def value(self):
        found = tuple(a[self.multi_index + (...,)] for a in self.operands)
        return found if len(found) > 1 else found[0]

    def __getitem__(self, k):
        return self.operands[k][self.multi_index + (...,)]

    def __setitem__(self, k, value):
        self.operands[k][self.multi_index] = value

    def iternext(self):
        self.iterindex += 1
        return not self.finished

    def reset(self):
        self.iterindex = 0

    def __iter__(self):
        while not self.finished:
            found = self.value
            self.iterindex += 1
            yield found

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    rows = np.moveaxis(np.asarray(arr), axis, -1)
    found = [np.asarray(func1d(rows[p], *args, **kwargs)) for p in ndindex(rows.shape[:-1])]
    whole = np.array(found).reshape(rows.shape[:-1] + found[0].shape)
    return np.moveaxis(whole, -1, axis) if found[0].ndim else whole


def apply_over_axes(func, a, axes):
    a = np.asarray(a)
    for axis in axes if isinstance(axes, (tuple, list)) else [axes]:
        found = func(a, axis)
        a = found if found.ndim == a.ndim else np.expand_dims(found, axis)
    return a


class vectorize:
    __module__ = "numpy"

    def __init__(self, pyfunc=None, otypes=None, doc=None, excluded=None, cache=False, signature=None):
        self.otypes, self.excluded, self.signature = otypes, set(excluded or ()), signature
        self._doc = doc
        self._take(pyfunc)

    def _take(self, pyfunc):
        self.pyfunc = pyfunc
        self.__name__ = getattr(pyfunc, "__name__", "vectorize")
        self.__doc__ = self._doc or getattr(pyfunc, "__doc__", None)

    def __call__(self, *args, **kwargs):
        if self.pyfunc is None:
            # The options came first: @np.vectorize(otypes=[float]).
            self._take(args[0])
            return self
        if self.signature is not None:
            return self._by_cores(args)
        named = [n for n in kwargs if n not in self.excluded]
        places = [i for i in range(len(args)) if i not in self.excluded]
        made = np.broadcast_arrays(*[args[i] for i in places], *[kwargs[n] for n in named])
        if made[0].size == 0 and self.otypes is None:
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        results = []
        given = list(args)
        for row in zip(*[m.reshape(-1) for m in made]):
            for i, v in zip(places, row):
                given[i] = v
            kwargs.update(zip(named, row[len(places):]))
            results.append(self.pyfunc(*given, **kwargs))
        several = bool(results) and isinstance(results[0], tuple)
        columns = list(zip(*results)) if several else [results]
        types = self.otypes or [np.asarray(c[0]).dtype for c in columns]
        whole = tuple(np.array(c).astype(t).reshape(made[0].shape) for c, t in zip(columns, types))
        return whole if several else whole[0]

    def _by_cores(self, args):
        """Of a signature: the function takes the last dimensions whole."""
        taken, given = self.signature.replace(" ", "").split("->")
        ranks = [len([n for n in part.split(",") if n]) for part in taken[1:-1].split("),(")]
        if len(ranks) != len(args):
            raise TypeError(f"wrong number of positional arguments: expected {len(ranks)}, got {len(args)}")
        made = [np.asarray(a) for a in args]
        whole = np.broadcast_shapes(*[a.shape[:a.ndim - r] for a, r in zip(made, ranks)])
        made = [np.broadcast_to(a, whole + a.shape[a.ndim - r:]) for a, r in zip(made, ranks)]
        results = [self.pyfunc(*[a[p] for a in made]) for p in ndindex(whole)]
        columns = list(zip(*results)) if "),(" in given else [results]
        found = tuple(np.stack([np.asarray(v) for v in c]).reshape(whole + np.shape(c[0])) for c in columns)
        return found if "),(" in given else found[0]


def frompyfunc(func, nin, nout):
    return vectorize(func)


def divmod(x1, x2):
    return np.floor_divide(x1, x2), np.remainder(x1, x2)


def modf(x):
    return x - np.trunc(x), np.trunc(x)


def array_equiv(a1, a2):
    a1, a2 = np.asarray(a1), np.asarray(a2)
    try:
        a1, a2 = np.broadcast_arrays(a1, a2)
    except ValueError:
        return False
    return bool(np.all(a1 == a2))


def may_share_memory(a, b):
    return np.shares_memory(a, b)
