# torch.distributions: counts of successes.

from torch.distributions import Distribution, Gamma, broadcast_all, constraints
from torch.distributions import _OfProbs


def _clamp_by_zero(x):
    """x where above 0, with half a slope at 0."""
    return (x.clamp(min=0) + x - x.clamp(max=0)) / 2


class _Counted(_OfProbs, Distribution):
    """Parameters total_count, and probs or logits."""

    def __init__(self, total_count, probs, logits, validate_args):
        count, param = broadcast_all(total_count, self._given(probs, logits))
        self._keep(param, probs)
        self.total_count = count.type_as(self._param)
        Distribution.__init__(self, self._param.size(), validate_args=validate_args)


class Binomial(_Counted):
    """How many of `total_count` trials succeed."""
    __module__ = "torch.distributions.binomial"
    arg_constraints = {'total_count': constraints.nonnegative_integer, 'probs': constraints.unit_interval, 'logits': constraints.real}
    has_enumerate_support = True

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        super().__init__(total_count, probs, logits, validate_args)

    @property
    def support(self):
        return constraints.integer_interval(0, self.total_count)

    @property
    def mean(self):
        return self.total_count * self.probs

    @property
    def mode(self):
        return ((self.total_count + 1) * self.probs).floor().clamp(max=self.total_count)

    @property
    def variance(self):
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            return torch.binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value):
        self._checked(value)
        n, logits = self.total_count, self.logits
        normalize = n * _clamp_by_zero(logits) + n * torch.log1p(torch.exp(-torch.abs(logits))) - torch.lgamma(n + 1)
        return value * logits - torch.lgamma(value + 1) - torch.lgamma(n - value + 1) - normalize

    def _same_count(self, where):
        count = int(self.total_count.max())
        if not self.total_count.min() == count:
            raise NotImplementedError(f'Inhomogeneous total count not supported by `{where}`.')
        return count

    def entropy(self):
        self._same_count('entropy')
        log_prob = self.log_prob(self.enumerate_support(False))
        return -(torch.exp(log_prob) * log_prob).sum(0)

    def enumerate_support(self, expand=True):
        values = torch.arange(1 + self._same_count('enumerate_support'), dtype=self._param.dtype)
        values = values.view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1,) + self._batch_shape) if expand else values


class NegativeBinomial(_Counted):
    """How many trials succeed before `total_count` fail."""
    __module__ = "torch.distributions.negative_binomial"
    arg_constraints = {'total_count': constraints.greater_than_eq(0), 'probs': constraints.half_open_interval(0.0, 1.0), 'logits': constraints.real}
    support = constraints.nonnegative_integer

    def __init__(self, total_count, probs=None, logits=None, validate_args=None):
        super().__init__(total_count, probs, logits, validate_args)

    @property
    def mean(self):
        return self.total_count * torch.exp(self.logits)

    @property
    def mode(self):
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0)

    @property
    def variance(self):
        return self.mean / torch.sigmoid(-self.logits)

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            rates = Gamma(concentration=self.total_count, rate=torch.exp(-self.logits), validate_args=False)
            return torch.poisson(rates.sample(sample_shape=sample_shape))

    def log_prob(self, value):
        self._checked(value)
        n = self.total_count
        log_prob = n * F.logsigmoid(-self.logits) + value * F.logsigmoid(self.logits)
        normalization = -torch.lgamma(n + value) + torch.lgamma(1.0 + value) + torch.lgamma(n)
        return log_prob - normalization.masked_fill(n + value == 0.0, 0.0)
