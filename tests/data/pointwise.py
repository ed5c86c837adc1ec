"""Writes pointwise.txt: values and derivatives of pointwise functions as real PyTorch has them.

Run with a Python that has torch 2.15:  python pointwise.py > pointwise.txt
A line: name (after @ the parameters), arguments, value, slopes, and the slopes of each slope (- where
PyTorch cannot differentiate twice).
"""
import math
import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
inf, nan = math.inf, math.nan
POINTS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.0, 3.0, 6.0, 25.0, 1e-9, 1e300, inf, -inf, nan, 0.3, -0.7, 1.7, -2.4]
PAIRS = [
    (1.0, 2.0), (2.0, 2.0), (0.0, 0.0), (-0.0, 0.0), (0.0, -0.0), (-1.5, 0.5), (0.0, 3.0), (3.0, 0.0), (-2.0, 3.0), (2.0, -1.0),
    (7.5, -2.0), (-7.5, 2.0), (0.0, -1.5), (1.0, nan), (nan, 1.0), (nan, nan), (inf, 1.0), (1.0, inf), (-inf, 1.0), (1.0, -inf),
    (inf, inf), (-inf, -inf), (inf, -inf), (0.3, 0.7),
]
TRIPLES = [
    (0.5, 0.0, 1.0), (0.0, 0.0, 1.0), (1.0, 0.0, 1.0), (1.0, 1.0, 1.0), (2.0, 1.0, 0.5), (-1.0, 0.25, 2.0), (3.0, -1.0, 2.0),
    (nan, 0.0, 1.0), (0.5, nan, 1.0), (0.5, 1.0, nan), (inf, 1.0, 2.0), (1.0, 0.0, inf), (0.3, 0.6, 0.0),
]

def same(namespace, names):
    return {n: getattr(namespace, n) for n in names.split()}

UNARY = same(torch, "neg square sqrt rsqrt reciprocal exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh "
             "tanh asinh acosh atanh erf erfc erfinv sinc logit lgamma digamma abs angle sign sgn floor ceil round trunc frac sigmoid relu "
             "deg2rad rad2deg nan_to_num")
UNARY |= same(F, "logsigmoid softplus leaky_relu elu selu celu gelu silu mish hardtanh relu6 hardsigmoid hardswish hardshrink softshrink")
UNARY |= {
    "entr": torch.special.entr,
    "i0": torch.special.i0,
    "i1": torch.special.i1,
    "i0e": torch.special.i0e,
    "i1e": torch.special.i1e,
    "erfcx": torch.special.erfcx,
    "ndtr": torch.special.ndtr,
    "log_ndtr": torch.special.log_ndtr,
    "ndtri": torch.special.ndtri,
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "threshold@0.5,7": lambda x: F.threshold(x, 0.5, 7.0),
    "polygamma@2": lambda x: torch.polygamma(2, x),
    "logit@0.1": lambda x: torch.logit(x, 0.1),
    "nan_to_num@1,2,3": lambda x: torch.nan_to_num(x, 1.0, 2.0, 3.0),
    "round@1": lambda x: torch.round(x, decimals=1),
    "round@-1": lambda x: torch.round(x, decimals=-1),
    "clamp@-1,2": lambda x: torch.clamp(x, -1.0, 2.0),
    "clamp_min@1": lambda x: torch.clamp_min(x, 1.0),
    "clamp_max@1": lambda x: torch.clamp_max(x, 1.0),
    "copysign@-1": lambda x: torch.copysign(x, -1.0),
    "fmod@2": lambda x: torch.fmod(x, 2.0),
    "softplus@2,1": lambda x: F.softplus(x, 2.0, 1.0),
    "elu@0.5": lambda x: F.elu(x, 0.5),
    "celu@0.5": lambda x: F.celu(x, 0.5),
    "leaky_relu@0.2": lambda x: F.leaky_relu(x, 0.2),
    "hardshrink@0.3": lambda x: F.hardshrink(x, 0.3),
    "softshrink@0.3": lambda x: F.softshrink(x, 0.3),
    "hardtanh@-3,2": lambda x: F.hardtanh(x, -3.0, 2.0),
} | {f"pow_number@{e}": (lambda x, e=e: torch.pow(x, e)) for e in (0, 1, 2, 3, 0.5, -1, 2.5)}
BINARY = same(torch, "add sub rsub mul div remainder fmod pow hypot atan2 maximum minimum fmax fmin xlogy logaddexp logaddexp2 "
              "copysign prelu clamp_min clamp_max")
BINARY |= {"nextafter": torch.nextafter, "div_trunc": lambda a, b: torch.div(a, b, rounding_mode="trunc")}
BINARY |= {"xlog1py": torch.special.xlog1py, "lerp@0.3": lambda a, b: torch.lerp(a, b, 0.3), "lerp@0.7": lambda a, b: torch.lerp(a, b, 0.7)}
TERNARY = {
    "clamp": torch.clamp,
    "lerp": torch.lerp,
    "addcmul@2": lambda a, b, c: torch.addcmul(a, b, c, value=2.0),
    "addcdiv@2": lambda a, b, c: torch.addcdiv(a, b, c, value=2.0),
}


def slopes(y, xs):
    if not y.requires_grad:
        return [0.0] * len(xs), [None] * len(xs)
    found = torch.autograd.grad(y, xs, torch.ones(1), create_graph=True, allow_unused=True)
    return [0.0 if g is None else g.item() for g in found], found


def second(g, xs):
    if g is None:
        return [0.0] * len(xs)
    try:
        return slopes(g, xs)[0]
    except (RuntimeError, NotImplementedError):
        return ["-"] * len(xs)


for table, points in ((UNARY, [(p,) for p in POINTS]), (BINARY, PAIRS), (TERNARY, TRIPLES)):
    for name, f in table.items():
        for point in points:
            xs = [torch.tensor([p], requires_grad=True) for p in point]
            y = f(*xs)
            first, graphs = slopes(y, xs)
            print(name, *point, y.item(), *first, *(d for g in graphs for d in second(g, xs)))
