"""pprint: pretty printing of long values on several lines, as CPython lays them out."""

import re
from collections import Counter, OrderedDict, defaultdict
from dataclasses import fields, is_dataclass

_BRACKETS = {list: '[]', tuple: '()', dict: '{}'}


def _ordered(keys):
    try:
        return sorted(keys)
    except TypeError:
        return sorted(keys, key=lambda k: (str(type(k)), id(k)))


class PrettyPrinter:
    def __init__(self, indent=1, width=80, depth=None, stream=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
        self._step, self._width, self._depth, self._stream = indent, width, depth, stream
        self._compact, self._sort, self._underscores = compact, sort_dicts, underscore_numbers

    def pprint(self, object):
        print(self.pformat(object), file=self._stream)

    def pformat(self, object):
        return self._shown(object, 0, 0, 0)

    def _items(self, value):
        return [(k, value[k]) for k in _ordered(value)] if self._sort else list(value.items())

    def _line(self, value, level):
        """On one line."""
        kind = type(value)
        if kind is int and self._underscores:
            return f'{value:_d}'
        if kind not in _BRACKETS or not value:
            return repr(value)
        left, right = _BRACKETS[kind]
        if self._depth is not None and level >= self._depth:
            return left + '...' + right
        if kind is dict:
            parts = [self._line(k, level + 1) + ': ' + self._line(v, level + 1) for k, v in self._items(value)]
        else:
            parts = [self._line(v, level + 1) for v in value]
        return left + ', '.join(parts) + (',' if kind is tuple and len(parts) == 1 else '') + right

    def _shown(self, value, column, after, level):
        """From a column on, with so many columns for what stands behind it."""
        line = self._line(value, level)
        if len(line) <= self._width - column - after:
            return line
        kind, level = type(value), level + 1
        name, inner = kind.__name__, column + len(kind.__name__) + 1
        if not isinstance(value, str) and hasattr(value, '__len__') and not len(value):
            return line
        if kind is dict:
            return '{' + ' ' * (self._step - 1) + self._pairs(self._items(value), column + self._step, after + 1, level) + '}'
        if kind is OrderedDict:
            return f'{name}({self._shown(list(value.items()), inner, after + 1, level)})'
        if kind is defaultdict:
            items = self._pairs(self._items(value), inner + self._step, after + 2, level)
            return f'{name}({value.default_factory!r},\n' + ' ' * inner + '{' + ' ' * (self._step - 1) + items + '})'
        if kind is Counter:
            return name + '({' + ' ' * (self._step - 1) + self._pairs(value.most_common(), inner + self._step, after + 2, level) + '})'
        if kind is list:
            return '[' + self._several(value, column, after + 1, level) + ']'
        if kind is tuple:
            end = ',)' if len(value) == 1 else ')'
            return '(' + self._several(value, column, after + len(end), level) + end
        if kind is set:
            return '{' + self._several(_ordered(value), column, after + 1, level) + '}'
        if kind is frozenset:
            return 'frozenset({' + self._several(_ordered(value), inner, after + 2, level) + '})'
        if kind is str:
            return self._words(value, column, after, level)
        if is_dataclass(value) and not isinstance(value, type):
            pairs = [(f.name, getattr(value, f.name)) for f in fields(value) if f.repr]
            return f'{name}({self._pairs(pairs, inner, after, level, "=", str)})'
        return line

    def _pairs(self, pairs, column, after, level, between=': ', key=None):
        parts = []
        for i, (k, v) in enumerate(pairs):
            name = (key(k) if key else self._line(k, level)) + between
            parts.append(name + self._shown(v, column + len(name), after if i == len(pairs) - 1 else 1, level))
        return (',\n' + ' ' * column).join(parts)

    def _several(self, values, column, after, level):
        column, values, text, comma = column + self._step, list(values), ' ' * (self._step - 1), ''
        line = ',\n' + ' ' * column
        room = most = self._width - column + 1
        for i, v in enumerate(values):
            last = i == len(values) - 1
            if last:
                room, most = room - after, most - after
            if self._compact:
                short = self._line(v, level)
                if room < len(short) + 2:
                    room, comma = most, line if comma else ''
                if room >= len(short) + 2:
                    room -= len(short) + 2
                    text, comma = text + comma + short, ', '
                    continue
            text, comma = text + comma + self._shown(v, column, after if last else 1, level), line
        return text

    def _words(self, value, column, after, level):
        """A string in pieces, one below the other."""
        outermost = level == 1
        column, after = column + outermost, after + outermost
        lines, pieces = value.splitlines(True), []
        for i, line in enumerate(lines):
            last, room = i == len(lines) - 1, self._width - column
            if len(repr(line)) <= room - after * last:
                pieces.append(repr(line))
                continue
            words, now = re.findall(r'\S*\s*', line)[:-1], ''
            for j, word in enumerate(words):
                if len(repr(now + word)) > room - after * (last and j == len(words) - 1):
                    pieces += [repr(now)] if now else []
                    now = ''
                now += word
            pieces += [repr(now)] if now else []
        if len(pieces) == 1:
            return repr(lines[-1])
        text = ('\n' + ' ' * column).join(pieces)
        return f'({text})' if outermost else text


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    return PrettyPrinter(indent, width, depth, compact=compact, sort_dicts=sort_dicts, underscore_numbers=underscore_numbers).pformat(object)


def pprint(object, stream=None, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    PrettyPrinter(indent, width, depth, stream, compact=compact, sort_dicts=sort_dicts, underscore_numbers=underscore_numbers).pprint(object)


def pp(object, *args, sort_dicts=False, **kwargs):
    pprint(object, *args, sort_dicts=sort_dicts, **kwargs)
