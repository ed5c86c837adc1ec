# seaborn: its styles, which have no effect on text, and the plots of two arrays.

import matplotlib.pyplot as plt


def set(*args, **options):
    pass


def set_theme(*args, **options):
    pass


def set_style(*args, **options):
    pass


def set_context(*args, **options):
    pass


def set_palette(*args, **options):
    pass


def despine(*args, **options):
    pass


def heatmap(data, *, ax=None, cmap=None, annot=None, fmt=None, **options):
    axes = ax or plt.gca()
    axes.imshow(data)
    return axes


def _column(data, of):
    """A column by its name, or the numbers themselves."""
    return data[of] if isinstance(of, str) and data is not None else of


def _groups(data, hue, *columns):
    """The columns, once for each value of hue, with that value as the label."""
    if isinstance(data, (list, tuple)) or hasattr(data, 'shape'):
        columns, data = [data if c is None and k == len(columns) - 1 else c for k, c in enumerate(columns)], None
    columns = [None if c is None else list(_column(data, c)) for c in columns]
    if hue is None:
        return [(None, columns)]
    kinds = list(_column(data, hue))
    groups = []
    for kind in dict.fromkeys(kinds):
        at = [k for k, other in enumerate(kinds) if other == kind]
        groups.append((str(kind), [None if c is None else [c[k] for k in at] for c in columns]))
    return groups


def _named(axes, x, y):
    if isinstance(x, str):
        axes.set_xlabel(x)
    if isinstance(y, str):
        axes.set_ylabel(y)
    return axes


def lineplot(data=None, *, x=None, y=None, hue=None, ax=None, label=None, **options):
    axes = ax or plt.gca()
    for kind, (xs, ys) in _groups(data, hue, x, y):
        axes.plot(ys, label=kind or label) if xs is None else axes.plot(xs, ys, label=kind or label)
    return _named(axes, x, y)


def scatterplot(data=None, *, x=None, y=None, hue=None, ax=None, label=None, **options):
    axes = ax or plt.gca()
    for kind, (xs, ys) in _groups(data, hue, x, y):
        axes.scatter(xs, ys, label=kind or label)
    return _named(axes, x, y)


def barplot(data=None, *, x=None, y=None, hue=None, ax=None, label=None, **options):
    axes = ax or plt.gca()
    for kind, (xs, ys) in _groups(data, hue, x, y):
        # A bar is the mean of what has its name.
        names = list(dict.fromkeys(xs))
        means = [[b for a, b in zip(xs, ys) if a == name] for name in names]
        axes.bar(names, [sum(part) / len(part) for part in means], label=kind or label)
    return _named(axes, x, y)


def histplot(data=None, *, x=None, bins=10, hue=None, ax=None, label=None, **options):
    axes = ax or plt.gca()
    for kind, (xs,) in _groups(data, hue, x):
        axes.hist(xs, bins=bins, label=kind or label)
    return _named(axes, x, None)
