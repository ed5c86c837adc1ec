"""numpy: np.pad."""

import numpy as np

# The keywords of each mode.
_KEYWORDS = {
    "empty": (), "edge": (), "wrap": (), "constant": ("constant_values",), "linear_ramp": ("end_values",),
    "maximum": ("stat_length",), "mean": ("stat_length",), "median": ("stat_length",), "minimum": ("stat_length",),
    "reflect": ("reflect_type",), "symmetric": ("reflect_type",),
}
_OF_EDGE = {"maximum": np.max, "minimum": np.min, "mean": np.mean, "median": np.median}


def pad(array, pad_width, mode="constant", **kwargs):
    a = np.asarray(array)
    if isinstance(pad_width, dict):
        by_axis = {k % a.ndim: w for k, w in pad_width.items()}
        pad_width = [by_axis.get(k, (0, 0)) for k in range(a.ndim)]
        pad_width = [(w, w) if isinstance(w, int) else w for w in pad_width]
    if np.asarray(pad_width).dtype.kind != "i":
        raise TypeError("`pad_width` must be of integral type.")
    width = np.broadcast_to(pad_width, (a.ndim, 2)).tolist()
    if any(w < 0 for pair in width for w in pair):
        raise ValueError("index can't contain negative values")
    if callable(mode):
        return _by_function(a, width, mode, kwargs)
    if mode not in _KEYWORDS:
        raise ValueError(f"mode '{mode}' is not supported")
    wrong = set(kwargs) - set(_KEYWORDS[mode])
    if wrong:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {wrong}")
    if mode == "constant" and not kwargs:
        whole = np.zeros([n + p + q for n, (p, q) in zip(a.shape, width)], dtype=a.dtype)
        whole[tuple(slice(p, p + n) for n, (p, q) in zip(a.shape, width))] = a
        return whole
    given = kwargs.get((_KEYWORDS[mode] + ("",))[0])
    for axis, (before, after) in enumerate(width):
        n = a.shape[axis]
        rows = np.moveaxis(a, axis, 0)
        if n == 0 and before + after > 0 and mode not in ("constant", "empty"):
            raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")
        if mode in ("edge", "wrap", "reflect", "symmetric"):
            a = np.moveaxis(_repeated(rows, n, before, after, mode, given), 0, axis)
            continue
        if mode in ("constant", "empty"):
            left, right = np.broadcast_to(0 if given is None else given, (a.ndim, 2))[axis]
        elif mode == "linear_ramp":
            ends = np.broadcast_to(0 if given is None else given, (a.ndim, 2))[axis]
            left = np.linspace(ends[0], rows[0], before, endpoint=False)
            right = np.linspace(ends[1], rows[-1], after, endpoint=False)[::-1]
            if a.dtype.kind in "iu":
                left, right = np.floor(left), np.floor(right)
        else:
            of = n if given is None else np.broadcast_to(given, (a.ndim, 2))[axis].tolist()
            first, last = of if isinstance(of, list) else (of, of)
            left, right = _OF_EDGE[mode](rows[:first], axis=0), _OF_EDGE[mode](rows[n - min(last, n):], axis=0)
            if a.dtype.kind in "iu":
                left, right = np.round(left), np.round(right)
        whole = np.empty((before + n + after,) + rows.shape[1:], dtype=a.dtype)
        whole[before:before + n] = rows
        whole[:before], whole[before + n:] = left, right
        a = np.moveaxis(whole, 0, axis)
    return a


def _repeated(rows, n, before, after, mode, kind):
    at = range(-before, n + after)
    if mode == "edge":
        places = [min(max(i, 0), n - 1) for i in at]
    elif mode == "wrap":
        places = [i % n for i in at]
    elif mode == "reflect":
        places = [n - 1 - abs(i % (2 * n - 2 or 1) - (n - 1)) for i in at]
    else:
        places = [j if j < n else 2 * n - 1 - j for j in [i % (2 * n) for i in at]]
    made = rows[np.array(places, dtype=int)]
    if kind == "odd":
        for k, i in enumerate(at):
            if i < 0:
                made[k] = 2 * rows[0] - made[k]
            elif i >= n:
                made[k] = 2 * rows[-1] - made[k]
    return made


def _by_function(a, width, function, kwargs):
    """Rows with room at both ends, which a function fills in place."""
    whole = np.zeros([n + p + q for n, (p, q) in zip(a.shape, width)], dtype=a.dtype)
    whole[tuple(slice(p, p + n) for n, (p, q) in zip(a.shape, width))] = a
    for axis in range(a.ndim):
        rows = np.moveaxis(whole, axis, -1)
        for p in np.ndindex(rows.shape[:-1]):
            function(rows[p], tuple(width[axis]), axis, kwargs)
    return whole
