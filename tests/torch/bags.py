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
    print([F.embedding_bag(torch.tensor([[0, 1], [1, 1]]), m.T.detach(), mode=mode, padding_idx=pad) for mode in ('mean', 'sum', 'max') for pad in (None, 1, -1)])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print([F.embedding_bag(torch.tensor([0, 1, 2, 1]), m.T, torch.tensor([0, 2, 2]), mode=mode, padding_idx=pad) for mode in ('mean', 'sum', 'max') for pad in (None, 1)])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.embedding_bag(torch.tensor([0, 1, 2, 1]), m.T, torch.tensor([0, 2, 4]), include_last_offset=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.embedding_bag(torch.tensor([[0, 1], [2, 1]]), m.T, mode='sum', per_sample_weights=torch.tensor([[1., 2.], [3., 4.]])))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.embedding_bag(torch.tensor([[0, 1], [2, 1]]), m.T, mode='mean', per_sample_weights=torch.tensor([[1., 2.], [3., 4.]])))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    W = m.T.clone().requires_grad_(); y = F.embedding_bag(torch.tensor([[0, 1], [2, 1]]), W, padding_idx=1); print(y); y.sum().backward(); print(W.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(0); e = nn.EmbeddingBag(4, 3, padding_idx=2, mode='sum'); print(e, e.weight[2]); print(e(torch.tensor([[0, 2], [1, 3]])).shape)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print([F.mse_loss(x, torch.zeros(3), weight=torch.tensor([1., 2., 3.]), reduction=r) for r in ('mean', 'sum', 'none')])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.interpolate(torch.arange(16.).reshape(1, 1, 4, 4), scale_factor=(0.5, 0.5), mode='bicubic'))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.interpolate(torch.arange(16.).reshape(1, 1, 4, 4), scale_factor=(1.5, 2.), mode='nearest').shape)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.zeros(2, 3, 2).fill_diagonal_(1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.autograd.gradcheck(lambda x: x.long(), x.double().detach().requires_grad_()))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = np.arange(4.); m2 = np.arange(6).reshape(2, 3); print(a[::2].strides, m2.T.strides, m2[:, ::2].strides, m2.astype(np.float32)[1:].strides)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.func.vmap(lambda a: a[a > 2])(m))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print([torch.from_numpy(np.arange(3.)[::-1].copy())])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.tensor(np.arange(3.)[::-1]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.as_tensor(np.arange(6.).reshape(2, 3)[:, ::-1]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    w = torch.ones(2, requires_grad=True)
    def h(g):
        g *= 2
    w.register_hook(h); (5 * w).sum().backward(); print(w.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    w = torch.ones(2, requires_grad=True); y = w * 1
    def h(g):
        g[0] = 0
    y.register_hook(h); (5 * y).sum().backward(); print(w.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    w = torch.ones(2, requires_grad=True); w.register_hook(lambda g: print(g.clamp_(-1, 1))); print(torch.autograd.grad((5 * w).sum(), w))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.arange(3.).storage(); print(s.tolist(), s.size(), len(s), s[1], torch.arange(6.).reshape(2, 3).t()[1].storage().size())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print([str(g).split(" at ")[0] for g in (nn.Linear(2, 2).parameters(), nn.Linear(2, 2).named_parameters(), nn.Linear(2, 2).modules(), nn.Linear(2, 2).named_buffers())])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
