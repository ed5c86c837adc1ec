# torch.distributions: the base class, and what its classes share.

import copy
import warnings
from torch.distributions import constraints


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, torch.Tensor)


def broadcast_all(*values):
    """Makes tensors of one shape of numbers and tensors."""
    if not all(isinstance(v, torch.Tensor) or _is_number(v) for v in values):
        raise ValueError('Input arguments must all be instances of Number, torch.Tensor or objects implementing __torch_function__.')
    dtype = next((v.dtype for v in values if isinstance(v, torch.Tensor)), torch.get_default_dtype())
    return torch.broadcast_tensors(*[v if isinstance(v, torch.Tensor) else torch.tensor(v, dtype=dtype) for v in values])


def _batch_of(tensor, *given):
    """The shape of a batch: none where only numbers were given."""
    return torch.Size() if all(_is_number(v) for v in given) else tensor.size()


def _sum_rightmost(value, dim):
    """The sum over the last dimensions."""
    return value if dim == 0 else value.reshape(value.shape[:-dim] + (-1,)).sum(-1)


def logits_to_probs(logits, is_binary=False):
    """Probabilities of logits: the sigmoid of one, the softmax of several."""
    return torch.sigmoid(logits) if is_binary else F.softmax(logits, dim=-1)


def clamp_probs(probs):
    """Probabilities that are neither 0 nor 1."""
    eps = torch.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs, is_binary=False):
    """Logits of probabilities."""
    clamped = clamp_probs(probs)
    return torch.log(clamped) - torch.log1p(-clamped) if is_binary else torch.log(clamped)


class Distribution:
    """A probability distribution: a batch of independent ones, each of events."""
    __module__ = "torch.distributions.distribution"
    has_rsample = False
    has_enumerate_support = False
    _validate_args = True
    # Attributes that are computed when first asked for, by a method named _make_ and the attribute.
    _lazy = ()

    @staticmethod
    def set_default_validate_args(value):
        if value not in [True, False]:
            raise ValueError
        Distribution._validate_args = value

    def __init__(self, batch_shape=torch.Size(), event_shape=torch.Size(), validate_args=None):
        self._batch_shape = batch_shape
        self._event_shape = event_shape
        if validate_args is not None:
            self._validate_args = validate_args
        if not self._validate_args:
            return
        try:
            wanted = self.arg_constraints
        except NotImplementedError:
            wanted = {}
            warnings.warn(f'{type(self)} does not define `arg_constraints`. Please set `arg_constraints = {{}}` or initialize the distribution with `validate_args=False` to turn off validation.')
        for name, constraint in wanted.items():
            if constraints.is_dependent(constraint) or name not in self.__dict__ and name in self._lazy:
                continue
            value = getattr(self, name)
            if not constraint.check(value).all():
                raise ValueError(f'Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of distribution {self!r} to satisfy the constraint {constraint!r}, but found invalid values:\n{value}')

    def __getattr__(self, name):
        if name not in type(self)._lazy:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        with torch.enable_grad():
            value = getattr(self, '_make_' + name)()
        setattr(self, name, value)
        return value

    def expand(self, batch_shape, _instance=None):
        new = copy.copy(self)
        batch_shape = torch.Size(batch_shape)
        for name in self.arg_constraints:
            if name in self.__dict__:
                value = self.__dict__[name]
                setattr(new, name, value.expand(batch_shape + value.shape[len(self._batch_shape):]))
        new._batch_shape = batch_shape
        return new

    @property
    def batch_shape(self):
        return self._batch_shape

    @property
    def event_shape(self):
        return self._event_shape

    @property
    def arg_constraints(self):
        raise NotImplementedError

    @property
    def support(self):
        raise NotImplementedError

    @property
    def mean(self):
        raise NotImplementedError

    @property
    def mode(self):
        raise NotImplementedError(f'{type(self)} does not implement mode')

    @property
    def variance(self):
        raise NotImplementedError

    @property
    def stddev(self):
        return self.variance.sqrt()

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape=torch.Size()):
        raise NotImplementedError

    def sample_n(self, n):
        warnings.warn('`sample_n(n)` will be deprecated. Use `sample((n,))` instead.', FutureWarning)
        return self.sample(torch.Size((n,)))

    def log_prob(self, value):
        raise NotImplementedError

    def cdf(self, value):
        raise NotImplementedError

    def icdf(self, value):
        raise NotImplementedError

    def enumerate_support(self, expand=True):
        raise NotImplementedError

    def entropy(self):
        raise NotImplementedError

    def perplexity(self):
        return torch.exp(self.entropy())

    def _extended_shape(self, sample_shape=torch.Size()):
        return torch.Size(torch.Size(sample_shape) + self._batch_shape + self._event_shape)

    def _validate_sample(self, value):
        if not isinstance(value, torch.Tensor):
            raise ValueError('The value argument to log_prob must be a Tensor')
        size = value.size()
        if size[len(size) - len(self._event_shape):] != self._event_shape:
            raise ValueError(f'The right-most size of value must match event_shape: {size} vs {self._event_shape}.')
        expected = torch.Size(self._batch_shape + self._event_shape)
        for i, j in zip(reversed(size), reversed(expected)):
            if i != 1 and j != 1 and i != j:
                raise ValueError(f'Value is not broadcastable with batch_shape+event_shape: {size} vs {expected}.')
        try:
            support = self.support
        except NotImplementedError:
            warnings.warn(f'{type(self)} does not define `support` to enable sample validation. Please initialize the distribution with `validate_args=False` to turn off validation.')
            return
        if not support.check(value).all():
            raise ValueError(f'Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) to be within the support ({support!r}) of the distribution {self!r}, but found invalid values:\n{value}')

    def _checked(self, value):
        if self._validate_args:
            self._validate_sample(value)

    def __repr__(self):
        held = [(n, self.__dict__[n]) for n in self.arg_constraints if n in self.__dict__]
        return type(self).__name__ + '(' + ', '.join(f'{n}: {v if v.numel() == 1 else v.size()}' for n, v in held) + ')'


