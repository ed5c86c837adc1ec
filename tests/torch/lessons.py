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
    A = np.arange(6.).reshape(2, 3)
    y = np.array([2, 0], dtype='uint8')
    A[range(2), y] -= 1
    print(A, np.eye(3)[y])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for v in (np.float64(1), [np.float64(1), 2], [2., np.float64(2)], np.float16(1), np.float32(1), [np.float32(1), 2.], [np.float32(1), np.float64(2)], np.int32(3), [np.int8(3), np.int64(1)], np.bool_(True), [[np.float64(1)], [2.]], [np.int64(1), 2.], [np.float16(1), 2], [np.uint8(1), np.int8(2)]):
        print(torch.tensor(v))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.full((2,), np.float64(.5)).dtype, torch.full((2,), np.int32(5)).dtype, torch.full((2,), np.float32(5)).dtype, torch.full((2,), np.bool_(True)).dtype)
    print(np.full((2,), np.float32(5)).dtype, torch.as_tensor([np.float64(1)]).dtype, (torch.ones(1, dtype=torch.int64)*np.float64(2)).dtype)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    d = nn.ModuleDict({'a': nn.ReLU()})
    print(d.keys(), d.values(), d.items(), list(d), len(d.keys()))
    print(nn.Linear(1, 1).state_dict().keys())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = nn.Linear(2, 2)
    print(nn.Sequential(s, s, nn.Sequential(s)).apply(lambda m: print(type(m).__name__)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.utils.data import DataLoader
    print(next(iter(DataLoader([(1, 'a'), (2, 'b')], batch_size=2))))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.randint(high=5, size=(2,)).shape, torch.randint_like(torch.ones(2), high=2).shape)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.LSTMCell(4, 3)(torch.randn(2, 5)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.GRUCell(4, 3)(torch.randn(5)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.LSTMCell(4, 3)(torch.randn(2, 4), (torch.zeros(2, 2), torch.zeros(2, 2))))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.RNNCell(4, 3)(torch.randn(2, 4), torch.zeros(3, 3)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.GRUCell(4, 3)(torch.randn(2, 4), torch.zeros(3)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.RNN(4, 3)(torch.randn(5)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.ModuleList([nn.ReLU()]).get_submodule('7'))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.Sequential(nn.ReLU()).get_parameter('0.w'))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.Linear(1, 1).get_submodule('weight'))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.Linear(1, 1).get_parameter('weight').shape, nn.BatchNorm1d(1).get_buffer('running_mean'))
    print(nn.Linear(1, 1).get_buffer('weight'))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.r = 3
            return x * 2
        @staticmethod
        def backward(ctx, g):
            r = ctx.r
            del ctx.r
            print(hasattr(ctx, 'r'))
            return g * r
    Cube.apply(x).sum().backward()
    print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
