import torch
from torch.autograd.functional import hessian
x = torch.tensor([0.3, 0.7, 1.4])
fs = dict(exp=torch.exp, log=torch.log, sqrt=torch.sqrt, sin=torch.sin, tanh=torch.tanh, sigmoid=torch.sigmoid,
  softplus=torch.nn.functional.softplus, gelu=torch.nn.functional.gelu, silu=torch.nn.functional.silu, elu=torch.nn.functional.elu,
  relu=torch.relu, abs=torch.abs, erf=torch.erf, atan=torch.atan, log1p=torch.log1p, expm1=torch.expm1, reciprocal=torch.reciprocal,
  rsqrt=torch.rsqrt, mish=torch.nn.functional.mish, logsigmoid=torch.nn.functional.logsigmoid)
for name, f in fs.items():
    print(name, hessian(lambda x: f(x).sum(), x).diagonal())
def third(f, x):
    x = x.clone().requires_grad_()
    g, = torch.autograd.grad(f(x).sum(), x, create_graph=True)
    h, = torch.autograd.grad(g.sum(), x, create_graph=True)
    t, = torch.autograd.grad(h.sum(), x)
    return t
for name, f in fs.items():
    if name != "relu" and name != "abs":
        print(name, third(f, x))
reductions = dict(prod=lambda x: x.prod(), var=lambda x: x.var(), std=lambda x: x.std(), norm=lambda x: x.norm(), lse=lambda x: x.logsumexp(0),
  softmax=lambda x: x.softmax(0)[0], log_softmax=lambda x: x.log_softmax(0)[1], cumsum=lambda x: (x.cumsum(0) ** 2).sum(), cumprod=lambda x: x.cumprod(0).sum(),
  mean=lambda x: (x ** 2).mean(), max=lambda x: x.max() ** 2, dot=lambda x: x.dot(x), outer=lambda x: (torch.outer(x, x) ** 2).sum(), p3=lambda x: x.norm(3))
for name, f in reductions.items():
    print(name)
    print(hessian(f, x))
m = torch.tensor([[2.0, 0.5], [0.3, 1.0]])
for name, f in dict(inv=lambda m: torch.inverse(m).sum(), logdet=torch.logdet, tr=lambda m: torch.trace(m @ m @ m)).items():
    print(name)
    print(hessian(f, m).reshape(4, 4))
