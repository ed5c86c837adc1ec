"""inspect: what functions take, and the frames of calls."""

from collections import namedtuple
from inspect import _frame, _parameters, _source

ArgInfo = namedtuple("ArgInfo", ["args", "varargs", "keywords", "locals"])


class _empty:
    pass


_KINDS = [
    "POSITIONAL_ONLY",
    "POSITIONAL_OR_KEYWORD",
    "VAR_POSITIONAL",
    "KEYWORD_ONLY",
    "VAR_KEYWORD",
]


class _Kind(int):
    def __repr__(self):
        return _KINDS[int(self)]

    @property
    def name(self):
        return _KINDS[int(self)]


class Parameter:
    __module__ = "inspect"
    empty = _empty
    POSITIONAL_ONLY = _Kind(0)
    POSITIONAL_OR_KEYWORD = _Kind(1)
    VAR_POSITIONAL = _Kind(2)
    KEYWORD_ONLY = _Kind(3)
    VAR_KEYWORD = _Kind(4)

    def __init__(self, name, kind, *, default=_empty, annotation=_empty):
        self.name = name
        self.kind = _Kind(kind)
        self.default = default
        self.annotation = annotation

    def __str__(self):
        text = {2: "*", 4: "**"}.get(int(self.kind), "") + self.name
        noted = self.annotation is not _empty
        if noted:
            text += ": " + _noted(self.annotation)
        if self.default is not _empty:
            text += (" = " if noted else "=") + repr(self.default)
        return text

    def __repr__(self):
        return f'<Parameter "{self}">'


def _noted(annotation):
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", repr(annotation))


class Signature:
    __module__ = "inspect"
    empty = _empty

    def __init__(self, parameters=(), *, return_annotation=_empty):
        self.parameters = {p.name: p for p in parameters}
        self.return_annotation = return_annotation

    def __str__(self):
        shown = []
        kinds = [int(p.kind) for p in self.parameters.values()]
        for k, p in enumerate(self.parameters.values()):
            if kinds[k] == 3 and 2 not in kinds and (k == 0 or kinds[k - 1] != 3):
                shown.append("*")
            shown.append(str(p))
            if kinds[k] == 0 and (k + 1 == len(kinds) or kinds[k + 1] != 0):
                shown.append("/")
        arrow = "" if self.return_annotation is _empty else " -> " + _noted(self.return_annotation)
        return "(" + ", ".join(shown) + ")" + arrow

    def __repr__(self):
        return f"<Signature {self}>"

    def bind(self, *args, **kwargs):
        free = [p.name for p in self.parameters.values() if int(p.kind) < 2]
        return BoundArguments(self, {**dict(zip(free, args)), **kwargs})


class BoundArguments:
    __module__ = "inspect"

    def __init__(self, signature, arguments):
        self.signature = signature
        self.arguments = arguments

    def apply_defaults(self):
        for name, p in self.signature.parameters.items():
            if name not in self.arguments and p.default is not _empty:
                self.arguments[name] = p.default


def signature(obj):
    first = 0
    if isclass(obj):
        obj, first = obj.__init__, 1
    elif hasattr(obj, "__func__"):
        obj, first = obj.__func__, 1
    elif not isfunction(obj) and hasattr(obj, "forward"):
        obj, first = type(obj).forward, 1
    elif not isfunction(obj) and callable(obj) and hasattr(type(obj), "__call__"):
        obj, first = type(obj).__call__, 1
    made = _parameters(obj)
    if made is None:
        raise ValueError(f"no signature found for builtin {obj!r}")
    parameters = []
    for name, kind, known, default, annotation in made:
        p = Parameter(name, kind, annotation=_empty if annotation is None else annotation)
        if known:
            p.default = default
        parameters.append(p)
    return Signature(parameters[first:])


def getfullargspec(func):
    kinds = signature(func).parameters.values()
    names = [p.name for p in kinds if int(p.kind) < 2]
    rest = [p.name for p in kinds if int(p.kind) == 2]
    more = [p.name for p in kinds if int(p.kind) == 4]
    only = [p.name for p in kinds if int(p.kind) == 3]
    defaults = tuple([p.default for p in kinds if int(p.kind) < 2 and p.default is not _empty])
    made = namedtuple("FullArgSpec", ["args", "varargs", "varkw", "defaults", "kwonlyargs", "kwonlydefaults", "annotations"])
    return made(names, rest[0] if rest else None, more[0] if more else None, defaults or None, only, None, {})


def currentframe():
    return _frame()


def stack():
    frames = []
    frame = _frame()
    while frame is not None:
        made = namedtuple("FrameInfo", ["frame", "filename", "lineno", "function"])
        frames.append(made(frame, "<stdin>", 1, frame.f_code.co_name))
        frame = frame.f_back
    return frames


def getargvalues(frame):
    made = frame._parameters
    rest = [p[0] for p in made if p[1] == 2]
    more = [p[0] for p in made if p[1] == 4]
    names = [p[0] for p in made if p[1] in (0, 1)] + [p[0] for p in made if p[1] == 3]
    return ArgInfo(names, rest[0] if rest else None, more[0] if more else None, frame.f_locals)


def getsource(object):
    text = _source(getattr(object, "__func__", object))
    if text is None:
        raise OSError("could not get source code")
    return text


def getdoc(object):
    doc = getattr(object, "__doc__", None)
    if doc is None:
        return None
    lines = doc.expandtabs().split("\n")
    margin = min([len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()] or [0])
    lines = [lines[0].lstrip()] + [line[margin:] for line in lines[1:]]
    while lines and not lines[-1].strip():
        lines.pop()
    while lines and not lines[0].strip():
        lines.pop(0)
    return "\n".join(lines)


def isclass(object):
    return isinstance(object, type)


def isfunction(object):
    return type(object).__name__ == "function"


def ismethod(object):
    return type(object).__name__ == "method"


def isbuiltin(object):
    return type(object).__name__ == "builtin_function_or_method"


def isroutine(object):
    return isfunction(object) or ismethod(object) or isbuiltin(object)


def ismodule(object):
    return type(object).__name__ == "module"


def isgenerator(object):
    return type(object).__name__ == "generator"


def getmembers(object, predicate=None):
    found = []
    for name in dir(object):
        value = getattr(object, name)
        if predicate is None or predicate(value):
            found.append((name, value))
    return sorted(found, key=lambda pair: pair[0])


def getmro(cls):
    return cls.__mro__
