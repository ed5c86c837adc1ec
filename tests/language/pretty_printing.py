from pprint import pprint, pformat, PrettyPrinter
from collections import OrderedDict, Counter, defaultdict
from dataclasses import dataclass, field
pprint({'b': 1, 'a': [1, 2, 3]})
pprint({'lr': 0.1, 'betas': (0.9, 0.999), 'weights': [0.12345] * 12, 'name': 'adam with a long name and so on and so on'})
pprint(list(range(50)))
pprint(list(range(50)), compact=True)
pprint([['a' * 30, 'b' * 30], ['c' * 30, 'd' * 30, 'e' * 30]], indent=4)
pprint({'a': {'b': {'c': {'d': [1, 2, 3]}}}}, depth=2)
pprint(OrderedDict([('layer.weight', [0.25] * 12), ('layer.bias', (1.5,) * 12)]))
pprint(OrderedDict(a=1))
pprint(Counter('the quick brown fox jumps over the lazy dog and runs away from it'))
d = defaultdict(list)
for k in range(12): d['key%d' % (k % 5)].append('value number %d' % k)
pprint(d)
pprint('word ' * 40)
pprint({'text': 'word ' * 40, 'n': 12345678})
pprint('line one\nline two is longer\n' * 4)
@dataclass
class Config:
    lr: float = 0.1
    layers: list = field(default_factory=lambda: [64] * 20)
    name: str = 'a configuration with a rather long name that has many words in it'
pprint(Config())
pprint([Config(), 1])
pprint(tuple(range(40)))
pprint((('x' * 90),))
pprint(set(range(40)))
pprint(frozenset('abcdefghijklmnopqrstuvwxyz0123456789'))
pprint({1: 'a', 'b': 2})
pprint([1000000, 2], underscore_numbers=True)
print(pformat({'z': [1] * 40, 'y': {'q': ['w' * 20] * 5}}, width=40))
PrettyPrinter(indent=2, width=30).pprint({'one': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 'two': ('a', 'b')})
from pprint import pp
pp({'b': 'x' * 40, 'a': 'y' * 40})
pprint([])
pprint({})
pprint({'a': [], 'b' * 70: {}, 'c': ()})
