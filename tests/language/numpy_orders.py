import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

a = np.arange(6).reshape(2, 3)
print(a.flatten('F'), a.ravel('F'), a.ravel(order='F'), np.ravel(a, order='F'))
print(a.reshape(3, 2, order='F'), np.reshape(a, (3, 2), order='F'))
for made in (a.copy('F'), a.copy(order='F'), np.zeros((2, 3), order='F'), np.full((2, 3), 1, order='F'), np.asarray(a, order='F'), np.asfortranarray(a), np.array(a, order='C'), np.zeros_like(a, order='F'), a.astype(float, order='F')):
    print(made.strides, made.flags.c_contiguous, made.flags['F_CONTIGUOUS'])
print(np.array([[1, 2], [3, 4]], order='F'), a.T.flags.f_contiguous, a.T.flags.owndata, a.flags.writeable)
print(np.arange(3).flags)
print(sliding_window_view(np.arange(6), 3), np.lib.stride_tricks.sliding_window_view(a, (2, 2)), sliding_window_view(a, 2, axis=1).shape)
print(np.lib.stride_tricks.as_strided(np.arange(6), (2, 2), (8, 8)))
try:
    sliding_window_view(a, 5, axis=0)
except ValueError as e:
    print(e)
