# name: detached in place
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([2.0, 3.0])
y = x
y = jax.lax.stop_gradient(y)

def value_of(x):
    y = x
    y = jax.lax.stop_gradient(y)
    return (y * x).sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)

# name: written to behind the graph
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([2.0, 3.0])
y = x * 1
z = y + 1
z = z + jax.lax.stop_gradient((z * 2) - z)

def value_of(x):
    y = x * 1
    z = y + 1
    z = z + jax.lax.stop_gradient((z * 2) - z)
    return (z * 3).sum()

x_grad = jax.grad(value_of)(x)
print(z, x_grad)

# name: written to where the graph keeps numbers
# line 4: z.data is written to, whose numbers the graph may have kept
# write to a copy, or export --to torch

# name: a dtype that the program sets
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array(0.1)

def value_of(x):
    return x * 0.1

x_grad = jax.grad(value_of)(x)
print(x_grad, x.dtype)

# name: the module math
# a program as a JAX program.
import math
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1.0, 2.0])
y = x / math.sqrt(4) + math.exp(1.0)

def value_of(x):
    y = x / math.sqrt(4) + math.exp(1.0)
    return y.sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)

# name: values and places
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


def sort(input, dim=-1, descending=False):
    """Sorted along a dimension, with the original indices."""
    if jnp.ndim(input) == 0:
        return pair(input, jnp.zeros((), dtype=int))
    index = jnp.argsort(input, axis=dim, descending=descending)
    return pair(jnp.take_along_axis(input, index, axis=dim), index)


def topk(input, k, dim=-1, largest=True):
    """The k largest along a dimension and their indices."""
    values, index = sort(input, dim, largest)
    if jnp.ndim(input) == 0:
        return pair(values, index)
    return pair(*[jax.lax.slice_in_dim(a, 0, k, axis=dim) for a in (values, index)])


x = jnp.array([[3.0, 1.0, 2.0], [0.5, 0.0, -1.0]])
s, i = sort(x)
m = max_along(x, 1)
k = topk(x, 2).values

def value_of(x):
    s, i = sort(x)
    m = max_along(x, 1)
    k = topk(x, 2).values
    return s[:, 0].sum() + m.values.sum() * 2 + k.prod()

x_grad = jax.grad(value_of)(x)
print(i, m.indices)

# name: shapes under NumPy's names
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def absolute(input):
    """|x|, with slope 0 at 0."""
    return input * jnp.sign(input)


def split(input, split_size, dim=0):
    """Splits a dimension into parts of the given sizes."""
    count = input.shape[dim]
    if isinstance(split_size, int):
        ends = list(range(split_size, count, split_size))
    else:
        ends = [sum(split_size[:k]) for k in range(1, len(split_size))]
    return tuple(jnp.split(input, ends, axis=dim))


