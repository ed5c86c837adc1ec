# torch.distributions: functions of other distributions, and those with heavy tails.

from torch.distributions import Beta, Chi2, Distribution, Exponential, Gamma, Independent, Normal, Uniform, broadcast_all, constraints
from torch.distributions import _Half, _batch_of, _is_number, _sum_rightmost
from torch.distributions.transforms import AffineTransform, ComposeTransform, ExpTransform, PowerTransform, SigmoidTransform, SoftplusTransform, TanhTransform, Transform, identity_transform

AffineTransform = AffineTransform
ComposeTransform = ComposeTransform
ExpTransform = ExpTransform
PowerTransform = PowerTransform
SigmoidTransform = SigmoidTransform
SoftplusTransform = SoftplusTransform
TanhTransform = TanhTransform
Transform = Transform
identity_transform = identity_transform

_EULER = 0.57721566490153286060


class TransformedDistribution(Distribution):
    """The distribution of a function of something random."""
    __module__ = "torch.distributions.transformed_distribution"
    arg_constraints = {}

    def __init__(self, base_distribution, transforms, validate_args=None):
        transforms = [transforms] if isinstance(transforms, Transform) else transforms
        if not isinstance(transforms, list):
            raise ValueError(f'transforms must be a Transform or list, but was {transforms}')
        self.transforms = transforms
        need = max([t.event_dim for t in transforms] + [0]) - len(base_distribution.event_shape)
        self.base_dist = Independent(base_distribution, need) if need > 0 else base_distribution
        shape = torch.Size(self.base_dist.batch_shape + self.base_dist.event_shape)
        for t in transforms:
            shape = t.forward_shape(shape)
        at = len(self.base_dist.batch_shape)
        super().__init__(torch.Size(shape[:at]), torch.Size(shape[at:]), validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        new = super().expand(batch_shape)
        new.base_dist = self.base_dist.expand(batch_shape)
        return new

    @property
    def has_rsample(self):
        return self.base_dist.has_rsample

    @property
    def support(self):
        return self.transforms[-1].codomain if self.transforms else self.base_dist.support

    def _forward(self, x):
        for transform in self.transforms:
            x = transform(x)
        return x

    def _back(self, value):
        for transform in reversed(self.transforms):
            value = transform._inverse(value)
        return value

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            return self._forward(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape=torch.Size()):
        return self._forward(self.base_dist.rsample(sample_shape))

    def log_prob(self, value):
        self._checked(value)
        result, y = 0.0, value
        events = len(self.event_shape)
        for transform in reversed(self.transforms):
            x = transform._inverse(y)
            result = result - _sum_rightmost(transform.log_abs_det_jacobian(x, y), events - transform.event_dim)
            y = x
        return result + _sum_rightmost(self.base_dist.log_prob(y), events - len(self.base_dist.event_shape))

    def _turned(self, value):
        sign = 1
        for transform in self.transforms:
            sign = sign * transform.sign
        return value if _is_number(sign) and sign == 1 else sign * (value - 0.5) + 0.5

    def cdf(self, value):
        self._checked(value)
        return self._turned(self.base_dist.cdf(self._back(value)))

    def icdf(self, value):
        return self._forward(self.base_dist.icdf(self._turned(value)))

    def __repr__(self):
        return type(self).__name__ + '()' if not self.arg_constraints else super().__repr__()


class Cauchy(Distribution):
    """The distribution of the ratio of two normal numbers."""
    __module__ = "torch.distributions.cauchy"
    arg_constraints = {'loc': constraints.real, 'scale': constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(_batch_of(self.loc, loc, scale), validate_args=validate_args)

    @property
    def mean(self):
        return torch.full(self._extended_shape(), math.nan, dtype=self.loc.dtype)

    @property
    def mode(self):
        return self.loc

    @property
    def variance(self):
        return torch.full(self._extended_shape(), math.inf, dtype=self.loc.dtype)

    def rsample(self, sample_shape=torch.Size()):
        eps = torch.empty(self._extended_shape(sample_shape), dtype=self.loc.dtype).cauchy_()
        return self.loc + eps * self.scale

    def log_prob(self, value):
        self._checked(value)
        return -math.log(math.pi) - self.scale.log() - (((value - self.loc) / self.scale) ** 2).log1p()

    def cdf(self, value):
        self._checked(value)
        return torch.atan((value - self.loc) / self.scale) / math.pi + 0.5

    def icdf(self, value):
        return torch.tan(math.pi * (value - 0.5)) * self.scale + self.loc

    def entropy(self):
        return math.log(4 * math.pi) + self.scale.log()


class HalfCauchy(_Half):
    """The distribution of |x| with x from Cauchy around 0."""
    __module__ = "torch.distributions.half_cauchy"

    def __init__(self, scale, validate_args=None):
        super().__init__(Cauchy(0, scale, validate_args=False), validate_args)

    @property
    def mean(self):
        return torch.full(self._extended_shape(), math.inf, dtype=self.scale.dtype)

    @property
    def variance(self):
        return self.base_dist.variance


class StudentT(Distribution):
    """Student's distribution with `df` degrees of freedom."""
    __module__ = "torch.distributions.studentT"
    arg_constraints = {'df': constraints.positive, 'loc': constraints.real, 'scale': constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        self._chi2 = Chi2(self.df)
        super().__init__(self.df.size(), validate_args=validate_args)

    @property
    def mean(self):
        m = self.loc.clone()
        m[self.df <= 1] = math.nan
        return m

    @property
    def mode(self):
        return self.loc

    @property
    def variance(self):
        m = self.df.clone()
        far = self.df > 2
        m[far] = self.scale[far].pow(2) * self.df[far] / (self.df[far] - 2)
        m[(self.df <= 2) & (self.df > 1)] = math.inf
        m[self.df <= 1] = math.nan
        return m

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        X = torch.normal(torch.zeros(shape, dtype=self.df.dtype), torch.ones(shape, dtype=self.df.dtype))
        Z = self._chi2.rsample(sample_shape)
        return self.loc + self.scale * (X * torch.rsqrt(Z / self.df))

    def log_prob(self, value):
        self._checked(value)
        y = (value - self.loc) / self.scale
        Z = self.scale.log() + 0.5 * self.df.log() + 0.5 * math.log(math.pi) + torch.lgamma(0.5 * self.df) - torch.lgamma(0.5 * (self.df + 1.0))
        return -0.5 * (self.df + 1.0) * torch.log1p(y ** 2.0 / self.df) - Z

    def entropy(self):
        lbeta = torch.lgamma(0.5 * self.df) + math.lgamma(0.5) - torch.lgamma(0.5 * (self.df + 1))
        return self.scale.log() + 0.5 * (self.df + 1) * (torch.digamma(0.5 * (self.df + 1)) - torch.digamma(0.5 * self.df)) + 0.5 * self.df.log() + lbeta


class Gumbel(TransformedDistribution):
    """The distribution of the largest of many numbers."""
    __module__ = "torch.distributions.gumbel"
    arg_constraints = {'loc': constraints.real, 'scale': constraints.positive}
    support = constraints.real

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        finfo = torch.finfo(self.loc.dtype)
        if _is_number(loc) and _is_number(scale):
            base = Uniform(finfo.tiny, 1 - finfo.eps, validate_args=validate_args)
        else:
            base = Uniform(torch.full_like(self.loc, finfo.tiny), torch.full_like(self.loc, 1 - finfo.eps), validate_args=validate_args)
        steps = [ExpTransform().inv, AffineTransform(loc=0, scale=-torch.ones_like(self.scale)), ExpTransform().inv, AffineTransform(loc=self.loc, scale=-self.scale)]
        super().__init__(base, steps, validate_args=validate_args)

    def log_prob(self, value):
        self._checked(value)
        y = (self.loc - value) / self.scale
        return (y - y.exp()) - self.scale.log()

    @property
    def mean(self):
        return self.loc + self.scale * _EULER

    @property
    def mode(self):
        return self.loc

    @property
    def stddev(self):
        return (math.pi / math.sqrt(6)) * self.scale

    @property
    def variance(self):
        return self.stddev.pow(2)

    def entropy(self):
        return self.scale.log() + (1 + _EULER)


class Weibull(TransformedDistribution):
    """The distribution of a power of an exponential number."""
    __module__ = "torch.distributions.weibull"
    arg_constraints = {'scale': constraints.positive, 'concentration': constraints.positive}
    support = constraints.positive

    def __init__(self, scale, concentration, validate_args=None):
        self.scale, self.concentration = broadcast_all(scale, concentration)
        self.concentration_reciprocal = self.concentration.reciprocal()
        base = Exponential(torch.ones_like(self.scale), validate_args=validate_args)
        steps = [PowerTransform(exponent=self.concentration_reciprocal), AffineTransform(loc=0, scale=self.scale)]
        super().__init__(base, steps, validate_args=validate_args)

    @property
    def mean(self):
        return self.scale * torch.exp(torch.lgamma(1 + self.concentration_reciprocal))

    @property
    def mode(self):
        return self.scale * ((self.concentration - 1) / self.concentration) ** self.concentration.reciprocal()

    @property
    def variance(self):
        return self.scale.pow(2) * (torch.exp(torch.lgamma(1 + 2 * self.concentration_reciprocal)) - torch.exp(2 * torch.lgamma(1 + self.concentration_reciprocal)))

    def entropy(self):
        return _EULER * (1 - self.concentration_reciprocal) + torch.log(self.scale * self.concentration_reciprocal) + 1


class Pareto(TransformedDistribution):
    """The distribution of density proportional to a power, from `scale` on."""
    __module__ = "torch.distributions.pareto"
    arg_constraints = {'alpha': constraints.positive, 'scale': constraints.positive}

    def __init__(self, scale, alpha, validate_args=None):
        self.scale, self.alpha = broadcast_all(scale, alpha)
        steps = [ExpTransform(), AffineTransform(loc=0, scale=self.scale)]
        super().__init__(Exponential(self.alpha, validate_args=validate_args), steps, validate_args=validate_args)

    @property
    def support(self):
        return constraints.greater_than_eq(self.scale)

    @property
    def mean(self):
        a = self.alpha.clamp(min=1)
        return a * self.scale / (a - 1)

    @property
    def mode(self):
        return self.scale

    @property
    def variance(self):
        a = self.alpha.clamp(min=2)
        return self.scale.pow(2) * a / ((a - 1).pow(2) * (a - 2))

    def entropy(self):
        return (self.scale / self.alpha).log() + (1 + self.alpha.reciprocal())


class InverseGamma(TransformedDistribution):
    """The distribution of 1/x with x from Gamma."""
    __module__ = "torch.distributions.inverse_gamma"
    arg_constraints = {'concentration': constraints.positive, 'rate': constraints.positive}
    support = constraints.positive

    def __init__(self, concentration, rate, validate_args=None):
        base = Gamma(concentration, rate, validate_args=validate_args)
        super().__init__(base, [PowerTransform(-base.rate.new_ones(()))], validate_args=validate_args)

    @property
    def concentration(self):
        return self.base_dist.concentration

    @property
    def rate(self):
        return self.base_dist.rate

    @property
    def mean(self):
        result = self.rate / (self.concentration - 1)
        return torch.where(self.concentration > 1, result, torch.inf)

    @property
    def mode(self):
        return self.rate / (self.concentration + 1)

    @property
    def variance(self):
        result = self.rate.square() / ((self.concentration - 1).square() * (self.concentration - 2))
        return torch.where(self.concentration > 2, result, torch.inf)

    def entropy(self):
        return self.concentration + self.rate.log() + self.concentration.lgamma() - (1 + self.concentration) * self.concentration.digamma()
