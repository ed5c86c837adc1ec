import torch
import torch.nn as nn
from torch import nn as nn2
for m in [nn.Sigmoid(), nn.LeakyReLU(), nn.Softmax(dim=0), nn.ReLU(inplace=True), nn.Dropout(0.3), nn.GELU('tanh'), nn.MSELoss(), nn.Flatten(), nn.Softplus()]:
    print(m)
x = torch.tensor([1., -2.], requires_grad=True)
y = torch.nn.Sigmoid()(x)
print(y)
print(nn.MSELoss()(x, torch.zeros(2)), nn.CrossEntropyLoss()(torch.tensor([[1., 2.]]), torch.tensor([0])))
print(nn.MSELoss(reduction='sum')(x, torch.zeros(2)))
p = nn.Parameter(torch.ones(2)); print(p, isinstance(p, nn.Parameter), isinstance(p, torch.Tensor))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(2))
        self.act = nn.Tanh()
    def forward(self, x):
        return self.act(self.w * x)
net = Net()
print(net)
print(list(net.named_parameters()))
print(net(x))
print(nn.Sigmoid, type(net), type(p))
print(isinstance(net, nn.Module), isinstance(net.act, nn.Tanh))
for p in net.parameters(): print(p.shape)
try:
    nn.ReLU(foo=1)
except TypeError as e: print(e)
try:
    net.foo
except AttributeError as e: print(e)
try:
    net.w = torch.ones(2)
except TypeError as e: print(e)
class Bad(nn.Module):
    def __init__(self): self.fc = nn.Tanh()
try: Bad()
except AttributeError as e: print(e)
class Bad(nn.Module): pass
try: Bad()(1)
except NotImplementedError as e: print(e)
class Counted(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 1, bias=False)
        nn.init.constant_(self.fc.weight, 0.5)
        self.register_buffer("seen", torch.zeros(1))
    def forward(self, x):
        self.seen += 1
        return self.fc(x)
    @torch.no_grad()
    def predict(self, x):
        return self(x)
c = Counted()
print(c.predict(torch.ones(2)), c(torch.ones(2)), c.seen)
print([n for n, _ in c.named_buffers()], list(c.state_dict()))
print(c.double().fc.weight.dtype, c.float().fc.weight.dtype)
c.requires_grad_(False)
print(any(p.requires_grad for p in c.parameters()))
print(nn.ModuleDict({"a": nn.ReLU(), "b": nn.Linear(1, 1)}))
net = nn.Sequential(nn.Flatten(), nn.Linear(4, 2), nn.Softmax(dim=1))
print(net(torch.zeros(1, 2, 2)).shape, net[:2], nn.Dropout(0.5).eval()(torch.ones(2)))
