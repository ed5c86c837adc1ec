# torch.distributions.kl: the divergences of two classes, and of the rarer ones.

from torch.distributions import Bernoulli, Beta, Binomial, Cauchy, ContinuousBernoulli, Exponential, Gamma, Gumbel, Laplace, LowRankMultivariateNormal, MultivariateNormal, Normal, Pareto, Poisson, TransformedDistribution, Uniform
from torch.distributions import _EULER, _batch_mahalanobis, kl_divergence, register_kl


def _infinite(tensor):
    return torch.full_like(tensor, math.inf)


def _x_log_x(x):
    return torch.special.xlogy(x, x)


def _none(name):
    """The divergence is infinite: q is 0 where p is not."""
    return lambda p, q: _infinite(getattr(p, name))


_BOUNDED = (Beta, ContinuousBernoulli, Pareto, Uniform)
_ABOVE = (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform)
for _p, _qs, _name in (
    (Beta, (Pareto,), 'concentration1'),
    (ContinuousBernoulli, (Pareto,), 'probs'),
    (Exponential, _BOUNDED, 'rate'),
    (Gamma, _BOUNDED, 'concentration'),
    (Gumbel, _ABOVE, 'loc'),
    (Laplace, _ABOVE, 'loc'),
    (Normal, _ABOVE, 'loc'),
    (Pareto, (Beta, ContinuousBernoulli, Uniform), 'scale'),
    (Poisson, (Bernoulli, Binomial), 'rate'),
):
    for _q in _qs:
        register_kl(_p, _q)(_none(_name))


@register_kl(Binomial, Binomial)
def _binomials(p, q):
    if (p.total_count < q.total_count).any():
        raise NotImplementedError('KL between Binomials where q.total_count > p.total_count is not implemented')
    kl = p.total_count * (p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p())
    kl[p.total_count > q.total_count] = math.inf
    return kl


@register_kl(ContinuousBernoulli, ContinuousBernoulli)
def _continuous_bernoullis(p, q):
    return p.mean * (p.logits - q.logits) + (p._log_norm() + torch.log1p(-p.probs)) + (-q._log_norm() - torch.log1p(-q.probs))


@register_kl(Gumbel, Gumbel)
def _gumbels(p, q):
    ct1, ct2, ct3 = p.scale / q.scale, q.loc / q.scale, p.loc / q.scale
    return (-ct1.log() - ct2 + ct3) + ct1 * _EULER + torch.exp(ct2 + (1 + ct1).lgamma() - ct3) - (1 + _EULER)


@register_kl(Pareto, Pareto)
def _paretos(p, q):
    ratio = q.alpha / p.alpha
    result = q.alpha * (p.scale / q.scale).log() + -ratio.log() + ratio - 1
    result[p.support.lower_bound < q.support.lower_bound] = math.inf
    return result


@register_kl(TransformedDistribution, TransformedDistribution)
def _transformed(p, q):
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return kl_divergence(p.base_dist, q.base_dist)


@register_kl(Cauchy, Cauchy)
def _cauchys(p, q):
    return ((p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)).log() - (4 * p.scale * q.scale).log()


def _squares(matrix):
    """The sum of the squared entries of each matrix."""
    return matrix.reshape(matrix.shape[:-2] + (-1,)).pow(2).sum(-1)


def _low_rank(p, q, kinds):
    if p.event_shape != q.event_shape:
        raise ValueError(f'KL-divergence between two {kinds} Multivariate Normals with                          different event shapes cannot be computed')


@register_kl(LowRankMultivariateNormal, LowRankMultivariateNormal)
def _low_ranks(p, q):
    _low_rank(p, q, 'Low Rank')
    A = q._whitened()
    term2 = (p._D / q._D).sum(-1) + _squares(p._W * q._D.rsqrt().unsqueeze(-1)) - _squares(A * p._D.sqrt().unsqueeze(-2)) - _squares(A.matmul(p._W))
    return 0.5 * (q._log_det() - p._log_det() + term2 + q._mahalanobis(q.loc - p.loc) - p.event_shape[0])


@register_kl(MultivariateNormal, LowRankMultivariateNormal)
def _vector_low_rank(p, q):
    _low_rank(p, q, '(Low Rank)')
    L = p._unbroadcasted_scale_tril
    term2 = _squares(L * q._D.rsqrt().unsqueeze(-1)) - _squares(q._whitened().matmul(L))
    return 0.5 * (q._log_det() - 2 * p._half_log_det() + term2 + q._mahalanobis(q.loc - p.loc) - p.event_shape[0])


@register_kl(LowRankMultivariateNormal, MultivariateNormal)
def _low_rank_vector(p, q):
    _low_rank(p, q, '(Low Rank)')
    L, n = q._unbroadcasted_scale_tril, p.event_shape[0]
    shape = torch.broadcast_shapes(L.shape[:-2], p._W.shape[:-2])
    L, W = L.expand(shape + (n, n)), p._W.expand(shape + (n, p.cov_factor.size(-1)))
    D = torch.diag_embed(p._D.sqrt()).expand(shape + (n, n))
    term2 = _squares(torch.linalg.solve_triangular(L, W, upper=False)) + _squares(torch.linalg.solve_triangular(L, D, upper=False))
    return 0.5 * (2 * q._half_log_det() - p._log_det() + term2 + _batch_mahalanobis(q._unbroadcasted_scale_tril, q.loc - p.loc) - n)


