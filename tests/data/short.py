"""Writes short.jsonl: short programs whose leaves are lists and numbers, with the value and J that real
PyTorch gives where the same leaves are tensors. A case is what the prompt is told, and what PyTorch is told
where that differs."""

import json

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)

M = {"t": [[1.0, 2.0], [3.0, 4.0]]}
V = {"x": [3.0, 1.0, 2.0]}
N = {"a": 2.5}
MV = {"t": [[1.0, 2.0, 0.5], [3.0, 4.0, -1.0]], "x": [3.0, 1.0, 2.0]}
AB = {"a": [1.0, 2.0], "b": [3.0, 5.0]}

SLICES = [
    (M, "y = t[:1] * t"),
    (M, "y = t + t[:1]"),
    (M, "y = t[:1]**2"),
    (M, "y = -t - t[1:]"),
    (M, "y = t[:]*t"),
    (M, "y = t[::2] * t"),
    (M, "y = t[::-1] * t", "y = t.flip(0) * t"),
    (M, "y = t[::-1][0] * 3", "y = t.flip(0)[0] * 3"),
    (M, "y = t[0:2] @ [1, 2]", "y = t[0:2] @ torch.tensor([1., 2.])"),
    (M, "y = stack(t)*t", "y = torch.stack([t[0], t[1]])*t"),
    (M, "y = cat(t)**2", "y = torch.cat([t[0], t[1]])**2"),
    (M, "y = t[[0, 1]]*t"),
    (M, "y = t[[1, 1]]*t"),
    (M, "y = t[...]*t"),
    (M, "y = t[:, 1:]*t"),
    (M, "y = t[None]*2"),
    (M, "y = t[0, 1]*t[1, 0]"),
    (M, "y = t[t > 1.5]**2"),
    (M, "y = t[-1:] + t[0]"),
    (M, "u = t[1:]; y = u[0]*u", "u = t[1:]; y = u[0]*u"),
    (M, "u = t[:1]; w = u[0]; y = w*w[1]"),
    (M, "u = list(t); y = u[0]*u[1]"),
    (M, "u = t.copy(); y = u*t", "y = t*t"),
    (M, "u = [t[1], t[0]]; y = u*t", "u = torch.stack([t[1], t[0]]); y = u*t"),
    (M, "y = [r[0]*r[1] for r in t[:1]] + [t[1][0]]", "y = torch.stack([t[0][0]*t[0][1], t[1][0]])"),
    (M, "y = sum(p*q for p, q in zip(t[0], t[1]))"),
    (M, "y = sum(sum(p*q) for p, q in zip(t, t[::-1]))", "y = sum(sum(p*q) for p, q in zip(t, t.flip(0)))"),
    (M, "p, q = t; y = p*q"),
    (M, "p, *q = t; y = p*q[0]"),
    (M, "f = lambda m: m[:1]*m; y = f(t)"),
    (M, "u = [r for r in t]; y = u[0]*u[1]"),
    (M, "u = []\nfor r in t[:1]:\n    u.append(r*2)\ny = u[0]*t[1]"),
    (M, "u = {'a': t[:1]}; y = u['a']*t"),
    (M, "u = (t[0], t[1]); y = u[1]*u[0]"),
    (AB, "u = [a, b]; y = u[:1]*a", "u = torch.stack([a, b]); y = u[:1]*a"),
    (AB, "u = [a, b]; y = 1.0*u*u", "u = torch.stack([a, b]); y = 1.0*u*u"),
    (AB, "u = [a, b]; y = mean(u[1:])", "y = torch.mean(b)"),
    (AB, "u = [[a[0], 1.], [2., b[1]]]; y = u[1:]*a", "y = torch.stack([torch.tensor(2.), b[1]])[None]*a"),
    (AB, "y = stack([a, b])[:, 0]", "y = torch.stack([a, b])[:, 0]"),
    (V, "y = x[1:]*x[:-1]"),
    (V, "y = x[::-1]*x", "y = x.flip(0)*x"),
    (V, "y = stack(x)*x", "y = x*x"),
    (V, "y = x[[2, 0]]*2"),
    (V, "y = x[tensor([2, 0])]*2", "y = x[torch.tensor([2, 0])]*2"),
    (V, "y = ([] + x)[0]*x", "y = x[0]*x"),
    (V, "y = x.copy()[0]*x", "y = x[0]*x"),
    (V, "y = mean((x[0], x[1]))", "y = (x[0] + x[1])/2"),
    (V, "u = x[:]; u[0] = 5.; y = u*x", "u = torch.cat([torch.tensor([5.]), x[1:]]); y = u*x"),
    (N, "y = a[..., None]*3"),
    (N, "y = torch.arange(3)*a"),
]

