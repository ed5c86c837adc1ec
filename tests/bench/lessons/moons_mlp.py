# Two interleaved half circles, told apart by a network with two hidden layers.
import math
import torch
from torch import nn

torch.manual_seed(1)
angle = math.pi * torch.rand(500)
upper = torch.stack([angle.cos(), angle.sin()], dim=1)
lower = torch.stack([1 - angle.cos(), 0.5 - angle.sin()], dim=1)
x = torch.cat([upper, lower]) + 0.1 * torch.randn(1000, 2)
y = torch.cat([torch.zeros(500), torch.ones(500)]).long()

model = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
loss_fn = nn.CrossEntropyLoss()
for epoch in range(300):
    optimizer.zero_grad()
    out = model(x)
    loss = loss_fn(out, y)
    loss.backward()
    optimizer.step()
    if epoch % 30 == 0:
        right = (out.argmax(dim=1) == y).float().mean()
        print(f'{epoch:3d} {loss.item():.4f} {right.item():.3f}')
