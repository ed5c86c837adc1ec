# torch.distributions: the normal distribution of vectors, and mixtures.

from torch.distributions import Categorical, Distribution, constraints
from torch.distributions import _Centred


def _batch_mahalanobis(L, x):
    """|L⁻¹ x|² of each vector x."""
    if L.dim() == 2:
        rows = torch.linalg.solve_triangular(L, x.reshape(-1, x.size(-1)).T, upper=False)
        return rows.pow(2).sum(-2).reshape(x.shape[:-1])
    return torch.linalg.solve_triangular(L, x.unsqueeze(-1), upper=False).squeeze(-1).pow(2).sum(-1)


def _scale_of(name, matrix):
    """L of the covariance L Lᵀ that a matrix of this name gives."""
    if name == 'scale_tril':
        return matrix
    return torch.linalg.cholesky(matrix) if name == 'covariance_matrix' else _scale_of_precision(matrix)


def _scale_of_precision(P):
    """L of (P⁻¹) = L Lᵀ."""
    flipped = torch.linalg.cholesky(torch.flip(P, (-2, -1)))
    inverse = torch.transpose(torch.flip(flipped, (-2, -1)), -2, -1)
    return torch.linalg.solve_triangular(inverse, torch.eye(P.shape[-1], dtype=P.dtype), upper=False)


class MultivariateNormal(_Centred, Distribution):
    """The normal distribution of vectors, by its covariance, its inverse or L of L Lᵀ."""
    __module__ = "torch.distributions.multivariate_normal"
    arg_constraints = {
        'loc': constraints.real_vector,
        'covariance_matrix': constraints.positive_definite,
        'precision_matrix': constraints.positive_definite,
        'scale_tril': constraints.lower_cholesky,
    }
    support = constraints.real_vector
    has_rsample = True
    _lazy = ('covariance_matrix', 'precision_matrix', 'scale_tril')

    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        if loc.dim() < 1:
            raise ValueError('loc must be at least one-dimensional.')
        given = {'covariance_matrix': covariance_matrix, 'scale_tril': scale_tril, 'precision_matrix': precision_matrix}
        given = [(name, matrix) for name, matrix in given.items() if matrix is not None]
        if len(given) != 1:
            raise ValueError('Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.')
        name, matrix = given[0]
        if matrix.dim() < 2:
            kind = 'scale_tril matrix' if name == 'scale_tril' else name
            raise ValueError(f'{kind} must be at least two-dimensional, with optional leading batch dimensions')
        batch_shape = torch.broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        setattr(self, name, matrix.expand(batch_shape + (-1, -1)))
        self.loc = loc.expand(batch_shape + (-1,))
        super().__init__(batch_shape, self.loc.shape[-1:], validate_args)
        self._unbroadcasted_scale_tril = _scale_of(name, matrix)

    def _square(self, matrix):
        return matrix.expand(self._batch_shape + self._event_shape + self._event_shape)

    def _make_scale_tril(self):
        return self._square(self._unbroadcasted_scale_tril)

    def _make_covariance_matrix(self):
        L = self._unbroadcasted_scale_tril
        return self._square(torch.matmul(L, L.mT))

    def _make_precision_matrix(self):
        return self._square(torch.cholesky_inverse(self._unbroadcasted_scale_tril))

    @property
    def variance(self):
        return self._unbroadcasted_scale_tril.pow(2).sum(-1).expand(self._batch_shape + self._event_shape)

    def rsample(self, sample_shape=torch.Size()):
        eps = torch.empty(self._extended_shape(sample_shape), dtype=self.loc.dtype).normal_()
        return self.loc + torch.matmul(self._unbroadcasted_scale_tril, eps.unsqueeze(-1)).squeeze(-1)

    def _half_log_det(self):
        return self._unbroadcasted_scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def log_prob(self, value):
        self._checked(value)
        M = _batch_mahalanobis(self._unbroadcasted_scale_tril, value - self.loc)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + M) - self._half_log_det()

    def entropy(self):
        H = 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._half_log_det()
        return H if len(self._batch_shape) == 0 else H.expand(self._batch_shape)


class MixtureSameFamily(Distribution):
    """A mixture of distributions of one kind, the last dimension of a batch, with weights."""
    __module__ = "torch.distributions.mixture_same_family"
    arg_constraints = {}

    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        self._mixture_distribution = mixture_distribution
        self._component_distribution = component_distribution
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError(' The Mixture distribution needs to be an  instance of torch.distributions.Categorical')
        if not isinstance(component_distribution, Distribution):
            raise ValueError('The Component distribution need to be an instance of torch.distributions.Distribution')
        inner = component_distribution.batch_shape[:-1]
        for a, b in zip(reversed(mixture_distribution.batch_shape), reversed(inner)):
            if a != 1 and b != 1 and a != b:
                raise ValueError(f'`mixture_distribution.batch_shape` ({mixture_distribution.batch_shape}) is not compatible with `component_distribution.batch_shape[:-1]`({inner})')
        km, kc = mixture_distribution.logits.shape[-1], component_distribution.batch_shape[-1]
        if km != kc:
            raise ValueError(f'`mixture_distribution component` ({km}) does not equal `component_distribution.batch_shape[-1]` ({kc})')
        super().__init__(inner, component_distribution.event_shape, validate_args)

    @property
    def mixture_distribution(self):
        return self._mixture_distribution

    @property
    def component_distribution(self):
        return self._component_distribution

    @property
    def support(self):
        return self._component_distribution.support

    def _padded(self, weights):
        return weights.reshape(weights.shape + (1,) * len(self._event_shape))

    @property
    def mean(self):
        weights = self._padded(self._mixture_distribution.probs)
        return torch.sum(weights * self._component_distribution.mean, dim=-1 - len(self._event_shape))

    @property
    def variance(self):
        at = -1 - len(self._event_shape)
        weights = self._padded(self._mixture_distribution.probs)
        mean = self.mean.unsqueeze(at)
        inner = torch.sum(weights * self._component_distribution.variance, dim=at)
        return inner + torch.sum(weights * (self._component_distribution.mean - mean).pow(2.0), dim=at)

    def cdf(self, x):
        x = x.unsqueeze(-1 - len(self._event_shape))
        return torch.sum(self._component_distribution.cdf(x) * self._mixture_distribution.probs, dim=-1)

    def log_prob(self, x):
        self._checked(x)
        x = x.unsqueeze(-1 - len(self._event_shape))
        inner = self._component_distribution.log_prob(x)
        return torch.logsumexp(inner + torch.log_softmax(self._mixture_distribution.logits, dim=-1), dim=-1)

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            count, at = len(self._event_shape), len(torch.Size(sample_shape)) + len(self._batch_shape)
            chosen = self._mixture_distribution.sample(sample_shape)
            drawn = self._component_distribution.sample(sample_shape)
            chosen = chosen.reshape(chosen.shape + (1,) * (count + 1))
            chosen = chosen.expand(drawn.shape[:at] + (1,) + self._event_shape)
            return torch.gather(drawn, at, chosen).squeeze(at)

    def __repr__(self):
        return f'MixtureSameFamily(\n  {self._mixture_distribution},\n  {self._component_distribution})'
