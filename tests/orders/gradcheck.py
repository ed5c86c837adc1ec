# torch.autograd.gradcheck and gradgradcheck: what agrees, what does not and how it is told.
import torch
from torch.autograd import gradcheck, gradgradcheck
from torch.autograd.gradcheck import GradcheckError

x = torch.tensor([1., 2.], requires_grad=True)
print(gradcheck(torch.sin, (x,)))
print(gradcheck(lambda a: (a**2).sum(), x))
print(gradgradcheck(torch.sin, (x,)))


class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return 3*x*g


try:
    print(gradcheck(F.apply, (x,)))
except GradcheckError as e:
    print(type(e).__name__, isinstance(e, RuntimeError), e)
print(gradcheck(F.apply, (x,), raise_exception=False))
print(gradgradcheck(F.apply, (x,), raise_exception=False))
try:
    gradcheck(torch.sin, (torch.ones(2),))
except ValueError as e:
    print(e)
print(gradcheck(lambda a, b: (a*b, a.sum() + b), (x, torch.tensor([3., 4.], requires_grad=True)), eps=1e-5))

# What they draw: numbers drawn later follow.
two = lambda a: (a**3, a.exp().sum())
for check, asked in [
    (gradcheck, {}), (gradcheck, {"check_batched_grad": True}),
    (gradcheck, {"check_forward_ad": True, "check_batched_forward_grad": True}),
]:
    torch.manual_seed(0)
    print(check(two, (x,), **asked), torch.rand(3, dtype=torch.float32).tolist())
