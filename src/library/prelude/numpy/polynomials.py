"""numpy: polynomials by their coefficients, the highest power first."""

import numpy as np


def vander(x, N=None, increasing=False):
    x = np.asarray(x)
    n = x.size if N is None else N
    powers = [np.ones_like(x)]
    for _ in range(n - 1):
        powers.append(powers[-1] * x)
    return np.stack(powers[:n] if increasing else powers[:n][::-1], axis=1)


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    x, y = np.asarray(x) * 1.0, np.asarray(y) * 1.0
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if x.size == 0:
        raise TypeError("expected non-empty vector for x")
    if x.shape[0] != y.shape[0]:
        raise TypeError("expected x and y to have same length")
    left = vander(x, deg + 1)
    if w is not None:
        left, y = left * np.asarray(w)[:, None], (y.T * np.asarray(w)).T
    scale = np.sqrt((left * left).sum(axis=0))
    rcond = x.size * np.finfo(x.dtype).eps if rcond is None else rcond
    c, rest, rank, s = np.linalg.lstsq(left / scale, y, rcond)
    c = (c.T / scale).T
    if full:
        return c, rest, rank, s, rcond
    if not cov:
        return c
    left = left / scale
    base = np.linalg.inv(left.T @ left) / np.outer(scale, scale)
    if not isinstance(cov, str):
        if x.size <= deg + 1:
            raise ValueError("the number of data points must exceed order to scale the covariance matrix")
        base = (base if y.ndim == 1 else base[:, :, None]) * (rest / (x.size - deg - 1))
    return c, base


def polyval(p, x):
    if isinstance(x, poly1d):
        y = 0
    else:
        x = np.asarray(x)
        y = np.zeros_like(x)
    for c in np.asarray(_numbers(p)):
        y = y * x + c
    return y


def _numbers(p):
    return p.coeffs if isinstance(p, poly1d) else p


def _as_given(found, *given):
    """As a polynomial where one was given."""
    return poly1d(found) if any(isinstance(p, poly1d) for p in given) else found


def polyder(p, m=1):
    if m < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    found = np.asarray(_numbers(p))
    for _ in range(m):
        found = found[:-1] * np.arange(found.size - 1, 0, -1)
    return _as_given(found, p)


def polyint(p, m=1, k=None):
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    k = np.zeros(m) if k is None else np.atleast_1d(k)
    k = k * np.ones(m) if k.size == 1 else k
    if k.size < m:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    found = np.asarray(_numbers(p))
    for i in range(m):
        found = np.concatenate([found / np.arange(found.size, 0, -1), k[i:i + 1]])
    return _as_given(found, p)


def _beside(a1, a2):
    a1, a2 = np.atleast_1d(_numbers(a1)), np.atleast_1d(_numbers(a2))
    n = max(a1.size, a2.size)
    return np.pad(a1, (n - a1.size, 0)), np.pad(a2, (n - a2.size, 0))


def polyadd(a1, a2):
    p, q = _beside(a1, a2)
    return _as_given(p + q, a1, a2)


def polysub(a1, a2):
    p, q = _beside(a1, a2)
    return _as_given(p - q, a1, a2)


def polymul(a1, a2):
    return _as_given(np.convolve(_numbers(a1), _numbers(a2)), a1, a2)


def polydiv(u, v):
    p, q = np.atleast_1d(_numbers(u)) * 1.0, np.atleast_1d(_numbers(v)) * 1.0
    n, rest = q.size, p.copy()
    found = np.zeros(max(p.size - n + 1, 1))
    for k in range(p.size - n + 1):
        found[k] = rest[k] / q[0]
        rest[k:k + n] -= found[k] * q
    while rest.size > 1 and np.allclose(rest[0], 0, rtol=1e-14):
        rest = rest[1:]
    return _as_given(found, u, v), _as_given(rest, u, v)


def poly(seq_of_zeros):
    zeros = np.atleast_1d(seq_of_zeros)
    if zeros.ndim == 2 and zeros.shape[0] == zeros.shape[1]:
        zeros = np.linalg.eigvals(zeros)
    elif zeros.ndim != 1:
        raise ValueError("input must be 1d or non-empty square 2d array.")
    found = np.array([1.0])
    for zero in zeros:
        found = np.convolve(found, np.array([1.0, -zero]))
    return found


