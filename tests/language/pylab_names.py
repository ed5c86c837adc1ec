import matplotlib; matplotlib.use('Agg')
import matplotlib.colors as colors
from matplotlib.colors import to_rgb, to_rgba, to_hex
class N(colors.Normalize):
    pass
print(N(0, 10)(5), to_rgb('r'), to_rgba('#336699', .5), to_hex((1,0,0)), to_rgb('0.5'), to_rgb('C1'))

from matplotlib.pylab import *
print(pi, sin(0.), linspace(0,1,3))
fig, ax = subplots(); ax.get_yaxis().set_ticks([]); gca().axes.get_yaxis().set_visible(False)
c = ax.contourf(*meshgrid([0,1],[0,1]), [[0,1],[2,3]]); fig.colorbar(c).ax.set_ylabel('h'); ax.axvspan(0, 1, color='k', alpha=0.2)
print(0 <= random() < 1, seed(3), round(random(), 6))
