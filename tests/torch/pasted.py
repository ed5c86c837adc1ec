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
    c = nn.CrossEntropyLoss(weight=torch.tensor([1.,3.])); print(c._buffers, c.state_dict(), list(c.named_buffers()))
    class M(nn.Module):
        def __init__(self):
            super().__init__(); self.l = nn.BCEWithLogitsLoss(pos_weight=torch.ones(2)); self.n = nn.NLLLoss()
    print(M().state_dict(), M())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import torch.nn.utils.parametrize as parametrize
    class N(nn.Module):
        def forward(self, x):
            print("run"); return x*2
    l = nn.Linear(2,2)
    parametrize.register_parametrization(l, "weight", N())
    print(l)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    m = nn.Linear(2,2); print(m.parameters); print(m.forward)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.Linear(2,2).weight.grad_sample)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.device(type='cpu'), torch.device('cuda', index=0), torch.device(type='cuda', index=0))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.DoubleTensor(2,3); print(a.new(2,3).shape, a.new([1,2]), a.new().shape, a.new(2,3).dtype)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from types import MethodType
    class A: pass
    a = A(); a.f = MethodType(lambda self, x: x+1, a); print(a.f(2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from typing import BinaryIO, TextIO, IO
    from contextlib import ContextDecorator
    class t(ContextDecorator):
        def __enter__(self): print("in"); return self
        def __exit__(self, *e): print("out")
    @t()
    def f(x): return x
    print(f(3))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.utils.data import Sampler
    from typing import List
    class S(Sampler[List[int]]):
        def __iter__(self): return iter([0, 1])
    print(list(S()))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from io import BytesIO
    print(BytesIO("text"))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class MyFn(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y): ctx.save_for_backward(x, y); return x*y
        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors
            return g*y*10, g*x*10
    a = torch.tensor([2.], requires_grad=True); b = torch.tensor([3.], requires_grad=True)
    z = MyFn.apply(a*1, b)
    print(z.grad_fn.apply(torch.ones(1)))
    print((z*3).grad_fn(torch.ones(1)))
    print(a.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
