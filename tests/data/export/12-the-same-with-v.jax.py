# 12-the-same-with-v.vjp as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

# The same with v
#
# The same layer, but this time backward starts at the two losses.
X = jnp.array([[0.1, 0.2, 0.3], [0.4, 0.6, 0.8]])
y_true = jnp.array([[0., 1.]])

W = jnp.array([[0.5, -0.25, 0.75]])
b = jnp.array([[0.431070, -0.347143]])

# The mean is ½·losses₁₁ + ½·losses₁₂, so its slopes are ½ and ½. Pass them as
# v: the last line of the panel names the scalar whose gradient this is.

def losses_of(W, b):
    return (y_true - jax.nn.sigmoid(W @ X.T + b))**2

losses, pullback = jax.vjp(losses_of, W, b)
W_grad, b_grad = pullback(jnp.array([[0.5, 0.5]]))
print(W_grad)
print(b_grad)
