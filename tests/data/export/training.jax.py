# name: SGD with Nesterov momentum
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


x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    x = x @ params['0.weight'].T + params['0.bias']
    x = jnp.tanh(x)
    return x @ params['2.weight'].T + params['2.bias']

net_params = {
    '0.weight': jnp.array([[-0.7010772228240967, -0.5578091740608215], [-0.3028644621372223, -0.6689868569374084], [-0.04014335572719574, -0.6220895051956177], [0.38447636365890503, 0.3446429371833801]]),
    '0.bias': jnp.array([0.13353174924850464, 0.5485121607780457, -0.06925216317176819, 0.42354369163513184]),
    '2.weight': jnp.array([[-0.3501591086387634, -0.09853118658065796, -0.445823073387146, -0.04059475660324097]]),
    '2.bias': jnp.array([-0.32439476251602173]),
}
net_grads = {}
opt_state = None

def loss_of(net_params):
    return jnp.mean((net(net_params, x) - t) ** 2)

for step in range(6):
    loss, net_grads = jax.value_and_grad(loss_of)(net_params)
    net_params, opt_state = sgd(net_params, net_grads, opt_state, lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.01)
print(loss.item())
end, slope = net_params['2.weight'], net_grads['2.weight']

# name: AdamW with amsgrad
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


def adam(params, grads, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8, weight_decay=0,
         amsgrad=False, maximize=False):
    """A step of Adam: the new parameters and the new state."""
    def step(p, g, state):
        t, mean, square, most = state or (0, 0, 0, 0)
        g = (-g if maximize else g) + weight_decay * p
        t = t + 1
        mean = betas[0] * mean + (1 - betas[0]) * g
        square = betas[1] * square + (1 - betas[1]) * g * g
        most = jnp.maximum(most, square)
        size = jnp.sqrt((most if amsgrad else square) / (1 - betas[1] ** t)) + eps
        return p - lr / (1 - betas[0] ** t) * mean / size, (t, mean, square, most)

    return updated(step, params, grads, state)


def adamw(params, grads, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01,
          amsgrad=False, maximize=False):
    """A step of AdamW, whose weight decay stays out of the means."""
    def decay(p, g, state):
        return p * (1 - lr * weight_decay), state

    decayed, _ = updated(decay, params, grads, None)
    return adam(decayed, grads, state, lr, betas, eps, 0, amsgrad, maximize)


x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    x = x @ params['0.weight'].T + params['0.bias']
    x = jnp.tanh(x)
    return x @ params['2.weight'].T + params['2.bias']

net_params = {
    '0.weight': jnp.array([[-0.7010772228240967, -0.5578091740608215], [-0.3028644621372223, -0.6689868569374084], [-0.04014335572719574, -0.6220895051956177], [0.38447636365890503, 0.3446429371833801]]),
    '0.bias': jnp.array([0.13353174924850464, 0.5485121607780457, -0.06925216317176819, 0.42354369163513184]),
    '2.weight': jnp.array([[-0.3501591086387634, -0.09853118658065796, -0.445823073387146, -0.04059475660324097]]),
    '2.bias': jnp.array([-0.32439476251602173]),
}
net_grads = {}
opt_state = None

def loss_of(net_params):
    return jnp.mean((net(net_params, x) - t) ** 2)

for step in range(6):
    loss, net_grads = jax.value_and_grad(loss_of)(net_params)
    net_params, opt_state = adamw(net_params, net_grads, opt_state, lr=0.05, amsgrad=True)
print(loss.item())
end, slope = net_params['2.weight'], net_grads['2.weight']

# name: RMSprop, centred
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


def rmsprop(params, grads, state, lr=0.01, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0,
            centered=False, maximize=False):
    """A step of RMSprop: the new parameters and the new state."""
    def step(p, g, state):
        square, mean, buffer = state or (0, 0, 0)
        g = (-g if maximize else g) + weight_decay * p
        square = alpha * square + (1 - alpha) * g * g
        mean = alpha * mean + (1 - alpha) * g
        size = jnp.sqrt(square - mean * mean if centered else square) + eps
        buffer = momentum * buffer + g / size
        return p - lr * buffer, (square, mean, buffer)

    return updated(step, params, grads, state)


x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    x = x @ params['0.weight'].T + params['0.bias']
    x = jnp.tanh(x)
    return x @ params['2.weight'].T + params['2.bias']

net_params = {
    '0.weight': jnp.array([[-0.7010772228240967, -0.5578091740608215], [-0.3028644621372223, -0.6689868569374084], [-0.04014335572719574, -0.6220895051956177], [0.38447636365890503, 0.3446429371833801]]),
    '0.bias': jnp.array([0.13353174924850464, 0.5485121607780457, -0.06925216317176819, 0.42354369163513184]),
    '2.weight': jnp.array([[-0.3501591086387634, -0.09853118658065796, -0.445823073387146, -0.04059475660324097]]),
    '2.bias': jnp.array([-0.32439476251602173]),
}
net_grads = {}
opt_state = None

