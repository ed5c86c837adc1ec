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
    a = torch.tensor([1., 2.]); torch.testing.assert_close(a, a + 1e-9)
    for f in (lambda: torch.testing.assert_close(a, torch.tensor([1., 3.])), lambda: torch.testing.assert_close(torch.ones(2), torch.ones(3)), lambda: torch.testing.assert_close(torch.ones(2), torch.ones(2, dtype=torch.int64)), lambda: torch.testing.assert_close(1., 2.), lambda: torch.testing.assert_close([a, 1], [a, 2]), lambda: torch.testing.assert_close({"a": a}, {"a": a + 1}), lambda: torch.testing.assert_close(torch.tensor([1, 2]), torch.tensor([1, 4])), lambda: torch.testing.assert_close(a, a + 1, msg="hi"), lambda: torch.testing.assert_close(torch.tensor(1.), torch.tensor(2.)), lambda: torch.testing.assert_close(a, a + 1, rtol=0.1, atol=0.2), lambda: torch.testing.assert_close(a, a, rtol=0.1), lambda: torch.testing.assert_close([1], [1, 2]), lambda: torch.testing.assert_close({"a": 1}, {"b": 1}), lambda: torch.testing.assert_close(torch.tensor([float("nan")]), torch.tensor([float("nan")])), lambda: torch.testing.assert_close(torch.ones(2, 2), torch.tensor([[1., 2.], [3., 1.]])), lambda: torch.testing.assert_close(1, 1.), lambda: torch.testing.assert_close(True, False), lambda: torch.testing.assert_close(torch.tensor([True]), torch.tensor([False]))):
        try: f()
        except Exception as e: print(type(e).__name__, e)
    torch.testing.assert_close(np.ones(2), np.ones(2)); torch.testing.assert_close(torch.tensor([float("nan")]), torch.tensor([float("nan")]), equal_nan=True); print(torch.testing.assert_close([1., a], [1., a]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import torch.autograd.forward_ad as fwAD
    t = torch.tensor([1., 0.5, 2.])
    with fwAD.dual_level():
        d = fwAD.make_dual(x.detach(), t); y = d ** 2
        p, tg = fwAD.unpack_dual(y)
        print(p, tg, fwAD.unpack_dual(y).tangent, fwAD.unpack_dual(torch.ones(2)), fwAD.unpack_dual(d), fwAD.unpack_dual(torch.sin(d).sum()))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import torch.autograd.forward_ad as fwAD
    with fwAD.dual_level():
        y = torch.sin(fwAD.make_dual(x, torch.ones(3))); tg = fwAD.unpack_dual(y).tangent
        tg.sum().backward(); print(tg.detach(), x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import torch.autograd.forward_ad as fwAD
    l = nn.Linear(3, 2); params = dict(l.named_parameters()); tangents = {n: torch.ones_like(p) for n, p in params.items()}
    with fwAD.dual_level():
        for n, p in params.items(): delattr(l, n); setattr(l, n, fwAD.make_dual(p, tangents[n]))
        print(fwAD.unpack_dual(l(torch.ones(3))).tangent.detach())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import torch.autograd.forward_ad as fwAD; print(fwAD.make_dual(x, x))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import torch.autograd.forward_ad as fwAD
    with fwAD.dual_level():
        fwAD.enter_dual_level()
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.optim.swa_utils import AveragedModel, SWALR, update_bn, get_ema_multi_avg_fn, get_ema_avg_fn
    torch.manual_seed(0); m = nn.Linear(2, 1); o = optim.SGD(m.parameters(), lr=0.1); s = AveragedModel(m); e = AveragedModel(m, multi_avg_fn=get_ema_multi_avg_fn(0.9)); g = AveragedModel(m, avg_fn=get_ema_avg_fn(0.5)); sc = SWALR(o, swa_lr=0.05, anneal_epochs=3)
    for _ in range(5): o.zero_grad(); m(torch.ones(1, 2)).sum().backward(); o.step(); s.update_parameters(m); e.update_parameters(m); g.update_parameters(m); sc.step(); print(round(o.param_groups[0]["lr"], 6), sc.get_last_lr() == [o.param_groups[0]["lr"]])
    print(s.n_averaged, type(s).__name__, s(torch.ones(1, 2)).shape, [n for n, _ in s.named_parameters()], list(s.state_dict()), s.module.weight, e.module.weight, g.module.bias, s)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.optim.swa_utils import update_bn
    torch.manual_seed(0); m = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3)); update_bn([torch.randn(4, 2), (torch.randn(4, 2), 1)], m); print(m[1].running_mean, m[1].running_var, m[1].num_batches_tracked, m[1].momentum, m.training)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.optim.swa_utils import SWALR; print(SWALR(optim.SGD([x], lr=1.), 0.1, anneal_strategy="no"))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.nn.utils import parametrize
    class Sym(nn.Module):
        def forward(self, X): return X.triu() + X.triu(1).transpose(-1, -2)
    l = nn.Linear(3, 3); parametrize.register_parametrization(l, "weight", Sym())
    print(l, torch.equal(l.weight, l.weight.T), [n for n, _ in l.named_parameters()], parametrize.is_parametrized(l), parametrize.is_parametrized(l, "bias"), l.parametrizations.weight[0], isinstance(l, nn.Linear), list(l.state_dict()))
    l(torch.ones(3)).sum().backward(); print(l.parametrizations.weight.original.grad)
    with parametrize.cached(): print(l.weight is l.weight)
    parametrize.remove_parametrizations(l, "weight"); print(l, type(l.weight).__name__, torch.equal(l.weight, l.weight.T), [n for n, _ in l.named_parameters()])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.nn.utils import parametrize
    class Double(nn.Module):
        def forward(self, X): return 2 * X
        def right_inverse(self, Y): return Y / 2
    class Exp(nn.Module):
        def forward(self, X): return X + 1
        def right_inverse(self, Y): return Y - 1
    l = nn.Linear(2, 1, bias=False); w = l.weight.detach().clone()
    parametrize.register_parametrization(l, "weight", Double()); print(torch.allclose(l.weight, w), torch.allclose(l.parametrizations.weight.original, w / 2))
    parametrize.register_parametrization(l, "weight", Exp()); print(torch.allclose(l.weight, w), l)
    l.weight = torch.tensor([[3., 4.]]); print(l.weight.detach(), l.parametrizations["weight"].original)
    parametrize.remove_parametrizations(l, "weight", leave_parametrized=False); print(l.weight)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.nn.utils import parametrize; print(parametrize.register_parametrization(nn.Linear(1, 1), "no", nn.ReLU()))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.nn.utils.parametrizations import weight_norm, orthogonal, spectral_norm
    torch.manual_seed(0); l = weight_norm(nn.Linear(3, 2)); print(l, [(n, p) for n, p in l.named_parameters()], l.weight.detach()); l(torch.ones(3)).sum().backward(); print(l.parametrizations.weight.original0.grad, l.parametrizations.weight.original1.grad)
    torch.manual_seed(0); l = spectral_norm(nn.Linear(3, 2)); print([n for n, _ in l.named_parameters()], list(l.state_dict()), l.weight.shape, round(torch.linalg.matrix_norm(l.weight, 2).item(), 3))
    torch.manual_seed(0); l = orthogonal(nn.Linear(3, 3)); print([n for n, _ in l.named_parameters()], torch.allclose(l.weight @ l.weight.T, torch.eye(3), atol=1e-5), l)
    l = orthogonal(nn.Linear(3, 3), orthogonal_map="cayley"); print(torch.allclose(l.weight @ l.weight.T, torch.eye(3), atol=1e-5))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import torch.nn.utils.prune as prune
    torch.manual_seed(0); m = nn.Linear(3, 2); prune.l1_unstructured(m, "weight", amount=0.5); print(m.weight, list(m.named_buffers()), [n for n, _ in m.named_parameters()], len(m._forward_pre_hooks), prune.is_pruned(m))
    m(torch.ones(3)).sum().backward(); print(m.weight_orig.grad); prune.random_unstructured(m, "bias", amount=1); print(m.bias)
    prune.ln_structured(m, "weight", amount=1, n=2, dim=0); print(m.weight_mask); prune.remove(m, "weight"); print(m.weight, list(m.state_dict()), type(m.weight).__name__)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import torch.nn.utils.prune as prune
    torch.manual_seed(0); m = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2)); prune.global_unstructured([(m[0], "weight"), (m[1], "weight")], pruning_method=prune.L1Unstructured, amount=3); print(m[0].weight_mask, m[1].weight_mask)
    prune.custom_from_mask(m[0], "bias", torch.tensor([0., 1.])); print(m[0].bias)
    prune.random_structured(m[1], "bias", 1, 0); print((m[1].bias == 0).sum())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import torch.nn.utils.prune as prune; print(prune.l1_unstructured(nn.Linear(2, 2), "weight", amount=1.5))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import torch.nn.utils.prune as prune; print(prune.remove(nn.Linear(2, 2), "weight"))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.AdaptiveMaxPool2d((2, None))(torch.arange(24.).reshape(1, 4, 6)), nn.AdaptiveAvgPool2d((None, 3))(torch.ones(1, 4, 6)).shape, nn.AdaptiveMaxPool2d((2, None)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(0); m = nn.MultiheadAttention(4, 2, add_bias_kv=True, add_zero_attn=True); q = torch.randn(3, 2, 4); o, w = m(q, q, q); print((100 * o).round(), w.shape, [(n, p.shape) for n, p in m.named_parameters()])
    o, w = m(q, q, q, attn_mask=torch.triu(torch.ones(3, 3, dtype=torch.bool), 1), need_weights=False); print((100 * o).round())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(0); m = nn.AdaptiveLogSoftmaxWithLoss(4, 10, cutoffs=[3, 6], div_value=2.0); q = torch.randn(5, 4); r = m(q, torch.tensor([0, 4, 9, 2, 6])); print(r.output.shape, (1000 * r.output).round(), r.loss.shape, m, m.predict(q), m.log_prob(q).exp().sum(1).round()); r.loss.backward(); print(m.head.weight.grad.shape)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.AdaptiveLogSoftmaxWithLoss(4, 10, cutoffs=[6, 3]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(0); m = nn.FractionalMaxPool2d(2, output_size=(3, 3)); print(m, m(torch.arange(64.).reshape(1, 1, 8, 8))); m = nn.FractionalMaxPool2d(3, output_ratio=(0.5, 0.5), return_indices=True); print(m(torch.arange(64.).reshape(1, 8, 8)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch._foreach_add([torch.ones(2), torch.zeros(1)], 1), torch._foreach_mul([torch.ones(2)], [torch.full((2,), 3.)]), torch._foreach_norm([torch.ones(4)])); a = [torch.ones(2)]; torch._foreach_mul_(a, 4.); print(a, torch._foreach_sqrt(a), torch._foreach_lerp(a, [torch.zeros(2)], 0.5)); torch._foreach_zero_(a); print(a)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    w = torch.ones(3, 2, requires_grad=True); b = torch.ones(2, requires_grad=True); o = optim.Adafactor([w, b], lr=0.1, weight_decay=0.01)
    for _ in range(3): o.zero_grad(); ((w * torch.arange(6.).reshape(3, 2)).sum() + (b * b).sum()).backward(); o.step()
    print(w, b, list(o.state[w]), list(o.state[b]), o)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    w = torch.ones(3, 2, requires_grad=True); o = optim.Muon([w], lr=0.1)
    for _ in range(2): o.zero_grad(); (w * torch.arange(6.).reshape(3, 2)).sum().backward(); o.step()
    print(w)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(optim.Muon([x]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(0); a = torch.randn(6, 4); u, s, v = torch.pca_lowrank(a, q=2); print(s, u.shape, v.shape, torch.svd_lowrank(a, q=2)[1], torch.svd_lowrank(a.T, q=3)[0].shape)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.pca_lowrank(torch.ones(2, 2), q=3))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    l = nn.Linear(2, 2); h = l.register_forward_hook(lambda m, i, o: None); print(len(l._forward_hooks), len(l._forward_pre_hooks), len(l._backward_hooks)); h.remove(); print(len(l._forward_hooks))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for f in (lambda: nn.Module().register_buffer("a.b", torch.ones(1)), lambda: nn.Module().register_buffer("", torch.ones(1)), lambda: nn.Module().register_buffer("forward", torch.ones(1)), lambda: nn.Module().register_buffer("x", 3), lambda: nn.Module().register_buffer(3, torch.ones(1)), lambda: nn.Module().register_parameter("a.b", None), lambda: nn.Module().add_module("a.b", nn.ReLU()), lambda: nn.Module().register_module("", nn.ReLU()), lambda: nn.Module().register_parameter("", None)):
        try: f()
        except Exception as e: print(type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    l = nn.ReLU(); s = nn.Sequential(l, l, nn.Sequential(nn.Tanh())); print([n for n, _ in s.named_modules(prefix="net")], [n for n, _ in s.named_modules(remove_duplicate=False)], [n for n, _ in s.named_children()])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    l = nn.Linear(1, 1, bias=False)
    l.register_forward_hook(lambda m, i, o: print("a")); l.register_forward_hook(lambda m, i, o: print("b"), prepend=True)
    l.register_forward_hook(lambda m, i, k, o: print("kw", k), with_kwargs=True); l.register_forward_pre_hook(lambda m, i, k: print("pre", k), with_kwargs=True)
    l.register_full_backward_hook(lambda m, gi, go: print("c")); l.register_full_backward_hook(lambda m, gi, go: print("d"), prepend=True)
    l(torch.ones(1, requires_grad=True)).sum().backward(); l(input=torch.ones(1))
    class E(nn.Module):
        def forward(self, x): raise ValueError("no")
    e = E(); e.register_forward_hook(lambda m, i, o: print("always", o), always_call=True); e.register_forward_hook(lambda m, i, o: print("never")); print(e(1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.accelerator.is_available())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.profiler import record_function
    with record_function("model"): y = torch.ones(2) + 1
    print(y); torch.jit.is_scripting()
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
