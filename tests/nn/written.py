import torch
from torch.autograd import Function
class Exp(Function):
    @staticmethod
    def forward(ctx, i):
        result = i.exp(); ctx.save_for_backward(result); return result
    @staticmethod
    def backward(ctx, grad_output):
        result, = ctx.saved_tensors; print(ctx.needs_input_grad, grad_output); return grad_output * result
x = torch.tensor([1., 2.], requires_grad=True)
y = Exp.apply(x); print(y, y.grad_fn.name()); y.sum().backward(); print(x.grad)
g, = torch.autograd.grad(Exp.apply(x).sum(), x, create_graph=True); print(g); print(torch.autograd.grad(g.sum(), x))
class Scale(Function):
    @staticmethod
    def forward(ctx, x, s, flag=None):
        ctx.s = s; ctx.set_materialize_grads(False); return x * s
    @staticmethod
    def backward(ctx, g): return g * ctx.s, None, None
print(Scale.apply(x, 3.0, 'a')); Scale.apply(x, 3).sum().backward(); print(x.grad)
class Two(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b); return a * b, a + b
    @staticmethod
    def backward(ctx, g1, g2):
        a, b = ctx.saved_tensors; print(g1, g2); return g1 * b + g2, g1 * a + g2
a = torch.tensor(2., requires_grad=True); b = torch.tensor(3., requires_grad=True)
p, q = Two.apply(a, b); print(p, q); (p * 2).backward(); print(a.grad, b.grad)
class Sort(Function):
    @staticmethod
    def forward(ctx, x):
        v, i = x.sort(); ctx.mark_non_differentiable(i); ctx.save_for_backward(i); return v, i
    @staticmethod
    def backward(ctx, g, _): i, = ctx.saved_tensors; return torch.zeros_like(g).index_add_(0, i, g)
v, i = Sort.apply(torch.tensor([3., 1., 2.], requires_grad=True)); print(v, i, i.requires_grad)
class New(Function):
    @staticmethod
    def forward(x, n): return x ** n
    @staticmethod
    def setup_context(ctx, inputs, output): x, n = inputs; ctx.save_for_backward(x); ctx.n = n
    @staticmethod
    def backward(ctx, g): x, = ctx.saved_tensors; return g * ctx.n * x ** (ctx.n - 1), None
z = New.apply(x, 3); print(z); z.sum().backward(); print(x.grad)
class Inplace(Function):
    @staticmethod
    def forward(ctx, x): x.add_(1); ctx.mark_dirty(x); return x
    @staticmethod
    def backward(ctx, g): return g
w = torch.tensor([1.], requires_grad=True); t = w * 2; r = Inplace.apply(t); print(r, t, r is t); r.backward(); print(w.grad)
with torch.no_grad(): print(Exp.apply(x))
print(torch.autograd.gradcheck(New.apply, (x.double().detach().requires_grad_(), 2)))
