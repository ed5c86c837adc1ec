import torch
import torch.nn as nn
import torch.nn.functional as F
import math
import numpy as np
from torch import optim

default = torch.get_default_dtype()

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; torch.manual_seed(1); b = D.Binomial(10, torch.tensor([.2, .5, .9])); print(b, b.sample(), b.sample((2,)), b.log_prob(torch.tensor([1., 5., 9.])), b.mean, b.mode, b.variance, b.entropy(), b.support, b.logits)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; torch.manual_seed(2); b = D.Binomial(torch.tensor([100., 1000.]), logits=torch.tensor([0.3, -1.])); print(b, b.sample((3,)), b.log_prob(torch.tensor([50., 300.])), b.probs, b.expand((2, 2)), b.batch_shape)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(3); print(torch.binomial(torch.tensor([40., 40., 5., 0., 7.]), torch.tensor([.4, .7, 1., .5, 0.])))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.Binomial(torch.tensor([3., 4.]), 0.5).entropy())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.Binomial(3, 1.5))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.Binomial(3, 0.5).log_prob(torch.tensor(4.)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; torch.manual_seed(4); n = D.NegativeBinomial(5., torch.tensor([.2, .6])); print(n, n.sample(), n.sample((2,)), n.log_prob(torch.tensor([1., 5.])), n.mean, n.mode, n.variance, n.logits)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.NegativeBinomial(5., 1.))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; torch.manual_seed(5); v = D.VonMises(torch.tensor([0., 1.]), torch.tensor([1., 4.])); print(v, v.sample(), v.sample((3,)), v.log_prob(torch.tensor([.5, -1.])), v.mean, v.variance, v.support)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; torch.manual_seed(6); r = D.RelaxedBernoulli(torch.tensor([2.2]), torch.tensor([.1, .2, .3, .99])); print(r, r.sample(), r.rsample((2,)), r.log_prob(torch.full((4,), .4)), r.temperature, r.probs, r.logits, r.support)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; torch.manual_seed(7); r = D.RelaxedOneHotCategorical(torch.tensor([2.2]), torch.tensor([.1, .2, .3, .4])); s = r.sample(); print(r, s, r.rsample((2,)), r.log_prob(s), r.temperature, r.probs, r.batch_shape, r.event_shape)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; torch.manual_seed(8); l = torch.zeros(3, requires_grad=True); r = D.RelaxedOneHotCategorical(torch.tensor(0.5), logits=l); y = r.rsample(); (y * x.detach()).sum().backward(); print(y, l.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; torch.manual_seed(9); l = torch.zeros(3, requires_grad=True); o = D.OneHotCategoricalStraightThrough(logits=l); y = o.rsample(); (y * x.detach()).sum().backward(); print(o, y, l.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; torch.manual_seed(10); g = D.LogisticNormal(torch.zeros(3), torch.ones(3)); s = g.sample(); print(g, s, s.sum(), g.log_prob(s), g.loc, g.scale, g.batch_shape, g.event_shape, g.sample((2,)).shape)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; torch.manual_seed(11); c = D.ContinuousBernoulli(torch.tensor([.3, .5, .8])); s = c.sample(); print(c, s, c.rsample((2,)), c.log_prob(s), c.cdf(s), c.mean, c.stddev, c.variance, c.entropy(), D.ContinuousBernoulli(logits=0.2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; torch.manual_seed(12); f = D.FisherSnedecor(torch.tensor([3., 10.]), torch.tensor([5., 7.])); s = f.sample(); print(f, s, f.log_prob(s), f.mean, f.mode, f.variance, f.sample((2,)).shape)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; torch.manual_seed(13); g = D.GeneralizedPareto(torch.tensor([0., 1., 2.]), torch.tensor([1., 2., 1.]), torch.tensor([0., .3, -.5])); s = g.sample(); print(g, s, g.log_prob(s), g.cdf(s), g.icdf(torch.tensor([.1, .5, .9])), g.mean, g.variance, g.entropy(), g.mode)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; torch.manual_seed(14); k = D.Kumaraswamy(torch.tensor([1., 2.]), torch.tensor([3., 2.])); s = k.sample(); print(k, s, k.log_prob(s), k.mean, k.mode, k.variance, k.entropy(), k.rsample((2,)).shape)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; torch.manual_seed(15); w = D.Wishart(torch.tensor(4.), covariance_matrix=torch.tensor([[2., .5], [.5, 1.]])); s = w._drawn(()) if hasattr(w, '_drawn') else w._bartlett_sampling(); print(s, w.log_prob(s), w.mean, w.mode, w.variance, w.entropy(), w.batch_shape, w.event_shape, w.precision_matrix, w.scale_tril)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.Wishart(torch.tensor(0.5), covariance_matrix=torch.eye(2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; torch.manual_seed(16); l = D.LKJCholesky(3, 0.5); s = l.sample(); print(l, s, (s @ s.T).diagonal(), l.log_prob(s), l.sample((2,)).shape, l.support)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.LKJCholesky(1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; torch.manual_seed(17); m = D.LowRankMultivariateNormal(torch.zeros(3), torch.tensor([[1.], [0.5], [2.]]), torch.tensor([1., 2., 1.])); s = m.sample(); print(m, s, m.log_prob(s), m.covariance_matrix, m.precision_matrix, m.scale_tril, m.variance, m.entropy(), m.rsample((2,)).shape)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; T = D.transforms
    for t, v in ((T.StickBreakingTransform(), x.detach()), (T.SoftmaxTransform(), x.detach()), (T.LowerCholeskyTransform(), m[:, :2]), (T.PositiveDefiniteTransform(), m[:, :2]), (T.CorrCholeskyTransform(), x.detach()), (T.AbsTransform(), x.detach()), (T.CumulativeDistributionTransform(D.Normal(0., 1.)), x.detach()), (T.ReshapeTransform((3,), (3, 1)), x.detach()), (T.IndependentTransform(T.ExpTransform(), 1), x.detach())):
        y = t(v); print(t, y, t.inv(y), t.domain, t.codomain, t.bijective, t.forward_shape(v.shape))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    T = torch.distributions.transforms; v = x.detach()
    for t in (T.StickBreakingTransform(), T.CorrCholeskyTransform(), T.IndependentTransform(T.ExpTransform(), 1), T.CatTransform([T.ExpTransform(), T.AffineTransform(0., 2.)], lengths=[1, 2]), T.StackTransform([T.ExpTransform(), T.SigmoidTransform(), T.TanhTransform()]), T.ComposeTransform([T.AffineTransform(0., 2.), T.StickBreakingTransform()])):
        y = t(v); print(y, t.inv(y), t.log_abs_det_jacobian(v, y))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; c = D.constraints
    for k in (c.positive, c.real, c.unit_interval, c.interval(1, 3), c.simplex, c.positive_definite, c.lower_cholesky, c.corr_cholesky, c.real_vector, c.less_than(2.), c.greater_than(1.)):
        print(k, D.transform_to(k))
    print(D.biject_to(c.simplex), D.biject_to(c.unit_interval)(x), D.transform_to(D.Normal.arg_constraints['scale'])(torch.zeros(2)), D.biject_to(c.boolean))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; kl = D.kl_divergence; a, b = torch.tensor([.3, .6]), torch.tensor([.5, .5])
    print(kl(D.Binomial(3, a), D.Binomial(3, b)), kl(D.ContinuousBernoulli(a), D.ContinuousBernoulli(b)), kl(D.Gumbel(a, b), D.Gumbel(b, a)), kl(D.Pareto(b, a), D.Pareto(a, b)), kl(D.Cauchy(a, b), D.Cauchy(b, a)), kl(D.LogNormal(a, b), D.LogNormal(b, a)))
    q = D.Normal(a, b)
    for p in (D.Beta(a, b), D.ContinuousBernoulli(a), D.Exponential(a), D.Gamma(a, b), D.Gumbel(a, b), D.Laplace(a, b), D.Pareto(a, b + 3), D.Uniform(a, a + b)): print(kl(p, q))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; kl = D.kl_divergence; a, b = torch.tensor([.3, .6]), torch.tensor([.5, .5])
    print(kl(D.Bernoulli(a), D.Poisson(b)), kl(D.Poisson(a), D.Bernoulli(b)), kl(D.Normal(a, b), D.Laplace(b, a)), kl(D.Normal(a, b), D.Gumbel(b, a)), kl(D.Normal(a, b), D.Uniform(a, a + b)))
    for p in (D.Beta(a, b), D.Gamma(a, b), D.Exponential(a), D.Uniform(a * 0, b), D.Pareto(a, b + 3), D.ContinuousBernoulli(a), D.Gumbel(a, b)):
        for q in (D.Exponential(b), D.Gamma(b, a), D.Uniform(a * 0, a * 0 + 1), D.ContinuousBernoulli(b), D.Beta(b, a), D.Gumbel(b, a), D.Pareto(a / 4, b)):
            try: print(type(p).__name__, type(q).__name__, kl(p, q))
            except NotImplementedError as e: print(e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; kl = D.kl_divergence
    l = D.LowRankMultivariateNormal(torch.zeros(2), torch.tensor([[1.], [.5]]), torch.ones(2)); k = D.LowRankMultivariateNormal(torch.ones(2), torch.tensor([[.2], [.5]]), torch.ones(2)); n = D.MultivariateNormal(torch.zeros(2), torch.eye(2))
    print(kl(l, k), kl(l, n), kl(n, l), kl(D.Wishart(3., torch.eye(2)), D.Wishart(4., 2 * torch.eye(2))))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(sorted(n for n in torch.distributions.__all__ if not hasattr(torch.distributions, n)) if hasattr(torch.distributions, '__all__') else [])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.binomial(torch.tensor([5., 3.]), torch.tensor([float("nan"), 1.])))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
