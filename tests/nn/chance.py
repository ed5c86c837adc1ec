import torch
torch.manual_seed(3)
print(torch.rand(3), torch.randn(5), torch.randint(0, 10, (4,)), torch.randperm(8), torch.rand(2, 3), torch.randn(4, 5).sum())
print(torch.normal(2.0, 3.0, (4,)), torch.normal(torch.arange(4.), torch.ones(4)), torch.normal(torch.zeros(3)), torch.normal(0., torch.tensor([1., 10.])))
print(torch.bernoulli(torch.tensor([0.1, 0.5, 0.9, 0.5])), torch.bernoulli(torch.ones(3), 0.5), torch.poisson(torch.tensor([1., 5., 20., 0.])))
print(torch.multinomial(torch.tensor([.1,.2,.7]), 2), torch.multinomial(torch.ones(5), 8, replacement=True), torch.multinomial(torch.rand(2,4), 1))
print(torch.rand_like(torch.ones(3)), torch.randn_like(torch.ones(2,2)), torch.randint_like(torch.ones(3), 10), torch.randint(5, (2,2)), torch.randint(2**28, (3,)), torch.randint(2, 5, size=(3,)))
import torch
torch.manual_seed(3)
x = torch.empty(5)
print(x.uniform_(), x.uniform_(-1, 2), x.normal_(), x.normal_(mean=3, std=0.1), x.bernoulli_(0.3), x.exponential_(), x.exponential_(2.), x.geometric_(0.2), x.cauchy_(), x.log_normal_(), x.random_(10), x.random_(2, 5))
print(torch.empty(20).uniform_(), torch.empty(20).normal_(), torch.empty(3, dtype=torch.int64).random_(100), torch.empty(4, dtype=torch.bool).bernoulli_(), torch.empty(2, dtype=torch.int32).random_())
print(torch.zeros(4).bernoulli_(torch.tensor([0.,1.,0.5,0.5])))
import torch
g = torch.Generator(); print(g.initial_seed()); g.manual_seed(5); print(g.initial_seed(), g.device)
print(torch.rand(3, generator=g), torch.randperm(5, generator=g), torch.randn(2, generator=g), torch.randint(10, (3,), generator=g))
torch.manual_seed(5); print(torch.rand(3))
s = torch.get_rng_state(); a = torch.rand(2); torch.set_rng_state(s); print(a == torch.rand(2), s.shape, s.dtype, s[:30], s)
with torch.random.fork_rng():
    torch.manual_seed(0); print(torch.rand(1))
print(torch.rand(2)); print(torch.initial_seed())
st = g.get_state(); print(st.sum()); b = torch.rand(1, generator=g); g.set_state(st); print(b == torch.rand(1, generator=g))
torch.randn(3); print(torch.get_rng_state().sum(), torch.get_rng_state()[-40:])
x = torch.empty(3); print(x.normal_(generator=g), torch.nn.init.uniform_(x, generator=g))
import torch, torch.nn.functional as F
torch.manual_seed(1)
x = torch.arange(1., 13.).reshape(3, 4).requires_grad_()
y = F.dropout(x, 0.5); print(y); y.sum().backward(); print(x.grad)
print(F.dropout(torch.ones(4,2), 0.25, training=False), torch.nn.Dropout(0.3)(torch.ones(20)))
m = torch.nn.Dropout(0.3); m.eval(); print(m(torch.ones(3)))
print(F.dropout1d(torch.ones(2,3,2)), F.dropout2d(torch.ones(1,4,2,2), 0.5), F.alpha_dropout(torch.ones(5), 0.5, True), F.feature_alpha_dropout(torch.ones(1,3,2), 0.5, True))
print(torch.dropout(torch.ones(5), 0.5, True), F.dropout(torch.ones(3), 1.0))
x = torch.ones(4); F.dropout(x, 0.5, inplace=True); print(x)
x = torch.tensor([-1., 2.]); y = F.relu(x, inplace=True); print(x, y is x)
import torch
from torch.nn import init
torch.manual_seed(0)
w = torch.empty(3, 5); v = torch.empty(4)
for f in (init.uniform_, init.normal_, init.ones_, init.zeros_, init.eye_, init.xavier_uniform_, init.xavier_normal_, init.kaiming_uniform_, init.kaiming_normal_, init.trunc_normal_, init.orthogonal_):
    print(f.__name__, f(w))
print(init.constant_(v, 0.3), init.sparse_(torch.empty(4, 3), 0.5), init.dirac_(torch.empty(2, 2, 3)), init.kaiming_normal_(w, mode='fan_out', nonlinearity='relu'))
print(init.trunc_normal_(torch.empty(20), std=0.02), init.trunc_normal_(torch.empty(6), 0, 1, 3, 4))
print(init.calculate_gain('relu'), init.calculate_gain('tanh'), init.calculate_gain('leaky_relu', 0.2), init.orthogonal_(torch.empty(5,3), gain=2))
print(init.uniform_(torch.empty(2, requires_grad=True)), init.xavier_uniform_(torch.nn.Linear(3,2).weight, gain=init.calculate_gain('sigmoid')))
