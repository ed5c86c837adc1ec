# matplotlib.pyplot: what is plotted is collected, and drawn as text when it is shown.

from matplotlib.pyplot import _contours, _draw, _undrawn


def _listed(v):
    """Nested lists of numbers; a tensor goes the way it goes in matplotlib, through numpy()."""
    if isinstance(v, torch.Tensor):
        v = v.numpy()
    if hasattr(v, 'tolist'):
        return v.tolist()
    if isinstance(v, str) or isinstance(v, list) and _flat(v):
        return v
    v = [_listed(x) for x in v] if hasattr(v, '__iter__') else v
    # Names stand where they come first.
    if isinstance(v, list) and v and all(isinstance(x, str) for x in v):
        places = list(dict.fromkeys(v))
        return [places.index(x) for x in v]
    return v


def _flat(v):
    return all(isinstance(x, (int, float)) for x in v)


def _numbers(v):
    """A flat list of floats."""
    v = _listed(v)
    if not isinstance(v, list):
        return [float(v)]
    return list(map(float, v)) if _flat(v) else [x for part in v for x in _numbers(part)]


def _shape(v):
    return (len(v), *_shape(v[0])) if isinstance(v, list) and v else (0,) if isinstance(v, list) else ()


def _columns(v):
    """The columns of a matrix, each a series of its own; a vector is one."""
    if len(_shape(v)) < 2:
        return [_numbers(v)]
    return [[float(row[k]) for row in v] for k in _range(len(v[0]))]


def _series(x, y):
    """The columns of x beside those of y; one column serves for all of the other."""
    y = _listed(y)
    x = [float(k) for k in _range(len(_numbers(y) if len(_shape(y)) < 2 else y))] if x is None else _listed(x)
    n, m = (_shape(v) or (1,) for v in (x, y))
    if n[0] != m[0]:
        raise ValueError(f'x and y must have same first dimension, but have shapes {n} and {m}')
    if max(len(n), len(m)) > 2:
        raise ValueError(f'x and y can be no greater than 2D, but have shapes {n} and {m}')
    xs, ys = _columns(x), _columns(y)
    if len(xs) > 1 and len(ys) > 1 and len(xs) != len(ys):
        raise ValueError(f'x has {len(xs)} columns but y has {len(ys)} columns')
    count = max(len(xs), len(ys)) if xs and ys else 0
    return [(xs[k % len(xs)], ys[k % len(ys)]) for k in _range(count)]


def _points_only(mark):
    return any(m in mark for m in 'o.x+*^s,') and '-' not in mark


class _Artist:
    """Something drawn: what changes only its looks does nothing."""

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return _nothing

    def __call__(self, *args, **options):
        return self

    def _ipython_display_(self):
        pass


class _Bar(_Artist):
    """A bar knows its place: values are written beside it."""

    def __init__(self, x, y, width, height):
        self._x, self._y, self._width, self._height = x, y, width, height

    def get_x(self):
        return self._x

    def get_y(self):
        return self._y

    def get_width(self):
        return self._width

    def get_height(self):
        return self._height


class _Lines(list):
    def _ipython_display_(self):
        pass


class _Bars(_Lines):
    def __repr__(self):
        return f'<BarContainer object of {len(self)} artists>'


class _Part(_Artist):
    """A part of a plot, such as its edges."""

    def __getitem__(self, key):
        return self

    def values(self):
        return [self]


class _Colorbar(_Artist):
    """A scale of colours, with axes of its own."""

    def __init__(self):
        self.ax = _Part()


class _Colours:
    """A map from numbers to colours, which a terminal has not."""

    def __call__(self, x=0, *args, **options):
        return [self(v) for v in x] if hasattr(x, '__len__') else (0.0, 0.0, 0.0, 1.0)

    def __setitem__(self, index, value):
        pass

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return _Colours()


