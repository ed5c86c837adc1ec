"""tempfile: folders for a while, in the program's own memory."""

import os
import shutil

_made = [0]


def gettempdir():
    return "/tmp"


def mkdtemp(suffix="", prefix="tmp", dir=None):
    _made[0] += 1
    name = os.path.join(dir or gettempdir(), f"{prefix}{_made[0]}{suffix or ''}")
    os.makedirs(name)
    return name


class TemporaryDirectory:
    __module__ = "tempfile"

    def __init__(self, suffix="", prefix="tmp", dir=None):
        self.name = mkdtemp(suffix, prefix, dir)

    def __enter__(self):
        return self.name

    def __exit__(self, *error):
        self.cleanup()

    def cleanup(self):
        shutil.rmtree(self.name, ignore_errors=True)
