"""numpy.char: methods of strings for each element of an array."""

import numpy as np


def _each(a, function):
    a = np.asarray(a)
    return np.array([function(v) for v in a.reshape(-1)]).reshape(a.shape)


def upper(a):
    return _each(a, str.upper)


def lower(a):
    return _each(a, str.lower)


def capitalize(a):
    return _each(a, str.capitalize)


def title(a):
    return _each(a, str.title)


def strip(a, chars=None):
    return _each(a, lambda v: v.strip(chars))


def replace(a, old, new, count=-1):
    return _each(a, lambda v: v.replace(old, new, count))


def str_len(a):
    return _each(a, len)


def isdigit(a):
    return _each(a, str.isdigit)


def isalpha(a):
    return _each(a, str.isalpha)


def startswith(a, prefix):
    return _each(a, lambda v: v.startswith(prefix))


def endswith(a, suffix):
    return _each(a, lambda v: v.endswith(suffix))


def find(a, sub):
    return _each(a, lambda v: v.find(sub))


def count(a, sub):
    return _each(a, lambda v: v.count(sub))


def zfill(a, width):
    return _each(a, lambda v: v.zfill(width))


def add(x1, x2):
    return np.asarray(x1) + np.asarray(x2)


def multiply(a, i):
    return _each(a, lambda v: v * i)


def equal(x1, x2):
    return np.asarray(x1) == np.asarray(x2)
