import inspect, argparse, logging
from inspect import signature
def f(a, b=2, *c, d: int = 3, **e):
    "What it does."
    x = 1
    return inspect.getargvalues(inspect.currentframe())
print(signature(f), f(1, 2, 3))
print(list(signature(f).parameters), signature(f).parameters['b'].default, signature(f).parameters['a'].default is inspect.Parameter.empty)
print(repr(signature(f)), repr(signature(f).parameters['d']), signature(f).parameters['c'].kind)
class A:
    def __init__(self, p, q=1): self.p = p
    def m(self, z): pass
print(signature(A), signature(A(1).m), inspect.getdoc(f), inspect.isclass(A), inspect.isfunction(f), inspect.ismethod(A(1).m))
class HyperParameters:
    def save_hyperparameters(self, ignore=[]):
        frame = inspect.currentframe().f_back
        _, _, _, local_vars = inspect.getargvalues(frame)
        self.hparams = {k: v for k, v in local_vars.items() if k not in set(ignore + ['self']) and not k.startswith('_')}
        for k, v in self.hparams.items():
            setattr(self, k, v)
class B(HyperParameters):
    def __init__(self, a, b, c=7):
        self.save_hyperparameters(ignore=['c'])
        print('self.a =', self.a, 'self.b =', self.b, hasattr(self, 'c'))
b = B(a=1, b=2)
print(b.hparams, inspect.currentframe().f_code.co_name)
def who(): return inspect.currentframe().f_back.f_code.co_name
def caller(): return who(), who()
print(caller(), who())
print(inspect.getsource(who))
parser = argparse.ArgumentParser(description='test')
parser.add_argument('--lr', type=float, default=0.1, help='rate')
parser.add_argument('--batch-size', '-b', type=int, default=64, metavar='N')
parser.add_argument('--no-cuda', action='store_true', default=False)
parser.add_argument('--name', choices=['a', 'b'])
args = parser.parse_args([])
print(args, args.lr, args.batch_size, vars(args))
print(parser.parse_args(['--lr', '0.5', '-b', '3', '--no-cuda', '--name=b']))
p = argparse.ArgumentParser(); p.add_argument('file'); p.add_argument('--n', nargs='+', type=int)
print(p.parse_args(['x.txt', '--n', '1', '2']))
log = logging.getLogger('train')
log.info('unseen')
log.setLevel(logging.INFO)
print(log, log.getEffectiveLevel(), logging.getLevelName(20), logging.getLogger('train') is log)
