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
    w = nn.Parameter(torch.ones(3)); print(nn.utils.clip_grad_norm_([w], 1.), nn.utils.get_total_norm([w]).requires_grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = nn.Sequential(nn.Linear(2, 3), nn.ReLU()); print(s.pop(1)); print(s.insert(0, nn.Tanh())); print(s.extend([nn.GELU()]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = nn.Sequential(nn.Tanh(), nn.Linear(2, 3), nn.GELU()); del s[0]; print(s, [n for n, _ in s.named_parameters()]); del s[0:2]; print(s)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = nn.Sequential(nn.Tanh()); print(s.pop(5))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    l = nn.ModuleList([nn.ReLU()]); l.insert(0, nn.Tanh()); l += [nn.GELU()]; l.extend([nn.SiLU()]); print(l.pop(0)); print(l, len(l)); print(l.pop(-1), len(l))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    d = nn.ModuleDict({'a': nn.ReLU()}); d.update({'b': nn.Tanh()}); print(d.pop('a')); d['c'] = nn.GELU(); del d['b']; print(d, list(d.keys())); d.clear(); print(len(d))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    d = nn.ModuleDict(); print(d.pop('z'))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = nn.Sequential(nn.ReLU(), nn.Tanh()); s.register_buffer('b', torch.ones(1)); s.register_parameter('s', nn.Parameter(torch.ones(1))); print(len(s), s(torch.ones(1)).shape)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    p = torch.full((2,), .5, requires_grad=True); y = torch.bernoulli(p); print(type(y.grad_fn).__name__); y.sum().backward(); print(p.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    p = torch.full((2,), .5, requires_grad=True); y = torch.poisson(p); print(type(y.grad_fn).__name__); y.sum().backward(); print(p.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    p = torch.full((2,), .5, requires_grad=True); print([type(y.grad_fn).__name__ for y in (torch.normal(p, 1.), torch.normal(0., p), torch.normal(p, p))])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    p = torch.full((2,), .5, requires_grad=True); print(torch.bernoulli(p, 0.5).sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.arange(6.).reshape(2, 3).t(); print(torch.cat([s, s[1:]], 0), torch.stack([s.t(), s.t() + 1], 1).flip(0)); print(s.unbind(1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.arange(24.).reshape(2, 3, 4).requires_grad_(); b = a.transpose(0, 2)[1:, ::2]; c = b.permute(2, 0, 1).reshape(-1); (c * torch.arange(12.)).sum().backward(); print(a.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.arange(400.).reshape(20, 20).requires_grad_(); b = torch.cat([a.t()[3:9], a[::3].t()[:6, :6]], 1); (b * b).sum().backward(); print(a.grad.sum(0))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.arange(3.).requires_grad_(); v = a.flip(0).unsqueeze(1).expand(3, 3).split(1, -1)[-1][0::2]; (v * v * torch.tensor([[1.], [5.]])).sum().backward(); print(a.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    seq = nn.Sequential(); seq.add_module("l", nn.Linear(1,1)); seq.append(nn.ReLU()); seq.extend([nn.Tanh()])
    print(seq, list(seq.state_dict()))
    seq = nn.Sequential(); seq.add_module("l", nn.Linear(1,1)); seq.append(nn.ReLU())
    try: seq.insert(0, nn.Identity()); print(seq)
    except Exception as e: print(type(e).__name__, e)
    seq = nn.Sequential(nn.ReLU(), nn.Tanh()); seq.insert(1, nn.Identity()); seq.insert(-1, nn.GELU()); print(seq)
    try: seq.insert(9, nn.Identity())
    except Exception as e: print(type(e).__name__, e)
    del seq[1]; print(seq)
    from collections import OrderedDict
    s = nn.Sequential(OrderedDict(a=nn.ReLU(), b=nn.Tanh())); del s[0]; print(s); s.append(nn.GELU()); print(s)
    m = nn.ModuleList([nn.ReLU()]); m.insert(0, nn.Tanh()); m.append(nn.GELU()); m.extend([nn.ReLU()]); m.insert(10, nn.Tanh()) if False else None; print(m); print(m.pop(0), m)
    s = nn.Sequential(nn.ReLU(), nn.Tanh(), nn.GELU()); print(s[1:], s.pop(1), s); s[0] = nn.Sigmoid(); print(s, s + nn.Sequential(nn.ReLU()), s * 2); 
    s = nn.Sequential(nn.ReLU()); s.extend(nn.Sequential(nn.Tanh())); s += nn.Sequential(nn.GELU()); print(s)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for f in (lambda: torch.ones(3, 4)[..., ..., 0], lambda: torch.ones(3, 4)[..., ..., ::2], lambda: torch.ones(3, 4)[..., 0, ...].shape, lambda: torch.ones(3)[..., ..., None]):
        try: print(f())
        except Exception as e: print(type(e).__name__, e)
    x = torch.ones(2, 3, requires_grad=True); v = x[:1]; v.data = torch.ones(2, 3); v.sum().backward(); print(x.grad)
    y = torch.zeros(4)
    for idx, val in (([0, 1], torch.tensor([1, 2])), (torch.tensor([0,1]), torch.tensor(5)), (torch.tensor([True, False, True, False]), torch.tensor([1, 2])), (torch.tensor([True, False, True, False]), torch.tensor(2)), (slice(0, 2), torch.tensor([1, 2])), (0, torch.tensor(3)), ([0], 3), ([0, 1], torch.tensor([1., 2.], dtype=torch.float64)), ([0, 1], torch.tensor(1., dtype=torch.float64)), ([0,1], torch.tensor(2)), ((), torch.tensor(1)), (..., torch.tensor([1])), (None, torch.tensor([1])), (torch.tensor(1), torch.tensor([1])), (True, torch.tensor(4)), ([], torch.tensor([1]))):
        try: y = torch.zeros(4); y[idx] = val; print(y)
        except Exception as e: print(idx, val, type(e).__name__, e)
    y = torch.zeros(4, dtype=torch.long)
    for idx, val in (([0, 1], torch.tensor([1., 2.])), (torch.tensor([0,1]), torch.tensor(2.5)), (torch.tensor([True, False, True, False]), torch.tensor(2.5)), (0, torch.tensor(2.5)), (slice(0, 2), torch.tensor(2.5)), ([0], 2.5)):
        try: y = torch.zeros(4, dtype=torch.long); y[idx] = val; print(y)
        except Exception as e: print(idx, val, type(e).__name__, e)
    y = torch.zeros(3, 4)
    for idx, val in ((([0, 1], 1), torch.tensor([1, 2])), ((slice(None), [0, 1]), torch.tensor([1, 2])), (([0, 1], [0, 1]), torch.ones(2, dtype=torch.int32)), (torch.ones(3, 4) > 0, torch.tensor(1)), (torch.ones(3, 4) > 0, torch.arange(12))):
        try: y = torch.zeros(3, 4); y[idx] = val; print(y)
        except Exception as e: print(idx, val, type(e).__name__, e)
    try: torch.zeros(3).index_put_((torch.tensor([0]),), torch.tensor([1]))
    except Exception as e: print(type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
