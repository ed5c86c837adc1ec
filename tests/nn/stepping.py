import torch
def run(make, **kw):
    torch.manual_seed(0)
    p = torch.randn(3, requires_grad=True); q = torch.randn(2, 2, requires_grad=True); unused = torch.ones(1, requires_grad=True)
    o = make([p, q, unused], **kw)
    for i in range(4):
        o.zero_grad()
        ((p**2).sum() + (q**4).sum() + p[0]*q[1,1]).backward()
        o.step()
    print(type(o), p, q)
    print(o.state_dict())
O = torch.optim
run(O.SGD, lr=0.1); run(O.SGD, lr=0.1, momentum=0.9, dampening=0.1, weight_decay=0.01); run(O.SGD, lr=0.1, momentum=0.9, nesterov=True, maximize=True)
run(O.Adam); run(O.Adam, lr=0.1, amsgrad=True, weight_decay=0.1); run(O.AdamW, lr=0.1); run(O.RMSprop, momentum=0.5, centered=True); run(O.RMSprop)
run(O.Adagrad, lr=0.5, lr_decay=0.1); run(O.Adadelta); run(O.Adamax); run(O.NAdam); run(O.RAdam, lr=0.1); run(O.Rprop); run(O.ASGD)
import torch
p = torch.nn.Parameter(torch.ones(2))
for c in ("SGD","Adam","AdamW","RMSprop","Adagrad","Adadelta","Adamax","NAdam","RAdam","Rprop","ASGD"):
    o = getattr(torch.optim, c)([p]); print(o); print(o.defaults); print(o.param_groups)
o = torch.optim.LBFGS([p]); print(o)
import torch, torch.nn as nn
torch.manual_seed(0)
m = nn.Linear(2, 1)
o = torch.optim.Adam(m.parameters(), lr=0.1)
for _ in range(2):
    o.zero_grad(); m(torch.ones(1,2)).sum().backward(); o.step()
sd = o.state_dict()
m2 = nn.Linear(2, 1); m2.load_state_dict(m.state_dict())
o2 = torch.optim.Adam(m2.parameters(), lr=0.5); o2.load_state_dict(sd)
print(o2)
for mm, oo in ((m, o), (m2, o2)):
    oo.zero_grad(); mm(torch.ones(1,2)).sum().backward(); oo.step(); print(mm.weight)
o.add_param_group({'params': [torch.zeros(3, requires_grad=True)], 'lr': 7}); print(o); print(len(o.param_groups), o.param_groups[1]['lr'])
print([len(g['params']) for g in o.param_groups], o.state[m.weight]['step'])
o.zero_grad(set_to_none=False); print(m.weight.grad, m.bias.grad)
import torch
class MySGD(torch.optim.Optimizer):
    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))
    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group['params']:
                if p.grad is None: continue
                st = self.state[p]
                st['n'] = st.get('n', 0) + 1
                p.add_(p.grad, alpha=-group['lr'])
w = torch.tensor([1., 2.], requires_grad=True)
o = MySGD([w]); (w**2).sum().backward(); o.step(); print(w, o.state[w]); print(o)
s = torch.optim.lr_scheduler.StepLR(o, 1); s.step(); print(o.param_groups[0]['lr'])
import torch
w = torch.tensor([1., 2.], requires_grad=True)
o = torch.optim.SGD([w], lr=0.1)
def closure():
    o.zero_grad(); l = (w**2).sum(); l.backward(); return l
print(o.step(closure), w, w.grad, w._version, w.is_leaf)
h = o.register_step_post_hook(lambda opt, a, k: print('after')); o.step(); h.remove(); o.step()
print(isinstance(o, torch.optim.Optimizer), o.__class__.__name__)
