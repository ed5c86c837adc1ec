# name: numbers reach functions that take tensors
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


@jax.custom_jvp
def power(base, exponent):
    """base ** exponent, with PyTorch's slopes at a base of 0."""
    return jnp.power(base, exponent)

@power.defjvp
def power_slopes(primals, tangents):
    """The derivative of power."""
    base, exponent = primals
    zero = exponent == 0
    slope = jnp.where(zero, 0, exponent * power(base, jnp.where(zero, 1, exponent - 1)))
    value = power(base, exponent)
    flat = (base == 0) & (exponent >= 0)
    log = jnp.where(flat, 0, value * jnp.log(jnp.where(flat, 1, base)))
    parts = zip(tangents, (slope, log))
    return value, sum(t * by for t, by in parts if t.dtype != jax.dtypes.float0)


def atan2(input, other):
    """The angle of the point, with slopes 0 at the origin."""
    origin = (input == 0) & (other == 0)
    angle = jnp.arctan2(jnp.where(origin, 0, input), jnp.where(origin, 1, other))
    return jnp.where(origin, jax.lax.stop_gradient(jnp.arctan2(input, other)), angle)


k = jnp.array(2.5)
t = jnp.array([1., -2.])
y = jnp.log2(jnp.array(2.5**2 + 1)) * t + jax.nn.relu(jnp.array(0.3)) + jnp.maximum(k, jnp.array(-2.)) + atan2(jnp.array(0.1), t)
z = jnp.where(jnp.array(3 > 0.1), y, y) + jnp.mean((k - jnp.array(0.9)) ** 2) + jax.nn.soft_sign(jnp.array(-0.7)) + power(2, t)

def value_of(k, t):
    y = jnp.log2(jnp.array(2.5**2 + 1)) * t + jax.nn.relu(jnp.array(0.3)) + jnp.maximum(k, jnp.array(-2.)) + atan2(jnp.array(0.1), t)
    z = jnp.where(jnp.array(3 > 0.1), y, y) + jnp.mean((k - jnp.array(0.9)) ** 2) + jax.nn.soft_sign(jnp.array(-0.7)) + power(2, t)
    return z.sum()

k_grad, t_grad = jax.grad(value_of, argnums=(0, 1))(k, t)
print(f"{t_grad}")

# name: a function of numbers and of vectors
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

def f(s):
    return jnp.sinh(jnp.asarray(s, dtype=jnp.float64)) * (s - 0.5)**2

x = jnp.array([1., 2.])
u = f(2)

def y_of(x):
    return f(x) + u

y, pullback = jax.vjp(y_of, x)
x_grad, = pullback(jnp.array([1., 10.]))
print(u)

# name: sums over a dimension
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

m = jnp.array([[1., 2., 3.], [4., 5., 6.]])

def y_of(m):
    return jnp.mean(m, axis=1) * jnp.sum(m, axis=1)

y, pullback = jax.vjp(y_of, m)
m_grad, = pullback(jnp.array([1., 10.]))
print(m_grad)

# name: slices of lists are parts of vectors
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

t = jnp.array([1., 2., 3.])
u = jnp.array([4., 5.])
y = t[:-1]**2 * t[1:] + jnp.flip(t, (0,))[:2] + u[:1]

def value_of(t, u):
    y = t[:-1]**2 * t[1:] + jnp.flip(t, (0,))[:2] + u[:1]
    return y.sum()

t_grad, u_grad = jax.grad(value_of, argnums=(0, 1))(t, u)
print(t_grad, u_grad)

# name: lists that were built
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])
y = [jnp.sin(a)**2 for a in x]
z = [y[0]*x[1], y[1] - 1]
w = jnp.array(3*y + z, dtype=float)

def value_of(x):
    y = [jnp.sin(a)**2 for a in x]
    z = [y[0]*x[1], y[1] - 1]
    w = jnp.array(3*y + z, dtype=float)
    return w.sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)
new_x = jax.grad(value_of)(x)
x_grad = x_grad + new_x
print(x_grad)

# name: an accumulation in brackets
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([0.5, 1.5])
s = jnp.array(0.)
for a in x:
    s = s + (a**2 - 1)
    s = s * (2)

def s_of(x):
    s = jnp.array(0.)
    for a in x:
        s = s + (a**2 - 1)
        s = s * (2)
    return s

x_grad = jax.grad(s_of)(x)
print(x_grad)

# name: a leaf that no backward reaches has no gradient
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array(2.)
w = jnp.array([1., 2.])

def y_of(x):
    return x**2

