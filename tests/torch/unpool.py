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
    p = nn.MaxPool1d(2, stride=2, return_indices=True); u = nn.MaxUnpool1d(2, stride=2)
    a = torch.tensor([[[1., 2, 3, 4, 5, 6, 7, 8]]]); o, i = p(a); print(o, i, u(o, i)); print(u)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    p = nn.MaxPool1d(2, stride=2, return_indices=True); u = nn.MaxUnpool1d(2, stride=2)
    a = torch.tensor([[[1., 2, 3, 4, 5, 6, 7, 8, 9]]]); o, i = p(a); print(u(o, i, output_size=a.size()), u(o, i))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    p = nn.MaxPool2d(2, stride=2, return_indices=True); u = nn.MaxUnpool2d(2, stride=2)
    a = torch.arange(1., 17).reshape(1, 1, 4, 4); o, i = p(a); print(u(o, i), u)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    p = nn.MaxPool3d(2, return_indices=True); u = nn.MaxUnpool3d(2)
    a = torch.arange(1., 9).reshape(1, 1, 2, 2, 2); o, i = p(a); print(u(o, i), u)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    o = torch.tensor([[1., 2.]], requires_grad=True); i = torch.tensor([[1, 2]]); y = F.max_unpool1d(o, i, 2); print(y); y.backward(torch.arange(4.).reshape(1, 4)); print(o.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.max_unpool1d(torch.ones(1, 1, 2), torch.tensor([[[0, 9]]]), 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.max_unpool2d(torch.ones(1, 1, 2, 2), torch.tensor([[[0, 9]]]), 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.max_unpool2d(torch.ones(1, 1, 1, 1), torch.ones(1, 1, 1, 1), 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.max_unpool2d(torch.ones(2, 2), torch.ones(2, 2, dtype=torch.long), 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.max_unpool2d(torch.ones(1, 1, 1, 1), torch.tensor([[[[100]]]]), 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.MaxUnpool2d((2, 1), padding=1)); nn.MaxUnpool2d(2)(torch.ones(1, 1, 1, 1), torch.zeros(1, 1, 1, 1, dtype=torch.long), output_size=[1])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.max_unpool2d(torch.ones(1, 2, 2), torch.tensor([[[0, 3], [8, 15]]]), kernel_size=2, stride=2, output_size=(1, 4, 4)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[[[1., 3.], [2., 4.]]]], requires_grad=True); o, i = F.max_pool2d(a, 2, return_indices=True); y = F.max_unpool2d(o, i, 2); print(y.shape, y.grad_fn.name()); y.sum().backward(); print(a.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
