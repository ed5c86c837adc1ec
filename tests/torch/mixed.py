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
    torch.manual_seed(0); q = torch.rand(1, 2, 3, 4); print(F.scaled_dot_product_attention(q, q, torch.ones(1, 2, 3, 4), dropout_p=.5)); print(torch.rand(2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(0); q = torch.rand(1, 3, 4, requires_grad=True); y = F.scaled_dot_product_attention(q, q, q, dropout_p=.5, is_causal=True); y.sum().backward(); print(q.grad); print(torch.rand(2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(1); a = nn.MultiheadAttention(4, 2, dropout=.5, batch_first=True); u = torch.rand(1, 3, 4); torch.manual_seed(5); print(a(u, u, u, need_weights=False)[0].detach()); print(torch.rand(2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(1); e = nn.TransformerEncoderLayer(4, 2, 8, dropout=.3, batch_first=True); print(e(torch.rand(1, 3, 4)).detach()); print(torch.rand(2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.scaled_dot_product_attention(torch.rand(1, 2, 3, 4), torch.rand(1, 2, 3, 4), torch.ones(1, 2, 3, 4), dropout_p=1.5))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    A = torch.tensor([[4., 0.], [2., 3.]], requires_grad=True); torch.cholesky_inverse(A).backward(torch.tensor([[1., 2.], [3., 7.]])); print(A.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    A = torch.tensor([[4., 1.], [0., 3.]], requires_grad=True); torch.cholesky_inverse(A, upper=True).sum().backward(); print(A.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(x): return x ** 3
        @staticmethod
        def setup_context(ctx, inputs, output): ctx.save_for_backward(*inputs); ctx.save_for_forward(*inputs)
        @staticmethod
        def backward(ctx, g): return 3 * ctx.saved_tensors[0] ** 2 * g
        @staticmethod
        def jvp(ctx, t): return 3 * ctx.saved_tensors[0] ** 2 * t
    print(torch.func.jvp(Cube.apply, (torch.tensor(3.),), (torch.tensor(2.),)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.autograd.backward([x.sum(), x], grad_tensors=[None]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.avg_pool2d(torch.tensor([[[[2**25 + 1, 2**25 + 1], [2**25 + 1, 2**25 + 3]]]]), 2), F.avg_pool2d(torch.arange(16).reshape(1, 1, 4, 4), 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
