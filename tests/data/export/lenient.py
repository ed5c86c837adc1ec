# name: numbers reach functions that take tensors
k = 2.5
t = [1, -2]
y = torch.log2(2.5**2 + 1) * t + torch.relu(0.3) + torch.maximum(k, -2) + torch.atan2(0.1, t)
z = torch.where(3 > 0.1, y, y) + F.mse_loss(k, 0.9) + F.softsign((-0.7)) + torch.pow(2, t)
z.sum().backward()
print(f"{t.grad}")

# name: a function of numbers and of vectors
f(s) = sinh(s) * (s - 0.5)^2
x = [1, 2]
u = f(2)
y = f(x) + u
y.backward([1, 10])
print(u)

# name: sums over a dimension
m = [[1, 2, 3], [4, 5, 6]]
y = mean(m, dim=1) * torch.sum(m, dim=1)
y.backward([1, 10])

# name: slices of lists are parts of vectors
t = [1, 2, 3]
u = [4, 5]
y = t[:-1]^2 * t[1:] + t[::-1][:2] + u[:1]
y.sum().backward()
print(t.grad, u.grad)

# name: lists that were built
x = [1, 2]
y = [sin(a)^2 for a in x]
z = [y[0]*x[1], y[1] - 1]
w = 3*y + z
w.sum().backward()
w.sum().backward()

# name: an accumulation in brackets
x = [0.5, 1.5]
s = 0
for a in x:
    s += (a^2 - 1)
    s *= (2)
s.backward()

# name: a leaf that no backward reaches has no gradient
x = 2
w = [1, 2]
y = x^2
y.backward()
print(x.grad, w.grad)

# name: text of numbers
x = 3
y = x^2
y.backward()
print(f"y = {y:.2f}, slope {x.grad:.1f}, {x^2}")
print("y = %.3f" % y)

# name: a step inside no_grad
w = [1, 2]
for k in range(2):
    loss = sum((w - 3)^2)
    loss.backward()
    with no_grad():
        w -= 0.1*w.grad
    zero_grad()
print(w)

# name: numbers drawn at random are those of float32
torch.manual_seed(0)
x = rand(3)
x.requires_grad_()
n = torch.randn(2, requires_grad=True)
m = torch.empty(2).uniform_(-1, 1)
lin = nn.Linear(2, 2)
nn.init.xavier_uniform_(lin.weight)
q = nn.init.orthogonal_(torch.empty(2, 2))
y = (x^2).sum() + (lin(n) * m).sum()
y.backward()
print(x.grad)

# name: an import of its own
import torch
import torch.nn.functional as F

x = torch.tensor([1., 2.], requires_grad=True)
F.relu(x).sum().backward()
print(x.grad)

# name: a line that vjp lacks
x = torch.tensor([1., 2.], requires_grad=True)
y = torch.fft.fft(x)

# name: a line that fails
x = [1, 2]
y = x + [1, 2, 3]

# name: rows that a loop writes to
x = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)
y = x * 2
for row in y:
    row += 1

# name: names of PyTorch's other modules
M = [[2, 1], [1, 3]]
x = [0.5, 2]
y = softmax(x) + dropout(x, 0) + svdvals(M) + ln(x) + expit(x) + mod(x, 2)
z = inv(M) @ y + einsum("ij,j->i", M, y) + flip(x, 0) + step(x) + cholesky(M)[0]
z.backward([1, 10])

# name: names that hide those of the prompt
x = [1, 2]
def f(x):
    e = x*2
    inv = {k: e for k, e in enumerate(x)}
    return e^2 + inv[1]
try:
    raise ValueError("no")
except ValueError as e:
    print(e)
y = [e*pi for e in f(x)]
sum(y).backward()

# name: sums and the largest of matrices
M = [[1, 2], [0, 4]]
N = [[1, 3], [2, 5]]
y = sum(M*N) * max(M) + sum(max(M*N, dim=0))
y.backward()
zero_grad(M)

# name: lists as arguments
f(s) = s^2 * [1, 2]
x = [1, 2]
m = [3, 1]
y = f([0.5, 1.5]) * x + where(m > 2, x, 0) + m[[1, 0]]
y.backward([1, 10])

# name: a list that grows
x = 2
u = []
for k in range(3):
    u.append(x^k)
y = dot([1, 10, 100], u) + sum(maximum(u, 3))
y.backward()

# name: a constant beside a leaf
t = torch.tensor([1., 2.], requires_grad=True)
w = 3
y = t * [w, 1]
y.backward([1, 10])
print(w.grad, t.grad)