def loss_of(net_params):
    return jnp.mean((net(net_params, x) - t) ** 2)

for step in range(6):
    loss, net_grads = jax.value_and_grad(loss_of)(net_params)
    net_params, opt_state = rmsprop(net_params, net_grads, opt_state, lr=0.01, momentum=0.9, centered=True)
print(loss.item())
end, slope = net_params['2.weight'], net_grads['2.weight']

# name: Adagrad
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


def adagrad(params, grads, state, lr=0.01, lr_decay=0, weight_decay=0, initial_accumulator_value=0,
            eps=1e-10, maximize=False):
    """A step of Adagrad: the new parameters and the new state."""
    def step(p, g, state):
        t, total = state or (0, initial_accumulator_value)
        g = (-g if maximize else g) + weight_decay * p
        total = total + g * g
        return p - lr / (1 + t * lr_decay) * g / (jnp.sqrt(total) + eps), (t + 1, total)

    return updated(step, params, grads, state)


x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    x = x @ params['0.weight'].T + params['0.bias']
    x = jnp.tanh(x)
    return x @ params['2.weight'].T + params['2.bias']

net_params = {
    '0.weight': jnp.array([[-0.7010772228240967, -0.5578091740608215], [-0.3028644621372223, -0.6689868569374084], [-0.04014335572719574, -0.6220895051956177], [0.38447636365890503, 0.3446429371833801]]),
    '0.bias': jnp.array([0.13353174924850464, 0.5485121607780457, -0.06925216317176819, 0.42354369163513184]),
    '2.weight': jnp.array([[-0.3501591086387634, -0.09853118658065796, -0.445823073387146, -0.04059475660324097]]),
    '2.bias': jnp.array([-0.32439476251602173]),
}
net_grads = {}
opt_state = None

def loss_of(net_params):
    return jnp.mean((net(net_params, x) - t) ** 2)

for step in range(6):
    loss, net_grads = jax.value_and_grad(loss_of)(net_params)
    net_params, opt_state = adagrad(net_params, net_grads, opt_state, lr=0.1, lr_decay=0.1, initial_accumulator_value=0.2)
print(loss.item())
end, slope = net_params['2.weight'], net_grads['2.weight']

# name: a step before the first backward
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


x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    return x @ params['weight'].T + params['bias']

net_params = {
    'weight': jnp.array([[-0.7010772228240967, -0.5578091740608215]]),
    'bias': jnp.array([-0.3028644621372223]),
}
net_grads = {}
opt_state = None

def loss_of(net_params):
    return jnp.mean((net(net_params, x) - t) ** 2)

for step in range(3):
    net_params, opt_state = sgd(net_params, net_grads, opt_state, lr=0.1, momentum=0.9)
    loss, net_grads = jax.value_and_grad(loss_of)(net_params)
print(loss, net_params['weight'])
end, slope = net_params['weight'], net_grads['weight']

# name: gradients that add up
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def added(old, new):
    """old + new, or new if old is None."""
    return new if old is None else old + new


def added_each(old, new):
    """old + new for each pair, or new if old is None."""
    if isinstance(new, dict):
        return {**old, **{name: added(old.get(name), grad) for name, grad in new.items()}}
    return new if old is None else jax.tree.map(jnp.add, old, new)


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


x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    return x @ params['weight'].T + params['bias']

net_params = {
    'weight': jnp.array([[-0.7010772228240967, -0.5578091740608215]]),
    'bias': jnp.array([-0.3028644621372223]),
}
net_grads = {}
opt_state = None

def loss_of(net_params):
    return jnp.mean((net(net_params, x) - t) ** 2)

for step in range(4):
    loss, new_net_params = jax.value_and_grad(loss_of)(net_params)
    net_grads = added_each(net_grads, new_net_params)
    net_params, opt_state = sgd(net_params, net_grads, opt_state, lr=0.05)
print(net_params['weight'], net_grads['weight'])
end, slope = net_params['weight'], net_grads['weight']

# name: frozen layers
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


x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    x = x @ params['0.weight'].T + params['0.bias']
    x = jax.nn.relu(x)
    return x @ params['2.weight'].T + params['2.bias']

net_params = {
    '0.weight': jnp.array([[-0.7010772228240967, -0.5578091740608215], [-0.3028644621372223, -0.6689868569374084], [-0.04014335572719574, -0.6220895051956177], [0.38447636365890503, 0.3446429371833801]]),
    '0.bias': jnp.array([0.13353174924850464, 0.5485121607780457, -0.06925216317176819, 0.42354369163513184]),
    '2.weight': jnp.array([[-0.3501591086387634, -0.09853118658065796, -0.445823073387146, -0.04059475660324097]]),
    '2.bias': jnp.array([-0.32439476251602173]),
}
net_grads = {}
opt_state = None

def loss_of(net_params):
    return jnp.mean((net(net_params, x) - t) ** 2)

