# torch.distributions.transforms: into simplexes and sets of matrices, and of parts.

from torch.distributions import constraints
from torch.distributions import _sum_rightmost
from torch.distributions.transforms import Transform


def _long_enough(shape, rank=1):
    if len(shape) < rank:
        raise ValueError('Too few dimensions on input')
    return shape


class IndependentTransform(Transform):
    """A function whose last dimensions are those of one event."""
    __module__ = "torch.distributions.transforms"

    def __init__(self, base_transform, reinterpreted_batch_ndims, cache_size=0):
        self.base_transform = base_transform
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    @property
    def domain(self):
        return constraints.independent(self.base_transform.domain, self.reinterpreted_batch_ndims)

    @property
    def codomain(self):
        return constraints.independent(self.base_transform.codomain, self.reinterpreted_batch_ndims)

    @property
    def event_dim(self):
        return self.base_transform.event_dim + self.reinterpreted_batch_ndims

    @property
    def bijective(self):
        return self.base_transform.bijective

    @property
    def sign(self):
        return self.base_transform.sign

    def _call(self, x):
        _long_enough(x.shape, self.event_dim)
        return self.base_transform(x)

    def _inverse(self, y):
        _long_enough(y.shape, self.event_dim)
        return self.base_transform.inv(y)

    def log_abs_det_jacobian(self, x, y):
        return _sum_rightmost(self.base_transform.log_abs_det_jacobian(x, y), self.reinterpreted_batch_ndims)

    def forward_shape(self, shape):
        return self.base_transform.forward_shape(shape)

    def inverse_shape(self, shape):
        return self.base_transform.inverse_shape(shape)

    def __repr__(self):
        return f'{type(self).__name__}({self.base_transform!r}, {self.reinterpreted_batch_ndims})'


class ReshapeTransform(Transform):
    """The last dimensions in another shape."""
    __module__ = "torch.distributions.transforms"

    def __init__(self, in_shape, out_shape, cache_size=0):
        self.in_shape, self.out_shape = torch.Size(in_shape), torch.Size(out_shape)
        if self.in_shape.numel() != self.out_shape.numel():
            raise ValueError('in_shape, out_shape have different numbers of elements')

    @property
    def domain(self):
        return constraints.independent(constraints.real, len(self.in_shape))

    @property
    def codomain(self):
        return constraints.independent(constraints.real, len(self.out_shape))

    @property
    def event_dim(self):
        return len(self.in_shape)

    def _call(self, x):
        return x.reshape(x.shape[:x.dim() - len(self.in_shape)] + self.out_shape)

    def _inverse(self, y):
        return y.reshape(y.shape[:y.dim() - len(self.out_shape)] + self.in_shape)

    def log_abs_det_jacobian(self, x, y):
        return x.new_zeros(x.shape[:x.dim() - len(self.in_shape)])

    def _exchanged(self, shape, own, other):
        cut = len(_long_enough(shape, len(own))) - len(own)
        if shape[cut:] != own:
            raise ValueError(f'Shape mismatch: expected {shape[cut:]} but got {own}')
        return shape[:cut] + other

    def forward_shape(self, shape):
        return self._exchanged(shape, self.in_shape, self.out_shape)

    def inverse_shape(self, shape):
        return self._exchanged(shape, self.out_shape, self.in_shape)


class AbsTransform(Transform):
    """|x|."""
    __module__ = "torch.distributions.transforms"
    domain = constraints.real
    codomain = constraints.positive
    bijective = False

    def _call(self, x):
        return x.abs()

    def _inverse(self, y):
        return y


class CumulativeDistributionTransform(Transform):
    """The cumulative distribution function of a distribution."""
    __module__ = "torch.distributions.transforms"
    codomain = constraints.unit_interval

    def __init__(self, distribution, cache_size=0):
        self.distribution = distribution

    @property
    def domain(self):
        return self.distribution.support

    def _call(self, x):
        return self.distribution.cdf(x)

    def _inverse(self, y):
        return self.distribution.icdf(y)

    def log_abs_det_jacobian(self, x, y):
        return self.distribution.log_prob(x)


