# Colours, ticks and shapes of matplotlib: looks, which a terminal has not.

import numpy as np
from matplotlib.pyplot import _Artist, _Colours


def _look(*args, **options):
    return _Artist()


def _colours(*args, **options):
    return _Colours()


viridis = _Colours()
jet = _Colours()
coolwarm = _Colours()
rainbow = _Colours()
gray = _Colours()
get_cmap = _colours
ListedColormap = _colours
LinearSegmentedColormap = _Colours()
ScalarMappable = _look
MaxNLocator = _look
MultipleLocator = _look
FormatStrFormatter = _look
FuncFormatter = _look
ScalarFormatter = _look
Rectangle = _look
Circle = _look
Ellipse = _look
Patch = _look
FancyArrowPatch = _look
Line2D = _look


class Normalize:
    """Numbers between two bounds as numbers from 0 to 1."""

    def __init__(self, vmin=None, vmax=None, clip=False):
        self.vmin, self.vmax, self.clip = vmin, vmax, clip

    def autoscale_None(self, A):
        if self.vmin is None:
            self.vmin = np.min(A)
        if self.vmax is None:
            self.vmax = np.max(A)

    def __call__(self, value, clip=None):
        self.autoscale_None(value)
        made = (np.asarray(value) - self.vmin) / (self.vmax - self.vmin)
        return np.clip(made, 0, 1) if (self.clip if clip is None else clip) else made


class LogNorm(Normalize):
    def __call__(self, value, clip=None):
        self.autoscale_None(value)
        low, high = np.log(self.vmin), np.log(self.vmax)
        return (np.log(np.asarray(value)) - low) / (high - low)


_NAMED = {'b': '#0000ff', 'g': '#008000', 'r': '#ff0000', 'c': '#00bfbf', 'm': '#bf00bf', 'y': '#bfbf00', 'k': '#000000', 'w': '#ffffff', 'black': '#000000', 'white': '#ffffff', 'red': '#ff0000', 'green': '#008000', 'blue': '#0000ff', 'yellow': '#ffff00', 'orange': '#ffa500', 'purple': '#800080', 'brown': '#a52a2a', 'pink': '#ffc0cb', 'gray': '#808080', 'grey': '#808080', 'cyan': '#00ffff', 'magenta': '#ff00ff', 'navy': '#000080', 'lime': '#00ff00', 'teal': '#008080', 'gold': '#ffd700', 'tab:blue': '#1f77b4', 'tab:orange': '#ff7f0e', 'tab:green': '#2ca02c', 'tab:red': '#d62728', 'tab:purple': '#9467bd', 'tab:brown': '#8c564b', 'tab:pink': '#e377c2', 'tab:gray': '#7f7f7f', 'tab:olive': '#bcbd22', 'tab:cyan': '#17becf'}
_CYCLE = ['tab:blue', 'tab:orange', 'tab:green', 'tab:red', 'tab:purple', 'tab:brown', 'tab:pink', 'tab:gray', 'tab:olive', 'tab:cyan']


def to_rgba(c, alpha=None):
    if not isinstance(c, str):
        c = tuple(float(v) for v in c)
        return c[:3] + (c[3] if len(c) > 3 and alpha is None else 1.0 if alpha is None else alpha,)
    text = c
    if text[:1] == 'C' and text[1:].isdigit():
        text = _CYCLE[int(text[1:]) % 10]
    text = _NAMED.get(text, text)
    if text[:1] == '#' and len(text) in (4, 7):
        digits = text[1:] if len(text) == 7 else ''.join(d * 2 for d in text[1:])
        return tuple(int(digits[k:k + 2], 16) / 255 for k in (0, 2, 4)) + (1.0 if alpha is None else alpha,)
    try:
        grey = float(text)
    except ValueError:
        raise ValueError(f'{c!r} is not a valid value for color') from None
    return (grey, grey, grey, 1.0 if alpha is None else alpha)


def to_rgb(c):
    return to_rgba(c)[:3]


def to_hex(c, keep_alpha=False):
    return '#' + ''.join(f'{round(v * 255):02x}' for v in to_rgba(c)[:4 if keep_alpha else 3])
