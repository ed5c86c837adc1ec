import logging
import sys
import traceback
from dataclasses import KW_ONLY, InitVar, asdict, dataclass, field, fields

print(eval('1 + 2'), eval('x * 2', {'x': 3}), eval(' len([1, 2]) '), eval('lambda v: v * 2')(4), eval('a', None, {'a': 1}))
a = 5
exec('b = a + 1\nfor i in range(2):\n    b += i')
print(b, i)
names = {}
exec('def f(x):\n    return x + 1\nz = f(2)', names)
print(names['z'], names['f'](10))
exec('q = 1', globals())
print(q)
for text in ('1 +', 'x = 1', '1/0', 'nope'):
    try:
        eval(text)
    except Exception as e:
        print(type(e).__name__)


def g():
    w = 3
    return eval('w + 1'), sorted(locals())


print(g())
try:
    eval(3)
except TypeError as e:
    print(e)
exec('class K:\n    def m(self): return 3')
print(K().m(), __import__('math').sqrt(4))


def divide(x):
    return 1 / x


def through(x):
    return divide(x)


try:
    through(0)
except ZeroDivisionError as e:
    print(traceback.format_exc().splitlines()[-1], traceback.format_exception_only(e))
    print([frame.name for frame in traceback.extract_tb(e.__traceback__)], sys.exc_info()[0])
print(traceback.format_exc(), sys.exc_info())


class E(Exception):
    pass


def chained():
    try:
        {}['a']
    except KeyError as k:
        raise E('bad') from k


def meanwhile():
    try:
        int('x')
    except ValueError:
        [][1]


for f in (chained, meanwhile):
    try:
        f()
    except Exception:
        print([line for line in traceback.format_exc().splitlines() if not line.startswith(' ')])

log = logging.getLogger('t')
log.addHandler(logging.StreamHandler(sys.stdout))
try:
    through(0)
except ZeroDivisionError:
    log.error('plain')


@dataclass
class A:
    x: int
    seed: InitVar[int] = 3
    y: int = field(init=False, default=0)

    def __post_init__(self, seed):
        self.y = self.x + seed


print(A(1), A(1, 5), A(1, seed=2).y, A.seed, [f.name for f in fields(A)], asdict(A(2)))


@dataclass
class B:
    a: int
    _: KW_ONLY
    b: int
    c: int = 2


print(B(1, b=3))
for f in (lambda: B(1), lambda: B(1, 2), lambda: B(b=1)):
    try:
        f()
    except TypeError as e:
        print(e)


@dataclass
class C(A):
    z: int = 9


print(C(1, 2), [f.name for f in fields(C)], InitVar[int])
print((255).to_bytes(2, 'big'), (255).to_bytes(1), (-2).to_bytes(2, 'little', signed=True))
print(int.from_bytes(b'\x01\x02', 'big'), int.from_bytes(b'\xff', signed=True), int.from_bytes([1, 2], 'little'))
for f in (lambda: (256).to_bytes(1), lambda: (-1).to_bytes(1), lambda: (1).to_bytes(1, 'x')):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)
