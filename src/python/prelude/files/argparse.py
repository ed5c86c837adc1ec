"""argparse: options of a program; without a command line, their defaults."""

import sys

SUPPRESS = "==SUPPRESS=="


class ArgumentTypeError(Exception):
    __module__ = "argparse"


class Namespace:
    __module__ = "argparse"

    def __init__(self, **keywords):
        for name, value in keywords.items():
            setattr(self, name, value)

    def __repr__(self):
        parts = [f"{name}={value!r}" for name, value in self.__dict__.items()]
        return f"Namespace({', '.join(parts)})"

    def __eq__(self, other):
        return isinstance(other, Namespace) and self.__dict__ == other.__dict__

    def __contains__(self, key):
        return key in self.__dict__


class HelpFormatter:
    __module__ = "argparse"


ArgumentDefaultsHelpFormatter = HelpFormatter
RawTextHelpFormatter = HelpFormatter


class _Option:
    def __init__(self, names, action="store", nargs=None, const=None, default=None, type=None, choices=None, required=False, help=None, metavar=None, dest=None):
        self.names = names
        self.optional = names[0].startswith("-")
        long = [n for n in names if n.startswith("--")]
        self.dest = dest or (long or names)[0].lstrip("-").replace("-", "_")
        self.action = action
        self.nargs = nargs
        self.const = const
        self.type = type or str
        self.choices = choices
        self.required = required
        if action == "store_true" and default is None:
            default = False
        if action == "store_false" and default is None:
            default = True
        if isinstance(default, str) and type is not None:
            default = type(default)
        self.default = default

    @property
    def shown(self):
        return "/".join(self.names) if self.optional else self.dest


class ArgumentParser:
    __module__ = "argparse"

    def __init__(self, prog=None, usage=None, description=None, **options):
        self.prog = prog or "program"
        self.description = description
        self._options = []
        self._defaults = {}

    def add_argument(self, *names, **options):
        option = _Option(names, **options)
        self._options.append(option)
        return option

    def add_argument_group(self, *args, **options):
        return self

    def add_mutually_exclusive_group(self, **options):
        return self

    def set_defaults(self, **defaults):
        self._defaults.update(defaults)

    def error(self, message):
        sys.stderr.write(f"usage: {self.prog} [-h]\n{self.prog}: error: {message}\n")
        raise SystemExit(2)

    def print_help(self, file=None):
        print(self.description or "")

    def _value(self, option, text):
        try:
            value = option.type(text)
        except (TypeError, ValueError):
            name = getattr(option.type, "__name__", repr(option.type))
            self.error(f"argument {option.shown}: invalid {name} value: {text!r}")
        if option.choices is not None and value not in option.choices:
            allowed = ", ".join(repr(c) for c in option.choices)
            self.error(f"argument {option.shown}: invalid choice: {value!r} (choose from {allowed})")
        return value

    def _take(self, option, words):
        """The value of an option, and how many words it took."""
        if option.action in ("store_true", "store_false", "store_const", "count"):
            return 0, option.const if option.action == "store_const" else option.action == "store_true"
        free = 0
        while free < len(words) and not (words[free].startswith("-") and words[free][1:2].isalpha() or words[free].startswith("--")):
            free += 1
        if option.nargs in ("*", "+") or isinstance(option.nargs, int):
            count = min(free, option.nargs) if isinstance(option.nargs, int) else free
            if count == 0 and option.nargs == "+":
                self.error(f"argument {option.shown}: expected at least one argument")
            return count, [self._value(option, w) for w in words[:count]]
        if free == 0:
            if option.nargs == "?":
                return 0, option.const
            self.error(f"argument {option.shown}: expected one argument")
        return 1, self._value(option, words[0])

    def parse_known_args(self, args=None, namespace=None):
        words = list(sys.argv[1:] if args is None else args)
        made = namespace or Namespace()
        for option in self._options:
            if not hasattr(made, option.dest) and option.default is not SUPPRESS:
                setattr(made, option.dest, self._defaults.get(option.dest, option.default))
        for name, value in self._defaults.items():
            if not hasattr(made, name):
                setattr(made, name, value)
        free = [o for o in self._options if not o.optional]
        unknown, given = [], []
        while words:
            word = words[0]
            name, equals, rest = word.partition("=")
            option = None
            for o in self._options:
                if o.optional and (name in o.names):
                    option = o
            if option is None and free and not word.startswith("-"):
                option = free.pop(0)
                name = None
            if option is None:
                unknown.append(words.pop(0))
                continue
            if name is not None:
                words = ([rest] if equals else []) + words[1:]
            count, value = self._take(option, words)
            words = words[count:]
            given.append(option.dest)
            if option.action == "append":
                value = (getattr(made, option.dest) or []) + [value]
            if option.action == "count":
                value = (getattr(made, option.dest) or 0) + 1
            setattr(made, option.dest, value)
        needed = [o.shown for o in self._options if o.dest not in given and (o.required or o in free and o.nargs not in ("?", "*"))]
        if needed:
            self.error("the following arguments are required: " + ", ".join(needed))
        return made, unknown

    def parse_args(self, args=None, namespace=None):
        made, unknown = self.parse_known_args(args, namespace)
        if unknown:
            self.error("unrecognized arguments: " + " ".join(unknown))
        return made
