"""numpy.linalg: least squares, real eigenvalues of any square matrix, and the SVD under NumPy's names."""

import math
import numpy as np

_EPS = 2.220446049250313e-16


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


def matrix_rank(A, tol=None, hermitian=False, *, rtol=None):
    if tol is not None and rtol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    A = np.asarray(A)
    if A.ndim < 2:
        return int(not np.all(A == 0))
    s = abs(np.linalg.eigvalsh(A)) if hermitian else svd(A, compute_uv=False)
    if tol is None:
        rtol = max(A.shape[-2:]) * np.finfo(s.dtype).eps if rtol is None else np.asarray(rtol)[..., None]
        tol = np.max(s, axis=-1, keepdims=True) * rtol
    else:
        tol = np.asarray(tol)[..., None]
    return np.count_nonzero(s > tol, axis=-1)


def eigvals(a):
    a = np.asarray(a) * 1.0
    if a.ndim < 2:
        raise np.linalg.LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")
    if a.shape[-1] != a.shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    if not np.isfinite(a).all():
        raise np.linalg.LinAlgError("Array must not contain infs or NaNs")
    found = [_real_eigenvalues(_hessenberg(_balanced(m)).tolist()) for m in a.reshape((-1,) + a.shape[-2:])]
    if None in found:
        raise NotImplementedError("complex numbers are not supported: arrays hold floats, integers and bools")
    return np.array(found).reshape(a.shape[:-1]).astype(a.dtype)


def _balanced(a):
    """Eigenvalues that can be read off at the ends; between them rows and columns of about one size."""
    a, first, last, more = a.copy(), 0, len(a) - 1, True

    def exchange(i, j):
        order = list(range(len(a)))
        order[i], order[j] = j, i
        a[...] = a[order][:, order]
    while more and last > 0:
        more = False
        for i in range(last, -1, -1):
            if last > 0 and i <= last and not np.any(np.delete(a[i, :last + 1], i)):
                exchange(i, last)
                more, last = True, last - 1
    more = True
    while more and first < last:
        more = False
        for j in range(first, last + 1):
            if first < last and not np.any(np.delete(a[first:last + 1, j], j - first)):
                exchange(j, first)
                more, first = True, first + 1
    more = True
    while more:
        more = False
        for i in range(first, last + 1):
            c, r = math.sqrt(np.sum(a[first:last + 1, i] ** 2)), math.sqrt(np.sum(a[i, first:last + 1] ** 2))
            if c == 0 or r == 0:
                continue
            before, f = c + r, 1.0
            while c < r / 2:
                f, c, r = f * 2, c * 2, r / 2
            while c / 2 >= r:
                f, c, r = f / 2, c / 2, r * 2
            if c + r < 0.95 * before:
                more = True
                a[i] /= f
                a[:, i] *= f
    return a


def _hessenberg(a):
    """Zero below the subdiagonal, by reflections."""
    for k in range(len(a) - 2):
        v = a[k + 1:, k].copy()
        if not np.any(v[1:]):
            continue
        v[0] += math.copysign(math.sqrt(np.sum(v * v)), v[0])
        v /= math.sqrt(np.sum(v * v))
        a[k + 1:] -= 2 * np.outer(v, v @ a[k + 1:])
        a[:, k + 1:] -= 2 * np.outer(a[:, k + 1:] @ v, v)
    return a


def _real_eigenvalues(a):
    """The eigenvalues of rows that are zero below the subdiagonal, by QR steps with two shifts; None: not all are real."""
    n = len(a)
    found, shift, last, steps = [0.0] * n, 0.0, n - 1, 0
    while last >= 0:
        low = last
        while low > 0:
            size = abs(a[low - 1][low - 1]) + abs(a[low][low])
            if abs(a[low][low - 1]) <= _EPS * size:
                a[low][low - 1] = 0.0
                break
            low -= 1
        x = a[last][last]
        if low == last:
            found[last], last, steps = x + shift, last - 1, 0
            continue
        y, w = a[last - 1][last - 1], a[last][last - 1] * a[last - 1][last]
        if low == last - 1:
            p = (y - x) / 2
            if p * p + w < 0:
                return None
            z = p + math.copysign(math.sqrt(p * p + w), p)
            found[last - 1] = x + shift + z
            found[last] = x + shift - w / z if z else found[last - 1]
            last, steps = last - 2, 0
            continue
        p = (y - x) / 2
        if p * p + w >= 0:
            # Both shifts are the eigenvalue of the last four that lies nearer to the last.
            root = math.sqrt(p * p + w)
            s, t = x + p + root, x + p - root
            x = y = s if abs(s - x) <= abs(t - x) else t
            w = 0.0
        steps += 1
        if steps > 60:
            return None
        if steps % 10 == 0:
            x = a[last][last]
            shift += x
            for i in range(last + 1):
                a[i][i] -= x
            size = abs(a[last][last - 1]) + abs(a[last - 1][last - 2])
            x = y = 0.75 * size
            w = -0.4375 * size * size
        _two_shifts(a, low, last, x, y, w)
    return found


def _two_shifts(a, low, last, x, y, w):
    """One QR step."""
    for m in range(last - 2, low - 1, -1):
        z = a[m][m]
        p = ((x - z) * (y - z) - w) / a[m + 1][m] + a[m][m + 1]
        q, r = a[m + 1][m + 1] - z - (x - z) - (y - z), a[m + 2][m + 1]
        size = abs(p) + abs(q) + abs(r)
        p, q, r = p / size, q / size, r / size
        if m == low or abs(a[m][m - 1]) * (abs(q) + abs(r)) <= _EPS * abs(p) * (abs(a[m - 1][m - 1]) + abs(z) + abs(a[m + 1][m + 1])):
            break
    for k in range(m, last):
        if k > m:
            p, q, r = a[k][k - 1], a[k + 1][k - 1], a[k + 2][k - 1] if k < last - 1 else 0.0
        s = math.copysign(math.sqrt(p * p + q * q + r * r), p)
        if s == 0:
            continue
        if k > m:
            a[k][k - 1], a[k + 1][k - 1] = -s, 0.0
            if k < last - 1:
                a[k + 2][k - 1] = 0.0
        elif low != m:
            a[k][k - 1] = -a[k][k - 1]
        p += s
        x, y, z, q, r = p / s, q / s, r / s, q / p, r / p
        for j in range(k, last + 1):
            t = a[k][j] + q * a[k + 1][j] + (r * a[k + 2][j] if k < last - 1 else 0.0)
            a[k][j] -= t * x
            a[k + 1][j] -= t * y
            if k < last - 1:
                a[k + 2][j] -= t * z
        for i in range(low, min(last, k + 3) + 1):
            t = x * a[i][k] + y * a[i][k + 1] + (z * a[i][k + 2] if k < last - 1 else 0.0)
            a[i][k] -= t
            a[i][k + 1] -= t * q
            if k < last - 1:
                a[i][k + 2] -= t * r