class SoftmaxTransform(Transform):
    """exp x over its sum."""
    __module__ = "torch.distributions.transforms"
    domain = constraints.real_vector
    codomain = constraints.simplex
    event_dim = 1
    bijective = False

    def _call(self, x):
        probs = (x - x.max(-1, True)[0]).exp()
        return probs / probs.sum(-1, True)

    def _inverse(self, y):
        return y.log()

    def forward_shape(self, shape):
        return _long_enough(shape)

    def inverse_shape(self, shape):
        return _long_enough(shape)


class StickBreakingTransform(Transform):
    """Breaks part after part from a stick of length 1."""
    __module__ = "torch.distributions.transforms"
    domain = constraints.real_vector
    codomain = constraints.simplex
    event_dim = 1

    def _offset(self, x):
        return x.shape[-1] + 1 - x.new_ones(x.shape[-1]).cumsum(-1)

    def _call(self, x):
        finfo = torch.finfo(x.dtype)
        z = torch.clamp(torch.sigmoid(x - self._offset(x).log()), min=finfo.tiny, max=1.0 - finfo.eps)
        return F.pad(z, [0, 1], value=1) * F.pad((1 - z).cumprod(-1), [1, 0], value=1)

    def _inverse(self, y):
        cropped = y[..., :-1]
        rest = torch.clamp(1 - cropped.cumsum(-1), min=torch.finfo(y.dtype).tiny)
        return cropped.log() - rest.log() + self._offset(cropped).log()

    def log_abs_det_jacobian(self, x, y):
        x = x - self._offset(x).log()
        return (-x + F.logsigmoid(x) + y[..., :-1].log()).sum(-1)

    def forward_shape(self, shape):
        return _long_enough(shape)[:-1] + (shape[-1] + 1,)

    def inverse_shape(self, shape):
        return _long_enough(shape)[:-1] + (shape[-1] - 1,)


class LowerCholeskyTransform(Transform):
    """A lower triangular matrix with a positive diagonal."""
    __module__ = "torch.distributions.transforms"
    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.lower_cholesky
    event_dim = 2
    bijective = False

    def _call(self, x):
        return x.tril(-1) + x.diagonal(dim1=-2, dim2=-1).exp().diag_embed()

    def _inverse(self, y):
        return y.tril(-1) + y.diagonal(dim1=-2, dim2=-1).log().diag_embed()


class PositiveDefiniteTransform(Transform):
    """L Lᵀ of a lower triangular L."""
    __module__ = "torch.distributions.transforms"
    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.positive_definite
    event_dim = 2
    bijective = False

    def _call(self, x):
        x = LowerCholeskyTransform()(x)
        return x @ x.mT

    def _inverse(self, y):
        return LowerCholeskyTransform().inv(torch.linalg.cholesky(y))


def _below(n, diagonal):
    at = torch.arange(n)
    return at < at.view(-1, 1) + (diagonal + 1)