for step in range(3):
    loss, new_net_params = jax.value_and_grad(loss_of)(net_params)
    net_grads = {k: new_net_params[k] for k in ('2.bias', '2.weight',)}
    net_params, opt_state = sgd(net_params, net_grads, opt_state, lr=0.1, weight_decay=0.1)
print(None, net_grads['2.weight'])
end, slope = net_params['2.weight'], net_grads['2.weight']

# name: an optimiser of some parameters
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


x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    x = x @ params['0.weight'].T + params['0.bias']
    x = jax.nn.relu(x)
    return x @ params['2.weight'].T + params['2.bias']

net_params = {
    '0.weight': jnp.array([[-0.7010772228240967, -0.5578091740608215], [-0.3028644621372223, -0.6689868569374084], [-0.04014335572719574, -0.6220895051956177], [0.38447636365890503, 0.3446429371833801]]),
    '0.bias': jnp.array([0.13353174924850464, 0.5485121607780457, -0.06925216317176819, 0.42354369163513184]),
    '2.weight': jnp.array([[-0.3501591086387634, -0.09853118658065796, -0.445823073387146, -0.04059475660324097]]),
    '2.bias': jnp.array([-0.32439476251602173]),
}
net_grads = {}
opt_state = None

def loss_of(net_params):
    return jnp.mean((net(net_params, x) - t) ** 2)

for step in range(3):
    loss, net_grads = jax.value_and_grad(loss_of)(net_params)
    net_params, opt_state = sgd(net_params, {k: g for k, g in net_grads.items() if k in ['2.weight', '2.bias']}, opt_state, lr=0.1)
print(net_grads['0.weight'])
end, slope = net_params['2.weight'], net_grads['2.weight']

# name: a class with forward
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


def adam(params, grads, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8, weight_decay=0,
         amsgrad=False, maximize=False):
    """A step of Adam: the new parameters and the new state."""
    def step(p, g, state):
        t, mean, square, most = state or (0, 0, 0, 0)
        g = (-g if maximize else g) + weight_decay * p
        t = t + 1
        mean = betas[0] * mean + (1 - betas[0]) * g
        square = betas[1] * square + (1 - betas[1]) * g * g
        most = jnp.maximum(most, square)
        size = jnp.sqrt((most if amsgrad else square) / (1 - betas[1] ** t)) + eps
        return p - lr / (1 - betas[0] ** t) * mean / size, (t, mean, square, most)

    return updated(step, params, grads, state)


x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    x = jax.nn.relu(x @ params['fc1.weight'].T + params['fc1.bias'])
    return x @ params['fc2.weight'].T + params['fc2.bias']

net_params = {
    'fc1.weight': jnp.array([[-0.7010772228240967, -0.5578091740608215], [-0.3028644621372223, -0.6689868569374084], [-0.04014335572719574, -0.6220895051956177], [0.38447636365890503, 0.3446429371833801], [0.13353174924850464, 0.5485121607780457]]),
    'fc1.bias': jnp.array([-0.06925216317176819, 0.42354369163513184, -0.4951997399330139, -0.13934414088726044, -0.6304890513420105]),
    'fc2.weight': jnp.array([[-0.036309052258729935, -0.29014748334884644, 0.40176135301589966, 0.3106512427330017, 0.3352816104888916]]),
    'fc2.bias': jnp.array([0.1326528787612915]),
}
net_grads = {}
optimizer_state = None

def loss_of(net_params):
    output = net(net_params, x)
    return jnp.mean((output - t) ** 2)

for epoch in range(5):
    output = net(net_params, x)
    loss, net_grads = jax.value_and_grad(loss_of)(net_params)
    net_params, optimizer_state = adam(net_params, net_grads, optimizer_state, lr=1e-2)
    if epoch % 2 == 0:
        print(f'epoch {epoch}: {loss.item():.4f}')
print(net_grads['fc1.weight'])
print(net_params['fc1.bias'])
end, slope = net_params['fc2.weight'], net_grads['fc2.weight']

# name: a loop over layers
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def absolute(input):
    """|x|, with slope 0 at 0."""
    return input * jnp.sign(input)


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


x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    x = x @ params['layers.0.weight'].T + params['layers.0.bias']
    if 0 < 3 - 1:
        x = jax.nn.relu(x)
    x = x @ params['layers.1.weight'].T + params['layers.1.bias']
    if 1 < 3 - 1:
        x = jax.nn.relu(x)
    x = x @ params['layers.2.weight'].T + params['layers.2.bias']
    if 2 < 3 - 1:
        x = jax.nn.relu(x)
    return x

