"""sys: information about the interpreter."""


from sys import _write_error
from traceback import _handled


def _write(text):
    print(text, end="")


class _Stream:
    def __init__(self, write):
        self._write = write

    def write(self, text, /):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._write(text)
        return len(text)

    def writelines(self, lines, /):
        for line in lines:
            self.write(line)

    def flush(self):
        pass

    def isatty(self):
        return False


class _Info:
    def __init__(self, **values):
        for name, value in values.items():
            setattr(self, name, value)


class _Version(tuple):
    major, minor, micro = 3, 11, 7

    def __repr__(self):
        return "sys.version_info(major=3, minor=11, micro=7, releaselevel='final', serial=0)"


stdout = _Stream(_write)
stderr = _Stream(_write_error)
argv = [""]
path = []
modules = {}
maxsize = 9223372036854775807
byteorder = "little"
platform = "linux"
version = "3.11.7"
version_info = _Version((3, 11, 7, "final", 0))
float_info = _Info(
    max=1.7976931348623157e308,
    min=2.2250738585072014e-308,
    epsilon=2.220446049250313e-16,
    dig=15,
    mant_dig=53,
    max_exp=1024,
    min_exp=-1021,
    radix=2,
)


def exit(status=None, /):
    raise SystemExit() if status is None else SystemExit(status)


def exc_info():
    e = _handled()
    return (None, None, None) if e is None else (type(e), e, e.__traceback__)


def getrecursionlimit():
    return 1000


def setrecursionlimit(limit, /):
    pass
