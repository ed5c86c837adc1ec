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
    def w4():
        a = torch.tensor(-1.81); a[a > 0] = 1.0
        b = torch.tensor(1.5);  b[b < 0] *= -1
        x = torch.tensor(3., requires_grad=True); y = x*2; y[y > 10] = 0.; y.backward()
        return a,b,torch.tensor(2.)[torch.tensor(False)].shape,torch.tensor(2.)[torch.tensor(True)].shape,y,x.grad
    print(w4())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    x = torch.tensor([0.1, 0.2, 0.3, 0.7], dtype=torch.float32)
    print((x == 0.1, x <= 0.2, x > 0.3, x != 0.7, torch.eq(x,0.1), torch.where(x==0.3,1.,0.), (x>=0.7).sum(), x.masked_fill(x>0.2,5.), F.threshold(x,0.3,-1.), F.softshrink(x,0.3), F.hardshrink(x,0.3), x.clamp(min=0.2)==0.2, 0.1==x, torch.lt(x,0.3), torch.ge(x,0.7)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print((F.cross_entropy(torch.tensor([[1.5,-.7]]), torch.tensor([0]), ignore_index=0),F.nll_loss(torch.zeros(1,3),torch.tensor([-100])),F.cross_entropy(torch.zeros(0,3), torch.zeros(0,dtype=torch.int64)),F.cross_entropy(torch.zeros(1,3), torch.tensor([-100]),reduction='sum')))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def s3():
        x=torch.tensor([-2.,1.93],requires_grad=True); a=torch.xlogy(x,x); a.ceil().sum().backward(); return x.grad
    print(s3())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def s3b():
        A=torch.tensor([[1.,2.],[3.,4.]],requires_grad=True); y=torch.matrix_power(A,0); (y*float('inf')).sum().backward(); return A.grad
    print(s3b())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def s3c():
        A=torch.tensor([0.,0.,2.],requires_grad=True); y=A.prod(); (y*float('inf')).backward(); return A.grad
    print(s3c())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def s3d():
        x=torch.tensor([[0.,0.],[1.,3.]],requires_grad=True); y=torch.renorm(x,2,0,1.); (y*float('inf')).sum().backward(); return x.grad
    print(s3d())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def s4():
        a = torch.tensor([0,-2]); a.addcmul_(a, a, value=0.5); return a
    print(s4())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print((torch.nextafter(torch.tensor(2.1,dtype=torch.float32),torch.tensor(3.,dtype=torch.float32)).item(),torch.nextafter(torch.tensor(1.,dtype=torch.float32), torch.tensor(2.,dtype=torch.float32)).item(),torch.nextafter(torch.tensor(0.,dtype=torch.float32), torch.tensor(2.,dtype=torch.float32)).item()))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.binary_cross_entropy_with_logits(torch.tensor([0.3],dtype=torch.float64,requires_grad=True),torch.tensor([1.],dtype=torch.float32)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print((torch.kthvalue(torch.tensor([2.,2,2]),1),torch.kthvalue(torch.tensor([2.,1,2,2]),3),torch.median(torch.tensor([2.,2,2])),torch.mode(torch.tensor([3.,3.,1.,1.]))))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def s8():
        x=torch.tensor([1.,2.,2.,2.,3.],requires_grad=True); torch.quantile(x,0.5).backward(); a=x.grad.clone(); x.grad=None; torch.quantile(x,torch.tensor([.3,.6])).sum().backward(); return a,x.grad
    print(s8())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def s9():
        r=[]
        for f in (lambda v:v.amin(), lambda v:v.amax(), lambda v:v.prod(), lambda v:v.norm(), lambda v:v.std(), lambda v:torch.logsumexp(v,0), lambda v:v.max(), lambda v:(v/v.flip(0)).sum(), lambda v:v.cumprod(0).sum(), lambda v:F.softmax(v,0)[0]):
            x=torch.tensor([1.,2.,3.],requires_grad=True); y=f(x); x.data.mul_(2); y.backward(); r.append(x.grad.tolist())
        return r
    print(s9())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def s10():
        r=[]
        for f in (F.hardtanh,F.hardswish,lambda v:v.clamp(-1,1),F.relu,F.relu6,F.hardsigmoid,F.softshrink,F.hardshrink,F.leaky_relu,F.elu,lambda v:F.threshold(v,0.5,-1.)):
            x=torch.tensor([-4.,-1.,-.2,0.,.2,1.,4.],requires_grad=True); y=f(x); g,=torch.autograd.grad(y,x,torch.tensor([-1.]*7),create_graph=True)
            r.append((y.tolist(),g.tolist()))
            if g.requires_grad:
                h,=torch.autograd.grad(g.sum(),x,allow_unused=True); r.append(None if h is None else h.tolist())
        return r
    print(s10())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.func.jacfwd(lambda x:x/(torch.tensor([1.,2.])**2+1))(torch.tensor([1.,-2.])))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.func.jacfwd(lambda y:torch.tensor([1.,-2.])/(y**2+1))(torch.tensor([1.,-2.])))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print((torch.angle(torch.tensor([1.,-2.,0.])),torch.tensor([-1.,float('nan')]).angle()))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print((torch.hann_window(5),torch.hann_window(4,periodic=False),torch.hamming_window(4),torch.blackman_window(3),torch.bartlett_window(5),torch.hann_window(1),torch.hann_window(0),torch.kaiser_window(4)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.detach(torch.ones(2,requires_grad=True)*2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def cp():
        a=torch.zeros(3); a.copy_(1.5); return a
    print(cp())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.LazyLinear(2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.count_nonzero(torch.ones(2),keepdim=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.mse_loss(x,"a"))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.ones(3).sum().backward(torch.ones(3)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.nll_loss(torch.ones(3,1),torch.tensor([0.5])))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.cross_entropy(torch.ones(1,3,2), torch.tensor([0])))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.tensor(1.)["a"])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.tensor(1.)[1.5])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.func.jacfwd())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def d8():
        x=torch.ones(2,requires_grad=True); v=(x*1).view(-1); v.detach_()
    print(d8())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.tensor([True]).clamp_(0,1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.tensor([True]).clamp(0,1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.tensor(1.).narrow(0,0,1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.addmm(torch.ones(2),torch.ones(2),torch.ones(2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.addmm(torch.ones(2),torch.ones(2),torch.ones(2,2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.ones(2,2,2)@torch.ones(7))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.lp_pool1d(torch.ones(1,1,2),2,3))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.addmv(torch.ones(1),torch.ones(2,2),torch.ones(2,2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.zeros(3).scatter_add(0,torch.tensor([0]),torch.ones(1,dtype=torch.float64)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.lerp(torch.ones(2),torch.tensor([True,False]),0.5))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.block_diag(torch.ones(2,2,2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def s12():
        x=torch.tensor([1.,2.],requires_grad=True); y=torch.sgn(x).sum(); y.backward(); y.backward()
    print(s12())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from collections import OrderedDict
    print(nn.Sequential(OrderedDict([('a',nn.Linear(2,3)),('b',nn.ReLU())])))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print((torch.FloatTensor(torch.ones(2,3).shape).shape,torch.Tensor(torch.ones(2).size()).shape, torch.FloatTensor([1,2])))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def sin_():
        b=torch.tensor([1.,2.]); torch.sin_(b); torch.relu_(b); torch.neg_(b); return b
    print(sin_())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print((torch.tensor([float('nan'),1.]).norm(p=float('inf')),torch.tensor([1.,float('nan')]).norm(p=-float('inf')),torch.linalg.vector_norm(torch.tensor([float('nan'),1.]),float('inf'))))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.pad(torch.ones(1,1,3),(3,0),mode="reflect"))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.pad(torch.ones(3),(-4,0)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.full((2,), 2**40, dtype=torch.int32))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(2 ** torch.tensor([-1, 2]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print((torch.tensor([1,2]).sum(dtype=torch.uint8),torch.tensor([-1]) >> 70, torch.tensor([1,2]).prod(dtype=torch.int32), torch.tensor([1.,2.]).cumsum(0,dtype=torch.float64)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def n8():
        out=[]
        nan,inf=float('nan'),float('inf')
        for f,v in ((lambda x:0**x,[-1.,0.,1.]),(lambda x:torch.logcumsumexp(x,0),[1e30,1e30,1.]),(F.relu6,[nan,1.]),(F.hardtanh,[nan,1.]),(F.hardshrink,[nan,1.]),(F.hardswish,[nan,1.]),(lambda x:x.amax(),[nan,1.,2.]),(lambda x:x.amin(),[nan,1.,2.]),(lambda x:F.huber_loss(x,torch.zeros(1)),[inf]),(lambda x:F.smooth_l1_loss(x,torch.zeros(1)),[inf]),(lambda x:x.cumprod(0),[inf,1.,2.]),(lambda x:x.norm(p=3),[2.]),(lambda x:x.kthvalue(2)[0],[2.,2.,2.,1.]),(lambda x:x.mode()[0],[nan,1.,2.])):
            x=torch.tensor(v,requires_grad=True); f(x).sum().backward(); out.append(x.grad.tolist())
        return out
    print(n8())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print((torch.i0(torch.tensor(1.7e308,dtype=torch.float64)),torch.special.i0e(torch.tensor(1.7e308,dtype=torch.float64)),torch.special.erfcx(torch.tensor(1.7e308,dtype=torch.float64)).item()))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def n9():
        x=torch.tensor([1e-320],dtype=torch.float64,requires_grad=True); torch.sinc(x).backward(); return x.grad
    print(n9())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print((torch.arange(0,2,0.1,dtype=torch.float64).tolist(),torch.linspace(-3,5,11,dtype=torch.float64).tolist(),torch.arange(0,2,0.1).tolist(),torch.linspace(-3,5,11).tolist()))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def lin():
        before=torch.get_default_dtype(); torch.set_default_dtype(torch.float64); torch.manual_seed(0); l=nn.Linear(3,2); r=l.weight.tolist(),l.bias.tolist(); c=nn.Conv1d(2,3,2); r+=c.weight.tolist(),; torch.set_default_dtype(before); return r
    print(lin())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    net = nn.Sequential(nn.LazyLinear(2), nn.ReLU())
    print(net)
    print(net(torch.ones(3, 4)).shape, net)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.tensor([True]).clamp_(0, 1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.tensor([1]).clamp_(0.5))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.block_diag(torch.ones(2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    x = torch.tensor([0.3, -1.2, 2.1], dtype=torch.bfloat16, requires_grad=True)
    for f in (torch.tanh, F.silu, F.gelu):
        print(torch.autograd.grad(f(x), x, torch.tensor([1., 2., -.5], dtype=torch.bfloat16)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y = torch.tensor([1.0, -0.7, 2.3], dtype=torch.bfloat16)
    print(y % 0.4, y // 0.3, y * 0.3)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.histc(torch.tensor([0.05, 0.3, 0.9]), 4), torch.histc(torch.tensor(0.05), 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.split(torch.ones(3), 2, dim=-1), torch.norm(torch.ones(2), p=1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.lerp(torch.ones(2), torch.zeros(2), torch.tensor(2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def deviation_under_infinity():
        out = []
        for f in (torch.std, torch.var):
            for v in (float('inf'), float('nan')):
                x = torch.tensor([[1., 2., 3.], [2., 2., 2.]], requires_grad=True); f(x, dim=1).backward(torch.tensor([v, v])); out.append(x.grad)
        return out
    print(deviation_under_infinity())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def signs_of_zero():
        x = torch.tensor([[1., -2., 0., 3.]], requires_grad=True); F.glu(x).backward(torch.tensor([[0., -0.]]))
        y = torch.tensor([-2.02, -3., -4., 1.], requires_grad=True); F.hardswish(y).backward(torch.zeros(4))
        z = torch.tensor([[0.], [-2.]], requires_grad=True); F.log_softmax(z, -1).backward(torch.tensor([[-0.], [0.]]))
        return x.grad, y.grad, z.grad
    print(signs_of_zero())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def neighbours_block():
        a, b = torch.tensor([1., 2.], requires_grad=True), torch.tensor([2., 2.], requires_grad=True); a.nextafter(b).backward(torch.tensor([float('nan'), float('inf')])); return a.grad, b.grad
    print(neighbours_block())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def margins_of_nan():
        a = torch.tensor([[-0.1, -2.25, 1.66, -2.74]]).rsqrt()
        return F.multi_margin_loss(a, torch.tensor([3])), F.multi_margin_loss(a, torch.tensor([3]), p=2), F.multilabel_margin_loss(a, torch.tensor([[3, -1, 0, 0]]))
    print(margins_of_nan())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def slopes_at_the_ends():
        x = torch.tensor([-float('inf'), float('inf'), 1., -40.], requires_grad=True); torch.special.log_ndtr(x).sum().backward()
        y = torch.tensor([0., -0., 0.3], requires_grad=True); torch.logit(y).sum().backward()
        return x.grad, y.grad
    print(slopes_at_the_ends())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def sizes_beyond_float32():
        out = []
        for v in ([1e30, 1e30, -2e30], [1e-30, 2e-30, 0.]):
            for p in (2, 1, 3, float('inf')):
                x = torch.tensor(v, dtype=torch.float32, requires_grad=True); y = x.norm(p); y.backward(); out.append((y, x.grad))
        return out
    print(sizes_beyond_float32())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def quotients_are_rounded_once():
        y = torch.tensor([1.8, 1.6, 0.9, -2.99, 3.], dtype=torch.float64, requires_grad=True); z = y / y; (z * z.detach().cos()).sum().backward()
        x = torch.tensor([0.7, 2.3, 3.9], requires_grad=True); x.log().backward(torch.tensor([0.3, 1.7, 2.9]))
        return y.grad.tolist(), x.grad.tolist()
    print(quotients_are_rounded_once())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    i = float('inf')
    a = torch.tensor([[[1., i, 2.]]], requires_grad=True)
    b = torch.tensor([[[[1., -i], [2., 3.]]]])
    F.interpolate(a, scale_factor=2, mode='linear').sum().backward()
    print((F.interpolate(a, scale_factor=2, mode='linear'), F.interpolate(a, size=3, mode='linear'), F.interpolate(a, size=5, mode='linear', align_corners=True), F.interpolate(b, scale_factor=2, mode='bilinear'), F.interpolate(b, size=(2, 4), mode='bilinear', align_corners=True), F.interpolate(b, scale_factor=2), a.grad))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    x = torch.tensor([0.1, 0.2, 0.3], dtype=torch.float32)
    print((torch.isin(x, 0.1), torch.isin(torch.tensor([0.1, 0.2], dtype=torch.float64), x), torch.isin(0.1, x)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.index_add(torch.zeros(3, dtype=torch.float32), 0, torch.tensor([0]), torch.ones(1, dtype=torch.float64)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.index_copy(torch.zeros(3, dtype=torch.float32), 0, torch.tensor([0]), torch.ones(1, dtype=torch.float64)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def ndtr():
        x = torch.tensor([-1e10, -1e3, -5., 0.], dtype=torch.float64, requires_grad=True); torch.special.log_ndtr(x).sum().backward(); return x.grad
    print(ndtr())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
