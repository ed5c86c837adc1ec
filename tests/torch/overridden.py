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
    class B(nn.Module):
        def __init__(self):
            super().__init__()
            self.bn = nn.BatchNorm1d(2)
        def train(self, mode=True):
            print('train', mode)
            super().train(mode)
            self.bn.eval()
            return self
    n = nn.Sequential(B(), nn.Dropout(0.5))
    print(n.train() is n, [m.training for m in n.modules()])
    print(n.eval() is n, [m.training for m in n.modules()])
    b = B(); print(b.eval() is b, b.training, b.bn.training)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class L(nn.Linear):
        def reset_parameters(self):
            nn.init.ones_(self.weight); nn.init.zeros_(self.bias)
    print(L(2, 1)(torch.ones(2)), nn.Sequential(L(1, 2)).state_dict())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.ModuleList([nn.Tanh()]) + [nn.ReLU()], type(nn.ModuleList() + nn.ModuleList([nn.Tanh()])).__name__, len(nn.ModuleList([nn.Tanh()]) + nn.ModuleList([nn.Tanh()])))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y = x ** 2
    print(torch.vmap(lambda v: torch.autograd.grad(y, x, v)[0])(torch.eye(3)))
    try: torch.autograd.grad(y, x, torch.ones(3))
    except RuntimeError as e: print(str(e)[:60])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y = F.elu(x * 300); g, = torch.autograd.grad(y.sum(), x, create_graph=True); print(g, torch.autograd.grad(g.sum(), x))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y = F.selu(x * 300).sum() + F.celu(x * -1, 2.).sum(); g, = torch.autograd.grad(y, x, create_graph=True); print(g, torch.autograd.grad(g.sum(), x))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for p in (1, 2, 3, 4):
        for v in ([0., 0.], [0., 2.]):
            t = torch.tensor(v, requires_grad=True); g, = torch.autograd.grad(torch.norm(t, p), t, create_graph=True); print(g, torch.autograd.grad(g.sum(), t))
        t = torch.tensor([1., 1.], requires_grad=True); g, = torch.autograd.grad(torch.cdist(t.reshape(1, 2), torch.ones(1, 2), p).sum(), t, create_graph=True); print(g, torch.autograd.grad(g.sum(), t))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
