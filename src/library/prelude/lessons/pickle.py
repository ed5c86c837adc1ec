# pickle: values in streams, or as objects of their own.

from torch import _Pickled, _copied, _read, _written


class PickleError(Exception):
    __module__ = '_pickle'


class PicklingError(PickleError):
    __module__ = '_pickle'


class UnpicklingError(PickleError):
    __module__ = '_pickle'


HIGHEST_PROTOCOL = 5
DEFAULT_PROTOCOL = 4


def dump(obj, file, protocol=None, **options):
    _written(obj, file)


def load(file, **options):
    return _read(file)


def dumps(obj, protocol=None, **options):
    return _Pickled(_copied(obj, {}))


def loads(data, **options):
    if not isinstance(data, _Pickled):
        raise TypeError(f"a bytes-like object is required, not '{type(data).__name__}'")
    return _copied(data._value, {})