class CorrCholeskyTransform(Transform):
    """L of a correlation matrix L Lᵀ, made of a vector."""
    __module__ = "torch.distributions.transforms"
    domain = constraints.real_vector
    codomain = constraints.corr_cholesky
    event_dim = 1

    def _call(self, x):
        x = torch.tanh(x)
        eps = torch.finfo(x.dtype).eps
        x = x.clamp(min=-1 + eps, max=1 - eps)
        n = (1 + (1 + 8 * x.shape[-1]) ** 0.5) / 2
        if round(n) - n > eps:
            raise ValueError(f'The size of last dimension is {x.shape[-1]} which cannot be expressed as the lower triangular part of a square D x D matrix.')
        n = round(n)
        r = x.new_zeros(x.shape[:-1] + (n, n))
        r[..., _below(n, -1)] = x
        rest = (1 - r ** 2).sqrt().cumprod(-1)
        return (r + torch.eye(n, dtype=r.dtype)) * F.pad(rest[..., :-1], [1, 0], value=1)

    def _inverse(self, y):
        rest = F.pad(1 - torch.cumsum(y * y, dim=-1)[..., :-1], [1, 0], value=1)
        below = _below(y.shape[-1], -1)
        t = y[..., below] / rest[..., below].sqrt()
        return (t.log1p() - t.neg().log1p()) / 2

    def log_abs_det_jacobian(self, x, y, intermediates=None):
        rest = 1 - (y * y).cumsum(dim=-1)
        sticks = 0.5 * rest[..., _below(y.shape[-1], -2)].log().sum(-1)
        return sticks - 2 * (x + F.softplus(-2 * x) - math.log(2.0)).sum(dim=-1)

    def forward_shape(self, shape):
        n = _long_enough(shape)[-1]
        d = round((0.25 + 2 * n) ** 0.5 + 0.5)
        if d * (d - 1) // 2 != n:
            raise ValueError('Input is not a flattened lower-diagonal number')
        return shape[:-1] + (d, d)

    def inverse_shape(self, shape):
        if _long_enough(shape, 2)[-2] != shape[-1]:
            raise ValueError('Input is not square')
        return shape[:-2] + (shape[-1] * (shape[-1] - 1) // 2,)


class _OfParts(Transform):
    """Functions of the parts along a dimension; a class says how these are taken and joined."""

    @property
    def event_dim(self):
        return max(t.event_dim for t in self.transforms)

    @property
    def bijective(self):
        return all(t.bijective for t in self.transforms)

    def _call(self, x):
        return self._joined([t(part) for t, part in zip(self.transforms, self._parts(x))])

    def _inverse(self, y):
        return self._joined([t.inv(part) for t, part in zip(self.transforms, self._parts(y))])


class CatTransform(_OfParts):
    """Functions of parts of several lengths."""
    __module__ = "torch.distributions.transforms"

    def __init__(self, tseq, dim=0, lengths=None, cache_size=0):
        self.transforms, self.dim = list(tseq), dim
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)

    @property
    def length(self):
        return sum(self.lengths)

    @property
    def domain(self):
        return constraints.cat([t.domain for t in self.transforms], self.dim, self.lengths)

    @property
    def codomain(self):
        return constraints.cat([t.codomain for t in self.transforms], self.dim, self.lengths)

    def _parts(self, x):
        assert x.size(self.dim) == self.length, f'x.size({self.dim}) = {x.size(self.dim)} must equal length {self.length}'
        return x.split(self.lengths, self.dim)

    def _joined(self, parts):
        return torch.cat(parts, dim=self.dim)

    def log_abs_det_jacobian(self, x, y):
        terms = []
        for t, a, b in zip(self.transforms, self._parts(x), self._parts(y)):
            terms.append(_sum_rightmost(t.log_abs_det_jacobian(a, b), self.event_dim - t.event_dim))
        dim = (self.dim - x.dim() if self.dim >= 0 else self.dim) + self.event_dim
        return torch.cat(terms, dim=dim) if dim < 0 else sum(terms)


class StackTransform(_OfParts):
    """A function for each place along a dimension."""
    __module__ = "torch.distributions.transforms"

    def __init__(self, tseq, dim=0, cache_size=0):
        self.transforms, self.dim = list(tseq), dim

    @property
    def domain(self):
        return constraints.stack([t.domain for t in self.transforms], self.dim)

    @property
    def codomain(self):
        return constraints.stack([t.codomain for t in self.transforms], self.dim)

    def _parts(self, x):
        count = len(self.transforms)
        assert x.size(self.dim) == count, f'x.size({self.dim}) = {x.size(self.dim)} must equal len(transforms) {count}'
        return [x.select(self.dim, i) for i in range(count)]

    def _joined(self, parts):
        return torch.stack(parts, dim=self.dim)

    def log_abs_det_jacobian(self, x, y):
        return self._joined([t.log_abs_det_jacobian(a, b) for t, a, b in zip(self.transforms, self._parts(x), self._parts(y))])
