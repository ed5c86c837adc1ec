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
    import torch.autograd.forward_ad as fwAD
    w = torch.tensor([3., 4.], requires_grad=True)
    with fwAD.dual_level():
        d = fwAD.make_dual(torch.tensor([1., 2.]), torch.ones(2))
        y = d*d
        print(d, d.requires_grad, d.is_leaf, d.grad_fn)
        print(y, y.requires_grad, y.grad_fn, y.is_leaf, [y.sum()], y.shape)
        print(fwAD.unpack_dual(y), fwAD.unpack_dual(d), fwAD.unpack_dual(torch.ones(1)))
        print((d*w).detach(), y.detach(), d > 1, d.int())
    print(y, d, [y])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import torch.autograd.forward_ad as fwAD
    with fwAD.dual_level():
        d = fwAD.make_dual(torch.ones(2, 2), torch.eye(2))
        print(d, d @ d, torch.cat([d, m[:, :2]]))
        e = d.clone()
        e += 1
        print(e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import torch.autograd.forward_ad as fwAD
    with fwAD.dual_level():
        e = fwAD.make_dual(x, torch.tensor([1., 0., 2.]))
        print(e.requires_grad, e.is_leaf)
        z = (e*e).sum()
        print(z)
        z.backward()
    print(x.grad, z)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
