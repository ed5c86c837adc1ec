import torch
import torch.nn as nn

torch.manual_seed(0)
x = torch.randn(32, 2)
t = (x[:, :1] * x[:, 1:] + 0.1 * torch.randn(32, 1))
net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
criterion = nn.MSELoss()
for step in range(501):
    optimizer.zero_grad()
    loss = criterion(net(x), t)
    loss.backward()
    optimizer.step()
    if step % 50 == 0:
        print(step, loss.item())
