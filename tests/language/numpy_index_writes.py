import numpy as np
a = np.zeros((3,3)); a[[0,1,2],[2,1,0]] = np.array([1,2,3]); print(a)
a = np.zeros(3); a[[0,1]] = [1,2]; print(a); a[a > 0] = np.array([5, 6]); print(a)
b = np.zeros(3, dtype=int); b[[0,1]] = [1.7, -2.5]; print(b); b[[True, False, True]] = np.array([1.5, 2.5]); print(b)
c = np.zeros(2, dtype=np.float32); c[np.arange(2)] = np.array([.1, .2]); print(c, c.dtype)
d = np.zeros(3, dtype=bool); d[[0, 2]] = [2, 0]; print(d); d[np.array([1])] = 3.5; print(d)
a[[0]] = np.float64(3); a[[1]] = np.array([7]); a[2] = np.array(4); print(a)
a[[0, 1]] += [1, 1]; print(a); np.add.at(a, [0, 0], [1, 2]); print(a)
a[np.array([0, 1])] = True; print(a)
