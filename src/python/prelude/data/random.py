"""random: what is made of the draws that the module has in Rust, and generators of their own."""

import math

import random
from random import _of_words, _sample, _swap, _words


def choices(population, weights=None, *, cum_weights=None, k=1):
    population = list(population)
    n = len(population)
    if cum_weights is None and weights is None:
        return [population[math.floor(random.random() * n)] for _ in range(k)]
    from bisect import bisect
    from itertools import accumulate

    if cum_weights is None:
        cum_weights = list(accumulate(weights))
    elif weights is not None:
        raise TypeError("Cannot specify both weights and cumulative weights")
    if len(cum_weights) != n:
        raise ValueError("The number of weights does not match the population")
    total = cum_weights[-1] + 0.0
    if total <= 0:
        raise ValueError("Total of weights must be greater than zero")
    if not math.isfinite(total):
        raise ValueError("Total of weights must be finite")
    return [population[bisect(cum_weights, random.random() * total, 0, n - 1)] for _ in range(k)]


def sample(population, k, *, counts=None):
    if isinstance(population, (set, dict)):
        raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
    if counts is None:
        return _sample(population, k)
    return _sample([x for x, n in zip(population, counts) for _ in range(n)], k)


def triangular(low=0.0, high=1.0, mode=None):
    u = random.random()
    if high == low:
        return low
    c = 0.5 if mode is None else (mode - low) / (high - low)
    if u > c:
        u, c, low, high = 1.0 - u, 1.0 - c, high, low
    return low + (high - low) * math.sqrt(u * c)


def expovariate(lambd=1.0):
    return -math.log(1.0 - random.random()) / lambd


def lognormvariate(mu=0.0, sigma=1.0):
    return math.exp(random.normalvariate(mu, sigma))


def vonmisesvariate(mu, kappa):
    if kappa <= 1e-6:
        return 2 * math.pi * random.random()
    s = 0.5 / kappa
    r = s + math.sqrt(1.0 + s * s)
    while True:
        z = math.cos(math.pi * random.random())
        d = z / (r + z)
        u = random.random()
        if u < 1.0 - d * d or u <= (1.0 - d) * math.exp(d):
            break
    q = 1.0 / r
    f = (q + z) / (1.0 + q * z)
    sign = 1 if random.random() > 0.5 else -1
    return (mu + sign * math.acos(f)) % (2 * math.pi)


def gammavariate(alpha, beta):
    if alpha <= 0.0 or beta <= 0.0:
        raise ValueError("gammavariate: alpha and beta must be > 0.0")
    if alpha == 1.0:
        return -math.log(1.0 - random.random()) * beta
    if alpha > 1.0:
        # Cheng's method.
        spread = math.sqrt(2.0 * alpha - 1.0)
        b = alpha - math.log(4)
        c = alpha + spread
        while True:
            u = random.random()
            if not 1e-7 < u < 0.9999999:
                continue
            other = 1.0 - random.random()
            v = math.log(u / (1.0 - u)) / spread
            x = alpha * math.exp(v)
            z = u * u * other
            r = b + c * v - x
            if r + (1.0 + math.log(4.5)) - 4.5 * z >= 0.0 or r >= math.log(z):
                return x * beta
    while True:
        # Ahrens and Dieter's method.
        b = (math.e + alpha) / math.e
        p = b * random.random()
        x = p ** (1.0 / alpha) if p <= 1.0 else -math.log((b - p) / alpha)
        u = random.random()
        if p > 1.0:
            if u <= x ** (alpha - 1.0):
                return x * beta
        elif u <= math.exp(-x):
            return x * beta


def betavariate(alpha, beta):
    y = gammavariate(alpha, 1.0)
    return y / (y + gammavariate(beta, 1.0)) if y else 0.0


def paretovariate(alpha):
    return (1.0 - random.random()) ** (-1.0 / alpha)


def weibullvariate(alpha, beta):
    return alpha * (-math.log(1.0 - random.random())) ** (1.0 / beta)



def getstate():
    return _words()


def setstate(state):
    version, words, spare = state
    if version not in (2, 3):
        raise ValueError(f"state with version {version} passed to Random.setstate() of version 3")
    _of_words(words, spare)


def _of_its_own(name):
    def method(self, *args, **keywords):
        usual = _swap(self._state)
        try:
            return getattr(random, name)(*args, **keywords)
        finally:
            self._state = _swap(usual)

    method.__name__ = name
    return method


class Random:
    __module__ = "random"

    def __init__(self, x=None):
        self._state = None
        self.seed(x)

    betavariate = _of_its_own("betavariate")
    choice = _of_its_own("choice")
    choices = _of_its_own("choices")
    expovariate = _of_its_own("expovariate")
    gammavariate = _of_its_own("gammavariate")
    gauss = _of_its_own("gauss")
    getrandbits = _of_its_own("getrandbits")
    getstate = _of_its_own("getstate")
    lognormvariate = _of_its_own("lognormvariate")
    normalvariate = _of_its_own("normalvariate")
    paretovariate = _of_its_own("paretovariate")
    randint = _of_its_own("randint")
    random = _of_its_own("random")
    randrange = _of_its_own("randrange")
    sample = _of_its_own("sample")
    seed = _of_its_own("seed")
    setstate = _of_its_own("setstate")
    shuffle = _of_its_own("shuffle")
    triangular = _of_its_own("triangular")
    uniform = _of_its_own("uniform")
    vonmisesvariate = _of_its_own("vonmisesvariate")
    weibullvariate = _of_its_own("weibullvariate")
