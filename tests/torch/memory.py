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
    t = torch.arange(12.).view(3,4); p = t.data_ptr()
    print(t.view(-1).data_ptr()-p, t[1:].data_ptr()-p, t[:,1].data_ptr()-p, t.T.data_ptr()-p, t[1,2].data_ptr()-p, t.detach().data_ptr()-p, t.data.data_ptr()-p, t.clone().data_ptr()==p, t.numpy().ctypes.data-p if False else 0, t.expand(2,3,4).data_ptr()-p, t.diagonal().data_ptr()-p, t[1:][1:].data_ptr()-p, t.contiguous().data_ptr()-p, t.reshape(4,3).data_ptr()-p, t.T.contiguous().data_ptr()==p, t.flatten().data_ptr()-p, t.unsqueeze(0).data_ptr()-p, t.float().data_ptr()==p, t.double().data_ptr()==p, t.to(t.dtype).data_ptr()==p)
    print([v.data_ptr()-p for v in t.unbind(0)], [v.data_ptr()-p for v in t.chunk(2,1)], [v.data_ptr()-p for v in t.split(1)], [v.data_ptr()-p for v in t])
    print(type(p).__name__, p != 0, p > 0, p % 64 if False else 0)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.arange(4.); n = t.numpy(); u = torch.from_numpy(n); w = torch.as_tensor(n); z = torch.tensor(n)
    print(u.data_ptr()==t.data_ptr(), w.data_ptr()==t.data_ptr(), z.data_ptr()==t.data_ptr(), torch.from_numpy(n[1:]).data_ptr()-t.data_ptr(), torch.from_numpy(n[::2]).data_ptr()-t.data_ptr(), torch.as_tensor(t) is t, torch.as_tensor(t).data_ptr()==t.data_ptr())
    n[0]=5; print(t, u, w, z)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    x2 = x.detach(); print(x2.data_ptr()==x.data_ptr(), x.data.data_ptr()==x.data_ptr(), x.detach()[1:].data_ptr()-x.data_ptr())
    y = x*2; print(y.data_ptr()==x.data_ptr(), y.detach().data_ptr()==y.data_ptr())
    q = y.data_ptr(); y.add_(1); print(y.data_ptr()==q); y = y+1; print(y.data_ptr()==q)
    with torch.no_grad(): x.mul_(2)
    print(x2.data_ptr()==x.data_ptr())
    x.data = torch.ones(3); print(x2.data_ptr()==x.data_ptr())
    w = torch.ones(3); x.data = w; print(x.data_ptr()==w.data_ptr())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.ones(3); b = torch.zeros(3); a.set_(b); print(a.data_ptr()==b.data_ptr())
    a = torch.ones(3); b = a; b += 1; print(a.data_ptr()==b.data_ptr(), a is b)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    e = torch.empty(0); print(e.data_ptr(), torch.ones(0,2).data_ptr(), torch.tensor([]).data_ptr(), torch.ones(3)[3:].data_ptr() == 0, torch.ones(3)[:0].data_ptr()==0)
    i = torch.arange(4); print(i[1:].data_ptr()-i.data_ptr(), i.int()[0:].data_ptr()!=0)
    for d in (torch.float32, torch.float64, torch.int32, torch.int64, torch.bool, torch.uint8, torch.float16, torch.int8, torch.int16, torch.bfloat16):
        k = torch.ones(4, dtype=d); print(d, k[1:].data_ptr()-k.data_ptr(), k[3].data_ptr()-k.data_ptr(), k.element_size(), k.view(2,2)[1].data_ptr()-k.data_ptr())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import copy
    for t in (torch.ones(3), torch.ones(3, requires_grad=True), nn.Parameter(torch.ones(2))):
        c = copy.copy(t); d = copy.deepcopy(t)
        print(c is t, d is t, c.data_ptr()==t.data_ptr(), d.data_ptr()==t.data_ptr(), c.requires_grad, d.requires_grad, type(c).__name__, type(d).__name__, c.is_leaf, d.is_leaf, c, d)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import copy
    y = x*2
    try: c = copy.copy(y); print(c is y, c.requires_grad, c.grad_fn, c.data_ptr()==y.data_ptr(), c)
    except Exception as e: print(type(e).__name__, e)
    try: c = copy.deepcopy(y); print(c is y)
    except Exception as e: print(type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import copy
    (x**2).sum().backward(); c = copy.copy(x); d = copy.deepcopy(x); print(c.grad, d.grad, c.grad is x.grad, d.grad is x.grad)
    x.grad.zero_(); print(c.grad, d.grad)
    with torch.no_grad(): x.mul_(3)
    print(c, d, c._version, d._version, x._version)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import copy
    c = copy.copy(x); (c*2).sum().backward(); print(c.grad, x.grad, c.is_leaf)
    c2 = copy.copy(x); y=(x*c2).sum(); y.backward(); print(x.grad, c2.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import copy
    t = torch.arange(6.).view(2,3); v = t[:,1:]; c = copy.copy(v); d = copy.deepcopy(v)
    print(c.data_ptr()==v.data_ptr(), d.data_ptr()==v.data_ptr(), c.stride(), d.stride(), d.storage_offset(), c.storage_offset(), c._base is None, v._base is t, c.is_contiguous(), d)
    t[0,1]=9; print(c, d)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import copy
    t = torch.ones(2); l = [t, t]; c = copy.copy(l); d = copy.deepcopy(l); print(c[0] is t, d[0] is t, d[0] is d[1]); t.add_(1); print(c, d)
    v = t[:1]; d = copy.deepcopy([t, v]); d[0].add_(5); print(d); D = copy.deepcopy({'a': t, 'b': v}); D['a'].mul_(2); print(D)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import copy
    l = nn.Linear(2,2); m = copy.deepcopy(l); n = copy.copy(l); print(m.weight is l.weight, n.weight is l.weight, m.weight.data_ptr()==l.weight.data_ptr(), type(m.weight).__name__)
    l(torch.ones(2)).sum().backward(); m = copy.deepcopy(l); print(m.weight.grad, m.weight.grad is l.weight.grad)
    p = copy.copy(l.weight); print(type(p).__name__, p is l.weight, p.requires_grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.arange(6.).view(2,3); print(t.is_set_to(t), t.is_set_to(t.view(2,3)), t.is_set_to(t.T), t.view(2,3) is t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.ones(2); ids = {a.data_ptr() for _ in range(3)}; print(len(ids)); b = torch.ones(2); print(a.data_ptr() != b.data_ptr())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def same(a, b): return a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()
    t = torch.arange(6.); print(same(t, t[1:]), same(t, t.clone()), same(t, t.view(2,3).T), same(t, t+0), same(t, t[[0,1]]), same(t, t[t>1]), same(t, t.reshape(3,2)), same(t, t.view(2,3).T.reshape(6)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    n = np.arange(4.); t = torch.from_numpy(n); print(t.numpy() is n, np.shares_memory(t.numpy(), n), np.shares_memory(n[1:], n), np.shares_memory(n, n.copy()), np.may_share_memory(n, n[::2]))
    t.add_(1); print(n); n *= 2; print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for c in (torch.Tensor, torch.FloatTensor, torch.DoubleTensor, torch.LongTensor, torch.BoolTensor, torch.IntTensor):
        for a in ((3,), (2,3), ([1.,2.],), (), (torch.ones(2),), (torch.ones(2).double(),), (torch.Size([2]),), ((1,2),), (1.5,), ('a',), (None,), (True,), (np.ones(2),), ([],), ([[1.],[2.]],), ([1.,'a'],), (-1,), (2,-1), (2,'a'), ([1,2],[3]), ([1,2],3), (torch.tensor(3),), (torch.tensor(3),2), (torch.tensor([2]),), (2.0,3), ({},), (range(3),), (x,)):
            try: r = c(*a); print(c.__name__, [type(k).__name__ for k in a], r.shape, r.dtype, r.requires_grad)
            except Exception as e: print(c.__name__, [type(k).__name__ for k in a], type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    try: print(torch.Tensor(3, requires_grad=True))
    except Exception as e: print(e)
    try: print(torch.Tensor([3.], requires_grad=True))
    except Exception as e: print(e)
    try: print(torch.Tensor(requires_grad=True))
    except Exception as e: print(e)
    try: print(torch.FloatTensor([3.], requires_grad=True))
    except Exception as e: print(e)
    try: print(torch.FloatTensor(3, dtype=torch.float32))
    except Exception as e: print(e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.Size([2,3]); s += (1,); print(s); s *= 2; print(s)
    t = (1,); t += torch.Size([2]); print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for v in ('a', 1.5, None, -1, 2**70, True, [1], torch.tensor(3), torch.tensor(1.5), np.int64(3), '3', -2**63, 2**63, 2**64, 2**64-1, -2**63-1, -2**64, 1e30, float('nan')):
        try: g = torch.manual_seed(v); print(type(v), g.initial_seed())
        except Exception as e: print(type(v), type(e).__name__, str(e).split('\n')[0])
    try: torch.manual_seed()
    except Exception as e: print(type(e).__name__, str(e).split('\n')[0])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    l = nn.Linear(2,1)
    for v in (l.parameters, l, l.weight, [], 3, None, 'a', [l], [[l.weight]], [3], iter([]), {}, {'a':1}, [l.weight, l], [{'params': l.parameters}], [{'params': l.weight}], [{'params': []}], [{}], [{'params': [3]}], (l.weight,), [l.weight*2], [torch.ones(2)], [l.weight.data], [torch.tensor([1])], {l.weight}, [x.detach()]):
        for o in (optim.SGD, optim.Adam):
            try: print(type(v), type(o(v, lr=.1)).__name__)
            except Exception as e: print(type(v), type(e).__name__, str(e).split('\n')[0])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.arange(6.).view(2,3); s = t.untyped_storage(); print(s.data_ptr()==t.data_ptr(), s.size(), s.nbytes(), t[1:].untyped_storage().data_ptr()==t.data_ptr(), type(s).__name__)
    print(t.clone().untyped_storage().data_ptr()==t.data_ptr(), t.T.untyped_storage().data_ptr()==t.data_ptr(), torch.empty(0).untyped_storage().data_ptr())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.zeros(2,2); p = nn.Parameter(a); print(p.data_ptr()==a.data_ptr(), p is a, nn.Parameter(p).data_ptr()==a.data_ptr())
    a.add_(1); print(p, torch.Tensor(a).data_ptr()==a.data_ptr(), torch.Tensor(p).grad_fn.name())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for c in (torch.Tensor, torch.DoubleTensor, torch.LongTensor, torch.BoolTensor):
        for kw in ({'requires_grad':True}, {'requires_grad':False}, {'dtype':torch.float32}, {'device':'cpu'}, {'foo':1}, {'other': torch.ones(2)}):
            for a in ((3,), (2,3), ([1.,2.],), (), (torch.Size([2]),), ((1,2),), (1.5,), ('a',), (None,), (True,)):
                try: r = c(*a, **kw); print(c.__name__, list(kw), [type(k).__name__ for k in a], r.shape, r.dtype, r.requires_grad)
                except Exception as e: print(c.__name__, list(kw), [type(k).__name__ for k in a], type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for c in (torch.Tensor, torch.FloatTensor, torch.DoubleTensor, torch.LongTensor, torch.BoolTensor, torch.IntTensor):
        for a in ((3,), (2,3), ([1.,2.],), (), (torch.ones(2),), (torch.ones(2).double(),), (torch.Size([2]),), ((1,2),), (1.5,), ('a',), (None,), (True,), (np.ones(2),), ([],), ([[1.],[2.]],), ([1.,'a'],), (-1,), (2,-1), (2,'a'), ([1,2],[3]), ([1,2],3), (torch.tensor(3),), (torch.tensor(3),2), (torch.tensor([2]),), (2.0,3), ({},), (range(3),), (x,)):
            try: r = c(*a); print(c.__name__, [type(k).__name__ for k in a], r.shape, r.dtype, r.requires_grad)
            except Exception as e: print(c.__name__, [type(k).__name__ for k in a], type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for f in (lambda: torch.Size(3), lambda: torch.Size([1,'a']), lambda: torch.Size(a=1), lambda: torch.Size(), lambda: torch.Size([1,2], 3), lambda: torch.Size((1.5,)), lambda: torch.Size([torch.tensor(2)]), lambda: torch.Size({1:2}), lambda: torch.Size('ab')):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = torch.Size([2,3])
    for f in (lambda: s+(3,), lambda: (3,)+s, lambda: s*2, lambda: 2*s, lambda: s+[1], lambda: [1]+s, lambda: s+(1.5,), lambda: s+('a',), lambda: s+1, lambda: s+torch.ones(2), lambda: s+(torch.tensor(1),), lambda: s+(True,), lambda: () + s, lambda: (1.5,)+s, lambda: None + s, lambda: s*1.5):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for f in (lambda: nn.Parameter(torch.tensor([1,2])), lambda: nn.Parameter([1.,2.]), lambda: nn.Parameter(), lambda: nn.Parameter(np.ones(2)), lambda: nn.Parameter(torch.tensor([1,2]), requires_grad=False), lambda: nn.Parameter(torch.ones(2), False), lambda: nn.Parameter(torch.ones(2), foo=1), lambda: nn.Parameter(torch.ones(2), 'a'), lambda: nn.Parameter(x*2)):
        try: print(f())
        except Exception as e: print(type(e).__name__, str(e).split("\n")[0])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for f in (lambda: torch.ones(-1), lambda: torch.zeros(2,-1), lambda: torch.empty(-1), lambda: torch.full((-1,), 2.), lambda: torch.rand(-1), lambda: torch.randn(2,-3), lambda: torch.ones(2).new_zeros(-1), lambda: torch.ones(2).new_full((-1,), 1.), lambda: torch.normal(0., 1., (-1,)), lambda: torch.ones((2,-5,3)), lambda: nn.Linear(-1,2), lambda: torch.zeros(None), lambda: torch.ones(2).new_zeros([1.]), lambda: torch.ones(2).new_ones(2,'a'), lambda: torch.randint(3, (-1,)), lambda: torch.ones(2,3).expand(-2,3)):
        try: print(f().shape)
        except Exception as e: print(type(e).__name__, str(e).split('\n')[0])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    l = nn.Linear(1,1)
    for v in (l.forward, len, l.parameters, optim.SGD([x], lr=1).step):
        print(type(v).__name__)
        try: iter(v)
        except TypeError as e: print(e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
