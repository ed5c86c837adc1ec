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
    def refused(written):
        try:
            with torch.no_grad(): written()
            return "written"
        except RuntimeError as e:
            return str(e)[23:43]
    ops = ["add_", "mul_", "sub_", "pow_", "copy_", "fill_", "eq_", "clamp_", "atan2_", "relu_", "exp_", "cumsum_", "zero_", "tril_", "uniform_"]
    for name in ops:
        given = {"relu_": (), "exp_": (), "zero_": (), "tril_": (), "uniform_": (), "cumsum_": (0,), "atan2_": (torch.ones(2, 2),)}.get(name, (1,))
        y = torch.ones(2, 1).expand(2, 2)
        print(name, refused(lambda: getattr(y, name)(*given)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for name in ["add_", "sub_", "mul_", "pow_", "copy_", "eq_", "clamp_", "atan2_", "hypot_", "clamp_min_"]:
        z = torch.arange(1., 5.)
        print(name, refused(lambda: getattr(z[1:], name)(z[:-1])), refused(lambda: getattr(z[:2], name)(z[2:])), refused(lambda: getattr(z, name)(z)), refused(lambda: getattr(z, name)(z[:])), refused(lambda: getattr(z, name)(z[0].clone())))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for name in ["index_add_", "index_copy_", "scatter_", "scatter_add_"]:
        z, at = torch.arange(4.), torch.tensor([0, 1])
        print(name, refused(lambda: getattr(z, name)(0, at, z[1:3])), refused(lambda: getattr(z, name)(0, at, z[1:3].clone())), refused(lambda: getattr(torch.ones(1).expand(3), name)(0, at, z[1:3])))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = torch.arange(4.); z[1:] -= z[:-1]
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = torch.arange(4.); z /= z[1]
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = torch.arange(4.); z[0] += z[1]; z[::2] += z[1::2]; z += z; print(z)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = torch.arange(4.); z[1:] = z[:-1]
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = torch.arange(4.); z[1:] = z[:1]; print(z)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = torch.arange(4.); z[:] = z[3]; z[:] = z; print(z)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = torch.arange(4.).view(2, 2); z[:] = z.t()
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = torch.arange(4.).view(2, 2); z += z.T
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y = torch.ones(1).expand(3); y += 1
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y = torch.ones(1).expand(3); y[:] = torch.tensor([1., 2., 3.])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y = torch.ones(1).expand(3); y[:] = 5.; print(y); y[0:2] = 6.; print(y); y[[0, 1]] = 7.; print(y); y[y > 1] = 8.; print(y)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y = torch.ones(1).expand(3); y.masked_fill_(torch.tensor([True, False, False]), 7.); print(y); y.index_fill_(0, torch.tensor([0]), 2.); print(y)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y = torch.ones(3, 1).expand(3, 3); y.fill_diagonal_(2.); print(y)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = torch.arange(4.); z[[0, 1]] = z[1:3]
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = torch.arange(4.); z[[0, 1]] += z[1:3]; print(z); z[z > 1] = z[0]; print(z)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = torch.tensor([True, False, True]); print(z[1:].masked_fill_(z[:-1], False))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    w = x * 2; w -= w[0]
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    w = x * 2; print(w.expand(2, 3).add_(1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(x.expand(2, 3).add_(1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.relu(torch.ones(1).expand(3), inplace=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y = torch.ones(1).expand(3); y.unsqueeze_(0); print(y); y.t_(); print(y)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a, b = torch.meshgrid(torch.arange(2.), torch.arange(3.), indexing="ij"); a += 1
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for f in (torch.relu_, torch.abs_, lambda y: y.clamp_(0, 3.5), lambda y: y.mul_(1)):
        x = torch.arange(1., 5., requires_grad=True); z = x * 1; y = z.unfold(0, 2, 1)
        f(y); (z ** 2).sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = np.arange(4.); a[1:] = a[:-1]; a[1:] += a[:-1]; print(a)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for shape in [(3,), (2, 3), (1, 3), (2, 3, 2), (2, 3, 2, 2), (2, 2, 2), (0, 3), (2, 3, 0)]:
        c = shape[0] if len(shape) == 1 else shape[1]
        n = math.prod(shape)
        for w in (None, torch.arange(1., c + 1) / 3):
            for smoothing in (0.0, 0.2):
                for r in ("mean", "sum", "none"):
                    u = torch.sin(torch.arange(n) * 1.3).reshape(shape).requires_grad_()
                    t = torch.cos(torch.arange(n) * 0.7).reshape(shape).abs().requires_grad_()
                    y = F.cross_entropy(u, t, w, reduction=r, label_smoothing=smoothing)
                    y.sum().backward()
                    print(shape, r, smoothing, y.detach(), u.grad, t.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for shape in [(3,), (2, 3), (2, 3, 2), (2, 3, 2, 2), (2, 2, 2)]:
        c = shape[0] if len(shape) == 1 else shape[1]
        rest = shape[:1] * (len(shape) > 1) + shape[2:]
        for w in (None, torch.arange(1., c + 1) / 3):
            for r in ("mean", "sum", "none"):
                for f in (F.nll_loss, lambda *a, **k: F.cross_entropy(*a, label_smoothing=0.1, **k)):
                    u = torch.sin(torch.arange(math.prod(shape)) * 1.3 + 1).reshape(shape).requires_grad_()
                    t = (torch.arange(math.prod(rest)) % c).reshape(rest)
                    y = f(u, t, w, reduction=r)
                    y.sum().backward()
                    print(shape, r, y.detach(), u.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.diagonal(torch.zeros(2, 2), -2**63).shape, torch.diagonal(torch.zeros(2, 2), 2**63 - 1).shape)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.diagonal_scatter(torch.zeros(2, 2), torch.zeros(2), -2**63))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for name in ("gt_", "eq_", "ne_", "le_", "add_", "hypot_"):
        for sizes in ((), (1,), (1, 1)):
            one = torch.tensor(2., requires_grad=True)
            y = (one * one).reshape(sizes)
            try: getattr(y, name)(torch.tensor([1., 5.]))
            except RuntimeError as e: print(name, e, y.tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