def chunk(input, chunks, dim=0):
    """Splits a dimension into equal parts; the last may be smaller."""
    if input.shape[dim] == 0:
        return (input,) * chunks
    return split(input, max(-(-input.shape[dim] // chunks), 1), dim)


def root(square):
    """The square root, with slope 0 at 0."""
    zero = square == 0
    return jnp.where(zero, 0 * square, jnp.sqrt(jnp.where(zero, 1, square)))


def vector_norm(x, ord=2, dim=None, keepdim=False):
    """(Σ|x|ᵖ)^(1/p), with slope 0 at 0."""
    dim = dim if x.ndim else None
    if ord == float("inf"):
        return jnp.max(absolute(x), axis=dim, keepdims=keepdim)
    if ord == -float("inf"):
        return jnp.min(absolute(x), axis=dim, keepdims=keepdim)
    if ord == 0:
        return jnp.sum(x != 0, axis=dim, keepdims=keepdim).astype(x.dtype)
    if ord == 1:
        return jnp.sum(absolute(x), axis=dim, keepdims=keepdim)
    if ord == 2:
        return root(jnp.sum(x * x, axis=dim, keepdims=keepdim))
    zero = x == 0
    powers = jnp.where(zero, 0 * x, absolute(jnp.where(zero, 1, x)) ** ord)
    total = jnp.sum(powers, axis=dim, keepdims=keepdim)
    return jnp.where(total == 0, 0 * total, jnp.where(total == 0, 1, total) ** (1 / ord))


def norm(input, p=2, dim=None, keepdim=False):
    """The p-norm of all elements, or along dimensions."""
    if p == "nuc":
        return jnp.sum(jnp.linalg.svdvals(input), keepdims=keepdim)
    return vector_norm(input, 2 if p in ("fro", None) else p, dim, keepdim)


a = jnp.ones((2, 3))
b = jnp.tensordot(a, a.T, axes=1)
c = jnp.broadcast_to(jnp.expand_dims(a.reshape((6,)), 0), (3, 6))
d = jnp.concatenate([chunk(c, 2, 1)[0], split(c, 3, 1)[1]], axis=0).sum(axis=(0, 1,))
e = a.astype(jnp.float32).astype(jnp.float64)

def value_of(a):
    b = jnp.tensordot(a, a.T, axes=1)
    c = jnp.broadcast_to(jnp.expand_dims(a.reshape((6,)), 0), (3, 6))
    d = jnp.concatenate([chunk(c, 2, 1)[0], split(c, 3, 1)[1]], axis=0).sum(axis=(0, 1,))
    e = a.astype(jnp.float32).astype(jnp.float64)
    return b.sum() + d + norm(e.mean(axis=0))

a_grad = jax.grad(value_of)(a)
print(a_grad)

# name: at the ends of an interval
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


def absolute(input):
    """|x|, with slope 0 at 0."""
    return input * jnp.sign(input)


def clamp(input, min=None, max=None):
    """Limits x to the bounds; at a bound that is a number the slope is 0."""
    if isinstance(min, jax.Array) and isinstance(max, jax.Array):
        low = jnp.maximum(input, min)
        tie = (min == max) & (low == max)
        return jnp.where(tie, jnp.where(input == min, input, min), jnp.minimum(low, max))
    if isinstance(min, jax.Array):
        input = jnp.maximum(input, min)
    elif min is not None:
        input = jnp.where(input <= min, min, input)
    if isinstance(max, jax.Array):
        return jnp.minimum(input, max)
    return input if max is None else jnp.where(input >= max, max, input)


x = jnp.array([-1.0, 0.0, 1.0])
y = clamp(x, -1, 1) + absolute(x) + clamp(x, 0, 6)

def value_of(x):
    y = clamp(x, -1, 1) + absolute(x) + clamp(x, 0, 6)
    return (y + power(x, jnp.array([2.0, 2.0, 0.0]))).sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)

# name: drawn numbers
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([0.49625658988952637, 0.7682217955589294, 0.08847743272781372], dtype=jnp.float32).astype(jnp.float64)
print(x)

def y_of(x):
    return x**2

y, pullback = jax.vjp(y_of, x)
x_grad, = pullback(jnp.array([1.0, 10.0, 100.0]))
print(x_grad)

# name: a Function
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

def cube_forward(t):
    saved = (t,)
    return t**3, (saved,)

def cube_backward(residuals, g):
    saved, = residuals
    t, = saved
    return (g * t,)

cube = jax.custom_vjp(lambda t: cube_forward(t)[0])
cube.defvjp(cube_forward, cube_backward)

x = jnp.array([1.0, 2.0])
y = cube(x)

def value_of(x):
    y = cube(x)
    return y.sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)

# name: a Function differentiated twice
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def led_back(forward, function):
    """forward for a gradient that is differentiated: what it kept leads to inputs and output."""
    def rule(*inputs):
        output, kept = forward(*inputs)
        value = function(*inputs)

        def leads(part):
            if part is output and not any(part is x for x in inputs):
                return value
            own = any(part is x for x in inputs) or not isinstance(part, jax.Array)
            return part if own else jax.lax.stop_gradient(part)

        return value, jax.tree.map(leads, kept)

    return rule


def reverse_hessian(func, argnums=0):
    """The Hessian by two sweeps in reverse: custom functions have no other."""
    return jax.jacrev(jax.jacrev(func, argnums), argnums)


def shared_forward(t):
    out = jnp.exp(t)
    half = t / 2
    saved = (t, out, half)
    return out, (saved,)

def shared_backward(residuals, g):
    saved, = residuals
    t, out, half = saved
    return (g * t * out * half,)

shared = jax.custom_vjp(lambda t: shared_forward(t)[0])
shared.defvjp(led_back(shared_forward, shared), shared_backward)

x = jnp.array([1.0, 2.0])
y = shared(x)

def value_of(x):
    y = shared(x)
    return (y * y).sum()

g = jax.grad(value_of)(x)

def value_of2(x):
    y = shared(x)

    def value_of2(x):
        y = shared(x)
        return (y * y).sum()

    g = jax.grad(value_of2)(x)
    return g.sum()

x_grad = jax.grad(value_of2)(x)
print(reverse_hessian(lambda t: shared(t).sum())(x))

# name: a Function pushed forward
# line 8: JAX has no forward-mode derivative of a custom Function
# use backward or jacobian, or export --to torch

# name: losses
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def absolute(input):
    """|x|, with slope 0 at 0."""
    return input * jnp.sign(input)


def reduced(values, reduction):
    """The mean, the sum or all values."""
    return {"mean": jnp.mean, "sum": jnp.sum, "none": lambda v: v}[reduction](values)


def smooth_l1_loss(input, target, reduction="mean", beta=1.0):
    """Quadratic for small errors, linear for large ones."""
    error = absolute(input - target)
    if beta == 0:
        return reduced(error, reduction)
    return reduced(jnp.where(error < beta, 0.5 * error**2 / beta, error - 0.5 * beta), reduction)


def nll_loss(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """-input at the target class."""
    axis = 1 if input.ndim > 1 else 0
    kept = target != ignore_index
    place = jnp.expand_dims(jnp.where(kept, target, 0), axis)
    picked = -jnp.squeeze(jnp.take_along_axis(input, place, axis=axis), axis)
    factor = kept * (1.0 if weight is None else weight[jnp.where(kept, target, 0)])
    loss = jnp.where(kept, factor * picked, 0)
    return loss.sum() / factor.sum() if reduction == "mean" else reduced(loss, reduction)


def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """Cross-entropy of the softmax of input; targets are classes or probabilities."""
    axis = 1 if input.ndim > 1 else 0
    logs = jax.nn.log_softmax(input, axis=axis)
    count = input.shape[axis]
    shape = [-1 if k == axis else 1 for k in range(input.ndim)]
    spread = logs if weight is None else logs * weight.reshape(shape)
    if jnp.issubdtype(target.dtype, jnp.floating):
        target = target * (1 - label_smoothing) + label_smoothing / count
        loss = -jnp.sum(spread * target, axis=axis)
        return loss.sum() / (loss.size or 1) if reduction == "mean" else reduced(loss, reduction)
    loss = nll_loss(logs, target, weight, ignore_index, reduction)
    if label_smoothing == 0:
        return loss
    kept = target != ignore_index
    smooth = jnp.where(kept, -jnp.sum(spread, axis=axis), 0)
    if reduction == "mean":
        factor = kept * (1.0 if weight is None else weight[jnp.where(kept, target, 0)])
        smooth = smooth.sum() / factor.sum()
    else:
        smooth = reduced(smooth, reduction)
    return (1 - label_smoothing) * loss + label_smoothing / count * smooth


def spread(value, count):
    """Repeats one number for each dimension."""
    value = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    return value * count if len(value) == 1 else value


x = jnp.array([[1.0, -0.5, 2.0], [0.3, 0.0, -1.0]])
t = jnp.array([2, 0])
a = cross_entropy(x, t, label_smoothing=0.1)
b = smooth_l1_loss(x, jnp.zeros((2, 3)), reduction="sum")
c = jnp.mean((jax.nn.softmax(jnp.tanh(x), axis=-1) - jnp.ones((2, 3))) ** 2)

def value_of(x):
    a = cross_entropy(x, t, label_smoothing=0.1)
    b = smooth_l1_loss(x, jnp.zeros((2, 3)), reduction="sum")
    c = jnp.mean((jax.nn.softmax(jnp.tanh(x), axis=-1) - jnp.ones((2, 3))) ** 2)
    return a + b + c

x_grad = jax.grad(value_of)(x)
print(x_grad)

# name: hooks
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def hooked(value, hook):
    """value; in the backward pass the hook runs."""
    @jax.custom_vjp
    def same(value):
        return value

    same.defvjp(lambda value: (value, None), lambda _, grad: (changed(hook, grad),))
    return same(value)


def changed(hook, grad):
    """The gradient after a hook."""
    new = hook(grad)
    return grad if new is None else new


x = jnp.array([1.0, 2.0])
h = x * 3

def value_of(x):
    h = x * 3
    h = hooked(h, lambda g: g * 2)
    return (h**2).sum()

new_x = jax.grad(value_of)(x)
x_grad = changed(lambda g: -g, new_x)
print(x_grad)

# name: a second derivative
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1.0, 2.0])

def value_of(x):
    return (x**3).sum()

g = jax.grad(value_of)(x)

def value_of2(x):

    def value_of2(x):
        return (x**3).sum()

    g = jax.grad(value_of2)(x)
    return g.sum()

g2 = jax.grad(value_of2)(x)
print(g2)

# name: dropped elements
# line 4: F.dropout drops random elements; JAX draws different ones
# switch it off, with training=False or net.eval(), or export --to torch

# name: the gradient of a value in the middle
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1.0, 2.0])
h = x * 2

def value_of(x, h_shift):
    h = x * 2
    h = h + h_shift
    return h.sum()

x_grad, h_grad = jax.grad(value_of, argnums=(0, 1))(x, jnp.zeros_like(h))
print(h_grad)

# name: a value that is constant from here on
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([2.0, 3.0])
y = x
y = y

def value_of(x):
    return (y * x).sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)

# name: an axis alone
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([2.0, 3.0])
y = jnp.einsum("i->", *(jnp.transpose(x, (0,)),))

def value_of(x):
    y = jnp.einsum("i->", *(jnp.transpose(x, (0,)),))
    return y * y

_, pullback = jax.vjp(value_of, x)
x_grad, = pullback(jnp.array(2.0, dtype=jnp.float32).astype(jnp.float64))
print(x_grad)

# name: a hook alone at the prompt
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def hooked(value, hook):
    """value; in the backward pass the hook runs."""
    @jax.custom_vjp
    def same(value):
        return value

    same.defvjp(lambda value: (value, None), lambda _, grad: (changed(hook, grad),))
    return same(value)


def changed(hook, grad):
    """The gradient after a hook."""
    new = hook(grad)
    return grad if new is None else new


x = jnp.array([1.0, 2.0])
h = x * 3

def value_of(x, h_shift):
    h = x * 3
    h = h + h_shift
    h = hooked(h, lambda g: g * 2)
    return (h**2).sum()

new_x, h_grad = jax.grad(value_of, argnums=(0, 1))(x, jnp.zeros_like(h))
x_grad = changed(lambda g: -g, new_x)
print(x_grad)
print(h_grad)