y, x_grad = jax.value_and_grad(y_of)(x)
print(x_grad, None)

# name: text of numbers
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array(3.)

def y_of(x):
    return x**2

y, x_grad = jax.value_and_grad(y_of)(x)
print(f"y = {y:.2f}, slope {x_grad:.1f}, {x**2}")
print("y = %.3f" % y)

# name: a step inside no_grad
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

w = jnp.array([1., 2.])

def loss_of(w):
    return sum((w - 3)**2)

for k in range(2):
    loss, w_grad = jax.value_and_grad(loss_of)(w)
    w -= 0.1*w_grad
    w_grad = None
print(w)

# name: numbers drawn at random are those of float32
# line 8: drawn(nn.init.orthogonal_, torch.empty(2, 2)).data.copy_(torch.tensor([[-0.0429685217439606, 0.9990764265756343], [0.9990764265756343, 0.042968521743960486]])) is modified through a view; JAX arrays are immutable
# assign to the tensor itself: x[…] = …

# name: an import of its own
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])

def value_of(x):
    return jax.nn.relu(x).sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)

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
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def mirrored(input):
    """The symmetric matrix that has the lower triangle of input; the slopes are symmetric too."""
    even = (input + input.mT) / 2
    lower = jnp.tril(input) + jnp.tril(input, -1).mT
    return even + jax.lax.stop_gradient(lower - even)


M = jnp.array([[2., 1.], [1., 3.]])
x = jnp.array([0.5, 2.])
y = jax.nn.softmax(x, axis=0) + x + jnp.linalg.svdvals(M) + jnp.log(x) + jax.nn.sigmoid(x) + (x % 2)

def z_of(M, x):
    y = jax.nn.softmax(x, axis=0) + x + jnp.linalg.svdvals(M) + jnp.log(x) + jax.nn.sigmoid(x) + (x % 2)
    return jnp.linalg.inv(M) @ y + jnp.einsum("ij,j->i", *(M, y)) + jnp.flip(x, (0,)) + jnp.sign(jnp.maximum(x, 0)) + jnp.linalg.cholesky(mirrored(M))[0]

z, pullback = jax.vjp(z_of, M, x)
M_grad, x_grad = pullback(jnp.array([1., 10.]))
print(M_grad)
print(x_grad)

# name: names that hide those of the prompt
# line 9: e is the error that PyTorch raised; JAX's program leaves it out
# print a text of your own, or export --to torch

# name: sums and the largest of matrices
# a program as a JAX program.
import collections
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def pair(values, indices):
    """Values and their indices."""
    return collections.namedtuple("pair", "values indices")(values, indices)


def at_place(input, index, dim, keepdim):
    """The elements at index along a dimension, with index."""
    if jnp.ndim(input) == 0:
        return pair(input, jnp.zeros((), dtype=int))
    values = jnp.take_along_axis(input, jnp.expand_dims(index, dim), axis=dim)
    if keepdim:
        return pair(values, jnp.expand_dims(index, dim))
    return pair(jnp.squeeze(values, dim), index)


def max_along(input, dim, keepdim=False):
    """The maximum along a dimension and its index."""
    return at_place(input, jnp.argmax(input, dim) if jnp.ndim(input) else None, dim, keepdim)


M = jnp.array([[1., 2.], [0., 4.]])
N = jnp.array([[1., 3.], [2., 5.]])

def y_of(M, N):
    return jnp.sum(M*N) * jnp.max(M) + sum(max_along(M*N, 0).values)

y, (M_grad, N_grad) = jax.value_and_grad(y_of, argnums=(0, 1))(M, N)
print(M_grad)
print(N_grad)
M_grad = None
N_grad = None

# name: lists as arguments
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

def f(s):
    return s**2 * jnp.array([1., 2.])

x = jnp.array([1., 2.])
m = jnp.array([3., 1.])

def y_of(x, m):
    return f(jnp.array([0.5, 1.5])) * x + jnp.where(m > 2, x, 0) + m[jnp.array([1, 0])]

y, pullback = jax.vjp(y_of, x, m)
x_grad, m_grad = pullback(jnp.array([1., 10.]))
print(x_grad)
print(m_grad)

# name: a list that grows
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array(2.)
u = []
for k in range(3):
    u.append(x**k)

def y_of(x):
    u = []
    for k in range(3):
        u.append(x**k)
    return jnp.dot(jnp.array([1., 10., 100.]), jnp.array(u, dtype=float)) + sum(jnp.maximum(jnp.array(u, dtype=float), jnp.array(3.)))

