"""numpy.linalg: least squares, eigenvalues of any square matrix, and the SVD under NumPy's names."""

import collections
import numpy as np

EigResult = collections.namedtuple("EigResult", ["eigenvalues", "eigenvectors"])


def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    found = np.linalg._svd(a, full_matrices)
    return found if compute_uv else found[1]


def norm(x, ord=None, axis=None, keepdims=False):
    x = np.asarray(x)
    x = x if x.dtype.kind == "f" else x.astype(float)
    if ord is None and axis is None and not keepdims:
        flat = x.reshape(-1)
        return np.sqrt(np.dot(flat, flat))
    if ord in (None, 2) and isinstance(axis, int):
        return np.sqrt(np.sum(x * x, axis=axis, keepdims=keepdims))
    rank = x.ndim if axis is None else 1 if isinstance(axis, int) else len(axis)
    if isinstance(ord, str) and (rank == 1 or ord not in ("fro", "nuc")):
        raise ValueError(f"Invalid norm order '{ord}' for vectors" if rank == 1 else "Invalid norm order for matrices.")
    return np.linalg._norm(x, ord, axis, keepdims)


def lstsq(a, b, rcond=None):
    a, b = np.asarray(a) * 1.0, np.asarray(b) * 1.0
    if a.ndim != 2:
        raise np.linalg.LinAlgError(f"{a.ndim}-dimensional array given. Array must be two-dimensional")
    if a.shape[0] != b.shape[0]:
        raise np.linalg.LinAlgError("Incompatible dimensions")
    m, n = a.shape
    u, s, vh = np.linalg._svd(a, False)
    limit = (max(m, n) * 2.220446049250313e-16 if rcond is None else rcond) * (s[0] if s.size else 0.0)
    rank = int(np.sum(s > limit))
    inner = u[:, :rank].T @ b
    x = vh[:rank].T @ ((inner.T / s[:rank]).T)
    rest = np.empty((0,))
    if rank == n and m > n:
        away = b - a @ x
        rest = np.sum(away * away, axis=0)
        rest = rest.reshape(-1) if b.ndim == 1 else rest
    return x, rest, np.int32(rank), s


def _symmetric(a):
    return bool((a == a.T).all())


def eigvals(a):
    return eig(a)[0]


def eig(a):
    a = np.asarray(a) * 1.0
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    values, vectors = np.linalg._eig(a)
    return EigResult(values, vectors)