net_params = {
    'layers.0.weight': jnp.array([[-0.7010772228240967, -0.5578091740608215], [-0.3028644621372223, -0.6689868569374084], [-0.04014335572719574, -0.6220895051956177]]),
    'layers.0.bias': jnp.array([0.38447636365890503, 0.3446429371833801, 0.13353174924850464]),
    'layers.1.weight': jnp.array([[0.4478582739830017, -0.05654415115714073, 0.34582197666168213], [-0.4043289124965668, -0.11377400904893875, -0.5147921442985535], [-0.04687478765845299, -0.3745788037776947, 0.5186716914176941]]),
    'layers.1.bias': jnp.array([0.40104901790618896, 0.43284669518470764, 0.17125412821769714]),
    'layers.2.weight': jnp.array([[-0.3293693959712982, 0.5188127160072327, -0.5633683800697327]]),
    'layers.2.bias': jnp.array([-0.3684912621974945]),
}

def y_of(net_params):
    return net(net_params, x).sum()

y, net_grads = jax.value_and_grad(y_of)(net_params)
for n in net_params:
    print(n, norm(net_grads[n]))
end, slope = net_params['layers.1.weight'], net_grads['layers.1.weight']

# name: a weight that two layers share
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    return jnp.tanh(x @ params['a.weight'].T) @ params['a.weight'].T

net_params = {
    'a.weight': jnp.array([[-0.7010772228240967, -0.5578091740608215], [-0.3028644621372223, -0.6689868569374084]]),
}

def value_of(net_params):
    return (net(net_params, x) ** 2).sum()

net_grads = jax.grad(value_of)(net_params)
print(net_grads['a.weight'])
end, slope = net_params['a.weight'], net_grads['a.weight']

# name: a loss in a function
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


x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    return x @ params['weight'].T + params['bias']

net_params = {
    'weight': jnp.array([[-0.7010772228240967, -0.5578091740608215]]),
    'bias': jnp.array([-0.3028644621372223]),
}
net_grads = {}

def loss_fn():
    return jnp.mean((net(net_params, x) - t) ** 2)

opt_state = None

def loss_of(net_params):
    def loss_fn():
        return jnp.mean((net(net_params, x) - t) ** 2)
    return loss_fn()

for i in range(3):
    loss, net_grads = jax.value_and_grad(loss_of)(net_params)
    net_params, opt_state = sgd(net_params, net_grads, opt_state, lr=0.1)
print(loss)
end, slope = net_params['weight'], net_grads['weight']

# name: a training step in a function
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


x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    return x @ params['weight'].T + params['bias']

net_params = {
    'weight': jnp.array([[-0.7010772228240967, -0.5578091740608215]]),
    'bias': jnp.array([-0.3028644621372223]),
}
net_grads = {}
opt_state = None

def train_step(xb, tb):
    global net_grads, net_params, opt_state

    def loss_of(net_params):
        return jnp.mean((net(net_params, xb) - tb) ** 2)

    loss, net_grads = jax.value_and_grad(loss_of)(net_params)
    net_params, opt_state = sgd(net_params, net_grads, opt_state, lr=0.1)
    return jax.lax.stop_gradient(loss).item()

for i in range(3):
    print(train_step(x, t))
end, slope = net_params['weight'], net_grads['weight']

# name: gradients that are clipped
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def clip_grad_norm(grads, max_norm):
    """Scales the gradients so that their total norm is at most max_norm."""
    total = jnp.sqrt(sum(jnp.sum(g * g) for g in grads.values()))
    factor = jnp.minimum(max_norm / (total + 1e-6), 1)
    return {name: factor * g for name, g in grads.items()}


x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    return x @ params['weight'].T + params['bias']

net_params = {
    'weight': jnp.array([[-0.7010772228240967, -0.5578091740608215]]),
    'bias': jnp.array([-0.3028644621372223]),
}

def value_of(net_params):
    return (net(net_params, x) ** 2).sum()

net_grads = jax.grad(value_of)(net_params)
net_grads = clip_grad_norm(net_grads, 1.0)
print(net_grads['weight'])

# name: new numbers for parameters
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    return x @ params['weight'].T + params['bias']

net_params = {
    'weight': jnp.array([[-0.7010772228240967, -0.5578091740608215]]),
    'bias': jnp.array([-0.3028644621372223]),
}
net_params['weight'] = jnp.array([[-1.337973713874817, -0.08028671145439148]])
net_params['bias'] = jnp.full_like(net_params['bias'], 0.1)
net_params['weight'] = net_params['weight'].at[0, 0].set(2.0)

def value_of(net_params):
    return net(net_params, x).sum()

net_grads = jax.grad(value_of)(net_params)
print(net_params['weight'], net_params['bias'], net_grads['weight'])
end, slope = net_params['weight'], net_grads['weight']

# name: groups of parameters
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def reduced(values, reduction):
    """The mean, the sum or all values."""
    return {"mean": jnp.mean, "sum": jnp.sum, "none": lambda v: v}[reduction](values)


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


def adagrad(params, grads, state, lr=0.01, lr_decay=0, weight_decay=0, initial_accumulator_value=0,
            eps=1e-10, maximize=False):
    """A step of Adagrad: the new parameters and the new state."""
    def step(p, g, state):
        t, total = state or (0, initial_accumulator_value)
        g = (-g if maximize else g) + weight_decay * p
        total = total + g * g
        return p - lr / (1 + t * lr_decay) * g / (jnp.sqrt(total) + eps), (t + 1, total)

    return updated(step, params, grads, state)


