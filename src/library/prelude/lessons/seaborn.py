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


def _plain(data, hue):
    if data is not None or hue is not None:
        raise NotImplementedError('seaborn with data= or hue= is not provided: pass arrays x and y')


def lineplot(data=None, *, x=None, y=None, hue=None, ax=None, label=None, **options):
    _plain(data, hue)
    axes = ax or plt.gca()
    axes.plot(x, y, label=label)
    return axes


def scatterplot(data=None, *, x=None, y=None, hue=None, ax=None, label=None, **options):
    _plain(data, hue)
    axes = ax or plt.gca()
    axes.scatter(x, y, label=label)
    return axes


def histplot(data=None, *, x=None, bins=10, hue=None, ax=None, label=None, **options):
    _plain(None, hue)
    axes = ax or plt.gca()
    axes.hist(data if x is None else x, bins=bins, label=label)
    return axes
