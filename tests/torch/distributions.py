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
    from torch.distributions import Normal
    torch.manual_seed(0); n = Normal(0., 1.); print(n, n.sample(), n.sample((3,)), n.log_prob(torch.tensor(0.5)), n.entropy(), n.mean, n.variance, n.stddev, n.cdf(torch.tensor(1.)), n.icdf(torch.tensor(0.5)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(0); n = torch.distributions.Normal(torch.tensor([0., 1.]), torch.tensor([1., 2.])); print(n, n.sample((2,)), n.batch_shape, n.event_shape, n.log_prob(torch.tensor([0., 1.])), n.sample((20,)).shape, n.sample((10,)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.distributions.normal import Normal
    mu = torch.tensor([1., 2.], requires_grad=True); s = torch.tensor([0.5, 1.], requires_grad=True)
    torch.manual_seed(1); z = Normal(mu, s).rsample(); print(z); z.sum().backward(); print(mu.grad, s.grad); print(Normal(mu, s).sample().requires_grad, Normal(mu, s).log_prob(z.detach()))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.Normal(0., -1.))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.Normal(torch.tensor([0., float('nan')]), 1.))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.Normal(0., 1.).log_prob(torch.tensor(float('nan'))))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.Normal(0., 1.).log_prob(0.5))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.Normal(torch.zeros(2), torch.ones(2)).log_prob(torch.zeros(3)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.Normal('a', 1.))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import torch.distributions as dist
    torch.manual_seed(2); b = dist.Bernoulli(torch.tensor([0.3, 0.9])); print(b, b.sample(), b.sample((4,)), b.log_prob(torch.tensor([1., 0.])), b.entropy(), b.mean, b.variance, b.logits, b.enumerate_support(), b.mode)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import torch.distributions as dist
    b = dist.Bernoulli(logits=torch.tensor([0.5, -1.])); print(b, b.probs, b.log_prob(torch.ones(2))); print(b.log_prob(torch.tensor(2.)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.Bernoulli(torch.tensor(1.5)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.Bernoulli())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.Bernoulli(0.3).log_prob(torch.tensor(0.5)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.distributions import Categorical
    torch.manual_seed(3); c = Categorical(torch.tensor([0.25, 0.25, 0.5])); print(c, c.sample(), c.sample((5,)), c.log_prob(torch.tensor(2)), c.entropy(), c.logits, c.probs, c.mean, c.mode, c.enumerate_support())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.distributions.categorical import Categorical
    torch.manual_seed(4); c = Categorical(logits=torch.tensor([[0., 1., 2.], [1., 1., 1.]])); print(c, c.sample(), c.sample((2,)), c.log_prob(torch.tensor([0, 2])), c.entropy(), c.batch_shape, c.param_shape)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    w = torch.tensor([1., 2., 3.], requires_grad=True); c = torch.distributions.Categorical(logits=w); l = -c.log_prob(torch.tensor(1)); print(l); l.backward(); print(w.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    p = torch.softmax(torch.tensor([[1., 2.], [0., 0.]], requires_grad=True), -1); m = torch.distributions.Categorical(p); torch.manual_seed(0); a = m.sample(); print(a, m.log_prob(a)); print((-m.log_prob(a) * 2).sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.Categorical(torch.tensor([-1., 2.])))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.Categorical(torch.tensor([0.5, 0.5])).log_prob(torch.tensor(3)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.Categorical(torch.tensor(0.5)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(5); u = torch.distributions.Uniform(torch.tensor([0.]), torch.tensor([5.])); print(u, u.sample(), u.sample((3,)), u.log_prob(torch.tensor([2.])), u.entropy(), u.mean, u.variance, u.cdf(torch.tensor([1.])), u.support)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.Uniform(2., 1.))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.Uniform(0, 1).log_prob(torch.tensor(2.)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(6); u = torch.distributions.Uniform(-1, 1); print(u.sample((2, 3)), u.sample([2]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.distributions import MultivariateNormal
    torch.manual_seed(7); d = MultivariateNormal(torch.zeros(2), torch.tensor([[2., 0.5], [0.5, 1.]])); print(d, d.sample(), d.sample((3,)), d.log_prob(torch.tensor([1., 1.])), d.entropy(), d.mean, d.variance, d.covariance_matrix, d.scale_tril, d.precision_matrix)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.distributions.multivariate_normal import MultivariateNormal
    d = MultivariateNormal(torch.zeros(3), torch.eye(3)); print(d.log_prob(torch.ones(4, 3)), d.event_shape, d.batch_shape); torch.manual_seed(8); print(d.rsample((2,)), MultivariateNormal(torch.zeros(2), scale_tril=torch.tensor([[1., 0.], [0.5, 2.]])).log_prob(torch.ones(2)), MultivariateNormal(torch.zeros(2), precision_matrix=torch.tensor([[2., 0.], [0., 4.]])).covariance_matrix)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.MultivariateNormal(torch.zeros(2), torch.tensor([[1., 2.], [2., 1.]])))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.MultivariateNormal(torch.zeros(2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    d = torch.distributions.MultivariateNormal(torch.zeros(2, 2), torch.eye(2).expand(2, 2, 2)); print(d, d.log_prob(torch.ones(3, 2, 2)), d.entropy())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    d = torch.distributions.MultivariateNormal(torch.zeros(2), torch.eye(2)); print(d.log_prob(torch.zeros(3)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    mu = torch.zeros(2, requires_grad=True); d = torch.distributions.MultivariateNormal(mu, torch.eye(2)); l = d.log_prob(torch.tensor([1., 2.])); print(l); l.backward(); print(mu.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(9); e = torch.distributions.Exponential(torch.tensor([2.])); print(e, e.sample(), e.sample((2,)), e.log_prob(torch.tensor([1.])), e.entropy(), e.mean, e.variance, e.cdf(torch.tensor([1.])))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.Exponential(1.).log_prob(torch.tensor(-1.)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(10); b = torch.distributions.Beta(torch.tensor([0.5]), torch.tensor([0.5])); print(b, b.sample(), b.sample((3,)), b.log_prob(torch.tensor([0.3])), b.entropy(), b.mean, b.variance)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(11); g = torch.distributions.Gamma(torch.tensor([1., 0.5, 7.]), torch.tensor([1., 2., 3.])); print(g, g.sample(), g.sample((2,)), g.log_prob(torch.ones(3)), g.entropy(), g.mean, g.variance)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(12); d = torch.distributions.Dirichlet(torch.tensor([0.5, 0.5, 2.])); print(d, d.sample(), d.sample((2,)), d.log_prob(torch.tensor([0.2, 0.3, 0.5])), d.entropy(), d.mean, d.variance)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.Dirichlet(torch.tensor([-1., 1.])))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(13); b = torch.distributions.Beta(2, 3); print(b, b.sample(), b.mean)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.distributions import Normal, Independent
    torch.manual_seed(14); i = Independent(Normal(torch.zeros(3), torch.ones(3)), 1); print(i, i.sample(), i.log_prob(torch.zeros(3)), i.entropy(), i.batch_shape, i.event_shape, i.mean, i.rsample((2,)), i.support)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.Independent(torch.distributions.Normal(0., 1.), 1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.distributions import Normal, kl_divergence, Bernoulli, Categorical, Uniform, Exponential, MultivariateNormal, Beta, Gamma, Dirichlet
    print(kl_divergence(Normal(0., 1.), Normal(1., 2.)), kl_divergence(Bernoulli(0.3), Bernoulli(0.6)), kl_divergence(Categorical(torch.tensor([.2, .8])), Categorical(torch.tensor([.5, .5]))), kl_divergence(Uniform(0, 1), Uniform(0, 2)), kl_divergence(Exponential(1.), Exponential(2.)), kl_divergence(Uniform(0., 1.), Normal(0., 1.)))
    print(kl_divergence(MultivariateNormal(torch.zeros(2), torch.eye(2)), MultivariateNormal(torch.ones(2), 2 * torch.eye(2))), kl_divergence(Beta(1., 2.), Beta(2., 2.)), kl_divergence(Gamma(1., 2.), Gamma(2., 2.)), kl_divergence(Dirichlet(torch.ones(2)), Dirichlet(torch.tensor([2., 1.]))))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    mu = torch.zeros(2, requires_grad=True); s = torch.ones(2, requires_grad=True)
    k = torch.distributions.kl_divergence(torch.distributions.Normal(mu, s), torch.distributions.Normal(torch.ones(2), torch.ones(2))).sum(); print(k); k.backward(); print(mu.grad, s.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.kl.kl_divergence(torch.distributions.Bernoulli(0.5), torch.distributions.Normal(0., 1.)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.kl_divergence(torch.distributions.Independent(torch.distributions.Normal(torch.zeros(2), 1.), 1), torch.distributions.Independent(torch.distributions.Normal(torch.ones(2), 1.), 1)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(15); print(torch.distributions.Laplace(0., 1.).sample((3,)), torch.distributions.Poisson(torch.tensor([3., 20.])).sample((2,)), torch.distributions.Geometric(0.3).sample((4,)), torch.distributions.LogNormal(0., 1.).sample((2,)), torch.distributions.HalfNormal(1.).sample((2,)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(16); o = torch.distributions.OneHotCategorical(torch.tensor([.1, .2, .7])); print(o, o.sample(), o.sample((2,)), o.log_prob(torch.tensor([0., 1., 0.])), o.entropy())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(17); o = torch.distributions.Multinomial(10, torch.tensor([.1, .2, .7])); print(o, o.sample(), o.sample((2,)), o.log_prob(torch.tensor([1., 2., 7.])), o.mean)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; print(D.Laplace(0., 2.).log_prob(torch.tensor(1.)), D.Poisson(2.).log_prob(torch.tensor(3.)), D.Geometric(.3).log_prob(torch.tensor(2.)), D.LogNormal(0., 1.).log_prob(torch.tensor(2.)), D.HalfNormal(1.).log_prob(torch.tensor(.5)), D.LogNormal(0., 1.), D.HalfNormal(2.), D.Poisson(3.), D.LogNormal(0., 1.).mean, D.LogNormal(0., 1.).entropy())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; torch.manual_seed(18); g = D.MixtureSameFamily(D.Categorical(torch.tensor([.3, .7])), D.Normal(torch.tensor([-1., 1.]), torch.ones(2))); print(g, g.sample(), g.sample((4,)), g.log_prob(torch.tensor([0., 1.])), g.mean, g.variance)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; n = D.Normal(0., 1.).expand([2]); print(n, n.sample().shape, D.Categorical(torch.ones(3)).expand([2]), n.perplexity())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(isinstance(torch.distributions.Normal(0., 1.), torch.distributions.Distribution), torch.distributions.Normal, torch.distributions.Normal.has_rsample, torch.distributions.Categorical(torch.ones(2)).has_rsample); torch.distributions.Categorical(torch.ones(2)).rsample()
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.Normal(0., 1.).nothing)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.Normal(0., -1., validate_args=False).scale)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.distributions.constraints.positive, torch.distributions.constraints.simplex, torch.distributions.constraints.interval(0, 1), torch.distributions.constraints.real_vector, torch.distributions.constraints.positive.check(torch.tensor([1., -1.])))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class Mine(torch.distributions.Distribution):
        arg_constraints = {}
        def __init__(self): super().__init__()
        def sample(self, shape=()): return torch.zeros(shape)
    print(Mine(), Mine().sample((2,)), Mine().batch_shape)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    n = torch.distributions.Normal(0, 1); print(n.loc, n.scale, n.loc.dtype, n.sample((2,)).dtype); n = torch.distributions.Normal(torch.tensor([1., 2.]), 3); print(n.scale)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    v = torch.distributions.Normal(0., 1.).log_prob(x); v.sum().backward(); print(v, x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; torch.manual_seed(20)
    for d in (D.Cauchy(0., 1.), D.HalfCauchy(2.), D.StudentT(3.), D.StudentT(x + 2, x, x), D.Gumbel(0., 2.), D.Weibull(x, x + 1), D.Pareto(x, x + 2), D.InverseGamma(x + 3, x)):
        s = d.sample(); print(d, s, d.log_prob(s), d.mean, d.mode, d.variance, d.entropy())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; T = D.transforms; torch.manual_seed(21)
    for steps in ([T.ExpTransform()], [T.TanhTransform(), T.AffineTransform(1., 2.)], [T.SigmoidTransform()], [T.SoftplusTransform()], [T.ExpTransform(), T.PowerTransform(2.)]):
        d = D.TransformedDistribution(D.Normal(x.detach(), 1.), steps); s = d.sample(); print(d, s, d.log_prob(s), d.cdf(s), d.support)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    T = torch.distributions.transforms; c = T.ComposeTransform([T.ExpTransform(), T.AffineTransform(1., 2.)]); print(c(x), c.inv(c(x)), c.log_abs_det_jacobian(x, c(x)), c.inv.inv is c, c, c.inv, T.TanhTransform().inv)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.distributions; torch.manual_seed(22); y = D.Gumbel(x, 1.).rsample(); y.sum().backward(); print(y, x.grad); x.grad = None; D.TransformedDistribution(D.Normal(x, 1.), [D.TanhTransform()]).log_prob(torch.tensor(0.2)).sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.distributions.gumbel import Gumbel; from torch.distributions.transformed_distribution import TransformedDistribution; print(Gumbel, TransformedDistribution)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
