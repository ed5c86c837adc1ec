"""os.path: paths as text; the files are those of the program's own memory."""

from os import _exists, _files, _folders, _full, fspath

sep = "/"


def join(a, *p):
    path = fspath(a)
    for part in p:
        part = fspath(part)
        if part.startswith("/"):
            path = part
        elif path == "" or path.endswith("/"):
            path += part
        else:
            path += "/" + part
    return path


def split(p):
    p = fspath(p)
    at = p.rfind("/") + 1
    head, tail = p[:at], p[at:]
    if head and head != "/" * len(head):
        head = head.rstrip("/")
    return head, tail


def basename(p):
    return split(p)[1]


def dirname(p):
    return split(p)[0]


def splitext(p):
    p = fspath(p)
    name = p[p.rfind("/") + 1 :]
    at = name.rfind(".")
    if at <= 0 or name[:at].strip(".") == "":
        return p, ""
    return p[: len(p) - len(name) + at], name[at:]


def normpath(path):
    path = fspath(path)
    if path == "":
        return "."
    root = "/" if path.startswith("/") else ""
    parts = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part != ".." or (not root and not parts) or (parts and parts[-1] == ".."):
            parts.append(part)
        elif parts:
            parts.pop()
    return root + "/".join(parts) or "."


def abspath(path):
    return _full(path)


def realpath(path, *, strict=False):
    return _full(path)


def expanduser(path):
    path = fspath(path)
    return "/root" + path[1:] if path == "~" or path.startswith("~/") else path


def expandvars(path):
    return fspath(path)


def isabs(s):
    return fspath(s).startswith("/")


def relpath(path, start="."):
    a, b = _full(path).split("/")[1:], _full(start).split("/")[1:]
    a, b = [p for p in a if p], [p for p in b if p]
    same = 0
    while same < min(len(a), len(b)) and a[same] == b[same]:
        same += 1
    return "/".join([".."] * (len(b) - same) + a[same:]) or "."


def exists(path):
    return _exists(path)


def isfile(path):
    return _full(path) in _files


def isdir(s):
    return _full(s) in _folders


def getsize(filename):
    return len(_files[_full(filename)])
