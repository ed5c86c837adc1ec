# name: SGD with Nesterov momentum
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.01)
for step in range(6):
    opt.zero_grad()
    loss = F.mse_loss(net(x), t)
    loss.backward()
    opt.step()
print(loss.item())
end, slope = net[-1].weight.data.clone(), net[-1].weight.grad.clone()

# name: AdamW with amsgrad
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.AdamW(net.parameters(), lr=0.05, amsgrad=True)
for step in range(6):
    opt.zero_grad()
    loss = F.mse_loss(net(x), t)
    loss.backward()
    opt.step()
print(loss.item())
end, slope = net[-1].weight.data.clone(), net[-1].weight.grad.clone()

# name: RMSprop, centred
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.RMSprop(net.parameters(), lr=0.01, momentum=0.9, centered=True)
for step in range(6):
    opt.zero_grad()
    loss = F.mse_loss(net(x), t)
    loss.backward()
    opt.step()
print(loss.item())
end, slope = net[-1].weight.data.clone(), net[-1].weight.grad.clone()

# name: Adagrad
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.Adagrad(net.parameters(), lr=0.1, lr_decay=0.1, initial_accumulator_value=0.2)
for step in range(6):
    opt.zero_grad()
    loss = F.mse_loss(net(x), t)
    loss.backward()
    opt.step()
print(loss.item())
end, slope = net[-1].weight.data.clone(), net[-1].weight.grad.clone()

# name: a step before the first backward
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for step in range(3):
    opt.step()
    opt.zero_grad()
    loss = F.mse_loss(net(x), t)
    loss.backward()
print(loss, net.weight)
end, slope = net.weight.data.clone(), net.weight.grad

# name: gradients that add up
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(4):
    loss = F.mse_loss(net(x), t)
    loss.backward()
    opt.step()
print(net.weight, net.weight.grad)
end, slope = net.weight.data.clone(), net.weight.grad

# name: frozen layers
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 1))
for p in net[0].parameters():
    p.requires_grad = False
opt = torch.optim.SGD(net.parameters(), lr=0.1, weight_decay=0.1)
for step in range(3):
    loss = F.mse_loss(net(x), t)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(net[0].weight.grad, net[2].weight.grad)
end, slope = net[-1].weight.data.clone(), net[-1].weight.grad

# name: an optimiser of some parameters
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 1))
opt = torch.optim.SGD(net[2].parameters(), lr=0.1)
for step in range(3):
    net.zero_grad()
    loss = F.mse_loss(net(x), t)
    loss.backward()
    opt.step()
print(net[0].weight.grad)
end, slope = net[-1].weight.data.clone(), net[-1].weight.grad

# name: a class with forward
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.fc1 = nn.Linear(2, 5)
        self.fc2 = nn.Linear(5, 1)
        self.act = nn.ReLU()
    def forward(self, x):
        """The output."""
        x = self.act(self.fc1(x))
        return self.fc2(x)
net = Net()
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
for epoch in range(5):
    optimizer.zero_grad()
    output = net(x)
    loss = criterion(output, t)
    loss.backward()
    optimizer.step()
    if epoch % 2 == 0:
        print(f'epoch {epoch}: {loss.item():.4f}')
print(net.fc1.weight.grad)
print(net.fc1.bias.data)
end, slope = net.fc2.weight.data.clone(), net.fc2.weight.grad.clone()

# name: a loop over layers
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
class Net(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = layer(x)
            if i < len(self.layers) - 1:
                x = F.relu(x)
        return x
net = Net([2, 3, 3, 1])
y = net(x).sum()
y.backward()
for n, p in net.named_parameters():
    print(n, p.grad.norm())
end, slope = net.layers[1].weight.data.clone(), net.layers[1].weight.grad.clone()

# name: a weight that two layers share
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2, bias=False)
        self.b = nn.Linear(2, 2, bias=False)
        self.b.weight = self.a.weight
    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))
net = Net()
net(x).pow(2).sum().backward()
print(net.a.weight.grad)
end, slope = net.a.weight.data.clone(), net.a.weight.grad.clone()

# name: a loss in a function
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Linear(2, 1)
def loss_fn():
    return F.mse_loss(net(x), t)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    opt.zero_grad()
    loss = loss_fn()
    loss.backward()
    opt.step()
print(loss)
end, slope = net.weight.data.clone(), net.weight.grad

# name: a training step in a function
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
def train_step(xb, tb):
    opt.zero_grad()
    loss = F.mse_loss(net(xb), tb)
    loss.backward()
    opt.step()
    return loss.item()
for i in range(3):
    print(train_step(x, t))
end, slope = net.weight.data.clone(), net.weight.grad

# name: gradients that are clipped
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Linear(2, 1)
net(x).pow(2).sum().backward()
torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
print(net.weight.grad)

