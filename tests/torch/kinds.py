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
    a = torch.tensor([3, 5], dtype=torch.int64); b = torch.tensor([4, 1], dtype=torch.int64); print(torch.hypot(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([False, True], dtype=torch.bool); print(torch.abs(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); print(torch.floor(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); print(torch.ceil(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); print(torch.trunc(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, -1], dtype=torch.int64); print(torch.frac(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([0, 1], dtype=torch.int64); print(F.logsigmoid(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([0, 1], dtype=torch.int64); print(F.softplus(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([False, True], dtype=torch.bool); print(torch.relu(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([0, 2], dtype=torch.int64); print(F.leaky_relu(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([0, 2], dtype=torch.int64); print(F.elu(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([0, 2], dtype=torch.int64); print(torch.selu(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([0, 2], dtype=torch.int64); print(torch.celu(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([0, 1], dtype=torch.int64); print(F.silu(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([0, 1], dtype=torch.int64); print(F.mish(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, False, True], dtype=torch.bool); print(F.hardtanh(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2], dtype=torch.int64); b = torch.tensor([3, 0], dtype=torch.int64); print(torch.logaddexp(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2], dtype=torch.int64); b = torch.tensor([3, 0], dtype=torch.int64); print(torch.logaddexp2(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([-3, 0, 1], dtype=torch.int64); print(F.hardsigmoid(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([-3, 0, 1], dtype=torch.int64); print(F.hardswish(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([0, 0, 1], dtype=torch.int64); print(torch.hardshrink(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([0, 0, 1], dtype=torch.int64); print(F.softshrink(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([False, True], dtype=torch.bool); print(torch.threshold(a, 0.5, 7))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([0.05, 1.0798], dtype=torch.float16); print(torch.special.erfcx(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([0.05, 1.0798], dtype=torch.float16); print(torch.special.log_ndtr(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([0.55, 0.9798], dtype=torch.float16); print(torch.special.ndtri(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1.05, 3.0798], dtype=torch.float16); print(torch.special.zeta(2, a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([False, True, True], dtype=torch.bool); print(F.relu6(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2], dtype=torch.int64); print(torch.add(a, 3, alpha=0.8))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); print(torch.sub(a, 3))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2], dtype=torch.int64); print(torch.sub(a, 3, alpha=0.8))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); b = torch.tensor(True, dtype=torch.bool); print(torch.sub(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); b = torch.tensor(True, dtype=torch.bool); print(torch.floor_divide(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); b = torch.tensor(True, dtype=torch.bool); print(torch.remainder(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); print(torch.neg(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); b = torch.tensor([True, True], dtype=torch.bool); print(torch.pow(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([False, False, True], dtype=torch.bool); b = torch.tensor(False, dtype=torch.bool); c = torch.tensor(True, dtype=torch.bool); print(torch.clamp(a, b, c))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([0, 1], dtype=torch.int64); print(F.gelu(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([False, True], dtype=torch.bool); print(F.softsign(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([False, True], dtype=torch.bool); print(F.tanhshrink(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([0, 1], dtype=torch.int64); b = torch.tensor([1, 1], dtype=torch.int64); print(torch.lerp(a, b, 0.5))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([0, 1], dtype=torch.int64); b = torch.tensor([1, 1], dtype=torch.int64); c = torch.tensor(0, dtype=torch.int64); print(torch.lerp(a, b, c))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); b = torch.tensor(True, dtype=torch.bool); print(torch.fmod(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([0, 2], dtype=torch.int64); print(torch.prelu(a, 0.25))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([0, 2], dtype=torch.int64); b = torch.tensor(0, dtype=torch.int64); print(torch.prelu(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2, 3, 4], dtype=torch.int64); print(F.glu(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); b = torch.tensor([True, True], dtype=torch.bool); c = torch.tensor([True, True], dtype=torch.bool); print(torch.addcmul(a, b, c, value=0.5))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2], dtype=torch.int64); b = torch.tensor([3, 4], dtype=torch.int64); c = torch.tensor([5, 6], dtype=torch.int64); print(torch.addcdiv(a, b, c, value=0.5))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); print(torch.rsub(a, 3))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2], dtype=torch.int64); print(torch.rsub(a, 3, alpha=0.8))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); b = torch.tensor(True, dtype=torch.bool); print(torch.rsub(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1], dtype=torch.int64); b = torch.tensor([2], dtype=torch.int64); print(torch.nextafter(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); print(torch.positive(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); b = torch.tensor(True, dtype=torch.bool); print(torch.repeat_interleave(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, True], [True, True]], dtype=torch.bool); print(torch.trace(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, True], [True, True]], dtype=torch.bool); b = torch.tensor([True, True], dtype=torch.bool); print(torch.matmul(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, True], [True, True]], dtype=torch.bool); b = torch.tensor([[True, False], [False, True]], dtype=torch.bool); print(torch.mm(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, True], [True, True]], dtype=torch.bool); b = torch.tensor([True, True], dtype=torch.bool); print(torch.mv(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[[True, True]], [[True, True]]], dtype=torch.bool); b = torch.tensor([[[True], [True]], [[True], [True]]], dtype=torch.bool); print(torch.bmm(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); b = torch.tensor([True, True], dtype=torch.bool); print(torch.dot(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[False, False], [False, False]], dtype=torch.bool); b = torch.tensor([[True, False], [False, True]], dtype=torch.bool); c = torch.tensor([[True, False], [False, True]], dtype=torch.bool); print(torch.addmm(a, b, c))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([False, False], dtype=torch.bool); b = torch.tensor([[True, False], [False, True]], dtype=torch.bool); c = torch.tensor([True, True], dtype=torch.bool); print(torch.addmv(a, b, c))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[[False]]], dtype=torch.bool); b = torch.tensor([[[True, True]]], dtype=torch.bool); c = torch.tensor([[[True], [True]]], dtype=torch.bool); print(torch.baddbmm(a, b, c))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); b = torch.tensor([[True, False], [False, True]], dtype=torch.bool); print(F.linear(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2, 3], dtype=torch.int64); print(torch.mean(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True, True], dtype=torch.bool); print(torch.mean(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2, 3], dtype=torch.uint8); print(torch.mean(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True, True], dtype=torch.bool); print(torch.argmax(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True, True], dtype=torch.bool); print(torch.argmin(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True, True], dtype=torch.bool); print(torch.topk(a, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True, True], dtype=torch.bool); print(torch.median(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True, True], dtype=torch.bool); print(torch.median(a, 0))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2, 4], dtype=torch.int64); print(torch.var(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2, 4], dtype=torch.int64); print(torch.std(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2, 4], dtype=torch.int64); print(torch.var_mean(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2, 4], dtype=torch.int64); print(torch.std_mean(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([3, 4], dtype=torch.int64); print(torch.norm(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); print(torch.norm(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([3, 4], dtype=torch.uint8); print(torch.norm(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    i = torch.tensor([6], dtype=torch.int64); a = torch.tensor(3.0897, dtype=torch.float16); print(torch.bitwise_and(i, a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    i = torch.tensor([6], dtype=torch.int64); a = torch.tensor(3.0897, dtype=torch.float16); print(torch.bitwise_or(i, a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    i = torch.tensor([6], dtype=torch.int64); a = torch.tensor(3.0897, dtype=torch.float16); print(torch.bitwise_xor(i, a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    i = torch.tensor([1], dtype=torch.int64); a = torch.tensor(3.0897, dtype=torch.float16); print(torch.bitwise_left_shift(i, a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    i = torch.tensor([8], dtype=torch.int64); a = torch.tensor(3.0897, dtype=torch.float16); print(torch.bitwise_right_shift(i, a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2], dtype=torch.int64); print(F.softmax(a, 0))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 2, 1], [2, 1, 2]], dtype=torch.int64); print(F.softmax(a, -2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2], dtype=torch.int64); print(torch.log_softmax(a, 0))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 2, 1], [2, 1, 2]], dtype=torch.int64); print(torch.log_softmax(a, -2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2], dtype=torch.int64); print(F.softmin(a, 0))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); print(F.softmin(a, 0))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 2, 1], [2, 1, 2]], dtype=torch.int64); print(F.softmin(a, -2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([3, 4], dtype=torch.int64); print(F.normalize(a, dim=0))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); print(F.normalize(a, dim=0))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([3, 4], dtype=torch.uint8); print(F.normalize(a, dim=0))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2, 4], dtype=torch.int64); print(torch.layer_norm(a, (3,)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2], dtype=torch.int64); b = torch.tensor([1, 1], dtype=torch.int64); print(F.mse_loss(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2], dtype=torch.int64); b = torch.tensor([1, 1], dtype=torch.int64); print(F.l1_loss(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); b = torch.tensor([True, True], dtype=torch.bool); print(F.l1_loss(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2], dtype=torch.uint8); b = torch.tensor([1, 1], dtype=torch.uint8); print(F.l1_loss(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([3], dtype=torch.int64); b = torch.tensor([1], dtype=torch.int64); print(F.smooth_l1_loss(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([3], dtype=torch.int64); b = torch.tensor([1], dtype=torch.int64); print(F.huber_loss(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([0], dtype=torch.int64); b = torch.tensor([1], dtype=torch.int64); print(F.binary_cross_entropy(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([2], dtype=torch.int64); b = torch.tensor([1], dtype=torch.int64); print(F.binary_cross_entropy_with_logits(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([0], dtype=torch.int64); b = torch.tensor([0], dtype=torch.int64); print(F.kl_div(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 0], dtype=torch.int64); b = torch.tensor([1, 1], dtype=torch.int64); print(torch.cosine_similarity(a, b, 0))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, False], dtype=torch.bool); b = torch.tensor([True, True], dtype=torch.bool); print(torch.cosine_similarity(a, b, 0))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 0], dtype=torch.uint8); b = torch.tensor([1, 1], dtype=torch.uint8); print(torch.cosine_similarity(a, b, 0))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[0, -1]], dtype=torch.int64); i = torch.tensor([0], dtype=torch.int64); print(F.nll_loss(a, i))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 2]], dtype=torch.int64); i = torch.tensor([0], dtype=torch.int64); print(F.cross_entropy(a, i))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[[True, True, True]]], dtype=torch.bool); b = torch.tensor([[[True, False]]], dtype=torch.bool); print(torch.conv1d(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[[[True, True, True], [True, True, True], [True, True, True]]]], dtype=torch.bool); b = torch.tensor([[[[True, True], [True, True]]]], dtype=torch.bool); print(torch.conv2d(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[[[[True, True], [True, True]], [[True, True], [True, True]]]]], dtype=torch.bool); b = torch.tensor([[[[[True, True], [True, True]], [[True, True], [True, True]]]]], dtype=torch.bool); print(torch.conv3d(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 3, 2, 4]], dtype=torch.int64); print(torch.max_pool1d(a, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[[True, False, False, False], [False, True, False, False], [False, False, True, False], [False, False, False, True]]], dtype=torch.bool); print(torch.max_pool2d(a, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[[[True, True], [True, True]], [[True, True], [True, True]]]], dtype=torch.bool); print(torch.max_pool3d(a, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, True, True, True]], dtype=torch.bool); print(torch.avg_pool1d(a, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[[True, False, False, False], [False, True, False, False], [False, False, True, False], [False, False, False, True]]], dtype=torch.bool); print(F.avg_pool2d(a, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[[[True, True], [True, True]], [[True, True], [True, True]]]], dtype=torch.bool); print(F.avg_pool3d(a, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1], [2], [4]], dtype=torch.int64); print(F.batch_norm(a, None, None, training=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 2, 4, 8]], dtype=torch.int64); print(F.group_norm(a, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[[1, 2, 4]]], dtype=torch.int64); print(F.instance_norm(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([3, 4], dtype=torch.int64); print(torch.rms_norm(a, (2,)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 0], [0, 1]], dtype=torch.int64); b = torch.tensor([[1, 0], [0, 1]], dtype=torch.int64); c = torch.tensor([[1, 0], [0, 1]], dtype=torch.int64); print(F.scaled_dot_product_attention(a, b, c))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 0], [0, 1]], dtype=torch.uint8); b = torch.tensor([[1, 0], [0, 1]], dtype=torch.uint8); c = torch.tensor([[1, 0], [0, 1]], dtype=torch.uint8); print(F.scaled_dot_product_attention(a, b, c))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[0, 0], [0, 0]], dtype=torch.int64); b = torch.tensor([1, 2], dtype=torch.int64); c = torch.tensor([1, 0], dtype=torch.int64); print(torch.addr(a, b, c, beta=0.8))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[0, 0], [0, 0]], dtype=torch.int64); b = torch.tensor([1, 2], dtype=torch.int64); c = torch.tensor([1, 0], dtype=torch.int64); print(torch.addr(a, b, c, alpha=0.8))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2], dtype=torch.int64); print(torch.logcumsumexp(a, 0))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 1], dtype=torch.int64); print(torch.nanmean(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); print(torch.nanmean(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 1], dtype=torch.uint8); print(torch.nanmean(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True, True], dtype=torch.bool); print(torch.kthvalue(a, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True, True], dtype=torch.bool); print(torch.nanmedian(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True, True], dtype=torch.bool); print(torch.nanmedian(a, 0))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2, 4], dtype=torch.int64); print(torch.quantile(a, 0.5))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 1, 4], dtype=torch.int64); print(torch.nanquantile(a, 0.5))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([False], dtype=torch.bool); i = torch.tensor([True], dtype=torch.bool); print(F.poisson_nll_loss(a, i))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[0, 0]], dtype=torch.int64); i = torch.tensor([1], dtype=torch.int64); print(F.multi_margin_loss(a, i))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[False, False]], dtype=torch.bool); b = torch.tensor([[True, True]], dtype=torch.bool); c = torch.tensor([[True, True]], dtype=torch.bool); print(F.triplet_margin_loss(a, b, c))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); b = torch.tensor([True, True], dtype=torch.bool); print(torch.pairwise_distance(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 0], [0, 1]], dtype=torch.int64); b = torch.tensor([[0, 0]], dtype=torch.int64); print(torch.cdist(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, False], [False, True]], dtype=torch.bool); b = torch.tensor([[False, False]], dtype=torch.bool); print(torch.cdist(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1.05, 0.0798], [0.0103, 1.0731]], dtype=torch.float16); b = torch.tensor([[0.0897, 0.0197]], dtype=torch.float16); print(torch.cdist(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 0], [0, 1]], dtype=torch.uint8); b = torch.tensor([[0, 0]], dtype=torch.uint8); print(torch.cdist(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2], dtype=torch.int64); b = torch.tensor([4, 6], dtype=torch.int64); print(torch.dist(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2], dtype=torch.uint8); b = torch.tensor([4, 6], dtype=torch.uint8); print(torch.dist(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[3, 4], [0, 0]], dtype=torch.int64); print(torch.renorm(a, 2, 0, 1.))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, True], [False, False]], dtype=torch.bool); print(torch.renorm(a, 2, 0, 1.))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[3, 4], [0, 0]], dtype=torch.uint8); print(torch.renorm(a, 2, 0, 1.))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True, True], dtype=torch.bool); print(torch.trapezoid(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True, True], dtype=torch.bool); print(torch.cumulative_trapezoid(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, True, True], [False, True, True]], dtype=torch.bool); print(torch.cov(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, True, True], [False, True, True]], dtype=torch.bool); print(torch.corrcoef(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[2, 0], [0, 4]], dtype=torch.int64); print(torch.inverse(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, False], [False, True]], dtype=torch.bool); print(torch.inverse(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[2.05, 0.0798], [0.0103, 4.0731]], dtype=torch.float16); print(torch.inverse(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[2.05, 0.0798], [0.0103, 4.0731]], dtype=torch.bfloat16); print(torch.inverse(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[2, 0], [0, 4]], dtype=torch.uint8); print(torch.inverse(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 2], [3, 4]], dtype=torch.int64); print(torch.det(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, True], [True, True]], dtype=torch.bool); print(torch.det(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1.05, 2.0798], [3.0103, 4.0731]], dtype=torch.float16); print(torch.det(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 2], [3, 4]], dtype=torch.uint8); print(torch.det(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[2, 0], [0, 4]], dtype=torch.int64); print(torch.logdet(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, False], [False, True]], dtype=torch.bool); print(torch.logdet(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[2.05, 0.0798], [0.0103, 4.0731]], dtype=torch.float16); print(torch.logdet(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[2.05, 0.0798], [0.0103, 4.0731]], dtype=torch.bfloat16); print(torch.logdet(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[2, 0], [0, 4]], dtype=torch.uint8); print(torch.logdet(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 0], [0, 1]], dtype=torch.int64); print(torch.linalg.slogdet(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, False], [False, True]], dtype=torch.bool); print(torch.linalg.slogdet(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1.05, 0.0798], [0.0103, 1.0731]], dtype=torch.float16); print(torch.linalg.slogdet(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1.05, 0.0798], [0.0103, 1.0731]], dtype=torch.bfloat16); print(torch.linalg.slogdet(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 0], [0, 1]], dtype=torch.uint8); print(torch.linalg.slogdet(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, True], [False, True]], dtype=torch.bool); print(torch.matrix_power(a, 3))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[2, 1], [1, 3]], dtype=torch.int64); print(torch.linalg.eigh(a + a.T))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[[True, False, False], [False, True, False], [False, False, True]], [[True, False, False], [False, True, False], [False, False, True]]], dtype=torch.bool); print(torch.linalg.eigh(a @ a.mT))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[2, 1], [1, 3]], dtype=torch.int64); print(torch.linalg.eigvalsh(a + a.T))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[[True, False, False], [False, True, False], [False, False, True]], [[True, False, False], [False, True, False], [False, False, True]]], dtype=torch.bool); print(torch.linalg.eigvalsh(a @ a.mT))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[2, 0], [0, 1]], dtype=torch.int64); print(torch.linalg.cholesky(a @ a.T))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, False], [False, True]], dtype=torch.bool); print(torch.linalg.cholesky(a @ a.T))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[2.05, 0.1], [0.3, 1.5]], dtype=torch.float16); print(torch.linalg.cholesky(a @ a.T))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[2, 0], [0, 1]], dtype=torch.uint8); print(torch.linalg.cholesky(a @ a.T))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[[True, False, False], [False, True, False], [False, False, True]], [[True, False, False], [False, True, False], [False, False, True]]], dtype=torch.bool); print(torch.linalg.cholesky(a @ a.mT))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, True], [True, True]], dtype=torch.bool); print(torch.linalg.cholesky(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[2, 0], [0, 1]], dtype=torch.int64); print(torch.linalg.cholesky_ex(a @ a.T))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, False], [False, True]], dtype=torch.bool); print(torch.linalg.cholesky_ex(a @ a.T))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[2.05, 0.1], [0.3, 1.5]], dtype=torch.float16); print(torch.linalg.cholesky_ex(a @ a.T))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[2, 0], [0, 1]], dtype=torch.uint8); print(torch.linalg.cholesky_ex(a @ a.T))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, True], [True, True]], dtype=torch.bool); print(torch.linalg.cholesky_ex(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1], [1]], dtype=torch.int64); b = torch.tensor([[1, 0], [0, 1]], dtype=torch.int64); print(torch.cholesky_solve(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[2, 0], [1, 1]], dtype=torch.int64); print(torch.cholesky_inverse(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[3, 0], [4, 5]], dtype=torch.int64); print(torch.linalg.svd(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, False], [True, True]], dtype=torch.bool); print(torch.linalg.svd(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[3.05, 0.0798], [4.0103, 5.0731]], dtype=torch.float16); print(torch.linalg.svd(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[3, 0], [4, 5]], dtype=torch.uint8); print(torch.linalg.svd(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[3, 0], [4, 5]], dtype=torch.int64); print(torch.linalg.svdvals(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, False], [True, True]], dtype=torch.bool); print(torch.linalg.svdvals(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[3.05, 0.0798], [4.0103, 5.0731]], dtype=torch.float16); print(torch.linalg.svdvals(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[3, 0], [4, 5]], dtype=torch.uint8); print(torch.linalg.svdvals(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[3, 1], [4, 2]], dtype=torch.int64); print(torch.linalg.qr(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, True], [True, True]], dtype=torch.bool); print(torch.linalg.qr(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[3.05, 1.0798], [4.0103, 2.0731]], dtype=torch.float16); print(torch.linalg.qr(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[3, 1], [4, 2]], dtype=torch.uint8); print(torch.linalg.qr(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 0], [0, 1]], dtype=torch.int64); b = torch.tensor([1, 1], dtype=torch.int64); print(torch.linalg.solve(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, False], [False, True]], dtype=torch.bool); b = torch.tensor([True, True], dtype=torch.bool); print(torch.linalg.solve(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1.05, 0.0798], [0.0103, 1.0731]], dtype=torch.float16); b = torch.tensor([1.0897, 1.0197], dtype=torch.float16); print(torch.linalg.solve(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 0], [0, 1]], dtype=torch.uint8); b = torch.tensor([1, 1], dtype=torch.uint8); print(torch.linalg.solve(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[2, 0], [1, 1]], dtype=torch.int64); b = torch.tensor([[1], [1]], dtype=torch.int64); print(torch.linalg.solve_triangular(a, b, upper=False))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([3, 4], dtype=torch.int64); print(torch.linalg.vector_norm(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); print(torch.linalg.vector_norm(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([3, 4], dtype=torch.uint8); print(torch.linalg.vector_norm(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 0], [0, 1]], dtype=torch.int64); print(torch.linalg.matrix_norm(a, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, False], [False, True]], dtype=torch.bool); print(torch.linalg.matrix_norm(a, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 0], [0, 1]], dtype=torch.uint8); print(torch.linalg.matrix_norm(a, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[2, 0], [0, 1]], dtype=torch.int64); print(torch.linalg.cond(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, False], [False, True]], dtype=torch.bool); print(torch.linalg.cond(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[2.05, 0.0798], [0.0103, 1.0731]], dtype=torch.float16); print(torch.linalg.cond(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[2, 0], [0, 1]], dtype=torch.uint8); print(torch.linalg.cond(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 1], [1, 1]], dtype=torch.int64); print(torch.linalg.matrix_rank(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 0], [0, 2], [0, 0]], dtype=torch.int64); print(torch.linalg.pinv(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, False], [False, True], [False, False]], dtype=torch.bool); print(torch.linalg.pinv(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 0], [0, 2], [0, 0]], dtype=torch.uint8); print(torch.linalg.pinv(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 0], [0, 1]], dtype=torch.int64); print(torch.pinverse(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, False], [False, True]], dtype=torch.bool); print(torch.pinverse(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 0], [0, 1]], dtype=torch.uint8); print(torch.pinverse(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 0], [1, 1], [1, 2]], dtype=torch.int64); b = torch.tensor([[1], [2], [4]], dtype=torch.int64); print(torch.linalg.lstsq(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[0, 0], [0, 0]], dtype=torch.int64); print(torch.matrix_exp(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[False, False], [False, False]], dtype=torch.bool); print(torch.matrix_exp(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[0, 0], [0, 0]], dtype=torch.uint8); print(torch.matrix_exp(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 2], [3, 4]], dtype=torch.int64); print(torch.linalg.lu(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 2], [3, 4]], dtype=torch.int64); print(torch.linalg.lu_factor(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, False, False], dtype=torch.bool); b = torch.tensor([False, True, False], dtype=torch.bool); print(torch.linalg.cross(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); b = torch.tensor([True, True], dtype=torch.bool); print(torch.vdot(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2], dtype=torch.int64); b = torch.tensor([3, 4], dtype=torch.int64); print(torch.linalg.vecdot(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); b = torch.tensor([True, True], dtype=torch.bool); print(torch.linalg.vecdot(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 2], dtype=torch.uint8); b = torch.tensor([3, 4], dtype=torch.uint8); print(torch.linalg.vecdot(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, False], [False, True]], dtype=torch.bool); b = torch.tensor([[True, False], [False, True]], dtype=torch.bool); print(torch.linalg.multi_dot([a, b]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, False], [False, True]], dtype=torch.bool); b = torch.tensor([[True, False], [False, True]], dtype=torch.bool); print(torch.chain_matmul(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[False]], dtype=torch.bool); b = torch.tensor([[[True, True]]], dtype=torch.bool); c = torch.tensor([[[True], [True]]], dtype=torch.bool); print(torch.addbmm(a, b, c))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); i = torch.tensor([0, 0], dtype=torch.int64); b = torch.tensor([True, True], dtype=torch.bool); print(torch.index_reduce(a, 0, i, b, 'prod'))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([0, 1, 3], dtype=torch.int64); print(torch.histc(a, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([False, True, True], dtype=torch.bool); print(torch.histc(a, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True, True], dtype=torch.bool); b = torch.tensor([True], dtype=torch.bool); print(torch.searchsorted(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True], dtype=torch.bool); b = torch.tensor([True, True, True], dtype=torch.bool); print(torch.bucketize(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True], dtype=torch.bool); b = torch.tensor([True], dtype=torch.bool); print(torch.isin(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True, True], dtype=torch.bool); print(torch.linalg.vander(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1.05, 2.0798, 3.0103], dtype=torch.float16); print(torch.linalg.vander(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1.05, 2.0798, 3.0103], dtype=torch.bfloat16); print(torch.linalg.vander(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([True, True, True], dtype=torch.bool); print(torch.gradient(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([1, 4, 1], dtype=torch.uint8); print(torch.gradient(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 3, 2, 4]], dtype=torch.int64); print(F.adaptive_max_pool1d(a, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]], dtype=torch.int64); print(F.adaptive_max_pool2d(a, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[3, 4]], dtype=torch.uint8); print(F.lp_pool1d(a, 2, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[[1, 1], [1, 1]]], dtype=torch.uint8); print(F.lp_pool2d(a, 2, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1, 3, 2, 4]], dtype=torch.int64); print(torch.adaptive_avg_pool1d(a, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]], dtype=torch.int64); print(F.adaptive_avg_pool2d(a, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[[1, 1], [1, 1]]], dtype=torch.int64); print(F.fold(a, (1, 3), (1, 2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[[True, True]]], dtype=torch.bool); b = torch.tensor([[[True, True]]], dtype=torch.bool); print(torch.conv_transpose1d(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[[[True, True], [True, True]]]], dtype=torch.bool); b = torch.tensor([[[[True, True], [True, True]]]], dtype=torch.bool); print(torch.conv_transpose2d(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[0, 0]], dtype=torch.int64); b = torch.tensor([[1, 0]], dtype=torch.int64); print(F.multilabel_soft_margin_loss(a, b))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[0, 0]], dtype=torch.int64); i = torch.tensor([[0, -1]], dtype=torch.int64); print(F.multilabel_margin_loss(a, i))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[True, True]], dtype=torch.bool); b = torch.tensor([[True, True]], dtype=torch.bool); c = torch.tensor([[[True, True], [True, True]]], dtype=torch.bool); print(torch.bilinear(a, b, c))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[[True, True], [True, True], [True, True]]], dtype=torch.bool); print(F.local_response_norm(a, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[0, 0], [3, 4]], dtype=torch.int64); print(torch.pdist(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[0.05, 0.0798], [3.0103, 4.0731]], dtype=torch.float16); print(torch.pdist(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([0, 2], dtype=torch.int64); print(F.rrelu(a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.median(m, keepdim=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.nanmedian(m, keepdim=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(m.mean(dtype=torch.float64, keepdim=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(m.sum(dtype=torch.float64, reduction="none"))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for c, a, b in [(m, m.long(), m), (m.long(), m, m), (m, m, m.long()), (m, m.long(), m.half()), (m.long(), m.long(), m)]:
        for f in (lambda: torch.addmm(c[:, :2], a[:, :2], b[:, :2]), lambda: torch.addmv(c[:, 0], a, b[0]), lambda: torch.baddbmm(c[None, :, :2], a[None, :, :2], b[None, :, :2]), lambda: torch.addbmm(c[:, :2], a[None, :, :2], b[None, :, :2])):
            try: f()
            except RuntimeError as e: print(e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    i = torch.ones(2, 2, dtype=torch.int64); print(torch.addmm(i, i, i, alpha=1.9, beta=2.5), torch.addbmm(i, i[None], i[None], alpha=1.7, beta=.2), torch.addr(i, i[0], i[0], alpha=2), torch.index_add(i, 0, torch.tensor([0]), i[:1], alpha=1.8))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.addr(torch.ones(1, 1, dtype=torch.int64), torch.tensor([1]), torch.tensor([2]), beta=0.8))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.linear(torch.ones(2, 2, dtype=torch.int64), torch.ones(2, 2), torch.ones(2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.layer_norm(torch.ones(2, 2, dtype=torch.int64), (2,), torch.ones(2), torch.ones(2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.LayerNorm(2, dtype=torch.float32)(torch.tensor([[1., 2.]]).half()).dtype, nn.GroupNorm(1, 2, dtype=torch.float32)(torch.tensor([[1., 2.]]).half()).dtype)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.soft_margin_loss(torch.ones(1), torch.ones(1, requires_grad=True)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True); b = torch.ones(3, 2, 1); c = torch.ones(3, 2, 2)
    print(a @ b, *(t.grad_fn.name() for t in (a @ c, a[0] @ c, a.detach() @ c.requires_grad_(), c @ a)))
    (a @ c).sum().backward(); print(a.grad, (a @ c).is_contiguous())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for v in ([-2., 0., 3.], [-2., 0., -0., 3.], [[-1., 0.], [2., -3.]], [[0., -1.], [-0., 4.]]):
        p = torch.tensor(v, requires_grad=True); p.prod().backward(); g = p.grad; p.grad = None; p.prod(-1).sum().backward(); print(g, p.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    p = torch.tensor([1.5, 2.], requires_grad=True); s = p[torch.tensor([0, 0])].std()
    g, = torch.autograd.grad(s, p, create_graph=True); print(g, torch.autograd.grad((g ** 2).sum(), p))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    p = torch.tensor([[1., math.nan], [2., 0.]], requires_grad=True); r = torch.aminmax(p, dim=0); (r.min + 2 * r.max).sum().backward(); print(r, p.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for f in (lambda: torch.lt(x, x, 'a'), lambda: torch.remainder(x, x, reduction="none"), lambda: torch.any(m, 0, foo=1), lambda: torch.any(m, keepdim=True, foo=1), lambda: torch.mm(m, m, None), lambda: torch.max(m, None), lambda: torch.min(m, 0, dtype=torch.float32), lambda: torch.pow(x, x, foo=1), lambda: torch.all(m, 0, True, foo=1)):
        try: f()
        except TypeError as e: print(e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    x = torch.tensor([True, False]); print((torch.square(x), x.square().dtype))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y = torch.tensor([-0.84], requires_grad=True); print(torch.autograd.grad(torch.cumprod(y, -1), y, create_graph=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    x = torch.tensor([[1., 2.], [0.5, 3.]]); print(F.cross_entropy(x, torch.tensor([0, 1]), ignore_index=0, reduction='none'))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    x = torch.tensor([0., -2., 1.3], requires_grad=True); g, = torch.autograd.grad(torch.tensor([-0.7]).fmod(x).sum(), x, create_graph=True); print((g, torch.autograd.grad((g**2).sum(), x) if g.requires_grad else None))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.inference_mode(): b = torch.ones(2)
    b.data.mul_(2); print(b, b.data.is_inference())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.sinc(torch.tensor([0., 1., 3., -2.], dtype=torch.float32)), torch.logaddexp2(torch.tensor([-1.], dtype=torch.float32), torch.tensor([-1.], dtype=torch.float32)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = torch.zeros(2, 2); s = torch.tensor([5., 6.], requires_grad=True)
    y = z.put(torch.tensor([3, 0]), s); print(y); (y * y).sum().backward(); print(s.grad)
    print(z.put_(torch.tensor([0, -1]), torch.tensor([1., 2.])), z.put(torch.tensor([0, 0]), torch.tensor([5., 6.]), accumulate=True), torch.put(z, torch.tensor([[1]]), torch.tensor([[7.]])))
    for i, t in ((torch.tensor([9]), torch.ones(1)), (torch.tensor([1.]), torch.ones(1)), (torch.tensor([1]), torch.ones(2)), (torch.tensor([1]), torch.ones(1, dtype=torch.int64))):
        try: z.put_(i, t)
        except (RuntimeError, IndexError) as e: print(str(e).replace('Double', 'Float'))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.cov(torch.tensor([1, 2, 4])), torch.corrcoef(torch.tensor([[1, 2], [4, 1]])), torch.diff(m > 2), torch.tensor([0, 3], dtype=torch.uint8).any(), torch.tensor([0, 3], dtype=torch.uint8).all(0))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.zeros(2, dtype=torch.long).scatter_reduce(0, torch.tensor([0, 0]), torch.tensor([1, 4]), "mean"))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.searchsorted(torch.tensor([False, True]), torch.tensor([1.])))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([2.]); t[..., 0] = t; print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for d in (torch.bfloat16, torch.float16): t = torch.tensor([-2., 3., .3, 1.0625], dtype=d); print((t + 1.089).tolist(), (3.3331 - t).tolist(), (t * 1.089).tolist(), (t / 1.0897).tolist(), torch.add(t, torch.tensor(1.089)).tolist(), torch.hypot(t, torch.tensor(3.3331)).tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(F.rms_norm(torch.tensor([[1e-3, -2e-3], [.5, .25]]), (2,)), F.rms_norm(torch.tensor([1e-3, -2e-3], dtype=torch.bfloat16), (2,)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for d in (torch.bfloat16, torch.float16):
        t, u = torch.tensor([-1.3, 0.2, 2.7, 0.9, -0.01], dtype=d), torch.tensor([1.3, 2.2, -0.7, 0.3, 2.], dtype=d)
        print(t ** 3, t ** -2, t.abs() ** 2.7, torch.add(t, u, alpha=0.3), torch.sub(t, u, alpha=-1.7), F.softsign(t))
        for f in (torch.std, torch.var, F.softsign):
            t = t.detach().requires_grad_(); y = f(t); y.backward(torch.full_like(y, 1.7)); print(y, t.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for d in (torch.float16, torch.bfloat16):
        a = torch.eye(2, dtype=d)
        for f in (torch.linalg.pinv, torch.linalg.inv_ex, lambda a: torch.linalg.norm(a, 2), lambda a: torch.linalg.matrix_norm(a, "nuc"), lambda a: torch.linalg.matrix_power(a, -1), torch.linalg.slogdet, torch.logdet):
            try: print(f(a))
            except (RuntimeError, NotImplementedError) as e: print(type(e).__name__, e)
            try: print(f(a[:1]))
            except (RuntimeError, NotImplementedError) as e: print(type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for f in (torch.bernoulli, torch.poisson, lambda a: torch.normal(a, a)):
        try: print(f(torch.tensor([1, 0])))
        except NotImplementedError as e: print(e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    o = torch.tensor(1.52); y = torch.tensor([[-1.1, 0.18, 1.0], [2.0, 0.8, 3.0]], dtype=torch.bfloat16); print(o/y, y/o, o*y, y*o, y.half()*o, o*y.half(), torch.xlogy(y, o), torch.xlogy(o, y), torch.special.xlog1py(o, y), 1.52*y, 1.52/y)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = torch.tensor([[-1.5, 2.75], [-0.8, 0.6]], dtype=torch.float64); t = torch.tensor([[0.0, 1.0], [1.0, 1.0]]); print(F.binary_cross_entropy_with_logits(z, t, pos_weight=torch.tensor(2.)), F.binary_cross_entropy_with_logits(z, t.half(), pos_weight=torch.tensor([2., 3.]), reduction='none'), F.binary_cross_entropy_with_logits(z, t, weight=torch.tensor(2., dtype=torch.float64), pos_weight=torch.tensor(2.)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = torch.full((6,), -1., dtype=torch.float64); print(torch.logaddexp2(a, a), torch.logaddexp(a, a + 0.3))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    x = torch.tensor([1., 2.], requires_grad=True); print(F.smooth_l1_loss(x, torch.zeros(2), beta=0.))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for a in ([[3., -float('inf')]], [[float('nan'), 1.]], [[1., 2.], [float('inf'), 1.]]):
        a = torch.tensor(a)
        for f in (torch.linalg.svdvals, torch.linalg.pinv, torch.linalg.matrix_rank, lambda a: torch.linalg.norm(a, 2)):
            try: print(f(a))
            except Exception as e: print(type(e).__name__, str(e)[:60])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
