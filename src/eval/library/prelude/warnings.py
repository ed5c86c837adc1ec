"""warnings: accepted, but not shown."""


def warn(message, category=None, stacklevel=1, source=None):
    pass


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    pass


def simplefilter(action, category=Warning, lineno=0, append=False):
    pass


class catch_warnings:
    __module__ = "warnings"

    def __init__(self, *, record=False, module=None, action=None):
        self._record = record

    def __enter__(self):
        return [] if self._record else None

    def __exit__(self, *error):
        return None
