# torch.distributions: those of whole numbers, of choices and of vectors that mark a choice.

from torch.distributions import Distribution, ExponentialFamily, broadcast_all, constraints, logits_to_probs, probs_to_logits
from torch.distributions import _is_number


class _OfProbs:
    """Parameters probs or logits; the other is computed when first asked for."""
    _lazy = ('probs', 'logits')
    _binary = True

    @staticmethod
    def _given(probs, logits):
        """The parameter that is given."""
        if (probs is None) == (logits is None):
            raise ValueError('Either `probs` or `logits` must be specified, but not both.')
        return logits if probs is None else probs

    def _keep(self, param, probs):
        self._param = param
        setattr(self, 'logits' if probs is None else 'probs', param)

    def _take(self, probs, logits):
        """Keeps the parameter that is given; returns the shape of the batch."""
        given = self._given(probs, logits)
        param, = broadcast_all(given)
        self._keep(param, probs)
        return torch.Size() if _is_number(given) else param.size()

    def _make_logits(self):
        return probs_to_logits(self.probs, is_binary=self._binary)

    def _make_probs(self):
        return logits_to_probs(self.logits, is_binary=self._binary)

    @property
    def param_shape(self):
        return self._param.size()

    def expand(self, batch_shape, _instance=None):
        new = super().expand(batch_shape)
        new._param = new.logits if 'logits' in self.__dict__ and self._param is self.logits else new.probs
        return new


class Bernoulli(_OfProbs, ExponentialFamily):
    """1 with a probability, otherwise 0."""
    __module__ = "torch.distributions.bernoulli"
    arg_constraints = {'probs': constraints.unit_interval, 'logits': constraints.real}
    support = constraints.boolean
    has_enumerate_support = True
    _mean_carrier_measure = 0

    def __init__(self, probs=None, logits=None, validate_args=None):
        batch = self._take(probs, logits)
        ExponentialFamily.__init__(self, batch, validate_args=validate_args)

    @property
    def mean(self):
        return self.probs

    @property
    def mode(self):
        mode = (self.probs >= 0.5).to(self.probs)
        mode[self.probs == 0.5] = math.nan
        return mode

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            return torch.bernoulli(self.probs.expand(shape))

    def log_prob(self, value):
        self._checked(value)
        logits, value = broadcast_all(self.logits, value)
        return -F.binary_cross_entropy_with_logits(logits, value, reduction='none')

    def entropy(self):
        return F.binary_cross_entropy_with_logits(self.logits, self.probs, reduction='none')

    def enumerate_support(self, expand=True):
        values = torch.arange(2, dtype=self._param.dtype).view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1,) + self._batch_shape) if expand else values

    @property
    def _natural_params(self):
        return (torch.logit(self.probs),)

    def _log_normalizer(self, x):
        return torch.log1p(torch.exp(x))


class Geometric(_OfProbs, Distribution):
    """How often a trial fails before the first success."""
    __module__ = "torch.distributions.geometric"
    arg_constraints = {'probs': constraints.unit_interval, 'logits': constraints.real}
    support = constraints.nonnegative_integer

    def __init__(self, probs=None, logits=None, validate_args=None):
        batch = self._take(probs, logits)
        Distribution.__init__(self, batch, validate_args=validate_args)
        if self._validate_args and probs is not None and not (self.probs > 0).all():
            value = self.probs
            raise ValueError(f'Expected parameter probs ({type(value).__name__} of shape {tuple(value.shape)}) of distribution {self!r} to be positive but found invalid values:\n{value.data[~(value > 0)]}')

    @property
    def mean(self):
        return 1.0 / self.probs - 1.0

    @property
    def mode(self):
        return torch.zeros_like(self.probs)

    @property
    def variance(self):
        return (1.0 / self.probs - 1.0) / self.probs

    def sample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            u = torch.empty(shape, dtype=self.probs.dtype).uniform_(torch.finfo(self.probs.dtype).tiny, 1)
            return (u.log() / (-self.probs).log1p()).floor()

    def log_prob(self, value):
        self._checked(value)
        value, probs = broadcast_all(value, self.probs)
        probs = probs.clone()
        probs[(probs == 1) & (value == 0)] = 0
        return value * (-probs).log1p() + self.probs.log()

    def entropy(self):
        return F.binary_cross_entropy_with_logits(self.logits, self.probs, reduction='none') / self.probs


class Poisson(ExponentialFamily):
    """Counts of events that come at a rate."""
    __module__ = "torch.distributions.poisson"
    arg_constraints = {'rate': constraints.nonnegative}
    support = constraints.nonnegative_integer

    def __init__(self, rate, validate_args=None):
        self.rate, = broadcast_all(rate)
        super().__init__(torch.Size() if _is_number(rate) else self.rate.size(), validate_args=validate_args)

    @property
    def mean(self):
        return self.rate

    @property
    def mode(self):
        return self.rate.floor()

    @property
    def variance(self):
        return self.rate

    def sample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            return torch.poisson(self.rate.expand(shape))

    def log_prob(self, value):
        self._checked(value)
        rate, value = broadcast_all(self.rate, value)
        return value.xlogy(rate) - rate - (value + 1).lgamma()

    def entropy(self):
        raise NotImplementedError

    @property
    def _natural_params(self):
        return (torch.log(self.rate),)

    def _log_normalizer(self, x):
        return torch.exp(x)


