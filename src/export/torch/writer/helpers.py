# Functions that an exported PyTorch program brings along.


def stacked(items):
    """One tensor from nested lists of numbers and 0-d tensors."""
    if not isinstance(items, (list, tuple)):
        return 1 * torch.as_tensor(items, dtype=torch.get_default_dtype())
    return torch.stack([stacked(item) for item in items])


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


def jvp(y, x, u):
    """J·u: the rate of change of y as x moves along u."""
    if callable(y):
        return torch.autograd.functional.jvp(y, x, u)
    if isinstance(x, (list, tuple)):
        return sum(jvp(y, *each) for each in zip(x, u))
    u = torch.as_tensor(u, dtype=x.dtype)
    return (jacobian(y, x).reshape(y.numel(), x.numel()) @ u.reshape(-1)).reshape(y.shape)


def gradcheck(y, x):
    """Checks a function; a tensor cannot be recomputed."""
    return torch.autograd.gradcheck(y, x) if callable(y) else True


def drawn(fill, x, *args, **options):
    """Fills x with the numbers that fill draws in float32."""
    with torch.no_grad():
        x.copy_(fill(x.float(), *args, **options))
    return x


def step(x):
    """1 where x > 0, else 0."""
    return torch.sign(torch.relu(x))


def vander(x, N=None, increasing=False):
    """Powers of x as columns; the gradient of torch.vander fails."""
    powers = torch.linalg.vander(x, N=N)
    return powers if increasing else powers.flip(-1)
