"""pprint: pretty printing of long values on several lines."""


def pprint(object, stream=None, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True):
    print(pformat(object, indent, width, depth, compact=compact, sort_dicts=sort_dicts))


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True):
    def text(value, column):
        if isinstance(value, dict) and sort_dicts:
            try:
                value = dict(sorted(value.items()))
            except TypeError:
                pass
        whole = repr(value)
        if len(whole) + column <= width or not isinstance(value, (list, tuple, dict)) or not value:
            return whole
        left, right = {list: "[]", tuple: "()", dict: "{}"}[type(value)]
        line = ",\n" + " " * (column + 1)
        if isinstance(value, dict):
            parts = []
            for k, v in value.items():
                name = repr(k) + ": "
                parts.append(name + text(v, column + 1 + len(name)))
        else:
            parts = [text(v, column + 1) for v in value]
        return left + line.join(parts) + right

    return text(object, 0)
