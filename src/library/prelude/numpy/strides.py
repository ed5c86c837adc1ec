# numpy.lib.stride_tricks: views of arrays by steps in memory.

import numpy as np
import torch


def as_strided(x, shape=None, strides=None, subok=False, writeable=True):
    shape = x.shape if shape is None else shape
    strides = x.strides if strides is None else strides
    of = torch.from_numpy(x)
    return of.as_strided(shape, [s // x.itemsize for s in strides], of.storage_offset()).numpy()


def sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False):
    x = np.asarray(x)
    window = (window_shape,) if isinstance(window_shape, int) else tuple(window_shape)
    if any(w < 0 for w in window):
        raise ValueError("`window_shape` cannot contain negative values")
    if axis is None:
        axes = tuple(range(x.ndim))
        if len(window) != len(axes):
            raise ValueError(f"Since axis is None, must provide window_shape for all dimensions of `x`; got {len(window)} window_shape elements and `x.ndim` is {x.ndim}.")
    else:
        axes = tuple(a % x.ndim for a in ((axis,) if isinstance(axis, int) else axis))
        if len(window) != len(axes):
            raise ValueError(f"Must provide matching length window_shape and axis; got {len(window)} window_shape elements and {len(axes)} axes elements.")
    shape = list(x.shape)
    for a, w in zip(axes, window):
        if shape[a] < w:
            raise ValueError("window shape cannot be larger than input array shape")
        shape[a] -= w - 1
    return as_strided(x, tuple(shape) + window, x.strides + tuple(x.strides[a] for a in axes))
