import torch
import torch.nn as nn
import torch.nn.functional as F
import math
import numpy as np
from torch import optim

default = torch.get_default_dtype()

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class MyT(torch.Tensor): pass
    t = MyT([1.,2.]); print(t, type(t).__name__, isinstance(t, torch.Tensor), issubclass(MyT, torch.Tensor), MyT.__bases__)
    print(t+1, type(t+1) is MyT, torch.exp(t), t.sum(), t.shape, t.dtype, t.requires_grad, t.tolist(), t[0], len(t), list(t), t.data, t.grad)
    x = torch.ones(2,3).as_subclass(MyT); print(x, x.mean(), x @ x.T, x.detach(), torch.stack([t,t]), torch.cat([t, torch.ones(1)]))
    print(t == t, t > 1, 1 < t, -t, ~(t > 1), 2 - t, bool(t[0]), float(t[0]), t.numpy(), torch.max(t, 0), x.split(1))
    t[0] = 5; t += 1; t.mul_(2); print(t, t.as_subclass(torch.Tensor), t.new_zeros(2), torch.zeros_like(t), torch.Tensor(t))
    print(F.relu(t), nn.Linear(2,2)(t).shape, type(nn.Linear(2,2)(t)) is MyT)
    print(MyT(2,3).shape, MyT(), MyT(np.ones(2)), torch.is_tensor(t), f"{t}", [t])
    print(torch.ones(2).as_subclass(int))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class MyT(torch.Tensor): pass
    y = x.as_subclass(MyT); z = (y*y).sum(); z.backward(); print(x.grad, z, type(y.grad_fn).__name__)
    w = MyT([1.,2.]).requires_grad_(); (w**2).sum().backward(); print(w.grad, w.is_leaf, w, torch.autograd.grad((w*w).sum(), w))
    with torch.no_grad(): w.zero_(); w.add_(1)
    torch.optim.SGD([w], 0.5).step(); print(w, w.clone(), w.view(2,1))
    n = nn.Parameter(MyT([1.,2.])); print(n, isinstance(n, nn.Parameter), isinstance(n, MyT))
    class P(nn.Parameter): pass
    p = P(torch.ones(2)); print(p, isinstance(p, nn.Parameter), isinstance(p, P), type(p*2) is torch.Tensor)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class L(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            print(func.__name__, [t.__name__ for t in types])
            return super().__torch_function__(func, types, args, kwargs or {})
    a = torch.ones(3).as_subclass(L)
    for f in (lambda: a*2, lambda: a.add(1), lambda: torch.add(a, torch.ones(3)), lambda: torch.ones(3)+a, lambda: a-1, lambda: a@a, lambda: -a, lambda: a == 1, lambda: a[0], lambda: F.softmax(a, 0), lambda: torch.stack([a, a]), lambda: torch.where(torch.tensor(True), a, a)):
        print(type(f()).__name__)
    s = a.shape; a += 1; a[0] = 3
    with torch._C.DisableTorchFunctionSubclass(): print(type(a*2), a.sum())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class Log(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            kwargs = kwargs or {}
            if func is not torch.Tensor.__repr__: print(f"func: {func.__name__}, args: {args!r}, kwargs: {kwargs!r}")
            return super().__torch_function__(func, types, args, kwargs)
    l = Log([1.,2.]); print(l.add(1)); print(torch.add(l, l, alpha=2)); print(l.sum(dim=0, keepdim=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class M(torch.Tensor):
        @staticmethod
        def __new__(cls, x, extra, *args, **kwargs):
            return super().__new__(cls, x, *args, **kwargs)
        def __init__(self, x, extra): self.extra = extra
        def clone(self, *args, **kwargs): return M(super().clone(*args, **kwargs), self.extra)
    m = M([1.,2.], 'e'); print(m, m.extra, m.clone().extra, type(m.clone()) is M, hasattr(m*2, 'extra'))
    class N(torch.Tensor):
        @staticmethod
        def __new__(cls, data, meta=None, **kw):
            o = torch.as_tensor(data, **kw).as_subclass(cls); o.meta = meta; return o
    q = N([1.,2.], meta='z'); print(q, q.meta, q*2)
    class K(torch.Tensor):
        @staticmethod
        def __new__(cls, elem): return torch.Tensor._make_subclass(cls, elem, True)
    print(K(torch.ones(2)), K(torch.ones(2)).is_leaf)
    print((q*2).meta)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class C(torch.Tensor):
        def __add__(self, o): return 'mine'
        def __getitem__(self, i): return 'item', super().__getitem__(i)
        def __len__(self): return 42
        def __repr__(self): return 'my ' + super().__repr__()
        def sum(self): return 'sum'
        @property
        def twice(self): return self * 2
        @classmethod
        def make(cls, n): return cls([float(n)])
        @staticmethod
        def st(): return 's'
    c = C([1.,2.]); print(c + 1, c[0], c.sum(), c.twice, C.make(3), c.st(), C.st(), len(c), [c])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class A(torch.Tensor): pass
    class B(torch.Tensor): pass
    class O(A): pass
    print(type(A([0]) + O([1])) is O, type(torch.add(O([0]), A([1]))) is O)
    try: torch.add(A([1]), B([2]))
    except TypeError as e: print(e)
    print(A([1]) + B([2]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class S:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return NotImplemented if func is not torch.mean else 'mean'
    print(torch.mean(S()))
    try: F.relu(S())
    except TypeError as e: print(e)
    print(torch.mul(S(), 3))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.ones(2).as_subclass(3))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.Tensor.__new__())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class M(torch.Tensor): pass
    print(torch.Tensor._make_subclass(M, 3))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
