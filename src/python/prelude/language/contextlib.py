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


def _entered(cm):
    with cm as value:
        yield value


class ExitStack:
    __module__ = "contextlib"

    def __init__(self):
        self._exits = []

    def enter_context(self, cm):
        manager = _Manager(_entered(cm))
        value = manager.__enter__()
        self._exits.append(manager.__exit__)
        return value

    def push(self, exit):
        self._exits.append(exit.__exit__ if hasattr(exit, "__exit__") else exit)
        return exit

    def callback(self, callback, /, *args, **kwds):
        def leave(kind, error, trace):
            callback(*args, **kwds)

        self._exits.append(leave)
        return callback

    def pop_all(self):
        other = type(self)()
        other._exits, self._exits = self._exits, []
        return other

    def close(self):
        self.__exit__(None, None, None)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        first = error
        while self._exits:
            leave = self._exits.pop()
            try:
                if leave(None if error is None else type(error), error, None):
                    error = None
            except BaseException as raised:
                error = raised
        if error is not None and error is not first:
            raise error
        return first is not None and error is None


class ContextDecorator:
    """A context manager that is a decorator too."""

    def __call__(self, func):
        @wraps(func)
        def inside(*args, **keywords):
            with self:
                return func(*args, **keywords)

        return inside


class closing:
    __module__ = "contextlib"

    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *error):
        self.thing.close()