def emb(params, x):
    return params['weight'][x]

emb_params = {
    'weight': jnp.array([[0.8032760620117188, 0.17483338713645935, 0.08897809684276581], [-0.6137180328369141, 0.04618244990706444, -1.3682591915130615], [0.3374950885772705, 1.0111159086227417, -1.435179352760315], [0.9774317741394043, 0.5220499634742737, 1.2379167079925537], [-0.8646355867385864, 0.2989608347415924, 0.41921865940093994]]),
}
emb_grads = {}

def out(params, x):
    return x @ params['weight'].T + params['bias']

out_params = {
    'weight': jnp.array([[-0.4164287745952606, -0.5178232789039612, -0.500394344329834], [-0.2841055393218994, -0.15169769525527954, -0.5723568201065063], [-0.2703082263469696, 0.011106855235993862, 0.09517281502485275], [-0.08276832103729248, -0.06546297669410706, -0.37560924887657166], [0.2957799732685089, -0.13908651471138, -0.39474406838417053]]),
    'bias': jnp.array([-0.1390399932861328, -0.08065903186798096, 0.5338213443756104, 0.3008907735347748, -0.23312687873840332]),
}
out_grads = {}
opt_state = None
ids = jnp.array([0, 3, 3])

def loss_of(emb_params, out_params):
    return cross_entropy(out(out_params, emb(emb_params, ids)), jnp.array([1, 2, 4]))

for k in range(3):
    loss, (emb_grads, out_grads) = jax.value_and_grad(loss_of, argnums=(0, 1))(emb_params, out_params)
    (emb_params, out_params), opt_state = adagrad((emb_params, out_params), (emb_grads, out_grads), opt_state, lr=0.1)
print(loss)

# name: a layer called alone, and a gradient kept in the middle
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    x = x @ params['0.weight'].T + params['0.bias']
    x = jnp.tanh(x)
    return x @ params['2.weight'].T + params['2.bias']

net_params = {
    '0.weight': jnp.array([[-0.7010772228240967, -0.5578091740608215], [-0.3028644621372223, -0.6689868569374084], [-0.04014335572719574, -0.6220895051956177]]),
    '0.bias': jnp.array([0.38447636365890503, 0.3446429371833801, 0.13353174924850464]),
    '2.weight': jnp.array([[0.4478582739830017, -0.05654415115714073, 0.34582197666168213]]),
    '2.bias': jnp.array([-0.4043289124965668]),
}
h = jnp.tanh(x @ net_params['0.weight'].T + net_params['0.bias'])

def y_of(net_params, h_shift):
    h = jnp.tanh(x @ net_params['0.weight'].T + net_params['0.bias'])
    h = h + h_shift
    return (h @ net_params['2.weight'].T + net_params['2.bias']).sum()

y, (net_grads, h_grad) = jax.value_and_grad(y_of, argnums=(0, 1))(net_params, jnp.zeros_like(h))
print(h_grad, net_grads['0.weight'])
end, slope = net_params['2.weight'], net_grads['2.weight']

# name: comprehensions over parameters
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def absolute(input):
    """|x|, with slope 0 at 0."""
    return input * jnp.sign(input)


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


x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    return x @ params['weight'].T + params['bias']

net_params = {
    'weight': jnp.array([[-0.7010772228240967, -0.5578091740608215]]),
    'bias': jnp.array([-0.3028644621372223]),
}

def value_of(net_params):
    return (net(net_params, x) ** 2).sum()

net_grads = jax.grad(value_of)(net_params)
total = sum(norm(net_grads[name]) ** 2 for name in net_params) ** 0.5
print(total)
grads = [net_grads[name] for name in net_params]
print(grads)
end, slope = net_params['weight'], net_grads['weight']

# name: a buffer
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    return (x @ params['fc.weight'].T + params['fc.bias']) * jnp.array([2.0])

net_params = {
    'fc.weight': jnp.array([[-0.7010772228240967, -0.5578091740608215]]),
    'fc.bias': jnp.array([-0.3028644621372223]),
}

def value_of(net_params):
    return net(net_params, x).sum()

net_grads = jax.grad(value_of)(net_params)
print(net_grads['fc.weight'])
end, slope = net_params['fc.weight'], net_grads['fc.weight']

# name: steps written out through .data
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    return x @ params['weight'].T

net_params = {
    'weight': jnp.array([[-0.7010772228240967, -0.5578091740608215]]),
}
net_grads = {}

def loss_of(net_params):
    return jnp.mean((net(net_params, x) - t) ** 2)

for step in range(4):
    loss, net_grads = jax.value_and_grad(loss_of)(net_params)
    for name in net_params:
        net_params[name] = net_params[name] - (0.1 * net_grads[name])
    if step == 2:
        print(loss.item())
