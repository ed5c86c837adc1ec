# name: numbers reach functions that take tensors
# a program as a PyTorch program.
import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)

k = torch.tensor(2.5, requires_grad=True)
t = torch.tensor([1., -2.], requires_grad=True)
y = torch.log2(torch.tensor(2.5**2 + 1)) * t + torch.relu(torch.tensor(0.3)) + torch.maximum(k, torch.tensor(-2.)) + torch.atan2(torch.tensor(0.1), t)
z = torch.where(torch.tensor(3 > 0.1), y, y) + F.mse_loss(k, torch.tensor(0.9)) + F.softsign((torch.tensor(-0.7))) + torch.pow(2, t)
z.sum().backward()
print(f"{t.grad}")

# name: a function of numbers and of vectors
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)

def f(s):
    return torch.sinh(torch.as_tensor(s, dtype=torch.get_default_dtype())) * (s - 0.5)**2
x = torch.tensor([1., 2.], requires_grad=True)
u = f(2)
y = f(x) + u
y.backward(torch.tensor([1., 10.]))
print(u)

# name: sums over a dimension
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)

m = torch.tensor([[1., 2., 3.], [4., 5., 6.]], requires_grad=True)
y = torch.mean(m, dim=1) * torch.sum(m, dim=1)
y.backward(torch.tensor([1., 10.]))
print(m.grad)

# name: slices of lists are parts of vectors
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)

t = torch.tensor([1., 2., 3.], requires_grad=True)
u = torch.tensor([4., 5.], requires_grad=True)
y = t[:-1]**2 * t[1:] + t.flip(0)[:2] + u[:1]
y.sum().backward()
print(t.grad, u.grad)

# name: lists that were built
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)


def stacked(items):
    """One tensor from nested lists of numbers and 0-d tensors."""
    if not isinstance(items, (list, tuple)):
        return 1 * torch.as_tensor(items, dtype=torch.get_default_dtype())
    return torch.stack([stacked(item) for item in items])


x = torch.tensor([1., 2.], requires_grad=True)
y = [torch.sin(a)**2 for a in x]
z = [y[0]*x[1], y[1] - 1]
w = stacked(3*y + z)
w.sum().backward(retain_graph=True)
print(x.grad)
w.sum().backward(retain_graph=True)
print(x.grad)

# name: an accumulation in brackets
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)

x = torch.tensor([0.5, 1.5], requires_grad=True)
s = torch.tensor(0., requires_grad=True)
for a in x:
    s = s + (a**2 - 1)
    s = s * (2)
s.backward()
print(x.grad)

# name: a leaf that no backward reaches has no gradient
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)

x = torch.tensor(2., requires_grad=True)
w = torch.tensor([1., 2.], requires_grad=True)
y = x**2
y.backward()
print(x.grad, w.grad)

# name: text of numbers
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)

x = torch.tensor(3., requires_grad=True)
y = x**2
y.backward()
print(f"y = {y:.2f}, slope {x.grad:.1f}, {x**2}")
print("y = %.3f" % y)

# name: a step inside no_grad
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)

w = torch.tensor([1., 2.], requires_grad=True)
for k in range(2):
    loss = sum((w - 3)**2)
    loss.backward()
    with torch.no_grad():
        w -= 0.1*w.grad
    w.grad = None
print(w)

# name: numbers drawn at random are those of float32
# a program as a PyTorch program.
import torch
import torch.nn as nn

torch.set_default_dtype(torch.float64)


def drawn(fill, x, *args, **options):
    """Fills x with the numbers that fill draws in float32."""
    with torch.no_grad():
        x.copy_(fill(x.float(), *args, **options))
    return x


torch.manual_seed(0)
x = torch.rand(3, dtype=torch.float32).double()
x.requires_grad_()
n = torch.randn(2, dtype=torch.float32).double().requires_grad_()
m = drawn(torch.Tensor.uniform_, torch.empty(2), -1, 1)
lin = nn.Linear(2, 2, dtype=torch.float32).double()
drawn(nn.init.xavier_uniform_, lin.weight)
q = drawn(nn.init.orthogonal_, torch.empty(2, 2)).data.copy_(torch.tensor([[-0.0429685217439606, 0.9990764265756343], [0.9990764265756343, 0.042968521743960486]]))
y = (x**2).sum() + (lin(n) * m).sum()
y.backward()
print(x.grad)

