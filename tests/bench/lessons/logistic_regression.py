# Twenty features, minibatches from a DataLoader, SGD with momentum and weight decay.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2)
x = torch.randn(2000, 20)
direction = torch.randn(20)
y = (x @ direction + 0.5 * torch.randn(2000) > 0).float().unsqueeze(1)
loader = DataLoader(TensorDataset(x, y), batch_size=64, shuffle=True)

model = nn.Linear(20, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
loss_fn = nn.BCEWithLogitsLoss()
for epoch in range(10):
    total = 0.0
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = loss_fn(model(xb), yb)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(xb)
    print(f'{epoch} {total / len(x):.5f}')
with torch.no_grad():
    right = ((model(x) > 0).float() == y).float().mean()
print(f'accuracy {right.item():.4f}')
