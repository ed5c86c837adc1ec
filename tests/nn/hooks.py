import torch, torch.nn as nn
torch.manual_seed(0)
m = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
def fwd(mod, inp, out): print('fwd', type(mod).__name__, inp[0].shape, out.shape)
h = m[0].register_forward_hook(fwd)
h2 = m.register_forward_pre_hook(lambda mod, inp: (inp[0] * 2,))
h3 = m[1].register_forward_hook(lambda mod, i, o: o + 1)
print(m(torch.ones(1, 2)))
h.remove(); h2.remove(); h3.remove()
print(m(torch.ones(1, 2)))
def bwd(mod, gi, go): print('bwd', type(mod).__name__, gi, go)
hs = [l.register_full_backward_hook(bwd) for l in m]
x = torch.ones(1, 2, requires_grad=True)
y = m(x); print(y); y.sum().backward(); print(x.grad)
m[0].weight.grad = None
m(torch.ones(1, 2)).sum().backward()
hs[1].remove(); m[2].register_full_backward_hook(lambda mod, gi, go: (gi[0]*10,))
m(x).sum().backward(); print(x.grad)
acts = {}
def save(name):
    def hook(model, input, output): acts[name] = output.detach()
    return hook
m[0].register_forward_hook(save('fc1')); m(torch.ones(2,2)); print(acts)
