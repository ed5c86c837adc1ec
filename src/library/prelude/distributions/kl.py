# torch.distributions.kl: the Kullback–Leibler divergence of two distributions.

from torch.distributions import Bernoulli, Beta, Categorical, Dirichlet, Distribution, Exponential, ExponentialFamily, Gamma, Geometric, HalfNormal, Independent, Laplace, LogNormal, MultivariateNormal, Normal, OneHotCategorical, Poisson, Uniform
from torch.distributions import _batch_mahalanobis, _sum_rightmost

_PAIRS = {}


def register_kl(type_p, type_q):
    """Makes a function the divergence of two classes."""
    def decorator(fun):
        _PAIRS[type_p, type_q] = fun
        return fun
    return decorator


def _closest(type_p, type_q):
    """The function of the nearest classes from which both derive."""
    for p in type_p.__mro__:
        for q in type_q.__mro__:
            if (p, q) in _PAIRS:
                return _PAIRS[p, q]
    return None


def kl_divergence(p, q):
    """Returns ∫ p(x) log(p(x)/q(x)) dx."""
    # The page of the other pairs is run when a name of it is first asked for.
    torch.distributions._infinite
    fun = _closest(type(p), type(q))
    if fun is None:
        raise NotImplementedError(f'No KL(p || q) is implemented for p type {type(p).__name__} and q type {type(q).__name__}')
    return fun(p, q)


@register_kl(ExponentialFamily, ExponentialFamily)
def _families(p, q):
    """By the Bregman divergence of the log normalizer."""
    if type(p) is not type(q):
        raise NotImplementedError('The cross KL-divergence between different exponential families cannot                             be computed using Bregman divergences')
    natural = [n.detach().requires_grad_() for n in p._natural_params]
    normalizer = p._log_normalizer(*natural)
    slopes = torch.autograd.grad(normalizer.sum(), natural, create_graph=True)
    result = q._log_normalizer(*q._natural_params) - normalizer
    for a, b, g in zip(natural, q._natural_params, slopes):
        result = result - _sum_rightmost((b - a) * g, len(q.event_shape))
    return result


@register_kl(Normal, Normal)
def _normals(p, q):
    ratio = (p.scale / q.scale).pow(2)
    t1 = ((p.loc - q.loc) / q.scale).pow(2)
    return 0.5 * (ratio + t1 - 1 - ratio.log())


@register_kl(LogNormal, LogNormal)
def _based(p, q):
    return kl_divergence(p.base_dist, q.base_dist)


register_kl(HalfNormal, HalfNormal)(_based)


@register_kl(Bernoulli, Bernoulli)
def _bernoullis(p, q):
    t1 = p.probs * (F.softplus(-q.logits) - F.softplus(-p.logits))
    t1[q.probs == 0] = math.inf
    t1[p.probs == 0] = 0
    t2 = (1 - p.probs) * (F.softplus(q.logits) - F.softplus(p.logits))
    t2[q.probs == 1] = math.inf
    t2[p.probs == 1] = 0
    return t1 + t2


@register_kl(Categorical, Categorical)
def _categoricals(p, q):
    t = p.probs * (p.logits - q.logits)
    t[(q.probs == 0).expand_as(t)] = math.inf
    t[(p.probs == 0).expand_as(t)] = 0
    return t.sum(-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def _marked(p, q):
    return _categoricals(p._categorical, q._categorical)


@register_kl(Exponential, Exponential)
def _exponentials(p, q):
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(Geometric, Geometric)
def _geometrics(p, q):
    return -p.entropy() - torch.log1p(-q.probs) / p.probs - q.logits


@register_kl(Laplace, Laplace)
def _laplaces(p, q):
    ratio = p.scale / q.scale
    apart = (p.loc - q.loc).abs()
    return -ratio.log() + apart / q.scale + ratio * torch.exp(-apart / p.scale) - 1


@register_kl(Poisson, Poisson)
def _poissons(p, q):
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(Uniform, Uniform)
def _uniforms(p, q):
    result = ((q.high - q.low) / (p.high - p.low)).log()
    result[(q.low > p.low) | (q.high < p.high)] = math.inf
    return result


@register_kl(Uniform, Normal)
def _uniform_normal(p, q):
    common = p.high - p.low
    t1 = (math.sqrt(math.pi * 2) * q.scale / common).log()
    t2 = common.pow(2) / 12
    t3 = ((p.high + p.low - 2 * q.loc) / 2).pow(2)
    return t1 + 0.5 * (t2 + t3) / q.scale.pow(2)


@register_kl(MultivariateNormal, MultivariateNormal)
def _vectors(p, q):
    if p.event_shape != q.event_shape:
        raise ValueError('KL-divergence between two Multivariate Normals with                          different event shapes cannot be computed')
    n = p.event_shape[0]
    shape = torch.broadcast_shapes(q._unbroadcasted_scale_tril.shape[:-2], p._unbroadcasted_scale_tril.shape[:-2]) + (n, n)
    ratio = torch.linalg.solve_triangular(q._unbroadcasted_scale_tril.expand(shape), p._unbroadcasted_scale_tril.expand(shape), upper=False)
    term2 = ratio.reshape(-1, n * n).pow(2).sum(-1).reshape(shape[:-2])
    term3 = _batch_mahalanobis(q._unbroadcasted_scale_tril, q.loc - p.loc)
    return q._half_log_det() - p._half_log_det() + 0.5 * (term2 + term3 - n)


@register_kl(Independent, Independent)
def _independents(p, q):
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return _sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


@register_kl(Gamma, Gamma)
def _gammas(p, q):
    t1 = q.concentration * (p.rate / q.rate).log()
    t2 = torch.lgamma(q.concentration) - torch.lgamma(p.concentration)
    t3 = (p.concentration - q.concentration) * torch.digamma(p.concentration)
    t4 = (q.rate - p.rate) * (p.concentration / p.rate)
    return t1 + t2 + t3 + t4


@register_kl(Dirichlet, Dirichlet)
def _dirichlets(p, q):
    sum_p, sum_q = p.concentration.sum(-1), q.concentration.sum(-1)
    t1 = sum_p.lgamma() - sum_q.lgamma()
    t2 = (p.concentration.lgamma() - q.concentration.lgamma()).sum(-1)
    t3 = p.concentration - q.concentration
    t4 = p.concentration.digamma() - sum_p.digamma().unsqueeze(-1)
    return t1 - t2 + (t3 * t4).sum(-1)


@register_kl(Beta, Beta)
def _betas(p, q):
    sum_p, sum_q = p.concentration1 + p.concentration0, q.concentration1 + q.concentration0
    t1 = q.concentration1.lgamma() + q.concentration0.lgamma() + sum_p.lgamma()
    t2 = p.concentration1.lgamma() + p.concentration0.lgamma() + sum_q.lgamma()
    t3 = (p.concentration1 - q.concentration1) * torch.digamma(p.concentration1)
    t4 = (p.concentration0 - q.concentration0) * torch.digamma(p.concentration0)
    t5 = (sum_q - sum_p) * torch.digamma(sum_p)
    return t1 - t2 + t3 + t4 + t5
