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


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None):
    a = np.asarray(ar)
    if axis is not None:
        rows = [r.tolist() for r in np.moveaxis(a, axis, 0)]
        keys = [tuple(np.asarray(r).reshape(-1).tolist()) for r in rows]
    else:
        keys = a.reshape(-1).tolist()
    order = sorted(range(len(keys)), key=lambda i: keys[i])
    first, inverse, counts = [], [0] * len(keys), []
    for i in order:
        if not first or keys[first[-1]] != keys[i]:
            first.append(i)
            counts.append(0)
        counts[-1] += 1
        inverse[i] = len(first) - 1
    places = np.array(first, dtype=int)
    found = [a.reshape(-1)[places] if axis is None else np.take(a, places, axis)]
    if return_index:
        found.append(places)
    if return_inverse:
        inverse = np.array(inverse, dtype=int)
        found.append(inverse.reshape(a.shape) if axis is None else inverse)
    if return_counts:
        found.append(np.array(counts, dtype=int))
    return tuple(found) if len(found) > 1 else found[0]


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


def isin(element, test_elements, assume_unique=False, invert=False):
    element = np.asarray(element)
    tests = set(np.asarray(test_elements).reshape(-1).tolist())
    found = np.array([v in tests for v in element.reshape(-1).tolist()], dtype=bool).reshape(element.shape)
    return (~found if invert else found)[()]


def intersect1d(ar1, ar2):
    first = unique(ar1)
    return first[isin(first, ar2)]


def union1d(ar1, ar2):
    return unique(np.append(ar1, ar2))


def setdiff1d(ar1, ar2):
    first = unique(ar1)
    return first[~isin(first, ar2)]


def setxor1d(ar1, ar2):
    return union1d(setdiff1d(ar1, ar2), setdiff1d(ar2, ar1))


def take(a, indices, axis=None):
    a = np.asarray(a)
    if axis is None:
        return a.reshape(-1)[np.asarray(indices)]
    return a[(slice(None),) * (axis % a.ndim) + (np.asarray(indices),)]


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


def choose(a, choices):
    a = np.asarray(a)
    made = np.broadcast_arrays(a, *choices)
    found = made[1]
    for i, c in enumerate(made[1:]):
        found = np.where(made[0] == i, c, found)
    return found


def select(condlist, choicelist, default=0):
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    found = default
    for c, v in zip(reversed(condlist), reversed(choicelist)):
        found = np.where(c, v, found)
    return found


def argpartition(a, kth, axis=-1):
    return np.argsort(a, axis=axis)


def partition(a, kth, axis=-1):
    return np.sort(a, axis=axis)


def lexsort(keys):
    keys = [np.asarray(k).tolist() for k in keys]
    return np.array(sorted(range(len(keys[0])), key=lambda i: [k[i] for k in reversed(keys)]), dtype=int)


def unravel_index(indices, shape):
    found = []
    rest = np.asarray(indices)
    for n in reversed(shape):
        found.append(rest % n)
        rest = rest // n
    return tuple(v[()] for v in reversed(found))


def ravel_multi_index(multi_index, dims):
    found = 0
    for i, n in zip(multi_index, dims):
        found = found * n + np.asarray(i)
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


class vectorize:
    def __init__(self, pyfunc, otypes=None, doc=None, excluded=None, cache=False, signature=None):
        self.pyfunc = pyfunc
        self.otypes = otypes
        self.__name__ = getattr(pyfunc, "__name__", "vectorize")
        self.__doc__ = doc or getattr(pyfunc, "__doc__", None)

    def __call__(self, *args, **kwargs):
        made = np.broadcast_arrays(*[np.asarray(a) for a in args])
        if made[0].size == 0 and self.otypes is None:
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        results = [self.pyfunc(*row, **kwargs) for row in zip(*[m.reshape(-1) for m in made])]
        several = bool(results) and isinstance(results[0], tuple)
        columns = list(zip(*results)) if several else [results]
        types = self.otypes or [np.asarray(c[0]).dtype for c in columns]
        whole = tuple(np.array(c).astype(t).reshape(made[0].shape) for c, t in zip(columns, types))
        return whole if several else whole[0]


def frompyfunc(func, nin, nout):
    return vectorize(func)


def divmod(x1, x2):
    return np.floor_divide(x1, x2), np.remainder(x1, x2)


def modf(x):
    return x - np.trunc(x), np.trunc(x)


def array_equiv(a1, a2):
    return bool(np.all(np.asarray(a1) == np.asarray(a2)))


def may_share_memory(a, b):
    return np.shares_memory(a, b)
