"""numpy: arrays as sets."""

import numpy as np


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


def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    element = np.asarray(element)
    # A set is one object, which equals no element.
    tests = test_elements if isinstance(test_elements, (set, frozenset)) else np.asarray(test_elements).reshape(-1).tolist()
    tests = set() if tests is test_elements else set(tests)
    found = np.array([v in tests for v in element.reshape(-1).tolist()], dtype=bool).reshape(element.shape)
    return np.asarray(~found if invert else found)


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    first, i = unique(ar1, return_index=True)
    second, j = unique(ar2, return_index=True)
    common = isin(first, second)
    return (first[common], i[common], j[isin(second, first)]) if return_indices else first[common]


def union1d(ar1, ar2):
    return unique(np.append(ar1, ar2))


def setdiff1d(ar1, ar2, assume_unique=False):
    first = np.ravel(ar1) if assume_unique else unique(ar1)
    return first[~isin(first, ar2)]


def setxor1d(ar1, ar2, assume_unique=False):
    return union1d(setdiff1d(ar1, ar2), setdiff1d(ar2, ar1))