# name: a leaf that is modified between its use and backward
# line 4: x is modified between its use and backward
# modify it after backward, or export --to torch

# name: a leaf that is replaced behind the graph before its use
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1.0, 2.0])
y = x * 3
x = jnp.array([5.0, 7.0])
x += 1

def value_of(x):
    return (x**2).sum()

x_grad = jax.grad(value_of)(x)
print(y, x_grad)

# name: what was computed before a leaf was written to, asked for
# line 5: x is modified between its use and backward
# modify it after backward, or export --to torch

# name: numbers that have dimensions, and numbers that have none
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def absolute(input):
    """|x|, with slope 0 at 0."""
    return input * jnp.sign(input)


def clamp(input, min=None, max=None):
    """Limits x to the bounds; at a bound that is a number the slope is 0."""
    if isinstance(min, jax.Array) and isinstance(max, jax.Array):
        low = jnp.maximum(input, min)
        tie = (min == max) & (low == max)
        return jnp.where(tie, jnp.where(input == min, input, min), jnp.minimum(low, max))
    if isinstance(min, jax.Array):
        input = jnp.maximum(input, min)
    elif min is not None:
        input = jnp.where(input <= min, min, input)
    if isinstance(max, jax.Array):
        return jnp.minimum(input, max)
    return input if max is None else jnp.where(input >= max, max, input)


def nextafter(input, other):
    """The next number towards other, with slope 1 unless they are equal."""
    after = jnp.nextafter(*jax.lax.stop_gradient((input, other)))
    return jnp.where(input == other, after, input + jax.lax.stop_gradient(after - input))


def root(square):
    """The square root, with slope 0 at 0."""
    zero = square == 0
    return jnp.where(zero, 0 * square, jnp.sqrt(jnp.where(zero, 1, square)))