@register_kl(Bernoulli, Poisson)
def _bernoulli_poisson(p, q):
    return -p.entropy() - (p.probs * q.rate.log() - q.rate)


@register_kl(Beta, ContinuousBernoulli)
def _beta_continuous_bernoulli(p, q):
    return -p.entropy() - p.mean * q.logits - torch.log1p(-q.probs) - q._log_norm()


@register_kl(Beta, Exponential)
def _beta_exponential(p, q):
    return -p.entropy() - q.rate.log() + q.rate * (p.concentration1 / (p.concentration1 + p.concentration0))


@register_kl(Beta, Gamma)
def _beta_gamma(p, q):
    total = p.concentration1 + p.concentration0
    t2 = q.concentration.lgamma() - q.concentration * q.rate.log()
    t3 = (q.concentration - 1) * (p.concentration1.digamma() - total.digamma())
    return -p.entropy() + t2 - t3 + q.rate * p.concentration1 / total


@register_kl(Beta, Normal)
def _beta_normal(p, q):
    total, var = p.concentration1 + p.concentration0, q.scale.pow(2)
    mean = p.concentration1 / total
    t3 = (mean * (1 - mean) / (total + 1) + mean.pow(2)) * 0.5
    return -p.entropy() + 0.5 * (var * 2 * math.pi).log() + (t3 - q.loc * mean + q.loc.pow(2) * 0.5) / var


@register_kl(Beta, Uniform)
def _beta_uniform(p, q):
    result = -p.entropy() + (q.high - q.low).log()
    result[(q.low > p.support.lower_bound) | (q.high < p.support.upper_bound)] = math.inf
    return result


@register_kl(ContinuousBernoulli, Exponential)
def _continuous_bernoulli_exponential(p, q):
    return -p.entropy() - torch.log(q.rate) + q.rate * p.mean


@register_kl(ContinuousBernoulli, Normal)
def _continuous_bernoulli_normal(p, q):
    t2 = 0.5 * (math.log(2.0 * math.pi) + torch.square(q.loc / q.scale)) + torch.log(q.scale)
    t3 = (p.variance + torch.square(p.mean) - 2.0 * q.loc * p.mean) / (2.0 * torch.square(q.scale))
    return -p.entropy() + t2 + t3


@register_kl(ContinuousBernoulli, Uniform)
def _continuous_bernoulli_uniform(p, q):
    result = -p.entropy() + (q.high - q.low).log()
    within = torch.max(torch.ge(q.low, p.support.lower_bound), torch.le(q.high, p.support.upper_bound))
    return torch.where(within, torch.ones_like(result) * math.inf, result)


@register_kl(Exponential, Gamma)
def _exponential_gamma(p, q):
    ratio = q.rate / p.rate
    return -q.concentration * torch.log(ratio) + ratio + q.concentration.lgamma() + q.concentration * _EULER - (1 + _EULER)


@register_kl(Exponential, Gumbel)
def _exponential_gumbel(p, q):
    product, ratio = p.rate * q.scale, q.loc / q.scale
    return product.log() - 1 - ratio + torch.exp(ratio) * product / (product + 1) + product.reciprocal()


@register_kl(Exponential, Normal)
def _exponential_normal(p, q):
    var, squared = q.scale.pow(2), p.rate.pow(2)
    t1 = 0.5 * torch.log(squared * var * 2 * math.pi)
    return t1 - 1 + (squared.reciprocal() - q.loc / p.rate + q.loc.pow(2) * 0.5) / var


@register_kl(Gamma, Exponential)
def _gamma_exponential(p, q):
    return -p.entropy() - q.rate.log() + q.rate * p.concentration / p.rate


@register_kl(Gamma, Gumbel)
def _gamma_gumbel(p, q):
    a, product, ratio = p.concentration, p.rate * q.scale, q.loc / q.scale
    t1 = (a - 1) * a.digamma() - a.lgamma() - a
    t2 = product.log() + a / product
    return t1 + t2 + (torch.exp(ratio) * (1 + product.reciprocal()).pow(-a) - ratio)


@register_kl(Gamma, Normal)
def _gamma_normal(p, q):
    a, var, squared = p.concentration, q.scale.pow(2), p.rate.pow(2)
    t1 = 0.5 * torch.log(squared * var * 2 * math.pi) - a - a.lgamma()
    t2 = 0.5 * (a.pow(2) + a) / squared
    return t1 + (a - 1) * a.digamma() + (t2 - q.loc * a / p.rate + 0.5 * q.loc.pow(2)) / var


@register_kl(Gumbel, Normal)
def _gumbel_normal(p, q):
    ratio = p.scale / q.scale
    t1 = (ratio / math.sqrt(2 * math.pi)).log()
    t2 = (math.pi * ratio * 0.5).pow(2) / 3
    return -t1 + t2 + ((p.loc + p.scale * _EULER - q.loc) / q.scale).pow(2) * 0.5 - (_EULER + 1)


