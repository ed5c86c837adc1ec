import numpy as np

x = np.arange(4.).reshape(2, 2)
it = np.nditer(x, flags=['multi_index'], op_flags=['readwrite'])
while not it.finished:
    print(it.multi_index, it[0]); it.iternext()
for p in np.nditer(x, op_flags=['readwrite']): p[...] = p*2
print(x)
for p in np.nditer(x, op_flags=['readwrite']): p += 1
print(x)
for v in np.nditer(x): print(v, end=' ')
it = np.nditer(x, flags=['multi_index'], op_flags=['readwrite'])
while not it.finished:
    ix = it.multi_index; old = x[ix]; x[ix] = old + 1; x[ix] = old; it.iternext()
print(x)
