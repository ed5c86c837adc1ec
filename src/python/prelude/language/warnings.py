"""warnings: shown once for each line unless a filter says otherwise."""

from warnings import _place, _show

_ACTIONS = ("error", "ignore", "always", "all", "default", "module", "once")
_QUIET = ("PendingDeprecationWarning", "ImportWarning", "ResourceWarning")

_filters = []
_logs = []


class WarningMessage:
    __module__ = "warnings"

    def __init__(self, message, category, filename="<stdin>", lineno=1, file=None, line=None, source=None):
        self.message = message
        self.category = category
        self.filename = filename
        self.lineno = lineno
        self.file = file
        self.line = line
        self.source = source


def _action(text, category):
    for action, start, kind in _filters:
        if issubclass(category, kind) and text.lower().startswith(start.lower()):
            return action
    return "ignore" if category.__name__ in _QUIET else "default"


def _filtered(message, category=UserWarning, once=False):
    text = str(message)
    action = _action(text, category)
    if action == "ignore":
        return
    if not isinstance(message, Warning):
        message = category(text)
    if action == "error":
        raise message
    file, line = _place()
    if _logs:
        _logs[-1].append(WarningMessage(message, category, file, line))
        return
    shown = f"{category.__name__}: {text}"
    key = "" if action in ("always", "all") else shown if once or action == "once" else f"{line} {shown}"
    _show(shown, key)


def _warned(text, once):
    _filtered(text, UserWarning, once)


def warn(message, category=None, stacklevel=1, source=None):
    if isinstance(message, Warning):
        category = type(message)
    elif category is None:
        category = UserWarning
    elif not (isinstance(category, type) and issubclass(category, Warning)):
        raise TypeError(f"category must be a Warning subclass, not '{type(category).__name__}'")
    _filtered(message, category)


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    if action not in _ACTIONS:
        raise ValueError(f"invalid action: {action!r}")
    start = message[2:] if message.startswith(".*") else message
    _filters.insert(len(_filters) if append else 0, (action, start, category))


def simplefilter(action, category=Warning, lineno=0, append=False):
    filterwarnings(action, "", category, "", lineno, append)


def resetwarnings():
    _filters.clear()


class catch_warnings:
    __module__ = "warnings"

    def __init__(self, *, record=False, module=None, action=None, category=Warning, lineno=0, append=False):
        self._record = record
        self._first = None if action is None else (action, category, lineno, append)

    def __enter__(self):
        self._kept = list(_filters)
        log = [] if self._record else None
        if self._record:
            _logs.append(log)
        if self._first is not None:
            simplefilter(*self._first)
        return log

    def __exit__(self, *error):
        _filters[:] = self._kept
        if self._record:
            _logs.pop()