y, x_grad = jax.value_and_grad(y_of)(x)
print(x_grad)

# name: a constant beside a leaf
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

t = jnp.array([1., 2.])
w = jnp.array(3.)

def y_of(t):
    return t * jnp.array([w, 1], dtype=float)

y, pullback = jax.vjp(y_of, t)
t_grad, = pullback(jnp.array([1., 10.]))
print(None, t_grad)

# name: a training loop with random numbers
# line 5: random numbers are drawn repeatedly here; JAX draws different ones
# draw them once before the loop, or export --to torch

# name: random numbers that PyTorch draws otherwise
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])
y = x * jnp.array([0.6613521575927734, 0.266924113035202], dtype=jnp.float32).astype(jnp.float64)

def value_of(x):
    y = x * jnp.array([0.6613521575927734, 0.266924113035202], dtype=jnp.float32).astype(jnp.float64)
    return y.sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)

# name: vectors one by one, a number where PyTorch takes a tensor
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([0.5, 1.5])
w = jnp.array([0.2, 0.7])
y = jnp.hstack([x, w]) * jnp.concatenate([jnp.atleast_1d(jnp.array(0.3)), x, w[:1]])

def value_of(x, w):
    y = jnp.hstack([x, w]) * jnp.concatenate([jnp.atleast_1d(jnp.array(0.3)), x, w[:1]])
    return y.sum()

x_grad, w_grad = jax.grad(value_of, argnums=(0, 1))(x, w)
print(x_grad)
print(w_grad)

# name: gradients that PyTorch gives only in another form
# line 3: the JAX export has no form for torch.cholesky_inverse
# write it with sums, products and elementary functions, or export --to torch

# name: more arguments than PyTorch takes
# line 2: the program would stop here with an error: randint() received an invalid combination of arguments - got (int, int, int), but expected one of:
# write the line in PyTorch's form, with torch.tensor(…)

# name: draws by a tensor that is computed
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])
y = x * jnp.array([1.0, 0.0], dtype=jnp.float32).astype(jnp.float64)

def value_of(x):
    y = x * jnp.array([1.0, 0.0], dtype=jnp.float32).astype(jnp.float64)
    return y.sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)

# name: truths in a list
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

i = jnp.array([True, False])
a = jnp.array([1.0, 2.0])

def y_of(a):
    return jnp.where(i, a, 0.) + jnp.where(jnp.array([False, True]), a, 1.)

y, pullback = jax.vjp(y_of, a)
a_grad, = pullback(jnp.array([1., 2.]))
print(a_grad)

# name: the larger of a list and a number
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

a = jnp.array([1.05, 3.0798, -2.0103])

def y_of(a):
    return jnp.maximum(a, jnp.array(0.)) - jnp.minimum(a, jnp.array(2.))

y, pullback = jax.vjp(y_of, a)
a_grad, = pullback(jnp.array([1., 2., 3.]))
print(a_grad)

# name: a gradient that is shown is shown once
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])

def y_of(x):
    return 3*x**2

y, pullback = jax.vjp(y_of, x)
x_grad, = pullback(jnp.array([1., 10.]))
print(x_grad)

# name: what lists have and tensors lack
# a program as a JAX program.
import collections
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def pair(values, indices):
    """Values and their indices."""
    return collections.namedtuple("pair", "values indices")(values, indices)


def sort(input, dim=-1, descending=False):
    """Sorted along a dimension, with the original indices."""
    if jnp.ndim(input) == 0:
        return pair(input, jnp.zeros((), dtype=int))
    index = jnp.argsort(input, axis=dim, descending=descending)
    return pair(jnp.take_along_axis(input, index, axis=dim), index)


x = jnp.array([3., 2., 5.])
c = x
z = 2*x

def y_of(x):
    c = x
    z = 2*x
    return x*c + x*sort(z).values - jnp.array(sorted(x, reverse=True), dtype=float)

y, pullback = jax.vjp(y_of, x)
x_grad, = pullback(jnp.array([1., 10., 100.]))
print(x.tolist().index(2), x.tolist().count(5))

# name: lists one behind the other
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])
w = jnp.array(list(x) + [2*a for a in x], dtype=float)

def y_of(x):
    w = jnp.array(list(x) + [2*a for a in x], dtype=float)
    return jnp.dot(w, jnp.array([1., 10., 100., 1000.]))

y, x_grad = jax.value_and_grad(y_of)(x)
print(x_grad)

# name: elements with names of their own outlive a step
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([3., 2.])
a, b = x

