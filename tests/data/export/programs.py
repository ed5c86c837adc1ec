# name: detached in place
import torch
x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x.clone()
y.detach_()
(y * x).sum().backward()
print(x.grad)

# name: written to behind the graph
import torch
x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x * 1
z = y + 1
with torch.no_grad():
    z.mul_(2)
(z * 3).sum().backward()
print(z, x.grad)

# name: written to where the graph keeps numbers
import torch
x = torch.tensor([0.4, 1.0], requires_grad=True)
z = torch.softmax(x, 0)
z.data.mul_(2)
z.sin().sum().backward()
print(x.grad)

# name: a dtype that the program sets
import torch
torch.set_default_dtype(torch.float64)
x = torch.tensor(0.1, requires_grad=True)
(x * 0.1).backward()
print(x.grad, x.double().dtype)

# name: the module math
import math
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x / math.sqrt(4) + math.exp(1.0)
y.sum().backward()

# name: values and places
import torch
x = torch.tensor([[3.0, 1.0, 2.0], [0.5, 0.0, -1.0]], requires_grad=True)
s, i = torch.sort(x)
m = x.max(1)
k = torch.topk(x, 2).values
(s[:, 0].sum() + m.values.sum() * 2 + k.prod()).backward()
print(i, m.indices)

# name: shapes under NumPy's names
import torch
a = torch.ones(2, 3, requires_grad=True)
b = torch.tensordot(a, a.T, dims=1)
c = a.flatten(0, 1).unsqueeze(0).expand(3, -1)
d = torch.cat([c.chunk(2, 1)[0], c.split(3, dim=1)[1]], dim=0).sum(dim=[0, 1])
e = a.float().double()
(b.sum() + d + e.mean(dim=0).norm()).backward()

# name: at the ends of an interval
import torch
x = torch.tensor([-1.0, 0.0, 1.0], requires_grad=True)
y = x.clamp(-1, 1) + x.abs() + torch.nn.functional.relu6(x)
(y + x ** torch.tensor([2.0, 2.0, 0.0])).sum().backward()

# name: drawn numbers
import torch
torch.manual_seed(0)
x = torch.rand(3)
x.requires_grad_()
y = x**2
y.backward(torch.tensor([1.0, 10.0, 100.0]))

# name: a Function
import torch
class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t):
        ctx.save_for_backward(t)
        return t**3
    @staticmethod
    def backward(ctx, g):
        t, = ctx.saved_tensors
        return g * t
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = Cube.apply(x)
y.sum().backward()

# name: a Function differentiated twice
import torch
class Shared(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t):
        out = t.exp()
        half = t / 2
        ctx.save_for_backward(t, out, half)
        return out
    @staticmethod
    def backward(ctx, g):
        t, out, half = ctx.saved_tensors
        return g * t * out * half
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = Shared.apply(x)
g = torch.autograd.grad((y * y).sum(), x, create_graph=True)[0]
g.sum().backward()
print(torch.autograd.functional.hessian(lambda t: Shared.apply(t).sum(), x))

# name: a Function pushed forward
import torch
class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t): return t * 2
    @staticmethod
    def backward(ctx, g): return g * 2
x = torch.tensor([1.0, 2.0], requires_grad=True)
print(torch.autograd.functional.jvp(lambda t: Twice.apply(t), x, torch.ones(2))[1])

# name: losses
import torch
import torch.nn as nn
import torch.nn.functional as F
x = torch.tensor([[1.0, -0.5, 2.0], [0.3, 0.0, -1.0]], requires_grad=True)
t = torch.tensor([2, 0])
a = F.cross_entropy(x, t, label_smoothing=0.1)
b = F.smooth_l1_loss(x, torch.zeros(2, 3), reduction="sum")
c = nn.MSELoss()(nn.Sequential(nn.Tanh(), nn.Softmax(dim=-1))(x), torch.ones(2, 3))
(a + b + c).backward()

# name: hooks
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
h = x * 3
h.register_hook(lambda g: g * 2)
x.register_hook(lambda g: -g)
(h**2).sum().backward()

# name: a second derivative
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
g = torch.autograd.grad((x**3).sum(), x, create_graph=True)[0]
g2 = torch.autograd.grad(g.sum(), x)[0]
print(g2)

