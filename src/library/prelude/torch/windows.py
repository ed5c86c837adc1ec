# Windows: weights that fade towards the ends of a signal.


def _window(name, length, periodic, dtype, requires_grad, shape):
    if not isinstance(periodic, bool):
        raise TypeError(f"{name}_window(): argument 'periodic' (position 2) must be bool, not {type(periodic).__name__}")
    if length < 0:
        raise RuntimeError(f'{name}_window requires non-negative window_length, got window_length={length}')
    options = {'dtype': torch.get_default_dtype() if dtype is None else dtype}
    if length < 2:
        made = torch.ones(length, **options)
    else:
        n = length + 1 if periodic else length
        made = shape(torch.arange(n, **options), n - 1)[:length].clone()
    return made.requires_grad_(requires_grad)


def hamming_window(window_length, periodic=True, alpha=0.54, beta=0.46, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """alpha − beta cos(2πk/n)."""
    shape = lambda k, n: k.mul_(torch.pi * 2 / n).cos_().mul_(-beta).add_(alpha)
    return _window('hamming', window_length, periodic, dtype, requires_grad, shape)


def hann_window(window_length, periodic=True, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """½ − ½ cos(2πk/n)."""
    shape = lambda k, n: k.mul_(torch.pi * 2 / n).cos_().mul_(-0.5).add_(0.5)
    return _window('hann', window_length, periodic, dtype, requires_grad, shape)


def blackman_window(window_length, periodic=True, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """0.42 − ½ cos(2πk/n) + 0.08 cos(4πk/n)."""

    def shape(k, n):
        k.mul_(torch.pi / n)
        return k.mul(4).cos_().mul_(0.08) - k.mul(2).cos_().mul_(0.5) + 0.42

    return _window('blackman', window_length, periodic, dtype, requires_grad, shape)


def bartlett_window(window_length, periodic=True, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """A triangle."""

    def shape(k, n):
        k.mul_(2 / n)
        k[n // 2 + 1 :].mul_(-1).add_(2)
        return k

    return _window('bartlett', window_length, periodic, dtype, requires_grad, shape)


def kaiser_window(window_length, periodic=True, beta=12.0, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """I₀(β√(1 − (2k/n − 1)²))/I₀(β)."""

    def shape(k, n):
        x = k * (2 / n) - 1
        return torch.i0(beta * (1 - x * x).clamp(min=0).sqrt()) / torch.i0(torch.tensor(beta, dtype=k.dtype))

    return _window('kaiser', window_length, periodic, dtype, requires_grad, shape)