class Categorical(_OfProbs, Distribution):
    """A choice k with probability probs[k]; `probs` need not add up to 1."""
    __module__ = "torch.distributions.categorical"
    arg_constraints = {'probs': constraints.simplex, 'logits': constraints.real_vector}
    has_enumerate_support = True
    _binary = False

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._given(probs, logits)
        if probs is not None:
            if probs.dim() < 1:
                raise ValueError('`probs` parameter must be at least one-dimensional.')
            self.probs = self._param = probs / probs.sum(-1, keepdim=True)
        else:
            if logits.dim() < 1:
                raise ValueError('`logits` parameter must be at least one-dimensional.')
            self.logits = self._param = logits - logits.logsumexp(dim=-1, keepdim=True)
        self._num_events = self._param.size()[-1]
        Distribution.__init__(self, self._param.size()[:-1], validate_args=validate_args)

    @property
    def support(self):
        return constraints.integer_interval(0, self._num_events - 1)

    @property
    def mean(self):
        return torch.full(self._extended_shape(), math.nan, dtype=self.probs.dtype)

    @property
    def mode(self):
        return self.probs.argmax(dim=-1)

    @property
    def variance(self):
        return torch.full(self._extended_shape(), math.nan, dtype=self.probs.dtype)

    def sample(self, sample_shape=torch.Size()):
        probs = self.probs.reshape(-1, self._num_events)
        drawn = torch.multinomial(probs, torch.Size(sample_shape).numel(), True).T
        return drawn.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value):
        self._checked(value)
        value, log_pmf = torch.broadcast_tensors(value.long().unsqueeze(-1), self.logits)
        return log_pmf.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self):
        logits = torch.clamp(self.logits, min=torch.finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand=True):
        values = torch.arange(self._num_events).view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1,) + self._batch_shape) if expand else values


class OneHotCategorical(Distribution):
    """A choice as a vector with 1 at its place."""
    __module__ = "torch.distributions.one_hot_categorical"
    arg_constraints = {'probs': constraints.simplex, 'logits': constraints.real_vector}
    support = constraints.one_hot
    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._categorical = Categorical(probs, logits)
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args)

    def expand(self, batch_shape, _instance=None):
        new = super().expand(batch_shape)
        new._categorical = self._categorical.expand(batch_shape)
        return new

    @property
    def probs(self):
        return self._categorical.probs

    @property
    def logits(self):
        return self._categorical.logits

    @property
    def param_shape(self):
        return self._categorical.param_shape

    @property
    def mean(self):
        return self.probs

    @property
    def mode(self):
        return F.one_hot(self.probs.argmax(dim=-1), num_classes=self.probs.shape[-1]).to(self.probs)

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=torch.Size()):
        return F.one_hot(self._categorical.sample(sample_shape), self._categorical._num_events).to(self.probs)

    def log_prob(self, value):
        self._checked(value)
        return self._categorical.log_prob(value.max(-1)[1])

    def entropy(self):
        return self._categorical.entropy()

    def enumerate_support(self, expand=True):
        n = self.event_shape[0]
        values = torch.eye(n, dtype=self._categorical._param.dtype).view((n,) + (1,) * len(self.batch_shape) + (n,))
        return values.expand((n,) + self.batch_shape + (n,)) if expand else values


class Multinomial(Distribution):
    """How often each choice comes in `total_count` choices."""
    __module__ = "torch.distributions.multinomial"
    arg_constraints = {'probs': constraints.simplex, 'logits': constraints.real_vector}

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        if not isinstance(total_count, int):
            raise NotImplementedError('inhomogeneous total_count is not supported')
        self.total_count = total_count
        self._categorical = Categorical(probs=probs, logits=logits)
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args)

    def expand(self, batch_shape, _instance=None):
        new = super().expand(batch_shape)
        new._categorical = self._categorical.expand(batch_shape)
        return new

    def entropy(self):
        count = torch.tensor(self.total_count, dtype=self.probs.dtype)
        binomial = torch.distributions.Binomial(self.total_count, self.probs)
        times = binomial.enumerate_support(expand=False)[1:]
        repeated = (torch.exp(binomial.log_prob(times)) * torch.lgamma(times + 1)).sum([0, -1])
        return count * self._categorical.entropy() - torch.lgamma(count + 1) + repeated

    @property
    def probs(self):
        return self._categorical.probs

    @property
    def logits(self):
        return self._categorical.logits

    @property
    def support(self):
        return constraints.multinomial(self.total_count)

    @property
    def mean(self):
        return self.probs * self.total_count

    @property
    def variance(self):
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape=torch.Size()):
        shape = torch.Size(sample_shape)
        drawn = self._categorical.sample(torch.Size((self.total_count,)) + shape)
        drawn = drawn.permute(*range(1, drawn.dim()), 0)
        counts = torch.zeros(self._extended_shape(shape), dtype=drawn.dtype)
        counts.scatter_add_(-1, drawn, torch.ones_like(drawn))
        return counts.type_as(self.probs)

    def log_prob(self, value):
        self._checked(value)
        logits, value = broadcast_all(self.logits, value)
        logits = logits.clone()
        factorials = torch.lgamma(value.sum(-1) + 1) - torch.lgamma(value + 1).sum(-1)
        logits[(value == 0) & (logits == -math.inf)] = 0
        return factorials + (logits * value).sum(-1)