def var_mean(input, dim=None, unbiased=True, keepdim=False, correction=None):
    """The variance and the mean."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    ddof = int(unbiased) if correction is None else correction
    return (jnp.var(input, axis=dim, ddof=ddof, keepdims=keepdim),
            jnp.mean(input, axis=dim, keepdims=keepdim))


def vector_norm(x, ord=2, dim=None, keepdim=False):
    """(Σ|x|ᵖ)^(1/p), with slope 0 at 0."""
    dim = dim if x.ndim else None
    if ord == float("inf"):
        return jnp.max(absolute(x), axis=dim, keepdims=keepdim)
    if ord == -float("inf"):
        return jnp.min(absolute(x), axis=dim, keepdims=keepdim)
    if ord == 0:
        return jnp.sum(x != 0, axis=dim, keepdims=keepdim).astype(x.dtype)
    if ord == 1:
        return jnp.sum(absolute(x), axis=dim, keepdims=keepdim)
    if ord == 2:
        return root(jnp.sum(x * x, axis=dim, keepdims=keepdim))
    zero = x == 0
    powers = jnp.where(zero, 0 * x, absolute(jnp.where(zero, 1, x)) ** ord)
    total = jnp.sum(powers, axis=dim, keepdims=keepdim)
    return jnp.where(total == 0, 0 * total, jnp.where(total == 0, 1, total) ** (1 / ord))


def normalize(input, p=2.0, dim=1, eps=1e-12):
    """Vectors scaled to norm 1."""
    return input / clamp(vector_norm(input, p, dim, True), eps)


x = jnp.array([1.5])
y = jnp.array(2.5)
a = float(x.item()) + int(x.item())
b = normalize(y, dim=0) + y + var_mean(y)[1]

def value_of(x, y):
    b = normalize(y, dim=0) + y + var_mean(y)[1]
    return (b * x + nextafter(y, x)).sum()

x_grad, y_grad = jax.grad(value_of, argnums=(0, 1))(x, y)
print(a)

# name: windows with their places
# line 3: the JAX export has no form for F.max_pool2d with return_indices
# write it with sums, products and elementary functions, or export --to torch

# name: windows with gaps
# line 3: the JAX export has no form for F.max_pool2d with dilation
# write it with sums, products and elementary functions, or export --to torch

# name: a size by area
# line 3: the JAX export has no form for F.interpolate with size, mode
# write it with sums, products and elementary functions, or export --to torch

# name: a size by a factor that is not whole
# line 3: the JAX export has no form for F.interpolate with scale_factor, mode
# write it with sums, products and elementary functions, or export --to torch

# name: a histogram's edges, the sign of an integer
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def absolute(input):
    """|x|, with slope 0 at 0."""
    return input * jnp.sign(input)


def copysign(input, other):
    """|input| with the sign of other, as a float."""
    input = jnp.asarray(input)
    size = absolute(input if jnp.issubdtype(input.dtype, jnp.floating) else input.astype(float))
    return jnp.where(jnp.signbit(jnp.asarray(other, dtype=float)), -size, size)


def histc(input, bins=100, min=0, max=0):
    """The number of elements in each bin."""
    low, high = (input.min(), input.max()) if min == max else (min, max)
    low, high = (low - 1, high + 1) if low == high else (low, high)
    place = jnp.clip(((input - low) * bins / (high - low)).astype(int), 0, bins - 1)
    inside = (input >= low) & (input <= high)
    return jnp.zeros(bins, input.dtype).at[place].add(inside.astype(input.dtype))


x = jnp.array([[0.5, 1.0, -1.0], [3.0, -3.0, 2.5]])
print(histc(x, 3))
k = jnp.array([0, 3, 200]).astype(jnp.uint8)
s = copysign(k.astype(jnp.float64), k.astype(jnp.float64))
print(s, s % k)

def value_of(x):
    return (x * s).sum()

x_grad = jax.grad(value_of)(x)

# name: a function writes to its parameter in place, in a loop that writes too
# line 10: bump writes to w in place; JAX arrays are immutable
# return the new value, and assign it: w = bump(…)

# name: a loop writes to leaves under its own name, and a line under theirs
# line 8: the loop modifies its element p in place; JAX arrays are immutable
# write to each tensor by its own name, or export --to torch

# name: a function of a number that changes before the backward
# line 7: k changes between here and the backward
# give the changed value another name, or export --to torch

# name: a function counts its calls
# line 9: f modifies n, and JAX runs the differentiated statements again
# export --to torch

# name: a parameter's gradient is written to in a function
# line 6: p is modified through a view; JAX arrays are immutable
# assign to the tensor itself: x[…] = …

# name: of equal maxima the first has the gradient
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def spread(value, count):
    """Repeats one number for each dimension."""
    value = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    return value * count if len(value) == 1 else value


def first_max(input, axis):
    """The maxima along a dimension; at a tie the first gets the gradient."""
    index = jnp.argmax(input, axis, keepdims=True)
    return jnp.squeeze(jnp.take_along_axis(input, index, axis), axis)


def adaptive_pool(f, input, output_size, n):
    """Applies f to nearly equal parts of the last n dimensions."""
    f = first_max if f is jnp.max else f
    for axis, count in [*zip(range(input.ndim - n, input.ndim), spread(output_size, n))][::-1]:
        length = input.shape[axis]
        count = length if count is None else count
        parts = [(k * length // count, -(-(k + 1) * length // count)) for k in range(count)]
        rows = [jax.lax.slice_in_dim(input, a, b, axis=axis) for a, b in parts]
        found = [f(r, axis=axis) for r in rows]
        input = jnp.stack(found, axis=axis) if found else jax.lax.slice_in_dim(input, 0, 0, axis=axis)
    return input


w = jnp.array([1.0, 2.0])
x = jnp.array([[[1.0, 2.0, 2.0], [2.0, 0.5, 2.0], [0.0, 0.0, 1.0]]])

def value_of(x):
    return (adaptive_pool(jnp.max, x, 1, 2) * 3).sum()

x_grad = jax.grad(value_of)(x)
z = jnp.array([1.0, 1.0, 0.5])

def value_of2(z):
    return adaptive_pool(jnp.max, z.reshape((1, 1, -1)), 2, 1).sum()

z_grad = jax.grad(value_of2)(z)
print(x_grad, z_grad)

# name: a fraction written to whole numbers, and a number sorted
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

w = jnp.array([1.0, 2.0])
n = jnp.array([4, 0])
n = jnp.where(n > 1, 1.5, n).astype(jnp.int64)

def m_of(w):
    return jnp.sort(jnp.atleast_1d(w.sum()), axis=0)[0]

m, w_grad = jax.value_and_grad(m_of)(w)
print(n, m, w_grad)

# name: matrices of which one triangle is read
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def mirrored(input):
    """The symmetric matrix that has the lower triangle of input; the slopes are symmetric too."""
    even = (input + input.mT) / 2
    lower = jnp.tril(input) + jnp.tril(input, -1).mT
    return even + jax.lax.stop_gradient(lower - even)


A = jnp.array([[2.0, 7.0], [1.0, 3.0]])

def value_of(A):
    return (jnp.linalg.eigvalsh(mirrored(A)) * jnp.array([1.0, 2.0])).sum()

A_grad = jax.grad(value_of)(A)
B = jnp.array([[4.0, 9.0], [2.0, 3.0]])
L = jnp.linalg.cholesky(mirrored(B))

def value_of2(B):
    L = jnp.linalg.cholesky(mirrored(B))
    return L.sum()

B_grad = jax.grad(value_of2)(B)
print(A_grad, L, B_grad)

# name: whole numbers and truths where floats come of them
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def absolute(input):
    """|x|, with slope 0 at 0."""
    return input * jnp.sign(input)


def digamma(input):
    """The logarithmic derivative of the gamma function, infinite at 0."""
    pole = -jnp.copysign(jnp.inf, input)
    return jnp.where(input == 0, pole, jax.scipy.special.digamma(input))


def i0(input):
    """The modified Bessel function of order 0."""
    return jnp.exp(absolute(input)) * jax.scipy.special.i0e(input)


n = jnp.array([3, 0, -1])
b = jnp.array([True, False])
x = jnp.array(0.7)
y = digamma(n.astype(jnp.float64)), jax.nn.sigmoid(n.astype(jnp.float64)), jax.nn.sigmoid(b.astype(jnp.float64)), b.astype(jnp.float64) / 0, i0(b.astype(jnp.float64))
filled = jnp.where(b, 1.0, b).astype(jnp.bool_)

def value_of(x):
    return jax.scipy.special.xlogy(x, -1.)

x_grad = jax.grad(value_of)(x)
print(y, filled, x_grad, jnp.array([-1.2, 2.3]).astype(jnp.int32).astype(jnp.uint8))

# name: numbers without dimensions, along one
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


def evenly(input, value):
    """value, with its slope shared equally among the elements equal to it."""
    value = jax.lax.stop_gradient(value)
    same = (input == value) | (jnp.isnan(input) & jnp.isnan(value))
    return value + jnp.sum(jnp.where(same, input - jax.lax.stop_gradient(input), 0)) / jnp.sum(same)


def nanmedian(input, dim=None, keepdim=False):
    """The median, ignoring NaN."""
    if dim is None:
        return evenly(input, nanmedian(input.ravel(), 0).values)
    if jnp.ndim(input) == 0:
        return at_place(input, None, dim, keepdim)
    count = jnp.sum(~jnp.isnan(input), axis=dim, keepdims=True)
    place = jnp.maximum(count - 1, 0) // 2
    index = jnp.take_along_axis(jnp.argsort(input, axis=dim), place, axis=dim)
    return at_place(input, jnp.squeeze(index, dim), dim, keepdim)


x = jnp.array(0.7)
print(jnp.argsort(jnp.atleast_1d(x))[0], jnp.count_nonzero(x), jax.nn.log_softmax(jnp.atleast_1d(x), axis=0)[0], nanmedian(x, 0).values)

def value_of(x):
    return jnp.atleast_1d(x).cumsum(0)[0]

x_grad = jax.grad(value_of)(x)

# name: pieces before places that do not divide it
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def tensor_split(input, indices, dim=0):
    """Splits a dimension before the given places."""
    edges = zip([0, *indices], [*indices, None])
    return tuple(input[along(input, dim, slice(a, b))] for a, b in edges)


def along(input, dim, index):
    """An index that selects along one dimension."""
    return (slice(None),) * (dim % max(input.ndim, 1)) + (index,)


x = jnp.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
a, b, c = tensor_split(x, (1, 9), min(x.ndim - 1, 1))
d = tensor_split(x, (-1,))[1]
e = jnp.take_along_axis(x.ravel(), jnp.array([4, 0]).ravel(), axis=0)

def value_of(x):
    a, b, c = tensor_split(x, (1, 9), min(x.ndim - 1, 1))
    d = tensor_split(x, (-1,))[1]
    e = jnp.take_along_axis(x.ravel(), jnp.array([4, 0]).ravel(), axis=0)
    return b.sum() + (d * d).sum() + (e * e).sum()

x_grad = jax.grad(value_of)(x)
print(a, b, c.shape, d, e, x_grad)

# name: a number where JAX takes a vector
# line 3: the JAX export has no form for torch.searchsorted of an array with 2 dimensions
# write it with sums, products and elementary functions, or export --to torch

# name: all elements dropped
# line 4: F.dropout drops every element
# write 0 * x, or export --to torch

# name: a hook's handle is printed
# line 5: the JAX export has no form for h here
# leave the line out, or export --to torch

# name: a second derivative through a hook
# line 6: y has a hook, and a second derivative is taken through it
# remove the hook, or export --to torch

# name: the slope of a remainder by its divisor
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def moving(input):
    """0, with slope 1."""
    return jnp.where(jnp.isfinite(input), input - jax.lax.stop_gradient(input), 0)


def remainder(input, other):
    """input % other, with slope -floor(input / other) by other."""
    turns = jax.lax.stop_gradient(jnp.floor_divide(input, other))
    return input % jax.lax.stop_gradient(other) - turns * moving(other)


def turns(vectors, signs):
    """1 or -1 for each column, so that its first large component has the given sign."""
    size = jnp.abs(vectors)
    first = jnp.argmax(size > 0.618 * size.max(-2, keepdims=True), -2, keepdims=True)
    large = jnp.take_along_axis(vectors, first, -2)
    return jax.lax.stop_gradient(jnp.sign(large)) * jnp.array(signs, vectors.dtype)


x = jnp.array([[0.2, -3.0, 0.34]])
z = jnp.array([[-2.2, 3.0, -2.0], [2.8, 1.0, -1.83]])
y = remainder(2 * z, x) + remainder(z, x)

def value_of(x, z):
    y = remainder(2 * z, x) + remainder(z, x)
    return y.sum()

x_grad, z_grad = jax.grad(value_of, argnums=(0, 1))(x, z)
print(x_grad, z_grad)

# name: truths of bytes, and what memory they take
# a program as a JAX program.
import jax
import jax.numpy as jnp

z = jnp.array([[0, 2], [0, 4]]).astype(jnp.uint8)
k = jnp.array([5, 1, -3])
u = z.any().astype(jnp.uint8)
w = z.all(axis=0).astype(jnp.uint8)
print(u, w, 24, 8)

# name: integers beside floats in a special function
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

a = jnp.array([[0.0, -1.0, 2.5]])
k = jnp.array([[5, 1, 3]], dtype=jnp.int32)
y = jax.scipy.special.xlogy(a, k.astype(jnp.float64))

def value_of(a):
    y = jax.scipy.special.xlogy(a, k.astype(jnp.float64))
    return y.sum()

a_grad = jax.grad(value_of)(a)
print(a_grad)

# name: what a function made is written to
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

y = (jnp.ones(3) + 1.) * 2.
print(jnp.zeros(2) - 1., y)

# name: what is computed again in the backward
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1.0, 2.0])

def y_of(x):
    return jax.checkpoint(lambda t: jnp.sin(t).sum())(x)

y, x_grad = jax.value_and_grad(y_of)(x)
print(x_grad)

# name: a backward inside a function, of its argument
# line 4: backward is called inside a function, and the leaves come from outside it
# move it out of the function, or export --to torch

# name: floats of two widths in one function
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


@jax.custom_jvp
def hypot(input, other):
    """The length of the hypotenuse, without overflow."""
    return jnp.hypot(input, other)

@hypot.defjvp
def hypot_slopes(primals, tangents):
    """The derivative of hypot."""
    length = hypot(*primals)
    return length, sum(t * (a / length) for t, a in zip(tangents, primals))


x = jnp.array(0.34, dtype=jnp.float64)

def y_of(x):
    return hypot(x, jnp.array(2.3, dtype=jnp.float32).astype(jnp.float64))

y, x_grad = jax.value_and_grad(y_of)(x)
print(x_grad)

# name: parts and the median of nothing
# a program as a JAX program.
import collections
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def split(input, split_size, dim=0):
    """Splits a dimension into parts of the given sizes."""
    count = input.shape[dim]
    if isinstance(split_size, int):
        ends = list(range(split_size, count, split_size))
    else:
        ends = [sum(split_size[:k]) for k in range(1, len(split_size))]
    return tuple(jnp.split(input, ends, axis=dim))


def chunk(input, chunks, dim=0):
    """Splits a dimension into equal parts; the last may be smaller."""
    if input.shape[dim] == 0:
        return (input,) * chunks
    return split(input, max(-(-input.shape[dim] // chunks), 1), dim)


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


def kthvalue(input, k, dim=-1, keepdim=False):
    """The kth smallest along a dimension and its index."""
    index = jnp.argsort(input, axis=dim) if jnp.ndim(input) else None
    index = None if index is None else jnp.take(index, k - 1, axis=dim)
    return at_place(input, index, dim, keepdim)


def evenly(input, value):
    """value, with its slope shared equally among the elements equal to it."""
    value = jax.lax.stop_gradient(value)
    same = (input == value) | (jnp.isnan(input) & jnp.isnan(value))
    return value + jnp.sum(jnp.where(same, input - jax.lax.stop_gradient(input), 0)) / jnp.sum(same)


def median(input, dim=None, keepdim=False):
    """The median; of two middle elements, the lower."""
    if dim is None and input.size == 0:
        return jnp.full((), jnp.nan, input.dtype)
    if dim is None:
        return evenly(input, median(input.ravel(), 0).values)
    count = input.shape[dim] if jnp.ndim(input) else 1
    place = (count + 1) // 2
    if jnp.ndim(input) == 0:
        return kthvalue(input, 1, dim, keepdim)
    missing = jnp.isnan(input)
    index = jnp.take(jnp.argsort(input, axis=dim), place - 1, axis=dim)
    index = jnp.where(missing.any(dim), jnp.argmax(missing, dim), index)
    return at_place(input, index, dim, keepdim)


a = jnp.zeros(0)
y = chunk(a, 2)
m = median(a)
print(len(y), m)

# name: bounds that are tensors, at ties
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def clamp(input, min=None, max=None):
    """Limits x to the bounds; at a bound that is a number the slope is 0."""
    if isinstance(min, jax.Array) and isinstance(max, jax.Array):
        low = jnp.maximum(input, min)
        tie = (min == max) & (low == max)
        return jnp.where(tie, jnp.where(input == min, input, min), jnp.minimum(low, max))
    if isinstance(min, jax.Array):
        input = jnp.maximum(input, min)
    elif min is not None:
        input = jnp.where(input <= min, min, input)
    if isinstance(max, jax.Array):
        return jnp.minimum(input, max)
    return input if max is None else jnp.where(input >= max, max, input)


x = jnp.array([0.0, 0.0, 3.0, 1.0, 2.0, 5.0])
a = jnp.array([1.0, 0.0, 1.0, 1.0, 2.0, 5.0])
b = jnp.array([1.0, 1.0, 1.0, 1.0, 1.0, 5.0])
y = clamp(x, a, b)

def value_of(x, a, b):
    y = clamp(x, a, b)
    return y.sum()

x_grad, a_grad, b_grad = jax.grad(value_of, argnums=(0, 1, 2))(x, a, b)
print(x_grad, a_grad, b_grad)

# name: vectors that are the same with the other sign
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def mirrored(input):
    """The symmetric matrix that has the lower triangle of input; the slopes are symmetric too."""
    even = (input + input.mT) / 2
    lower = jnp.tril(input) + jnp.tril(input, -1).mT
    return even + jax.lax.stop_gradient(lower - even)


def turns(vectors, signs):
    """1 or -1 for each column, so that its first large component has the given sign."""
    size = jnp.abs(vectors)
    first = jnp.argmax(size > 0.618 * size.max(-2, keepdims=True), -2, keepdims=True)
    large = jnp.take_along_axis(vectors, first, -2)
    return jax.lax.stop_gradient(jnp.sign(large)) * jnp.array(signs, vectors.dtype)


def eigh(A, signs):
    """Eigenvalues and eigenvectors, these with the given signs."""
    parts = jnp.linalg.eigh(mirrored(A))
    return parts._replace(eigenvectors=parts.eigenvectors * turns(parts.eigenvectors, signs))


def svd(A, signs):
    """Singular values and vectors, these with the given signs."""
    parts = jnp.linalg.svd(A, full_matrices=False)
    turn = turns(parts.U, signs)
    return parts._replace(U=parts.U * turn, Vh=parts.Vh * turn.mT)


A = jnp.array([[1.0, 2.0, -1.0], [2.0, 0.3, 0.5], [-1.0, 0.5, 2.0]])
w, V = eigh(A, [[1, -1, 1]])
B = jnp.array([[1.0, 2.0, -1.0], [2.0, 0.3, 0.5]])
U, S, Vh = svd(B, [[1, -1]])

def value_of(A, B):
    w, V = eigh(A, [[1, -1, 1]])
    U, S, Vh = svd(B, [[1, -1]])
    return (V * jnp.arange(9.0).reshape((3, 3))).sum() + U[0, 1] * w[0] + Vh[1, 2] * S[0]

A_grad, B_grad = jax.grad(value_of, argnums=(0, 1))(A, B)
print(A_grad, B_grad)

# name: vectors of equal values
# line 2: the JAX export has no form for torch.linalg.eigh of a matrix with repeated values, whose vectors are free
# write it with sums, products and elementary functions, or export --to torch

# name: vectors beyond those of the values
# line 2: the JAX export has no form for torch.linalg.svd with vectors beyond those of its values
# write it with sums, products and elementary functions, or export --to torch

# name: values alone
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def mirrored(input):
    """The symmetric matrix that has the lower triangle of input; the slopes are symmetric too."""
    even = (input + input.mT) / 2
    lower = jnp.tril(input) + jnp.tril(input, -1).mT
    return even + jax.lax.stop_gradient(lower - even)


A = jnp.array([[2.0, 1.0], [1.0, 2.0]])

def y_of(A):
    return jnp.linalg.eigh(mirrored(A)).eigenvalues[0] + jnp.linalg.svd(A)[1][1]

y, A_grad = jax.value_and_grad(y_of)(A)
print(A_grad)

# name: a target's slope where a probability is 0 or 1
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def clamp(input, min=None, max=None):
    """Limits x to the bounds; at a bound that is a number the slope is 0."""
    if isinstance(min, jax.Array) and isinstance(max, jax.Array):
        low = jnp.maximum(input, min)
        tie = (min == max) & (low == max)
        return jnp.where(tie, jnp.where(input == min, input, min), jnp.minimum(low, max))
    if isinstance(min, jax.Array):
        input = jnp.maximum(input, min)
    elif min is not None:
        input = jnp.where(input <= min, min, input)
    if isinstance(max, jax.Array):
        return jnp.minimum(input, max)
    return input if max is None else jnp.where(input >= max, max, input)


def reduced(values, reduction):
    """The mean, the sum or all values."""
    return {"mean": jnp.mean, "sum": jnp.sum, "none": lambda v: v}[reduction](values)


@jax.custom_jvp
def leaning(x, slope):
    """0, with the given slope by x, which may be infinite."""
    return jnp.zeros_like(x * slope)

@leaning.defjvp
def leaning_slopes(primals, tangents):
    """The derivative of leaning."""
    x, slope = primals
    return leaning(x, slope), tangents[0] * slope


def binary_cross_entropy(input, target, weight=None, reduction="mean"):
    """-t log(p) - (1 - t) log(1 - p), with logarithms limited to -100."""
    end = input * (1 - input) < 1e-12
    inside = jnp.where(end, 0.5, input)
    loss = -target * clamp(jnp.log(inside), -100) - (1 - target) * clamp(jnp.log(1 - inside), -100)
    # At 0 and 1 the slope is PyTorch's, whose 1e-12 is float32's.
    kept = jax.lax.stop_gradient(input)
    fixed = jax.lax.stop_gradient(target)
    ends = -fixed * clamp(jnp.log(kept), -100) - (1 - fixed) * clamp(jnp.log(1 - kept), -100)
    ends = ends + (input - kept) * (kept - fixed) / 9.999999960041972e-13
    by_target = leaning(target, jnp.where(end, jnp.log(1 - kept) - jnp.log(kept), 0))
    loss = jnp.where(end, ends, loss) + by_target
    return reduced(loss if weight is None else weight * loss, reduction)


p = jnp.array([0.0, 1.0, 0.3, 0.0, 1.0])
t = jnp.array([0.0, 1.0, 0.2, 1.0, 0.5])

def value_of(p, t):
    return binary_cross_entropy(p, t)

p_grad, t_grad = jax.grad(value_of, argnums=(0, 1))(p, t)
print(p_grad, t_grad)

# name: zeros sent back to an infinite slope by what was written over
# line 4: the JAX export has no form for .copy_() over what may have an infinite slope
# write it with sums, products and elementary functions, or export --to torch

# name: zeros sent back to an infinite slope by what is flat
# line 3: the JAX export has no form for .floor() of what may have an infinite slope
# write it with sums, products and elementary functions, or export --to torch

# name: truths written to numbers, a vector of one to a place
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

a = jnp.array([1.0, 2.0, 2.0])
a = (a == 2.0).astype(jnp.float64)
a = a.at[0].set(jnp.array([5.0]).reshape(()))
print(a)

# name: the sign of a truth
# line 2: the JAX export has no form for torch.sign of a bool tensor
# write it with sums, products and elementary functions, or export --to torch

# name: the diagonal of several matrices is written to
# line 3: diagonal is modified through a view; JAX arrays are immutable
# assign to the tensor itself: x[…] = …

# name: a diagonal is written to
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

a = jnp.ones((3, 2))
a = a.at[jnp.diag_indices(2)].set(jnp.full_like(a[jnp.diag_indices(2)], 0))
print(a)

# name: powers of integers that are tensors
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


x = jnp.array([2.0, 0.0, 3.0])
y = power(x, jnp.array([2, 1, 3]))

def value_of(x):
    y = power(x, jnp.array([2, 1, 3]))
    return y.sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)

# name: a number written to by places
# line 3: the JAX export has no form for .scatter() of a number without dimensions
# write it with sums, products and elementary functions, or export --to torch

# name: where float32 misses a zero
# line 3: the JAX export has no form for .lgamma() of 1 or 2 in float32
# write it with sums, products and elementary functions, or export --to torch

# name: whole numbers of what is none
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def whole(input, dtype):
    """input in whole numbers; infinity and NaN become the least one."""
    fits = jnp.abs(input) <= jnp.iinfo(dtype).max
    return jnp.where(fits, jnp.where(fits, input, 0).astype(dtype), jnp.iinfo(dtype).min)


x = jnp.array([2.7, -1.3, float('nan'), float('inf')])
print(whole(x, jnp.int32), whole(x, jnp.int32).astype(jnp.int8), whole(x, jnp.int64))
print(jnp.array([1.5, -2.5]).astype(jnp.int32))

# name: sums in an inner loop
# line 5: t cannot be recomputed here: its leaf has changed, has another name now, or belongs to an earlier iteration of the loop
# write its line again just before backward, or export --to torch

# name: names that the program in JAX has for itself
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])

def value_of(x):
    return (x**2).sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)
x_grad_ = x_grad
len_ = 3

def pullback_(jnp_, max_pool_=1):
    return jnp_ * jnp_ * max_pool_

def value_of2(x):
    return (pullback_(x, max_pool_=2) * len_ * x).sum()

x_grad = jax.grad(value_of2)(x)
print(x_grad)
jax_ = [x_grad_ * conv_ for conv_ in [1, 2]]
seen = jax_[0] + jax_[1]
del x_grad_, jax_, len_

# name: gradients of several leaves taken back at once
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

a = jnp.array(2.)
b = jnp.array([3., -1.])

def value_of(a, b):
    return (a*b).sum()

a_grad, b_grad = jax.grad(value_of, argnums=(0, 1))(a, b)
print(a_grad)
print(b_grad)

def value_of2(a, b):
    return (a*b)[0]

a_grad, b_grad = jax.grad(value_of2, argnums=(0, 1))(a, b)
print(a_grad)
print(b_grad)

# name: a loop in a loop, whose names the inner one binds
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def added(old, new):
    """old + new, or new if old is None."""
    return new if old is None else old + new


w = jnp.array([1., 2.])
w_grad = None
x = w * 2

def loss_of(w, j, k, x):
    return (w * x * j + k).sum()

for e in range(2):
    for k, x in enumerate([jnp.array([1., 3.]), jnp.array([2., 1.])]):
        for j in range(2):
            loss, new_w = jax.value_and_grad(loss_of)(w, j, k, x)
            w_grad = added(w_grad, new_w)
print(w_grad)

# name: the same tensor under no_grad
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])
z = x * 3
a = z
b = z * 2
c = z
d = z[:1]

def value_of(x):
    z = x * 3
    a = z
    c = z
    return (a * z + b * c + d).sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)

# name: what runs again: break
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])
y = jnp.ones(2)
for i in range(4):
    if i == 2:
        break
    y = y * x

def value_of(x):
    y = jnp.ones(2)
    for i in range(4):
        if i == 2:
            break
        y = y * x
    return y.sum()

x_grad = jax.grad(value_of)(x)
print(y, x_grad)

# name: what runs again: continue
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])
acc = jnp.zeros(2)
for i in range(3):
    acc = acc + x*i
    if i == 1:
        continue
    acc = acc*x

def value_of(x):
    acc = jnp.zeros(2)
    for i in range(3):
        acc = acc + x*i
        if i == 1:
            continue
        acc = acc*x
    return acc.sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)

# name: what runs again: continue in while
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])
k = 0
y = jnp.ones(2)
while k < 5:
    k += 1
    if k == 3:
        continue
    y = y*x

def value_of(x):
    k = 0
    y = jnp.ones(2)
    while k < 5:
        k += 1
        if k == 3:
            continue
        y = y*x
    return y.sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)

# name: what runs again: break by value
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])
y = jnp.zeros(())
for v in x:
    if v.item() == 2.:
        break
    y = y + v*v

def y_of(x):
    y = jnp.zeros(())
    for v in x:
        if v.item() == 2.:
            break
        y = y + v*v
    return y

x_grad = jax.grad(y_of)(x)
print(x_grad)

# name: what runs again: breaks in nested loops
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])
y = jnp.ones(2)
for i in range(3):
    for j in range(3):
        if j > i:
            break
        y = y*x
    else:
        y = y + x

def value_of(x):
    y = jnp.ones(2)
    for i in range(3):
        for j in range(3):
            if j > i:
                break
            y = y*x
        else:
            y = y + x
    return y.sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)

# name: what runs again: break, and indices
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])
loss = 0.
for i in range(10):
    if i >= 2:
        break
    loss = loss + (x[i]*(i+1))**2

def loss_of(x):
    loss = 0.
    for i in range(10):
        if i >= 2:
            break
        loss = loss + (x[i]*(i+1))**2
    return loss

x_grad = jax.grad(loss_of)(x)
print(x_grad)

# name: what runs again: max of two tensors
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])
a = jnp.maximum(x, jnp.array([1.5, 1.5]))

def value_of(x):
    a = jnp.maximum(x, jnp.array([1.5, 1.5]))
    return a.sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)

# name: what runs again: max beside a number
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])
a = jnp.maximum(x, jnp.array(0.5))*2

def value_of(x):
    a = jnp.maximum(x, jnp.array(0.5))*2
    return a.sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)

# name: what runs again: methods of two tensors
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])
b = jnp.array([3., 1.])
a = jnp.maximum(x, b) + jnp.minimum(x, b)*3

def value_of(x):
    a = jnp.maximum(x, b) + jnp.minimum(x, b)*3
    return a.sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)

# name: what runs again: gradients in a comprehension
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])
y = jnp.concatenate([x, x[:1]])**2

def value_of(x, i):
    y = jnp.concatenate([x, x[:1]])**2
    return y[i]

rows = [jax.grad(value_of)(x, i) for i in range(3)]
print(rows)

# name: what runs again: a Hessian in a comprehension
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])
y = (x**3).sum()

def y_of(x):
    return (x**3).sum()

g = jax.grad(y_of)(x)

def value_of(x, i):
    y = (x**3).sum()

    def y_of2(x):
        return (x**3).sum()

    g = jax.grad(y_of2)(x)
    return g[i]

Hs = jnp.stack([jax.grad(value_of)(x, i) for i in range(2)])
print(Hs)

# name: what runs again: functions in a comprehension
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])

def value_of(x, f):
    return f(x).sum()

out = [jax.grad(value_of)(x, f) for f in (jnp.sin, jnp.exp)]
print(out)

# name: what runs again: a row unpacked
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])
y = x**2
J = jnp.zeros((2, 2))

def y_of(x):
    return x**2

for i in range(2):
    v = jnp.zeros(2)
    v = v.at[i].set(1.)
    new_0, = jax.vjp(y_of, x)[1](v)
    J = J.at[i].set(new_0)
print(J)

# name: what runs again: a closure that counts
# line 11: inner modifies c, and JAX runs the differentiated statements again
# export --to torch

# name: what runs again: a default that is a list
# line 6: cache['n'] modifies what was made elsewhere, and JAX runs the differentiated statements again
# export --to torch

# name: what runs again: Python's random
# line 5: random.uniform() may differ each time, and JAX runs the differentiated statements again
# export --to torch

# name: what runs again: an iterator
# line 4: ks is an iterator, and JAX runs the differentiated statements again
# export --to torch

# name: what runs again: static methods and class methods
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])
class A:

    @staticmethod
    def s(x):
        return x * 3

    @classmethod
    def c(cls, x):
        return x * 4

    @property
    def p(self):
        return 2.

y = A.s(x) + A.c(x)*A().p

def value_of(x):
    y = A.s(x) + A.c(x)*A().p
    return y.sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)

# name: what runs again: matrix norms at zeros
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def absolute(input):
    """|x|, with slope 0 at 0."""
    return input * jnp.sign(input)


def along(input, dim, index):
    """An index that selects along one dimension."""
    return (slice(None),) * (dim % max(input.ndim, 1)) + (index,)


def root(square):
    """The square root, with slope 0 at 0."""
    zero = square == 0
    return jnp.where(zero, 0 * square, jnp.sqrt(jnp.where(zero, 1, square)))


def vector_norm(x, ord=2, dim=None, keepdim=False):
    """(Σ|x|ᵖ)^(1/p), with slope 0 at 0."""
    dim = dim if x.ndim else None
    if ord == float("inf"):
        return jnp.max(absolute(x), axis=dim, keepdims=keepdim)
    if ord == -float("inf"):
        return jnp.min(absolute(x), axis=dim, keepdims=keepdim)
    if ord == 0:
        return jnp.sum(x != 0, axis=dim, keepdims=keepdim).astype(x.dtype)
    if ord == 1:
        return jnp.sum(absolute(x), axis=dim, keepdims=keepdim)
    if ord == 2:
        return root(jnp.sum(x * x, axis=dim, keepdims=keepdim))
    zero = x == 0
    powers = jnp.where(zero, 0 * x, absolute(jnp.where(zero, 1, x)) ** ord)
    total = jnp.sum(powers, axis=dim, keepdims=keepdim)
    return jnp.where(total == 0, 0 * total, jnp.where(total == 0, 1, total) ** (1 / ord))


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False):
    """A norm of matrices."""
    if ord == "fro":
        return vector_norm(A, 2, dim, keepdim)
    if ord in (1, -1, float("inf"), -float("inf")):
        rows, columns = (d % A.ndim for d in dim)
        along, over = (rows, columns) if abs(ord) == 1 else (columns, rows)
        sums = jnp.sum(absolute(A), axis=along, keepdims=True)
        extreme = jnp.max if ord > 0 else jnp.min
        value = extreme(sums, axis=over, keepdims=True)
        return value if keepdim else jnp.squeeze(value, (rows, columns))
    return jnp.linalg.norm(A, ord, axis=dim, keepdims=keepdim)


def linalg_norm(A, ord=None, dim=None, keepdim=False):
    """A norm of vectors, or of matrices."""
    if ord is None or isinstance(dim, int) or (dim is None and A.ndim == 1):
        return vector_norm(A, 2 if ord is None else ord, dim, keepdim)
    return matrix_norm(A, ord, (-2, -1) if dim is None else dim, keepdim)


x = jnp.array([1., 2.])
m = jnp.array([[1., -2.], [2., 1.], [0., 0.]])

def value_of(m):
    return matrix_norm(m, 1) + linalg_norm(m, 1)*2 + matrix_norm(m, -1)*3 + matrix_norm(m, -float('inf'))*5 + matrix_norm(m, float('inf'), keepdim=True).sum()*7

m_grad = jax.grad(value_of)(m)
print(m_grad)

# name: what runs again: sums of exponentials of big numbers
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


@jax.custom_jvp
def logaddexp(input, other):
    """log(eᵃ + eᵇ), without overflow."""
    return jnp.logaddexp(input, other)

@logaddexp.defjvp
def logaddexp_slopes(primals, tangents):
    """The derivative of logaddexp: shares that add up to 1."""
    a, b = primals
    t, u = tangents
    return logaddexp(a, b), t / (1 + jnp.exp(b - a)) + u / (1 + jnp.exp(a - b))


@jax.custom_jvp
def logaddexp2(input, other):
    """log2(2ᵃ + 2ᵇ), without overflow."""
    return jnp.logaddexp2(input, other)

@logaddexp2.defjvp
def logaddexp2_slopes(primals, tangents):
    """The derivative of logaddexp2: shares that add up to 1."""
    a, b = primals
    t, u = tangents
    return logaddexp2(a, b), t / (1 + jnp.exp2(b - a)) + u / (1 + jnp.exp2(a - b))


x = jnp.array([1., 2.])
x = jnp.array([1e17, 3.])
y = logaddexp(x, x) + logaddexp2(x, x)*3

def value_of(x):
    y = logaddexp(x, x) + logaddexp2(x, x)*3
    return y.sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)

# name: what runs again: xlog1py beside no logarithm
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


@jax.custom_jvp
def xlog1py(input, other):
    """input * log(1 + other), 0 where input is 0."""
    return jax.scipy.special.xlog1py(input, other)

@xlog1py.defjvp
def xlog1py_slopes(primals, tangents):
    """The derivative of xlog1py, with slope 0 beside what has no logarithm."""
    a, b = primals
    t, u = tangents
    none = (a == 0) & (b <= -1)
    log = jnp.where(none, 0, jnp.log1p(jnp.where(none, 0, b)))
    return xlog1py(a, b), t * log + u * (a / (b + 1))


x = jnp.array([1., 2.])
x = jnp.array([-3., 0.5])

def value_of(x):
    return xlog1py(x*0, x).sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)

# name: what runs again: an einsum without output
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])
z = jnp.ones((2, 3, 3))

def s_of(z):
    return jnp.einsum('bii->', *(z,))

s, z_grad = jax.value_and_grad(s_of)(z)
print(z_grad)

# name: what runs again: a list's pop in an expression
# line 4: stack.pop() modifies what was made elsewhere, and JAX runs the differentiated statements again
# export --to torch

# name: what runs again: a name bound by :=
# line 3: t is bound with :=, and JAX runs the differentiated statements again
# export --to torch

# name: what runs again: a hook that keeps gradients
# line 5: what seen holds changes here under another name or in a function
# export --to torch

# name: what runs again: an error that is printed
# line 6: err is the error that PyTorch raised; JAX's program leaves it out
# print a text of your own, or export --to torch

# name: what runs again: a default that grows
# line 6: seen.append(1) modifies what was made elsewhere, and JAX runs the differentiated statements again
# export --to torch

# name: what runs again: zero_grad to None
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def updated(step, params, grads, state):
    """Updates each parameter that has a gradient, and its state."""
    if isinstance(params, dict):
        state = state or {}
        pairs = {k: updated(step, p, grads.get(k), state.get(k)) for k, p in params.items()}
        return {k: p for k, (p, _) in pairs.items()}, {k: s for k, (_, s) in pairs.items()}
    if isinstance(params, tuple):
        pairs = [updated(step, *each) for each in zip(params, grads, state or len(params) * [None])]
        return tuple(p for p, _ in pairs), tuple(s for _, s in pairs)
    return (params, state) if grads is None else step(params, grads, state)


def sgd(params, grads, state, lr=0.001, momentum=0, dampening=0, weight_decay=0, nesterov=False,
        maximize=False):
    """A step of stochastic gradient descent: the new parameters and the new state."""
    def step(p, g, buffer):
        g = (-g if maximize else g) + weight_decay * p
        if momentum:
            buffer = g if buffer is None else momentum * buffer + (1 - dampening) * g
            g = g + momentum * buffer if nesterov else buffer
        return p - lr * g, buffer

    return updated(step, params, grads, state)


x = jnp.array([1., 2.])
x_grad = None
opt_state = None

def value_of(x):
    return (x*x).sum()

for k in range(3):
    x_grad = jax.grad(value_of)(x)
    x, opt_state = sgd(x, x_grad, opt_state, lr=0.1)
print(x_grad)

# name: what runs again: a leaf that is made anew before a loop
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def added(old, new):
    """old + new, or new if old is None."""
    return new if old is None else old + new


x = jnp.array([1., 2.])
w = jnp.array(2.)

def L_of(w):
    return w**2

L, w_grad = jax.value_and_grad(L_of)(w)
print(w_grad)
w = jnp.array(10.)
w_grad = None

def L_of2(w):
    return 3*w

for k in range(2):
    L, new_w = jax.value_and_grad(L_of2)(w)
    w_grad = added(w_grad, new_w)
    print(w_grad)

# name: what runs again: a condition that binds
# line 3: n is bound with :=, and JAX runs the differentiated statements again
# export --to torch

# name: what runs again: returns in a function
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])

def g(v):
    if v[0] > 0:
        return v*2
    return v*3

y = g(x)

def value_of(x):
    y = g(x)
    return y.sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)

# name: what runs again: a return in a loop
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])

def g(v):
    for i in range(5):
        if i == 2:
            return v
        v = v*x
    return v*100

y = g(x)

def value_of(x):
    def g(v):
        for i in range(5):
            if i == 2:
                return v
            v = v*x
        return v*100
    y = g(x)
    return y.sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)

# name: what runs again: operators of an object
# line 7: an operator of an object runs in c*x, and JAX runs the differentiated statements again
# export --to torch

# name: what runs again: a generator
# line 7: gen is a generator, and JAX runs the differentiated statements again
# export --to torch

# name: what runs again: a list that is reversed
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([1., 2.])
xs = []
for k in range(3):
    xs.append(x*k)
xs.reverse()
y = xs[0]*2 + xs[1]

def value_of(x):
    xs = []
    for k in range(3):
        xs.append(x*k)
    xs.reverse()
    y = xs[0]*2 + xs[1]
    return y.sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)

# name: what runs again: a dict under two names
# line 6: what d holds changes here under another name or in a function
# export --to torch

# name: what runs again: a dict that a function reads
# line 5: cfg changes between here and the backward
# give the changed value another name, or export --to torch

# name: what runs again: a list that closures share
# line 9: get reads k of a function around it, and JAX runs the differentiated statements again
# export --to torch

# name: what runs again: a number that closures share
# line 11: get reads k, which another function modifies, and JAX runs the differentiated statements again
# export --to torch

# name: functions that are methods in JAX
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def clamp(input, min=None, max=None):
    """Limits x to the bounds; at a bound that is a number the slope is 0."""
    if isinstance(min, jax.Array) and isinstance(max, jax.Array):
        low = jnp.maximum(input, min)
        tie = (min == max) & (low == max)
        return jnp.where(tie, jnp.where(input == min, input, min), jnp.minimum(low, max))
    if isinstance(min, jax.Array):
        input = jnp.maximum(input, min)
    elif min is not None:
        input = jnp.where(input <= min, min, input)
    if isinstance(max, jax.Array):
        return jnp.minimum(input, max)
    return input if max is None else jnp.where(input >= max, max, input)


x = jnp.array([1., -2., 3.])
y = x*1
y = jax.nn.relu(y)
z = clamp(jnp.sin(y), 0., 0.5) * x / x.size

def value_of(x):
    y = x*1
    y = jax.nn.relu(y)
    z = clamp(jnp.sin(y), 0., 0.5) * jax.lax.stop_gradient(x) / x.size
    return z.sum()

x_grad = jax.grad(value_of)(x)
print(x_grad)
