import torch
import torch.nn as nn
import torch.optim as optim
from torch.optim.lr_scheduler import StepLR

makers = [
    ("sgd", lambda p: optim.SGD(p, lr=0.1)),
    ("momentum", lambda p: optim.SGD(p, lr=0.1, momentum=0.9, dampening=0.1, weight_decay=0.01)),
    ("nesterov", lambda p: optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True)),
    ("maximize", lambda p: optim.SGD(p, lr=0.01, maximize=True)),
    ("adam", lambda p: optim.Adam(p, lr=0.1)),
    ("adam options", lambda p: optim.Adam(p, lr=0.1, betas=(0.8, 0.9), eps=1e-6, weight_decay=0.1)),
    ("amsgrad", lambda p: optim.Adam(p, lr=0.1, amsgrad=True)),
    ("adamw", lambda p: optim.AdamW(p, lr=0.1)),
    ("rmsprop", lambda p: optim.RMSprop(p, lr=0.1)),
    ("rmsprop options", lambda p: optim.RMSprop(p, lr=0.1, alpha=0.9, momentum=0.5, centered=True)),
    ("adagrad", lambda p: optim.Adagrad(p, lr=0.1, lr_decay=0.1, initial_accumulator_value=0.5)),
]
for name, make in makers:
    w = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
    o = make([w])
    for i in range(10):
        o.zero_grad()
        ((w - 0.5) ** 4).sum().backward() if name != "nothing" else None
        torch.nn.utils.clip_grad_norm_([w], 2.0)
        o.step()
    print(name, w)
    print(o)

w = nn.Parameter(torch.tensor([1.0, 2.0]))
b = nn.Parameter(torch.tensor(0.5))
o = optim.SGD([{"params": [w]}, {"params": b, "lr": 0.5}], lr=0.1)
print(o)
(w.sum() * b).backward()
o.step()
print(w, b)
print([g["lr"] for g in o.param_groups], len(o.param_groups[0]["params"]))
o.param_groups[0]["lr"] = 0.2
o.zero_grad(set_to_none=False)
print(w.grad, b.grad)
o.zero_grad()
print(w.grad)

for make in [
    lambda o: StepLR(o, step_size=2, gamma=0.5),
    lambda o: optim.lr_scheduler.ExponentialLR(o, 0.9),
    lambda o: optim.lr_scheduler.LambdaLR(o, lambda e: 0.95 ** e),
    lambda o: optim.lr_scheduler.MultiStepLR(o, milestones=[2, 4], gamma=0.1),
    lambda o: optim.lr_scheduler.CosineAnnealingLR(o, T_max=5, eta_min=0.01),
]:
    o = optim.SGD([w], lr=0.1)
    s = make(o)
    rates = []
    for _ in range(6):
        o.step()
        s.step()
        rates.append(s.get_last_lr()[0])
    print(rates, s.last_epoch, o.param_groups[0]["lr"])

w = torch.tensor([3.0, 4.0], requires_grad=True)
(w ** 2).sum().backward()
print(torch.nn.utils.clip_grad_norm_(w, 1.0), w.grad)
torch.nn.utils.clip_grad_value_([w], 0.7)
print(w.grad)

def closure():
    o.zero_grad()
    loss = (w ** 2).sum()
    loss.backward()
    return loss

o = optim.SGD([w], lr=0.1)
print(o.step(closure), w)

for bad in [
    lambda: optim.SGD([w], lr=-1.0),
    lambda: optim.SGD([w], momentum=-0.5),
    lambda: optim.SGD([w], nesterov=True),
    lambda: optim.SGD([w * 2], lr=1.0),
    lambda: optim.SGD([], lr=1.0),
    lambda: optim.Adam([w], betas=(1.5, 0.9)),
    lambda: optim.Adam([w], eps=-1),
    lambda: optim.RMSprop([w], alpha=-1.0),
    lambda: optim.SGD([1.0], lr=1.0),
    lambda: optim.SGD([{"params": [w]}, {"params": [w]}], lr=1.0),
]:
    try:
        bad()
    except (ValueError, TypeError) as e:
        print(type(e).__name__, e)
