# Tuples, lists and dicts through torch.func.
import torch
from torch.func import grad, grad_and_value, vjp, jvp, jacrev, jacfwd, hessian, vmap
p = {'w': torch.tensor([1., 2.]), 'b': torch.tensor(3.)}
def f(p, x): return ((p['w']*x).sum() + p['b'])**2
x = torch.tensor([1., -1.])
print(grad(f)(p, x))
print(jacrev(f)(p, x))
print(jacfwd(f)(p, x))
print(hessian(f)(p, x))
print(grad_and_value(f)(p, x))
print(grad(f, argnums=(0, 1))(p, x))
out, pull = vjp(f, p, x)
print(out, pull(torch.tensor(1.)))
print(jvp(f, (p, x), ({'w': torch.ones(2), 'b': torch.tensor(0.)}, torch.zeros(2))))
def g(x): return {'a': x**2, 'b': (x.sum(), [x])}
print(jacrev(g)(x))
print(jacfwd(g)(x))
out, pull = vjp(g, x)
print(out)
print(pull({'a': torch.ones(2), 'b': (torch.tensor(1.), [torch.ones(2)])}))
print(jvp(g, (x,), (torch.ones(2),)))
def h(ps): return ps[0]*ps[1][0]
print(jacrev(h)([x, (x+1,)]))
print(vmap(g)(torch.ones(3, 2)))
print(vmap(f, in_dims=(None, 0))(p, torch.ones(3, 2)))
print(vmap(grad(f), in_dims=(None, 0))(p, torch.arange(6.).reshape(3, 2)))

import torch
from torch.func import grad, jacrev, jacfwd, hessian
x = torch.tensor([1., 2.], requires_grad=True)
print(grad(lambda a: (a**2).sum())(x))
print(jacrev(lambda a: a**2)(x))
print(jacfwd(lambda a: a**2)(x))
print(hessian(lambda a: (a**3).sum())(x))
w = torch.tensor(2., requires_grad=True)
g = grad(lambda a: (w*a**2).sum())(x)
print(g)
g.sum().backward()
print(w.grad, x.grad)
print(grad(lambda a: (w*a**2).sum())(torch.ones(2)))

import torch
from torch.func import vmap, grad, jacrev, vjp
x = torch.tensor([1., 2.], requires_grad=True)
print(vmap(torch.sin)(x))
print(vmap(lambda a: a*2+1)(x))
X = torch.ones(3,2, requires_grad=True)
print(vmap(torch.dot)(X, X))
print(vmap(lambda a: (a**2).sum())(X))
print(vmap(lambda a: (a**2).mean())(X))
print(vmap(grad(lambda a: (a**3).sum()))(X))
print(vmap(lambda a: a @ a)(X))
print(vmap(lambda a, A: A @ a, in_dims=(0, None))(X, torch.ones(2,2)))
print(vmap(lambda a: torch.relu(a), out_dims=1)(X))
