# torch.nn.utils: parameters in one vector, weights as directions and lengths.


def parameters_to_vector(parameters):
    """Returns all parameters in one vector."""
    return torch.cat([torch.optim._leaf(p).view(-1) for p in parameters])


def vector_to_parameters(vec, parameters):
    """Copies a vector back into the parameters."""
    if not isinstance(vec, torch.Tensor):
        raise TypeError(f'expected torch.Tensor, but got: {torch.typename(vec)}')
    place = 0
    for p in parameters:
        p.data = vec[place:place + p.numel()].view_as(p).data
        place += p.numel()


def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Returns the norm of several tensors taken together."""
    tensors = [tensors] if isinstance(tensors, torch.Tensor) else list(tensors)
    if len(tensors) == 0:
        return torch.tensor(0.0)
    with torch.no_grad():
        total = torch.linalg.vector_norm(torch.stack([torch.linalg.vector_norm(g, norm_type) for g in tensors]), norm_type)
    if error_if_nonfinite and not torch.isfinite(total):
        raise RuntimeError(f'The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it cannot be clipped. To disable this error and scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`')
    return total


def skip_init(module_cls, *args, **kwargs):
    """Makes a module without drawing random numbers."""
    if not issubclass(module_cls, nn.Module):
        raise RuntimeError(f'Expected a Module; got {module_cls}')
    state = torch.get_rng_state()
    module = module_cls(*args, **kwargs)
    torch.set_rng_state(state)
    return module
