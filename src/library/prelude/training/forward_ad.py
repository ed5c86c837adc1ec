# torch.autograd.forward_ad: dual tensors, whose tangents come from differentiating the backward sweep once.

from collections import namedtuple

UnpackedDualTensor = namedtuple('UnpackedDualTensor', ['primal', 'tangent'], module='torch.autograd.forward_ad')

_levels = []
# What was unpacked shows no tangent of its own.
_bare = []


def enter_dual_level():
    """Begins a level in which tensors may have tangents."""
    if _levels:
        raise RuntimeError('Nested forward mode AD is not supported at the moment')
    _levels.append([])
    return 0


def exit_dual_level(*, level=None):
    """Ends it."""
    _levels.clear()
    _bare.clear()


class dual_level:
    """The level, as a context manager."""
    __module__ = "torch.autograd.forward_ad"

    def __enter__(self):
        return enter_dual_level()

    def __exit__(self, *error):
        exit_dual_level()


def make_dual(tensor, tangent, *, level=None):
    """A tensor with a tangent."""
    if not _levels:
        raise RuntimeError('Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first.')
    if not tensor.is_floating_point():
        raise ValueError(f'Expected primal to be floating point or complex, but got: {tensor.dtype}')
    if not tangent.is_floating_point():
        raise ValueError(f'Expected tangent to be floating point or complex, but got: {tangent.dtype}')
    if tensor.shape != tangent.shape:
        raise RuntimeError(f'Trying to set a forward gradient that has a different size than that of the original Tensor, this is not supported. Tensor is of size {list(tensor.shape)} while the given forward gradient is of size {list(tangent.shape)}.')
    with torch.enable_grad():
        dual = tensor.view_as(tensor) if tensor.requires_grad else torch.autograd.forward_ad._dual(tensor)
    _levels[-1].append((dual, tangent, tensor))
    return dual


def unpack_dual(tensor, *, level=None):
    """The value of a tensor, and its tangent or None."""
    parts = _parts(tensor)
    if parts.tangent is not None and parts.primal is tensor:
        parts = parts._replace(primal=tensor.view_as(tensor))
    _bare.extend(parts)
    return parts


def _parts(tensor):
    if not _levels:
        return UnpackedDualTensor(tensor, None)
    for dual, tangent, primal in _levels[-1]:
        if dual is tensor:
            return UnpackedDualTensor(primal, tangent)
    duals = _levels[-1]
    if not duals or not torch.autograd.forward_ad._tracked(tensor):
        return UnpackedDualTensor(tensor, None)
    keeps = any([primal.requires_grad or tangent.requires_grad for _, tangent, primal in duals])
    with torch.enable_grad():
        if not keeps or torch.autograd.forward_ad._has_jvp(tensor):
            tangent = torch.autograd.forward_ad._pushed(tensor, [d for d, _, _ in duals], [t for _, t, _ in duals])
            return UnpackedDualTensor(tensor if keeps or tangent is None else tensor.detach(), tangent)
        weights = torch.zeros_like(tensor, requires_grad=True)
        slopes = torch.autograd.grad(tensor, [d for d, _, _ in duals], weights, create_graph=True, allow_unused=True)
        parts = [(s * t).sum() for s, (_, t, _) in zip(slopes, duals) if s is not None]
        if not parts:
            return UnpackedDualTensor(tensor, None)
        total = sum(parts)
        if not total.requires_grad:
            tangent = torch.zeros_like(tensor)
        else:
            tangent = torch.autograd.grad(total, weights, create_graph=True, retain_graph=True)[0]
    return UnpackedDualTensor(tensor, tangent)


def _shown(tensor):
    if not _levels or any([part is tensor for part in _bare]):
        return None
    tangent = unpack_dual(tensor).tangent
    return None if tangent is None else f"tangent={tangent}"
