# torch.nn.utils: weights written as direction times length, or divided by their largest singular value.


def _length(v, dim):
    """Returns the norm of each slice along a dimension, or of the whole tensor."""
    if dim is None or dim == -1:
        return v.norm()
    around = [d for d in range(v.dim()) if d != dim]
    return torch.linalg.vector_norm(v, dim=around, keepdim=True)


class _Computed:
    """A weight that is recomputed before every call."""

    def __init__(self, name):
        self.name = name

    def __call__(self, module, inputs):
        setattr(module, self.name, self.weight(module))


class _WeightNorm(_Computed):
    def __init__(self, name, dim):
        super().__init__(name)
        self.dim = dim

    def weight(self, module):
        g, v = getattr(module, self.name + '_g'), getattr(module, self.name + '_v')
        return v * (g / _length(v, self.dim))


def weight_norm(module, name='weight', dim=0):
    """Splits a parameter into length and direction: name_g and name_v."""
    weight = getattr(module, name)
    hook = _WeightNorm(name, dim)
    delattr(module, name)
    module.register_parameter(name + '_g', nn.Parameter(_length(weight, dim).data))
    module.register_parameter(name + '_v', nn.Parameter(weight.data))
    setattr(module, name, hook.weight(module))
    module._weight_norm = (hook, module.register_forward_pre_hook(hook))
    return module


def remove_weight_norm(module, name='weight'):
    """Combines the two into one parameter again."""
    kept = getattr(module, '_weight_norm', None)
    if kept is None or kept[0].name != name:
        raise ValueError(f"weight_norm of '{name}' not found in {module}")
    hook, handle = kept
    weight = hook.weight(module).data
    handle.remove()
    for part in (name, name + '_g', name + '_v', '_weight_norm'):
        delattr(module, part)
    module.register_parameter(name, nn.Parameter(weight))
    return module


class _SpectralNorm(_Computed):
    def __init__(self, name, n_power_iterations, eps, dim):
        super().__init__(name)
        self.turns, self.eps, self.dim = n_power_iterations, eps, dim

    def matrix(self, weight):
        if self.dim != 0:
            weight = weight.transpose(self.dim, 0)
        return weight.reshape(weight.shape[0], -1)

    def weight(self, module):
        weight = getattr(module, self.name + '_orig')
        u, v = getattr(module, self.name + '_u'), getattr(module, self.name + '_v')
        matrix = self.matrix(weight)
        if module.training:
            with torch.no_grad():
                for _ in range(self.turns):
                    v = F.normalize(torch.mv(matrix.t(), u), dim=0, eps=self.eps)
                    u = F.normalize(torch.mv(matrix, v), dim=0, eps=self.eps)
                getattr(module, self.name + '_u').copy_(u)
                getattr(module, self.name + '_v').copy_(v)
                u, v = u.clone(), v.clone()
        return weight / torch.dot(u, torch.mv(matrix, v))


def spectral_norm(module, name='weight', n_power_iterations=1, eps=1e-12, dim=None):
    """Divides a parameter by its largest singular value, found by power iteration."""
    if dim is None:
        dim = 1 if isinstance(module, (nn.ConvTranspose1d, nn.ConvTranspose2d)) else 0
    weight = getattr(module, name)
    hook = _SpectralNorm(name, n_power_iterations, eps, dim)
    with torch.no_grad():
        rows, columns = hook.matrix(weight).shape
        u = F.normalize(weight.new_empty(rows).normal_(0, 1), dim=0, eps=eps)
        v = F.normalize(weight.new_empty(columns).normal_(0, 1), dim=0, eps=eps)
    delattr(module, name)
    module.register_parameter(name + '_orig', weight)
    setattr(module, name, weight.data)
    module.register_buffer(name + '_u', u)
    module.register_buffer(name + '_v', v)
    module.register_forward_pre_hook(hook)
    return module
