import torch
from torch.autograd.functional import jacobian, hessian, vjp, jvp, hvp, vhp
def f(x): return x ** 2 * x.sum()
x = torch.tensor([1.0, 2.0])
print(jacobian(f, x))
def g(x, y): return x * y, (x + y).sum()
y = torch.tensor([3.0, 4.0])
print(jacobian(g, (x, y)))
def s(x, y): return (x ** 2 * y).sum()
print(hessian(s, (x, y)))
print(hessian(lambda x: (x ** 3).sum(), x))
print(vjp(f, x, torch.tensor([1.0, 10.0])))
print(vjp(g, (x, y), (torch.ones(2), torch.tensor(2.0))))
print(jvp(f, x, torch.tensor([1.0, 10.0])))
print(jvp(g, (x, y), (torch.ones(2), torch.ones(2))))
print(hvp(lambda x: (x ** 3).sum(), x, torch.tensor([1.0, 10.0])))
print(vhp(lambda x: (x ** 3).sum(), x, torch.tensor([1.0, 10.0])))
print(hvp(s, (x, y), (torch.ones(2), torch.ones(2))))
print(vhp(s, (x, y), (torch.ones(2), torch.ones(2))))
xr = torch.tensor([1.0, 2.0], requires_grad=True)
J = jacobian(f, xr, create_graph=True)
print(J)
print(J.requires_grad)
J.sum().backward()
print(xr.grad)
J2 = jacobian(f, xr)
print(J2.requires_grad)
H = hessian(lambda x: (x ** 4).sum(), xr, create_graph=True)
xr.grad = None
H.sum().backward()
print(xr.grad)
out, p = vjp(f, xr, torch.ones(2), create_graph=True)
print(out.requires_grad, p.requires_grad)
print(torch.autograd.grad(p.sum(), xr))
print(jacobian(lambda x: jacobian(f, x, create_graph=True), x).shape)
print(jacobian(lambda x: jacobian(f, x, create_graph=True), x))
m = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
print(jacobian(torch.exp, m).shape)
print(hessian(lambda m: torch.trace(m @ m), m).shape)
print(jacobian(lambda x: torch.tensor([1.0, 2.0]), x))
try:
    jacobian(lambda x: torch.tensor([1.0, 2.0]), x, strict=True)
except RuntimeError as e:
    print(e)
try:
    hessian(lambda x: x, x)
except RuntimeError as e:
    print(e)
try:
    vjp(f, x)
except RuntimeError as e:
    print(e)
try:
    vjp(f, x, torch.ones(3))
except RuntimeError as e:
    print(e)
try:
    jacobian(lambda x: "no", x)
except TypeError as e:
    print(e)
print(jacobian(f, x, vectorize=True))
print(jacobian(f, x, vectorize=True, strategy="forward-mode"))
print(hessian(s, (x, y), vectorize=True))
print(hessian(lambda a, b: (a * b).sum(), (x, y)))
