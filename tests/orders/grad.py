import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor([3.0, 4.0], requires_grad=True)
unused = torch.tensor(1.0, requires_grad=True)
y = x * w
print(torch.autograd.grad(y, x, grad_outputs=torch.tensor([1.0, 10.0]), retain_graph=True))
print(torch.autograd.grad([y, y ** 2], [x, w], grad_outputs=[torch.ones(2), torch.tensor([0.0, 1.0])], retain_graph=True))
print(torch.autograd.grad(y.sum(), [x, unused], allow_unused=True, retain_graph=True))
try:
    torch.autograd.grad(y.sum(), [x, unused], retain_graph=True)
except RuntimeError as e:
    print(e)
print(torch.autograd.grad(y.sum(), [x, unused], materialize_grads=True, retain_graph=True))
try:
    torch.autograd.grad(y, x, retain_graph=True)
except RuntimeError as e:
    print(e)
try:
    torch.autograd.grad(y, x, torch.ones(3), retain_graph=True)
except RuntimeError as e:
    print(e)
print(torch.autograd.grad(y, x, torch.eye(2), is_grads_batched=True, retain_graph=True))
print(torch.autograd.grad(y, [x, w], (torch.eye(2),), is_grads_batched=True, retain_graph=True))
J, = torch.autograd.grad(y ** 2, x, torch.eye(2), is_grads_batched=True, create_graph=True)
print(J.detach())
print(J.requires_grad)
print(torch.autograd.grad(J.sum(), x))
try:
    torch.autograd.grad(torch.tensor(1.0), x)
except RuntimeError as e:
    print(e)
try:
    torch.autograd.grad(y.sum(), torch.tensor(1.0))
except RuntimeError as e:
    print(e)
y2 = (x ** 2).sum()
torch.autograd.grad(y2, x)
try:
    torch.autograd.grad(y2, x)
except RuntimeError as e:
    print(str(e)[:60])
print(x.grad)
h = x * 2
k = (h ** 2).sum()
print(torch.autograd.grad(k, h, retain_graph=True))
print(torch.autograd.grad(k, (h, x)))
try:
    torch.autograd.grad(y.sum(), [x, unused], allow_unused=False, materialize_grads=True)
except ValueError as e:
    print(e)
torch.autograd.backward([x.sum(), (x * w).sum()], inputs=[x])
print(x.grad, w.grad)
torch.autograd.backward((x * w,), (torch.tensor([1.0, 2.0]),))
print(x.grad, w.grad)
