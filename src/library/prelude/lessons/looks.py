# Colours, ticks and shapes of matplotlib: looks, which a terminal has not.

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
Normalize = _colours
LogNorm = _colours
ScalarMappable = _look
to_rgba = _colours
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
