# torch.nn.init: what its other functions are made of.

import warnings


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    """Fills with normal random numbers within bounds; redraws those outside."""
    below = lambda x: (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0
    with torch.no_grad():
        if below((b - mean) / std) - below((a - mean) / std) > 0.3:
            low, high = tensor.new_tensor(a).item(), tensor.new_tensor(b).item()
            kept = tensor.normal_(mean, std, generator=generator)
            while True:
                out = (kept < low) | (kept > high)
                if not out.any():
                    break
                kept = torch.where(out, torch.empty_like(kept).normal_(mean, std, generator=generator), kept)
        else:
            # Few fall between the bounds: uniform candidates, kept by the density's height.
            peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2
            height = lambda x: ((x - mean) / std) ** 2 * -0.5 - peak
            drawn = lambda: torch.empty_like(tensor).uniform_(generator=generator).log()
            kept = tensor.uniform_(a, b, generator=generator)
            waiting = drawn() > height(kept)
            while waiting.any():
                candidates = torch.empty_like(tensor).uniform_(a, b, generator=generator)
                kept = torch.where(waiting, candidates, kept)
                waiting = waiting & (drawn() > height(candidates))
        if kept is not tensor:
            tensor.copy_(kept)
    return tensor


def orthogonal_(tensor, gain=1, generator=None):
    """Fills with a random matrix with orthonormal rows or columns, times gain."""
    if tensor.dim() < 2:
        raise ValueError('Only tensors with 2 or more dimensions are supported')
    if tensor.numel() == 0:
        return tensor
    rows = tensor.size(0)
    columns = tensor.numel() // rows
    with torch.no_grad():
        flat = tensor.new_empty((rows, columns)).normal_(0, 1, generator=generator)
        q, r = torch.linalg.qr(flat.t() if rows < columns else flat)
        q = q * torch.diag(r, 0).sign()
        q = q.t() if rows < columns else q
        tensor.copy_(q.reshape(tensor.shape))
        tensor.mul_(gain)
    return tensor


def dirac_(tensor, groups=1):
    """Fills with the weights of the identity convolution."""
    if tensor.dim() not in (3, 4, 5):
        raise ValueError('Only tensors with 3, 4, or 5 dimensions are supported')
    sizes = tensor.size()
    if sizes[0] % groups != 0:
        raise ValueError('dim 0 must be divisible by groups')
    outputs = sizes[0] // groups
    middle = tuple(n // 2 for n in sizes[2:])
    with torch.no_grad():
        tensor.zero_()
        for group in range(groups):
            for d in range(min(outputs, sizes[1])):
                tensor[(group * outputs + d, d) + middle] = 1
    return tensor


def sparse_(tensor, sparsity, std=0.01, generator=None):
    """Fills with normal random numbers; sets a fraction of each column to 0."""
    if tensor.dim() != 2:
        raise ValueError('Only tensors with 2 dimensions are supported')
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    with torch.no_grad():
        tensor.normal_(0, std, generator=generator)
        for column in range(columns):
            tensor[torch.randperm(rows)[:zeros], column] = 0
    return tensor


def _old(name):
    def fill(*args, **kwargs):
        """An old name of the function that ends in an underscore."""
        warnings.warn(f'`nn.init.{name}` is now deprecated in favor of `nn.init.{name}_`.', FutureWarning)
        return getattr(nn.init, name + '_')(*args, **kwargs)
    fill.__name__ = name
    return fill


constant = _old('constant')
dirac = _old('dirac')
eye = _old('eye')
kaiming_normal = _old('kaiming_normal')
kaiming_uniform = _old('kaiming_uniform')
normal = _old('normal')
orthogonal = _old('orthogonal')
uniform = _old('uniform')
xavier_normal = _old('xavier_normal')
xavier_uniform = _old('xavier_uniform')
