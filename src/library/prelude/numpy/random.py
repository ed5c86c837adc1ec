"""numpy.random: NumPy's two families of random numbers; a seed gives the numbers that NumPy gives."""

import math
import numpy as np
from numpy.random import _double, _doubles, _draws, _floyd, _integer, _integers, _legacy, _normal, _normals, _order, _pcg, _restore, _seed, _singles, _state, _usual

_BITS = {"bool": 1, "uint8": 8, "int16": 16, "int32": 32, "int64": 64}


def _words(n):
    """A whole number as words of 32 bits, the lowest first."""
    words = [n % 2**32]
    while n >= 2**32:
        n = n // 2**32
        words.append(n % 2**32)
    return words


def _legacy_words(seed):
    if seed is None:
        return [0]
    if isinstance(seed, str):
        raise TypeError("Cannot cast scalar from dtype('<U1') to dtype('int64') according to the rule 'safe'")
    if np.ndim(seed) == 0:
        return [int(seed)]
    words = [int(n) for n in seed]
    # One word in a list is a key, too: an empty second one keeps it apart from a number.
    return words if len(words) != 1 else [words[0], 0]


def _entropy(seed):
    if seed is None:
        return [0]
    if isinstance(seed, SeedSequence):
        return seed._entropy
    if isinstance(seed, (list, tuple, np.ndarray)):
        return [w for n in seed for w in _entropy(int(n))]
    if not hasattr(seed, "__index__") and not isinstance(seed, int):
        raise TypeError(f"SeedSequence expects int or sequence of ints for entropy not {seed!r}")
    if seed < 0:
        raise ValueError("expected non-negative integer")
    return _words(int(seed))


def _size(size):
    if isinstance(size, (tuple, list)):
        return tuple(size)
    if isinstance(size, float):
        raise TypeError("'float' object cannot be interpreted as an integer")
    return (int(size),)


def _shape(size, *parameters):
    """The shape of what is drawn; None for a single number."""
    if size is not None:
        return _size(size)
    shapes = [np.shape(p) for p in parameters]
    return None if all(s == () for s in shapes) else np.broadcast_shapes(*shapes)


def _positive(name, value):
    # A zero with a minus sign is refused, too.
    if any(math.copysign(1, v) < 0 for v in np.ravel(value).tolist() if v == v):
        raise ValueError(f'{name} < 0')


def _probabilities(p, n, message):
    p = np.asarray(p, dtype=float)
    if p.ndim != 1 or p.size != n:
        raise ValueError("'a' and 'p' must have same size" if p.ndim == 1 else "'p' must be 1-dimensional")
    if np.any(p < 0):
        raise ValueError("Probabilities are not non-negative" if message[0] == "P" else "probabilities are not non-negative")
    if abs(np.sum(p) - 1) > 1.4901161193847656e-08:
        raise ValueError(message)
    return p


