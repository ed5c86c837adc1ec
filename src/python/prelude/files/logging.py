"""logging: messages on standard error."""

import sys
import time
import traceback

CRITICAL = 50
FATAL = 50
ERROR = 40
WARNING = 30
WARN = 30
INFO = 20
DEBUG = 10
NOTSET = 0
BASIC_FORMAT = "%(levelname)s:%(name)s:%(message)s"
_LEVELS = {50: "CRITICAL", 40: "ERROR", 30: "WARNING", 20: "INFO", 10: "DEBUG", 0: "NOTSET"}


def getLevelName(level):
    if isinstance(level, str):
        return {name: number for number, name in _LEVELS.items()}[level]
    return _LEVELS.get(level, f"Level {level}")


def _number(level):
    return getLevelName(level) if isinstance(level, str) else level


class Formatter:
    __module__ = "logging"

    def __init__(self, fmt=None, datefmt=None, style="%"):
        self._fmt = fmt or "%(message)s"
        self._datefmt = datefmt

    def format(self, record):
        if "%(asctime)" in self._fmt:
            shown = time.strftime(self._datefmt or "%Y-%m-%d %H:%M:%S")
            record = {**record, "asctime": shown if self._datefmt else shown + ",000"}
        text = self._fmt % record
        return text + "\n" + record["exc_text"] if record["exc_text"] else text


class Handler:
    __module__ = "logging"

    def __init__(self, stream=None):
        self.level = NOTSET
        self.formatter = None
        self.stream = stream

    def setLevel(self, level):
        self.level = _number(level)

    def setFormatter(self, fmt):
        self.formatter = fmt

    def emit(self, record):
        text = (self.formatter or Formatter()).format(record)
        (self.stream or sys.stderr).write(text + "\n")


class StreamHandler(Handler):
    __module__ = "logging"


class NullHandler(Handler):
    __module__ = "logging"

    def emit(self, record):
        pass


class FileHandler(Handler):
    __module__ = "logging"

    def __init__(self, filename, mode="a", **options):
        super().__init__(open(filename, mode))


class Logger:
    __module__ = "logging"

    def __init__(self, name, level=NOTSET, parent=None):
        self.name = name
        self.level = level
        self.parent = parent
        self.handlers = []
        self.propagate = True
        self.disabled = False

    def __repr__(self):
        return f"<Logger {self.name} ({getLevelName(self.getEffectiveLevel())})>"

    def setLevel(self, level):
        self.level = _number(level)

    def getEffectiveLevel(self):
        logger = self
        while logger.level == NOTSET and logger.parent is not None:
            logger = logger.parent
        return logger.level

    def isEnabledFor(self, level):
        return not self.disabled and level >= max(self.getEffectiveLevel(), _off[0] + 1)

    def addHandler(self, hdlr):
        if hdlr not in self.handlers:
            self.handlers.append(hdlr)

    def removeHandler(self, hdlr):
        if hdlr in self.handlers:
            self.handlers.remove(hdlr)

    def hasHandlers(self):
        return bool(self.handlers) or (self.parent is not None and self.parent.hasHandlers())

    def log(self, level, msg, *args, **options):
        level = _number(level)
        if not self.isEnabledFor(level):
            return
        message = str(msg)
        if args:
            message = message % (args[0] if len(args) == 1 and isinstance(args[0], dict) else args)
        record = {
            "name": self.name,
            "levelname": getLevelName(level),
            "levelno": level,
            "message": message,
            "msg": msg,
            "module": "__main__",
            "filename": "__main__",
            "funcName": "<module>",
            "lineno": 0,
            "exc_text": traceback.format_exc()[:-1] if options.get("exc_info") else None,
            "process": 1,
            "thread": 1,
        }
        logger = self
        found = False
        while logger is not None:
            for handler in logger.handlers:
                found = True
                if level >= handler.level:
                    handler.emit(record)
            logger = logger.parent if logger.propagate else None
        if not found and level >= WARNING:
            sys.stderr.write(message + "\n")

    def debug(self, msg, *args, **options):
        self.log(DEBUG, msg, *args, **options)

    def info(self, msg, *args, **options):
        self.log(INFO, msg, *args, **options)

    def warning(self, msg, *args, **options):
        self.log(WARNING, msg, *args, **options)

    def warn(self, msg, *args, **options):
        self.log(WARNING, msg, *args, **options)

    def error(self, msg, *args, **options):
        self.log(ERROR, msg, *args, **options)

    def exception(self, msg, *args, exc_info=True, **options):
        self.log(ERROR, msg, *args, exc_info=exc_info)

    def critical(self, msg, *args, **options):
        self.log(CRITICAL, msg, *args, **options)


root = Logger("root", WARNING)
_loggers = {}
_off = [0]


def getLogger(name=None):
    if not name or name == "root":
        return root
    if name not in _loggers:
        above = getLogger(name.rpartition(".")[0]) if "." in name else root
        _loggers[name] = Logger(name, parent=above)
    return _loggers[name]


def disable(level=CRITICAL):
    _off[0] = _number(level)


def basicConfig(*, level=None, format=None, datefmt=None, stream=None, handlers=None, force=False, **options):
    if force:
        root.handlers.clear()
    if not root.handlers:
        for handler in handlers or [StreamHandler(stream)]:
            if handler.formatter is None:
                handler.setFormatter(Formatter(format or BASIC_FORMAT, datefmt))
            root.addHandler(handler)
        if level is not None:
            root.setLevel(level)


def _log(level, msg, args, options):
    basicConfig()
    root.log(level, msg, *args, **options)


def debug(msg, *args, **options):
    _log(DEBUG, msg, args, options)


def info(msg, *args, **options):
    _log(INFO, msg, args, options)


def warning(msg, *args, **options):
    _log(WARNING, msg, args, options)


def error(msg, *args, **options):
    _log(ERROR, msg, args, options)


def exception(msg, *args, exc_info=True, **options):
    _log(ERROR, msg, args, {"exc_info": exc_info})


def critical(msg, *args, **options):
    _log(CRITICAL, msg, args, options)


def log(level, msg, *args, **options):
    _log(level, msg, args, options)
