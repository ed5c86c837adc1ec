"""fnmatch: names that fit a pattern with * and ?."""

import re


def _pattern(pat):
    out = ""
    at = 0
    while at < len(pat):
        c = pat[at]
        at += 1
        end = pat.find("]", at + 1)
        if c == "*":
            out += ".*"
        elif c == "?":
            out += "."
        elif c == "[" and end > 0:
            inside = pat[at:end]
            out += "[" + ("^" + inside[1:] if inside.startswith("!") else inside) + "]"
            at = end + 1
        else:
            out += re.escape(c)
    return out


def fnmatchcase(name, pat):
    return re.fullmatch(_pattern(pat), name, re.DOTALL) is not None


def fnmatch(name, pat):
    return fnmatchcase(name, pat)


def filter(names, pat):
    return [name for name in names if fnmatchcase(name, pat)]