class _Draws:
    """What RandomState and Generator share."""

    def _floats(self, shape):
        return _double(self._stream) if shape is None else _doubles(self._stream, shape)

    def standard_normal(self, size=None):
        return _normal(self._stream) if size is None else _normals(self._stream, _size(size))

    def normal(self, loc=0.0, scale=1.0, size=None):
        _positive('scale', scale)
        shape = _shape(size, loc, scale)
        return loc + scale * (_normal(self._stream) if shape is None else _normals(self._stream, shape))

    def uniform(self, low=0.0, high=1.0, size=None):
        low = low if np.ndim(low) == 0 else np.asarray(low) * 1.0
        high = high if np.ndim(high) == 0 else np.asarray(high) * 1.0
        if not np.all(np.isfinite(high - low)):
            raise OverflowError("Range exceeds valid bounds")
        return low + (high - low) * self._floats(_shape(size, low, high))

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        return np.exp(self.normal(mean, sigma, size))

    def _draw(self, name, size, *parameters):
        """Numbers of a distribution whose parameters are spread over what is drawn."""
        shape = _shape(size, *parameters)
        if shape is None:
            return _draws(self._stream, name, (), *[float(p) for p in (*parameters, 0, 0)[:2]]).item()
        spread = [float(p) if np.ndim(p) == 0 else np.broadcast_to(p, shape).astype(float).reshape(-1).tolist() for p in parameters]
        return _draws(self._stream, name, shape, *(spread + [0.0, 0.0])[:2])

    def _drawn_whole(self, name, size, *parameters):
        drawn = self._draw(name, size, *parameters)
        return int(drawn) if isinstance(drawn, float) else drawn.astype(int)

    def standard_exponential(self, size=None):
        return self._draw('exponential', size)

    def exponential(self, scale=1.0, size=None):
        _positive('scale', scale)
        return self._draw('exponential', _shape(size, scale)) * scale

    def standard_gamma(self, shape, size=None):
        _positive('shape', shape)
        return self._draw('gamma', size, shape)

    def gamma(self, shape, scale=1.0, size=None):
        _positive('shape', shape)
        _positive('scale', scale)
        return self._draw('gamma', _shape(size, shape, scale), shape) * scale

    def chisquare(self, df, size=None):
        if np.any(np.asarray(df) <= 0):
            raise ValueError('df <= 0')
        return 2.0 * self._draw('gamma', size, np.asarray(df) / 2.0 if np.ndim(df) else df / 2.0)

    def beta(self, a, b, size=None):
        for name, value in (('a', a), ('b', b)):
            if np.any(np.asarray(value) <= 0):
                raise ValueError(f'{name} <= 0')
        return self._draw('beta', size, a, b)

    def laplace(self, loc=0.0, scale=1.0, size=None):
        _positive('scale', scale)
        return self._draw('laplace', size, loc, scale)

    def logistic(self, loc=0.0, scale=1.0, size=None):
        _positive('scale', scale)
        return self._draw('logistic', size, loc, scale)

    def poisson(self, lam=1.0, size=None):
        if not np.all(np.asarray(lam) >= 0):
            raise ValueError('lam < 0 or lam is NaN')
        return self._drawn_whole('poisson', size, lam)

    def binomial(self, n, p, size=None):
        n = int(n) if np.ndim(n) == 0 else np.array([int(v) for v in np.ravel(n).tolist()]).reshape(np.shape(n))
        _positive('n', n)
        if not np.all((np.asarray(p) >= 0) & (np.asarray(p) <= 1)):
            raise ValueError('p < 0, p > 1 or p is NaN')
        return self._drawn_whole('binomial', size, n, p)

    def multinomial(self, n, pvals, size=None):
        pvals = np.asarray(pvals, dtype=float).tolist()
        if sum(pvals[:-1]) > 1.0 + 1e-12:
            raise ValueError('sum(pvals[:-1]) > 1.0')
        if not all(0 <= p <= 1 for p in pvals):
            raise ValueError('pvals < 0, pvals > 1 or pvals contains NaNs')
        n = int(n)
        shape = () if size is None else _size(size)
        rows = []
        for _ in range(int(np.prod(shape))):
            left, rest, row = n, 1.0, [0] * len(pvals)
            for k, p in enumerate(pvals[:-1]):
                row[k] = self.binomial(left, p / rest)
                left -= row[k]
                if left <= 0:
                    break
                rest -= p
            row[-1] = max(left, 0) if left > 0 else row[-1]
            rows.append(row)
        return np.array(rows).reshape((*shape, len(pvals)))

    def dirichlet(self, alpha, size=None):
        alpha = [float(a) for a in alpha]
        if any(a <= 0 if self._masked else a < 0 for a in alpha):
            raise ValueError('alpha <= 0' if self._masked else 'alpha < 0')
        shape = () if size is None else _size(size)
        rows = []
        for _ in range(int(np.prod(shape))):
            drawn = [self._draw('gamma', None, a) for a in alpha]
            part = 1 / sum(drawn)
            rows.append([g * part for g in drawn])
        return np.array(rows).reshape((*shape, len(alpha)))

    def rayleigh(self, scale=1.0, size=None):
        return scale * np.sqrt(-2.0 * np.log(1.0 - self._floats(_shape(size, scale))))

    def gumbel(self, loc=0.0, scale=1.0, size=None):
        return loc - scale * np.log(-np.log(1.0 - self._floats(_shape(size, loc, scale))))

    def _whole(self, low, high, size, dtype, endpoint, zero):
        """Whole numbers in NumPy's way of this family; `zero`: what is said where the range from 0 is empty."""
        if high is None:
            low, high = 0, low
        if np.ndim(low) or np.ndim(high):
            low, high = np.broadcast_arrays(low, high)
            shape = low.shape if size is None else _size(size)
            low, high = np.broadcast_to(low, shape), np.broadcast_to(high, shape)
            ends = zip(low.reshape(-1).tolist(), high.reshape(-1).tolist())
            return np.array([int(self._whole(a, b, None, dtype, endpoint, zero)) for a, b in ends], dtype=dtype).reshape(shape)
        name = np.dtype(dtype).name
        if name not in _BITS:
            raise TypeError(f"Unsupported dtype dtype('{name}') for {self._named}")
        low, most = int(low), int(high) if endpoint else int(high) - 1
        if most < low:
            raise ValueError(zero if low == 0 else "low > high" if endpoint else "low >= high")
        if size is None and name == "int64":
            return _integer(self._stream, low, most, self._masked)
        drawn = _integers(self._stream, low, most, self._masked, () if size is None else _size(size), _BITS[name])
        return drawn[()] if size is None else drawn

    def _choice(self, a, size, p, replaced, axis, empty, unequal, large):
        """Numbers below a, or elements of a; the texts say what is wrong with them."""
        whole = isinstance(a, (int, np.int64))
        if whole and a <= 0:
            raise ValueError(empty)
        if not whole:
            a = np.asarray(a)
        n = int(a) if whole else a.shape[axis]
        places = self._chosen(n, size, p, replaced, unequal, large)
        if size is None:
            places = int(places)
        if whole:
            return places
        return a[places] if axis == 0 else np.take(a, places, axis)

    def _chosen(self, n, size, p, replaced, unequal, large):
        """Places of what is drawn from n; None where they are drawn as whole numbers."""
        shape = () if size is None else _size(size)
        count = 1
        for k in shape:
            count *= k
        if n == 0 and count > 0:
            raise ValueError("'a' cannot be empty unless no samples are taken")
        if p is not None:
            p = _probabilities(p, n, unequal)
        if replaced:
            if p is None:
                return self._whole(0, n, size, "int64", False, "high <= 0")
            cdf = np.cumsum(p)
            cdf = cdf / cdf[-1]
            return np.searchsorted(cdf, self._floats(shape), side="right")
        if count > n:
            raise ValueError(large)
        if p is None:
            return self._some(n, count).reshape(shape)
        if np.sum(p > 0) < count:
            raise ValueError("Fewer non-zero entries in p than size")
        p, found = p.copy(), []
        while len(found) < count:
            x = self._floats((count - len(found),))
            for k in found:
                p[k] = 0
            cdf = np.cumsum(p)
            cdf = cdf / cdf[-1]
            for k in np.searchsorted(cdf, x, side="right").tolist():
                if k not in found:
                    found.append(k)
        return np.array(found, dtype=int).reshape(shape)

    def _reorder(self, x, order):
        """Writes the rows of x back in another order."""
        if isinstance(x, np.ndarray):
            x[:] = x[order]
        else:
            for k, item in enumerate([x[int(k)] for k in order]):
                x[k] = item

    def _length(self, x):
        if not hasattr(x, "__len__"):
            raise TypeError(f"object of type '{type(x).__name__}' has no len()")
        return len(x)

    def multivariate_normal(self, mean, cov, size=None, check_valid="warn", tol=1e-8):
        mean, cov = np.asarray(mean) * 1.0, np.asarray(cov) * 1.0
        if mean.ndim != 1:
            raise ValueError("mean must be 1 dimensional")
        if cov.ndim != 2 or cov.shape[0] != cov.shape[1]:
            raise ValueError("cov must be 2 dimensional and square")
        if mean.shape[0] != cov.shape[0]:
            raise ValueError("mean and cov must have same length")
        shape = () if size is None else _size(size)
        x = self.standard_normal((*shape, mean.size)).reshape(-1, mean.size)
        u, s, vh = np.linalg.svd(cov)
        made = x @ self._factor(u, s, vh) + mean
        return made.reshape((*shape, mean.size))


