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
    def t(*s): return ((torch.arange(1., 1 + math.prod(s)) ** 2 * 37 % 11).reshape(s) / 7 + 0.3).requires_grad_()
    def brief(v):
        if isinstance(v, torch.Tensor): return f"{tuple(v.shape)}:{v.detach().double().abs().sum().item():.3g}{'g' if v.requires_grad else ''}{'L' if v.is_leaf else ''}"
        if isinstance(v, tuple): return '(' + ', '.join(map(brief, v)) + ')'
        return repr(v)
    def walk(fn, seen):
        if fn is not None and not any(fn is s for s in seen):
            seen.append(fn)
            for n, _ in fn.next_functions: walk(n, seen)
    def show(y):
        seen = []; walk(y.grad_fn, seen)
        for fn in seen:
            if fn.name().endswith('AccumulateGrad'): continue
            kept = ((n, getattr(fn, '_saved_' + n, 'none')) for n in NAMES)
            print(fn.name(), *[f"{n}={brief(v)}" for n, v in kept if not (v is None and n in ('min', 'max', 'weight')) and not isinstance(v, str) and not (n in ('index', 'end') and isinstance(v, int))])
    NAMES = ['self', 'other', 'result', 'exponent', 'mat1', 'mat2', 'vec', 'mat', 'tensor', 'batch1', 'batch2', 'vec1', 'vec2', 'tensor1', 'tensor2', 'end', 'min', 'max', 'condition', 'x1', 'x2', 'target', 'index', 'indices', 'mask', 'input', 'weight', 'bias', 'result1', 'result2', 'total_weight', 'L', 'inverse', 'A', 'self_sym_sizes', 'self_sym_numel', 'negative_slope', 'threshold', 'lambd', 'value']
    x, w, p, A, B, T, T2, W3, k1, I, k2 = t(3), t(3), t(1), t(2, 3), t(3, 3), t(2, 3, 3), t(2, 3, 3), t(2, 3, 3), t(1, 3, 2), t(1, 1, 4, 4), t(1, 1, 2, 2)
    B3, BA, v4 = t(2, 3, 3), t(3, 2), t(4); c, Bc, Ac = t(3).detach(), t(3, 3).detach(), t(2, 3).detach()
    i, j, u = torch.tensor([[0, 1, 0], [1, 0, 0]]), torch.tensor([1, 0]), torch.tensor([0., 1., 1.])
    S = torch.tensor([[2., 1, 0], [1, 3, 1], [0, 1, 4]], requires_grad=True)
    show(x * w)
    show(x * 2.)
    show(2. * x)
    show(x * c)
    show(c * x)
    show(x + w)
    show(x + 2.)
    show(torch.add(x, w, alpha=3))
    show(x - w)
    show(2. - x)
    show(torch.rsub(x, w))
    show(x / w)
    show(x / 2.)
    show(2. / x)
    show(x / c)
    show(-x)
    show(x ** 2)
    show(x ** 2.5)
    show(x ** 1)
    show(x ** w)
    show(2. ** x)
    show(x.pow(c))
    show(x.exp())
    show(x.exp2())
    print(show(x.expm1()))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def t(*s): return ((torch.arange(1., 1 + math.prod(s)) ** 2 * 37 % 11).reshape(s) / 7 + 0.3).requires_grad_()
    def brief(v):
        if isinstance(v, torch.Tensor): return f"{tuple(v.shape)}:{v.detach().double().abs().sum().item():.3g}{'g' if v.requires_grad else ''}{'L' if v.is_leaf else ''}"
        if isinstance(v, tuple): return '(' + ', '.join(map(brief, v)) + ')'
        return repr(v)
    def walk(fn, seen):
        if fn is not None and not any(fn is s for s in seen):
            seen.append(fn)
            for n, _ in fn.next_functions: walk(n, seen)
    def show(y):
        seen = []; walk(y.grad_fn, seen)
        for fn in seen:
            if fn.name().endswith('AccumulateGrad'): continue
            kept = ((n, getattr(fn, '_saved_' + n, 'none')) for n in NAMES)
            print(fn.name(), *[f"{n}={brief(v)}" for n, v in kept if not (v is None and n in ('min', 'max', 'weight')) and not isinstance(v, str) and not (n in ('index', 'end') and isinstance(v, int))])
    NAMES = ['self', 'other', 'result', 'exponent', 'mat1', 'mat2', 'vec', 'mat', 'tensor', 'batch1', 'batch2', 'vec1', 'vec2', 'tensor1', 'tensor2', 'end', 'min', 'max', 'condition', 'x1', 'x2', 'target', 'index', 'indices', 'mask', 'input', 'weight', 'bias', 'result1', 'result2', 'total_weight', 'L', 'inverse', 'A', 'self_sym_sizes', 'self_sym_numel', 'negative_slope', 'threshold', 'lambd', 'value']
    x, w, p, A, B, T, T2, W3, k1, I, k2 = t(3), t(3), t(1), t(2, 3), t(3, 3), t(2, 3, 3), t(2, 3, 3), t(2, 3, 3), t(1, 3, 2), t(1, 1, 4, 4), t(1, 1, 2, 2)
    B3, BA, v4 = t(2, 3, 3), t(3, 2), t(4); c, Bc, Ac = t(3).detach(), t(3, 3).detach(), t(2, 3).detach()
    i, j, u = torch.tensor([[0, 1, 0], [1, 0, 0]]), torch.tensor([1, 0]), torch.tensor([0., 1., 1.])
    S = torch.tensor([[2., 1, 0], [1, 3, 1], [0, 1, 4]], requires_grad=True)
    show(x.log())
    show(x.log2())
    show(x.log10())
    show(x.log1p())
    show(x.sin())
    show(x.cos())
    show(x.tan())
    show(x.asin())
    show(x.acos())
    show(x.atan())
    show(x.sinh())
    show(x.cosh())
    show(x.tanh())
    show(x.sigmoid())
    show(x.sqrt())
    show(x.rsqrt())
    show(x.reciprocal())
    show(x.square())
    show(x.abs())
    show(x.sign())
    show(x.floor())
    show(x.relu())
    show(F.leaky_relu(x, 0.1))
    print(show(F.elu(x)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def t(*s): return ((torch.arange(1., 1 + math.prod(s)) ** 2 * 37 % 11).reshape(s) / 7 + 0.3).requires_grad_()
    def brief(v):
        if isinstance(v, torch.Tensor): return f"{tuple(v.shape)}:{v.detach().double().abs().sum().item():.3g}{'g' if v.requires_grad else ''}{'L' if v.is_leaf else ''}"
        if isinstance(v, tuple): return '(' + ', '.join(map(brief, v)) + ')'
        return repr(v)
    def walk(fn, seen):
        if fn is not None and not any(fn is s for s in seen):
            seen.append(fn)
            for n, _ in fn.next_functions: walk(n, seen)
    def show(y):
        seen = []; walk(y.grad_fn, seen)
        for fn in seen:
            if fn.name().endswith('AccumulateGrad'): continue
            kept = ((n, getattr(fn, '_saved_' + n, 'none')) for n in NAMES)
            print(fn.name(), *[f"{n}={brief(v)}" for n, v in kept if not (v is None and n in ('min', 'max', 'weight')) and not isinstance(v, str) and not (n in ('index', 'end') and isinstance(v, int))])
    NAMES = ['self', 'other', 'result', 'exponent', 'mat1', 'mat2', 'vec', 'mat', 'tensor', 'batch1', 'batch2', 'vec1', 'vec2', 'tensor1', 'tensor2', 'end', 'min', 'max', 'condition', 'x1', 'x2', 'target', 'index', 'indices', 'mask', 'input', 'weight', 'bias', 'result1', 'result2', 'total_weight', 'L', 'inverse', 'A', 'self_sym_sizes', 'self_sym_numel', 'negative_slope', 'threshold', 'lambd', 'value']
    x, w, p, A, B, T, T2, W3, k1, I, k2 = t(3), t(3), t(1), t(2, 3), t(3, 3), t(2, 3, 3), t(2, 3, 3), t(2, 3, 3), t(1, 3, 2), t(1, 1, 4, 4), t(1, 1, 2, 2)
    B3, BA, v4 = t(2, 3, 3), t(3, 2), t(4); c, Bc, Ac = t(3).detach(), t(3, 3).detach(), t(2, 3).detach()
    i, j, u = torch.tensor([[0, 1, 0], [1, 0, 0]]), torch.tensor([1, 0]), torch.tensor([0., 1., 1.])
    S = torch.tensor([[2., 1, 0], [1, 3, 1], [0, 1, 4]], requires_grad=True)
    show(F.celu(x))
    show(F.gelu(x))
    show(F.gelu(x, approximate="tanh"))
    show(F.silu(x))
    show(F.mish(x))
    show(F.softplus(x))
    show(F.softsign(x))
    show(F.hardtanh(x))
    show(F.hardsigmoid(x))
    show(F.hardswish(x))
    show(F.relu6(x))
    show(F.logsigmoid(x))
    show(F.threshold(x, 0.1, 2.))
    show(F.softshrink(x))
    show(F.hardshrink(x))
    show(F.tanhshrink(x))
    show(F.glu(v4))
    show(F.prelu(x, p))
    show(x.erf())
    show(x.erfc())
    show(x.erfinv())
    show(x.lgamma())
    show(x.digamma())
    show(x.sum())
    print(show(A.sum(0)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def t(*s): return ((torch.arange(1., 1 + math.prod(s)) ** 2 * 37 % 11).reshape(s) / 7 + 0.3).requires_grad_()
    def brief(v):
        if isinstance(v, torch.Tensor): return f"{tuple(v.shape)}:{v.detach().double().abs().sum().item():.3g}{'g' if v.requires_grad else ''}{'L' if v.is_leaf else ''}"
        if isinstance(v, tuple): return '(' + ', '.join(map(brief, v)) + ')'
        return repr(v)
    def walk(fn, seen):
        if fn is not None and not any(fn is s for s in seen):
            seen.append(fn)
            for n, _ in fn.next_functions: walk(n, seen)
    def show(y):
        seen = []; walk(y.grad_fn, seen)
        for fn in seen:
            if fn.name().endswith('AccumulateGrad'): continue
            kept = ((n, getattr(fn, '_saved_' + n, 'none')) for n in NAMES)
            print(fn.name(), *[f"{n}={brief(v)}" for n, v in kept if not (v is None and n in ('min', 'max', 'weight')) and not isinstance(v, str) and not (n in ('index', 'end') and isinstance(v, int))])
    NAMES = ['self', 'other', 'result', 'exponent', 'mat1', 'mat2', 'vec', 'mat', 'tensor', 'batch1', 'batch2', 'vec1', 'vec2', 'tensor1', 'tensor2', 'end', 'min', 'max', 'condition', 'x1', 'x2', 'target', 'index', 'indices', 'mask', 'input', 'weight', 'bias', 'result1', 'result2', 'total_weight', 'L', 'inverse', 'A', 'self_sym_sizes', 'self_sym_numel', 'negative_slope', 'threshold', 'lambd', 'value']
    x, w, p, A, B, T, T2, W3, k1, I, k2 = t(3), t(3), t(1), t(2, 3), t(3, 3), t(2, 3, 3), t(2, 3, 3), t(2, 3, 3), t(1, 3, 2), t(1, 1, 4, 4), t(1, 1, 2, 2)
    B3, BA, v4 = t(2, 3, 3), t(3, 2), t(4); c, Bc, Ac = t(3).detach(), t(3, 3).detach(), t(2, 3).detach()
    i, j, u = torch.tensor([[0, 1, 0], [1, 0, 0]]), torch.tensor([1, 0]), torch.tensor([0., 1., 1.])
    S = torch.tensor([[2., 1, 0], [1, 3, 1], [0, 1, 4]], requires_grad=True)
    show(A.sum(1, keepdim=True))
    show(A.sum((0, 1)))
    show(x.mean())
    show(A.mean(1))
    show(x.prod())
    show(A.prod(1))
    show(A.cumsum(1))
    show(A.cumprod(1))
    show(A.var())
    show(A.var(1))
    show(A.std(1))
    show(A.std(1, unbiased=False))
    show(x.norm())
    show(A.norm(dim=1))
    show(A.norm(p=1))
    show(torch.linalg.norm(A))
    show(torch.linalg.vector_norm(x, 3))
    show(A.max())
    show(A.max(1)[0])
    show(A.min(1).values)
    show(A.amax(1))
    show(A.amax())
    show(A.amin(0))
    show(A.median())
    print(show(A.median(1)[0]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def t(*s): return ((torch.arange(1., 1 + math.prod(s)) ** 2 * 37 % 11).reshape(s) / 7 + 0.3).requires_grad_()
    def brief(v):
        if isinstance(v, torch.Tensor): return f"{tuple(v.shape)}:{v.detach().double().abs().sum().item():.3g}{'g' if v.requires_grad else ''}{'L' if v.is_leaf else ''}"
        if isinstance(v, tuple): return '(' + ', '.join(map(brief, v)) + ')'
        return repr(v)
    def walk(fn, seen):
        if fn is not None and not any(fn is s for s in seen):
            seen.append(fn)
            for n, _ in fn.next_functions: walk(n, seen)
    def show(y):
        seen = []; walk(y.grad_fn, seen)
        for fn in seen:
            if fn.name().endswith('AccumulateGrad'): continue
            kept = ((n, getattr(fn, '_saved_' + n, 'none')) for n in NAMES)
            print(fn.name(), *[f"{n}={brief(v)}" for n, v in kept if not (v is None and n in ('min', 'max', 'weight')) and not isinstance(v, str) and not (n in ('index', 'end') and isinstance(v, int))])
    NAMES = ['self', 'other', 'result', 'exponent', 'mat1', 'mat2', 'vec', 'mat', 'tensor', 'batch1', 'batch2', 'vec1', 'vec2', 'tensor1', 'tensor2', 'end', 'min', 'max', 'condition', 'x1', 'x2', 'target', 'index', 'indices', 'mask', 'input', 'weight', 'bias', 'result1', 'result2', 'total_weight', 'L', 'inverse', 'A', 'self_sym_sizes', 'self_sym_numel', 'negative_slope', 'threshold', 'lambd', 'value']
    x, w, p, A, B, T, T2, W3, k1, I, k2 = t(3), t(3), t(1), t(2, 3), t(3, 3), t(2, 3, 3), t(2, 3, 3), t(2, 3, 3), t(1, 3, 2), t(1, 1, 4, 4), t(1, 1, 2, 2)
    B3, BA, v4 = t(2, 3, 3), t(3, 2), t(4); c, Bc, Ac = t(3).detach(), t(3, 3).detach(), t(2, 3).detach()
    i, j, u = torch.tensor([[0, 1, 0], [1, 0, 0]]), torch.tensor([1, 0]), torch.tensor([0., 1., 1.])
    S = torch.tensor([[2., 1, 0], [1, 3, 1], [0, 1, 4]], requires_grad=True)
    show(A.sort(1)[0])
    show(A.topk(2, 1)[0])
    show(A.kthvalue(1, 1)[0])
    show(A.logsumexp(1))
    show(A.softmax(1))
    show(A.log_softmax(1))
    show(A.cummax(1)[0])
    show(A @ B)
    show(A @ x)
    show(x @ w)
    show(A @ BA)
    show(torch.mm(A, B))
    show(torch.mv(A, x))
    show(torch.dot(x, w))
    show(torch.bmm(T, T2))
    show(T @ T2)
    show(T @ B)
    show(torch.outer(x, w))
    show(torch.addmm(B, B, B))
    show(torch.addmv(x, B, x))
    show(torch.baddbmm(T, T, B3))
    show(torch.addr(B, x, w))
    show(F.linear(A, B))
    show(F.linear(A, B, x))
    print(show(F.linear(x, B)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def t(*s): return ((torch.arange(1., 1 + math.prod(s)) ** 2 * 37 % 11).reshape(s) / 7 + 0.3).requires_grad_()
    def brief(v):
        if isinstance(v, torch.Tensor): return f"{tuple(v.shape)}:{v.detach().double().abs().sum().item():.3g}{'g' if v.requires_grad else ''}{'L' if v.is_leaf else ''}"
        if isinstance(v, tuple): return '(' + ', '.join(map(brief, v)) + ')'
        return repr(v)
    def walk(fn, seen):
        if fn is not None and not any(fn is s for s in seen):
            seen.append(fn)
            for n, _ in fn.next_functions: walk(n, seen)
    def show(y):
        seen = []; walk(y.grad_fn, seen)
        for fn in seen:
            if fn.name().endswith('AccumulateGrad'): continue
            kept = ((n, getattr(fn, '_saved_' + n, 'none')) for n in NAMES)
            print(fn.name(), *[f"{n}={brief(v)}" for n, v in kept if not (v is None and n in ('min', 'max', 'weight')) and not isinstance(v, str) and not (n in ('index', 'end') and isinstance(v, int))])
    NAMES = ['self', 'other', 'result', 'exponent', 'mat1', 'mat2', 'vec', 'mat', 'tensor', 'batch1', 'batch2', 'vec1', 'vec2', 'tensor1', 'tensor2', 'end', 'min', 'max', 'condition', 'x1', 'x2', 'target', 'index', 'indices', 'mask', 'input', 'weight', 'bias', 'result1', 'result2', 'total_weight', 'L', 'inverse', 'A', 'self_sym_sizes', 'self_sym_numel', 'negative_slope', 'threshold', 'lambd', 'value']
    x, w, p, A, B, T, T2, W3, k1, I, k2 = t(3), t(3), t(1), t(2, 3), t(3, 3), t(2, 3, 3), t(2, 3, 3), t(2, 3, 3), t(1, 3, 2), t(1, 1, 4, 4), t(1, 1, 2, 2)
    B3, BA, v4 = t(2, 3, 3), t(3, 2), t(4); c, Bc, Ac = t(3).detach(), t(3, 3).detach(), t(2, 3).detach()
    i, j, u = torch.tensor([[0, 1, 0], [1, 0, 0]]), torch.tensor([1, 0]), torch.tensor([0., 1., 1.])
    S = torch.tensor([[2., 1, 0], [1, 3, 1], [0, 1, 4]], requires_grad=True)
    show(F.linear(x, B, x))
    show(F.linear(T, B, x))
    show(F.linear(A, Bc, x))
    show(F.linear(Ac, B, x))
    show(F.linear(Ac, B))
    show(A.t())
    show(A.T)
    show(A.mT)
    show(A.transpose(0, 1))
    show(A.permute(1, 0))
    show(A.view(6))
    show(A.reshape(6))
    show(A.flatten())
    show(A.T.reshape(6))
    show(A.unsqueeze(0))
    show(A.squeeze(0))
    show(A.unsqueeze(0).squeeze())
    show(A.unsqueeze(0).squeeze(0))
    show(A.expand(2, 2, 3))
    show(A.repeat(2, 2))
    show(A.clone())
    show(A.contiguous())
    show(A.T.contiguous())
    show(A[0])
    print(show(A[:, 1]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def t(*s): return ((torch.arange(1., 1 + math.prod(s)) ** 2 * 37 % 11).reshape(s) / 7 + 0.3).requires_grad_()
    def brief(v):
        if isinstance(v, torch.Tensor): return f"{tuple(v.shape)}:{v.detach().double().abs().sum().item():.3g}{'g' if v.requires_grad else ''}{'L' if v.is_leaf else ''}"
        if isinstance(v, tuple): return '(' + ', '.join(map(brief, v)) + ')'
        return repr(v)
    def walk(fn, seen):
        if fn is not None and not any(fn is s for s in seen):
            seen.append(fn)
            for n, _ in fn.next_functions: walk(n, seen)
    def show(y):
        seen = []; walk(y.grad_fn, seen)
        for fn in seen:
            if fn.name().endswith('AccumulateGrad'): continue
            kept = ((n, getattr(fn, '_saved_' + n, 'none')) for n in NAMES)
            print(fn.name(), *[f"{n}={brief(v)}" for n, v in kept if not (v is None and n in ('min', 'max', 'weight')) and not isinstance(v, str) and not (n in ('index', 'end') and isinstance(v, int))])
    NAMES = ['self', 'other', 'result', 'exponent', 'mat1', 'mat2', 'vec', 'mat', 'tensor', 'batch1', 'batch2', 'vec1', 'vec2', 'tensor1', 'tensor2', 'end', 'min', 'max', 'condition', 'x1', 'x2', 'target', 'index', 'indices', 'mask', 'input', 'weight', 'bias', 'result1', 'result2', 'total_weight', 'L', 'inverse', 'A', 'self_sym_sizes', 'self_sym_numel', 'negative_slope', 'threshold', 'lambd', 'value']
    x, w, p, A, B, T, T2, W3, k1, I, k2 = t(3), t(3), t(1), t(2, 3), t(3, 3), t(2, 3, 3), t(2, 3, 3), t(2, 3, 3), t(1, 3, 2), t(1, 1, 4, 4), t(1, 1, 2, 2)
    B3, BA, v4 = t(2, 3, 3), t(3, 2), t(4); c, Bc, Ac = t(3).detach(), t(3, 3).detach(), t(2, 3).detach()
    i, j, u = torch.tensor([[0, 1, 0], [1, 0, 0]]), torch.tensor([1, 0]), torch.tensor([0., 1., 1.])
    S = torch.tensor([[2., 1, 0], [1, 3, 1], [0, 1, 4]], requires_grad=True)
    show(A[0, 1])
    show(A[:, 1:])
    show(A[[0, 1]])
    show(A[A > 1])
    show(A.select(0, 1))
    show(A.narrow(1, 0, 2))
    show(A.split(1)[0])
    show(A.chunk(3, 1)[0])
    show(A.unbind(0)[0])
    show(A.diagonal())
    show(A.diag())
    show(x.diag())
    show(A.trace())
    show(A.tril())
    show(A.triu())
    show(A.flip(0))
    show(A.roll(1, 0))
    show(A.roll(1))
    show(A.rot90())
    show(A.gather(1, i))
    show(A.scatter(1, i, 0.))
    show(A.scatter(1, i, A))
    show(A.scatter_add(1, i, A))
    show(A.index_select(0, j))
    print(show(A.index_add(0, j, A)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def t(*s): return ((torch.arange(1., 1 + math.prod(s)) ** 2 * 37 % 11).reshape(s) / 7 + 0.3).requires_grad_()
    def brief(v):
        if isinstance(v, torch.Tensor): return f"{tuple(v.shape)}:{v.detach().double().abs().sum().item():.3g}{'g' if v.requires_grad else ''}{'L' if v.is_leaf else ''}"
        if isinstance(v, tuple): return '(' + ', '.join(map(brief, v)) + ')'
        return repr(v)
    def walk(fn, seen):
        if fn is not None and not any(fn is s for s in seen):
            seen.append(fn)
            for n, _ in fn.next_functions: walk(n, seen)
    def show(y):
        seen = []; walk(y.grad_fn, seen)
        for fn in seen:
            if fn.name().endswith('AccumulateGrad'): continue
            kept = ((n, getattr(fn, '_saved_' + n, 'none')) for n in NAMES)
            print(fn.name(), *[f"{n}={brief(v)}" for n, v in kept if not (v is None and n in ('min', 'max', 'weight')) and not isinstance(v, str) and not (n in ('index', 'end') and isinstance(v, int))])
    NAMES = ['self', 'other', 'result', 'exponent', 'mat1', 'mat2', 'vec', 'mat', 'tensor', 'batch1', 'batch2', 'vec1', 'vec2', 'tensor1', 'tensor2', 'end', 'min', 'max', 'condition', 'x1', 'x2', 'target', 'index', 'indices', 'mask', 'input', 'weight', 'bias', 'result1', 'result2', 'total_weight', 'L', 'inverse', 'A', 'self_sym_sizes', 'self_sym_numel', 'negative_slope', 'threshold', 'lambd', 'value']
    x, w, p, A, B, T, T2, W3, k1, I, k2 = t(3), t(3), t(1), t(2, 3), t(3, 3), t(2, 3, 3), t(2, 3, 3), t(2, 3, 3), t(1, 3, 2), t(1, 1, 4, 4), t(1, 1, 2, 2)
    B3, BA, v4 = t(2, 3, 3), t(3, 2), t(4); c, Bc, Ac = t(3).detach(), t(3, 3).detach(), t(2, 3).detach()
    i, j, u = torch.tensor([[0, 1, 0], [1, 0, 0]]), torch.tensor([1, 0]), torch.tensor([0., 1., 1.])
    S = torch.tensor([[2., 1, 0], [1, 3, 1], [0, 1, 4]], requires_grad=True)
    show(A.index_fill(0, j, 1.))
    show(A.masked_fill(A > 1, 0.))
    show(A.masked_select(A > 1))
    show(A.take(j))
    show(torch.where(A > 1, A, 0.))
    show(torch.where(A > 1, A, A * 2))
    show(torch.cat([A, A]))
    show(torch.stack([x, w]))
    show(torch.hstack([A, A]))
    show(A.clamp(min=0.5))
    show(torch.clamp(x, w, w + 1))
    show(torch.maximum(x, w))
    show(torch.minimum(x, w))
    show(torch.atan2(x, w))
    show(torch.hypot(x, w))
    show(torch.lerp(x, w, 0.3))
    show(torch.lerp(x, w, w))
    show(torch.addcmul(x, w, w))
    show(torch.addcmul(x, w, c, value=2))
    show(torch.addcdiv(x, w, w))
    show(torch.fmod(x, 2))
    show(torch.remainder(x, 2))
    print(show(torch.remainder(x, w)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def t(*s): return ((torch.arange(1., 1 + math.prod(s)) ** 2 * 37 % 11).reshape(s) / 7 + 0.3).requires_grad_()
    def brief(v):
        if isinstance(v, torch.Tensor): return f"{tuple(v.shape)}:{v.detach().double().abs().sum().item():.3g}{'g' if v.requires_grad else ''}{'L' if v.is_leaf else ''}"
        if isinstance(v, tuple): return '(' + ', '.join(map(brief, v)) + ')'
        return repr(v)
    def walk(fn, seen):
        if fn is not None and not any(fn is s for s in seen):
            seen.append(fn)
            for n, _ in fn.next_functions: walk(n, seen)
    def show(y):
        seen = []; walk(y.grad_fn, seen)
        for fn in seen:
            if fn.name().endswith('AccumulateGrad'): continue
            kept = ((n, getattr(fn, '_saved_' + n, 'none')) for n in NAMES)
            print(fn.name(), *[f"{n}={brief(v)}" for n, v in kept if not (v is None and n in ('min', 'max', 'weight')) and not isinstance(v, str) and not (n in ('index', 'end') and isinstance(v, int))])
    NAMES = ['self', 'other', 'result', 'exponent', 'mat1', 'mat2', 'vec', 'mat', 'tensor', 'batch1', 'batch2', 'vec1', 'vec2', 'tensor1', 'tensor2', 'end', 'min', 'max', 'condition', 'x1', 'x2', 'target', 'index', 'indices', 'mask', 'input', 'weight', 'bias', 'result1', 'result2', 'total_weight', 'L', 'inverse', 'A', 'self_sym_sizes', 'self_sym_numel', 'negative_slope', 'threshold', 'lambd', 'value']
    x, w, p, A, B, T, T2, W3, k1, I, k2 = t(3), t(3), t(1), t(2, 3), t(3, 3), t(2, 3, 3), t(2, 3, 3), t(2, 3, 3), t(1, 3, 2), t(1, 1, 4, 4), t(1, 1, 2, 2)
    B3, BA, v4 = t(2, 3, 3), t(3, 2), t(4); c, Bc, Ac = t(3).detach(), t(3, 3).detach(), t(2, 3).detach()
    i, j, u = torch.tensor([[0, 1, 0], [1, 0, 0]]), torch.tensor([1, 0]), torch.tensor([0., 1., 1.])
    S = torch.tensor([[2., 1, 0], [1, 3, 1], [0, 1, 4]], requires_grad=True)
    show(torch.logaddexp(x, w))
    show(torch.xlogy(x, w))
    show(torch.cross(x, w, dim=0))
    show(torch.linalg.inv(B))
    show(torch.linalg.det(B))
    show(torch.linalg.cholesky(S))
    show(torch.linalg.qr(B)[0])
    show(torch.linalg.eigh(S)[0])
    show(torch.linalg.svd(B)[1])
    show(torch.matrix_exp(B))
    show(torch.linalg.pinv(B))
    show(torch.cdist(A, A))
    show(F.mse_loss(x, w))
    show(F.mse_loss(x, c, reduction="sum"))
    show(F.l1_loss(x, c))
    show(F.smooth_l1_loss(x, c))
    show(F.huber_loss(x, c))
    show(F.binary_cross_entropy(x.sigmoid(), u))
    show(F.binary_cross_entropy_with_logits(x, u))
    show(F.cross_entropy(A, j))
    show(F.nll_loss(A, j))
    show(F.cosine_similarity(A, A * 2))
    show(F.pairwise_distance(A, A * 2))
    print(show(F.normalize(A)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def t(*s): return ((torch.arange(1., 1 + math.prod(s)) ** 2 * 37 % 11).reshape(s) / 7 + 0.3).requires_grad_()
    def brief(v):
        if isinstance(v, torch.Tensor): return f"{tuple(v.shape)}:{v.detach().double().abs().sum().item():.3g}{'g' if v.requires_grad else ''}{'L' if v.is_leaf else ''}"
        if isinstance(v, tuple): return '(' + ', '.join(map(brief, v)) + ')'
        return repr(v)
    def walk(fn, seen):
        if fn is not None and not any(fn is s for s in seen):
            seen.append(fn)
            for n, _ in fn.next_functions: walk(n, seen)
    def show(y):
        seen = []; walk(y.grad_fn, seen)
        for fn in seen:
            if fn.name().endswith('AccumulateGrad'): continue
            kept = ((n, getattr(fn, '_saved_' + n, 'none')) for n in NAMES)
            print(fn.name(), *[f"{n}={brief(v)}" for n, v in kept if not (v is None and n in ('min', 'max', 'weight')) and not isinstance(v, str) and not (n in ('index', 'end') and isinstance(v, int))])
    NAMES = ['self', 'other', 'result', 'exponent', 'mat1', 'mat2', 'vec', 'mat', 'tensor', 'batch1', 'batch2', 'vec1', 'vec2', 'tensor1', 'tensor2', 'end', 'min', 'max', 'condition', 'x1', 'x2', 'target', 'index', 'indices', 'mask', 'input', 'weight', 'bias', 'result1', 'result2', 'total_weight', 'L', 'inverse', 'A', 'self_sym_sizes', 'self_sym_numel', 'negative_slope', 'threshold', 'lambd', 'value']
    x, w, p, A, B, T, T2, W3, k1, I, k2 = t(3), t(3), t(1), t(2, 3), t(3, 3), t(2, 3, 3), t(2, 3, 3), t(2, 3, 3), t(1, 3, 2), t(1, 1, 4, 4), t(1, 1, 2, 2)
    B3, BA, v4 = t(2, 3, 3), t(3, 2), t(4); c, Bc, Ac = t(3).detach(), t(3, 3).detach(), t(2, 3).detach()
    i, j, u = torch.tensor([[0, 1, 0], [1, 0, 0]]), torch.tensor([1, 0]), torch.tensor([0., 1., 1.])
    S = torch.tensor([[2., 1, 0], [1, 3, 1], [0, 1, 4]], requires_grad=True)
    show(F.layer_norm(A, (3,)))
    show(F.layer_norm(A, (3,), x, w))
    show(F.batch_norm(A, None, None, training=True))
    show(F.batch_norm(A, None, None, x, w, training=True))
    torch.manual_seed(0); show(F.dropout(x, 0.5))
    show(F.conv1d(T, k1))
    show(F.conv2d(I, k2))
    show(F.conv2d(I, k2, torch.ones(1), padding=1))
    show(F.conv_transpose2d(I, k2))
    show(F.max_pool2d(I, 2))
    show(F.avg_pool2d(I, 2))
    show(F.adaptive_avg_pool2d(I, 1))
    show(F.max_pool1d(T, 2))
    show(F.avg_pool1d(T, 2))
    show(F.adaptive_max_pool2d(I, 1))
    show(F.pad(A, (1, 1)))
    show(F.interpolate(I, scale_factor=2))
    show(F.interpolate(I, scale_factor=2, mode="bilinear"))
    show(F.unfold(I, 2))
    show(F.pixel_shuffle(torch.ones(1, 4, 2, 2, requires_grad=True), 2))
    show(x.double())
    show(x.to(torch.float16))
    show(x.type(torch.float64))
    print(show(x.nan_to_num()))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def t(*s): return ((torch.arange(1., 1 + math.prod(s)) ** 2 * 37 % 11).reshape(s) / 7 + 0.3).requires_grad_()
    def brief(v):
        if isinstance(v, torch.Tensor): return f"{tuple(v.shape)}:{v.detach().double().abs().sum().item():.3g}{'g' if v.requires_grad else ''}{'L' if v.is_leaf else ''}"
        if isinstance(v, tuple): return '(' + ', '.join(map(brief, v)) + ')'
        return repr(v)
    def walk(fn, seen):
        if fn is not None and not any(fn is s for s in seen):
            seen.append(fn)
            for n, _ in fn.next_functions: walk(n, seen)
    def show(y):
        seen = []; walk(y.grad_fn, seen)
        for fn in seen:
            if fn.name().endswith('AccumulateGrad'): continue
            kept = ((n, getattr(fn, '_saved_' + n, 'none')) for n in NAMES)
            print(fn.name(), *[f"{n}={brief(v)}" for n, v in kept if not (v is None and n in ('min', 'max', 'weight')) and not isinstance(v, str) and not (n in ('index', 'end') and isinstance(v, int))])
    NAMES = ['self', 'other', 'result', 'exponent', 'mat1', 'mat2', 'vec', 'mat', 'tensor', 'batch1', 'batch2', 'vec1', 'vec2', 'tensor1', 'tensor2', 'end', 'min', 'max', 'condition', 'x1', 'x2', 'target', 'index', 'indices', 'mask', 'input', 'weight', 'bias', 'result1', 'result2', 'total_weight', 'L', 'inverse', 'A', 'self_sym_sizes', 'self_sym_numel', 'negative_slope', 'threshold', 'lambd', 'value']
    x, w, p, A, B, T, T2, W3, k1, I, k2 = t(3), t(3), t(1), t(2, 3), t(3, 3), t(2, 3, 3), t(2, 3, 3), t(2, 3, 3), t(1, 3, 2), t(1, 1, 4, 4), t(1, 1, 2, 2)
    B3, BA, v4 = t(2, 3, 3), t(3, 2), t(4); c, Bc, Ac = t(3).detach(), t(3, 3).detach(), t(2, 3).detach()
    i, j, u = torch.tensor([[0, 1, 0], [1, 0, 0]]), torch.tensor([1, 0]), torch.tensor([0., 1., 1.])
    S = torch.tensor([[2., 1, 0], [1, 3, 1], [0, 1, 4]], requires_grad=True)
    show(x.trunc())
    show(x.frac())
    show(x.round())
    show(x.cumsum(0))
    show(x.logcumsumexp(0))
    show(A.nansum())
    show(A.nanmean())
    show(x.unfold(0, 2, 1))
    show(torch.trapezoid(x))
    show(torch.diff(x))
    show(torch.tensordot(A, B, 1))
    show(torch.logit(x.sigmoid()))
    show(torch.special.entr(x))
    show(torch.sinc(x))
    show(torch.renorm(A, 2, 0, 1.))
    show(torch.dist(x, w))
    show(torch.nn.utils.parameters_to_vector([A, x]))
    show(x.clone().mul_(2.))
    show(x.clone().mul_(w))
    show(x.clone().exp_())
    show(x.clone().add_(w))
    show(x.clone().relu_())
    show(x.clone().sigmoid_())
    show(x.clone().pow_(2))
    print(show(x.clone().zero_()))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def t(*s): return ((torch.arange(1., 1 + math.prod(s)) ** 2 * 37 % 11).reshape(s) / 7 + 0.3).requires_grad_()
    def brief(v):
        if isinstance(v, torch.Tensor): return f"{tuple(v.shape)}:{v.detach().double().abs().sum().item():.3g}{'g' if v.requires_grad else ''}{'L' if v.is_leaf else ''}"
        if isinstance(v, tuple): return '(' + ', '.join(map(brief, v)) + ')'
        return repr(v)
    def walk(fn, seen):
        if fn is not None and not any(fn is s for s in seen):
            seen.append(fn)
            for n, _ in fn.next_functions: walk(n, seen)
    def show(y):
        seen = []; walk(y.grad_fn, seen)
        for fn in seen:
            if fn.name().endswith('AccumulateGrad'): continue
            kept = ((n, getattr(fn, '_saved_' + n, 'none')) for n in NAMES)
            print(fn.name(), *[f"{n}={brief(v)}" for n, v in kept if not (v is None and n in ('min', 'max', 'weight')) and not isinstance(v, str) and not (n in ('index', 'end') and isinstance(v, int))])
    NAMES = ['self', 'other', 'result', 'exponent', 'mat1', 'mat2', 'vec', 'mat', 'tensor', 'batch1', 'batch2', 'vec1', 'vec2', 'tensor1', 'tensor2', 'end', 'min', 'max', 'condition', 'x1', 'x2', 'target', 'index', 'indices', 'mask', 'input', 'weight', 'bias', 'result1', 'result2', 'total_weight', 'L', 'inverse', 'A', 'self_sym_sizes', 'self_sym_numel', 'negative_slope', 'threshold', 'lambd', 'value']
    x, w, p, A, B, T, T2, W3, k1, I, k2 = t(3), t(3), t(1), t(2, 3), t(3, 3), t(2, 3, 3), t(2, 3, 3), t(2, 3, 3), t(1, 3, 2), t(1, 1, 4, 4), t(1, 1, 2, 2)
    B3, BA, v4 = t(2, 3, 3), t(3, 2), t(4); c, Bc, Ac = t(3).detach(), t(3, 3).detach(), t(2, 3).detach()
    i, j, u = torch.tensor([[0, 1, 0], [1, 0, 0]]), torch.tensor([1, 0]), torch.tensor([0., 1., 1.])
    S = torch.tensor([[2., 1, 0], [1, 3, 1], [0, 1, 4]], requires_grad=True)
    show(x.clone().fill_(1.))
    show(x.clone().copy_(w))
    show(x.clone().div_(w))
    show(x.clone().sqrt_())
    print(show(x.clone().clamp_(min=0.5)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    H = torch.autograd.graph.saved_tensors_hooks
    w = torch.tensor([2., 2., 3.], requires_grad=True)
    def pack(t): print('pack', t, t is x, t.is_leaf, torch.is_grad_enabled(), t._version); return (t,)
    def unpack(p): print('unpack', p[0], torch.is_grad_enabled()); return p[0]
    with H(pack, unpack):
        y = x*x; print('--'); z = y.exp(); print('--'); h = y*z
    print(z.grad_fn._saved_result, z.grad_fn._saved_result is z)
    h.sum().backward(); print(x.grad)
    print(z.grad_fn._saved_result)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    H = torch.autograd.graph.saved_tensors_hooks
    w = torch.tensor([2., 2., 3.], requires_grad=True)
    def t(f):
        try: print(f())
        except Exception as e: print(type(e).__name__, str(e).split('\n')[0])
    def run(p, u, f=lambda: (x.exp()*w).sum()):
        with H(p, u): y = f()
        return torch.autograd.grad(y, x)
    same = lambda v: v
    t(lambda: run(lambda v: v.detach().numpy(), lambda v: torch.tensor(v)))
    t(lambda: run(lambda v: v.detach().half(), lambda v: v.float()))
    t(lambda: run(lambda v: 3, same))
    t(lambda: run(lambda v: v[:2], same))
    t(lambda: run(same, lambda v: None))
    t(lambda: run(lambda v: v.mul_(2), same))
    t(lambda: run(lambda v: v*2, same))
    t(lambda: run(lambda v: 1/0, same))
    t(lambda: run(same, lambda v: 1/0))
    t(lambda: run(3, 4))
    t(lambda: run(same, same, lambda: torch.cat([x, x.sin()]).relu().sum()))
    with H(lambda v: print('outer') or v, same):
        with H(lambda v: print('inner') or v, same): y = x.exp()
        y = y.sin()
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y = x.exp(); r = y.grad_fn._raw_saved_result
    r.register_hooks(lambda v: print('p') or v, lambda v: print('u') or v)
    try: r.register_hooks(lambda v: v, lambda v: v)
    except RuntimeError as e: print(e)
    y.sum().backward()
    try: r.register_hooks(lambda v: v, lambda v: v)
    except RuntimeError as e: print(e)
    y = x*2; print(y.grad_fn._raw_saved_self.register_hooks(lambda v: v, lambda v: v))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    H = torch.autograd.graph.saved_tensors_hooks
    with torch.autograd.graph.disable_saved_tensors_hooks("not now"):
        y = x*x
        try:
            with H(lambda v: v, lambda v: v): y = x*x
        except RuntimeError as e: print(e)
    with H(lambda v: v, lambda v: v):
        with torch.autograd.graph.disable_saved_tensors_hooks("not now"): y = x*x
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.autograd.graph.save_on_cpu(pin_memory=False): y = x*x
    y.sum().backward(); print(x.grad)
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a): b = a.exp(); ctx.save_for_backward(a, b); return b
        @staticmethod
        def backward(ctx, g): print('in b'); a, b = ctx.saved_tensors; return g*b
    with torch.autograd.graph.saved_tensors_hooks(lambda v: print('P', v.is_leaf) or v, lambda v: print('U') or v): y = E.apply(x)
    print('ran'); y.sum().backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    w = torch.tensor([2., 2., 3.], requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda v: print('P', v) or v, lambda v: print('U') or v):
        with torch.no_grad(): y = x.exp()
        y = torch.ones(2).exp(); y = x.detach()*x
        a = x.clone(); a.mul_(x); print('a', a)
        a = x.clone(); a.exp_(); print('a')
        y = (x*w).sum(); y.backward()
        g, = torch.autograd.grad(x.pow(3).sum(), x, create_graph=True); print('g', g)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.manual_seed(0)
    sizes = []
    net = nn.Sequential(nn.Conv2d(1, 2, 3, padding=1), nn.BatchNorm2d(2), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8, 6), nn.GELU(), nn.LayerNorm(6), nn.Dropout(0.5), nn.Linear(6, 3))
    with torch.autograd.graph.saved_tensors_hooks(lambda v: sizes.append(tuple(v.shape)) or v, lambda v: v):
        loss = F.cross_entropy(net(torch.rand(2, 1, 4, 4)), torch.tensor([0, 2])) + nn.Embedding(4, 3)(torch.tensor([1, 2])).tanh().softmax(-1).pow(2).mean()
    print(sizes); loss.backward(); print(net[0].weight.grad.abs().sum() > 0)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