MEANINGS = [
    (MV, "y = sum(t)", "y = torch.sum(t)"),
    (MV, "y = sum(t, dim=1)", "y = torch.sum(t, dim=1)"),
    (MV, "y = sum(t, axis=0)", "y = torch.sum(t, dim=0)"),
    (MV, "y = sum(t*x, dim=1, keepdim=True)", "y = torch.sum(t*x, dim=1, keepdim=True)"),
    (MV, "y = max(t)", "y = torch.max(t)"),
    (MV, "y = max(t*x)", "y = torch.max(t*x)"),
    (MV, "y = max(t, dim=0)", "y = torch.amax(t, 0)"),
    (MV, "y = min(t*x, dim=1)", "y = torch.amin(t*x, 1)"),
    (MV, "y = sorted(t)", "y = torch.sort(t).values"),
    (MV, "y = sorted(t, dim=0)", "y = torch.sort(t, 0).values"),
    (MV, "y = round(t)*t", "y = torch.round(t)*t"),
    (MV, "y = abs(t)"),
    (MV, "y = max(t, x)", "y = torch.maximum(t, x)"),
    (V, "y = sum(x)*x"),
    (V, "y = max(x)*x", "y = torch.max(x)*x"),
    (V, "y = min(x*x)", "y = torch.min(x*x)"),
    (V, "y = max(x, 2)", "y = torch.maximum(x, torch.tensor(2.))"),
    (V, "y = sorted(x, reverse=True)", "y = torch.sort(x, descending=True).values"),
    (V, "y = max(c*c for c in x)", "y = torch.max(x*x)"),
    (V, "y = max([c*c for c in x])", "y = torch.max(x*x)"),
    (V, "y = x.sort().values*x", "y = torch.sort(x).values*x"),
    (V, "y = sort(x).values*x", "y = torch.sort(x).values*x"),
    (V, "y = diff(x)", "y = torch.diff(x)"),
    (V, "y = topk(x, 2).values", "y = torch.topk(x, 2).values"),
    (V, "y = median(x)*x", "y = torch.median(x)*x"),
    (V, "y = cross(x, x*x, dim=0)", "y = torch.cross(x, x*x, dim=0)"),
    (V, "y = ln(x)", "y = torch.log(x)"),
    (V, "y = pad(x, (1, 1))", "y = F.pad(x, (1, 1))"),
    (N, "y = sum(a)*max(a)", "y = a*a"),
    (N, "y = max(a, 1)*min(a, 9)", "y = a*a"),
    (N, "y = max(1, a, 2.5)", "y = torch.maximum(a, torch.tensor(2.5))"),
    (N, "y = round(a, 1)*a", "y = torch.round(a, decimals=1)*a"),
    (N, "y = (-2).abs()*a", "y = 2*a"),
    (N, "y = norm(2)*a", "y = 2*a"),
]


def jacobian(y, x):
    rows = []
    for one in y.reshape(-1):
        (g,) = torch.autograd.grad(one, x, retain_graph=True, allow_unused=True)
        rows.append((torch.zeros_like(x) if g is None else g).reshape(-1).tolist())
    return rows


with open(__file__.replace(".py", ".jsonl"), "w") as out:
    for leaves, text, *other in SLICES + MEANINGS:
        names = {"torch": torch, "F": F}
        names |= {n: torch.tensor(v, requires_grad=True) for n, v in leaves.items()}
        tensors = {n: names[n] for n in leaves}
        exec(other[0] if other else text, names)
        y = names["y"]
        y = torch.stack(list(y)) if isinstance(y, (list, tuple)) else y
        program = "".join(f"{n} = {v}\n" for n, v in leaves.items()) + text
        case = {
            "program": program,
            "value": y.reshape(-1).tolist(),
            "ones": torch.ones_like(y).tolist(),
            "jacobian": {n: jacobian(y, x) for n, x in tensors.items()},
        }
        out.write(json.dumps(case) + "\n")
