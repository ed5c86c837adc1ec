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
    c = nn.CrossEntropyLoss(weight=torch.tensor([1.,3.])); print(c._buffers, c.state_dict(), list(c.named_buffers()))
    class M(nn.Module):
        def __init__(self):
            super().__init__(); self.l = nn.BCEWithLogitsLoss(pos_weight=torch.ones(2)); self.n = nn.NLLLoss()
    print(M().state_dict(), M())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import torch.nn.utils.parametrize as parametrize
    class N(nn.Module):
        def forward(self, x):
            print("run"); return x*2
    l = nn.Linear(2,2)
    parametrize.register_parametrization(l, "weight", N())
    print(l)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    m = nn.Linear(2,2); print(m.parameters); print(m.forward)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.Linear(2,2).weight.grad_sample)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.device(type='cpu'), torch.device('cuda', index=0), torch.device(type='cuda', index=0))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.DoubleTensor(2,3); print(a.new(2,3).shape, a.new([1,2]), a.new().shape, a.new(2,3).dtype)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from types import MethodType
    class A: pass
    a = A(); a.f = MethodType(lambda self, x: x+1, a); print(a.f(2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from typing import BinaryIO, TextIO, IO
    from contextlib import ContextDecorator
    class t(ContextDecorator):
        def __enter__(self): print("in"); return self
        def __exit__(self, *e): print("out")
    @t()
    def f(x): return x
    print(f(3))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.utils.data import Sampler
    from typing import List
    class S(Sampler[List[int]]):
        def __iter__(self): return iter([0, 1])
    print(list(S()))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from io import BytesIO
    print(BytesIO("text"))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class MyFn(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y): ctx.save_for_backward(x, y); return x*y
        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors
            return g*y*10, g*x*10
    a = torch.tensor([2.], requires_grad=True); b = torch.tensor([3.], requires_grad=True)
    z = MyFn.apply(a*1, b)
    print(z.grad_fn.apply(torch.ones(1)))
    print((z*3).grad_fn(torch.ones(1)))
    print(a.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class M(nn.Module):
        def forward(self, a, b): return a*b
    m = M(); m.register_full_backward_hook(lambda *a: print(a[1:]))
    m(torch.tensor([3.]), torch.tensor([5.], requires_grad=True)).backward()
    class N(nn.Module):
        def forward(self, i, w, k): return w[i]*k, w.detach()
    n = N(); n.register_full_backward_hook(lambda *a: print(a[1:])); w = torch.ones(3, requires_grad=True)
    print(n(torch.tensor([0, 1]), w, 2)[0].sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    m = nn.Linear(2,2); s = []
    m.register_forward_hook(lambda mod, i, o: s.append(o)); m.register_full_backward_hook(lambda *a: print('b', a[1:]))
    x = torch.ones(1,2, requires_grad=True); m(x); print(torch.autograd.grad(s[0].sum(), x)[0].shape)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    m = nn.Linear(2,2)
    m.register_backward_hook(lambda mod, gi, go: print([None if g is None else g.shape for g in gi], [g.shape for g in go]))
    x = torch.ones(1,2, requires_grad=True); print(m(x).sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class M4(nn.Module):
        def __init__(self): self.register_buffer('t', torch.ones(1))
    print(M4())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.Linear(1,1).register_parameter('q', torch.ones(1)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.Linear(1,1).register_parameter(3, None))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.Linear(1,1).add_module('x', 3))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.func.vmap(lambda x: F.dropout(x, 0.5, True))(torch.ones(2,3)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    x = torch.ones(2, requires_grad=True)
    from torch.utils.checkpoint import checkpoint
    o = checkpoint(torch.sin, x, use_reentrant=True)
    print(torch.autograd.grad(o.sum(), x))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    x = torch.ones(2, requires_grad=True)
    from torch.utils.checkpoint import checkpoint
    o = checkpoint(torch.sin, x, use_reentrant=True)
    print(o.sum().backward(inputs=[x]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.autograd.function import once_differentiable
    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x): ctx.save_for_backward(x); return x*x
        @staticmethod
        @once_differentiable
        def backward(ctx, g): return 2*ctx.saved_tensors[0]*g
    x = torch.ones(2, requires_grad=True)
    g, = torch.autograd.grad(Fn.apply(x).sum(), x, create_graph=True)
    print(g.requires_grad, g)
    print(torch.autograd.grad(g.sum(), x))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import torch.nn.utils.prune as prune
    torch.manual_seed(0)
    m = nn.Linear(4,3); prune.random_unstructured(m, "weight", amount=0.3); prune.ln_structured(m, "weight", amount=0.5, n=2, dim=0); print(m.weight)
    for h in m._forward_pre_hooks.values():
        if h._tensor_name == "weight": print([type(k).__name__ for k in h], len(h), type(h).__name__)
    prune.l1_unstructured(m, "weight", amount=2); prune.l1_unstructured(m, "bias", 1)
    print(m.weight_mask, m.bias, sorted(m.state_dict()), [n for n, _ in m.named_parameters()])
    prune.remove(m, "weight"); print(m.weight, prune.is_pruned(m)); prune.remove(m, "bias"); print(prune.is_pruned(m))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import torch.nn.utils.prune as prune
    torch.manual_seed(1)
    m = nn.Sequential(nn.Conv2d(2,3,2), nn.Conv2d(3,2,2))
    prune.global_unstructured([(m[0], "weight"), (m[1], "weight")], pruning_method=prune.L1Unstructured, amount=0.3)
    prune.global_unstructured([(m[0], "weight"), (m[1], "weight")], pruning_method=prune.L1Unstructured, amount=5)
    print(m[0].weight_mask.flatten(), m[1].weight_mask.flatten())
    prune.ln_structured(m[0], "weight", 1, float("-inf"), 1); prune.random_structured(m[1], "weight", 1, 0)
    print(m[0].weight_mask.sum(), m[1].weight_mask.sum((1,2,3)))
    class Half(prune.BasePruningMethod):
        PRUNING_TYPE = 'unstructured'
        def compute_mask(self, t, default_mask):
            mask = default_mask.clone(); mask.view(-1)[::2] = 0; return mask
    Half.apply(m[0], "bias"); Half.apply(m[0], "bias"); print(m[0].bias_mask)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import torch.nn.utils.prune as prune
    m = nn.Linear(2,2); print(prune.remove(m, "weight"))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import torch.nn.utils.prune as prune
    m = nn.Linear(2,2); print(prune.global_unstructured([(m,"weight")], pruning_method=prune.LnStructured, amount=1, n=2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import torch.nn.utils.prune as prune
    m = nn.Linear(2,2); print(prune.l1_unstructured(m, "weight", 7))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    @torch.no_grad
    def f(x): return (x*2).requires_grad
    @torch.enable_grad
    def g(x): return (x*2).requires_grad
    x = torch.ones(1, requires_grad=True)
    print(f(x), g(x))
    class A:
        @torch.no_grad
        def h(self, x): return (x*2).requires_grad
    print(A().h(x))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    l1=nn.Linear(2,2); l2=nn.Linear(2,1)
    o=torch.optim.SGD([*l1.parameters(),*l2.parameters()],0.1)
    L = l2(l1(torch.ones(1,2))).sum(); L.backward(retain_graph=True); o.step()
    print(L.backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.ModuleDict([['a', nn.ReLU()], ('b', nn.Tanh())]))
    print(nn.ModuleDict(modules={'q': nn.ReLU()}), nn.ModuleDict(nn.ModuleDict({'q': nn.ReLU()})))
    for a in ([['a']], 3, [['a', nn.ReLU()], 4], [['a', 3]], {'a': 3}, [[3, nn.ReLU()]],'ab'):
        try: print(nn.ModuleDict(a))
        except Exception as e: print(type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    m = nn.Linear(1, 1); h = m.register_forward_hook(print); print(m.register_forward_pre_hook(print).id - h.id)
    m.register_forward_hook(len, prepend=True); print(list(m._forward_hooks.values()) == [len, print])
    m.register_backward_hook(print)
    print(m.register_full_backward_hook(print))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    m = nn.Sequential(nn.Linear(2,3), nn.ReLU(), nn.Linear(3,1))
    def hook(mod, gi, go): print(type(mod).__name__, [None if g is None else tuple(g.shape) for g in gi], [tuple(g.shape) for g in go])
    for l in m: l.register_backward_hook(hook)
    m(torch.ones(4,2)).sum().backward()
    h = m[1].register_backward_hook(hook); h.remove(); print(len(m[1]._backward_hooks))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1.,2.], requires_grad=True); b = torch.ones(2, requires_grad=True)
    y = a*b; z = y.exp()
    h = y.grad_fn.register_hook(lambda gi, go: print("hook", gi, go))
    z.grad_fn.register_hook(lambda gi, go: print("exp", len(gi), len(go)))
    z.sum().backward(retain_graph=True); print(a.grad, b.grad)
    h.remove(); y.grad_fn.register_prehook(lambda go: (go[0]*2,))
    z.sum().backward(); print(a.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(0)
    def t(name, f, shape):
        x = torch.randn(shape, requires_grad=True); w = torch.ones(1, requires_grad=True)
        y = f(x)
        g, = torch.autograd.grad((w*2*y).sum(), x, create_graph=True)
        try: r, = torch.autograd.grad(g.sum(), x, retain_graph=True); r = r.abs().sum().item() == 0
        except RuntimeError as e: r = str(e)[:50]
        try: (g**2).sum().backward(); q = x.grad is None
        except RuntimeError as e: q = str(e)[:50]
        print(name, r, q)
    for n in 'relu leaky_relu relu6 hardtanh hardshrink softshrink elu celu selu softsign hardsigmoid hardswish logsigmoid tanhshrink mish silu gelu tanh sigmoid softplus rrelu'.split(): t(n, getattr(F, n), (4,))
    t('threshold', lambda x: F.threshold(x, .1, 2.), (4,)); t('prelu', lambda x: F.prelu(x, torch.tensor([.2])), (4,))
    for n, s in (('1d',(1,2,6)),('2d',(1,2,6,6)),('3d',(1,2,6,6,6))):
        for k in ('avg_pool','max_pool','lp_pool'):
            if k == 'lp_pool' and n == '3d': continue
            t(k+n, lambda x: getattr(F,k+n)(x, *((2,2) if k == 'lp_pool' else (2,))), s)
        for k in ('adaptive_avg_pool','adaptive_max_pool'):
            t(k+n, lambda x: getattr(F,k+n)(x, 2), s); t(k+n+'.1', lambda x: getattr(F,k+n)(x, 1), s)
        for m in ('reflect','replicate','circular','constant'): t(m+n, lambda x: F.pad(x, (1,1)*(len(s)-2), mode=m), s)
    t('nll', lambda x: F.nll_loss(x, torch.tensor([0,1]), reduction='none'), (2,3)); t('nllm', lambda x: F.nll_loss(x, torch.tensor([0,1])), (2,3))
    t('nll2', lambda x: F.nll_loss(x, torch.zeros(2,4,4).long()), (2,3,4,4)); t('ce', lambda x: F.cross_entropy(x, torch.tensor([0,1])), (2,3))
    t('rnn', lambda x: torch.nn.RNN(2,3,nonlinearity='relu')(x)[0], (4,1,2)); t('rnnt', lambda x: torch.nn.RNN(2,3)(x)[0], (4,1,2))
    t('glu', F.glu, (4,)); t('up', lambda x: F.interpolate(x, scale_factor=2, mode='bilinear'), (1,1,2,2)); t('drop', lambda x: F.dropout(x, .5), (4,))
    t('hinge', lambda x: F.hinge_embedding_loss(x, torch.tensor([1,-1,1,-1])), (4,)); t('sl1', lambda x: F.smooth_l1_loss(x, torch.zeros(4)), (4,)); t('hub', lambda x: F.huber_loss(x, torch.zeros(4)), (4,)); t('l1', lambda x: F.l1_loss(x, torch.zeros(4)), (4,))
    t('me', lambda x: F.margin_ranking_loss(x, torch.zeros(4), torch.ones(4)), (4,)); t('bce', lambda x: F.binary_cross_entropy_with_logits(x, torch.zeros(4)), (4,)); t('pois', lambda x: F.poisson_nll_loss(x, torch.zeros(4)), (4,)); t('kl', lambda x: F.kl_div(x, torch.ones(4), reduction='sum'), (4,))
    t('conv', lambda x: F.conv2d(x, torch.ones(1,1,2,2)), (1,1,4,4)); t('mh', lambda x: torch.nn.functional.scaled_dot_product_attention(x,x,x), (1,4,2))
    t('emb', lambda x: F.embedding(torch.tensor([0,1]), x), (4,2)); t('bn', lambda x: F.batch_norm(x, torch.zeros(3), torch.ones(3)), (2,3)); t('ln', lambda x: F.layer_norm(x, (3,)), (2,3))
    for n in 'sort cumsum cumprod prod var median max min amax logsumexp cummax'.split():
        t(n, lambda x: (lambda r: r if isinstance(r, torch.Tensor) else r[0])(getattr(torch, n)(x, 0)), (4,))
    for n in 'abs sign floor ceil round frac trunc exp log1p sqrt square sin cos erf sinc nan_to_num relu_ clamp_min deg2rad lgamma digamma i0 expm1 reciprocal'.split():
        t(n, lambda x: getattr(x*1, n)(*((0,) if n == 'clamp_min' else ())), (4,))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    m = nn.MultiheadAttention(4,2,batch_first=True); x = torch.ones(2,3,4)
    def t(**k):
        try: print(m(x,x,x,**k)[0].shape)
        except Exception as e: print(type(e).__name__, e)
    t(attn_mask=torch.ones(2,2)); t(attn_mask=torch.ones(3,3,3)); t(attn_mask=torch.zeros(4,3,3)); t(attn_mask=torch.zeros(2,3,3)); t(attn_mask=torch.zeros(3)); t(attn_mask=torch.zeros(3,3).long())
    t(key_padding_mask=torch.zeros(2,2).bool()); t(key_padding_mask=torch.zeros(1,3).bool()); t(key_padding_mask=torch.zeros(3).bool()); t(key_padding_mask=torch.zeros(2,3)); t(key_padding_mask=torch.zeros(2,3).long())
    t(is_causal=True); t(is_causal=True, attn_mask=torch.zeros(3,3))
    m = nn.MultiheadAttention(4,2); 
    t(key_padding_mask=torch.zeros(2,3).bool()); t(key_padding_mask=torch.zeros(3,2).bool())
    x = torch.ones(3,4); t(); t(key_padding_mask=torch.zeros(3).bool()); t(key_padding_mask=torch.zeros(1,3).bool()); t(attn_mask=torch.zeros(2,3,3)); t(attn_mask=torch.zeros(3,3,3))
    x = torch.ones(3,5); t()
    x = torch.ones(1,1,3,4); print(t())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class M(nn.Module):
        def __init__(self, p):
            super().__init__(); self.dropout = p; self.w = None; self.fc = nn.Linear(1,1); self.dropout = nn.Dropout(self.dropout); self.b = nn.Parameter(torch.ones(1)); self.w = nn.Parameter(torch.ones(1))
    m = M(.5); print(m, [n for n, _ in m.named_parameters()], list(m.state_dict()))
    m.fc = nn.Linear(2, 1); print(m)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    x = torch.tensor([[0.,0.]], requires_grad=True); torch.cdist(x, torch.tensor([[1.,1.]]), p=float('inf')).sum().backward(); print(x.grad)
    x = torch.tensor([[0.,0.], [1., 1.]], requires_grad=True); F.pdist(x, p=float('inf')).sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.func import vmap
    Y = torch.arange(15.).reshape(3,5)+1
    def t(name, f, *a, **k):
        try: r = vmap(f, **k)(*a); print(name, r.shape)
        except Exception as e: print(name, type(e).__name__, str(e))
    for n in 'add_ sub_ mul_ div_ pow_ remainder_ fmod_ atan2_ copy_ eq_ lt_ logical_and_ xlogy_ hypot_ copysign_ float_power_ bitwise_and_ gcd_ clamp_ clamp_max_ heaviside_ ldexp_'.split():
        whole = n in ('bitwise_and_','gcd_')
        t(n, lambda y: getattr(torch.zeros(5).long() if whole else torch.zeros(5), n)(y.long() if whole else y), Y)
    i = torch.tensor([0])
    for n, f in {'lerp_': lambda z, y: z.lerp_(y, .5), 'addcmul_': lambda z, y: z.addcmul_(torch.ones(5), y), 'masked_fill_': lambda z, y: z.masked_fill_(y>2, 1.), 'value': lambda z, y: z.masked_fill_(torch.ones(5)>2, y[0]), 'fill_': lambda z, y: z.fill_(y[0]), 'index_add_': lambda z, y: z.index_add_(0, i, y[:1]), 'index_copy_': lambda z, y: z.index_copy_(0, i, y[:1]), 'index_fill_': lambda z, y: z.index_fill_(0, i, y[0]), 'index_put_': lambda z, y: z.index_put_((i,), y[:1]), 'scatter_': lambda z, y: z.scatter_(0, i, y[:1]), 'scatter_add_': lambda z, y: z.scatter_add_(0, i, y[:1]), '[0]=': lambda z, y: z.__setitem__(0, y[0]), '[:2]=': lambda z, y: z.__setitem__(slice(0, 2), y[:2]), '[list]=': lambda z, y: z.__setitem__([0, 1], y[:2]), '[mask]=': lambda z, y: z.__setitem__(z<1, y[0]), '[y]=': lambda z, y: z.__setitem__((y[0]/8).long(), 1.), '+=': lambda z, y: z.__iadd__(y), '*=': lambda z, y: z.__imul__(y[0]), 'view': lambda z, y: z[:3].add_(y[0]), 'out': lambda z, y: torch.exp(y, out=z), 'clone': lambda z, y: z.clone().add_(y), 'arithmetic': lambda z, y: (z*2).add_(y), 'diag': lambda z, y: torch.diag_embed(z).add_(y)}.items():
        t(n, lambda y: f(torch.zeros(5), y), Y)
    t('given', lambda x,y: x.add_(y), torch.ones(1), torch.arange(3.).reshape(3,1), in_dims=(None,0))
    t('given', lambda x,y: x.mul_(y), torch.ones(1), torch.arange(3.).reshape(3,1), in_dims=(None,0))
    t('new_zeros', lambda y: y.new_zeros(5).add_(y), Y)
    t('zeros_like', lambda y: torch.zeros_like(y).add_(y), Y)
    t('own draws', lambda y: torch.rand(5).add_(y), Y, randomness='different')
    t('same draws', lambda y: torch.rand(5).add_(y), Y, randomness='same')
    t('branch', lambda y: y if torch.zeros(5).sum() > 0 else y+torch.ones(1).item(), Y)
    print(t('level 2', lambda z: vmap(lambda y: torch.zeros(5).pow_(y))(z), torch.ones(2,3,5)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    everywhere = nn.modules.module
    a = everywhere.register_module_forward_hook(lambda m,i,o: print("gf", type(m).__name__))
    b = everywhere.register_module_forward_pre_hook(lambda m,i: print("gp", type(m).__name__))
    c = everywhere.register_module_full_backward_hook(lambda m,gi,go: print("gb", type(m).__name__, [tuple(g.shape) for g in go]))
    n = nn.Sequential(nn.Linear(2,2), nn.Tanh())
    n[0].register_forward_hook(lambda m,i,o: print("own"))
    n(torch.ones(1,2)).sum().backward()
    print(b.id - a.id, c.id - b.id)
    try: everywhere.register_module_backward_hook(print)
    except Exception as e: print(type(e).__name__, e)
    a.remove(); b.remove(); c.remove(); n(torch.ones(1,2))
    h = everywhere.register_module_forward_hook(lambda m,i,o: o*2 if isinstance(m, nn.ReLU) else None)
    print(nn.ReLU()(torch.ones(1))); h.remove(); print(nn.ReLU()(torch.ones(1)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = nn.Sequential(nn.ReLU(), None); print(s, list(s.children()), list(s.modules()), s[1], len(s))
    print(nn.ModuleList([None]), nn.ModuleDict({'a': None}), len(nn.ModuleList([None, nn.ReLU()])), list(nn.ModuleDict({'a': None}).items()))
    m = nn.Module(); m.add_module('b', None); print(m, list(m.children()), len(list(m.modules())), m.b, m._modules)
    m.a = nn.ReLU(); m.b = nn.Tanh(); print(m); m.a = None; print(m)
    print(s(torch.ones(1)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    h = (x*2).register_hook(print); k = nn.ReLU().register_forward_hook(print); print(k.id - h.id, str(h).split(' at ')[0])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.Linear(2,2).to(0))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    c = torch.tensor([[1.,2.],[3.,4.]]); print(torch.Tensor(c.storage()), torch.tensor(c.storage()), c.storage().tolist())
    torch.Tensor(c[1:].storage())[0] = 9; print(c)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    l = nn.Linear(4,4); a = torch.ones(2,3,4)
    for q in (a, a.transpose(0,1), a[:,:2], torch.ones(2,2,3,4).transpose(0,1), torch.ones(3,4), torch.ones(4,3).t(), torch.ones(2,4,4).transpose(1,2)): print(l(q).grad_fn.name(), F.linear(q, l.weight).grad_fn.name())
    q = a.transpose(0,1).clone(memory_format=torch.preserve_format).requires_grad_(); nn.init.ones_(l.weight); l(q).sum().backward(); print(q.grad, l.weight.grad, l.bias.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def n(**o): return nn.LSTM(2,2,**o)(torch.ones(3,1,2))[0].grad_fn.name()
    print(n(), n(num_layers=2), n(bias=False), n(batch_first=True), n(bidirectional=True), n(num_layers=2, dropout=.5), n(proj_size=1), nn.LSTM(2,2)(torch.ones(3,2))[0].grad_fn.name(), nn.GRU(2,2)(torch.ones(3,1,2))[0].grad_fn.name())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.logit(torch.tensor([.3]), 1.), torch.logit(torch.tensor([.3,.5,.9]), .6), torch.logit(torch.tensor([.05,.5,.97]), .1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = torch.arange(9.).reshape(3,3)/9
    for e in ['torch.adaptive_max_pool1d(z[None],1)','F.adaptive_max_pool2d_with_indices(z[None],1)[1]','F.max_pool2d_with_indices(z[None],2)[1]','F.max_pool1d_with_indices(z[None],2)[1]','F.upsample_bilinear(z[None,None],scale_factor=2).sum()','F.upsample_nearest(z[None,None],scale_factor=2).sum()','torch.binary_cross_entropy_with_logits(z,z,reduction=1)','torch.kl_div(z+1,z+1)','torch.hinge_embedding_loss(z,z*0+1, reduction=2)','torch.fill(z,2.)','torch.constant_pad_nd(z,(1,1))','torch.dsmm(z,z)','torch.spmm(z,z)','torch.nuclear_norm(torch.eye(2))','torch.frobenius_norm(torch.eye(2),[0,1])','torch.unsafe_split(z,1)[0]','torch.unsafe_chunk(z,3)[0]','torch.t_copy(z)','torch.view_copy(z,(9,))','torch.permute_copy(z,(1,0))','torch.expand_copy(z,(2,3,3)).shape','torch.select_copy(z,0,1)','torch.slice_copy(z,0,0,2)','torch.squeeze_copy(z[None])','torch.unsqueeze_copy(z,0).shape','torch.transpose_copy(z,0,1)','torch.diagonal_copy(z)','torch.unbind_copy(z)[0]','torch.split_copy(z,1)[0]','torch.detach_copy(z)','torch.alias_copy(z)','torch.unfold_copy(z,0,2,1).shape','torch.as_strided_copy(z,(2,),(1,))','torch.from_dlpack(z)']: print(e, eval(e))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    x = torch.ones(3,3,requires_grad=True); i = torch.tensor([[0,1,2]])
    for e in 'x.softmax(0) x.softmax(-1) torch.log_softmax(x,1) x.mean(1) x.mean((0,-1),True) x.sum(-1) x.sum(0,keepdim=True) x.max(1)[0] x.min(-1,keepdim=True)[0] x.prod(1) x.cumsum(0) x.cumprod(-1) x.logcumsumexp(0) x.logsumexp(1) x.amax(1) x.amin() x.sort()[0] x.sort(0)[0] x.topk(2)[0] x.gather(-1,i) x.index_select(0,i[0]) x.unsqueeze(-1) x.transpose(0,-1) x.permute(1,0) torch.cat([x,x],-1) torch.stack([x,x]) x.flip(0) x.flip([0,-1]) x.repeat(2,1) x.median(1)[0] x.kthvalue(1)[0] x.mode()[0] x.cummax(0)[0] F.softmax(x,dim=1)'.split():
        n = eval(e).grad_fn; print(e, n.name(), [(a, getattr(n, '_saved_' + a)) for a in 'dim keepdim dims dim0 dim1 repeats'.split() if hasattr(n, '_saved_' + a)])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
