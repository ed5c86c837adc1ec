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
    # Forward mode: Function.jvp in gradcheck, torch.func and forward_ad; what PyTorch does not transform.
    import torch.autograd.forward_ad as fwAD
    from torch.autograd import gradcheck
    
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, k):
            ctx.save_for_forward(x)
            ctx.save_for_backward(x)
            ctx.k = k
            return k*x**2, k*x
    
        @staticmethod
        def backward(ctx, g, h):
            x, = ctx.saved_tensors
            return 2*ctx.k*x*g + ctx.k*h, None
    
        @staticmethod
        def jvp(ctx, t, nothing):
            x, = ctx.saved_tensors
            return 2*ctx.k*x*t, ctx.k*t
    
    class Wrong(Square):
        @staticmethod
        def jvp(ctx, t, nothing):
            return 5*t, ctx.k*t
    
    x = torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True)
    print(gradcheck(lambda x: Square.apply(x, 3), (x,), check_forward_ad=True))
    print(gradcheck(lambda x: Wrong.apply(x, 3), (x,), check_forward_ad=True, raise_exception=False), gradcheck(lambda x: Wrong.apply(x, 3), (x,)))
    try:
        gradcheck(lambda x: Wrong.apply(x, 3), (x,), check_forward_ad=True)
    except Exception as e:
        print(type(e).__name__, e)
    with fwAD.dual_level():
        y, z = Wrong.apply(fwAD.make_dual(x.detach(), torch.ones(2, dtype=torch.float64)), 3)
        print(fwAD.unpack_dual(y), fwAD.unpack_dual(z))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    # What a Function says of transforms.
    class Old(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return 2*x
    
        @staticmethod
        def backward(ctx, g):
            return 2*g
    
    class New(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return 2*x
    
        @staticmethod
        def setup_context(ctx, inputs, output):
            pass
    
        @staticmethod
        def backward(ctx, g):
            return 2*g
    
    class Mapped(New):
        generate_vmap_rule = True
    
        @staticmethod
        def jvp(ctx, t):
            return 5*t
    
    class Bad(Mapped):
        @staticmethod
        def jvp(ctx, t):
            return t.sum()
    
    x = torch.tensor([1., 2.])
    for C in (Old, New, Mapped, Bad):
        for f in (
            lambda: torch.func.jvp(C.apply, (x,), (x,)),
            lambda: torch.func.grad(lambda x: C.apply(x).sum())(x),
            lambda: torch.func.vmap(C.apply)(x),
            lambda: torch.func.jacrev(C.apply)(x),
            lambda: torch.autograd.functional.jvp(C.apply, x, x),
        ):
            try:
                print(f())
            except Exception as e:
                print(type(e).__name__, e)
    print(torch.func.jacfwd(Mapped.apply)(x))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    # What decides how many elements come out cannot be mapped.
    x = torch.tensor([[1., 0.], [2., 2.]])
    for f in (torch.nonzero, torch.unique, torch.unique_consecutive, lambda r: torch.masked_select(r, r > 0), lambda r: torch.where(r > 0), lambda r: torch.nonzero(r, as_tuple=True), torch.count_nonzero, lambda r: torch.where(r > 0, r, -r)):
        try:
            print(torch.func.vmap(f)(x))
        except Exception as e:
            print(type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    # The bytes of a tensor as another type; histograms with their edges.
    def t(f):
        try:
            print(f())
        except Exception as e:
            print(type(e).__name__, e)
    
    x = torch.tensor([1., -2., 3.], dtype=torch.float32)
    for dtype in (torch.int32, torch.int16, torch.uint8, torch.float64, torch.float32):
        t(lambda: x.view(dtype))
    t(lambda: x[::2].view(torch.float64))
    t(lambda: x[0].view(torch.float64))
    t(lambda: torch.tensor([1, 2]).view(torch.float32))
    t(lambda: torch.tensor([1069547520, 7], dtype=torch.int32).view(torch.float32))
    t(lambda: torch.histogram(x, 3))
    t(lambda: torch.histogram(x, 2, range=(0., 4.), weight=torch.tensor([1., 2., 4.], dtype=torch.float32), density=True))
    t(lambda: torch.histogram(x, torch.tensor([0., 1., 3.], dtype=torch.float32)))
    t(lambda: torch.histogram(x, 0))
    t(lambda: torch.histogram(x, 3, range=(2., 1.)))
    print(t(lambda: torch.histogram(torch.tensor([1, 2]), 3)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    # NaN: exponents, rows that renorm leaves; alignments that cannot be.
    nan = float('nan')
    x = torch.tensor([0., nan, 2., 0., 0.], requires_grad=True)
    e = torch.tensor([nan, 0., nan, 0., 2.], requires_grad=True)
    (x**e).sum().backward()
    print(x.grad, e.grad)
    e.grad = None
    (0**e).sum().backward()
    print(e.grad)
    x = torch.tensor([[1., 2.], [nan, 4.]], requires_grad=True)
    torch.renorm(x, 2, 0, 1.).sum().backward()
    print(x.grad)
    p = torch.tensor([[[0.2, 0.3, 0.5]], [[0.1, 0.1, 0.8]]]).log().requires_grad_()
    for zero in (True, False):
        p.grad = None
        loss = torch.nn.functional.ctc_loss(p, torch.tensor([[1, 1, 1]]), torch.tensor([2]), torch.tensor([3]), zero_infinity=zero)
        loss.backward()
        print(loss.item(), p.grad)
    try:
        torch.where(p > 0, p)
    except Exception as e:
        print(type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
