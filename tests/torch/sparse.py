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
    W = torch.tensor([[1.,0,2],[0,0,3]], requires_grad=True); s = W.to_sparse(); print(s); print(s.is_leaf, s.requires_grad, s.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(torch.is_tensor(s), type(s), isinstance(s, torch.Tensor), s.type())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s + 1)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s + torch.ones(2, 3))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(torch.ones(2, 3) + s)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s - torch.ones(2, 3))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(torch.ones(2, 3) - s)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s - s)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s + s)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(2 * s)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s * torch.ones(2, 3) * 2)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s * torch.ones(3))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s * s)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s / 2)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s / s)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s ** 2)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(-s)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s.neg(), s.abs(), s.sin(), s.sqrt())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(torch.sin(s))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s.relu(), F.relu(s))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s.tanh(), s.sign(), s.floor(), s.log1p(), s.expm1())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s.numel(), s.nelement(), s.element_size(), len(s), s.sparse_dim(), s.dense_dim())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s[0])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s[0, 2])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s[0, 1])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s[5])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); s[0, 0] = 5
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s.float(), s.double(), s.long(), s.int(), s.half())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s.to_sparse())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s.to_sparse().is_sparse, s.is_floating_point(), s.is_coalesced())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s.item())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s.tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s.numpy())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s.reshape(3, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s.norm(), torch.norm(s))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s.sum(), s.sum(0), torch.sum(s), s.sum(1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(torch.mm(s, torch.ones(3, 2)), torch.matmul(s, torch.ones(3)), torch.mv(s, torch.ones(3)), s.mv(torch.ones(3)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(torch.sparse.addmm(torch.ones(2, 2), s, torch.ones(3, 2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(torch.addmm(torch.ones(2, 2), s, torch.ones(3, 2), beta=2, alpha=.5))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(torch.sparse.log_softmax(s, 1), torch.sparse.softmax(s, 1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(torch.sparse.mm(s, torch.ones(2, 2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s @ torch.ones(2, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(torch.ones(2, 2) @ s)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s.backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s.foo)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s.T, s.t().is_coalesced(), s.transpose(0, 1).shape)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(torch.cat([s, s]).to_dense(), torch.stack([s, s]).shape)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(s.clone(), s.detach().requires_grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(torch.allclose(s.to_dense(), s.to_dense()), [r for r in s][0])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); print(hash(s) == id(s), bool(s))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); s.requires_grad_(); print(s); (s @ torch.ones(3)).sum().backward(); print(s.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse().requires_grad_(); torch.sparse.mm(s, torch.ones(3, 1)).sum().backward(); print(s.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse().requires_grad_(); torch.sparse.sum(s).backward(); print(s.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    v = torch.tensor([1., 2.], requires_grad=True); s = torch.sparse_coo_tensor([[0, 1], [1, 0]], v, (2, 2)); print(s); print(s.grad_fn.name()); (s @ torch.ones(2)).sum().backward(); print(v.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    W = torch.tensor([[1.,0,2],[0,0,3]], requires_grad=True); print(*[type(n).__name__ for n in ((W.to_sparse() @ torch.ones(3)).grad_fn, torch.sparse.mm(W.to_sparse(), torch.ones(3, 1)).grad_fn, torch.sparse.sum(W.to_sparse()).grad_fn, W.to_sparse().sum().grad_fn, W.to_sparse().to_dense().grad_fn,)])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    W = torch.tensor([[1.,0,2],[0,0,3]], requires_grad=True); s = W.to_sparse(); print(*[type(n).__name__ for n in ((s * 2).grad_fn, (s + s).grad_fn, (s / 2).grad_fn, s.coalesce().grad_fn, s.t().grad_fn, s.sum(0).grad_fn, torch.sparse.sum(s, 0).grad_fn, torch.sparse.softmax(s, 1).grad_fn, (s * s).grad_fn, s.clone().grad_fn, s.values().grad_fn,)])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    W = torch.tensor([[1.,0,2],[0,0,3]], requires_grad=True); W.to_sparse().sum().backward(); print(W.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    W = torch.tensor([[1.,0,2],[0,0,3]], requires_grad=True); (W.to_sparse() * 2).to_dense().sum().backward(); print(W.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    W = torch.tensor([[1.,0,2],[0,0,3]], requires_grad=True); s = W.to_sparse(); s.values().sum().backward(); print(W.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    W = torch.tensor([[1.,0,2],[0,0,3]], requires_grad=True); (W.to_sparse() + W.to_sparse()).to_dense().sum().backward(); print(W.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    W = torch.tensor([[1.,0,2],[0,0,3]], requires_grad=True); W.to_sparse().to_dense().pow(2).sum().backward(); print(W.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    W = torch.tensor([[1.,0,2],[0,0,3]], requires_grad=True); (W.to_sparse().t() @ torch.ones(2)).sum().backward(); print(W.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    W = torch.tensor([[1.,0,2],[0,0,3]], requires_grad=True); (W.to_sparse().coalesce() @ torch.ones(3)).sum().backward(); print(W.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    W = torch.tensor([[1.,0,2],[0,0,3]], requires_grad=True); (-W.to_sparse() @ torch.ones(3)).sum().backward(); print(W.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.sparse_coo_tensor([[0, 0], [1, 1]], [1., 2.], (2, 2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.sparse_coo_tensor([[0, 0], [1, 1]], [1., 2.], (2, 2)).coalesce())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.sparse_coo_tensor([[0, 0], [1, 1]], [1., 2.], (2, 2)).values())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.sparse_coo_tensor([[0, 5], [1, 1]], [1., 2.], (2, 2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.sparse_coo_tensor([[0, 1], [1, 1]], [1., 2., 3.], (2, 2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.sparse_coo_tensor([[0, -1], [1, 1]], [1., 2.], (2, 2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.sparse_coo_tensor([[0, 1], [1, 1]], [[1., 2.], [3, 4]], (2, 2, 2)).to_dense())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.sparse_coo_tensor([[0, 1], [1, 1]], [1, 2], (2, 2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.sparse_coo_tensor((2, 3)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.sparse_coo_tensor(torch.zeros(2, 0), [], (2, 2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.tensor([1., 0, 3]).to_sparse())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.tensor([1, 0, 3]).to_sparse(), torch.tensor([1., 0]).double().to_sparse())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.tensor([[1., 0], [2, 3]]).to_sparse(1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.tensor([True, False]).to_sparse())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    W = torch.tensor([[1.,0,2],[0,0,3]], requires_grad=True); s = W.to_sparse(); print(s.sin(), s ** 2, s.double(), s.clone(), s.unsqueeze(0), torch.cat([s, s]), s.t(), s.T, s.transpose(0, 1), s - s, s[0], s[0, 2], s.norm(), torch.ones(2, 3) + s, F.linear(s, torch.ones(4, 3), torch.ones(4)), s @ s.t(), torch.sparse.mm(s, s.t()))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    try:
        s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); s.exp()
    except NotImplementedError as e: print(str(e)[:60])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    try:
        s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); s > 0
    except NotImplementedError as e: print(str(e)[:60])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    try:
        s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); s[:, 1:]
    except NotImplementedError as e: print(str(e)[:60])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.tensor([[1.,0,2],[0,0,3]]).to_sparse(); t = s.detach(); t.neg_(); print(t, s)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    v = torch.tensor([1., 2.], requires_grad=True); torch.sparse_coo_tensor([[0, 0], [1, 1]], v, (2, 2)).coalesce().to_dense().pow(2).sum().backward(); print(v.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class Scalar:
        def __init__(self, n, value): self.n, self.value = n, value
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            print(func.__name__, [t.__name__ for t in types], len(args), kwargs)
            return 7 if func is torch.mean else NotImplemented
    s = Scalar(5, 2)
    print(torch.mean(s), torch.is_tensor(s))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
