"""Writes pointwise.txt: values and slopes of pointwise functions as real PyTorch has them.

Run with a Python that has torch 2.15:  python pointwise.py > pointwise.txt
A line: name, arguments, value, slopes.
"""
import math
import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
inf, nan = math.inf, math.nan
POINTS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.0, 6.0, 25.0, 1e-9, 1e300, inf, -inf, nan]
PAIRS = [(1.0, 2.0), (2.0, 2.0), (0.0, 0.0), (-1.5, 0.5), (0.0, 3.0), (3.0, 0.0), (-2.0, 3.0), (2.0, -1.0), (7.5, -2.0), (-7.5, 2.0)]
UNARY = {n: getattr(torch, n) for n in (
    "neg square sqrt rsqrt reciprocal exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan "
    "sinh cosh tanh asinh acosh atanh erf abs sign floor ceil round trunc frac sigmoid relu").split()}
UNARY |= {n: getattr(F, n) for n in "logsigmoid softplus leaky_relu elu selu celu gelu silu mish hardtanh relu6".split()}
BINARY = {n: getattr(torch, n) for n in "add sub mul div remainder pow hypot atan2 maximum minimum".split()}

def show(x):
    return repr(x)

for table, points in ((UNARY, [(p,) for p in POINTS]), (BINARY, PAIRS)):
    for name, f in table.items():
        for point in points:
            xs = [torch.tensor([p], requires_grad=True) for p in point]
            y = f(*xs)
            y.backward(torch.ones(1))
            slopes = [x.grad.item() if x.grad is not None else 0.0 for x in xs]
            print(name, *map(show, point), *map(show, [y.item(), *slopes]))
