"""contextlib: context managers from functions."""

from functools import wraps


class _Manager:
    __module__ = "contextlib"

    def __init__(self, generator):
        self._generator = generator

    def __enter__(self):
        try:
            return next(self._generator)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, kind, error, trace):
        if kind is None:
            try:
                next(self._generator)
            except StopIteration:
                return False
            raise RuntimeError("generator didn't stop")
        try:
            self._generator.throw(error)
        except StopIteration:
            return True
        except BaseException as raised:
            if raised is error:
                return False
            raise
        raise RuntimeError("generator didn't stop after throw()")


def contextmanager(func):
    @wraps(func)
    def make(*args, **keywords):
        return _Manager(func(*args, **keywords))

    return make


class suppress:
    __module__ = "contextlib"

    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        return None

    def __exit__(self, kind, error, trace):
        return error is not None and isinstance(error, self._exceptions)


class nullcontext:
    __module__ = "contextlib"

    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *error):
        return None
