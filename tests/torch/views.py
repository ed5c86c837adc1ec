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
    u=torch.tensor([1.,2.],requires_grad=True)
    with torch.no_grad(): v=u[0]
    y=v*3
    print(y, y.grad_fn.next_functions)
    y.backward(); print(v.grad,u.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    v.retain_grad(); print(v.retains_grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    v.requires_grad_(False); print('ok',v.requires_grad)
    v.requires_grad=False; print('ok',v.requires_grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(v.mul_(2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.no_grad(): v.mul_(2)
    print(v,u, u._version,v._version)
    print(v.requires_grad, v.is_leaf)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(v.grad_fn)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    h=u*2
    with torch.no_grad(): v=h[0]
    print(v.requires_grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(v.mul_(2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.no_grad(): v.mul_(2)
    print(v,h)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    h=u*2
    with torch.no_grad(): v=h[0]
    h.mul_(2); print(v)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(v.sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    h=u*2
    with torch.no_grad(): v=h[0]
    with torch.no_grad(): h.mul_(2)
    print(v)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    b=torch.ones(3)
    with torch.no_grad(): v=b[0]
    b.requires_grad_(); print(v.requires_grad, v)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    b=torch.ones(3)
    with torch.no_grad(): v=b[0]
    b.mul_(u.sum()); print(v.requires_grad, v)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    b=torch.ones(3); v=b[0]
    b.requires_grad_(); print(v.requires_grad, v, v.is_leaf)
    print((v*2).grad_fn.name())
    (v*2).backward(); print(v.grad,b.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    u=torch.ones(2,requires_grad=True)
    with torch.no_grad(): v=u.view(2)
    u.requires_grad_(False); print(v.requires_grad,v)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    u=torch.ones(2,requires_grad=True)
    with torch.no_grad(): v=u.view(2)
    print(v.detach().numpy())
    print(v.numpy())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.no_grad():
        print(v.numpy())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.no_grad(): print(v.tolist(), v[0].item())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.no_grad(): w=v*2; print(w.requires_grad); u=v.view(2); print(u.requires_grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    v.grad=torch.ones(2); print(v.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    h=v.register_hook(lambda g: print('hook',g))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    (v*2).sum().backward(); print(v.grad,u.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.autograd.grad((v**2).sum(),[u]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.autograd.grad((v**2).sum(),[v]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y=v*u; y.sum().backward(); print(v.grad,u.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    v.sum().backward(); print(v.grad,u.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.no_grad(): s=u[0]
    s.backward(); print(s.grad,u.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    u=torch.ones(2,requires_grad=True)
    with torch.inference_mode(): v=u.view(2); w=u*2
    print((v**2).grad_fn.name(),v.is_inference(),w.is_inference())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(w*u)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(v*u); (v*u).sum().backward(); print(v.grad, u.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.no_grad():
        a,b=u; print(a,b); c=u[0]; c+=1; print(u)
        for p in u: p-=1
        print(u)
        u[0]=5.; print(u); y=u.view(2,1); y.zero_(); print(y,u)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import copy
    with torch.no_grad(): v=u.view(2)
    print(copy.deepcopy(v).requires_grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_grad_enabled(False); print(u[0]); print(torch.set_grad_enabled(True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.no_grad(): v=u.view(2)
    v2=v[0]; print(v2); v2.backward(); print(u.grad, v.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(v2.mul_(2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    h=u*2
    with torch.no_grad(): v=h.view(2)
    v2=v[0]; print(v2); print(v2.mul_(2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    h=u*2; a,b=h.unbind(); print(a.mul_(2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    h=u*2; a,b=h.unbind(); h.mul_(2); print(a)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(a.grad_fn)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    h=u*2; a,b=h.split(1); print(a.mul_(2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    h=u*2; a,b=h.chunk(2); a[0]=2
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    h=u*2; a,b=h.unbind(); b=b.view(1); print(b.mul_(2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    h=u*2; a,b=h; print(b.add_(1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    h=u*2; a,b=torch.tensor_split(h,2); b.add_(1); print(h)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    h=u*2; a,b=h.unbind()
    with torch.no_grad(): a.mul_(2); print(a)
    print(a,b,h)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    h=u*2
    with torch.inference_mode(): v=h.view(2)
    print(v.mul_(2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    h=u*2
    with torch.inference_mode(): v=h.view(2)
    h.mul_(2); print(v); print(v.grad_fn)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class V(torch.autograd.Function):
        @staticmethod
        def forward(ctx,t): return t.view(2,1)
        @staticmethod
        def backward(ctx,g): return g.view(2)
    h=u*2; v=V.apply(h); print(v, v._is_view()); print(v.mul_(2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class I(torch.autograd.Function):
        @staticmethod
        def forward(ctx,t): return t
        @staticmethod
        def backward(ctx,g): return g*3
    h=u*2; v=I.apply(h); print(v, v is h, v._is_view()); 
    (v*1).sum().backward(); print(u.grad)
    print(v.mul_(2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.no_grad():
        for p in nn.Linear(2,1).parameters(): print(p.view(-1).requires_grad, p.data.view(-1).requires_grad, p[0].requires_grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    u=torch.ones(2,2)
    with torch.no_grad(): v=u[0]
    v.mul_(2); print(u)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    v.requires_grad_(); print(v, u.requires_grad, v.is_leaf); (v*2).sum().backward(); print(v.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    u=torch.ones(2,2,requires_grad=True)
    with torch.no_grad(): v=u[0]; v.requires_grad_()
    (v*2).sum().backward(); print(v.grad, u.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    u=torch.ones(2,requires_grad=True)
    y=u.detach(); z=y.view(2); print(z.requires_grad, z._is_view()); w=u.data[0]; print(w.requires_grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.no_grad(): v=u.view(2); d=v.detach(); print(d.requires_grad); e=d.view(2); print(e.requires_grad, u.data.view(2).requires_grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    u=torch.tensor([1.,2.],requires_grad=True)
    with torch.inference_mode():
        w=u*2; o=torch.ones(2); v=u.view(2); d=u.detach(); i=torch.tensor([1,2]); c=o.clone(); print(torch.is_inference(w))
    print(w.is_inference(),o.is_inference(),v.is_inference(),d.is_inference(),i.is_inference(),c.is_inference(), w.view(2).is_inference(), w.clone().is_inference(), (w+1).is_inference(), w.requires_grad, u.is_inference())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(w.add_(1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(w.requires_grad_())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    w.requires_grad=True
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(w._version)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(u*w)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(u+w)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    (u+w).sum().backward(); print(u.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(w.sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    w[0]=3.
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.inference_mode(): w.add_(1); print(w)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.inference_mode(): u.add_(1); print(u)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y=u*2
    with torch.inference_mode(): y.add_(1); print(y, y._version)
    y.sum().backward(); print(u.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.exp(w).is_inference())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.matmul(u,w))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.relu(w), u.exp()*w.clone())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.inference_mode(): l=nn.Linear(2,1)
    print(l(u))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(w.numpy(), w.tolist(), w[0].item(), w.detach().is_inference(), w.data.is_inference())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(u._base, u.view(2)._base is u, u._is_view(), u.view(2)[0]._base is u, u.detach()._base)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y=w.view(2); print(y.is_inference(), y._is_view())
    print(y.add_(1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    u.data.copy_(w); print(u)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.no_grad(): u.copy_(w); print(u)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    u.grad=w; print(u.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.stack([u,w]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    u=torch.ones(2)
    u.add_(w); print(u)
    u.mul_(torch.ones(2,requires_grad=True)); print(u)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    w=w.clone(); w.add_(1); print(w)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    m = torch.arange(6., requires_grad=True).view(2, 3) * 1
    print(m.t().reshape(3, 2), m.t().reshape(6), m[:, :2].flatten(), m[:, 0].reshape(2), m[0].reshape(3, 1), m.t().ravel())
    print(m.T.view_as(m.T), m[:, :2].reshape_as(torch.ones(4)), torch.ones(3, requires_grad=True).expand(2, 3).reshape(2, 3))
    y = torch.tensordot(m, torch.ones(3, 2), dims=1); print(y._is_view()); y.mul_(2); print(y)
    y = F.bilinear(m[:, :2], m[:, 1:], torch.ones(3, 2, 2)); print(y._is_view()); y[0] = 1.; print(y)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def node(y): print(y.grad_fn.name(), [(f and f.name(), k) for f, k in y.grad_fn.next_functions])
    w = torch.tensor([1., 2., 3.], requires_grad=True)
    g = torch.tensor(1., requires_grad=True)
    for i in (0, slice(None), slice(1, None), ..., None, [0, 1], w > 1, True):
        for v in (2., 1, torch.tensor(1.), g, torch.tensor([1.])):
            y = w.clone(); y[i] = v; node(y)
    y = w.clone(); y[:2] += w[1:]; node(y)
    y = w.clone(); y[:2].masked_fill_(w[:2] > 1, 0.); node(y)
    y = torch.zeros(3); y[1] = g; node(y)
    print(node(2.5 % w))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    w = torch.tensor([1., 2.], requires_grad=True)
    y = w * 2
    print(y.grad_fn is y.grad_fn, y.grad_fn == y.grad_fn, len({y.grad_fn, y.grad_fn}), y.grad_fn.next_functions[0][0] in {y.grad_fn.next_functions[0][0]})
    a, b = (w * 1).split(1)
    print(a.grad_fn is b.grad_fn, a.grad_fn is y.grad_fn, (a * 1).grad_fn.next_functions[0][1], (b * 1).grad_fn.next_functions[0][1])
    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx, t): return t * 2, t.sum()
        @staticmethod
        def backward(ctx, a, b): return a * 2 + b
    p, q = Two.apply(w)
    print(p.grad_fn is q.grad_fn, str(p.grad_fn)[:41], p.grad_fn.name(), (q * 1).grad_fn.next_functions[0][1])
    print(torch.func.jvp(lambda t: t ** 2, (w,), (torch.ones(2),)))
    print(torch.autograd.functional.jacobian(lambda t: t ** 2, w, strategy='forward-mode', vectorize=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for f in (torch.dot, lambda a, b: torch.mv(a.view(1, 2), b), lambda a, b: (a ** 3).sum() * b, lambda a, b: torch.cat([a, b[:1]])):
        a, b = torch.tensor([1., 2.], requires_grad=True), torch.tensor([3., 4.], requires_grad=True)
        print([h.grad_fn and h.grad_fn.name() for h in torch.autograd.grad(f(a, b).sum() ** 2, (a, b), create_graph=True)])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    x = torch.tensor([1., 2.], requires_grad=True)
    for f in (lambda: torch.trapezoid(x), lambda: torch.block_diag(x, x).sum(), lambda: x * 2, lambda: x[:1] + 2):
        y = f().sum(); y.backward()
        try: y.backward(); print(x.grad)
        except RuntimeError as e: print(str(e)[:50])
    b = torch.arange(12., requires_grad=True).view(2, 2, 3)
    print(x @ b, b.mT @ x, (x @ b).shape)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    n = torch.tensor([10., 20.])
    def one(change, f=lambda e: e*e):
        e = torch.tensor([1., 2.], requires_grad=True)
        y = f(e)
        try: change(e); y.backward(torch.ones(2)); print(e.grad)
        except RuntimeError as err: print(str(err)[:90])
    def assign(e): e.data = n.clone()
    def scale(e): e.data = e.data*10
    def less(e): e.data -= 1
    def both(e): e.data = n.clone(); e.data[0] = 5
    def older(e): d = e.data; e.data = n.clone(); d[0] = 7
    def counted(e):
        e.data = n.clone()
        with torch.no_grad(): e.mul_(2)
    def set_to(e):
        with torch.no_grad(): e.set_(n.clone())
    for change in (assign, scale, less, both, older, counted, set_to): one(change)
    for f in (torch.exp, torch.sin, lambda e: e.view(2)**2, lambda e: e**3, lambda e: F.linear(e, torch.eye(2)) * e, lambda e: e @ torch.ones(2, 2) * e): one(assign, f)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    w = torch.tensor([3., 4.]); e = torch.tensor([1., 2.], requires_grad=True); h = e*1; y = h*w*h
    w.data = torch.tensor([5., 6.]); h.data = torch.tensor([7., 8.]); del h
    y.sum().backward()
    print(e.grad)
    d = w.data; y = (e*d).sum(); d[0] = 9.; y.backward()
    print(e.grad, w, d._version)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def products_are_no_views():
        w, v = torch.tensor([[1.1, -1.89], [2., -2.48], [2., 0.66]], requires_grad=True), torch.tensor([0.45, -1.95, -2.22])
        a = v @ w; a[-1] = a[0] * 2
        b = v @ w; b.clamp_(-1, 1)
        c = torch.linalg.cond(w); d = c._is_view()
        return a, b, (v @ w)._is_view(), d
    print(products_are_no_views())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def batches_of_one():
        names = lambda n: [] if n is None else [type(n).__name__, *[names(f[0]) for f in n.next_functions]]
        out = []
        for p, q in (((2, 3, 2), (1, 2, 2)), ((1, 2, 2), (2, 2, 3)), ((1, 2, 2), (1, 2, 2)), ((2, 2, 3, 2), (1, 2, 2))):
            for a, b in ((True, True), (True, False), (False, True)):
                out.append((torch.ones(p, requires_grad=a) @ torch.ones(q, requires_grad=b)).grad_fn)
        return [names(n) for n in out]
    print(batches_of_one())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def contracted_ones():
        x = torch.tensor([[0.78], [0.71]], requires_grad=True); z = torch.cat([torch.tensordot(x, torch.tensor([0.2], requires_grad=True), dims=1)] * 2, -1)
        return torch.autograd.grad(z[1:].sum(), x, create_graph=True)[0]
    print(contracted_ones())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def signs():
        t = torch.ones(4, 6, requires_grad=True); out = []
        for pieces in (t.chunk(3, 1), t.split([1, 3]), t.unbind(1), t.t().split(4)):
            (pieces[0] * -0.0).sum().backward(); out.append(t.grad); t.grad = None
        return out
    print(signs())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def repeated():
        t, s = torch.ones(1, requires_grad=True), torch.arange(1., 4).view(3, 1).requires_grad_()
        a, b, c = t.expand(3).unbind(); (a + 2 * b + 3 * c).backward()
        p, q = s.expand(3, 4).chunk(2, 1); (p * q * q).sum().backward()
        return t.grad, s.grad
    print(repeated())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def views_that_are_leaves():
        def view(): return torch.arange(6.).reshape(2, 3).requires_grad_()
        def item(x): x[0, 0] = 1.
        def pieces(x):
            a, b = torch.zeros(4, 2).split(2)
            a.requires_grad_(); b += 1; a += 1
        def base(x):
            b = torch.zeros(2, 3); b[0].requires_grad_(); b[0] = x[0]
            return type(b.grad_fn).__name__
        def parameter(x): torch.nn.Parameter(torch.arange(4.).view(2, 2)).view(-1)[0] = 1
        said = []
        for f in (item, lambda x: x.mul_(2), lambda x: x.view(-1).add_(1), lambda x: x[0].zero_(), pieces, base, parameter, lambda x: x.data.zero_()):
            try: said.append(f(view()))
            except RuntimeError as e: said.append(str(e))
        return "\n".join(map(str, said))
    print(views_that_are_leaves())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
