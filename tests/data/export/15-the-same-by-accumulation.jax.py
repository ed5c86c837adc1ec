# 15-the-same-by-accumulation.vjp as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def added(old, new):
    """old + new, or new if old is None."""
    return new if old is None else old + new


# The same by accumulation
#
# PyTorch does allow four backwards, one after the other: each adds to x.grad.
x = jnp.array(1.)
x_grad = None
y = x**2

def y_of(x):
    return x**2

for v in [1., 10., 100., 1000.]:
    y, pullback = jax.vjp(y_of, x)
    new_x, = pullback(jnp.asarray(v, dtype=jnp.float64))
    x_grad = added(x_grad, new_x)
    print('x.grad:', x_grad)

# 2, 22, 222, 2222: the last is what the vector gave in one backward.
print(x_grad)
