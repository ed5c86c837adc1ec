import math

import torch
import torch.nn.functional as F
x = torch.tensor([1.0, 2.0], requires_grad=True)
seen = []
handle = x.register_hook(lambda g: seen.append(g.clone()))
y = x * 3
y.retain_grad()
y.register_hook(lambda g: g * 2)
z = (y ** 2).sum()
z.backward()
print(x.grad, y.grad, seen)
handle.remove()
x.grad = None
(x ** 2).sum().backward()
print(x.grad, len(seen))
h = x.register_hook(lambda g: g * 10)
x.grad = None
g, = torch.autograd.grad((x ** 2).sum(), x)
print(g)
(x ** 2).sum().backward()
print(x.grad)
h.remove()
order = []
x.register_hook(lambda g: order.append("first"))
x.register_hook(lambda g: order.append("second"))
x.register_post_accumulate_grad_hook(lambda t: order.append(t.grad.tolist()))
x.grad = None
(x * x).sum().backward()
print(order)
t = torch.tensor(2.0, requires_grad=True)
u = t ** 3
u.register_hook(lambda g: g * t)
gt, = torch.autograd.grad(u, t, create_graph=True)
print(gt)
gg, = torch.autograd.grad(gt, t)
print(gg)
try:
    torch.tensor(1.0).register_hook(lambda g: g)
except RuntimeError as e:
    print(e)
v = torch.tensor(1.0, requires_grad=True)
v.register_hook(lambda g: torch.ones(3))
try:
    (v * 2).backward()
except RuntimeError as e:
    print(e)
with torch.no_grad():
    print((x * 2).requires_grad)
print(z.grad_fn.next_functions[0][0].next_functions[0][0].name())
a = torch.tensor([1.0], requires_grad=True)
with torch.enable_grad():
    b = a * 2
print(b.requires_grad, torch.is_grad_enabled())
d = b.detach()
d.requires_grad_()
(d ** 2).backward()
print(d.grad, a.grad)


def told(f, **leaves):
    order = []
    for name, t in leaves.items():
        t.register_hook(lambda g, name=name: order.append(name))
    f().sum().backward()
    print(' '.join(order))


def leaf(*shape):
    return torch.linspace(0.5, 2.0, math.prod(shape)).reshape(*shape).requires_grad_()


for shape in [(3,), (2, 3), (2, 2, 3)]:
    x, w, b = leaf(*shape), leaf(4, 3), leaf(4)
    told(lambda: F.linear(x, w, b), x=x, w=w, b=b)
x, w, b = leaf(2, 4), leaf(4), leaf(4)
told(lambda: F.layer_norm(x, (4,), w, b) ** 2, x=x, w=w, b=b)
x, w, b = leaf(2, 4), leaf(4), leaf(4)
told(lambda: F.batch_norm(x, None, None, w, b, True) ** 2, x=x, w=w, b=b)
x, w, b = leaf(2, 4), leaf(4), leaf(4)
told(lambda: F.group_norm(x, 2, w, b) ** 2, x=x, w=w, b=b)
x, y, z = leaf(3), leaf(3), leaf(3)
told(lambda: torch.linalg.cross(x, y).dot(z), x=x, y=y, z=z)
