"""numpy: arrays as text, and temporary print options."""

import numpy as np


class printoptions:
    def __init__(self, **options):
        self.options = options

    def __enter__(self):
        self.before = np.get_printoptions()
        np.set_printoptions(**self.options)
        return np.get_printoptions()

    def __exit__(self, *error):
        np.set_printoptions(**self.before)


def array2string(a, max_line_width=None, precision=None, suppress_small=None, separator=" ", prefix="", **options):
    if max_line_width is not None:
        options["linewidth"] = max_line_width
    if precision is not None:
        options["precision"] = precision
    if suppress_small is not None:
        options["suppress"] = suppress_small
    with printoptions(**options):
        if separator == ", ":
            text = repr(np.asarray(a))[6:]
            return text[:text.rindex("]") + 1].replace("\n      ", "\n")
        text = str(np.asarray(a)) if np.ndim(a) else str(np.asarray(a).reshape(1))[1:-1]
        return text if separator == " " else ("," if separator == "," else separator).join(text.split(" "))


def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    return array2string(a, max_line_width, precision, suppress_small)


def array_repr(arr, max_line_width=None, precision=None, suppress_small=None):
    options = {"linewidth": max_line_width, "precision": precision, "suppress": suppress_small}
    with printoptions(**{name: v for name, v in options.items() if v is not None}):
        return repr(np.asarray(arr))