# name: an import of its own
# a program as a PyTorch program.
import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)

x = torch.tensor([1., 2.], requires_grad=True)
F.relu(x).sum().backward()
print(x.grad)

# name: a line that vjp lacks
# line 2: AttributeError: module 'torch' has no attribute 'fft'
# vjp does not have this, so it cannot export it

# name: a line that fails
# line 2: RuntimeError: The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0
# remove or fix the line: vjp run shows where

# name: rows that a loop writes to
# line 4: RuntimeError: Output 0 of Unbind is a view and is being modified inplace. This view is the output of a function that returns multiple views. Such functions do not allow the output views to be modified inplace. You should replace the inplace operation by an out-of-place one.
# remove or fix the line: vjp run shows where

# name: names of PyTorch's other modules
# a program as a PyTorch program.
import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)


def step(x):
    """1 where x > 0, else 0."""
    return torch.sign(torch.relu(x))


M = torch.tensor([[2., 1.], [1., 3.]], requires_grad=True)
x = torch.tensor([0.5, 2.], requires_grad=True)
y = torch.softmax(x, dim=0) + F.dropout(x, 0) + torch.linalg.svdvals(M) + torch.log(x) + torch.special.expit(x) + torch.remainder(x, 2)
z = torch.linalg.inv(M) @ y + torch.einsum("ij,j->i", M, y) + torch.flip(x, (0,)) + step(x) + torch.linalg.cholesky(M)[0]
z.backward(torch.tensor([1., 10.]))
print(M.grad)
print(x.grad)

# name: names that hide those of the prompt
# a program as a PyTorch program.
import math
import torch

torch.set_default_dtype(torch.float64)

x = torch.tensor([1., 2.], requires_grad=True)
def f(x):
    e = x*2
    inv = {k: e for k, e in enumerate(x)}
    return e**2 + inv[1]
try:
    raise ValueError("no")
except ValueError as e:
    print(e)
y = [e*math.pi for e in f(x)]
sum(y).backward()

# name: sums and the largest of matrices
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)

M = torch.tensor([[1., 2.], [0., 4.]], requires_grad=True)
N = torch.tensor([[1., 3.], [2., 5.]], requires_grad=True)
y = torch.sum(M*N) * torch.max(M) + sum(torch.max(M*N, dim=0).values)
y.backward()
print(M.grad)
print(N.grad)
M.grad = N.grad = None

# name: lists as arguments
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)

def f(s):
    return s**2 * torch.tensor([1., 2.])
x = torch.tensor([1., 2.], requires_grad=True)
m = torch.tensor([3., 1.], requires_grad=True)
y = f(torch.tensor([0.5, 1.5])) * x + torch.where(m > 2, x, 0) + m[[1, 0]]
y.backward(torch.tensor([1., 10.]))
print(x.grad)
print(m.grad)

# name: a list that grows
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)


def stacked(items):
    """One tensor from nested lists of numbers and 0-d tensors."""
    if not isinstance(items, (list, tuple)):
        return 1 * torch.as_tensor(items, dtype=torch.get_default_dtype())
    return torch.stack([stacked(item) for item in items])


x = torch.tensor(2., requires_grad=True)
u = []
for k in range(3):
    u.append(x**k)
y = torch.dot(torch.tensor([1., 10., 100.]), stacked(u)) + sum(torch.maximum(stacked(u), torch.tensor(3.)))
y.backward()
print(x.grad)

# name: a constant beside a leaf
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)


def stacked(items):
    """One tensor from nested lists of numbers and 0-d tensors."""
    if not isinstance(items, (list, tuple)):
        return 1 * torch.as_tensor(items, dtype=torch.get_default_dtype())
    return torch.stack([stacked(item) for item in items])


t = torch.tensor([1., 2.], requires_grad=True)
w = torch.tensor(3.)
y = t * stacked([w, 1])
y.backward(torch.tensor([1., 10.]))
print(w.grad, t.grad)

# name: a training loop with random numbers
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)
torch.manual_seed(0)

