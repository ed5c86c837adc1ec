# Modules of the library that are written in the language: functools, itertools, collections, dataclasses, contextlib, enum, json …
import functools
from functools import reduce, partial, wraps, lru_cache, cache
print(reduce(lambda a, b: a + b, [1, 2, 3]), reduce(lambda a, b: a * b, [1, 2, 3], 10))
try: reduce(lambda a, b: a, [])
except TypeError as e: print(e)
p = partial(pow, 2); print(p(5)); q = partial(print, 'x', sep='-'); q('y')
def deco(f):
    @wraps(f)
    def w(*a, **k):
        print('before', f.__name__)
        return f(*a, **k)
    return w
@deco
def add(a, b):
    "adds"
    return a + b
print(add(1, 2), add.__name__, add.__doc__)
def rep(n):
    def d(f):
        def w(*a): return [f(*a) for _ in range(n)]
        return w
    return d
@rep(2)
@deco
def hi(x): return x
print(hi(3))
@lru_cache(maxsize=None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(50))
@cache
def sq(n): print('calc'); return n * n
sq(2); sq(2)
print(sorted([3, 1, 2], key=functools.cmp_to_key(lambda a, b: b - a)))
class D:
    def __init__(self, f): self.f = f
    def __call__(self, *a): return ('D', self.f(*a))
@D
def z(x): return x
print(z(1))
@functools.total_ordering
class T:
    def __init__(self, v): self.v = v
    def __eq__(self, o): return self.v == o.v
    def __lt__(self, o): return self.v < o.v
print(T(1) <= T(2), T(1) >= T(2))
import itertools
from itertools import product, combinations, permutations, chain, count, cycle, repeat, accumulate, zip_longest, groupby, starmap, dropwhile, tee, compress, filterfalse, pairwise, combinations_with_replacement
print(list(product([1, 2], 'ab')), list(product([0, 1], repeat=2)))
print(list(combinations('abc', 2)), list(permutations([1, 2, 3], 2)), list(permutations('ab')))
print(list(chain([1], [2, 3])), list(chain.from_iterable([[1], [2]])))
c = count(5, 2); print(next(c), next(c)); cy = cycle('ab'); print([next(cy) for _ in range(5)])
print(list(repeat(1, 3)), list(accumulate([1, 2, 3])), list(accumulate([1, 2, 3], lambda a, b: a * b)), list(accumulate([1, 2], initial=10)))
print(list(zip_longest([1, 2], 'a', fillvalue='-')), [(k, list(g)) for k, g in groupby('aabbc')], [(k, list(g)) for k, g in groupby([1, 3, 2, 4], key=lambda v: v % 2)])
print(list(starmap(pow, [(2, 3), (3, 2)])), list(dropwhile(lambda v: v < 2, [1, 2, 1])), list(compress('abc', [1, 0, 1])), list(filterfalse(lambda v: v % 2, range(5))))
a, b = tee([1, 2]); print(list(a), list(b)); print(list(pairwise([1, 2, 3])), list(combinations_with_replacement('ab', 2)))
print(list(itertools.islice(range(10), 2, 8, 3)))
print(list(zip(itertools.count(), 'ab')))
from collections import namedtuple, defaultdict, Counter, OrderedDict, deque
P = namedtuple('P', ['x', 'y']); p = P(1, 2); print(p, p.x, p[1], p._replace(x=5), p._asdict(), P._fields, tuple(p), p == (1, 2))
Q = namedtuple('Q', 'a b c', defaults=[3]); print(Q(1, 2), Q(a=1, b=2, c=4)); x, y = p; print(x, y)
try: P(1)
except TypeError as e: print(e)
try: p.x = 5
except AttributeError as e: print(e)
try: p.z
except AttributeError as e: print(e)
d = defaultdict(list); d['a'].append(1); print(d, dict(d), d['b'], len(d)); d = defaultdict(int); d['x'] += 1; print(d); print(defaultdict(lambda: 5)['q'])
c = Counter('abracadabra'); print(c, c.most_common(2), c['z'], sum(c.values())); c.update('aaa'); print(c['a'], sorted(c.elements())[:3]); print(Counter([1, 1, 2]) + Counter([1]), Counter(a=2) - Counter(a=1), Counter('ab') & Counter('bc'), Counter('ab') | Counter('bc')); print(c.total())
o = OrderedDict(); o['a'] = 1; o['b'] = 2; print(o); o.move_to_end('a'); print(list(o)); print(o.popitem(last=False))
q = deque([1, 2, 3], maxlen=3); q.append(4); print(q, q[0], len(q)); q.appendleft(0); print(q); print(q.pop(), q.popleft(), list(q)); q = deque('abc'); q.rotate(1); print(q); q.extend('xy'); q.extendleft('z'); print(q); print(deque(), 'a' in q, q.count('a'))
try: deque().pop()
except IndexError as e: print(e)
try: deque().popleft()
except IndexError as e: print(e)
print(defaultdict(int, {'a': 1}), Counter(), OrderedDict([('a', 1)]) == {'a': 1})
from dataclasses import dataclass, field, asdict, replace, astuple, fields
from typing import List, Dict, Optional, Tuple, Union, Callable, Any
@dataclass
class P:
    x: float
    y: float = 2.0
    tags: List[str] = field(default_factory=list)
    def norm(self): return (self.x ** 2 + self.y ** 2) ** 0.5