def y_of(x):
    a, b = x
    return a*b

y, x_grad = jax.value_and_grad(y_of)(x)
x -= 0.1*x_grad
for c in x:
    z = c**2
x -= 1
print(a, b, c, x)

# name: a leaf in one graph, a constant in another
# line 1: PyTorch would compute different numbers for x.grad
# write the line in PyTorch's form, with torch.tensor(…, requires_grad=True)

# name: derivatives by several inputs
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


@jax.custom_jvp
def power(base, exponent):
    """base ** exponent, with PyTorch's slopes at a base of 0."""
    return jnp.power(base, exponent)

@power.defjvp
def power_slopes(primals, tangents):
    """The derivative of power."""
    base, exponent = primals
    zero = exponent == 0
    slope = jnp.where(zero, 0, exponent * power(base, jnp.where(zero, 1, exponent - 1)))
    value = power(base, exponent)
    flat = (base == 0) & (exponent >= 0)
    log = jnp.where(flat, 0, value * jnp.log(jnp.where(flat, 1, base)))
    parts = zip(tangents, (slope, log))
    return value, sum(t * by for t, by in parts if t.dtype != jax.dtypes.float0)


x = jnp.array([1., 2.])
w = jnp.array([3., 4.])
a = jnp.array(2.)
b = jnp.array(3.)

def value_of(x, w):
    return x*w

print(jax.jacobian(value_of, argnums=(0, 1))(x, w))

def value_of2(a, b):
    return power(a, b)

print(jax.hessian(value_of2, argnums=(0, 1))(a, b))
print(jax.vjp(value_of, x, w)[1](jnp.array([1., 1.])))
print(jax.jvp(value_of, (x, w,), (jnp.asarray(jnp.array([1., 0.]), dtype=float), jnp.asarray(jnp.array([0., 1.]), dtype=float),))[1])

# name: derivatives of functions
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def functional_vjp(func, inputs, v=None):
    """The value and vᵀJ."""
    several = isinstance(inputs, (tuple, list))
    value, pullback = jax.vjp(func, *(inputs if several else (inputs,)))
    found = pullback(jnp.ones_like(value) if v is None else v)
    return value, found if several else found[0]


def f(t):
    return t**3

d = jax.grad(f)
print(jax.grad(f)(jnp.array(2.)), jax.grad(f)(jnp.array(2.)), d(jnp.array(3.)), jax.hessian(f)(jnp.array(2.)))
print(functional_vjp(f, jnp.array([1., 2.]), jnp.array([1., 10.]))[1], jax.jacobian(f)(jnp.array([1., 2.])))
print(jax.grad(lambda u: u.sum()*u[0])(jnp.array([1., 2.])))
print(functional_vjp(f, jnp.array(2.), jnp.array(1.)))

# name: derivatives below an import
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])

def value_of(x):
    return 3*x**2

def value_of2(x):
    return x**2

print(jax.jacobian(value_of)(x), jax.vjp(value_of2, x)[1](jnp.array([1., 10.]))[0])

def value_of3(x):
    return sum(x**3)

print(jax.grad(value_of3)(x), jax.hessian(value_of3)(x))

# name: an element of a list written before it is used
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])
x = x
x = x.at[0].set(5)

def y_of(x):
    return (x*2).sum()

y, x_grad = jax.value_and_grad(y_of)(x)
print(x_grad)
x = x
x = x.at[1].set(7)
x = x
x = x.at[0].set(3)

def z_of(x):
    return (x*x).sum()

z, x_grad = jax.value_and_grad(z_of)(x)
print(x_grad, x)

# name: a backward of several outputs, after one that frees the graph
# line 4: JAX has no gradient of several outputs at once
# compute it for each, or for their sum

# name: a leaf whose name was given to a step
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

w = jnp.array([1., 2.])
b = jnp.array(3.)

def L_of(w, b):
    return (w*b).sum()

L, (w_grad, b_grad) = jax.value_and_grad(L_of, argnums=(0, 1))(w, b)
w = w - (0.1*w_grad)

def L_of2(b):
    return (w*b).sum()

L, new_b = jax.value_and_grad(L_of2)(b)
b_grad = b_grad + new_b
print(b_grad)

# name: a leaf of which a name remains, and one of which none does
# line 3: a changes between here and the backward
# give the changed value another name, or export --to torch

# name: a leaf by another name, whose first name was given to a step
# line 5: h cannot be recomputed here: its leaf has changed, has another name now, or belongs to an earlier iteration of the loop
# write its line again just before backward, or export --to torch
