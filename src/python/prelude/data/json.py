"""json: JSON reading and writing."""

import math


class JSONDecodeError(ValueError):
    pass


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def _quoted(text, ascii):
    out = []
    for c in text:
        if c in _ESCAPES:
            out.append(_ESCAPES[c])
        elif ord(c) < 32 or (ascii and 126 < ord(c) < 65536):
            out.append("\\u%04x" % ord(c))
        elif ascii and ord(c) > 65535:
            n = ord(c) - 65536
            out.append("\\u%04x\\u%04x" % (55296 + n // 1024, 56320 + n % 1024))
        else:
            out.append(c)
    return '"' + "".join(out) + '"'


def dumps(
    obj,
    *,
    skipkeys=False,
    ensure_ascii=True,
    check_circular=True,
    allow_nan=True,
    cls=None,
    indent=None,
    separators=None,
    default=None,
    sort_keys=False,
):
    if isinstance(indent, int):
        indent = " " * indent
    comma, colon = separators or ((", " if indent is None else ","), ": ")

    def within(parts, left, right, depth):
        if not parts:
            return left + right
        if indent is None:
            return left + comma.join(parts) + right
        line = "\n" + indent * (depth + 1)
        return left + line + (comma + line).join(parts) + "\n" + indent * depth + right

    def text(value, depth):
        if value is None:
            return "null"
        if value is True:
            return "true"
        if value is False:
            return "false"
        if isinstance(value, str):
            return _quoted(value, ensure_ascii)
        if isinstance(value, int):
            return str(value)
        if isinstance(value, float):
            if math.isnan(value):
                return "NaN"
            if math.isinf(value):
                return "Infinity" if value > 0 else "-Infinity"
            return repr(value)
        if isinstance(value, (list, tuple)):
            return within([text(v, depth + 1) for v in value], "[", "]", depth)
        if isinstance(value, dict):
            pairs = sorted(value.items()) if sort_keys else value.items()
            parts = []
            for k, v in pairs:
                if not isinstance(k, (str, int, float)) and k is not None:
                    raise TypeError(
                        f"keys must be str, int, float, bool or None, not {type(k).__name__}"
                    )
                name = k if isinstance(k, str) else text(k, 0)
                parts.append(_quoted(name, ensure_ascii) + colon + text(v, depth + 1))
            return within(parts, "{", "}", depth)
        if default is not None:
            return text(default(value), depth)
        raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")

    return text(obj, 0)


def loads(s, **options):
    def fail(message, at):
        line = s.count("\n", 0, at) + 1
        column = at - s.rfind("\n", 0, at)
        raise JSONDecodeError(f"{message}: line {line} column {column} (char {at})")

    def skip(at):
        while at < len(s) and s[at] in " \t\n\r":
            at += 1
        return at

    def string(at):
        out = []
        start = at
        at += 1
        while at < len(s):
            c = s[at]
            if c == '"':
                return "".join(out), at + 1
            if c == "\\":
                at += 1
                c = s[at]
                if c == "u":
                    out.append(chr(int(s[at + 1 : at + 5], 16)))
                    at += 4
                else:
                    known = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
                    out.append(known.get(c, c))
            else:
                out.append(c)
            at += 1
        fail("Unterminated string starting at", start)

    def value(at):
        at = skip(at)
        if at >= len(s):
            fail("Expecting value", at)
        c = s[at]
        if c == '"':
            return string(at)
        if c == "[":
            items = []
            at = skip(at + 1)
            if s[at : at + 1] == "]":
                return items, at + 1
            while True:
                item, at = value(at)
                items.append(item)
                at = skip(at)
                if s[at : at + 1] == "]":
                    return items, at + 1
                if s[at : at + 1] != ",":
                    fail("Expecting ',' delimiter", at)
                at += 1
        if c == "{":
            pairs = {}
            at = skip(at + 1)
            if s[at : at + 1] == "}":
                return pairs, at + 1
            while True:
                at = skip(at)
                if s[at : at + 1] != '"':
                    fail("Expecting property name enclosed in double quotes", at)
                name, at = string(at)
                at = skip(at)
                if s[at : at + 1] != ":":
                    fail("Expecting ':' delimiter", at)
                pairs[name], at = value(at + 1)
                at = skip(at)
                if s[at : at + 1] == "}":
                    return pairs, at + 1
                if s[at : at + 1] != ",":
                    fail("Expecting ',' delimiter", at)
                at += 1
        words = {
            "null": None,
            "true": True,
            "false": False,
            "NaN": math.nan,
            "Infinity": math.inf,
            "-Infinity": -math.inf,
        }
        for word, meaning in words.items():
            if s.startswith(word, at):
                return meaning, at + len(word)
        end = at
        while end < len(s) and s[end] in "+-0123456789.eE":
            end += 1
        if end == at:
            fail("Expecting value", at)
        number = s[at:end]
        return (float(number) if any(c in ".eE" for c in number) else int(number)), end

    result, at = value(0)
    at = skip(at)
    if at < len(s):
        fail("Extra data", at)
    return result