# name: dropped elements
import torch
torch.manual_seed(0)
x = torch.ones(4, requires_grad=True)
y = torch.nn.functional.dropout(x, 0.5)
y.sum().backward()

# name: the gradient of a value in the middle
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
h = x * 2
h.retain_grad()
h.sum().backward()
print(h.grad)

# name: a value that is constant from here on
import torch
x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x.clone()
y = y.detach()
(y * x).sum().backward()

# name: an axis alone
import torch
x = torch.tensor([2.0, 3.0], requires_grad=True)
y = torch.einsum("i->", x.permute(0))
(y * y).backward(torch.tensor(2.0, dtype=torch.float32))

# name: a hook alone at the prompt
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
h = x * 3
h.register_hook(lambda g: g * 2)
h.retain_grad()
x.register_hook(lambda g: -g)
(h**2).sum().backward()
h.grad

# name: a leaf that is modified between its use and backward
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
z = (x**2).sum()
x.data[0] = 100.0
z.backward()

# name: a leaf that is replaced behind the graph before its use
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
x.data = torch.tensor([5.0, 7.0])
with torch.no_grad():
    x += 1
(x**2).sum().backward()
print(y, x.grad)

# name: what was computed before a leaf was written to, asked for
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
with torch.no_grad():
    x[0] = 4.0
print(torch.autograd.grad(y.sum(), x))

# name: numbers that have dimensions, and numbers that have none
import torch
x = torch.tensor([1.5], requires_grad=True)
y = torch.tensor(2.5, requires_grad=True)
a = float(x.detach()) + int(x)
b = torch.nn.functional.normalize(y, dim=0) + y.mT + torch.var_mean(y, dim=0)[1]
(b * x + torch.nextafter(y, x)).sum().backward()
print(a)

# name: windows with their places
import torch
x = torch.arange(16.0).reshape(1, 1, 4, 4).requires_grad_()
y, i = torch.nn.functional.max_pool2d(x, 2, return_indices=True)
y.sum().backward()

# name: windows with gaps
import torch
x = torch.arange(16.0).reshape(1, 1, 4, 4).requires_grad_()
torch.nn.functional.max_pool2d(x, 2, dilation=2).sum().backward()

# name: a size by area
import torch
x = torch.arange(4.0).reshape(1, 1, 4).requires_grad_()
torch.nn.functional.interpolate(x, size=2, mode="area").sum().backward()

# name: a size by a factor that is not whole
import torch
x = torch.arange(3.0).reshape(1, 1, 3).requires_grad_()
torch.nn.functional.interpolate(x, scale_factor=1.5, mode="linear").sum().backward()

# name: a histogram's edges, the sign of an integer
import torch
x = torch.tensor([[0.5, 1.0, -1.0], [3.0, -3.0, 2.5]], requires_grad=True)
print(torch.histc(x.detach(), 3))
k = torch.tensor([0, 3, 200], dtype=torch.uint8)
s = k.copysign(k)
print(s, s % k)
(x * s).sum().backward()

# name: a function writes to its parameter in place, in a loop that writes too
import torch
import torch.nn.functional as F
w = torch.tensor([1.0, 2.0], requires_grad=True)
def bump(p):
    with torch.no_grad():
        p += 1
for k in range(3):
    y = (w * w).sum()
    y.backward()
    bump(w)
    with torch.no_grad():
        w -= 0.1 * w.grad

# name: a loop writes to leaves under its own name, and a line under theirs
import torch
import torch.nn.functional as F
w = torch.tensor([1.0, 2.0], requires_grad=True)
v = torch.tensor([2.0], requires_grad=True)
for k in range(3):
    y = (w * w * v).sum()
    y.backward()
    for p in [w, v]:
        p.data -= 0.1
    w.data.mul_(0.9)
    v.data.mul_(0.9)

# name: a function of a number that changes before the backward
import torch
import torch.nn.functional as F
w = torch.tensor([1.0, 2.0], requires_grad=True)
k = 2.0
def f(x):
    return (x * k).sum()
y = f(w)
k = 5.0
y.backward()
print(w.grad)

# name: a function counts its calls
import torch
import torch.nn.functional as F
w = torch.tensor([1.0, 2.0], requires_grad=True)
n = 0
def f(x):
    global n
    n += 1
    return (x * x).sum() * n
