# matplotlib.pyplot: what is plotted is collected, and drawn as text when it is shown.

from matplotlib.pyplot import _draw, _undrawn


def _listed(v):
    """Nested lists of numbers; a tensor goes the way it goes in matplotlib, through numpy()."""
    if isinstance(v, torch.Tensor):
        v = v.numpy()
    if hasattr(v, 'tolist'):
        return v.tolist()
    return [_listed(x) for x in v] if hasattr(v, '__iter__') else v


def _numbers(v):
    """A flat list of floats."""
    v = _listed(v)
    return [x for part in v for x in _numbers(part)] if isinstance(v, list) else [float(v)]


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


class _Lines(list):
    def _ipython_display_(self):
        pass


class Axes:
    """The contents of a plot."""

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

    def _add(self, kind, label, xs, ys, names=None):
        self._series.append((kind, '' if label is None else str(label), xs, ys, names or []))

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
                self._add('points' if points else 'line', label, xs, ys)
                lines.append(None)
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

    def scatter(self, x, y, *args, label=None, **options):
        xs, ys = _numbers(x), _numbers(y)
        if len(xs) != len(ys):
            raise ValueError('x and y must be the same size')
        self._add('points', label, xs, ys)

    def step(self, x, y, *args, where='pre', label=None, **options):
        xs, ys = _numbers(x), _numbers(y)
        turns = [xs[0]]
        for a, b in zip(xs, xs[1:]):
            at = {'pre': a, 'post': b, 'mid': (a + b) / 2}[where]
            turns += [at, at]
        turns.append(xs[-1])
        levels = [y for y in ys for _ in _range(2)]
        self._add('line', label, turns, levels)

    def errorbar(self, x, y, *args, label=None, **options):
        self._add('line', label, _numbers(x), _numbers(y))
        if args or options.get('yerr') is not None or options.get('xerr') is not None:
            _undrawn('errorbar')

    def bar(self, x, height, *args, label=None, **options):
        names = [str(v.item() if hasattr(v, 'item') else v) for v in x]
        heights = _numbers(height)
        if len(heights) == 1:
            heights = heights * len(names)
        self._add('bars', label, [float(k) for k in range(len(names))], heights, names)

    def barh(self, y, width, *args, **options):
        self.bar(y, width, **options)

    def hist(self, x, bins=10, range=None, label=None, **options):
        values = _numbers(x)
        low, high = (min(values), max(values)) if range is None else range
        if low == high:
            low, high = low - 0.5, high + 0.5
        edges = [low + (high - low) * k / bins for k in _range(bins + 1)] if isinstance(bins, int) else _numbers(bins)
        counts = [0] * (len(edges) - 1)
        for v in values:
            for k in _range(len(counts)):
                last = k == len(counts) - 1
                if edges[k] <= v and (v < edges[k + 1] or last and v == edges[k + 1]):
                    counts[k] += 1
        names = [f'{edges[k]:.3g} to {edges[k + 1]:.3g}' for k in _range(len(counts))]
        self._add('bars', label, edges[:-1], [float(c) for c in counts], names)
        return counts, edges, []

    def axhline(self, y=0, *args, label=None, **options):
        self._add('level', label, [], [float(y)])

    def axvline(self, x=0, *args, label=None, **options):
        self._add('upright', label, [float(x)], [])

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
            self._series = [(s[0], str(n), s[2], s[3], s[4]) for s, n in zip(self._series, names)] + self._series[len(names):]

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
        if name in _DECORATION:
            return self._nothing
        _undrawn(name)
        return self._nothing


_range = range
# What only adorns.
_DECORATION = ['grid', 'axis', 'tick_params', 'set_xticks', 'set_yticks', 'set_xticklabels', 'set_yticklabels', 'set_aspect', 'margins', 'set_facecolor', 'invert_yaxis', 'set_axis_off', 'set_axisbelow', 'autoscale', 'minorticks_on', 'spines', 'xaxis', 'yaxis']


class Figure:
    """Several plots, drawn one below the other."""

    def __init__(self):
        self.axes = []

    def add_subplot(self, *args, **options):
        self.axes.append(Axes())
        return self.axes[-1]

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


def subplots(rows=1, columns=1, *args, squeeze=True, nrows=None, ncols=None, **options):
    rows, columns = nrows or rows, ncols or columns
    made = figure()
    all = [[made.add_subplot() for _ in range(columns)] for _ in range(rows)]
    _now[1] = all[0][0]
    if rows == 1 and columns == 1:
        return made, all[0][0]
    if rows == 1:
        return made, all[0]
    if columns == 1:
        return made, [row[0] for row in all]
    return made, all


def subplot(*args, **options):
    _now[1] = _now[0].add_subplot()
    return _now[1]


def show(*args, **options):
    _now[0].show()
    figure()


def draw(*args, **options):
    show()


def close(*args, **options):
    figure()


def clf(*args, **options):
    figure()


def cla(*args, **options):
    _axes().cla()


def plot(*args, **options):
    return _axes().plot(*args, **options)


def semilogy(*args, **options):
    return _axes().semilogy(*args, **options)


def semilogx(*args, **options):
    return _axes().semilogx(*args, **options)


def loglog(*args, **options):
    return _axes().loglog(*args, **options)


def scatter(*args, **options):
    return _axes().scatter(*args, **options)


def step(*args, **options):
    return _axes().step(*args, **options)


def errorbar(*args, **options):
    return _axes().errorbar(*args, **options)


def bar(*args, **options):
    return _axes().bar(*args, **options)


def barh(*args, **options):
    return _axes().barh(*args, **options)


def hist(*args, **options):
    return _axes().hist(*args, **options)


def axhline(*args, **options):
    return _axes().axhline(*args, **options)


def axvline(*args, **options):
    return _axes().axvline(*args, **options)


def title(*args, **options):
    _axes().set_title(*args, **options)


def suptitle(*args, **options):
    _now[0].suptitle(*args, **options)


def xlabel(*args, **options):
    _axes().set_xlabel(*args, **options)


def ylabel(*args, **options):
    _axes().set_ylabel(*args, **options)


def xlim(*args, **options):
    _axes().set_xlim(*args, **options)


def ylim(*args, **options):
    _axes().set_ylim(*args, **options)


def xscale(*args, **options):
    _axes().set_xscale(*args, **options)


def yscale(*args, **options):
    _axes().set_yscale(*args, **options)


def legend(*args, **options):
    _axes().legend(*args, **options)


def savefig(*args, **options):
    _undrawn('savefig')


def imshow(*args, **options):
    _undrawn('imshow')


def contour(*args, **options):
    _undrawn('contour')


def contourf(*args, **options):
    _undrawn('contourf')


def fill_between(*args, **options):
    _undrawn('fill_between')


def quiver(*args, **options):
    _undrawn('quiver')


def annotate(*args, **options):
    _undrawn('annotate')


def text(*args, **options):
    _undrawn('text')


def _nothing(*args, **options):
    pass


def grid(*args, **options):
    pass


def axis(*args, **options):
    pass


def xticks(*args, **options):
    pass


def yticks(*args, **options):
    pass


def colorbar(*args, **options):
    pass


def tight_layout(*args, **options):
    pass


def subplots_adjust(*args, **options):
    pass


def pause(*args, **options):
    pass


def ion(*args, **options):
    pass


def ioff(*args, **options):
    pass


class _Style:
    def use(self, *args, **options):
        pass


class _Parameters(dict):
    pass


style = _Style()
rcParams = {}
