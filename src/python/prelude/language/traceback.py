"""traceback: where an exception came from, as text."""

import sys
from traceback import _handled


class FrameSummary:
    __module__ = "traceback"

    def __init__(self, filename, lineno, name, line):
        self.filename = filename
        self.lineno = lineno
        self.name = name
        self.line = line

    def __repr__(self):
        return f"<FrameSummary file {self.filename}, line {self.lineno} in {self.name}>"


def extract_tb(tb, limit=None):
    frames = [] if tb is None else [FrameSummary(*frame) for frame in tb._frames]
    if limit is None:
        return frames
    return frames[:limit] if limit >= 0 else frames[limit:]


def format_list(extracted_list):
    made = []
    for frame in extracted_list:
        text = f'  File "{frame.filename}", line {frame.lineno}, in {frame.name}\n'
        made.append(text + (f"    {frame.line}\n" if frame.line else ""))
    return made


def format_tb(tb, limit=None):
    return format_list(extract_tb(tb, limit))


def format_exception_only(exc, value=None, /):
    e = exc if value is None else value
    if e is None:
        return ["NoneType: None\n"]
    kind = type(e)
    name = kind.__qualname__
    if kind.__module__ not in ("builtins", "__main__"):
        name = f"{kind.__module__}.{name}"
    text = str(e)
    return [f"{name}: {text}\n" if text else f"{name}\n"]


def format_exception(exc, /, value=None, tb=None, limit=None, chain=True):
    e = exc if value is None else value
    if e is None:
        return ["NoneType: None\n"]
    made = []
    if chain and e.__cause__ is not None:
        made = format_exception(e.__cause__)
        made.append("\nThe above exception was the direct cause of the following exception:\n\n")
    elif chain and e.__context__ is not None and not e.__suppress_context__:
        made = format_exception(e.__context__)
        made.append("\nDuring handling of the above exception, another exception occurred:\n\n")
    frames = format_tb(e.__traceback__ if tb is None else tb, limit)
    if frames:
        made.append("Traceback (most recent call last):\n")
    return made + frames + format_exception_only(e)


def format_exc(limit=None, chain=True):
    return "".join(format_exception(_handled(), limit=limit, chain=chain))


def print_exception(exc, /, value=None, tb=None, limit=None, file=None, chain=True):
    for text in format_exception(exc, value, tb, limit, chain):
        (file or sys.stderr).write(text)


def print_exc(limit=None, file=None, chain=True):
    print_exception(_handled(), limit=limit, file=file, chain=chain)


def print_tb(tb, limit=None, file=None):
    for text in format_tb(tb, limit):
        (file or sys.stderr).write(text)
