# 15-the-same-by-accumulation.vjp as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def added(grad, more):
    """Gradients add up, as x.grad does."""
    return more if grad is None else grad + more


# The same by accumulation
#
# PyTorch does allow four backwards, one after the other: each adds to x.grad.
x = jnp.array(1.)
x_grad = None
y = x**2

for v in [1., 10., 100., 1000.]:

    def y_of(x):
        y = x**2
        return y

    y, pullback = jax.vjp(y_of, x)
    x_grad = added(x_grad, pullback(jnp.asarray(v, dtype=float))[0])
    print('x.grad:', x_grad)
print(x_grad)

# 2, 22, 222, 2222: the last is what the vector gave in one backward.
print(x_grad)
