# Numbers without dimensions, one operation after the other: loops, signs, shared parts, hooks, writes.
import torch

torch.set_default_dtype(torch.float64)


def show(*all):
    print(*[None if g is None else g.item() for g in all])


x = torch.tensor(0.5, requires_grad=True)
y = x
for i in range(100):
    y = y * 0.999
    y = y + 0.001
y.backward()
show(y, x.grad)

x = torch.tensor(2.0, requires_grad=True)
w = torch.tensor(-3.0, requires_grad=True)
h = 3 - x
h = h * 2
h = 1.5 / h
h = h / 4 - 1
h = -h
h = h - w
h = w * h + x
h.backward()
show(h, x.grad, w.grad)

# A part that is used twice.
x = torch.tensor(1.5, requires_grad=True)
a = x * 2
b = a + 1
c = a * b
d = c * c + b
d.backward()
show(d, x.grad)

# Kept.
x = torch.tensor(1.5, requires_grad=True)
y = (x * 2 + 1) * x * 4
y.backward(retain_graph=True)
y.backward()
show(x.grad)

# Looked at on the way.
x = torch.tensor(1.5, requires_grad=True)
a = x * 2
a.retain_grad()
b = a * 3
b.register_hook(lambda g: g * 10)
c = b * 5 + 1
c.backward()
show(a.grad, x.grad)
show(*torch.autograd.grad((x * 2) * 3 + 1, [x]))

# Written between: by itself, which is noticed, and through .data, which is not.
x = torch.tensor(2.0, requires_grad=True)
c = torch.tensor(3.0)
y = (x * 1.5) * 2.0 * c
c.data.fill_(5.0)
y.backward()
show(x.grad)
c = torch.tensor(3.0)
y = (x * 1.5) * 2.0 * c
c.add_(1)
try:
    y.backward()
except RuntimeError as e:
    print(str(e)[:94])

# No history, whole numbers, float32, infinities.
with torch.no_grad():
    z = x * 2 + 1
print(z.requires_grad, (z * 3).requires_grad, (x.detach() * 2).requires_grad)
k = torch.tensor(3)
print(k * 2, k / 2, k + 0.5, k - 7, 2 - k)
f = torch.tensor(0.1, dtype=torch.float32, requires_grad=True)
g = f * 3 + 0.1
g.backward()
print(g, f.grad)
for v in [float("inf"), float("nan"), -0.0]:
    x = torch.tensor(v, requires_grad=True)
    y = x * 0 + 1
    y = y - 1
    y.backward()
    show(y, x.grad)


def power(a, n):
    out = a
    for i in range(n):
        out = out * a
    return out


x = torch.tensor(1.1, requires_grad=True)
y = power(x * 1.0, 5)
y.backward()
show(y, x.grad)