p = P(3, 4); print(p, p.norm(), p == P(3, 4), asdict(p), replace(p, x=1), astuple(p), [f.name for f in fields(p)])
try: P()
except TypeError as e: print(e)
p.tags.append('a'); print(P(1), p)
@dataclass(frozen=True, order=True)
class F:
    a: int
    b: int = 0
try: F(1).a = 2
except Exception as e: print(type(e).__name__, e)
print(F(1) < F(2), {F(1): 2}[F(1)], sorted([F(2), F(1, 5)]))
@dataclass
class C(P):
    z: int = 9
    def __post_init__(self): self.w = self.z * 2
print(C(1), C(1).w)
@dataclass
class H:
    a: int = field(repr=False, default=3)
    b: int = field(init=False, default=7)
print(H(), H(a=4).a)
import operator
print(operator.add(1, 2), operator.itemgetter(1)([5, 6]), operator.attrgetter('real')(5), sorted([(2, 'a'), (1, 'b')], key=operator.itemgetter(0)), operator.mul(2, 3), operator.neg(1))
from contextlib import contextmanager, suppress, nullcontext
@contextmanager
def cm(n):
    print('in', n)
    try: yield n * 2
    finally: print('out')
with cm(3) as v: print(v)
try:
    with cm(1): raise ValueError('x')
except ValueError as e: print('caught', e)
with suppress(KeyError, ZeroDivisionError): 1 / 0
with nullcontext(5) as q: print(q)
import heapq, bisect, string, statistics, types, warnings, sys, io, pprint
h = [5, 1, 4]; heapq.heapify(h); heapq.heappush(h, 2); print(heapq.heappop(h), h, heapq.nsmallest(2, h), heapq.nlargest(1, h))
print(bisect.bisect([1, 2, 4], 3), bisect.bisect_left([1, 2, 2], 2)); a = [1, 3]; bisect.insort(a, 2); print(a)
print(string.ascii_lowercase, string.digits, string.punctuation)
print(statistics.mean([1, 2, 3, 4]), statistics.mean([1, 2, 3]), statistics.median([3, 1, 2]), statistics.stdev([1, 2, 4]), statistics.pvariance([1, 2, 4]), statistics.mode([1, 1, 2]))
ns = types.SimpleNamespace(a=1, b='x'); print(ns, ns.a); ns.c = 2; print(ns)
warnings.warn('hi'); warnings.filterwarnings('ignore')
print(sys.maxsize, sys.version_info >= (3, 8), sys.version_info[:2], sys.version_info.major, sys.float_info.epsilon); print('x', file=sys.stderr); print('y', file=sys.stdout); sys.stdout.write('z\n')
b = io.StringIO(); print('hello', 1, file=b); print(repr(b.getvalue()))
pprint.pprint({'b': [1, 2], 'a': 'x'})
import json
print(json.dumps({'a': [1, 2.5, None, True], 'b': 'x"é'}), json.dumps([1, 2], indent=2), json.loads('{"a": [1, 2.0, null], "b": {"c": "x\\ny"}}'))
print(json.dumps({'z': 1, 'a': {'k': []}}, indent=4, sort_keys=True))
try: json.loads('{bad}')
except json.JSONDecodeError as e: print(e)
try: json.dumps({1, 2})
except TypeError as e: print(e)
from enum import Enum, IntEnum, auto
class Color(Enum):
    RED = 1
    BLUE = 2
print(Color.RED, Color.RED.name, Color.RED.value, repr(Color.BLUE), [c.name for c in Color], Color(1), Color['BLUE'], Color.RED == Color.RED, Color.RED is Color.BLUE, {Color.RED: 1}[Color.RED], isinstance(Color.RED, Color))
try: Color(5)
except ValueError as e: print(e)
class N(IntEnum):
    A = auto()
    B = auto()
print(N.A + 1, N.B == 2, N.A < N.B, int(N.B), list(N))