class _Grid(list):
    """The axes of subplots, indexed as an array of one or two dimensions."""

    def __getitem__(self, key):
        if isinstance(key, tuple):
            row, column = key
            if isinstance(row, slice):
                return _Grid([line[column] for line in list(self)[row]])
            return self[row][column]
        found = list(self)[key]
        return _Grid(found) if isinstance(key, slice) else found

    def flatten(self):
        return _Grid([one for line in self for one in (line if isinstance(line, list) else [line])])

    def ravel(self):
        return self.flatten()

    def reshape(self, *shape):
        return self.flatten()

    @property
    def flat(self):
        return iter(self.flatten())

    @property
    def size(self):
        return len(self.flatten())

    @property
    def shape(self):
        return (len(self), len(self[0])) if isinstance(self[0], list) else (len(self),)


def _grid(x, y, z):
    """The places of columns and rows, and the numbers over them, row after row."""
    z = _listed(z)
    shape = _shape(z)
    if len(shape) != 2:
        raise TypeError(f'Input z must be 2D, not {len(shape)}D')
    places = []
    for k, v in ((1, x), (0, y)):
        v = list(_range(shape[k])) if v is None else _listed(v)
        if len(_shape(v)) == 2:
            v = v[0] if k else [row[0] for row in v]
        # The edges of cells: their middles.
        if len(v) == shape[k] + 1:
            v = [(a + b) / 2 for a, b in zip(v, v[1:])]
        if len(v) != shape[k]:
            raise TypeError(f"Length of {'xy'[1 - k]} ({len(v)}) must match number of {'rows' if k == 0 else 'columns'} in z ({shape[k]})")
        places.append([float(p) for p in v])
    return places[0], places[1], [float(v) for row in z for v in row]


def _levels(heights, levels):
    if levels is not None and not isinstance(levels, int):
        return _numbers(levels)
    known = [h for h in heights if h - h == 0]
    low, high = min(known), max(known)
    count = levels or 7
    return [low + (high - low) * (k + 1) / (count + 1) for k in _range(count)]


def _classes(c, count):
    """Which points look alike: those of one colour, where there are few colours."""
    c = None if c is None or isinstance(c, str) else _listed(c)
    if not isinstance(c, list) or len(c) != count or _shape(c) != (count,) or len(set(c)) > 6:
        return [0] * count
    return c


