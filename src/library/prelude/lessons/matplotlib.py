# matplotlib itself: settings, which have no effect on text.

import matplotlib.pyplot as plt

rcParams = plt.rcParams
cm = plt.cm
style = plt.style
colormaps = plt.cm
__version__ = '3.10.0'


def rc(*args, **options):
    pass
