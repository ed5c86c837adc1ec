"""pathlib: paths as text; the files are those of the program's own memory."""

import os
from fnmatch import fnmatchcase
from io import open as _open


class PurePosixPath:
    __module__ = "pathlib"

    def __init__(self, *args):
        path = os.path.join(*args) if args else ""
        root = "/" if path.startswith("/") else ""
        kept = [p for p in path.split("/") if p not in ("", ".")]
        self._path = root + "/".join(kept) or "."

    def __fspath__(self):
        return self._path

    def __str__(self):
        return self._path

    def __repr__(self):
        return f"{type(self).__name__}({self._path!r})"

    def __hash__(self):
        return hash(self._path)

    def __eq__(self, other):
        return isinstance(other, PurePosixPath) and self._path == other._path

    def __lt__(self, other):
        return self.parts < other.parts

    def __truediv__(self, other):
        return type(self)(self._path, other)

    def __rtruediv__(self, other):
        return type(self)(other, self._path)

    def joinpath(self, *others):
        return type(self)(self._path, *others)

    def as_posix(self):
        return self._path

    def is_absolute(self):
        return self._path.startswith("/")

    def match(self, pattern):
        return fnmatchcase(self.name, pattern)

    @property
    def parts(self):
        root = ("/",) if self._path.startswith("/") else ()
        return root + tuple(p for p in self._path.split("/") if p not in ("", "."))

    @property
    def name(self):
        return "" if self._path in ("/", ".") else os.path.basename(self._path)

    @property
    def suffix(self):
        return os.path.splitext(self.name)[1]

    @property
    def suffixes(self):
        return ["." + part for part in self.name.lstrip(".").split(".")[1:]]

    @property
    def stem(self):
        return os.path.splitext(self.name)[0]

    @property
    def parent(self):
        return type(self)(os.path.dirname(self._path))

    @property
    def parents(self):
        found = []
        path = self
        while path.parent != path:
            path = path.parent
            found.append(path)
        return tuple(found)

    def with_name(self, name):
        return self.parent / name

    def with_suffix(self, suffix):
        return self.with_name(self.stem + suffix)

    def relative_to(self, other):
        base = type(self)(other).parts
        if self.parts[: len(base)] != base:
            raise ValueError(f"{self._path!r} is not in the subpath of {str(other)!r}")
        return type(self)(*self.parts[len(base) :])


class Path(PurePosixPath):
    __module__ = "pathlib"

    def __repr__(self):
        return f"PosixPath({self._path!r})"

    @classmethod
    def cwd(cls):
        return cls(os.getcwd())

    @classmethod
    def home(cls):
        return cls("/root")

    def exists(self):
        return os.path.exists(self)

    def is_file(self):
        return os.path.isfile(self)

    def is_dir(self):
        return os.path.isdir(self)

    def resolve(self, strict=False):
        return type(self)(os.path.abspath(self))

    def absolute(self):
        return self.resolve()

    def expanduser(self):
        return type(self)(os.path.expanduser(self))

    def mkdir(self, mode=511, parents=False, exist_ok=False):
        if parents or exist_ok:
            os.makedirs(self, exist_ok=exist_ok)
        else:
            os.mkdir(self)

    def unlink(self, missing_ok=False):
        if not missing_ok or self.exists():
            os.remove(self)

    def rmdir(self):
        os.rmdir(self)

    def iterdir(self):
        return iter([self / name for name in os.listdir(self)])

    def glob(self, pattern):
        inside = self.iterdir() if self.is_dir() else []
        return iter([p for p in inside if fnmatchcase(p.name, pattern)])

    def open(self, mode="r", **options):
        return _open(self, mode)

    def read_text(self, encoding=None):
        with _open(self) as f:
            return f.read()

    def write_text(self, data, encoding=None):
        with _open(self, "w") as f:
            return f.write(data)


PosixPath = Path
PurePath = PurePosixPath
