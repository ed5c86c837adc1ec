import torch
import torch.nn as nn
import torch.nn.functional as F
import math
import numpy as np
from torch import optim

default = torch.get_default_dtype()

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(0)
    l=F.log_softmax(torch.randn(6,2,4),2).requires_grad_()
    for r in ('mean','sum'):
        y=F.ctc_loss(l,torch.tensor([[1,2,2],[3,1,0]]),torch.tensor([6,5]),torch.tensor([3,2]),reduction=r)
        print(y); y.backward()
    print(l.grad[0])
    print(nn.CTCLoss()(l,torch.tensor([1,2,3,1]),(6,6),(2,2)))
    print(nn.CTCLoss(reduction='none')(l.detach(),torch.tensor([[1,1],[3,1]]),(2,6),(2,2)))
    print(nn.CTCLoss(reduction='none',zero_infinity=True)(l.detach(),torch.tensor([[1,1],[3,1]]),(2,6),(2,2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    x3=torch.arange(64.).reshape(1,4,4,4).requires_grad_()
    y=F.max_pool3d(x3,2); print(y); y.sum().backward(); print(x3.grad.sum())
    print(F.avg_pool3d(x3,2)); print(F.max_pool3d(x3,2,stride=1).shape, F.avg_pool3d(x3,2,padding=1).flatten()[:5])
    print(nn.MaxPool3d(2)(x3).shape, nn.AvgPool3d(2)(x3), nn.BatchNorm3d(1)(x3.unsqueeze(0)).flatten()[:4])
    print(nn.MaxPool3d(2,return_indices=True)(x3)[1])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(0)
    c=nn.Conv3d(1,2,2); print(c(torch.ones(1,1,3,3,3)).flatten()[:4])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(0)
    l=torch.nn.utils.weight_norm(nn.Linear(3,2)); print(l); print([n for n,_ in l.named_parameters()])
    print(l.weight_g, l.weight_v); y=l(torch.ones(3)); print(y.data); y.sum().backward(); print(l.weight_g.grad, l.weight_v.grad)
    torch.nn.utils.remove_weight_norm(l); print([n for n,_ in l.named_parameters()])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(0)
    l=torch.nn.utils.spectral_norm(nn.Linear(3,2)); print(l(torch.ones(3)).data); print([n for n,_ in l.named_parameters()]); print(l.weight_u)
    l.eval(); print(l(torch.ones(3)).data)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(0)
    l=nn.Sequential(nn.Linear(2,2),nn.BatchNorm1d(2)); s=l.state_dict(); print(s); print(type(s)); print(list(s)); print(s['0.bias'])
    k=nn.Sequential(nn.Linear(2,2),nn.BatchNorm1d(2)); print(k.load_state_dict(s)); print(k[0].bias==l[0].bias)
    import copy; d=copy.deepcopy(s); print(d['0.bias']); print(len(d), '1.weight' in d)
    for n,v in s.items(): print(n, tuple(v.shape))
    k.load_state_dict(dict(s)); k.load_state_dict({n:v*0 for n,v in s.items()}); print(k[0].weight)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    o=optim.SGD([x],lr=.1,momentum=.9); print(o.state); x.sum().backward(); o.step(); print(o.state[x]); s=o.state_dict(); o.load_state_dict(s); print(o.state)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    o=optim.Adam([x],lr=.1); x.sum().backward(); o.step(); print(o.state[x]); print(x); s=o.state_dict(); o2=optim.Adam([x]); o2.load_state_dict(s); print(o2.state_dict()['param_groups'][0]['lr'])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.finfo(torch.float32).eps, torch.finfo(torch.float16).max, torch.finfo(torch.bfloat16).eps, torch.iinfo(torch.int8).max, torch.iinfo(torch.int16).min, torch.finfo(torch.float64).tiny, torch.finfo().dtype)
    print(torch.finfo(torch.float32), torch.iinfo(torch.int32), torch.finfo(torch.float64).max, torch.finfo(torch.float16).min)
    print(torch.promote_types(torch.float16,torch.bfloat16), torch.result_type(torch.ones(1,dtype=torch.int8),2.5), torch.can_cast(torch.float32,torch.int8), torch.result_type(torch.ones(2),1), torch.iinfo(torch.int64).max, torch.iinfo(torch.int64).min)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a=torch.tensor([1.,2.,3.],requires_grad=True)
    out=a.sigmoid(); c=out.data; c.zero_(); print(out); out.sum().backward(); print(a.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    w=torch.tensor([2.,2.],requires_grad=True)
    y=w*w; w.data[0]=100; y.sum().backward(); print(w.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    w=torch.ones(2,2,requires_grad=True); v=torch.tensor([1.,2.],requires_grad=True)
    y=v@w.t(); w.data[0,0]=5; y.sum().backward(); print(v.grad,w.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    w=torch.tensor([2.,2.],requires_grad=True)
    y=w.detach(); z=w*w; y[0]=5; print(z.sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for shape in ((2, 3), (2, 9), (2, 3, 4), (2, 1, 7), (3, 2, 2, 2)):
        n = math.prod(shape); x = torch.tensor([(k * 37 % 23 - 9) / 8 for k in range(n)]).reshape(shape).requires_grad_()
        for f in (lambda t: F.layer_norm(t, t.shape[-1:]), lambda t: F.instance_norm(t), lambda t: F.group_norm(t, 1), lambda t: F.batch_norm(t, None, None, training=True), lambda t: F.softmax(t, -1), lambda t: nn.GroupNorm(1, shape[1])(t)):
            x.grad = None
            if len(shape) > 2: f(x).backward(torch.ones(shape)); print((x.grad*1e6).round(decimals=3))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    m = nn.Linear(2, 1)
    print(m(input=torch.ones(1, 2)).shape, nn.Sequential(m, nn.Identity())(input=torch.ones(3, 2)).shape)
    for f in (lambda: m(), lambda: m(y=1), lambda: m(torch.ones(1, 2), 2), lambda: m(torch.ones(1, 2), input=2)):
        try: f()
        except TypeError as e: print(e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([-1., 2., 0.5])
    for name in ('relu_', 'leaky_relu_', 'elu_', 'selu_', 'celu_', 'hardtanh_'):
        t = a.clone(); y = getattr(F, name)(t); print(y is t, t)
    v = torch.tensor([1., -1.], requires_grad=True); h = v * 2; F.elu_(h, 0.5); h.sum().backward(); print(h, v.grad, F.threshold_(a.clone(), 0., 9.), torch.selu_(a.clone()))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    A = torch.tensor([[1., 2.], [3., 4.]]); b = torch.ones(2, 2, 2); v = torch.tensor([1., 2.], requires_grad=True)
    y = (v * 1).addmv_(A, v, alpha=2); print(y); y.sum().backward(); print(v.grad)
    print(torch.zeros(2, 2).addmm_(A, A, beta=0.5), torch.zeros(2, 2).addbmm_(b, b), torch.zeros(2, 2, 2).baddbmm_(b, b)[0])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(0)
    for m in (nn.GRU(2, 3, batch_first=True), nn.RNN(2, 3, batch_first=True, bidirectional=True), nn.LSTM(2, 3, batch_first=True, bidirectional=True)):
        o = m(torch.ones(2, 4, 2))[0]; print(type(o.grad_fn).__name__, o.shape, o.stride())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    w = nn.Parameter(torch.ones(3, 2))
    with torch.no_grad():
        w[1] *= 2; w[0, 1] += 5; w[2].mul_(4); w[:2] /= 2
    print(w)
    y = w[1].sum(); y.backward(); print(w.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(0); e = nn.Embedding(5, 3, max_norm=1.); before = e.weight.detach().clone(); y = e(torch.tensor([0, 3, 3])); print(e, y.norm(dim=-1), (e.weight - before).abs().sum(1) > 0); y.sum().backward(); print(e.weight.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    m = nn.DataParallel(nn.Linear(2, 1)); print(m, list(m.state_dict()), m(torch.ones(1, 2)).shape)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(0); p = torch.tensor([.2, .3, .5]); print(p.multinomial(4, replacement=True), p.bernoulli(), p.is_cpu, p.layout, torch.strided)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.amp.GradScaler('cuda', enabled=False); l = nn.Linear(1, 1); o = optim.SGD(l.parameters(), 0.1)
    with torch.autocast('cuda', enabled=False): y = l(torch.ones(1, 1)).sum()
    s.scale(y).backward(); s.step(o); s.update(); print(l.weight.grad, s.get_scale(), s.is_enabled())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
