# torch.distributions: those of matrices, and normal vectors of low rank.

import warnings
from torch.distributions import Beta, Chi2, Distribution, ExponentialFamily, broadcast_all, constraints
from torch.distributions import _Centred, _batch_mahalanobis, _is_number, _scale_of


class Wishart(ExponentialFamily):
    """The distribution of sums of `df` outer products of normal vectors."""
    __module__ = "torch.distributions.wishart"
    support = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0
    _lazy = ('covariance_matrix', 'precision_matrix', 'scale_tril')

    @property
    def arg_constraints(self):
        return {'covariance_matrix': constraints.positive_definite, 'precision_matrix': constraints.positive_definite, 'scale_tril': constraints.lower_cholesky, 'df': constraints.greater_than(self.event_shape[-1] - 1)}

    def __init__(self, df, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        given = {'covariance_matrix': covariance_matrix, 'precision_matrix': precision_matrix, 'scale_tril': scale_tril}
        given = [(name, matrix) for name, matrix in given.items() if matrix is not None]
        assert len(given) == 1, 'Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.'
        name, matrix = given[0]
        if matrix.dim() < 2:
            raise ValueError('scale_tril must be at least two-dimensional, with optional leading batch dimensions')
        if _is_number(df):
            batch_shape = torch.Size(matrix.shape[:-2])
            self.df = torch.tensor(df, dtype=matrix.dtype)
        else:
            batch_shape = torch.broadcast_shapes(matrix.shape[:-2], df.shape)
            self.df = df.expand(batch_shape)
        event_shape = matrix.shape[-2:]
        if self.df.le(event_shape[-1] - 1).any():
            raise ValueError(f'Value of df={df} expected to be greater than ndim - 1 = {event_shape[-1] - 1}.')
        setattr(self, name, matrix.expand(batch_shape + (-1, -1)))
        if self.df.lt(event_shape[-1]).any():
            warnings.warn('Low df values detected. Singular samples are highly likely to occur for ndim - 1 < df < ndim.', stacklevel=2)
        super().__init__(batch_shape, event_shape, validate_args=validate_args)
        self._unbroadcasted_scale_tril = _scale_of(name, matrix)

    def expand(self, batch_shape, _instance=None):
        new = super().expand(batch_shape)
        new._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril.expand(torch.Size(batch_shape) + self.event_shape)
        return new

    def _square(self, matrix):
        return matrix.expand(self._batch_shape + self._event_shape)

    def _make_scale_tril(self):
        return self._square(self._unbroadcasted_scale_tril)

    def _make_covariance_matrix(self):
        L = self._unbroadcasted_scale_tril
        return self._square(L @ L.transpose(-2, -1))

    def _make_precision_matrix(self):
        L = self._unbroadcasted_scale_tril
        return self._square(torch.cholesky_solve(torch.eye(self._event_shape[-1], dtype=L.dtype), L))

    def _per_matrix(self, number):
        return number.view(self._batch_shape + (1, 1))

    @property
    def mean(self):
        return self._per_matrix(self.df) * self.covariance_matrix

    @property
    def mode(self):
        factor = self.df - self.covariance_matrix.shape[-1] - 1
        factor[factor <= 0] = math.nan
        return self._per_matrix(factor) * self.covariance_matrix

    @property
    def variance(self):
        V = self.covariance_matrix
        diagonal = V.diagonal(dim1=-2, dim2=-1)
        return self._per_matrix(self.df) * (V.pow(2) + torch.einsum("...i,...j->...ij", diagonal, diagonal))

    def _drawn(self, sample_shape):
        """By Bartlett's decomposition."""
        p, dtype = self._event_shape[-1], self._unbroadcasted_scale_tril.dtype
        chi2 = Chi2(self.df.unsqueeze(-1) - torch.arange(p, dtype=dtype).expand(self._batch_shape + (-1,)))
        noise = chi2.rsample(sample_shape).sqrt().clamp(min=torch.finfo(dtype).eps).diag_embed(dim1=-2, dim2=-1)
        i, j = torch.tril_indices(p, p, offset=-1)
        noise[..., i, j] = torch.randn(torch.Size(sample_shape) + self._batch_shape + (int(p * (p - 1) / 2),), dtype=dtype)
        L = self._unbroadcasted_scale_tril @ noise
        return L @ L.transpose(-2, -1)

    def _over_batch(self, flags):
        return flags.amax([-(x + 1) for x in range(len(self._batch_shape))]) if self._batch_shape else flags

    def rsample(self, sample_shape=torch.Size(), max_try_correction=10):
        sample = self._drawn(torch.Size(sample_shape))
        again = self._over_batch(self.support.check(sample))
        if again.any():
            warnings.warn('Singular sample detected.', stacklevel=2)
            for _ in range(max_try_correction):
                new = self._drawn(again[again].shape)
                sample[again] = new
                again[again.clone()] = self._over_batch(~self.support.check(new))
                if not again.any():
                    break
        return sample

    def _half_log_det(self, p):
        return p * math.log(2) / 2 + self._unbroadcasted_scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def log_prob(self, value):
        self._checked(value)
        nu, p = self.df, self._event_shape[-1]
        return -nu * self._half_log_det(p) - torch.mvlgamma(nu / 2, p=p) + (nu - p - 1) / 2 * torch.linalg.slogdet(value).logabsdet - torch.cholesky_solve(value, self._unbroadcasted_scale_tril).diagonal(dim1=-2, dim2=-1).sum(dim=-1) / 2

    def entropy(self):
        nu, p = self.df, self._event_shape[-1]
        x = nu / 2
        digammas = torch.digamma(x.unsqueeze(-1) - torch.arange(p, dtype=x.dtype).div(2).expand(x.shape + (-1,))).sum(-1)
        return (p + 1) * self._half_log_det(p) + torch.mvlgamma(nu / 2, p=p) - (nu - p - 1) / 2 * digammas + nu * p / 2

    @property
    def _natural_params(self):
        return -self.precision_matrix / 2, (self.df - self._event_shape[-1] - 1) / 2

    def _log_normalizer(self, x, y):
        p = self._event_shape[-1]
        return (y + (p + 1) / 2) * (-torch.linalg.slogdet(-2 * x).logabsdet + math.log(2) * p) + torch.mvlgamma(y + (p + 1) / 2, p=p)


class LKJCholesky(Distribution):
    """The distribution of L where L Lᵀ is a random correlation matrix."""
    __module__ = "torch.distributions.lkj_cholesky"
    arg_constraints = {'concentration': constraints.positive}
    support = constraints.corr_cholesky

    def __init__(self, dim, concentration=1.0, validate_args=None):
        if dim < 2:
            raise ValueError(f'Expected dim to be an integer greater than or equal to 2. Found dim={dim}.')
        self.dim = dim
        self.concentration, = broadcast_all(concentration)
        offset = torch.arange(dim - 1, dtype=self.concentration.dtype)
        offset = torch.cat([offset.new_zeros((1,)), offset])
        marginal = self.concentration + 0.5 * (dim - 2)
        self._beta = Beta(offset + 0.5, marginal.unsqueeze(-1) - 0.5 * offset)
        super().__init__(self.concentration.size(), torch.Size((dim, dim)), validate_args)

    def expand(self, batch_shape, _instance=None):
        new = super().expand(batch_shape)
        new._beta = self._beta.expand(torch.Size(batch_shape) + (self.dim,))
        return new

    def sample(self, sample_shape=torch.Size()):
        y = self._beta.sample(sample_shape).unsqueeze(-1)
        normal = torch.randn(self._extended_shape(sample_shape), dtype=y.dtype).tril(-1)
        sphere = normal / normal.norm(dim=-1, keepdim=True)
        sphere[..., 0, :].fill_(0.0)
        w = torch.sqrt(y) * sphere
        diagonal = torch.clamp(1 - torch.sum(w ** 2, dim=-1), min=torch.finfo(w.dtype).tiny).sqrt()
        w += torch.diag_embed(diagonal)
        return w

    def log_prob(self, value):
        self._checked(value)
        diagonal = value.diagonal(dim1=-1, dim2=-2)[..., 1:]
        order = 2 * (self.concentration - 1).unsqueeze(-1) + self.dim - torch.arange(2, self.dim + 1)
        log_pdf = torch.sum(order * diagonal.log(), dim=-1)
        dm1 = self.dim - 1
        alpha = self.concentration + 0.5 * dm1
        normalize = 0.5 * dm1 * math.log(math.pi) + torch.mvlgamma(alpha - 0.5, dm1) - torch.lgamma(alpha) * dm1
        return log_pdf - normalize


def _cholesky_with_one(K):
    """L of 1 + K = L Lᵀ."""
    K.diagonal(dim1=-2, dim2=-1).add_(1)
    return torch.linalg.cholesky(K)


class LowRankMultivariateNormal(_Centred, Distribution):
    """The normal distribution of covariance W Wᵀ + diag D."""
    __module__ = "torch.distributions.lowrank_multivariate_normal"
    arg_constraints = {'loc': constraints.real_vector, 'cov_factor': constraints.independent(constraints.real, 2), 'cov_diag': constraints.independent(constraints.positive, 1)}
    support = constraints.real_vector
    has_rsample = True
    _lazy = ('scale_tril', 'covariance_matrix', 'precision_matrix')

    def __init__(self, loc, cov_factor, cov_diag, validate_args=None):
        if loc.dim() < 1:
            raise ValueError('loc must be at least one-dimensional.')
        event_shape = loc.shape[-1:]
        if cov_factor.dim() < 2:
            raise ValueError('cov_factor must be at least two-dimensional, with optional leading batch dimensions')
        if cov_factor.shape[-2:-1] != event_shape:
            raise ValueError(f'cov_factor must be a batch of matrices with shape {event_shape[0]} x m')
        if cov_diag.shape[-1:] != event_shape:
            raise ValueError(f'cov_diag must be a batch of vectors with shape {event_shape}')
        try:
            loc_, self.cov_factor, diag_ = torch.broadcast_tensors(loc.unsqueeze(-1), cov_factor, cov_diag.unsqueeze(-1))
        except RuntimeError as e:
            raise ValueError(f'Incompatible batch shapes: loc {loc.shape}, cov_factor {cov_factor.shape}, cov_diag {cov_diag.shape}') from e
        self.loc, self.cov_diag = loc_[..., 0], diag_[..., 0]
        self._W, self._D = cov_factor, cov_diag
        Wt_Dinv = self._Wt_Dinv()
        self._capacitance_tril = _cholesky_with_one(torch.matmul(Wt_Dinv, cov_factor))
        super().__init__(self.loc.shape[:-1], event_shape, validate_args=validate_args)

    def _Wt_Dinv(self):
        return self._W.mT / self._D.unsqueeze(-2)

    @property
    def variance(self):
        return (self._W.pow(2).sum(-1) + self._D).expand(self._batch_shape + self._event_shape)

    def _square(self, matrix):
        return matrix.expand(self._batch_shape + self._event_shape + self._event_shape)

    def _make_scale_tril(self):
        root = self._D.sqrt().unsqueeze(-1)
        W = self._W / root
        return self._square(root * _cholesky_with_one(torch.matmul(W, W.mT)))

    def _make_covariance_matrix(self):
        return self._square(torch.matmul(self._W, self._W.mT) + torch.diag_embed(self._D))

    def _make_precision_matrix(self):
        A = self._whitened()
        return self._square(torch.diag_embed(self._D.reciprocal()) - A.mT @ A)

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        along = torch.empty(shape[:-1] + self.cov_factor.shape[-1:], dtype=self.loc.dtype).normal_()
        own = torch.empty(shape, dtype=self.loc.dtype).normal_()
        return self.loc + torch.matmul(self._W, along.unsqueeze(-1)).squeeze(-1) + self._D.sqrt() * own

    def _log_det(self):
        return 2 * self._capacitance_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1) + self._D.log().sum(-1)

    def _mahalanobis(self, x):
        """xᵀ Σ⁻¹ x of each vector x."""
        inner = torch.matmul(self._Wt_Dinv(), x.unsqueeze(-1)).squeeze(-1)
        return (x.pow(2) / self._D).sum(-1) - _batch_mahalanobis(self._capacitance_tril, inner)

    def _whitened(self):
        return torch.linalg.solve_triangular(self._capacitance_tril, self._Wt_Dinv(), upper=False)

    def log_prob(self, value):
        self._checked(value)
        M = self._mahalanobis(value - self.loc)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + self._log_det() + M)

    def entropy(self):
        H = 0.5 * (self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._log_det())
        return H if len(self._batch_shape) == 0 else H.expand(self._batch_shape)
