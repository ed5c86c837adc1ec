import torch
w = torch.ones(2, requires_grad=True)
def sched(make, n=12, **kw):
    o = torch.optim.SGD([{'params':[w]}, {'params': [torch.ones(1, requires_grad=True)], 'lr': 0.5}], lr=0.1, momentum=0.9)
    s = make(o, **kw); out = []
    for i in range(n):
        out.append(s.get_last_lr()); o.step(); s.step()
    print(type(s).__name__, out); print(s.last_epoch, s.base_lrs)
L = torch.optim.lr_scheduler
sched(L.StepLR, step_size=3); sched(L.MultiStepLR, milestones=[2,5,5]); sched(L.ExponentialLR, gamma=0.9); sched(L.LambdaLR, lr_lambda=lambda e: 0.95**e)
sched(L.MultiplicativeLR, lr_lambda=lambda e: 0.95); sched(L.CosineAnnealingLR, T_max=5, eta_min=0.01); sched(L.ConstantLR); sched(L.LinearLR); sched(L.PolynomialLR, power=2.0)
sched(L.CosineAnnealingWarmRestarts, T_0=3, T_mult=2); sched(L.CyclicLR, base_lr=0.01, max_lr=0.1, step_size_up=3, mode='triangular2'); sched(L.CyclicLR, base_lr=0.01, max_lr=0.1, step_size_up=3, mode='exp_range', gamma=0.9)
sched(L.OneCycleLR, max_lr=0.3, total_steps=20); sched(L.OneCycleLR, max_lr=0.3, total_steps=20, anneal_strategy='linear', three_phase=True)
o = torch.optim.SGD([w], lr=0.1)
s = L.SequentialLR(o, [L.ConstantLR(o, 0.1, 2), L.ExponentialLR(o, 0.9)], [2])
out=[]
for i in range(6): out.append(s.get_last_lr()); o.step(); s.step()
print(out)
o = torch.optim.SGD([w], lr=0.1)
s = L.ReduceLROnPlateau(o, 'min', patience=1)
for m in [1, .5, .5, .5, .5, .4, .6, .6, .6]:
    s.step(m); print(o.param_groups[0]['lr'], s.num_bad_epochs, end=' ')
print()
print(L.StepLR(torch.optim.SGD([w], lr=1.), 2).state_dict())
o = torch.optim.Adam([w]); s = L.ChainedScheduler([L.ExponentialLR(o,.5), L.StepLR(o,1)]); o.step(); s.step(); print(s.get_last_lr())