# name: a training loop with random numbers
W = randn(2, 3)
b = torch.zeros(3, requires_grad=True)
W.requires_grad_()
for i in range(2):
    X = rand(4, 2)
    loss = mean(tanh(X @ W + b)^2)
    loss.backward()
    with no_grad():
        for p in [W, b]:
            p -= 0.1*p.grad
    zero_grad()
print(W)

# name: random numbers that PyTorch draws otherwise
torch.manual_seed(1)
x = [1, 2]
y = x * torch.normal(torch.zeros(2), torch.ones(2))
y.sum().backward()

# name: vectors one by one, a number where PyTorch takes a tensor
x = [0.5, 1.5]
w = [0.2, 0.7]
y = hstack(x, w) * cat([atleast_1d(0.3), x, w[:1]])
y.sum().backward()

# name: gradients that PyTorch gives only in another form
L = [[2, 0], [1, 3]]
x = [1, 2]
sum(cholesky_inverse(L)).backward()
sum(vander(x, 3)).backward()

# name: more arguments than PyTorch takes
x = [1, 2]
y = x * randint(0, 4, 2)

# name: draws by a tensor that is computed
x = [1, 2]
y = x * torch.bernoulli(torch.ones(2) * 0.5)
y.sum().backward()

# name: truths in a list
i = [True, False]
a = [1.0, 2.0]
y = where(i, a, 0.) + where([False, True], a, 1.)
y.backward([1, 2])
print(a.grad)

# name: the larger of a list and a number
a = [1.05, 3.0798, -2.0103]
y = max(a, 0) - min(a, 2)
y.backward([1, 2, 3])
print(a.grad)

# name: a gradient that is shown is shown once
x = [1, 2]
y = 3*x^2
y.backward([1, 10])
x.grad

# name: what lists have and tensors lack
x = [3., 2, 5]
c = x.copy()
z = 2*x
y = x*c + x*sorted(z) - sorted(x, reverse=True)
y.backward([1, 10, 100])
print(x.index(2), x.count(5))

# name: lists one behind the other
x = [1, 2]
w = x + [2*a for a in x]
y = dot(w, [1, 10, 100, 1000])
y.backward()

# name: elements with names of their own outlive a step
x = [3., 2]
a, b = x
y = a*b
y.backward()
with no_grad():
    x -= 0.1*x.grad
for c in x:
    z = c^2
with no_grad():
    x -= 1
print(a, b, c, x)

# name: a leaf in one graph, a constant in another
x = [1, 2]
y = sum(x^2)
y.backward()
zero_grad(x)
t = torch.tensor([3., 4.], requires_grad=True)
sum(t * x).backward()
print(t.grad, x.grad)

# name: derivatives by several inputs
x = [1, 2]
w = [3, 4]
a = 2.
b = 3.
print(jacobian(x*w, [x, w]))
print(hessian(a^b, [a, b]))
print(vjp(x*w, (x, w), [1, 1]))
print(jvp(x*w, (x, w), ([1, 0], [0, 1])))

# name: derivatives of functions
f(t) = t^3
d = grad(f)
print(grad(f, 2), grad(f)(2), d(3), hessian(f)(2))
print(grad(f, [1, 2], [1, 10]), jacobian(f, [1, 2]))
print(grad(lambda u: u.sum()*u[0], [1, 2]))
print(vjp(f, 2, 1))

# name: derivatives below an import
import torch
from torch import nn
x = [1, 2]
print(jacobian(3*x^2, x), vjp(x^2, x, [1, 10]))
print(grad(sum(x^3), x), hessian(sum(x^3), x))

# name: an element of a list written before it is used
x = [1, 2]
x[0] = 5
y = (x*2).sum()
y.backward()
print(x.grad)
x[1] = 7
x[0] = 3
z = (x*x).sum()
z.backward()
print(x.grad, x)

# name: a backward of several outputs, after one that frees the graph
x = [1., 2.]
h = x*x
h.sum().backward()
print(torch.autograd.grad([h, h.sum()], [x], [[1, 2], None]))
torch.autograd.backward([h, h.sum()], [[1, 2], None])
print(x.grad)

# name: a leaf whose name was given to a step
w = [1., 2.]
b = 3.
L = (w*b).sum()
L.backward()
w -= 0.1*w.grad
L = (w*b).sum()
L.backward()
print(b.grad)

# name: a leaf of which a name remains, and one of which none does
a = 2.
b = 3.
h = a*b
a += 1
y = a*b + h
y.backward()
print(b.grad)

# name: a leaf by another name, whose first name was given to a step
w = [1., 2.]
v = w
h = w*2
w += 1
L = (h*v).sum()
L.backward()
print(v.grad)