class RandomState(_Draws):
    """Numbers of mt19937, as np.random.seed and np.random.rand give them."""

    _named = "randint"
    _masked = True

    def __init__(self, seed=None):
        self._stream = _legacy(_legacy_words(seed))

    def __repr__(self):
        return "RandomState(MT19937)"

    def seed(self, seed=None):
        _seed(self._stream, _legacy_words(seed))

    def get_state(self, legacy=True):
        return ("MT19937", _state(self._stream))

    def set_state(self, state):
        _restore(self._stream, state[1])

    def random_sample(self, size=None):
        return self._floats(None if size is None else _size(size))

    def random(self, size=None):
        return self.random_sample(size)

    def rand(self, *shape):
        return self.random_sample(shape if shape else None)

    def randn(self, *shape):
        return self.standard_normal(shape if shape else None)

    def randint(self, low, high=None, size=None, dtype=int):
        return self._whole(low, high, size, dtype, False, "high <= 0")

    def random_integers(self, low, high=None, size=None):
        return self.randint(1 if high is None else low, (low if high is None else high) + 1, size)

    def choice(self, a, size=None, replace=True, p=None):
        if isinstance(a, float):
            raise ValueError("a must be 1-dimensional or an integer")
        if np.asarray(a).ndim > 1:
            raise ValueError("a must be 1-dimensional")
        return self._choice(
            a, size, p, replace, 0, "a must be greater than 0 unless no samples are taken", "probabilities do not sum to 1",
            "Cannot take a larger sample than population when 'replace=False'",
        )

    def _some(self, n, count):
        return _order(self._stream, n, 1, True)[:count]

    def shuffle(self, x):
        self._reorder(x, _order(self._stream, self._length(x), 1, True))

    def permutation(self, x):
        x = np.asarray(x)
        if x.ndim == 0:
            return _order(self._stream, int(x), 1, True)
        return x[_order(self._stream, len(x), 1, True)]

    def _factor(self, u, s, vh):
        return np.sqrt(s)[:, None] * vh