# name: new numbers for parameters
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Linear(2, 1)
nn.init.xavier_uniform_(net.weight)
nn.init.constant_(net.bias, 0.1)
net.weight.data[0, 0] = 2.0
net(x).sum().backward()
print(net.weight, net.bias, net.weight.grad)
end, slope = net.weight.data.clone(), net.weight.grad

# name: groups of parameters
import torch
import torch.nn as nn
torch.manual_seed(3)
emb = nn.Embedding(5, 3)
out = nn.Linear(3, 5)
opt = torch.optim.Adagrad([{'params': emb.parameters()}, {'params': out.parameters()}], lr=0.1)
ids = torch.tensor([0, 3, 3])
for k in range(3):
    loss = nn.functional.cross_entropy(out(emb(ids)), torch.tensor([1, 2, 4]))
    opt.zero_grad(); loss.backward(); opt.step()
print(loss)

# name: a layer called alone, and a gradient kept in the middle
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
h = net[1](net[0](x))
h.retain_grad()
y = net[2](h).sum()
y.backward()
print(h.grad, net[0].weight.grad)
end, slope = net[-1].weight.data.clone(), net[-1].weight.grad

# name: comprehensions over parameters
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Linear(2, 1)
net(x).pow(2).sum().backward()
total = sum(p.grad.norm() ** 2 for p in net.parameters()) ** 0.5
print(total)
grads = [p.grad.clone() for p in net.parameters()]
print(grads)
end, slope = net.weight.data.clone(), net.weight.grad

# name: a buffer
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 1)
        self.register_buffer('s', torch.tensor([2.0]))
    def forward(self, x):
        return self.fc(x) * self.s
net = N()
net(x).sum().backward()
print(net.fc.weight.grad)
end, slope = net.fc.weight.data.clone(), net.fc.weight.grad.clone()

# name: steps written out through .data
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Linear(2, 1, bias=False)
for step in range(4):
    net.zero_grad()
    loss = F.mse_loss(net(x), t)
    loss.backward()
    for p in net.parameters():
        p.data -= 0.1 * p.grad.data
    if step == 2:
        print(loss.item())
print(net.weight)
end, slope = net.weight.data.clone(), net.weight.grad

# name: a loop until the loss is small
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
loss = torch.tensor(10.0)
n = 0
while loss.item() > 0.5 and n < 20:
    opt.zero_grad()
    loss = F.mse_loss(net(x), t)
    loss.backward()
    opt.step()
    n += 1
print(n, loss)
end, slope = net.weight.data.clone(), net.weight.grad

# name: dropout in training
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Sequential(nn.Linear(2, 4), nn.Dropout(0.5), nn.Linear(4, 1))
net(x).sum().backward()
print(net[0].weight.grad)

# name: running statistics
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Sequential(nn.Linear(2, 4), nn.BatchNorm1d(4))
net(x).pow(2).sum().backward()
print(net[0].weight.grad)

# name: a schedule
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
sch = torch.optim.lr_scheduler.StepLR(opt, 2, 0.5)
for i in range(5):
    opt.zero_grad(); F.mse_loss(net(x), t).backward(); opt.step(); sch.step()
print(net.weight)

# name: a learning rate that changes
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(4):
    opt.zero_grad(); F.mse_loss(net(x), t).backward(); opt.step()
    for g in opt.param_groups:
        g['lr'] *= 0.5
print(net.weight)

# name: a module that counts its calls
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 1)
        self.calls = 0
    def forward(self, x):
        self.calls += 1
        return self.fc(x) * self.calls
net = N()
(net(x) + net(x)).sum().backward()
print(net.fc.weight.grad)

# name: a module that is printed
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
print(net)
net(x).sum().backward()
print(net[0].weight.grad)

# name: a state dict
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Linear(2, 1)
sd = net.state_dict()
print(sd['weight'])
net(x).sum().backward()

# name: a function takes the step between a loss and its backward
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
def update():
    opt.step()
F.mse_loss(net(x), t).backward()
loss = F.mse_loss(net(x), t)
update()
loss.backward()
print(net.weight.grad)

# name: a method takes the step between a loss and its backward
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
class Trainer:
    def update(self):
        opt.step()
trainer = Trainer()
F.mse_loss(net(x), t).backward()
loss = F.mse_loss(net(x), t)
trainer.update()
loss.backward()
print(net.weight.grad)

# name: a closure takes the step between a loss and its backward
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
def made():
    def update():
        opt.step()
    return update
update = made()
F.mse_loss(net(x), t).backward()
loss = F.mse_loss(net(x), t)
update()
loss.backward()
print(net.weight.grad)

# name: a function that is handed on takes the step
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
def update():
    opt.step()
def run(f):
    f()
F.mse_loss(net(x), t).backward()
loss = F.mse_loss(net(x), t)
run(update)
loss.backward()
print(net.weight.grad)

# name: a function that is defined later takes the step
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
def run():
    update()
def update():
    opt.step()
F.mse_loss(net(x), t).backward()
loss = F.mse_loss(net(x), t)
run()
loss.backward()
print(net.weight.grad)