def roots(p):
    p = np.atleast_1d(_numbers(p))
    if p.ndim != 1:
        raise ValueError("Input must be a rank-1 array.")
    kept = np.nonzero(p)[0]
    if kept.size == 0:
        return np.array([])
    zeros = np.zeros(p.size - kept[-1] - 1)
    p = p[kept[0]:kept[-1] + 1] * 1.0
    if p.size == 1:
        return zeros
    companion = np.eye(p.size - 1, k=-1)
    companion[0] = -p[1:] / p[0]
    return np.concatenate([np.linalg.eigvals(companion), zeros])


class poly1d:
    __module__ = "numpy"

    def __init__(self, c_or_r, r=False, variable=None):
        c = np.atleast_1d(_numbers(c_or_r))
        if c.ndim > 1:
            raise ValueError("Polynomial must be 1d only.")
        c = poly(c) if r else c
        kept = [i for i, v in enumerate(c.tolist()) if v != 0]
        self.coeffs = c[kept[0]:] if kept else np.zeros(1, dtype=c.dtype)
        self.variable = variable or getattr(c_or_r, "variable", "x")

    @property
    def c(self):
        return self.coeffs

    coef = coefficients = c

    @property
    def order(self):
        return len(self.coeffs) - 1

    o = order

    @property
    def roots(self):
        return roots(self.coeffs)

    r = roots

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.coeffs, dtype=dtype)

    def __call__(self, val):
        return polyval(self.coeffs, val)

    def __repr__(self):
        return f"poly1d({repr(self.coeffs)[6:-1]})"

    def __str__(self):
        lines, above, below = [], "", ""
        for k, c in enumerate(self.coeffs.tolist()):
            number, power = f"{c:.4g}", str(self.order - k)
            if number == "0" and self.order > 0:
                continue
            sign = "" if k == 0 else " - " if number[0] == "-" else " + "
            number = number if k == 0 else number.lstrip("-")
            if power == "0":
                below += sign + number
                continue
            term = f"{sign}{number} {self.variable}"
            if power == "1":
                below += term
                continue
            if len(below) + len(term) + len(power) - 1 > 70:
                lines += [above, below]
                above = below = ""
            above = above.ljust(len(below)) + " " * (len(term) - 1) + power
            below += term + " " * (len(power) - 1)
        return " " + "\n ".join(lines[i] + "\n" + lines[i + 1] for i in range(0, len(lines), 2)) + ("\n " if lines else "") + above + "\n" + below

    def __len__(self):
        return self.order

    def __iter__(self):
        return iter(self.coeffs)

    def __getitem__(self, k):
        return self.coeffs[self.order - k] if 0 <= k <= self.order else self.coeffs.dtype.type(0)

    def __setitem__(self, k, value):
        if k < 0:
            raise ValueError("Does not support negative powers.")
        self.coeffs = np.concatenate([np.zeros(max(k - self.order, 0), self.coeffs.dtype), self.coeffs])
        self.coeffs[self.order - k] = value

    def __neg__(self):
        return poly1d(-self.coeffs)

    def __pos__(self):
        return self

    def __add__(self, other):
        return poly1d(polyadd(self, other))

    def __sub__(self, other):
        return poly1d(polysub(self, other))

    def __rsub__(self, other):
        return poly1d(polysub(other, self))

    def __mul__(self, other):
        return poly1d(polymul(self, other))

    __radd__ = __add__
    __rmul__ = __mul__

    def __truediv__(self, other):
        return poly1d(self.coeffs / other) if np.isscalar(other) else polydiv(self, other)

    def __rtruediv__(self, other):
        return poly1d(other / self.coeffs) if np.isscalar(other) else polydiv(other, self)

    def __pow__(self, n):
        if not np.isscalar(n) or int(n) != n or n < 0:
            raise ValueError("Power to non-negative integers only.")
        found = [1]
        for _ in range(n):
            found = polymul(self.coeffs, found)
        return poly1d(found)

    def __eq__(self, other):
        if not isinstance(other, poly1d):
            return NotImplemented
        return self.coeffs.shape == other.coeffs.shape and (self.coeffs == other.coeffs).all()

    def __ne__(self, other):
        return NotImplemented if not isinstance(other, poly1d) else not self == other

    def deriv(self, m=1):
        return polyder(self, m)

    def integ(self, m=1, k=0):
        return polyint(self, m, k)