print(net_params['weight'])
end, slope = net_params['weight'], net_grads['weight']

# name: a loop until the loss is small
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


x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    return x @ params['weight'].T + params['bias']

net_params = {
    'weight': jnp.array([[-0.7010772228240967, -0.5578091740608215]]),
    'bias': jnp.array([-0.3028644621372223]),
}
net_grads = {}
opt_state = None
loss = jnp.array(10.0, dtype=jnp.float64)
n = 0

def loss_of(net_params):
    return jnp.mean((net(net_params, x) - t) ** 2)

while loss.item() > 0.5 and n < 20:
    loss, net_grads = jax.value_and_grad(loss_of)(net_params)
    net_params, opt_state = sgd(net_params, net_grads, opt_state, lr=0.1)
    n += 1
print(n, loss)
end, slope = net_params['weight'], net_grads['weight']

# name: dropout in training
# line 7: nn.Dropout drops random elements; JAX draws different ones
# use p=0, or export --to torch

# name: running statistics
# line 7: the JAX export has no form for nn.BatchNorm1d
# write it with sums, products and elementary functions, or export --to torch

# name: a schedule
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


x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    return x @ params['weight'].T + params['bias']

net_params = {
    'weight': jnp.array([[-0.7010772228240967, -0.5578091740608215]]),
    'bias': jnp.array([-0.3028644621372223]),
}
net_grads = {}
opt_state = None
opt_lr = 0.1
sch_epoch = 0

def value_of(net_params):
    return jnp.mean((net(net_params, x) - t) ** 2)

for i in range(5):
    net_grads = jax.grad(value_of)(net_params)
    net_params, opt_state = sgd(net_params, net_grads, opt_state, lr=opt_lr)
    sch_epoch += 1
    opt_lr *= 0.5 if sch_epoch % 2 == 0 else 1
print(net_params['weight'])

# name: a learning rate that changes
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


x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    return x @ params['weight'].T + params['bias']

net_params = {
    'weight': jnp.array([[-0.7010772228240967, -0.5578091740608215]]),
    'bias': jnp.array([-0.3028644621372223]),
}
net_grads = {}
opt_state = None
opt_lr = 0.1

def value_of(net_params):
    return jnp.mean((net(net_params, x) - t) ** 2)

for i in range(4):
    net_grads = jax.grad(value_of)(net_params)
    net_params, opt_state = sgd(net_params, net_grads, opt_state, lr=opt_lr)
    opt_lr *= 0.5
print(net_params['weight'])

# name: a module that counts its calls
# line 13: self is a module, and JAX works with pure functions
# call it, or export --to torch

# name: a module that is printed
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    x = x @ params['0.weight'].T + params['0.bias']
    x = jnp.tanh(x)
    return x @ params['2.weight'].T + params['2.bias']

net_params = {
    '0.weight': jnp.array([[-0.7010772228240967, -0.5578091740608215], [-0.3028644621372223, -0.6689868569374084], [-0.04014335572719574, -0.6220895051956177]]),
    '0.bias': jnp.array([0.38447636365890503, 0.3446429371833801, 0.13353174924850464]),
    '2.weight': jnp.array([[0.4478582739830017, -0.05654415115714073, 0.34582197666168213]]),
    '2.bias': jnp.array([-0.4043289124965668]),
}
print("""Sequential(
  (0): Linear(in_features=2, out_features=3, bias=True)
  (1): Tanh()
  (2): Linear(in_features=3, out_features=1, bias=True)
)""")

def value_of(net_params):
    return net(net_params, x).sum()

net_grads = jax.grad(value_of)(net_params)
print(net_grads['0.weight'])

# name: a state dict
# line 8: net.state_dict cannot be translated to JAX
# write it as a function of its parameters, or export --to torch

# name: a function takes the step between a loss and its backward
# line 13: net_params is modified between its use and backward
# modify it after backward, or export --to torch

# name: a method takes the step between a loss and its backward
# line 15: net_params is modified between its use and backward
# modify it after backward, or export --to torch

# name: a closure takes the step between a loss and its backward
# line 16: net_params is modified between its use and backward
# modify it after backward, or export --to torch

# name: a function that is handed on takes the step
# line 15: net_params is modified between its use and backward
# modify it after backward, or export --to torch

# name: a function that is defined later takes the step
# line 15: net_params is modified between its use and backward
# modify it after backward, or export --to torch

# name: a function clears the gradients
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


x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    return x @ params['weight'].T + params['bias']

net_params = {
    'weight': jnp.array([[-0.7010772228240967, -0.5578091740608215]]),
    'bias': jnp.array([-0.3028644621372223]),
}
opt_state = None

def clear():
    global net_grads
    net_grads = {}

def value_of(net_params):
    return jnp.mean((net(net_params, x) - t) ** 2)

net_grads = jax.grad(value_of)(net_params)
clear()
net_grads = jax.grad(value_of)(net_params)
slope = net_grads['weight']
print(slope)

