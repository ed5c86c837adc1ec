"""re: regular expressions in Python's syntax."""

from re import _groups, _search

NOFLAG = 0
IGNORECASE = 2
LOCALE = 4
MULTILINE = 8
DOTALL = 16
UNICODE = 32
VERBOSE = 64
ASCII = 256
I = 2
M = 8
S = 16
U = 32
X = 64
A = 256


class error(Exception):
    __module__ = "re"

    def __init__(self, msg, pattern=None, pos=None):
        self.msg = msg
        self.pattern = pattern
        self.pos = pos
        super().__init__(msg if pos is None else f"{msg} at position {pos}")


class Match:
    __module__ = "re"

    def __init__(self, pattern, string, pos, spans):
        self.re = pattern
        self.string = string
        self.pos = pos
        self.endpos = len(string)
        self._spans = spans

    def _number(self, group):
        if isinstance(group, str):
            if group not in self.re.groupindex:
                raise IndexError("no such group")
            return self.re.groupindex[group]
        if group < 0 or group >= len(self._spans):
            raise IndexError("no such group")
        return group

    def _text(self, number, default=None):
        span = self._spans[number]
        return default if span is None else self.string[span[0] : span[1]]

    def group(self, *groups):
        if len(groups) < 2:
            return self._text(self._number(groups[0] if groups else 0))
        return tuple([self._text(self._number(g)) for g in groups])

    def __getitem__(self, group):
        return self._text(self._number(group))

    def groups(self, default=None):
        return tuple([self._text(k, default) for k in range(1, len(self._spans))])

    def groupdict(self, default=None):
        return {name: self._text(k, default) for name, k in self.re.groupindex.items()}

    def span(self, group=0):
        return self._spans[self._number(group)] or (-1, -1)

    def start(self, group=0):
        return self.span(group)[0]

    def end(self, group=0):
        return self.span(group)[1]

    @property
    def lastindex(self):
        known = [k for k in range(1, len(self._spans)) if self._spans[k] is not None]
        return known[-1] if known else None

    @property
    def lastgroup(self):
        names = [name for name, k in self.re.groupindex.items() if k == self.lastindex]
        return names[0] if names else None

    def expand(self, template):
        return _filled(template, self)

    def __bool__(self):
        return True

    def __repr__(self):
        return f"<re.Match object; span={self.span()}, match={self.group()!r}>"


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "a": "\a", "f": "\f", "v": "\v"}


def _filled(template, match):
    """The template with the groups that it names."""
    out = []
    at = 0
    while at < len(template):
        c = template[at]
        at += 1
        if c != "\\" or at == len(template):
            out.append(c)
            continue
        c = template[at]
        at += 1
        if c == "g":
            end = template.find(">", at)
            if template[at : at + 1] != "<" or end < 0:
                raise error("missing <", template, at)
            name = template[at + 1 : end]
            at = end + 1
            if not name.isdigit() and name not in match.re.groupindex:
                raise IndexError(f"unknown group name {name!r}")
        elif c.isdigit():
            name = c
            if c != "0" and template[at : at + 1].isdigit():
                name += template[at]
                at += 1
        elif c in _ESCAPES:
            out.append(_ESCAPES[c])
            continue
        elif c.isalpha():
            raise error(f"bad escape \\{c}", template, at - 2)
        else:
            out.append("\\" + c)
            continue
        number = int(name) if name.isdigit() else match.re.groupindex[name]
        if number > match.re.groups:
            raise error(f"invalid group reference {number}", template, at - len(name))
        out.append(match._text(number, ""))
    return "".join(out)


class Pattern:
    __module__ = "re"

    def __init__(self, pattern, flags=0):
        if not isinstance(pattern, str):
            raise TypeError("first argument must be string or compiled pattern")
        made = _groups(pattern, flags)
        if len(made) == 2:
            raise error(made[0], pattern, made[1])
        self.pattern = pattern
        self.flags = flags | UNICODE
        self._flags = flags
        self.groups, names, _ = made
        self.groupindex = dict(names)

    def _find(self, string, pos, how, moved=False):
        if not isinstance(string, str):
            raise TypeError(f"expected string or bytes-like object, got '{type(string).__name__}'")
        spans = _search(self.pattern, self._flags, string, pos, how, moved)
        return None if spans is None else Match(self, string, pos, spans)

    def search(self, string, pos=0):
        return self._find(string, pos, "search")

    def match(self, string, pos=0):
        return self._find(string, pos, "match")

    def fullmatch(self, string, pos=0):
        return self._find(string, pos, "fullmatch")

    def finditer(self, string, pos=0):
        # After an empty match, the next one at its place is not empty.
        moved = False
        while pos <= len(string):
            found = self._find(string, pos, "search", moved)
            if found is None:
                return
            yield found
            pos = found.end()
            moved = found.start() == pos

    def findall(self, string, pos=0):
        found = []
        for m in self.finditer(string, pos):
            texts = m.groups("")
            found.append(m.group() if not texts else texts[0] if len(texts) == 1 else texts)
        return found

    def split(self, string, maxsplit=0):
        parts = []
        at = 0
        for m in self.finditer(string):
            if maxsplit and maxsplit <= len(parts) // (1 + self.groups):
                break
            parts.append(string[at : m.start()])
            parts += m.groups()
            at = m.end()
        return parts + [string[at:]]

    def subn(self, repl, string, count=0):
        parts = []
        at = done = 0
        for m in self.finditer(string):
            if count and done == count:
                break
            parts.append(string[at : m.start()])
            parts.append(repl(m) if callable(repl) else _filled(repl, m))
            at = m.end()
            done += 1
        return "".join(parts) + string[at:], done

    def sub(self, repl, string, count=0):
        return self.subn(repl, string, count)[0]

    def __eq__(self, other):
        return isinstance(other, Pattern) and (self.pattern, self.flags) == (other.pattern, other.flags)

    def __hash__(self):
        return hash((self.pattern, self.flags))

    def __repr__(self):
        names = {2: "re.IGNORECASE", 8: "re.MULTILINE", 16: "re.DOTALL", 64: "re.VERBOSE", 256: "re.ASCII"}
        shown = [text for bit, text in names.items() if self.flags & bit]
        return f"re.compile({self.pattern!r}" + (", " + "|".join(shown) if shown else "") + ")"


def compile(pattern, flags=0):
    return pattern if isinstance(pattern, Pattern) else Pattern(pattern, flags)


def search(pattern, string, flags=0):
    return compile(pattern, flags).search(string)


def match(pattern, string, flags=0):
    return compile(pattern, flags).match(string)


def fullmatch(pattern, string, flags=0):
    return compile(pattern, flags).fullmatch(string)


def findall(pattern, string, flags=0):
    return compile(pattern, flags).findall(string)


def finditer(pattern, string, flags=0):
    return compile(pattern, flags).finditer(string)


def split(pattern, string, maxsplit=0, flags=0):
    return compile(pattern, flags).split(string, maxsplit)


def sub(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).sub(repl, string, count)


def subn(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).subn(repl, string, count)


def escape(pattern):
    special = "()[]{}?*+-|^$\\.&~# \t\n\r\v\f"
    return "".join(["\\" + c if c in special else c for c in pattern])


def purge():
    pass
