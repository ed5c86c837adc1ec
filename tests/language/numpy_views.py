import numpy as np


def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e)[:300])


a = np.arange(9).reshape(3, 3)
t(lambda: a[::-1, ::-1])
t(lambda: a[::-1, [0, 2]])
t(lambda: a[..., ::-1][:, 0])
t(lambda: a[-1, ::-2])
t(lambda: a[5:0:-1, 1])
t(lambda: np.arange(24).reshape(2, 3, 4)[-1, ::-2, [-2]])
t(lambda: np.arange(24).reshape(2, 3, 4)[1, :, [0, 2]])
t(lambda: a[::-1].T[::-1].strides)
b = a[::-1, ::2]
b[0] = -1
print(a)
b[...] += 10
print(a, b.sum(), b.mean(), b @ b.T if b.shape[0] == b.shape[1] else b.shape)
r = np.arange(6.)[::-1]
r[::-1] = r.copy()
print(r, r[1:4] @ r[1:4], np.sort(r), r.cumsum(), np.concatenate([r, r[::-2]]), r.reshape(2, 3), r[None, ::-1])
print(np.zeros(0).sum(), np.zeros((0, 3)).sum(0), np.sum([]), np.array([-0.0]).sum())
k = np.arange(6.).reshape(2, 3)
print(k[::-1, ::-1].ravel(), np.diagonal(k[:, ::-1]), k[::-1][0], (k[::-1] * k).tolist(), np.where(k[::-1] > 2))
