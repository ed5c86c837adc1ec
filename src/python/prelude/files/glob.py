"""glob: names of the program's own files that fit a pattern."""

import os
from fnmatch import fnmatchcase


def glob(pathname, *, recursive=False):
    folder, pattern = os.path.split(pathname)
    if not os.path.isdir(folder or "."):
        return []
    names = [n for n in os.listdir(folder or ".") if fnmatchcase(n, pattern)]
    return [os.path.join(folder, n) for n in names]


def iglob(pathname, *, recursive=False):
    return iter(glob(pathname))