y = f(w)
y.backward()
print(w.grad, n)

# name: a parameter's gradient is written to in a function
import torch
import torch.nn.functional as F
w = torch.tensor([1.0, 2.0], requires_grad=True)
(w * w).sum().backward()
def clear(p):
    p.grad.zero_()
y = (w ** 3).sum()
clear(w)
y.backward()

# name: of equal maxima the first has the gradient
import torch
import torch.nn.functional as F
w = torch.tensor([1.0, 2.0], requires_grad=True)
x = torch.tensor([[[1.0, 2.0, 2.0], [2.0, 0.5, 2.0], [0.0, 0.0, 1.0]]], requires_grad=True)
(F.adaptive_max_pool2d(x, 1) * 3).sum().backward()
z = torch.tensor([1.0, 1.0, 0.5], requires_grad=True)
F.adaptive_max_pool1d(z.reshape(1, 1, -1), 2).sum().backward()
print(x.grad, z.grad)

# name: a fraction written to whole numbers, and a number sorted
import torch
import torch.nn.functional as F
w = torch.tensor([1.0, 2.0], requires_grad=True)
n = torch.tensor([4, 0])
n.masked_fill_(n > 1, 1.5)
m = torch.msort(w.sum())
m.backward()
print(n, m, w.grad)

# name: matrices of which one triangle is read
import torch
A = torch.tensor([[2.0, 7.0], [1.0, 3.0]], requires_grad=True)
(torch.linalg.eigvalsh(A) * torch.tensor([1.0, 2.0])).sum().backward()
B = torch.tensor([[4.0, 9.0], [2.0, 3.0]], requires_grad=True)
L = torch.linalg.cholesky(B)
L.sum().backward()
print(A.grad, L, B.grad)

# name: whole numbers and truths where floats come of them
import torch
n = torch.tensor([3, 0, -1])
b = torch.tensor([True, False])
x = torch.tensor(0.7, requires_grad=True)
y = torch.special.psi(n), torch.sigmoid(n), torch.sigmoid(b), torch.true_divide(b, 0), torch.special.i0(b)
filled = b.masked_fill(b, 1.0)
x.xlogy(-1).backward()
print(y, filled, x.grad, torch.tensor([-1.2, 2.3]).byte())

# name: numbers without dimensions, along one
import torch
import torch.nn.functional as F
x = torch.tensor(0.7, requires_grad=True)
print(torch.argsort(x), torch.count_nonzero(x, 0), F.log_softmax(x, dim=0), x.nanmedian(0).values)
x.cumsum(0).backward()

# name: pieces before places that do not divide it
import torch
x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
a, b, c = torch.hsplit(x, (1, 9))
d = torch.tensor_split(x, (-1,))[1]
e = torch.take_along_dim(x, torch.tensor([4, 0]))
(b.sum() + (d * d).sum() + (e * e).sum()).backward()
print(a, b, c.shape, d, e, x.grad)

# name: a number where JAX takes a vector
import torch
x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
print(torch.searchsorted(x, x))

# name: all elements dropped
import torch
import torch.nn.functional as F
x = torch.tensor([1.0, 2.0], requires_grad=True)
F.dropout(x, 1.0).sum().backward()

# name: a hook's handle is printed
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
h = x.register_hook(lambda g: 2 * g)
(x * x).sum().backward()
print(h)

# name: a second derivative through a hook
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.sigmoid(x)
y.register_hook(lambda g: g * 2)
u = torch.autograd.grad(y.sum(), x, create_graph=True)[0]
u.sum().backward()
print(x.grad)

# name: the slope of a remainder by its divisor
import torch
x = torch.tensor([[0.2, -3.0, 0.34]], requires_grad=True)
z = torch.tensor([[-2.2, 3.0, -2.0], [2.8, 1.0, -1.83]], requires_grad=True)
y = 2 * z % x + torch.remainder(z, x)
y.sum().backward()
print(x.grad, z.grad)

# name: truths of bytes, and what memory they take
import torch
z = torch.tensor([[0, 2], [0, 4]], dtype=torch.uint8)
k = torch.tensor([5, 1, -3])
u = z.any()
w = z.all(0)
print(u, w, k.nbytes, k.element_size())

