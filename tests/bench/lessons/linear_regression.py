# A line through noisy points, by hand: no module, no optimizer.
import torch

torch.manual_seed(0)
x = torch.linspace(-1, 1, 200)
y = 2.5 * x - 0.7 + 0.1 * torch.randn(200)
w = torch.zeros(1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
for step in range(1000):
    loss = ((w * x + b - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        b -= 0.1 * b.grad
    w.grad.zero_()
    b.grad.zero_()
    if step % 100 == 0:
        print(f'{step:4d} {loss.item():.5f}')
print(f'{w.item():.4f} {b.item():.4f}')