W = torch.randn(2, 3, dtype=torch.float32).double()
b = torch.zeros(3, requires_grad=True)
W.requires_grad_()
for i in range(2):
    X = torch.rand(4, 2, dtype=torch.float32).double()
    loss = torch.mean(torch.tanh(X @ W + b)**2)
    loss.backward()
    with torch.no_grad():
        for p in [W, b]:
            p -= 0.1*p.grad
    W.grad = b.grad = None
print(W)

# name: random numbers that PyTorch draws otherwise
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)

torch.manual_seed(1)
x = torch.tensor([1., 2.], requires_grad=True)
y = x * torch.normal(torch.zeros(2).float(), torch.ones(2).float()).double()
y.sum().backward()
print(x.grad)

# name: vectors one by one, a number where PyTorch takes a tensor
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)

x = torch.tensor([0.5, 1.5], requires_grad=True)
w = torch.tensor([0.2, 0.7], requires_grad=True)
y = torch.hstack([x, w]) * torch.cat([torch.atleast_1d(torch.tensor(0.3)), x, w[:1]])
y.sum().backward()
print(x.grad)
print(w.grad)

# name: gradients that PyTorch gives only in another form
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)


def vander(x, N=None, increasing=False):
    """Powers of x as columns; the gradient of torch.vander fails."""
    powers = torch.linalg.vander(x, N=N)
    return powers if increasing else powers.flip(-1)


L = torch.tensor([[2., 0.], [1., 3.]], requires_grad=True)
x = torch.tensor([1., 2.], requires_grad=True)
torch.sum(torch.cholesky_inverse(L)).backward()
print(L.grad)
torch.sum(vander(x, 3)).backward()
print(x.grad)

# name: more arguments than PyTorch takes
# line 2: the program would stop here with an error: randint() received an invalid combination of arguments - got (int, int, int), but expected one of:
# write the line in PyTorch's form, with torch.tensor(…)

# name: draws by a tensor that is computed
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)
torch.manual_seed(0)

x = torch.tensor([1., 2.], requires_grad=True)
y = x * torch.bernoulli((torch.ones(2) * 0.5).float()).double()
y.sum().backward()
print(x.grad)

# name: truths in a list
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)

i = torch.tensor([True, False])
a = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.where(i, a, 0.) + torch.where(torch.tensor([False, True]), a, 1.)
y.backward(torch.tensor([1., 2.]))
print(a.grad)

# name: the larger of a list and a number
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)

a = torch.tensor([1.05, 3.0798, -2.0103], requires_grad=True)
y = torch.maximum(a, torch.tensor(0.)) - torch.minimum(a, torch.tensor(2.))
y.backward(torch.tensor([1., 2., 3.]))
print(a.grad)

# name: a gradient that is shown is shown once
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)

x = torch.tensor([1., 2.], requires_grad=True)
y = 3*x**2
y.backward(torch.tensor([1., 10.]))
print(x.grad)

# name: what lists have and tensors lack
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)


def stacked(items):
    """One tensor from nested lists of numbers and 0-d tensors."""
    if not isinstance(items, (list, tuple)):
        return 1 * torch.as_tensor(items, dtype=torch.get_default_dtype())
    return torch.stack([stacked(item) for item in items])


x = torch.tensor([3., 2., 5.], requires_grad=True)
c = x.clone()
z = 2*x
y = x*c + x*torch.sort(z).values - stacked(sorted(x, reverse=True))
y.backward(torch.tensor([1., 10., 100.]))
print(x.tolist().index(2), x.tolist().count(5))

# name: lists one behind the other
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)


def stacked(items):
    """One tensor from nested lists of numbers and 0-d tensors."""
    if not isinstance(items, (list, tuple)):
        return 1 * torch.as_tensor(items, dtype=torch.get_default_dtype())
    return torch.stack([stacked(item) for item in items])


x = torch.tensor([1., 2.], requires_grad=True)
w = stacked(list(x) + [2*a for a in x])
y = torch.dot(w, torch.tensor([1., 10., 100., 1000.]))
y.backward()
print(x.grad)

# name: elements with names of their own outlive a step
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)

x = torch.tensor([3., 2.], requires_grad=True)
a, b = x.clone()
y = a*b
y.backward()
with torch.no_grad():
    x -= 0.1*x.grad
for c in x.clone():
    z = c**2
with torch.no_grad():
    x -= 1
print(a, b, c, x)

# name: a leaf in one graph, a constant in another
# line 1: PyTorch would compute different numbers for x.grad
# write the line in PyTorch's form, with torch.tensor(…, requires_grad=True)

