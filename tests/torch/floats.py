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
    torch.set_default_dtype(torch.float32)
    r=lambda *s: (torch.arange(1.,1+math.prod(s)).mul(37).remainder(101).sub(50)/9).reshape(s)
    for n in (1,2,3,16,17,40,300):
        t=r(n).requires_grad_(); y=F.gelu(t); d,=torch.autograd.grad(y,t,r(n).flip(0)); print(n, y.tolist(), d.tolist(), torch.func.jvp(F.gelu,(t.detach(),),(torch.ones(n),))[1].tolist() if n == 3 else '')
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_default_dtype(torch.float32)
    x=torch.tensor([-3.,-2.,1.,3.]); print(F.gelu(x).tolist(), nn.GELU()(torch.linspace(-4,4,9)), F.gelu(x[:1]).tolist(), F.gelu(x.bfloat16()), F.gelu(x.double()).tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_default_dtype(torch.float32)
    x=torch.linspace(-4,4,6).requires_grad_(); d,=torch.autograd.grad(F.gelu(x).sum(),x,create_graph=True); print(d.tolist(), d.requires_grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_default_dtype(torch.float32)
    x=torch.tensor([float('nan'),float('inf'),-float('inf'),0.,-0.,1e-40,88.,-88.]); print(F.gelu(x), torch.sigmoid(x), F.silu(x), torch.expm1(x), torch.log1p(x.abs()))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_default_dtype(torch.float32)
    r=lambda *s: (torch.arange(1.,1+math.prod(s)).mul(37).remainder(101).sub(50)/9).reshape(s)
    t=r(64).requires_grad_(); v=r(64).flip(0)
    for f in (torch.sigmoid,F.silu): y=f(t); print(y.tolist(), torch.autograd.grad(y,t,v)[0].tolist())
    for f in (F.mish,F.logsigmoid,F.softplus,F.elu,F.selu,torch.expm1,lambda t:torch.log1p(t.abs())): print(f(t).tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_default_dtype(torch.float32)
    r=lambda *s: (torch.arange(1.,1+math.prod(s)).mul(37).remainder(101).sub(50)/9).reshape(s)
    for n in (3,16,17,64,100):
        for f in (torch.softmax,torch.log_softmax): t=r(2,n).requires_grad_(); y=f(t,-1); print(n, y.tolist(), torch.autograd.grad(y,t,r(2,n).flip(1))[0].tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_default_dtype(torch.float32)
    r=lambda *s: (torch.arange(1.,1+math.prod(s)).mul(37).remainder(101).sub(50)/9).reshape(s)
    for s in ((5,3),(4,32),(2,3,5)):
        for f in (torch.softmax,torch.log_softmax): t=r(*s).requires_grad_(); y=f(t,0); print(s, y.tolist(), torch.autograd.grad(y,t,r(*s).flip(1))[0].tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_default_dtype(torch.float32)
    print((torch.arange(16.)/10).softmax(0)[0].item())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