# name: integers beside floats in a special function
import torch
a = torch.tensor([[0.0, -1.0, 2.5]], requires_grad=True)
k = torch.tensor([[5, 1, 3]], dtype=torch.int32)
y = a.xlogy(k)
y.sum().backward()
print(a.grad)

# name: what a function made is written to
import torch
y = torch.ones(3).add_(1.).mul_(2.)
print(torch.zeros(2).sub_(1.), y)

# name: what is computed again in the backward
import torch
from torch.utils.checkpoint import checkpoint
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = checkpoint(lambda t: t.sin().sum(), x, use_reentrant=False)
y.backward()
print(x.grad)

# name: a backward inside a function, of its argument
import torch
def f(x):
    y = (x * x).sum()
    y.backward()
    return y
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = f(x)
print(x.grad)

# name: floats of two widths in one function
import torch
x = torch.tensor(0.34, dtype=torch.float64, requires_grad=True)
y = torch.hypot(x, torch.tensor(2.3, dtype=torch.float32))
y.backward()
print(x.grad)

# name: parts and the median of nothing
import torch
a = torch.zeros(0)
y = torch.chunk(a, 2)
m = a.median()
print(len(y), m)

# name: bounds that are tensors, at ties
import torch
x = torch.tensor([0.0, 0.0, 3.0, 1.0, 2.0, 5.0], requires_grad=True)
a = torch.tensor([1.0, 0.0, 1.0, 1.0, 2.0, 5.0], requires_grad=True)
b = torch.tensor([1.0, 1.0, 1.0, 1.0, 1.0, 5.0], requires_grad=True)
y = torch.clamp(x, a, b)
y.sum().backward()
print(x.grad, a.grad, b.grad)

# name: vectors that are the same with the other sign
import torch
A = torch.tensor([[1.0, 2.0, -1.0], [2.0, 0.3, 0.5], [-1.0, 0.5, 2.0]], requires_grad=True)
w, V = torch.linalg.eigh(A)
B = torch.tensor([[1.0, 2.0, -1.0], [2.0, 0.3, 0.5]], requires_grad=True)
U, S, Vh = torch.linalg.svd(B, full_matrices=False)
((V * torch.arange(9.0).reshape(3, 3)).sum() + U[0, 1] * w[0] + Vh[1, 2] * S[0]).backward()
print(A.grad, B.grad)

# name: vectors of equal values
import torch
w, V = torch.linalg.eigh(torch.eye(3))
print(V)

# name: vectors beyond those of the values
import torch
U, S, Vh = torch.linalg.svd(torch.tensor([[1.0, 2.0, -1.0], [2.0, 0.3, 0.5]]))
print(Vh)

# name: values alone
import torch
A = torch.tensor([[2.0, 1.0], [1.0, 2.0]], requires_grad=True)
y = torch.linalg.eigh(A).eigenvalues[0] + torch.linalg.svd(A)[1][1]
y.backward()
print(A.grad)

# name: a target's slope where a probability is 0 or 1
import torch
import torch.nn.functional as F
p = torch.tensor([0.0, 1.0, 0.3, 0.0, 1.0], requires_grad=True)
t = torch.tensor([0.0, 1.0, 0.2, 1.0, 0.5], requires_grad=True)
F.binary_cross_entropy(p, t).backward()
print(p.grad, t.grad)

# name: zeros sent back to an infinite slope by what was written over
import torch
x = torch.tensor([0.0, 2.0], requires_grad=True)
y = x / x
y.copy_(x * 2)
y.sum().backward()
print(x.grad)

# name: zeros sent back to an infinite slope by what is flat
import torch
x = torch.tensor([0.0, 2.0], requires_grad=True)
y = x.sqrt().floor()
(y + x).sum().backward()
print(x.grad)

# name: truths written to numbers, a vector of one to a place
import torch
a = torch.tensor([1.0, 2.0, 2.0])
a.eq_(2.0)
a[0] = torch.tensor([5.0])
print(a)

# name: the sign of a truth
import torch
print(torch.sign(torch.tensor(False)))

# name: the diagonal of several matrices is written to
import torch
a = torch.ones(3, 2, 3)
a.diagonal().fill_(0)
print(a)

# name: a diagonal is written to
import torch
a = torch.ones(3, 2)
a.diagonal().fill_(0)
print(a)

