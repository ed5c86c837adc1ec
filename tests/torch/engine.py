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
    u,w,b=(torch.tensor([v],requires_grad=True) for v in (3.,2.,1.))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    h=u*2; h.register_hook(lambda g: g*10); y=h*3
    print(torch.autograd.grad(y.sum(),[h,u],retain_graph=True))
    print(torch.autograd.grad(y.sum(),[h],retain_graph=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    h=u*2; h.retain_grad(); h.register_hook(lambda g:g*10); y=h*3
    print(torch.autograd.grad(y.sum(),[u],retain_graph=True,create_graph=True), h.grad)
    y.sum().backward(retain_graph=True); print(h.grad,u.grad)
    u.grad=None
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    h=u*2; y=h*3
    y.sum().backward(inputs=[h],retain_graph=True); print(h.grad, u.grad, h.retains_grad)
    y.sum().backward(retain_graph=True); print(h.grad, u.grad)
    y.sum().backward(inputs=[h,u],retain_graph=True); print(h.grad, u.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class F1(torch.autograd.Function):
        @staticmethod
        def forward(ctx,t): return t*2
        @staticmethod
        def backward(ctx,g): print('F1',g); return g*2
    class F2(torch.autograd.Function):
        @staticmethod
        def forward(ctx,t): return t*2
        @staticmethod
        def backward(ctx,g): print('F2',g); return None
    u.grad=None
    u.register_hook(lambda g: print('hx',g))
    a=F1.apply(u); a.register_hook(lambda g: print('ha',g)); a.retain_grad(); y=F2.apply(a); y.sum().backward(); print(u.grad,a.grad)
    a=u*3; a.register_hook(lambda g: print('ha',g)); y=F2.apply(a); y.sum().backward(); print(u.grad)
    try:
        print(torch.autograd.grad(F2.apply(u*3).sum(),u))
    except RuntimeError as e: print(e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a,bb,c=(torch.tensor([v],requires_grad=True) for v in (3.,2.,1.))
    l=(a*bb+c).sum(); l.backward()
    try: l.backward()
    except RuntimeError as e: print('err')
    print(a.grad,bb.grad,c.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    h=a*2;h.retain_grad();y=h.sum();y.backward(retain_graph=True);g=h.grad;y.backward();print(g is h.grad,g,h.grad)
    h=a*2;h.retain_grad();y=(h**2).sum();y.backward(create_graph=True);print(h.grad)
    y.backward(create_graph=True);print(h.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a.grad=None;bb.grad=None
    a.register_post_accumulate_grad_hook(lambda p: print('post a',p.grad))
    a.register_hook(lambda g: print('pre a',g,a.grad))
    bb.register_hook(lambda g: print('pre b',g,a.grad))
    (a*bb).sum().backward()
    print(torch.autograd.grad((a*bb).sum(),[a,bb]))
    (a*bb).sum().backward(inputs=[a])
    (a*bb).sum().backward(inputs=[bb])
    
    u=torch.tensor([1.,2.],requires_grad=True)
    h=u**2; k=h.exp(); s=k.sum()
    def bad(g): raise ValueError('stop')
    hd=h.register_hook(bad)
    try: s.backward()
    except ValueError as e: print(e)
    hd.remove()
    try: s.backward(); print(u.grad)
    except RuntimeError as e: print(str(e)[:60])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    ls=[torch.tensor(float(i),requires_grad=True) for i in range(7)]
    for i,l in enumerate(ls): l.register_hook(lambda g,i=i: print('leaf',i))
    st=torch.stack(ls); st.register_hook(lambda g: print('stack'))
    print(st.sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    m=[l*2 for l in ls]; c=torch.stack(m+ls); print(c.sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.stack([l*1 for l in ls]).prod().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print((ls[0]*ls[1]+ls[2]*ls[0]+ls[3]).backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a=ls[0]*ls[1]; b=torch.addcmul(ls[2],ls[3],a); c=torch.where(ls[4]>0,ls[5],b); print(torch.lerp(c,ls[6],ls[1]).backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.autograd.backward([ls[0]*ls[1],ls[2]*ls[3],ls[4]],[torch.tensor(1.)]*3)
    u=torch.tensor([1.,2.],requires_grad=True); y=torch.tensor([3.,4.],requires_grad=True)
    u.register_hook(lambda g: print('hx')); y.register_hook(lambda g: print('hy'))
    u=u.norm()*y.norm(); print(u.backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    p, q, r = (torch.tensor([v], requires_grad=True) for v in (3., 2., 1.)); t = p*q; s = t+r
    for n, v in (('p',p),('q',q),('r',r),('t',t),('s',s)): v.register_hook(lambda g, n=n: print('hook', n, g))
    print(torch.relu(s).backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    p = torch.tensor([1., 2.], requires_grad=True)
    h = (p * 2).exp(); l = h.sum() + p.prod()
    p.register_hook(lambda g: print('p', g)); h.register_hook(lambda g: print('h', g, p.grad))
    l.backward(retain_graph=True)
    with torch.no_grad(): h.mul_(2)
    try: l.backward()
    except RuntimeError as e: print(str(e)[:70])
    print(p.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y = (x * x).sum()
    for flag in ([1], 'x', [], 1.0):
        try: y.backward(retain_graph=flag)
        except TypeError as e: print(e)
        try: torch.autograd.grad(y, x, create_graph=flag)
        except TypeError as e: print(e)
        try: torch.autograd.backward(y, retain_graph=flag)
        except TypeError as e: print(e)
    y.backward(retain_graph=1); y.backward(retain_graph=0); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

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
    p = torch.ones(2)
    for name in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"): print(told(lambda: getattr(F, name)(p, torch.ones(2, 1))), told(lambda: getattr(F, name)(p, p)))
    for f in (lambda: torch.ones(1).std(), lambda: torch.var(torch.ones(1, 3), 0), lambda: torch.std_mean(torch.ones(1)), lambda: torch.ones(3).std(), lambda: F.kl_div(p, p), lambda: F.kl_div(p, p, reduction="sum")): print(told(f))
    print(told(lambda: warnings.warn("careful")), told(lambda: warnings.warn("old", DeprecationWarning)), told(lambda: [warnings.warn(RuntimeWarning("one")), warnings.warn("two")]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import warnings
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="std")
        try: torch.ones(1).std()
        except UserWarning as e: print(type(e).__name__, str(e)[:40])
        warnings.filterwarnings("ignore")
        print(torch.ones(1).std())
    with warnings.catch_warnings(action="ignore"): warnings.warn("unheard")
    try: warnings.warn("x", 3)
    except TypeError as e: print(e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    c = torch.arange(8.).view(1, 2, 4).mul(.3).requires_grad_()
    for f in [lambda t: F.conv1d(t, torch.ones(1, 2, 2)), lambda t: F.conv_transpose1d(t, torch.ones(2, 1, 2)), lambda t: F.avg_pool1d(t, 2), lambda t: F.adaptive_avg_pool1d(t, 2), lambda t: F.pad(t, (1, 1), mode="reflect"), lambda t: F.pad(t, (1, 1), mode="replicate"), lambda t: F.instance_norm(t), lambda t: torch.cdist(t, t + 1, 1), lambda t: F.interpolate(t * t, scale_factor=2, mode="linear"), lambda t: F.nll_loss(t, torch.zeros(1, 4, dtype=torch.long), reduction="none"), lambda t: F.binary_cross_entropy_with_logits(t, t.detach().sigmoid())]:
        y = f(c); g, = torch.autograd.grad(y.sum(), c, create_graph=True); print(y.grad_fn.name(), g.grad_fn.name())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    c = torch.ones(2, 3, requires_grad=True); y = F.conv1d(c[None], torch.ones(1, 2, 1)); y.sum().backward(create_graph=True); print(c.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    w = torch.ones(3, 2, requires_grad=True); g, = torch.autograd.grad(F.embedding_bag(torch.tensor([0, 1]), w, torch.tensor([0])).pow(2).sum(), w, create_graph=True); print(g.sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for f in [F.elu_, F.celu_, F.selu_, F.leaky_relu_, torch.sgn_, lambda t: t.pow_(t.detach() + 1), lambda t: t.copysign_(-1.), lambda t: t.ldexp_(t.detach()), lambda t: t[:1].exp_(), lambda t: t.scatter_reduce_(0, torch.tensor([0]), torch.ones(1), "sum"), lambda t: t.index_reduce_(0, torch.tensor([0]), torch.ones(1), "amax")]:
        y = x * 1; f(y); y.add_(1)
        try: y.sum().backward()
        except RuntimeError as e: print(str(e)[:170])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y = x.to(torch.bfloat16) * 1; y.exp_(); y.add_(1); print(y.sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for f in (lambda t: t ** 2, torch.square, lambda t: t ** 3, lambda t: t ** 1, lambda t: t ** 2.0, F.relu, F.softshrink, F.hardshrink):
        t = torch.tensor([1., 2., -3.], requires_grad=True); g = f(t)
        for _ in range(4):
            g, = torch.autograd.grad(g.sum(), t, create_graph=True)
            print(g)
            if not g.requires_grad: break
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def walk(n):
        return [] if n is None else [type(n).__name__, *[walk(f[0]) for f in n.next_functions]]
    p, q, r = torch.ones(2, 3, requires_grad=True), torch.ones(3, 2, requires_grad=True), torch.ones(3, requires_grad=True)
    for text, *given in (('ij,jk->ik', p, q), ('ij,ji->', p, q), ('ij,ij->i', p, p), ('ij,j->i', p, r), ('i,j->ij', r, r), ('ij->ji', p), ('ij->j', p), ('ij,k->i', p, r), ('...j,j->...', p, r), ('ij,kj->i', p, p)):
        print(text, walk(torch.einsum(text, *given).grad_fn))
    print(torch.einsum('ii->i', p @ q), torch.einsum('ij,jk,kl->il', p, q, p), torch.einsum('bij,bjk->bik', p[None], q[None]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
