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
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); ctx.save_for_backward(y); return y
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; return y*g
    y = E.apply(x); y += 1; y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); ctx.save_for_backward(y); return y
        @staticmethod
        def backward(ctx, g):
            print('in backward'); y, = ctx.saved_tensors; return y*g
    y = E.apply(x); y[0] = 3.; y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); ctx.save_for_backward(y); return y
        @staticmethod
        def backward(ctx, g):
            print('in backward')
            try: y, = ctx.saved_tensors
            except RuntimeError as e: print('caught', e); return g
            return y*g
    y = E.apply(x); v = y[1:]; v.mul_(2); y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); ctx.save_for_backward(y); return y
        @staticmethod
        def backward(ctx, g):
            print('in backward, no access'); return g
    y = E.apply(x); y.mul_(2); y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x); return x.exp()
        @staticmethod
        def backward(ctx, g):
            print('in backward, no access'); return g
    h = x*2; y = E.apply(h); h.mul_(2); y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x); return x.exp()
        @staticmethod
        def backward(ctx, g):
            print('in backward'); s, = ctx.saved_tensors; return g*s
    h = x*2; y = E.apply(h); h.mul_(2); y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x); return x.exp()
        @staticmethod
        def backward(ctx, g):
            print('in backward'); s, = ctx.saved_tensors; return g*s
    y = E.apply(x)
    with torch.no_grad(): x.mul_(2)
    y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); z = y*2; ctx.save_for_backward(x, y, z); return y, z
        @staticmethod
        def backward(ctx, g, h):
            x, y, z = ctx.saved_tensors; return y*g + 2*y*h
    y, z = E.apply(x); z.add_(1); (y.sum()+z.sum()).backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); z = y*2; ctx.save_for_backward(x, y, z); return y, z
        @staticmethod
        def backward(ctx, g, h):
            x, y, z = ctx.saved_tensors; return y*g + 2*y*h
    y, z = E.apply(x)
    with torch.no_grad(): z.add_(1)
    y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            t = x.exp(); ctx.save_for_backward(t); ctx.t = t; return t*2
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; return 2*y*g
    y = E.apply(x); y.add_(1); y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            global t
            t = x.exp(); ctx.save_for_backward(t); return t*2
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; return 2*y*g
    y = E.apply(x); t.add_(1); y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); ctx.save_for_backward(y); y.add_(1); return y
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; return y*g
    y = E.apply(x); y.sum().backward(); print(x.grad, y._version)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); y.add_(1); ctx.save_for_backward(y); return y
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; return y*g
    y = E.apply(x); print(y._version); y.mul_(3); y.sum().backward(); print(x.grad, y._version)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); ctx.save_for_backward(y); return y
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; return y*g
    y = E.apply(x); torch.mul(torch.ones(3), 2, out=y.detach()); y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); ctx.save_for_backward(y); return y
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; return y*g
    y = E.apply(x)
    with torch.no_grad(): torch.mul(torch.ones(3), 2, out=y)
    y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); ctx.save_for_backward(y); return y
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; return y*g
    y = E.apply(x); torch.mul(torch.ones(3), 2, out=y)
    y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); ctx.save_for_backward(y); return y
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; return y*g
    y = E.apply(x); y.data.mul_(5); y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); ctx.save_for_backward(y); return y
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; return y*g
    y = E.apply(x); y.detach().mul_(5); y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); ctx.save_for_backward(y); return y
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; return y*g
    y = E.apply(x); y.data = torch.tensor([7.,7.,7.]); y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); ctx.save_for_backward(y); return y
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; return y*g
    y = E.apply(x); torch.relu_(y); y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); ctx.save_for_backward(y); return y
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; return y*g
    class G(E): pass
    y = G.apply(x.double()); y.zero_(); y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); ctx.save_for_backward(y); return y
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; return y*g
    y = E.apply(x); s = y.sum(); s.backward(retain_graph=True); y.mul_(2); s.backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); ctx.save_for_backward(y); return y
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; return y*g
    y = E.apply(x); s = y.sum(); s.backward(); s.backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); ctx.save_for_backward(y); return y
        @staticmethod
        def backward(ctx, g):
            print('backward without access'); return g
    y = E.apply(x); s = y.sum(); s.backward(); s.backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); ctx.save_for_backward(y); return y
        @staticmethod
        def backward(ctx, g):
            print('b')
            try: y, = ctx.saved_tensors
            except RuntimeError as e: print('caught', e); return g
            return g*y
    y = E.apply(x); s = y.sum(); s.backward(); s.backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.exp()
        @staticmethod
        def backward(ctx, g):
            print(ctx.saved_tensors); return g
    y = E.apply(x); s = y.sum(); s.backward(); s.backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.mark_dirty(x); x.mul_(y); ctx.save_for_backward(x, y); return x
        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors; return g*y, g*x
    h = x*1; w = torch.tensor([2.,2.,2.], requires_grad=True)
    y = E.apply(h, w); print(y is h); y.sum().backward(); print(x.grad, w.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.mark_dirty(x); x.mul_(y); ctx.save_for_backward(x, y); return x
        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors; return g*y, g*x
    h = x*1; w = torch.tensor([2.,2.,2.], requires_grad=True)
    y = E.apply(h, w); y.add_(1); y.sum().backward(); print(x.grad, w.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); ctx.save_for_backward(y); return y
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; return y*g
    y = E.apply(x); y += 1; print(torch.autograd.grad(y.sum(), x))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); ctx.save_for_backward(y); return y
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; return y*g
    y = E.apply(x); g, = torch.autograd.grad(y.sum(), x, create_graph=True); y += 1; g.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); ctx.save_for_backward(y); return y
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; return y*g
    y = E.apply(x); g, = torch.autograd.grad(y.sum(), x, create_graph=True); g.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(x): 
            return x.exp()
        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(output)
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; return y*g
    y = E.apply(x); y.sub_(1); y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); ctx.y = y; return y
        @staticmethod
        def backward(ctx, g):
            return ctx.y*g
    y = E.apply(x); y += 1; y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            v = x.view(3); ctx.save_for_backward(v); return v*2
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; return y*g
    h = x*1; y = E.apply(h); h.add_(1); y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, k):
            ctx.save_for_backward(k); return x*k
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; return y*g, None
    k = torch.ones(3); y = E.apply(x, k); k.add_(1); y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, k):
            m = (x > 1); ctx.save_for_backward(m); ctx.mark_non_differentiable(m); return x*k, m
        @staticmethod
        def backward(ctx, g, _):
            y, = ctx.saved_tensors; return y*g, None
    y, m = E.apply(x, 2.); m.logical_not_(); y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); ctx.save_for_backward(y, None); return y
        @staticmethod
        def backward(ctx, g):
            y, n = ctx.saved_tensors; print(n); return y*g
    y = E.apply(x); y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    k = torch.ones(3)
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(k); return x*k
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; return y*g
    y = E.apply(x); k.add_(1); y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    w = torch.ones(3, requires_grad=True); k = w*2
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(k); return x*k
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; print(y.requires_grad, y is k, y.grad_fn); return y*g
    y = E.apply(x); k.add_(1); y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp(); ctx.save_for_backward(y); return y
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors; print(y is Y, y.requires_grad, y.grad_fn is Y.grad_fn, y._version); return y*g
    Y = E.apply(x); Y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, k):
            ctx.save_for_backward(k); return x*2
        @staticmethod
        def backward(ctx, g):
            k = ctx.saved_tensors; return g, None
    for k in (3.0, [1.], [x], (x,)):
        try: y = E.apply(x, k); print('fine', k, y)
        except Exception as e: print(type(e).__name__, e)
        with torch.no_grad():
            try: y = E.apply(x, k); print('fine', k, y)
            except Exception as e: print(type(e).__name__, e)
        try: y = E.apply(torch.ones(3), k); print('fine', k, y)
        except Exception as e: print(type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, k):
            ctx.save_for_forward(x, k); return x*2
        @staticmethod
        def backward(ctx, g):
            return g, None
    for k in (3.0, [1.], None, x, 'a'):
        try: y = E.apply(x, k); print('fine', k, y)
        except Exception as e: print(type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, k):
            ctx.mark_dirty(k); return x*2
        @staticmethod
        def backward(ctx, g):
            return g, None
    for k in (3.0, [1.], None, 'a', (x,), np.ones(1)):
        try: y = E.apply(x, k); print('fine', k, y)
        except Exception as e: print(type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, k):
            ctx.mark_non_differentiable(k); return x*2
        @staticmethod
        def backward(ctx, g):
            return g, None
    for k in (3.0, [1.], None, 'a', (x,), torch.ones(2)):
        try: y = E.apply(x, k); print('fine', k, y)
        except Exception as e: print(type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x); x.mul_(2); return x
        @staticmethod
        def backward(ctx, g): return 2*g
    try: E.apply(x)
    except Exception as e: print(e)
    h = x*1; y = E.apply(h); y.sum().backward(); print(x.grad, y is h)
    h = torch.ones(3); y = E.apply(h); print(y is h, y, y.requires_grad)
    h = (x*1)[:2]; y = E.apply(h); print(y is h, y, y.requires_grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x); x.mul_(2); return x*1
        @staticmethod
        def backward(ctx, g): return 2*g
    h = x*1
    try: y = E.apply(h); print(y)
    except Exception as e: print(e)
    h = torch.ones(3)
    try: y = E.apply(h); print(y)
    except Exception as e: print(e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(1); return x*2
        @staticmethod
        def backward(ctx, g): return 2*g
    for f in (1, 'a', None, [], False):
        class E(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.set_materialize_grads(f); return x*2
            @staticmethod
            def backward(ctx, g): return 2*g
        try: print(E.apply(x))
        except Exception as e: print(type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x); ctx.save_for_backward(x*2); return x*2
        @staticmethod
        def backward(ctx, g): print(ctx.saved_tensors); return 2*g
    print(E.apply(x).sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            print(ctx.saved_tensors, ctx.needs_input_grad, ctx.to_save if hasattr(ctx,'to_save') else 'no'); ctx.save_for_backward(x); print(ctx.to_save, ctx.saved_tensors); return x*2
        @staticmethod
        def backward(ctx, g): print(ctx.saved_tensors); ctx.save_for_backward(g); print(ctx.saved_tensors); return 2*g
    print(E.apply(x).sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x): ctx.save_for_backward(x=x); return x
        @staticmethod
        def backward(ctx, g): return g
    print(E.apply(x))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x): ctx.save_for_backward(); return x*1
        @staticmethod
        def backward(ctx, g): print(ctx.saved_tensors); return g
    E.apply(x).sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x): ctx.saved_tensors = (x,); return x*1
        @staticmethod
        def backward(ctx, g): print(ctx.saved_tensors); return g
    E.apply(x).sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x): return 3.0
        @staticmethod
        def backward(ctx, g): return g
    for h in (x, torch.ones(3)):
        print(E.apply(h))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for r in (3.0, None, 'a', [1.], [x], (x*2, 3.0), (3.0,), {'a': 1}, True, np.ones(2), (), ((x*2, x*3), x*4), (x*2, None)):
        class E(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x): return r
            @staticmethod
            def backward(ctx, *g): print('b', g); return g[0]
        try:
            y = E.apply(x); print(repr(y))
            t = y if isinstance(y, torch.Tensor) else y[0]
            t.sum().backward(); print(x.grad)
        except Exception as e: print(type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x): return x
        @staticmethod
        def backward(ctx, g): return g*5
    with torch.no_grad(): y = E.apply(x); print(y, y.requires_grad, y is x)
    t = torch.ones(2); y = E.apply(t); print(y is t, y.requires_grad)
    y = E.apply(x); print(y is x, y.requires_grad, y.grad_fn.name(), y); y.sum().backward(); print(x.grad)
    y = E.apply(x)
    try: y.add_(1)
    except Exception as e: print(e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        def forward(ctx, x): return x*2
        def backward(ctx, g): return g*5
    y = E.apply(x); y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, *, k=2): return x*k
        @staticmethod
        def backward(ctx, g): return g*5
    print(E.apply(x))
    try: print(E.apply(x, k=3))
    except Exception as e: print(type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, k=2): return x*k
        @staticmethod
        def backward(ctx, g): return g*5
    y = E.apply(x); print(y); y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, k): return x*k
        @staticmethod
        def backward(ctx, g, k=None): return g*5, k
    y = E.apply(k=2, x=x)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x): return x*2
    y = E.apply(x)
    try: y.sum().backward()
    except Exception as e: print(type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def backward(ctx, g): return g*5
    print(E.apply(x))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x): return x*2
        @staticmethod
        def backward(ctx, g):
            x = ctx.saved_tensors; return 2*x*g
    print(E.apply(x).sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x): ctx.save_for_backward(x); return x*2
        @staticmethod
        def backward(ctx, g):
            x = ctx.saved_tensors; return 2*x*g
    print(E.apply(x).sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x): ctx.save_for_backward(x); return x*2
        @staticmethod
        def backward(ctx, g):
            x = ctx.saved_tensors; return g*x
    print(E.apply(x).sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.ones(2)
    import operator as o
    for b in ((x,), 'a', [1.,2.], None, {}, (1,), [x], (1.,2.), len, {1}, range(2), slice(1), torch.float32, torch.Size([2]), nn.Linear(1,1), o):
        for f in (o.add, o.sub, o.mul, o.truediv, o.matmul, o.pow, o.floordiv, o.mod, o.lt, o.eq, o.and_, o.lshift):
            try: print(type(b).__name__, f.__name__, f(t,b))
            except Exception as e: print(type(b).__name__, f.__name__, type(e).__name__, str(e).split("\n")[0])
            try: print('r', type(b).__name__, f.__name__, f(b,t))
            except Exception as e: print('r', type(b).__name__, f.__name__, type(e).__name__, str(e).split("\n")[0])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.ones(2)
    try: t += 'a'
    except Exception as e: print(type(e).__name__, str(e).split("\n")[0])
    try: t *= (t,)
    except Exception as e: print(type(e).__name__, str(e).split("\n")[0])
    try: t -= None
    except Exception as e: print(type(e).__name__, str(e).split("\n")[0])
    try: t /= 'a'
    except Exception as e: print(type(e).__name__, str(e).split("\n")[0])
    try: t **= 'a'
    except Exception as e: print(type(e).__name__, str(e).split("\n")[0])
    i = torch.tensor(2)
    for t in (torch.tensor(2), torch.tensor(2.), torch.tensor([2]), torch.tensor(True)):
        for f in (lambda: t*'ab', lambda: 'ab'*t, lambda: t*[1,2], lambda: [1,2]*t, lambda: (1,)*t, lambda: t*(1,)):
            try: print(f())
            except Exception as e: print(type(e).__name__, str(e).split("\n")[0])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, a=1, k=2): return x*k+a
        @staticmethod
        def backward(ctx, *g): return g[0]*5, None, None
    for f in (lambda: E.apply(x, k=5), lambda: E.apply(x, 3, a=5), lambda: E.apply(k=3), lambda: E.apply(x, a=5), lambda: E.apply(x, ctx=3), lambda: E.apply(a=1,x=x), lambda: E.apply(x, z=1), lambda: E.apply(x, 1, 2, 3)):
        try:
            y = f(); print(y); x.grad=None; y.sum().backward(); print(x.grad)
        except Exception as e: print(type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(x, a=1, k=2): return x*k+a
        @staticmethod
        def setup_context(ctx, inputs, output): print(inputs)
        @staticmethod
        def backward(ctx, *g): return g[0]*5, None, None
    for f in (lambda: E.apply(x, k=5), lambda: E.apply(x, 3, a=5), lambda: E.apply(k=3), lambda: E.apply(x, a=5), lambda: E.apply(a=1,x=x), lambda: E.apply(x, z=1)):
        try:
            y = f(); print(y); x.grad=None; y.sum().backward(); print(x.grad)
        except Exception as e: print(type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *xs): return xs[0]*2
        @staticmethod
        def backward(ctx, *g): return g[0]*5
    for f in (lambda: E.apply(x, k=5), lambda: E.apply(x)):
        try:
            y = f(); print(y)
        except Exception as e: print(type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.ones(2)
    for b in ((x,), 'a', [1.,2.], None, {}, (1,), [x], {1}, range(2), torch.float32, torch.Size([2])):
        for f in (lambda: t*b, lambda: b*t, lambda: t+b, lambda: t/b, lambda: t@b):
            try: print(f())
            except Exception as e: print(type(e).__name__, str(e).split("\n")[0])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