# name: powers of integers that are tensors
import torch
x = torch.tensor([2.0, 0.0, 3.0], requires_grad=True)
y = torch.pow(x, torch.tensor([2, 1, 3]))
y.sum().backward()
print(x.grad)

# name: a number written to by places
import torch
a = torch.tensor(1.0)
a.scatter_(0, torch.zeros(1, dtype=torch.long), 1.8)
print(a)

# name: where float32 misses a zero
import torch
x = torch.tensor([1.0, 0.9], dtype=torch.float32)
print(x.lgamma())

# name: whole numbers of what is none
import torch
x = torch.tensor([2.7, -1.3, float('nan'), float('inf')])
print(x.to(torch.int32), x.to(torch.int8), x.long())
print(torch.tensor([1.5, -2.5]).int())

# name: sums in an inner loop
w = torch.tensor(2., requires_grad=True)
for i in range(3):
    w.grad = None
    s = 0.
    for j in range(2):
        t = w*j
        s = s + t
    l = (s**2).sum()
    l.backward()
    print(w.grad)

# name: names that the program in JAX has for itself
import torch
x = torch.tensor([1., 2.], requires_grad=True)
(x**2).sum().backward()
x_grad = x.grad.clone()
x.grad = None
len = 3
def pullback(jnp, max_pool=1): return jnp * jnp * max_pool
(pullback(x, max_pool=2) * len * x).sum().backward()
jax = [x_grad * conv for conv in [1, 2]]
seen = jax[0] + jax[1]
del x_grad, jax, len

# name: gradients of several leaves taken back at once
import torch
a = torch.tensor(2., requires_grad=True)
b = torch.tensor([3., -1.], requires_grad=True)
(a*b).sum().backward()
a.grad = b.grad = None
(a*b)[0].backward()

# name: a loop in a loop, whose names the inner one binds
import torch
w = torch.tensor([1., 2.], requires_grad=True)
x = w * 2
for e in range(2):
    for k, x in enumerate([torch.tensor([1., 3.]), torch.tensor([2., 1.])]):
        for j in range(2):
            loss = (w * x * j + k).sum()
            loss.backward()
print(w.grad)

# name: the same tensor under no_grad
import torch
x = torch.tensor([1., 2.], requires_grad=True)
z = x * 3
with torch.no_grad():
    a = z.contiguous()
    b = z * 2
    c = z
    d = z[:1]
(a * z + b * c + d).sum().backward()
print(x.grad)

# name: what runs again: break
import torch
x = torch.tensor([1., 2.], requires_grad=True)
y = torch.ones(2)
for i in range(4):
    if i == 2:
        break
    y = y * x
y.sum().backward()
print(y, x.grad)

# name: what runs again: continue
import torch
x = torch.tensor([1., 2.], requires_grad=True)
acc = torch.zeros(2)
for i in range(3):
    acc = acc + x*i
    if i == 1:
        continue
    acc = acc*x
acc.sum().backward()

# name: what runs again: continue in while
import torch
x = torch.tensor([1., 2.], requires_grad=True)
k = 0
y = torch.ones(2)
while k < 5:
    k += 1
    if k == 3:
        continue
    y = y*x
y.sum().backward()

# name: what runs again: break by value
import torch
x = torch.tensor([1., 2.], requires_grad=True)
y = torch.zeros(())
for v in x:
    if v.item() == 2.:
        break
    y = y + v*v
y.backward()

# name: what runs again: breaks in nested loops
import torch
x = torch.tensor([1., 2.], requires_grad=True)
y = torch.ones(2)
for i in range(3):
    for j in range(3):
        if j > i: break
        y = y*x
    else:
        y = y + x
y.sum().backward()

# name: what runs again: break, and indices
import torch
x = torch.tensor([1., 2.], requires_grad=True)
loss = 0.
for i in range(10):
    if i >= 2:
        break
    loss = loss + (x[i]*(i+1))**2
loss.backward()

# name: what runs again: max of two tensors
import torch
x = torch.tensor([1., 2.], requires_grad=True)
a = torch.max(x, torch.tensor([1.5, 1.5])); a.sum().backward()

# name: what runs again: max beside a number
import torch
x = torch.tensor([1., 2.], requires_grad=True)
a = torch.max(x, torch.tensor(0.5))*2; a.sum().backward()