@register_kl(Laplace, Normal)
def _laplace_normal(p, q):
    var = q.scale.pow(2)
    ratio = p.scale.pow(2) / var
    t1 = 0.5 * torch.log(2 * ratio / math.pi)
    return -t1 + ratio + (0.5 * p.loc.pow(2) - p.loc * q.loc + 0.5 * q.loc.pow(2)) / var - 1


@register_kl(Normal, Gumbel)
def _normal_gumbel(p, q):
    mean, squared, own = p.loc / q.scale, (p.scale / q.scale).pow(2), q.loc / q.scale
    t3 = torch.exp(-mean + 0.5 * squared + own)
    return -(squared.log() * 0.5) + (mean - own) + t3 - (0.5 * (1 + math.log(2 * math.pi)))


@register_kl(Normal, Laplace)
def _normal_laplace(p, q):
    apart = p.loc - q.loc
    scaled = apart / p.scale
    t2 = math.sqrt(2 / math.pi) * p.scale * torch.exp(-0.5 * scaled.pow(2))
    t3 = apart * torch.erf(math.sqrt(0.5) * scaled)
    return -torch.log(p.scale / q.scale) + (t2 + t3) / q.scale - (0.5 * (1 + math.log(0.5 * math.pi)))


@register_kl(Pareto, Exponential)
def _pareto_exponential(p, q):
    product = p.scale * q.rate
    result = (p.alpha / product).log() - p.alpha.reciprocal() + p.alpha * product / (p.alpha - 1) - 1
    result[p.alpha <= 1] = math.inf
    return result


@register_kl(Pareto, Gamma)
def _pareto_gamma(p, q):
    common = p.scale.log() + p.alpha.reciprocal()
    t2 = q.concentration.lgamma() - q.concentration * q.rate.log()
    result = p.alpha.log() - common + t2 + (1 - q.concentration) * common + q.rate * p.alpha * p.scale / (p.alpha - 1) - 1
    result[p.alpha <= 1] = math.inf
    return result


@register_kl(Pareto, Normal)
def _pareto_normal(p, q):
    common = p.scale / (p.alpha - 1)
    t1 = (math.sqrt(2 * math.pi) * q.scale * p.alpha / p.scale).log()
    t3 = p.alpha * common.pow(2) / (p.alpha - 2)
    t4 = (p.alpha * common - q.loc).pow(2)
    result = t1 - p.alpha.reciprocal() + (t3 + t4) / (2 * q.scale.pow(2)) - 1
    result[p.alpha <= 2] = math.inf
    return result


@register_kl(Uniform, Beta)
def _uniform_beta(p, q):
    common = p.high - p.low
    t2 = (q.concentration1 - 1) * (_x_log_x(p.high) - _x_log_x(p.low) - common) / common
    t3 = (q.concentration0 - 1) * (_x_log_x(1 - p.high) - _x_log_x(1 - p.low) + common) / common
    t4 = q.concentration1.lgamma() + q.concentration0.lgamma() - (q.concentration1 + q.concentration0).lgamma()
    result = t3 + t4 - torch.log(common) - t2
    result[(p.high > q.support.upper_bound) | (p.low < q.support.lower_bound)] = math.inf
    return result


@register_kl(Uniform, ContinuousBernoulli)
def _uniform_continuous_bernoulli(p, q):
    result = -p.entropy() - p.mean * q.logits - torch.log1p(-q.probs) - q._log_norm()
    beyond = torch.max(torch.ge(p.high, q.support.upper_bound), torch.le(p.low, q.support.lower_bound))
    return torch.where(beyond, torch.ones_like(result) * math.inf, result)


@register_kl(Uniform, Exponential)
def _uniform_exponential(p, q):
    result = q.rate * (p.high + p.low) / 2 - ((p.high - p.low) * q.rate).log()
    result[p.low < q.support.lower_bound] = math.inf
    return result


@register_kl(Uniform, Gamma)
def _uniform_gamma(p, q):
    common = p.high - p.low
    t2 = q.concentration.lgamma() - q.concentration * q.rate.log()
    t3 = (1 - q.concentration) * (_x_log_x(p.high) - _x_log_x(p.low) - common) / common
    result = -common.log() + t2 + t3 + q.rate * (p.high + p.low) / 2
    result[p.low < q.support.lower_bound] = math.inf
    return result


@register_kl(Uniform, Gumbel)
def _uniform_gumbel(p, q):
    common = q.scale / (p.high - p.low)
    high, low = (p.high - q.loc) / q.scale, (p.low - q.loc) / q.scale
    return common.log() + 0.5 * (high + low) - common * (torch.exp(-high) - torch.exp(-low))


@register_kl(Uniform, Pareto)
def _uniform_pareto(p, q):
    common = p.high - p.low
    t1 = (q.alpha * q.scale.pow(q.alpha) * common).log()
    result = (_x_log_x(p.high) - _x_log_x(p.low) - common) / common * (q.alpha + 1) - t1
    result[p.low < q.support.lower_bound] = math.inf
    return result