# name: derivatives by several inputs
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)


def weighted(y, v, x):
    """vᵀJ in the shape of x; zeros if y does not depend on x."""
    if not y.requires_grad:
        return torch.zeros_like(x)
    g, = torch.autograd.grad(y, x, v, create_graph=True, allow_unused=True)
    return torch.zeros_like(x) if g is None else g


def jacobian(y, x):
    """dy/dx, with shape y.shape + x.shape; one sweep per row."""
    if callable(y):
        return torch.autograd.functional.jacobian(y, x)
    if isinstance(x, (list, tuple)):
        return tuple(jacobian(y, each) for each in x)
    units = torch.eye(y.numel(), dtype=y.dtype)
    rows = [weighted(y, unit.reshape(y.shape), x) for unit in units]
    return torch.stack(rows).reshape(y.shape + x.shape)


def hessian(y, x):
    """The Hessian of a scalar y."""
    if callable(y):
        return torch.autograd.functional.hessian(y, x)
    if isinstance(x, (list, tuple)):
        return tuple(jacobian(weighted(y, torch.ones_like(y), each), x) for each in x)
    return jacobian(weighted(y, torch.ones_like(y), x), x)


def vjp(y, x, v):
    """vᵀJ: the weighted sum of the rows of J."""
    if callable(y):
        return torch.autograd.functional.vjp(y, x, v)
    if isinstance(x, (list, tuple)):
        return tuple(vjp(y, each, v) for each in x)
    v = torch.as_tensor(v, dtype=y.dtype)
    return weighted(y, v.sum() if y.dim() == 0 else v, x)


def jvp(y, x, u):
    """J·u: the rate of change of y as x moves along u."""
    if callable(y):
        return torch.autograd.functional.jvp(y, x, u)
    if isinstance(x, (list, tuple)):
        return sum(jvp(y, *each) for each in zip(x, u))
    u = torch.as_tensor(u, dtype=x.dtype)
    return (jacobian(y, x).reshape(y.numel(), x.numel()) @ u.reshape(-1)).reshape(y.shape)


x = torch.tensor([1., 2.], requires_grad=True)
w = torch.tensor([3., 4.], requires_grad=True)
a = torch.tensor(2., requires_grad=True)
b = torch.tensor(3., requires_grad=True)
print(jacobian(x*w, [x, w]))
print(hessian(a**b, [a, b]))
print(vjp(x*w, (x, w), torch.tensor([1., 1.])))
print(jvp(x*w, (x, w), (torch.tensor([1., 0.]), torch.tensor([0., 1.]))))

# name: derivatives of functions
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)


def weighted(y, v, x):
    """vᵀJ in the shape of x; zeros if y does not depend on x."""
    if not y.requires_grad:
        return torch.zeros_like(x)
    g, = torch.autograd.grad(y, x, v, create_graph=True, allow_unused=True)
    return torch.zeros_like(x) if g is None else g


def jacobian(y, x):
    """dy/dx, with shape y.shape + x.shape; one sweep per row."""
    if callable(y):
        return torch.autograd.functional.jacobian(y, x)
    if isinstance(x, (list, tuple)):
        return tuple(jacobian(y, each) for each in x)
    units = torch.eye(y.numel(), dtype=y.dtype)
    rows = [weighted(y, unit.reshape(y.shape), x) for unit in units]
    return torch.stack(rows).reshape(y.shape + x.shape)


def grad(y, x, v=None):
    """The gradient of y, or vᵀJ if v is given."""
    if callable(y):
        return torch.autograd.functional.vjp(y, x, v)[1]
    gradients = torch.autograd.grad(y, x, v, create_graph=True)
    return gradients if isinstance(x, (list, tuple)) else gradients[0]


def vjp(y, x, v):
    """vᵀJ: the weighted sum of the rows of J."""
    if callable(y):
        return torch.autograd.functional.vjp(y, x, v)
    if isinstance(x, (list, tuple)):
        return tuple(vjp(y, each, v) for each in x)
    v = torch.as_tensor(v, dtype=y.dtype)
    return weighted(y, v.sum() if y.dim() == 0 else v, x)


def f(t):
    return t**3