# name: what runs again: methods of two tensors
import torch
x = torch.tensor([1., 2.], requires_grad=True)
b = torch.tensor([3., 1.]); a = x.max(b) + x.min(b)*3; a.sum().backward()

# name: what runs again: gradients in a comprehension
import torch
x = torch.tensor([1., 2.], requires_grad=True)
y = torch.cat([x, x[:1]])**2; rows = [torch.autograd.grad(y[i], x, retain_graph=True)[0] for i in range(3)]
print(rows)

# name: what runs again: a Hessian in a comprehension
import torch
x = torch.tensor([1., 2.], requires_grad=True)
y = (x**3).sum(); g = torch.autograd.grad(y, x, create_graph=True)[0]
Hs = torch.stack([torch.autograd.grad(g[i], x, retain_graph=True)[0] for i in range(2)])
print(Hs)

# name: what runs again: functions in a comprehension
import torch
x = torch.tensor([1., 2.], requires_grad=True)
out = [torch.autograd.grad(f(x).sum(), x)[0] for f in (torch.sin, torch.exp)]
print(out)

# name: what runs again: a row unpacked
import torch
x = torch.tensor([1., 2.], requires_grad=True)
y = x**2
J = torch.zeros(2, 2)
for i in range(2):
    v = torch.zeros(2)
    v[i] = 1.
    J[i], = torch.autograd.grad(y, x, v, retain_graph=True)
print(J)

# name: what runs again: a closure that counts
import torch
x = torch.tensor([1., 2.], requires_grad=True)
def make(k):
    c = 0
    def inner(v):
        nonlocal c
        c += 1
        return v * k + c
    return inner
f = make(2)
y = f(x) * f(x)
y.sum().backward()

# name: what runs again: a default that is a list
import torch
x = torch.tensor([1., 2.], requires_grad=True)
def f(t, cache={}):
    cache['n'] = cache.get('n', 0) + 1
    return t**cache['n']
y = f(x) + f(x)
y.sum().backward()

# name: what runs again: Python's random
import torch
x = torch.tensor([1., 2.], requires_grad=True)
import random
random.seed(3)
y = x*random.uniform(1, 2)
y.sum().backward()

# name: what runs again: an iterator
import torch
x = torch.tensor([1., 2.], requires_grad=True)
ks = iter([2., 5.])
y = x*next(ks) + x**2*next(ks)
y.sum().backward()

# name: what runs again: static methods and class methods
import torch
x = torch.tensor([1., 2.], requires_grad=True)
class A:
    @staticmethod
    def s(x): return x * 3
    @classmethod
    def c(cls, x): return x * 4
    @property
    def p(self): return 2.
y = A.s(x) + A.c(x)*A().p
y.sum().backward()

# name: what runs again: matrix norms at zeros
import torch
x = torch.tensor([1., 2.], requires_grad=True)
m = torch.tensor([[1., -2.], [2., 1.], [0., 0.]], requires_grad=True)
(torch.linalg.matrix_norm(m, 1) + torch.linalg.norm(m, 1)*2 + torch.linalg.matrix_norm(m, -1)*3 + torch.linalg.matrix_norm(m, -float('inf'))*5 + torch.linalg.matrix_norm(m, float('inf'), keepdim=True).sum()*7).backward()

# name: what runs again: sums of exponentials of big numbers
import torch
x = torch.tensor([1., 2.], requires_grad=True)
x = torch.tensor([1e17, 3.], requires_grad=True)
y = torch.logaddexp(x, x) + torch.logaddexp2(x, x)*3
y.sum().backward()

# name: what runs again: xlog1py beside no logarithm
import torch
x = torch.tensor([1., 2.], requires_grad=True)
x = torch.tensor([-3., 0.5], requires_grad=True)
torch.special.xlog1py(x*0, x).sum().backward()

# name: what runs again: an einsum without output
import torch
x = torch.tensor([1., 2.], requires_grad=True)
z = torch.ones(2, 3, 3, requires_grad=True)
s = torch.einsum('bii->', z)
s.backward()

# name: what runs again: a list's pop in an expression
import torch
x = torch.tensor([1., 2.], requires_grad=True)
stack = [3., 4., 5.]
y = x * stack.pop()
y.sum().backward()

