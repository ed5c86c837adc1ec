# torch.nn.utils.parametrizations: weights with a norm of their own, orthogonal ones, and ones of spectral norm 1.

from torch.nn.utils.parametrize import register_parametrization


def _length(v, dim):
    if dim == -1:
        return v.norm()
    return torch.linalg.vector_norm(v, dim=[d for d in range(v.dim()) if d != dim], keepdim=True)


class _WeightNorm(nn.Module):
    __module__ = "torch.nn.utils.parametrizations"

    def __init__(self, dim=0):
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g, weight_v):
        return weight_v * (weight_g / _length(weight_v, self.dim))

    def right_inverse(self, weight):
        return _length(weight, self.dim), weight


def weight_norm(module, name='weight', dim=0):
    """Splits a parameter into length and direction."""
    return register_parametrization(module, name, _WeightNorm(dim), unsafe=True)


class _SpectralNorm(nn.Module):
    __module__ = "torch.nn.utils.parametrizations"

    def __init__(self, weight, n_power_iterations=1, dim=0, eps=1e-12):
        super().__init__()
        self.dim = dim if dim >= 0 else dim + weight.dim()
        self.eps = eps
        if weight.dim() > 1:
            self.n_power_iterations = n_power_iterations
            with torch.no_grad():
                matrix = self._matrix(weight)
                height, width = matrix.shape
                u = matrix.new_empty(height).normal_(0, 1)
                v = matrix.new_empty(width).normal_(0, 1)
            self.register_buffer('_u', F.normalize(u, dim=0, eps=eps))
            self.register_buffer('_v', F.normalize(v, dim=0, eps=eps))
            self._power(matrix, 15)

    def _matrix(self, weight):
        return weight.transpose(0, self.dim).flatten(1)

    @torch.no_grad()
    def _power(self, matrix, turns):
        for _ in range(turns):
            self._u.copy_(F.normalize(torch.mv(matrix, self._v), dim=0, eps=self.eps))
            self._v.copy_(F.normalize(torch.mv(matrix.t(), self._u), dim=0, eps=self.eps))

    def forward(self, weight):
        if weight.dim() == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self._matrix(weight)
        if self.training:
            self._power(matrix, self.n_power_iterations)
        u, v = self._u.clone(), self._v.clone()
        return weight / torch.vdot(u, torch.mv(matrix, v))

    def right_inverse(self, value):
        return value


def spectral_norm(module, name='weight', n_power_iterations=1, eps=1e-12, dim=None):
    """Divides a parameter by its largest singular value."""
    weight = getattr(module, name, None)
    if not isinstance(weight, torch.Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if dim is None:
        dim = 1 if isinstance(module, (nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d)) else 0
    return register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, dim, eps))


class _Orthogonal(nn.Module):
    __module__ = "torch.nn.utils.parametrizations"

    def __init__(self, weight, orthogonal_map, use_trivialization):
        super().__init__()
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer('base', None)

    def forward(self, X):
        A = X.tril()
        A = A - A.mT
        if self.orthogonal_map == 'matrix_exp':
            Q = torch.matrix_exp(A)
        else:
            one = torch.eye(A.size(-1), dtype=A.dtype)
            Q = torch.linalg.solve(one - 0.5 * A, one + 0.5 * A)
        return Q if getattr(self, 'base', None) is None else self.base @ Q

    def right_inverse(self, Q):
        if 'base' not in self.__dict__:
            raise NotImplementedError('It is not possible to assign to the matrix exponential or the Cayley parametrizations when use_trivialization=False.')
        q, r = torch.linalg.qr(Q)
        self.base = q * r.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)
        return -torch.eye(Q.size(-1), dtype=Q.dtype).expand_as(Q).clone()


def orthogonal(module, name='weight', orthogonal_map=None, *, use_trivialization=True):
    """Makes a square parameter orthogonal: the matrix exponential of a skew-symmetric one."""
    weight = getattr(module, name, None)
    if not isinstance(weight, torch.Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if weight.dim() < 2:
        raise ValueError(f'Expected a matrix or batch of matrices. Got a tensor of {weight.dim()} dimensions.')
    if orthogonal_map not in (None, 'matrix_exp', 'cayley', 'householder'):
        raise ValueError(f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {orthogonal_map}')
    if weight.size(-1) != weight.size(-2) or orthogonal_map == 'householder':
        raise NotImplementedError('orthogonal() takes square weights, by "matrix_exp" or "cayley"')
    return register_parametrization(module, name, _Orthogonal(weight, orthogonal_map or 'matrix_exp', use_trivialization), unsafe=True)