# name: a function is a turn of the loop, and a backward follows
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


x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    return x @ params['weight'].T + params['bias']

net_params = {
    'weight': jnp.array([[-0.7010772228240967, -0.5578091740608215]]),
    'bias': jnp.array([-0.3028644621372223]),
}
net_grads = {}
opt_state = None

def train():
    global net_grads, net_params, opt_state

    def loss_of(net_params):
        return jnp.mean((net(net_params, x) - t) ** 2)

    loss, net_grads = jax.value_and_grad(loss_of)(net_params)
    net_params, opt_state = sgd(net_params, net_grads, opt_state, lr=0.1)
    return jax.lax.stop_gradient(loss).item()

for k in range(3):
    last = train()

def loss_of2(net_params):
    return jnp.mean((net(net_params, x) - t) ** 2)

loss, new_net_params = jax.value_and_grad(loss_of2)(net_params)
net_grads = jax.tree.map(jnp.add, net_grads, new_net_params)
slope = net_grads['weight']
print(slope)

# name: a scheduler in steps
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


x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    x = x @ params['0.weight'].T + params['0.bias']
    x = jnp.tanh(x)
    return x @ params['2.weight'].T + params['2.bias']

net_params = {
    '0.weight': jnp.array([[-0.7010772228240967, -0.5578091740608215], [-0.3028644621372223, -0.6689868569374084], [-0.04014335572719574, -0.6220895051956177], [0.38447636365890503, 0.3446429371833801]]),
    '0.bias': jnp.array([0.13353174924850464, 0.5485121607780457, -0.06925216317176819, 0.42354369163513184]),
    '2.weight': jnp.array([[-0.3501591086387634, -0.09853118658065796, -0.445823073387146, -0.04059475660324097]]),
    '2.bias': jnp.array([-0.32439476251602173]),
}
net_grads = {}
opt_state = None
opt_lr = 0.1
sched_epoch = 0

def loss_of(net_params):
    return jnp.mean((net(net_params, x) - t) ** 2)

for step in range(5):
    loss, net_grads = jax.value_and_grad(loss_of)(net_params)
    net_params, opt_state = sgd(net_params, net_grads, opt_state, lr=opt_lr, momentum=0.9)
    sched_epoch += 1
    opt_lr *= 0.5 if sched_epoch % 2 == 0 else 1
    print(opt_lr)
print(loss.item())
end = net_params['2.weight']

# name: a scheduler of epochs, and one of milestones
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


def adam(params, grads, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8, weight_decay=0,
         amsgrad=False, maximize=False):
    """A step of Adam: the new parameters and the new state."""
    def step(p, g, state):
        t, mean, square, most = state or (0, 0, 0, 0)
        g = (-g if maximize else g) + weight_decay * p
        t = t + 1
        mean = betas[0] * mean + (1 - betas[0]) * g
        square = betas[1] * square + (1 - betas[1]) * g * g
        most = jnp.maximum(most, square)
        size = jnp.sqrt((most if amsgrad else square) / (1 - betas[1] ** t)) + eps
        return p - lr / (1 - betas[0] ** t) * mean / size, (t, mean, square, most)

    return updated(step, params, grads, state)


x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    x = x @ params['0.weight'].T + params['0.bias']
    x = jnp.tanh(x)
    return x @ params['2.weight'].T + params['2.bias']

net_params = {
    '0.weight': jnp.array([[-0.7010772228240967, -0.5578091740608215], [-0.3028644621372223, -0.6689868569374084], [-0.04014335572719574, -0.6220895051956177], [0.38447636365890503, 0.3446429371833801]]),
    '0.bias': jnp.array([0.13353174924850464, 0.5485121607780457, -0.06925216317176819, 0.42354369163513184]),
    '2.weight': jnp.array([[-0.3501591086387634, -0.09853118658065796, -0.445823073387146, -0.04059475660324097]]),
    '2.bias': jnp.array([-0.32439476251602173]),
}
net_grads = {}
opt_state = None
opt_lr = 0.001

def loss_of(net_params):
    return jnp.mean((net(net_params, x) - t) ** 2)

for epoch in range(2):
    for step in range(2):
        loss, net_grads = jax.value_and_grad(loss_of)(net_params)
        net_params, opt_state = adam(net_params, net_grads, opt_state, lr=opt_lr)
    opt_lr *= 0.9
other_state = None
other_lr = 0.2
later_epoch = 0
for step in range(4):
    loss, net_grads = jax.value_and_grad(loss_of)(net_params)
    net_params, other_state = sgd(net_params, {k: g for k, g in net_grads.items() if k in ['0.weight']}, other_state, lr=other_lr)
    later_epoch += 1
    other_lr *= 0.1 ** [1, 3].count(later_epoch)
print(loss.item())
end = net_params['2.weight']

# name: a learning rate that is written to
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


x = jnp.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = jnp.array([[1.0], [0.0], [2.0]])

