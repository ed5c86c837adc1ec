import torch

class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        print("forward", x.requires_grad, torch.is_grad_enabled())
        ctx.save_for_backward(x)
        y = x ** 2
        print(y.requires_grad)
        return y
    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        print(ctx.needs_input_grad, torch.is_grad_enabled())
        return grad_output * 2 * x

x = torch.tensor([1., 2.], requires_grad=True)
y = Square.apply(x)
print(y, y.grad_fn is not None)
y.sum().backward()
print(x.grad)

class MulConst(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, c):
        ctx.c = c
        return x * c
    @staticmethod
    def backward(ctx, g):
        return g * ctx.c, None
x.grad = None
z = MulConst.apply(x, 3.)
print(z)
z.backward(torch.tensor([1., 10.]))
print(x.grad)

class Two(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b, a + b
    @staticmethod
    def backward(ctx, g1, g2):
        a, b = ctx.saved_tensors
        print(g1, g2, ctx.needs_input_grad)
        return g1 * b + g2, g1 * a + g2
a = torch.tensor([1., 2.], requires_grad=True); b = torch.tensor([3., 4.])
p, q = Two.apply(a, b)
print(p, q)
p.sum().backward()
print(a.grad, b.grad)
print(Square.apply(b))
class Bad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return x * 2
    @staticmethod
    def backward(ctx, g): return g, g
try: Bad.apply(x).sum().backward()
except RuntimeError as e: print(e)
class Bad2(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return x * 2
    @staticmethod
    def backward(ctx, g): return g.sum().expand(3)
try: Bad2.apply(x).sum().backward()
except RuntimeError as e: print(e)
class NoB(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return x * 2
try: NoB.apply(x).sum().backward()
except NotImplementedError as e: print(e)
class Id(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return x
    @staticmethod
    def backward(ctx, g): return -g
x.grad=None
w=Id.apply(x); print(w, w is x); w.sum().backward(); print(x.grad)
class NoneB(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return x*2
    @staticmethod
    def backward(ctx, g): return None
x.grad=None
NoneB.apply(x).sum().backward(); print(x.grad)
# double backward
class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 3
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * 3 * x ** 2
g, = torch.autograd.grad(Cube.apply(x).sum(), x, create_graph=True)
print(g)
h, = torch.autograd.grad(g.sum(), x)
print(h)
# new style
class New(torch.autograd.Function):
    @staticmethod
    def forward(x): return x.exp()
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)
    @staticmethod
    def backward(ctx, g):
        r, = ctx.saved_tensors
        return g * r
x.grad=None
New.apply(x).sum().backward(); print(x.grad)
y = Square.apply(x)
try:
    y.sum().backward(); y.sum().backward()
except RuntimeError as e: print(e)
with torch.autograd.detect_anomaly(): pass
torch.autograd.set_detect_anomaly(False)
v = torch.tensor([1., 2.], requires_grad=True) * 1
u = Cube.apply(v)
v.add_(1)
try:
    u.sum().backward()
except RuntimeError as e:
    print(e)