d = torch.func.grad(f)
print(grad(f, torch.tensor(2.)), torch.func.grad(f)(torch.tensor(2.)), d(torch.tensor(3.)), torch.func.hessian(f)(torch.tensor(2.)))
print(grad(f, torch.tensor([1., 2.]), torch.tensor([1., 10.])), jacobian(f, torch.tensor([1., 2.])))
print(grad(lambda u: u.sum()*u[0], torch.tensor([1., 2.])))
print(vjp(f, torch.tensor(2.), torch.tensor(1.)))

# name: derivatives below an import
# a program as a PyTorch program.
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def weighted(y, v, x):
    """vᵀJ in the shape of x; zeros if y does not depend on x."""
    if not y.requires_grad:
        return torch.zeros_like(x)
    g, = torch.autograd.grad(y, x, v, create_graph=True, allow_unused=True)
    return torch.zeros_like(x) if g is None else g


def jacobian(y, x):
    """dy/dx, with shape y.shape + x.shape; one sweep per row."""
    if callable(y):
        return torch.autograd.functional.jacobian(y, x)
    if isinstance(x, (list, tuple)):
        return tuple(jacobian(y, each) for each in x)
    units = torch.eye(y.numel(), dtype=y.dtype)
    rows = [weighted(y, unit.reshape(y.shape), x) for unit in units]
    return torch.stack(rows).reshape(y.shape + x.shape)


def hessian(y, x):
    """The Hessian of a scalar y."""
    if callable(y):
        return torch.autograd.functional.hessian(y, x)
    if isinstance(x, (list, tuple)):
        return tuple(jacobian(weighted(y, torch.ones_like(y), each), x) for each in x)
    return jacobian(weighted(y, torch.ones_like(y), x), x)


def grad(y, x, v=None):
    """The gradient of y, or vᵀJ if v is given."""
    if callable(y):
        return torch.autograd.functional.vjp(y, x, v)[1]
    gradients = torch.autograd.grad(y, x, v, create_graph=True)
    return gradients if isinstance(x, (list, tuple)) else gradients[0]


def vjp(y, x, v):
    """vᵀJ: the weighted sum of the rows of J."""
    if callable(y):
        return torch.autograd.functional.vjp(y, x, v)
    if isinstance(x, (list, tuple)):
        return tuple(vjp(y, each, v) for each in x)
    v = torch.as_tensor(v, dtype=y.dtype)
    return weighted(y, v.sum() if y.dim() == 0 else v, x)


x = torch.tensor([1., 2.], requires_grad=True)
print(jacobian(3*x**2, x), vjp(x**2, x, torch.tensor([1., 10.])))
print(grad(sum(x**3), x), hessian(sum(x**3), x))

# name: an element of a list written before it is used
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)

x = torch.tensor([1., 2.])
x = x.detach().clone()
x[0] = 5
x.requires_grad_()
y = (x*2).sum()
y.backward()
print(x.grad)
x = x.detach().clone()
x[1] = 7
x.requires_grad_()
x = x.detach().clone()
x[0] = 3
x.requires_grad_()
z = (x*x).sum()
z.backward()
print(x.grad, x)

# name: a backward of several outputs, after one that frees the graph
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)

x = torch.tensor([1., 2.], requires_grad=True)
h = x*x
h.sum().backward(retain_graph=True)
print(torch.autograd.grad([h, h.sum()], [x], [torch.tensor([1., 2.]), None], retain_graph=True))
torch.autograd.backward([h, h.sum()], [torch.tensor([1., 2.]), None], retain_graph=True)
print(x.grad)

# name: a leaf whose name was given to a step
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)

w = torch.tensor([1., 2.], requires_grad=True)
b = torch.tensor(3., requires_grad=True)
L = (w*b).sum()
L.backward()
w = w - (0.1*w.grad)
L = (w*b).sum()
L.backward()
print(b.grad)

# name: a leaf of which a name remains, and one of which none does
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)

a = torch.tensor(2., requires_grad=True)
b = torch.tensor(3., requires_grad=True)
h = a*b
a = a + 1
y = a*b + h
y.backward()
print(b.grad)

# name: a leaf by another name, whose first name was given to a step
# a program as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)

w = torch.tensor([1., 2.], requires_grad=True)
v = w
h = w*2
w = w + 1
L = (h*v).sum()
L.backward()
print(v.grad)
