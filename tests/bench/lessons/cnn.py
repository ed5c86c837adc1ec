# A small CNN on 28×28 pictures of bars and crosses.
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(3)


def pictures(n):
    x = 0.3 * torch.randn(n, 1, 28, 28)
    y = torch.randint(3, (n,))
    at = torch.randint(4, 24, (n, 2))
    for k in range(n):
        i, j = at[k].tolist()
        if y[k] != 1:
            x[k, 0, i, :] += 1
        if y[k] != 0:
            x[k, 0, :, j] += 1
    return x, y


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.bn = nn.BatchNorm2d(8)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.fc1 = nn.Linear(16 * 7 * 7, 32)
        self.fc2 = nn.Linear(32, 3)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc2(F.relu(self.fc1(x.flatten(1))))


x, y = pictures(512)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
for epoch in range(4):
    model.train()
    order = torch.randperm(len(x))
    for part in order.split(64):
        loss = F.cross_entropy(model(x[part]), y[part])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        right = (model(x).argmax(1) == y).float().mean()
    print(f'{epoch} {loss.item():.3f} {right.item():.2f}')
