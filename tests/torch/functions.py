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
    import warnings
    def told(f):
        with warnings.catch_warnings(record=True) as log:
            warnings.simplefilter("always")
            f()
        return [(w.category.__name__, str(w.message).split(" (Triggered")[0]) for w in log]
    a = torch.ones(2, 3, 4)
    for f in (lambda: F.softmax(m), lambda: F.log_softmax(m), lambda: F.softmin(m), lambda: nn.Softmax()(m), lambda: torch.tensor(m), lambda: m.new_tensor(m), lambda: (x * 2).grad): print(told(f))
    for f in (lambda: torch.cov(m[:, :1]), lambda: torch.range(1, 3), lambda: nn.MSELoss(size_average=False), lambda: nn.RNN(2, 3, 1, dropout=.5), lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 1, 8), 1), lambda: nn.InstanceNorm1d(3)(torch.ones(1, 2, 3)), lambda: F.dropout2d(m), lambda: F.dropout2d(a), lambda: m[torch.ones(2, dtype=torch.uint8)], lambda: a[[[0], [0]]], lambda: nn.init.normal(torch.ones(2, 2))): print(told(f))
    for f in (lambda: F.affine_grid(torch.eye(2, 3)[None], (1, 1, 2, 2)), lambda: torch.add(m, m, out=torch.empty(3)), lambda: torch.add(m, m, out=torch.empty(0))): print(told(f))
    optimiser = torch.optim.SGD([x], lr=1)
    s = torch.optim.lr_scheduler.StepLR(optimiser, 1)
    print(told(s.step), told(s.step))
    s = torch.optim.lr_scheduler.StepLR(optimiser, 1)
    optimiser.step()
    print(told(s.step), told(lambda: s.step(3)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    p = torch.zeros(3)
    p.add_(-0.5, x.detach()); print(p)
    print(torch.add(p, 2, x.detach()), p.addcmul_(2, p, p), torch.addcdiv(p, 1, p, p + 5))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    o = torch.empty(0)
    r = torch.add(m, 1, out=o); print(r, r is o, o._version)
    r = torch.max(m, 1, out=(o, torch.empty(0, dtype=torch.long))); print(r)
    print(torch.zeros(2, out=o), torch.arange(3, out=o), torch.linspace(0, 1, 3, out=o), o)
    for f in (lambda: torch.add(x, 1, out=o), lambda: torch.add(m, m.double(), out=torch.empty(0, dtype=torch.long)), lambda: torch.exp(m, out=3)):
        try: print(f())
        except (RuntimeError, TypeError) as e: print(e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    g = torch.tensor([[[[0.3, -0.4], [1.2, 0.1]]]])
    a = torch.arange(12.).reshape(1, 1, 3, 4)
    for mode in ("bilinear", "nearest", "bicubic"):
        for beyond in ("zeros", "border", "reflection"): print(F.grid_sample(a, g, mode, beyond, align_corners=False), F.grid_sample(a, g, mode, beyond, align_corners=True))
    q, h = a.clone().requires_grad_(), g.clone().requires_grad_()
    y = F.grid_sample(q, h, align_corners=True); print(y); y.sum().backward(); print(q.grad, h.grad)
    for f in (lambda: F.grid_sample(a, g, "foo"), lambda: F.grid_sample(a, torch.zeros(2, 2, 2, 2)), lambda: F.grid_sample(a, g.double())):
        try: f()
        except (ValueError, RuntimeError) as e: print(e)
    t = torch.eye(2, 3)[None].requires_grad_()
    y = F.affine_grid(t, (1, 1, 2, 3), align_corners=False); print(y); y.sum().backward(); print(t.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[[[1., 5., 2., 0.], [3., 4., 8., 1.], [0., 2., 1., 1.], [6., 1., 2., 9.]]]], requires_grad=True)
    p, i = F.max_pool2d(a, 2, return_indices=True)
    u = F.max_unpool2d(p, i, 2); print(u); (u * u).sum().backward(); print(a.grad)
    print(F.max_unpool2d(p, i, 2, output_size=(5, 5)).shape, nn.MaxUnpool2d(2)(p, i).equal(u), nn.MaxUnpool2d(2))
    for f in (lambda: F.max_unpool2d(p, i, 2, output_size=(9, 9)), lambda: F.max_unpool2d(p, i.float(), 2), lambda: F.max_unpool2d(p, i[:, :, :1], 2)):
        try: f()
        except (ValueError, RuntimeError) as e: print(e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a, b = torch.tensor([1., 2., .5]), torch.tensor([.5, 3., 10.], requires_grad=True)
    print(torch.igamma(a, b), torch.igammac(a, b), torch.special.gammainc(a, b))
    torch.igamma(a, b).sum().backward(); print(b.grad)
    try: torch.igamma(b, a).sum().backward()
    except NotImplementedError as e: print(e)
    r = torch.frexp(torch.tensor([1., 10., -.3, 0.], requires_grad=True)); print(r)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    A = torch.tensor([[2., 1.], [1., 3.]], requires_grad=True)
    print(torch.linalg.inv_ex(A)); print(torch.linalg.inv_ex(torch.zeros(2, 2)).info, torch.linalg.solve_ex(A, torch.ones(2)), torch.linalg.lu_factor_ex(A))
    try: torch.linalg.inv_ex(torch.zeros(2, 2), check_errors=True)
    except RuntimeError as e: print(e)
    print(torch.linalg.tensorinv(torch.eye(4).reshape(2, 2, 4)).shape, torch.linalg.tensorsolve(torch.eye(6).reshape(2, 3, 6), torch.ones(2, 3)), torch.linalg.diagonal(A))
    for e in (lambda: torch.linalg.solve(A, torch.tensor([[4.], [3.]], requires_grad=True)), lambda: torch.einsum("ij,jk->ik", A, A), lambda: torch.einsum("ii->i", A)): y = e(); print(y, torch.autograd.grad((y * y).sum(), A, create_graph=True))
    q = torch.ones(1, 2, 3, 4, requires_grad=True)
    y, = torch.autograd.grad((F.scaled_dot_product_attention(q, q, q) ** 2).sum(), q, create_graph=True)
    try: y.sum().backward()
    except RuntimeError as e: print(e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    v = torch.tensor(1.)
    for k in (0, -1, 9):
        try: v[k]
        except IndexError as e: print(e)
    for f in (lambda: torch.rand(2, dtype=torch.int), lambda: [1] + v, lambda: torch.iinfo(torch.bool), lambda: torch.tensor([1.], dtype="float"), lambda: m[torch.tensor([0], dtype=torch.int16)], lambda: torch.ones(2).bfloat16().numpy(), lambda: m.norm("foo"), lambda: torch.ones(2, 2).new_zeros("a"), lambda: F.dropout(m, 2), lambda: F.gumbel_softmax(torch.tensor([0, 1]))):
        try: print(f())
        except Exception as e: print(type(e).__name__, e)
    print(m[(slice(None),)], x[(slice(None),)])
    z = torch.ceil(x); g = torch.gradient(z)[0]; g.sum().backward(retain_graph=False); (z ** 2).sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.arange(4., out=torch.zeros(2, 2)), torch.linspace(0, 1, 4, out=torch.zeros(2, 2)), torch.arange(5., out=torch.zeros(2, 2)).shape)
    i, b = torch.tensor([2], dtype=torch.int32), torch.tensor([True])
    print(torch.add(i, b, alpha=2), torch.add(b, b, alpha=2), torch.ldexp(torch.tensor([1.5]).half(), i))
    for f in (lambda: torch.sub(i, b, alpha=.5), lambda: torch.ldexp(torch.ones(1), b)):
        try: print(f())
        except NotImplementedError as e: print(e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for k, x, t in (("none", torch.half, torch.double), ("mean", torch.float32, torch.half), ("sum", torch.half, torch.float32), ("sum", torch.half, torch.half)):
        x = torch.tensor([1., 2.5], dtype=x, requires_grad=True)
        y = F.huber_loss(x, torch.tensor([.5, 4.], dtype=t), reduction=k)
        print(y.detach())
        try: y.sum().backward(); print(x.grad)
        except RuntimeError as e: print(e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print([F.interpolate(torch.arange(1.,17).reshape(1,1,4,4).remainder(7.), **k) for k in (dict(scale_factor=2,mode="bicubic"),dict(size=(3,7),mode="bicubic",align_corners=True),dict(size=(3,6),mode="nearest-exact"))])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a=torch.arange(1.,9).reshape(1,1,2,2,2).requires_grad_(); y=F.interpolate(a,size=(3,3,3),mode="trilinear"); y.pow(2).sum().backward(); print(y.grad_fn.name(), y.detach(), a.grad, F.interpolate(a,scale_factor=2).shape, F.interpolate(a,size=3,mode="nearest-exact").sum())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.Upsample(scale_factor=2, mode="bicubic", align_corners=True)(torch.eye(3)[None,None]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.interpolate(torch.ones(1,1,4), size=3, mode="bicubic"))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
