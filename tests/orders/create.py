import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = (x ** 4).sum()
g, = torch.autograd.grad(y, x, create_graph=True)
print(g)
print(g.requires_grad, g.is_leaf)
h, = torch.autograd.grad(g.sum(), x, create_graph=True)
print(h)
t, = torch.autograd.grad(h.sum(), x, create_graph=True)
print(t)
f, = torch.autograd.grad(t.sum(), x)
print(f, f.requires_grad)

x = torch.tensor(2.0, requires_grad=True)
y = torch.sin(x) * torch.exp(x)
y.backward(create_graph=True)
first = x.grad
print(first)
x.grad = None
first.backward(create_graph=True)
second = x.grad
print(second)
x.grad = None
second.backward()
print(x.grad)

a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
z = (a * b ** 2).sum()
ga, gb = torch.autograd.grad(z, (a, b), create_graph=True)
print(ga, gb)
print(torch.autograd.grad(ga.sum() + gb.sum(), [a, b]))
# gradient penalty
w = torch.tensor([[1.0, -2.0], [0.5, 3.0]], requires_grad=True)
u = torch.tensor([0.5, -1.0], requires_grad=True)
out = torch.tanh(w @ u).sum()
gu, = torch.autograd.grad(out, u, create_graph=True)
penalty = (gu.norm() - 1) ** 2
penalty.backward()
print(w.grad)
print(u.grad)
# accumulation with create_graph
p = torch.tensor([2.0], requires_grad=True)
(p ** 3).backward(create_graph=True)
(p ** 3).backward(create_graph=True)
print(p.grad)
