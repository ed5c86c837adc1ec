# Sixty-four numbers through a bottleneck of four and back.
import torch
from torch import nn

torch.manual_seed(5)
code = torch.randn(1000, 4)
mix = torch.randn(4, 64)
data = torch.tanh(code @ mix) + 0.05 * torch.randn(1000, 64)


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 4))
        self.decoder = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 64), nn.Tanh())

    def forward(self, x):
        return self.decoder(self.encoder(x))


model = Autoencoder()
loss_fn = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=10, gamma=0.5)
for epoch in range(20):
    total = 0.0
    for batch in data[torch.randperm(1000)].split(100):
        loss = loss_fn(model(batch), batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    scheduler.step()
    if epoch % 2 == 0:
        print(f'{epoch:2d} {total / 10:.4f} {scheduler.get_last_lr()[0]:.5f}')
