import numpy as np
a = np.array([1, 2, 2, 4])
for side in ('left', 'right'):
    print(np.searchsorted(a, 2, side), np.searchsorted(a, [0, 2, 3, 4, 5], side), np.searchsorted(a, 2.5, side), np.searchsorted([1., 2., np.nan], [np.nan, 1.5, 3], side))
    print(repr(np.searchsorted(a, np.array([[1, 2], [3, 9]]), side)), np.searchsorted(np.array([1., np.inf]), [np.inf, np.nan, -np.inf], side))
    print(np.searchsorted(np.array([0.1, 0.2], dtype=np.float32), [0.1, 0.2], side), np.searchsorted([], [1.], side), np.searchsorted([1, 3], [], side))
    print(np.searchsorted(['a', 'c'], ['b'], side), np.searchsorted([False, True], [True], side), np.searchsorted(a, True, side), np.searchsorted(a.astype(np.uint8), [3], side))
print(np.searchsorted([3, 1, 2], [2], sorter=[1, 2, 0]), type(np.searchsorted(a, 2)), np.searchsorted(a, [1]).dtype)
print(np.digitize([0.5, 1., 2.5], [0, 1, 2]), np.digitize([0.5, 1., 2.5], [0, 1, 2], right=True))
print(np.histogram([1, 2, 2.5, 3, 4], [1, 2, 3, 4]))
