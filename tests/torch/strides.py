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
    def laid():
        torch.manual_seed(0)
        x = torch.arange(6.).view(3, 2).t()
        print((x*2).stride(), x.clone().stride(), (-x).is_contiguous(), (x+x).stride(), (x > 1).stride(), x.double().stride(), torch.zeros_like(x).stride(), torch.rand_like(x).stride(), x.exp().stride())
        print(torch.rand_like(x), torch.randn_like(x))
        print((x + torch.ones(2, 1)).stride(), (x + torch.ones(3)).stride(), (torch.ones(2, 3) + x).stride(), (x * torch.tensor(2.)).stride(), torch.where(x > 1, x, 0.).stride(), torch.where(x > 1, torch.ones(2,3), x).stride())
        a = torch.ones(2, 3).t().requires_grad_()
        (a * 2).sum().backward(); print(a.grad.stride(), a.grad)
        (a * 3).sum().backward(); print(a.grad.stride(), a.grad)
        h = torch.randn(2, 5, 8).view(2, 5, 2, 4).transpose(1, 2)
        o = torch.dropout(h, .1, False) * 2
        print(o.transpose(1, 2).view(2, 5, 8).shape)
        for f in (lambda: torch.randn(2, 3, 4).transpose(1, 2).relu().view(2, -1), lambda: (torch.randn(2,3,4,5).relu().permute(0, 2, 3, 1) * 2).view(2, -1)):
            try: print(f().shape)
            except RuntimeError as e: print(e)
        print(F.dropout(x, 0.5))
        y = x * 1.
        y[0, 0] = 7.; y.mul_(2); print(y, y.stride(), y.view(-1) if y.is_contiguous() else 'no')
        v = y[:, 1]; v.zero_(); print(y)
        print(y.t().view(-1), y.t().is_contiguous(), y.flatten(), y.reshape(6))
        z = x.clone(); z += 1; print(z, x)
        w = torch.randn(3, 4, 2).permute(2, 0, 1)
        print((w + 1).stride(), (w[:, ::2] + 1).stride(), (w[:, :, 1:] * 2).stride(), (w + w.contiguous()).stride(), (w.contiguous() + w).stride(), (w.sum(0)).stride(), torch.softmax(w, -1).stride(), w.cumsum(0).stride(), w.sort(0)[0].stride(), torch.cat([w, w]).stride(), (w @ w.transpose(1, 2)).stride())
        e = torch.ones(3).expand(2, 3); print((e * 2).stride(), e.clone().stride(), torch.zeros_like(e).stride(), torch.ones(3, 1).expand(3, 4).clone().stride())
        l = x.detach().clone().requires_grad_(); (l ** 2).sum().backward(); print(l.grad, l.grad.stride(), l.stride())
        s = torch.randn(4, 1, 3).transpose(0, 2); print(s.stride(), (s*2).stride(), (s + torch.ones(3, 2, 4)).stride())
        print(x.clamp(0, 1).stride(), x.pow(2).stride(), torch.maximum(x, x).stride(), x.masked_fill(x > 2, 0).stride(), x.sigmoid().stride(), F.gelu(x).stride(), torch.lerp(x, x, 0.5).stride(), torch.addcmul(x, x, x).stride(), x.round().stride(), x.long().stride(), x.isnan().stride(), F.leaky_relu(x).stride(), torch.atan2(x, x).stride(), x.fmod(2).stride(), (x // 2).stride(), (2 / x).stride(), x.logical_not().stride(), x.nan_to_num().stride())
        print(torch.empty_like(x).stride(), torch.full_like(x, 3).stride(), torch.ones_like(w).stride(), x.new_zeros(2, 3).stride(), x.float().stride(), x.to(torch.int32).stride(), torch.bernoulli(torch.full_like(x, .5)).stride())
        p = torch.nn.Parameter(torch.ones(2, 3).t()); opt = torch.optim.Adam([p]); (p * 2).sum().backward(); opt.step(); print(p.stride(), p.grad.stride(), opt.state[p]['exp_avg'].stride())
        q = torch.randn(2, 5, 2, 4).transpose(1, 2); o = F.scaled_dot_product_attention(q, q, q); print(o.stride())
        print(x.abs().data_ptr() == x.data_ptr(), torch.equal(x * 1, x), (x*1).numpy().sum(), (x * 1).tolist(), hash((x*1).stride()))
    print(laid())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def chains():
        views = (lambda x: x.transpose(0, 1), lambda x: x.permute(2, 0, 1), lambda x: x.permute(2, 0, 1)[:, ::2], lambda x: x[..., 1:].transpose(0, 2), lambda x: x[:, :1].expand(4, 3, 4).transpose(0, 2))
        ops = (torch.relu, torch.clone, torch.zeros_like, lambda x: x > 0, lambda x: x + x.contiguous(), lambda x: x.contiguous() + x, lambda x: x * x.mean(0), lambda x: torch.where(x > 0, x, 0.), torch.isnan, lambda x: x.softmax(-1), lambda x: x.sort(0)[0], lambda x: x.clone().mul_(2), lambda x: torch.cat([x, x]))
        for view in views:
            x = view(torch.arange(48.).view(4, 3, 4) - 19)
            for op in ops:
                y = op(x)
                z = y.transpose(0, -1)
                try: end = z.view(-1)[:3].tolist()
                except RuntimeError: end = None
                print(y.stride(), y.is_contiguous(), end)
    print(chains())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def written():
        x = torch.arange(6.).view(3, 2).t()
        y = x * 1; z = y[:, 1]; y[0, 0] = 7.; y.mul_(2); z.zero_(); y += x
        w = x.detach().clone().requires_grad_(); (w.t().reshape(-1)[2:] ** 2).sum().backward()
        with torch.no_grad(): w -= 0.1 * w.grad
        return y, y.t().view(-1), y._version, w, w.grad.stride()
    print(written())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