class SeedSequence:
    def __init__(self, entropy=None, *, spawn_key=()):
        self.entropy, self.spawn_key, self.n_children_spawned = entropy, tuple(spawn_key), 0
        self._entropy = _entropy(entropy)
        if self.spawn_key:
            self._entropy = self._entropy + [0] * (4 - len(self._entropy)) + [w for k in self.spawn_key for w in _words(k)]

    def spawn(self, n_children):
        first = self.n_children_spawned
        self.n_children_spawned += n_children
        return [SeedSequence(self.entropy, spawn_key=(*self.spawn_key, k)) for k in range(first, first + n_children)]


class PCG64:
    def __init__(self, seed=None):
        self.seed_seq = seed if isinstance(seed, SeedSequence) else SeedSequence(seed)
        self._entropy = self.seed_seq._entropy


class Generator(_Draws):
    """Numbers of PCG64, as np.random.default_rng gives them."""
    __module__ = "numpy.random._generator"

    _named = "integers"
    _masked = False

    def __init__(self, bit_generator):
        self.bit_generator = bit_generator
        self._stream = _pcg(bit_generator._entropy)

    def spawn(self, n_children):
        return [Generator(PCG64(seed)) for seed in self.bit_generator.seed_seq.spawn(n_children)]

    def __repr__(self):
        return "Generator(PCG64)"

    def random(self, size=None, dtype=np.float64, out=None):
        if np.dtype(dtype) == np.dtype(np.float32):
            drawn = _singles(self._stream, () if size is None else _size(size)).astype(np.float32)
            return drawn.item() if size is None else drawn
        return self._floats(None if size is None else _size(size))

    def integers(self, low, high=None, size=None, dtype=np.int64, endpoint=False):
        drawn = self._whole(low, high, size, dtype, endpoint, "high < 0" if endpoint else "high <= 0")
        return np.int64(drawn) if isinstance(drawn, int) else drawn

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        if isinstance(a, float):
            raise ValueError("a must be a sequence or an integer, not <class 'float'>")
        self._mixed = shuffle
        return self._choice(
            a, size, p, replace, axis, "a must be a positive integer unless no samples are taken",
            "Probabilities do not sum to 1. See Notes section of docstring for more information.",
            "Cannot take a larger sample than population when replace is False",
        )

    def _some(self, n, count):
        if n > 10000 and count > n // (50 if self._mixed else 20):
            return _order(self._stream, n, max(n - count, 1), False)[n - count:]
        return _floyd(self._stream, n, count, self._mixed)

    def shuffle(self, x, axis=0):
        if axis == 0:
            self._reorder(x, _order(self._stream, self._length(x), 1, self._reordered))
        else:
            x[:] = np.take(x, _order(self._stream, np.size(x, axis), 1, self._reordered), axis)

    def permutation(self, x, axis=0):
        x = np.asarray(x)
        if x.ndim == 0:
            return _order(self._stream, int(x), 1, self._reordered)
        return np.take(x, _order(self._stream, np.size(x, axis), 1, self._reordered), axis)

    def permuted(self, x, *, axis=None, out=None):
        made = np.array(x) if out is None else out
        if out is not None:
            made[:] = x
        if axis is None:
            flat = made.reshape(-1)
            made[:] = flat[_order(self._stream, flat.size, 1, self._reordered)].reshape(made.shape)
            return made
        rows = np.moveaxis(made, axis, -1)
        lines = rows.reshape(-1, rows.shape[-1])
        mixed = [lines[k][_order(self._stream, rows.shape[-1], 1, self._reordered)] for k in range(len(lines))]
        made[:] = np.moveaxis(np.stack(mixed).reshape(rows.shape), -1, axis)
        return made

    _reordered = True

    def _factor(self, u, s, vh):
        return (u * np.sqrt(s)).T


def default_rng(seed=None):
    if isinstance(seed, Generator):
        return seed
    return Generator(seed if isinstance(seed, PCG64) else PCG64(seed))


_own = RandomState(0)
_own._stream = _usual()

seed = _own.seed
get_state = _own.get_state
set_state = _own.set_state
rand = _own.rand
randn = _own.randn
random = _own.random
random_sample = _own.random_sample
ranf = _own.random_sample
sample = _own.random_sample
uniform = _own.uniform
normal = _own.normal
lognormal = _own.lognormal
rayleigh = _own.rayleigh
gumbel = _own.gumbel
standard_normal = _own.standard_normal
standard_exponential = _own.standard_exponential
exponential = _own.exponential
standard_gamma = _own.standard_gamma
gamma = _own.gamma
chisquare = _own.chisquare
beta = _own.beta
laplace = _own.laplace
logistic = _own.logistic
poisson = _own.poisson
binomial = _own.binomial
multinomial = _own.multinomial
dirichlet = _own.dirichlet
multivariate_normal = _own.multivariate_normal
randint = _own.randint
random_integers = _own.random_integers
choice = _own.choice
shuffle = _own.shuffle
permutation = _own.permutation