class Axes:
    """The contents of a plot."""

    def __repr__(self):
        return '<Axes: >'

    def __init__(self):
        self._clear()

    def _clear(self):
        self._series = []
        self._title = ''
        self._xlabel = ''
        self._ylabel = ''
        self._xlim = None
        self._ylim = None
        self._logx = False
        self._logy = False

    def _add(self, kind, label, xs, ys, names=None, shades=None):
        label = '' if label is None or str(label).startswith('_') else str(label)
        self._series.append((kind, label, xs, ys, names or [], shades or []))
        return _Artist()

    def plot(self, *args, label=None, marker=None, linestyle=None, ls=None, **options):
        args = list(args)
        lines = _Lines()
        while args:
            x = None
            y = args.pop(0)
            if args and not isinstance(args[0], str):
                x, y = y, args.pop(0)
            mark = args.pop(0) if args and isinstance(args[0], str) else ''
            points = _points_only(mark) or linestyle in ('', 'None', 'none') or ls in ('', 'None', 'none')
            for xs, ys in _series(x, y):
                lines.append(self._add('points' if points else 'line', label, xs, ys))
        return lines

    def semilogy(self, *args, **options):
        self._logy = True
        return self.plot(*args, **options)

    def semilogx(self, *args, **options):
        self._logx = True
        return self.plot(*args, **options)

    def loglog(self, *args, **options):
        self._logx = True
        return self.semilogy(*args, **options)

    def scatter(self, x, y, s=None, c=None, *args, label=None, **options):
        xs, ys = _numbers(x), _numbers(y)
        if len(xs) != len(ys):
            raise ValueError('x and y must be the same size')
        classes = _classes(c, len(xs))
        for one in sorted(set(classes)):
            at = [k for k in _range(len(xs)) if classes[k] == one]
            self._add('points', label, [xs[k] for k in at], [ys[k] for k in at])
            label = None
        return _Artist()

    def step(self, x, y, *args, where='pre', label=None, **options):
        xs, ys = _numbers(x), _numbers(y)
        turns = [xs[0]]
        for a, b in zip(xs, xs[1:]):
            at = {'pre': a, 'post': b, 'mid': (a + b) / 2}[where]
            turns += [at, at]
        turns.append(xs[-1])
        levels = [y for y in ys for _ in _range(2)]
        self._add('line', label, turns, levels)

    def errorbar(self, x, y, yerr=None, xerr=None, fmt='', *args, label=None, **options):
        xs, ys = _numbers(x), _numbers(y)
        self._add('points' if _points_only(fmt) else 'line', label, xs, ys)
        for err, across in ((yerr, False), (xerr, True)):
            if err is None:
                continue
            err = _listed(err)
            below, above = err if len(_shape(err)) == 2 else (err, err)
            below, above = [_numbers(e) * (len(xs) if len(_shape(e)) == 0 else 1) for e in (below, above)]
            bars = [], []
            for k in _range(len(xs)):
                for j in _range(13):
                    off = -below[k] + (below[k] + above[k]) * j / 12
                    bars[0].append(xs[k] + (off if across else 0.0))
                    bars[1].append(ys[k] + (0.0 if across else off))
            self._add('dots', '', *bars)
        return _Artist()

    def fill_between(self, x, y1, y2=0, *args, label=None, **options):
        xs = _numbers(x)
        low, high = [_numbers(y) * (len(xs) if len(_shape(_listed(y))) == 0 else 1) for y in (y1, y2)]
        filled = [], []
        for k in _range(len(xs) - 1):
            for part in _range(max(1, 128 // len(xs))):
                t = part / max(1, 128 // len(xs))
                a, b = [v[k] + t * (v[k + 1] - v[k]) for v in (low, high)]
                filled[0].extend([xs[k] + t * (xs[k + 1] - xs[k])] * 25)
                filled[1].extend([a + (b - a) * j / 24 for j in _range(25)])
        return self._add('dotted', label, *filled)

    def imshow(self, X, *args, **options):
        X = X.numpy() if isinstance(X, torch.Tensor) else np.array(X)
        if X.ndim == 3 and X.shape[2] in (1, 3, 4):
            X = X[:, :, :3].mean(axis=2)
        elif X.ndim != 2:
            raise TypeError(f'Invalid shape {X.shape} for image data')
        # A terminal has no more cells.
        rows, columns = max(1, X.shape[0] // 96), max(1, X.shape[1] // 192)
        xs, ys = [[float(k) for k in _range(0, X.shape[d], step)] for d, step in ((1, columns), (0, rows))]
        return self._add('image', '', xs, ys, [], _numbers(X[::rows, ::columns].astype(float)))

    def matshow(self, Z, *args, **options):
        return self.imshow(Z)

    def pcolormesh(self, *args, **options):
        xs, ys, heights = _grid(*args) if len(args) == 3 else _grid(None, None, args[0])
        return self._add('shades', '', xs, ys, [], heights)

    def contourf(self, *args, levels=None, **options):
        return self.pcolormesh(*(args[:3] if len(args) >= 3 else args[:1]))

    def contour(self, *args, levels=None, **options):
        if len(args) in (2, 4):
            args, levels = args[:-1], args[-1]
        xs, ys, heights = _grid(*args) if len(args) == 3 else _grid(None, None, args[0])
        return self._add('dots', '', *_contours(xs, ys, heights, _levels(heights, levels)))

    def text(self, x, y, s, *args, **options):
        return self._add('words', '', _numbers(x), _numbers(y), [str(s)])

    def annotate(self, text, xy, xytext=None, *args, **options):
        x, y = _numbers(xy if xytext is None or 'textcoords' in options else xytext)
        return self._add('words', '', [x], [y], [str(text)])

    def stem(self, *args, label=None, **options):
        xs, ys = _series(*(args if len(args) > 1 else (None, args[0])))[0]
        for x, y in zip(xs, ys):
            self._add('dots', '', [x] * 13, [y * j / 12 for j in _range(13)])
        return self._add('points', label, xs, ys)

    def hlines(self, y, xmin, xmax, *args, label=None, **options):
        for level in _numbers(y):
            self._add('line', label, [float(xmin), float(xmax)], [level, level])

    def vlines(self, x, ymin, ymax, *args, label=None, **options):
        for place in _numbers(x):
            self._add('dots', label, [place] * 49, [ymin + (ymax - ymin) * j / 48 for j in _range(49)])

    def bar(self, x, height, width=0.8, bottom=0, *args, label=None, align='center', **options):
        x = x if hasattr(x, '__iter__') else [x]
        names = [str(v.item() if hasattr(v, 'item') else v) for v in x]
        xs, heights, widths, bottoms = _numbers(x), _numbers(height), _numbers(width), _numbers(bottom)
        heights, widths, bottoms = [v * len(names) if len(v) == 1 else v for v in (heights, widths, bottoms)]
        self._add('bars', label, xs, heights, names)
        left = [a - w / 2 if align == 'center' else a for a, w in zip(xs, widths)]
        return _Bars([_Bar(*box) for box in zip(left, bottoms, widths, heights)])

    def barh(self, y, width, height=0.8, left=0, *args, **options):
        return _Bars([_Bar(b._y, b._x, b._height, b._width) for b in self.bar(y, width, height, left, **options)])

    def hist(self, x, bins=10, range=None, density=False, label=None, **options):
        x = _listed(x)
        sets = _columns(x) if len(_shape(x)) == 2 and len({len(part) for part in x}) == 1 else x if x and isinstance(x[0], list) else [x]
        labels = label if isinstance(label, (list, tuple)) else [label] * len(sets)
        made = []
        for values, label in zip(sets, labels):
            values = _numbers(values)
            bins = 10 if bins is None or isinstance(bins, str) else bins
            low, high = (min(values), max(values)) if range is None else range
            if low == high:
                low, high = low - 0.5, high + 0.5
            edges = [low + (high - low) * k / bins for k in _range(bins + 1)] if isinstance(bins, int) else _numbers(bins)
            counts, _ = np.histogram(values, edges, density=density)
            names = [f'{edges[k]:.3g} to {edges[k + 1]:.3g}' for k in _range(len(counts))]
            self._add('bars', label, [(a + b) / 2 for a, b in zip(edges, edges[1:])], _numbers(counts), names)
            made.append(np.array(_numbers(counts)))
        return made[0] if len(made) == 1 else made, np.array(edges), _Bars([_Bar(a, 0.0, b - a, float(n)) for a, b, n in zip(edges, edges[1:], counts)])

    def axhline(self, y=0, *args, label=None, **options):
        return self._add('level', label, [], [float(y)])

    def axvline(self, x=0, *args, label=None, **options):
        return self._add('upright', label, [float(x)], [])

    def axhspan(self, ymin, ymax, *args, label=None, **options):
        self.axhline(ymin, label=label)
        return self.axhline(ymax)

    def axvspan(self, xmin, xmax, *args, label=None, **options):
        self.axvline(xmin, label=label)
        return self.axvline(xmax)

    def clabel(self, *args, **options):
        return []

    def set_title(self, text, *args, **options):
        self._title = str(text)

    def set_xlabel(self, text, *args, **options):
        self._xlabel = str(text)

    def set_ylabel(self, text, *args, **options):
        self._ylabel = str(text)

    def set_xlim(self, left=None, right=None, **options):
        if right is None and left is not None:
            left, right = left
        self._xlim = None if left is None else (float(left), float(right))

    def set_ylim(self, bottom=None, top=None, **options):
        if top is None and bottom is not None:
            bottom, top = bottom
        self._ylim = None if bottom is None else (float(bottom), float(top))

    def set_xscale(self, scale, **options):
        self._logx = scale == 'log'

    def set_yscale(self, scale, **options):
        self._logy = scale == 'log'

    def set(self, title=None, xlabel=None, ylabel=None, xlim=None, ylim=None, **options):
        if title is not None:
            self.set_title(title)
        if xlabel is not None:
            self.set_xlabel(xlabel)
        if ylabel is not None:
            self.set_ylabel(ylabel)
        if xlim is not None:
            self.set_xlim(xlim)
        if ylim is not None:
            self.set_ylim(ylim)

    def legend(self, names=None, *args, **options):
        if isinstance(names, (list, tuple)):
            named = [s for s in self._series if s[0] not in ('dotted', 'words', 'shades', 'image')]
            for n, s in zip(names, named):
                self._series[self._series.index(s)] = (s[0], str(n), *s[2:])
        return _Artist()

    def get_xlim(self):
        return self._xlim or (0.0, 1.0)

    def get_ylim(self):
        return self._ylim or (0.0, 1.0)

    def get_figure(self):
        return _now[0]

    @property
    def axes(self):
        return self

    def get_xaxis(self):
        return _Part()

    def get_yaxis(self):
        return _Part()

    def twinx(self):
        return self

    def twiny(self):
        return self

    def get_xticklabels(self, *args, **options):
        return []

    def get_yticklabels(self, *args, **options):
        return []

    def add_patch(self, patch):
        return patch

    def cla(self):
        self._clear()

    def _show(self):
        if self._series:
            _draw(self._title, self._xlabel, self._ylabel, self._xlim, self._ylim, self._logx, self._logy, self._series)

    def _nothing(self, *args, **options):
        pass

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        if name in _PARTS:
            return _Part()
        if name in _DECORATION or name.startswith(('set_', 'get_')):
            return self._nothing
        _undrawn(name)
        return self._nothing


_range = range
# What only adorns.
_DECORATION = ['grid', 'axis', 'tick_params', 'set_xticks', 'set_yticks', 'set_xticklabels', 'set_yticklabels', 'set_aspect', 'margins', 'set_facecolor', 'invert_yaxis', 'set_axis_off', 'set_axisbelow', 'autoscale', 'minorticks_on', 'minorticks_off', 'label_outer', 'relim', 'autoscale_view']
# Parts whose looks can be set.
_PARTS = ['spines', 'xaxis', 'yaxis', 'transAxes', 'transData', 'patch', 'figure', 'title']


class Figure:
    """Several plots, drawn one below the other."""

    def __repr__(self):
        return f'<Figure size 640x480 with {len(self.axes)} Axes>'

    def __init__(self):
        self.axes = []

    def add_subplot(self, *args, **options):
        self.axes.append(Axes())
        return self.axes[-1]

    def add_axes(self, *args, **options):
        return self.add_subplot()

    def subplots(self, rows=1, columns=1, nrows=None, ncols=None, squeeze=True, **options):
        rows, columns = nrows or rows, ncols or columns
        all = _Grid([_Grid([self.add_subplot() for _ in _range(columns)]) for _ in _range(rows)])
        if not squeeze:
            return all
        if rows == 1 and columns == 1:
            return all[0][0]
        return all[0] if rows == 1 else all[:, 0] if columns == 1 else all

    def colorbar(self, *args, **options):
        return _Colorbar()

    def gca(self):
        return self.axes[-1] if self.axes else self.add_subplot()

    def show(self, *args, **options):
        for one in self.axes:
            one._show()

    def suptitle(self, text, *args, **options):
        one = self.axes[0] if self.axes else self.add_subplot()
        one._title = one._title or str(text)

    def savefig(self, *args, **options):
        _undrawn('savefig')

    def _nothing(self, *args, **options):
        pass

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return self._nothing


_now = [Figure(), None]


def _axes():
    if _now[1] is None:
        _now[1] = _now[0].gca()
    return _now[1]


def gca(*args, **options):
    return _axes()


def gcf(*args, **options):
    return _now[0]


def figure(*args, **options):
    _now[0], _now[1] = Figure(), None
    return _now[0]


def subplots(*args, **options):
    made = figure()
    axes = made.subplots(*args, **options)
    _now[1] = made.axes[0]
    return made, axes


# The axes of plt.subplot, by their place in the grid.
_places = {}


def subplot(*args, **options):
    if args and isinstance(args[0], Axes):
        return sca(args[0])
    key = tuple([int(d) for d in str(args[0])]) if len(args) == 1 else args
    if not _now[0].axes:
        _places.clear()
    if key not in _places:
        _places[key] = _now[0].add_subplot()
    _now[1] = _places[key]
    return _now[1]


def subplot2grid(shape, loc, **options):
    return subplot(*shape, tuple(loc))


def axes(*args, **options):
    return _axes()


def sca(ax):
    _now[1] = ax
    return ax


def show(*args, **options):
    _now[0].show()
    figure()


def _cell_ends():
    if _now[0].axes:
        show()


def draw(*args, **options):
    show()


def close(*args, **options):
    figure()


def clf(*args, **options):
    figure()


def cla(*args, **options):
    _axes().cla()


def _on(name):
    """The method of the present axes, as a function."""

    def method(*args, **options):
        return getattr(_axes(), name)(*args, **options)

    return method


plot = _on('plot')
semilogy = _on('semilogy')
semilogx = _on('semilogx')
loglog = _on('loglog')
scatter = _on('scatter')
step = _on('step')
stem = _on('stem')
errorbar = _on('errorbar')
bar = _on('bar')
barh = _on('barh')
hist = _on('hist')
axhline = _on('axhline')
axvline = _on('axvline')
axhspan = _on('axhspan')
axvspan = _on('axvspan')
clabel = _on('clabel')
hlines = _on('hlines')
vlines = _on('vlines')
fill_between = _on('fill_between')
imshow = _on('imshow')
matshow = _on('matshow')
pcolormesh = _on('pcolormesh')
pcolor = _on('pcolormesh')
contour = _on('contour')
contourf = _on('contourf')
text = _on('text')
annotate = _on('annotate')
quiver = _on('quiver')
streamplot = _on('streamplot')
boxplot = _on('boxplot')
arrow = _on('arrow')
title = _on('set_title')
xlabel = _on('set_xlabel')
ylabel = _on('set_ylabel')
xlim = _on('set_xlim')
ylim = _on('set_ylim')
xscale = _on('set_xscale')
yscale = _on('set_yscale')
legend = _on('legend')


def suptitle(text, *args, **options):
    _now[0].suptitle(text)


def savefig(*args, **options):
    _undrawn('savefig')


def colorbar(*args, **options):
    return _Colorbar()


def get_cmap(*args, **options):
    return _Colours()


def xkcd(*args, **options):
    return _Context()


def xticks(*args, **options):
    return [], []


def yticks(*args, **options):
    return [], []


def _nothing(*args, **options):
    pass


grid = _nothing
axis = _nothing
tight_layout = _nothing
subplots_adjust = _nothing
clim = _nothing
margins = _nothing
tick_params = _nothing
minorticks_on = _nothing
rc = _nothing
rcdefaults = _nothing
set_cmap = _nothing
setp = _nothing
box = _nothing
pause = _nothing
ion = _nothing
ioff = _nothing
switch_backend = _nothing
gray = _nothing
jet = _nothing
viridis = _nothing
hot = _nothing
cm = _Colours()


class _Style:
    available = ['default', 'ggplot', 'seaborn-v0_8']

    def use(self, *args, **options):
        pass

    def context(self, *args, **options):
        return _Context()


class _Context:
    def __enter__(self):
        return None

    def __exit__(self, *error):
        return None


style = _Style()
rc_context = style.context
rcParams = {}
