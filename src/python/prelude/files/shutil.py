"""shutil: copying and removing the program's own files."""

import os
from io import _absent


def copy(src, dst):
    if not os.path.isfile(src):
        _absent(os.fspath(src))
    if os.path.isdir(dst):
        dst = os.path.join(dst, os.path.basename(src))
    os._files[os._full(dst)] = os._files[os._full(src)]
    return dst


def copyfile(src, dst):
    return copy(src, dst)


def move(src, dst):
    os.rename(src, dst)
    return dst


def rmtree(path, ignore_errors=False):
    start = os._full(path)
    if start not in os._folders and not ignore_errors:
        _absent(os.fspath(path))
    for known in (os._files, os._folders):
        for full in [f for f in known if f == start or f.startswith(start + "/")]:
            del known[full]