class _Centred:
    """Mean and mode are the parameter loc."""

    @property
    def mean(self):
        return self.loc

    @property
    def mode(self):
        return self.loc


class ExponentialFamily(Distribution):
    """Distributions of density exp(⟨t(x), θ⟩ − F(θ) + k(x))."""
    __module__ = "torch.distributions.exp_family"

    def entropy(self):
        result = -self._mean_carrier_measure
        natural = [p.detach().requires_grad_() for p in self._natural_params]
        normalizer = self._log_normalizer(*natural)
        slopes = torch.autograd.grad(normalizer.sum(), natural, create_graph=True)
        result = result + normalizer
        for p, g in zip(natural, slopes):
            result = result - (p * g).reshape(self._batch_shape + (-1,)).sum(-1)
        return result


class Independent(Distribution):
    """Takes the last batch dimensions of a distribution as dimensions of one event."""
    __module__ = "torch.distributions.independent"
    arg_constraints = {}

    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        if reinterpreted_batch_ndims > len(base_distribution.batch_shape):
            raise ValueError(f'Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual {reinterpreted_batch_ndims} vs {len(base_distribution.batch_shape)}')
        shape = torch.Size(base_distribution.batch_shape + base_distribution.event_shape)
        at = len(shape) - reinterpreted_batch_ndims - len(base_distribution.event_shape)
        self.base_dist = base_distribution
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        super().__init__(shape[:at], shape[at:], validate_args)

    def expand(self, batch_shape, _instance=None):
        new = copy.copy(self)
        new._batch_shape = torch.Size(batch_shape)
        new.base_dist = self.base_dist.expand(new._batch_shape + self.event_shape[:self.reinterpreted_batch_ndims])
        return new

    @property
    def has_rsample(self):
        return self.base_dist.has_rsample

    @property
    def has_enumerate_support(self):
        return self.reinterpreted_batch_ndims == 0 and self.base_dist.has_enumerate_support

    @property
    def support(self):
        inner, count = self.base_dist.support, self.reinterpreted_batch_ndims
        return constraints.independent(inner, count) if count else inner

    @property
    def mean(self):
        return self.base_dist.mean

    @property
    def mode(self):
        return self.base_dist.mode

    @property
    def variance(self):
        return self.base_dist.variance

    def sample(self, sample_shape=torch.Size()):
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=torch.Size()):
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value):
        return _sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self):
        return _sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def enumerate_support(self, expand=True):
        if self.reinterpreted_batch_ndims > 0:
            raise NotImplementedError('Enumeration over cartesian product is not implemented')
        return self.base_dist.enumerate_support(expand)

    def __repr__(self):
        return f'{type(self).__name__}({self.base_dist}, {self.reinterpreted_batch_ndims})'
