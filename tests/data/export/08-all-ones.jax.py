# 08-all-ones.vjp as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

# All ones
#
# y = 3x², element by element.
x = jnp.array([1., 2.])

# y₁ depends on x₁ alone and y₂ on x₂ alone: a dot in J means that no path
# leads from one to the other. With all weights 1 the rows are added as they
# are: that is the gradient of y.sum().

def y_of(x):
    return 3*x**2

y, pullback = jax.vjp(y_of, x)
x_grad, = pullback(jnp.array([1., 1.]))
print(x_grad)
