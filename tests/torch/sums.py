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
    def numbers(*size, step=37):
        n = math.prod(size)
        return ((torch.arange(n, dtype=torch.float32) * step % 101 - 50) / 7).view(size)
    for m, k, n in [(2, 2, 2), (2, 3, 2), (3, 4, 3), (5, 5, 5), (4, 9, 9), (7, 17, 3), (6, 22, 22), (12, 12, 12), (11, 6, 16), (5, 7, 1), (1, 9, 6), (1, 20, 1), (13, 1, 4)]:
        A, B = numbers(m, k), numbers(k, n, step=41)
        print(m, k, n, (A @ B)[[m // 2, -1]].tolist())
        print((A @ numbers(n, k, step=43).t())[[m // 2, -1]].tolist())
        print((numbers(k, m).t() @ B)[[m // 2, -1]].tolist(), (numbers(k, m).t() @ numbers(n, k, step=43).t())[-1].tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def numbers(*size, step=37):
        n = math.prod(size)
        return ((torch.arange(n, dtype=torch.float32) * step % 101 - 50) / 7).view(size)
    for k in [2, 3, 5, 7, 8, 12, 19, 33, 50]:
        print(torch.dot(numbers(k), numbers(k, step=43)).item(), (numbers(6, k) @ numbers(k)).tolist(), (numbers(k) @ numbers(k, 5)).tolist(), (numbers(k, 3).t() @ numbers(k)).tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def numbers(*size, step=37):
        n = math.prod(size)
        return ((torch.arange(n, dtype=torch.float32) * step % 101 - 50) / 7).view(size)
    for m, k, n in [(3, 4, 3), (5, 9, 5), (14, 21, 13)]:
        net = nn.Linear(k, n, dtype=torch.float32)
        with torch.no_grad():
            net.weight.copy_(numbers(n, k)); net.bias.copy_(numbers(n))
        X = numbers(m, k, step=29).requires_grad_()
        y = net(X)
        y.backward(numbers(m, n, step=31))
        print(y[-1].tolist(), X.grad[-1].tolist(), net.weight.grad[-1].tolist(), net.bias.grad.tolist())
        A, B = numbers(m, k).requires_grad_(), numbers(k, n).requires_grad_()
        (A @ B).backward(numbers(m, n, step=31))
        print(A.grad[-1].tolist(), B.grad[-1].tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def numbers(*size, step=37):
        n = math.prod(size)
        return ((torch.arange(n, dtype=torch.float32) * step % 101 - 50) / 7).view(size)
    for m, k, n in [(2, 3, 2), (5, 19, 15), (9, 21, 7), (200, 2, 16)]:
        print(torch.bmm(numbers(2, m, k), numbers(2, k, n, step=41)).sum(1).tolist(), torch.bmm(numbers(2, m, k), numbers(2, n, k, step=41).transpose(1, 2))[1, :2].tolist())
    print((numbers(16, 200) @ numbers(200, 16))[3].tolist(), (numbers(13, 400) @ numbers(14, 400).t())[12].tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
