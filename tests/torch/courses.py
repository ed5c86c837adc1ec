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
    class Triple(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            ctx.r = 3
            return x * 2
        @staticmethod
        def backward(ctx, g):
            r = ctx.r
            del ctx.r
            return g * r
    y = Triple.apply(x)
    for n in ('r', 'saved_tensors', 'needs_input_grad', 'nope'):
        print(getattr(y.grad_fn, n, 'none'))
    y.grad_fn.r = 5
    y.grad_fn.metadata['a'] = 1
    print(y.grad_fn.metadata, (x * 2).grad_fn.metadata)
    y.sum().backward()
    print(x.grad, hasattr(y.grad_fn, 'r'))
    try:
        print(y.grad_fn.saved_tensors)
    except RuntimeError as e:
        print(e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.k = 7
            ctx.save_for_backward(x)
            return x * 2, x * 3
        @staticmethod
        def backward(ctx, g, h):
            return g * 2 + h * 3
    a, b = Two.apply(x)
    print(a.grad_fn.k, b.grad_fn.k, b.grad_fn.saved_tensors, a.grad_fn is b.grad_fn)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print([k for k in dir((x ** 2).grad_fn) if k.startswith('_saved')], [k for k in dir((x @ x).grad_fn) if '_saved' in k])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    s = nn.Linear(1, 1); n = nn.Sequential(s, s)
    print([k for k, _ in n.named_parameters(remove_duplicate=False)], [k for k, _ in n.named_parameters()])
    b = nn.BatchNorm1d(1, affine=False); t = nn.Sequential(b, nn.Sequential(b))
    print([k for k, _ in t.named_buffers(remove_duplicate=False)], [k for k, _ in t.named_buffers('p', True, False)], [k for k, _ in t.named_modules(remove_duplicate=False)])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for size in [(2, 3), (2, 2), (4,), (6,)]:
        a = torch.arange(6.)
        print(a.resize_(size), a.resize_as_(torch.ones(2, 1)))
    print(torch.ones(2, requires_grad=True).resize_(3))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1., 2.])
    print(a.apply_(lambda v: v * 2), a.map_(torch.tensor([3., 4.]), lambda p, q: p + q), a, a.__array__(), torch.arange(3).apply_(lambda v: v + 1))
    print(x.apply_(abs))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(x.map_(x, lambda a, b: a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.nn.attention import SDPBackend, sdpa_kernel
    q = torch.ones(1, 1, 2, 2)
    with sdpa_kernel([SDPBackend.MATH, SDPBackend.FLASH_ATTENTION]):
        print(F.scaled_dot_product_attention(q, q, q), SDPBackend.MATH)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(1); state = torch.get_rng_state()
    print(nn.utils.skip_init(nn.Linear, 2, 3), torch.equal(state, torch.get_rng_state()), torch.utils.data.get_worker_info())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.optim.lr_scheduler.ReduceLROnPlateau(torch.optim.SGD([torch.ones(1)], lr=.1)).state_dict())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.utils import _pytree as pytree
    leaves, spec = pytree.tree_flatten({'a': 1, 'b': [2, (3,)]})
    print(leaves, pytree.tree_unflatten([5, 6, 7], spec), pytree.tree_map(lambda v: v * 2, {'a': 1, 'b': [2, 3]}), pytree.tree_leaves([1, [2], None]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.conv2d(torch.ones(1, 1, 3, 3).long(), torch.ones(1, 1, 2, 2, dtype=torch.float32)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.conv1d(torch.ones(1, 1, 3, dtype=torch.float64), torch.ones(1, 1, 2, dtype=torch.float32)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.func.functional_call(nn.Linear(1, 1), {'nope': torch.ones(1)}, (torch.ones(1),), strict=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.nn.utils import stateless
    print(stateless.functional_call(nn.Linear(1, 1), {'weight': torch.ones(1, 1), 'bias': torch.ones(1)}, (torch.ones(1, 1),)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.max(torch.tensor([1, 5, 3]), torch.tensor(2)), torch.min(m, torch.tensor(3)), torch.max(m, 1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    net = nn.Linear(2, 2, dtype=torch.float32)
    with torch.no_grad():
        net.weight.fill_(.3); net.bias.fill_(.1)
    z = torch.tensor([[1., 2.]], dtype=torch.float32)
    with torch.autocast('cpu', dtype=torch.bfloat16):
        print(torch.is_autocast_enabled('cpu'), torch.get_autocast_dtype('cpu'))
        y = net(z)
        print(y, (y + z).dtype, y.softmax(1).dtype, F.mse_loss(y, z).dtype, torch.cat([y, z]).dtype, F.cross_entropy(y, torch.tensor([0])).dtype, (z @ z.t()).dtype, (z * z).dtype, torch.dot(z[0], z[0]).dtype, y.prod().dtype, y.log_softmax(1).dtype)
        with torch.autocast('cpu', enabled=False):
            print(net(z).dtype)
    print(torch.is_autocast_enabled('cpu'), net(z).dtype)
    y.sum().backward()
    print(net.weight.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    @torch.autocast('cpu')
    def f(v):
        return (v @ v.t()).dtype
    print(f(m.float()), (m.float() @ m.float().t()).dtype)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    w = torch.tensor([1., 2.], requires_grad=True)
    o = torch.optim.SGD([w], lr=.5); s = torch.amp.GradScaler('cpu', init_scale=4.)
    for k in range(2):
        o.zero_grad()
        s.scale((w ** 2).sum()).backward()
        print(w.grad, s.scale(torch.ones(1)))
        s.step(o); s.update()
    s.scale(w.sum() * float('inf')).backward(); s.unscale_(o); s.step(o); s.update()
    print(w, s.get_scale(), s.state_dict())
    print(s.update())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    i = torch.tensor([[0, 1, 1], [2, 0, 2]]); s = torch.sparse_coo_tensor(i, torch.tensor([3., 4., 5.]), (2, 3))
    print(s, s.to_dense(), s.shape, s.is_sparse, s.layout, s._nnz(), s.is_coalesced(), isinstance(s, torch.Tensor))
    print(s.coalesce(), s.coalesce().indices(), s.coalesce().values(), torch.sparse.mm(s, torch.eye(3)), s @ torch.ones(3, 2), torch.eye(2).to_sparse())
    print(s.t(), (s * 2).to_dense(), torch.sparse.sum(s), torch.sparse.sum(s, 1), s + s, torch.sparse.softmax(s, 1))
    print(torch.sparse_coo_tensor(torch.tensor([[0, 0], [1, 1]]), torch.tensor([1., 2.]), (2, 2)).coalesce())
    print(s.indices())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    w = torch.ones(3, 2, requires_grad=True); v = torch.tensor([3., 4., 5.], requires_grad=True)
    s = torch.sparse_coo_tensor(torch.tensor([[0, 1, 1], [2, 0, 2]]), v, (2, 3))
    torch.sparse.mm(s, w).pow(2).sum().backward()
    print(w.grad, v.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    D = torch.ones(3, 2)
    for f in (lambda s: s @ D, lambda s: torch.sparse.mm(s, D), lambda s: s.mm(D), lambda s: s @ D[:, 0], lambda s: (s * 2) @ D, lambda s: s.t() @ D[:2], lambda s: s.to_dense(), lambda s: torch.sparse.sum(s)):
        W = torch.tensor([[1., 0., 2.], [0., 0., 3.]], requires_grad=True)
        f(W.to_sparse()).sum().backward()
        print(W.grad.tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import traceback
    try:
        1 / 0
    except ZeroDivisionError:
        traceback.print_exc()
    print(torch.sparse.mm(torch.eye(2).to_sparse(), torch.ones(2, 1)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