def net(params, x):
    x = x @ params['0.weight'].T + params['0.bias']
    x = jnp.tanh(x)
    return x @ params['2.weight'].T + params['2.bias']

net_params = {
    '0.weight': jnp.array([[-0.7010772228240967, -0.5578091740608215], [-0.3028644621372223, -0.6689868569374084], [-0.04014335572719574, -0.6220895051956177], [0.38447636365890503, 0.3446429371833801]]),
    '0.bias': jnp.array([0.13353174924850464, 0.5485121607780457, -0.06925216317176819, 0.42354369163513184]),
    '2.weight': jnp.array([[-0.3501591086387634, -0.09853118658065796, -0.445823073387146, -0.04059475660324097]]),
    '2.bias': jnp.array([-0.32439476251602173]),
}
net_grads = {}
opt_state = None
opt_lr = 0.1

def loss_of(net_params):
    return jnp.mean((net(net_params, x) - t) ** 2)

for step in range(4):
    loss, net_grads = jax.value_and_grad(loss_of)(net_params)
    net_params, opt_state = sgd(net_params, net_grads, opt_state, lr=opt_lr)
    if step == 1:
        opt_lr = 0.05
    opt_lr *= 0.9
    print(opt_lr)
print(loss.item())
end = net_params['2.weight']

# name: a scheduler without a counterpart
# line 9: the JAX export has no form for torch.optim.lr_scheduler.OneCycleLR
# write the rate as a number that changes, or export --to torch

# name: a rate of a leaf without a module
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


w = jnp.array([1.0, 2.0])
w_grad = None
opt_state = None
opt_lr = 0.1
sched_epoch = 0

def y_of(w):
    return (w * w).sum()

for k in range(3):
    y, w_grad = jax.value_and_grad(y_of)(w)
    w, opt_state = sgd(w, w_grad, opt_state, lr=opt_lr)
    sched_epoch += 1
    opt_lr *= 0.1 if sched_epoch % 1 == 0 else 1
print(w, opt_lr)

# name: a parameter after the loop over all
# line 7: the JAX export has no form for p here
# leave the line out, or export --to torch

# name: another option of the optimiser's group
# line 5: the JAX export has no form for g here
# leave the line out, or export --to torch

# name: a scheduler's state
# line 3: the optimiser's groups have different options, or parameters without a name
# write the step by hand in torch.no_grad(), or export --to torch

# name: gradients of all parameters, and a step by hand
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def in_order(grads, params):
    """The gradients in the order of the parameters."""
    return tuple(grads[name] for name in params)


def net(params, x):
    x = x @ params['0.weight'].T + params['0.bias']
    x = jnp.tanh(x)
    return x @ params['2.weight'].T + params['2.bias']

net_params = {
    '0.weight': jnp.array([[-0.005293981172144413, 0.37932288646698], [-0.5819807648658752, -0.5203874707221985]]),
    '0.bias': jnp.array([-0.27234524488449097, 0.1896158903837204]),
    '2.weight': jnp.array([[-0.014010033570230007, 0.5606575012207031]]),
    '2.bias': jnp.array([-0.06275151669979095]),
}
net_grads = {}
x = jnp.array([[1.0, 2.0]])

def loss_of(net_params):
    return (net(net_params, x) ** 2).sum()

for i in range(3):
    loss = (net(net_params, x) ** 2).sum()
    grads = in_order(jax.grad(loss_of)(net_params), net_params)
    for name, g in zip(net_params, grads):
        net_params[name] -= 0.1 * g

def value_of(net_params):
    return net(net_params, x).sum()

first = in_order(jax.grad(value_of)(net_params), net_params)[0]
print(loss, first)

# name: a parameter is written to under another name
# line 5: the parameters of net are modified in place under other names; JAX arrays are immutable
# write net itself, as in net.weight, or export --to torch

# name: options in the group of parameters
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
opt_state = None

def value_of(x):
    return (x**2).sum()

x_grad = jax.grad(value_of)(x)
x, opt_state = sgd(x, x_grad, opt_state, lr=0.1)
print(x)

# name: a layer that gets its sizes at the first call
# line 4: 1.weight of net gets its shape at the first call
# write the layer's sizes instead of a Lazy layer, or export --to torch

# name: a loop over leaves by name
# a program as a JAX program.
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

w = jnp.array([1., 2.])
b = jnp.array(0.5)
params = [w, b]
x = jnp.array([3., 4.])

def loss_of(w, b):
    return ((w*x).sum() + b - 1)**2

for step in range(3):
    loss, (w_grad, b_grad) = jax.value_and_grad(loss_of, argnums=(0, 1))(w, b)
    w -= 0.01 * w_grad
    w_grad = jnp.zeros_like(w_grad)
    b -= 0.01 * b_grad
    b_grad = jnp.zeros_like(b_grad)
params = [w, b]
loss, (w_grad, b_grad) = jax.value_and_grad(loss_of, argnums=(0, 1))(w, b)
print(w, b, w_grad, b_grad)