# name: what runs again: a name bound by :=
import torch
x = torch.tensor([1., 2.], requires_grad=True)
g3, g4 = torch.autograd.grad((x*2).sum() * (t := torch.tensor(3., requires_grad=True)), (x, t))
print(g3, g4)

# name: what runs again: a hook that keeps gradients
import torch
x = torch.tensor([1., 2.], requires_grad=True)
seen = []
x.register_hook(lambda g: seen.append(g.clone()))
(x*x).sum().backward()

# name: what runs again: an error that is printed
import torch
x = torch.tensor([1., 2.], requires_grad=True)
try:
    torch.ones(2) @ torch.ones(3)
except RuntimeError as err:
    print('caught', err)

# name: what runs again: a default that grows
import torch
x = torch.tensor([1., 2.], requires_grad=True)
def f(t, seen=[]):
    seen.append(1)
    return t*len(seen)
y = f(x) + f(x)
y.sum().backward()

# name: what runs again: zero_grad to None
import torch
x = torch.tensor([1., 2.], requires_grad=True)
opt = torch.optim.SGD([x], lr=0.1)
for k in range(3):
    opt.zero_grad(set_to_none=True)
    (x*x).sum().backward()
    opt.step()

# name: what runs again: a leaf that is made anew before a loop
import torch
x = torch.tensor([1., 2.], requires_grad=True)
w = torch.tensor(2., requires_grad=True)
L = w**2
L.backward()
print(w.grad)
w = torch.tensor(10., requires_grad=True)
for k in range(2):
    L = 3*w
    L.backward()
    print(w.grad)

# name: what runs again: a condition that binds
import torch
x = torch.tensor([1., 2.], requires_grad=True)
if (n := 3) > 2:
    y = x*n
y.sum().backward()

# name: what runs again: returns in a function
import torch
x = torch.tensor([1., 2.], requires_grad=True)
def g(v):
    if v[0] > 0:
        return v*2
    return v*3
y = g(x)
y.sum().backward()

# name: what runs again: a return in a loop
import torch
x = torch.tensor([1., 2.], requires_grad=True)
def g(v):
    for i in range(5):
        if i == 2:
            return v
        v = v*x
    return v*100
y = g(x)
y.sum().backward()

# name: what runs again: operators of an object
import torch
x = torch.tensor([1., 2.], requires_grad=True)
class C:
    def __init__(self): self.k = 2.
    def __mul__(self, o): self.k += 1; return o*self.k
c = C()
y = c*x
y.sum().backward()

# name: what runs again: a generator
import torch
x = torch.tensor([1., 2.], requires_grad=True)
def gen():
    yield 1.
    yield 2.
y = torch.zeros(2)
for a in gen():
    y = y + a*x
y.sum().backward()

# name: what runs again: a list that is reversed
import torch
x = torch.tensor([1., 2.], requires_grad=True)
xs = []
for k in range(3): xs.append(x*k)
xs.reverse()
y = xs[0]*2 + xs[1]
y.sum().backward()

# name: what runs again: a dict under two names
import torch
x = torch.tensor([1., 2.], requires_grad=True)
d = {}
d['a'] = x*2
e = d
e['b'] = x*3
y = d['a']*d['b']
y.sum().backward()

# name: what runs again: a dict that a function reads
import torch
x = torch.tensor([1., 2.], requires_grad=True)
cfg = {'k': 2.}
def f(v): return v*cfg['k']
y = f(x)
cfg['k'] = 7.
y.sum().backward()

# name: what runs again: a list that closures share
import torch
x = torch.tensor([1., 2.], requires_grad=True)
def make():
    k = [1.]
    def get(v): return v*k[0]
    def inc(): k[0] = k[0] + 1
    return get, inc
get, inc = make()
y = get(x)
inc()
y.sum().backward()

# name: what runs again: a number that closures share
import torch
x = torch.tensor([1., 2.], requires_grad=True)
def make():
    k = 1.
    def get(v): return v*k
    def inc():
        nonlocal k
        k = k + 1
    return get, inc
get, inc = make()
y = get(x)
inc()
y.sum().backward()

# name: functions that are methods in JAX
import torch
x = torch.tensor([1., -2., 3.], requires_grad=True)
y = x*1
torch.relu_(y)
z = torch.clamp_(torch.sin(y), 0., 0.5) * torch.detach(x) / torch.numel(x)
z.sum().backward()
print(x.grad)