# name: a function clears the gradients
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
def clear():
    opt.zero_grad()
F.mse_loss(net(x), t).backward()
clear()
F.mse_loss(net(x), t).backward()
slope = net.weight.grad.clone()
print(slope)

# name: a function is a turn of the loop, and a backward follows
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
def train():
    opt.zero_grad()
    loss = F.mse_loss(net(x), t)
    loss.backward()
    opt.step()
    return loss.item()
for k in range(3):
    last = train()
loss = F.mse_loss(net(x), t)
loss.backward()
slope = net.weight.grad.clone()
print(slope)

# name: a scheduler in steps
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
sched = torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.5)
for step in range(5):
    opt.zero_grad()
    loss = F.mse_loss(net(x), t)
    loss.backward()
    opt.step()
    sched.step()
    print(sched.get_last_lr()[0])
print(loss.item())
end = net[-1].weight.data.clone()

# name: a scheduler of epochs, and one of milestones
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
from torch.optim.lr_scheduler import ExponentialLR
opt = torch.optim.Adam(net.parameters())
sched = ExponentialLR(opt, 0.9)
for epoch in range(2):
    for step in range(2):
        opt.zero_grad()
        loss = F.mse_loss(net(x), t)
        loss.backward()
        opt.step()
    sched.step()
other = torch.optim.SGD([net[0].weight], 0.2)
later = torch.optim.lr_scheduler.MultiStepLR(other, milestones=[1, 3], gamma=0.1)
for step in range(4):
    net.zero_grad()
    loss = F.mse_loss(net(x), t)
    loss.backward()
    other.step()
    later.step()
print(loss.item())
end = net[-1].weight.data.clone()

# name: a learning rate that is written to
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    opt.zero_grad()
    loss = F.mse_loss(net(x), t)
    loss.backward()
    opt.step()
    if step == 1:
        opt.param_groups[0]["lr"] = 0.05
    for g in opt.param_groups:
        g["lr"] *= 0.9
    print(opt.param_groups[0]["lr"])
print(loss.item())
end = net[-1].weight.data.clone()

# name: a scheduler without a counterpart
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]])
t = torch.tensor([[1.0], [0.0], [2.0]])
net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, 0.2, total_steps=5)
for step in range(4):
    opt.zero_grad()
    loss = F.mse_loss(net(x), t)
    loss.backward()
    opt.step()
    sched.step()

# name: a rate of a leaf without a module
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
sched = torch.optim.lr_scheduler.StepLR(opt, 1)
for k in range(3):
    opt.zero_grad()
    y = (w * w).sum()
    y.backward()
    opt.step()
    sched.step()
print(w, opt.param_groups[0]["lr"])

# name: a parameter after the loop over all
import torch
import torch.nn as nn
torch.manual_seed(3)
net = nn.Linear(2, 1)
for name, p in net.named_parameters():
    print(name, p)
z = p * 2

# name: another option of the optimiser's group
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for g in opt.param_groups:
    g["momentum"] = 0.5
(w * w).sum().backward()
opt.step()

# name: a scheduler's state
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
sched = torch.optim.lr_scheduler.StepLR(opt, 1)
print(sched.state_dict())

# name: gradients of all parameters, and a step by hand
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))
x = torch.tensor([[1.0, 2.0]])
for i in range(3):
    loss = net(x).pow(2).sum()
    grads = torch.autograd.grad(loss, net.parameters())
    with torch.no_grad():
        for p, g in zip(net.parameters(), grads):
            p -= 0.1 * g
first = torch.autograd.grad(net(x).sum(), list(net.parameters()))[0]
print(loss, first)

# name: a parameter is written to under another name
import torch
import torch.nn as nn
net = nn.Linear(2, 1)
w = net.weight
with torch.no_grad():
    w.fill_(0.5)
print(net(torch.tensor([[1.0, 2.0]])))

# name: options in the group of parameters
import torch
x = torch.tensor([1., 2.], requires_grad=True)
opt = torch.optim.SGD([{"params": [x], "lr": 0.1}], lr=0.5)
(x**2).sum().backward()
opt.step()
print(x)

# name: a layer that gets its sizes at the first call
import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 3), nn.LazyLinear(1))
x = torch.tensor([[-1.0, 1.0]])
loss = net(x).sum()
loss.backward()
print(loss)

# name: a loop over leaves by name
import torch
w = torch.tensor([1., 2.], requires_grad=True)
b = torch.tensor(0.5, requires_grad=True)
params = [w, b]
x = torch.tensor([3., 4.])
for step in range(3):
    loss = ((w*x).sum() + b - 1)**2
    loss.backward()
    with torch.no_grad():
        for p in params:
            p -= 0.01 * p.grad
            p.grad.zero_()
for q in (w, b): q.grad = None
loss = ((w*x).sum() + b - 1)**2
loss.backward()
print(w, b, w.grad, b.grad)
