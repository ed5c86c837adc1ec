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
    torch.set_printoptions(linewidth=40)
    t = torch.tensor(-5.021128742921206e-05, dtype=torch.float32)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([[-0.0, 3.0, -4.0], [0.0, float('nan'), 0.0]], dtype=torch.float16)
    t.requires_grad_()
    t = t*1
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([[14.0, -15.0, 20.0, -5.0, 5.0, 1.0, -18.0, -18.0, -4.0, -18.0, 2.0, -10.0, -19.0, -9.0, 3.0, 1.0, -9.0, -12.0, 19.0, 3.0, 4.0, 2.0, 3.0, 14.0, 8.0, -20.0, -18.0, 7.0, 12.0, 12.0], [-12.0, 12.0, 9.0, 14.0, -5.0, 19.0, -18.0, -1.0, 9.0, -19.0, -9.0, 4.0, -8.0, 17.0, 6.0, -1.0, 6.0, -2.0, -8.0, 5.0, 7.0, 11.0, 14.0, 12.0, -13.0, -18.0, -12.0, 9.0, -5.0, -19.0], [3.0, 2.0, 4.0, -19.0, -9.0, 19.0, -7.0, 15.0, -12.0, -1.0, 11.0, 14.0, -20.0, 9.0, 3.0, 15.0, -4.0, -6.0, 6.0, -20.0, -8.0, -3.0, -11.0, -12.0, -11.0, 8.0, 13.0, -4.0, 1.0, -11.0]], dtype=torch.float16)
    print(t.tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=2)
    t = torch.tensor([0.0], dtype=torch.float64)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(linewidth=120)
    t = torch.zeros((0, 3), dtype=torch.uint8)
    print(t.tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(edgeitems=5,linewidth=60)
    print(torch.zeros(2,0,2000))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(linewidth=40)
    t = torch.tensor([704677998.0, 688806632.0, 877103614.0, 342729067.0, 975958259.0, 595040159.0, 672757559.0, 313490789.0, 61233983.0, 213545813.0, 507657125.0, 977056502.0, 962331735.0, 345725781.0, 749105287.0, 236425579.0, 178378049.0, 399452122.0, 822713681.0, 562775176.0, 802108559.0, 401169486.0, 124771622.0, 484788462.0, 153507545.0, 548513418.0, 609839477.0, 377742480.0, 242139120.0, 799644418.0, 19713379.0, 246957983.0, 913561327.0, 736045740.0, 992153350.0, 878519537.0, 80205532.0, 265681869.0, 412376403.0, 951901325.0], dtype=torch.float16).requires_grad_()
    print({'a':t})
    print(f'{t.sum()}')
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=0)
    t = torch.tensor([[-1, -4, 1, 0, 0, 8, 3, 8, 2, -2, 5, -3, -2, 0, 2, -4, -2, 8, 3, -5, 3, 7, 7, 7, 3, 0, 2, 9, 4, 1], [1, 1, -3, -4, -5, -4, 0, -1, 4, 5, -1, -4, -3, -4, 2, 3, -3, -1, -2, 0, 2, 0, 6, -2, 0, 9, 6, -3, 0, 2], [-3, 5, 7, -3, 5, 4, 5, 8, 6, 2, 3, -5, -4, 5, -3, -5, 3, -2, 5, 9, -5, 4, 6, -2, 9, -2, 4, 8, 9, 6]], dtype=torch.int8)
    print({'a':t})
    print(f'{t.sum()}')
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([[[-0.0592601709617562, 895.93442580435, -396700470.9970809], [7.048341328483598e-07, 82.48235311331437, 4.3338735365902005e-05]]], dtype=torch.float16)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([227941905.0, 598184659.0, 898793978.0], dtype=torch.float16)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=8)
    t = torch.tensor([-4.0, -0.0, -0.0, 3.0, 3.0, 3.0, 0.0], dtype=torch.float64)
    t.requires_grad_()
    t = t*1
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=2)
    t = torch.zeros((2, 0), dtype=torch.float16)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=4,edgeitems=2)
    t = torch.zeros((0, 3), dtype=torch.float64).requires_grad_()
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=100000,linewidth=200)
    print(torch.full((40,40),float("nan")))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(edgeitems=5,linewidth=60)
    print(torch.arange(1200.).reshape(4,10,30))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=4,edgeitems=2)
    t = torch.tensor([[[4, 5], [6, 1]], [[-2, -5], [4, -1]]], dtype=torch.int8)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=8)
    t = torch.tensor([[[7, -5, 3], [1, 9, 8]]], dtype=torch.int64)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([[647001380.0, 736625804.0, 232473915.0], [426337846.0, 185722471.0, 963638683.0]], dtype=torch.float16)
    print({'a':t})
    print(f'{t.sum()}')
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(sci_mode=False)
    t = torch.tensor([[float('nan'), -float('inf'), float('inf')], [float('nan'), 1.5, float('inf')]], dtype=torch.float32)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(sci_mode=False)
    t = torch.tensor([[9.015293245179437e-06], [81293.83187418593], [-32172.65542072869]], dtype=torch.float32)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(profile="full")
    t = torch.zeros((0,), dtype=torch.bfloat16).requires_grad_()
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.zeros(2,1001,requires_grad=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(profile="short")
    t = torch.zeros((3, 0, 2), dtype=torch.int16)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(edgeitems=1)
    print(torch.zeros(2,1001,requires_grad=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=8)
    t = torch.zeros((3, 0, 2), dtype=torch.float16)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=4,edgeitems=2)
    t = torch.tensor(8, dtype=torch.int8)
    print({'a':t})
    print(f'{t.sum()}')
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=2)
    t = torch.tensor([[False, False, False], [True, True, True]], dtype=torch.bool)
    print([t,(t,)])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=0)
    t = torch.zeros((3, 0, 2), dtype=torch.float16)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(edgeitems=5,linewidth=60)
    print(torch.ones(10,101))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(profile="short")
    t = torch.zeros((0,), dtype=torch.float32)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(linewidth=40)
    t = torch.tensor([[[8.069131917191233e-06, 5.643573255657098e-05, 0.4375427847234077], [-62.26809249733984, 0.07166287184475509, 9.000196121718032]]], dtype=torch.float32).requires_grad_()
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(profile="short")
    t = torch.tensor([[20.0, -9.0, 5.0], [7.0, -7.0, -4.0]], dtype=torch.float16)
    t.requires_grad_()
    t = t*1
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(edgeitems=5,linewidth=60)
    print(torch.arange(1200.).reshape(1200,1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(edgeitems=5,linewidth=60)
    print(torch.linspace(0,1,1001))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(profile="short")
    t = torch.tensor(5, dtype=torch.int16)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([[[[1, 0, 2], [4, 5, 9]]], [[[7, 7, 9], [6, 4, 7]]]], dtype=torch.uint8)
    print([t,(t,)])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=2)
    t = torch.tensor([-float('inf'), 2.0, -0.0, 1.5, 1.5, -0.0, 1.5, float('inf'), 0.0, float('nan'), float('inf'), 0.0, 2.0, 1.5, -float('inf'), -float('inf'), -float('inf'), 0.0, 0.0, float('nan'), 2.0, 2.0, float('nan'), -0.0, 2.0], dtype=torch.bfloat16)
    t.requires_grad_()
    t = t*1
    print([t,(t,)])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.zeros((2, 0), dtype=torch.float64)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([float('inf'), float('nan'), float('nan'), 0.0, float('inf'), 0.0, 1.5, 1.5, 0.0, 0.0, 2.0, float('inf'), 1.5, 1.5, -float('inf'), 0.0, 1.5, 0.0, 1.5, float('nan'), 0.0, 1.5, float('nan'), 0.0, -float('inf')], dtype=torch.float16)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=4,edgeitems=2)
    t = torch.tensor([[[-7.0, -4.0], [-10.0, -7.0]], [[-10.0, -7.0], [15.0, -4.0]]], dtype=torch.bfloat16)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=5)
    t = torch.tensor([[[float('inf'), -float('inf')], [float('inf'), -float('inf')]], [[-float('inf'), float('nan')], [float('inf'), -0.0]]], dtype=torch.float64)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=2)
    t = torch.zeros((2, 0), dtype=torch.float32)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(profile="short")
    t = torch.zeros((2, 0), dtype=torch.bfloat16)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(sci_mode=True)
    t = torch.tensor(-3.480354, dtype=torch.float16)
    print(t.tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(sci_mode=True)
    t = torch.zeros((3, 0, 2), dtype=torch.float64)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(linewidth=40)
    t = torch.tensor([[86114140870, 307341149319, 870566851105], [757346863912, 419967594809, 822774061749]], dtype=torch.int64)
    print(t.tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=4,edgeitems=2)
    t = torch.tensor([1034.0003679479573], dtype=torch.bfloat16)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([527685812.0, 881108441.0, 227097355.0, 150071766.0, 753218683.0, 670871177.0, 403586639.0], dtype=torch.float64)
    t.requires_grad_()
    t = t*1
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=1,edgeitems=2)
    print(torch.arange(2000.))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(edgeitems=1)
    print(torch.linspace(0,1,1001))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([-4], dtype=torch.int64)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.arange(1200.).reshape(1200,1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=2)
    t = torch.tensor([[[-0.0, float('nan'), -0.0], [float('nan'), 0.0, 3.0]]], dtype=torch.float16).requires_grad_()
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(profile="short")
    t = torch.tensor([[0.0016982685022314148, 2999.4191197431564, 0.0005678103117690792], [-5.8611346248227815e-06, -3.0218611054483537e-06, 0.0068520661619291025]], dtype=torch.bfloat16)
    t.requires_grad_()
    t = t*1
    print({'a':t})
    print(f'{t.sum()}')
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(linewidth=120)
    t = torch.tensor([[[7, 8], [9, 4]], [[7, 7], [0, 3]]], dtype=torch.uint8)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([[float('nan')], [0.0], [-4.0]], dtype=torch.bfloat16)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(linewidth=120)
    t = torch.tensor([[[807501.5073249256, 8.685981256318044e-07, -36296.25325011969], [0.005028882580015566, 0.09970219813887171, -834976963.7259581]]], dtype=torch.bfloat16)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(profile="full")
    t = torch.tensor([[[False, False], [True, False]], [[False, False], [False, True]]], dtype=torch.bool)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(profile="full")
    t = torch.tensor([9, 2, 8, 2, 0, 4, 3], dtype=torch.uint8)
    print(t.tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(profile="full")
    t = torch.tensor([[[0.0, -4.0], [-4.0, -0.0]], [[-4.0, 3.0], [-0.0, float('nan')]]], dtype=torch.bfloat16)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(profile="short")
    t = torch.tensor([-2.587874, -0.824347, -3.600195, -0.14235, -0.867, -4.958, -1.0451, -0.77428, 3.35, 1.01, -1.43874, -3.70994, -2.64, 4.2, 4.3, -2.1, 3.750433, 3.20675, -4.2222, -3.2863, -3.574, -0.361, 1.8054, 2.7258, -2.053349, 0.1444, -3.16, 2.6846, 1.2, -3.0, -2.86532, 0.18504, -4.508, -1.2, 1.992, 4.327, -3.30478, -0.684, -4.118, 0.1084], dtype=torch.bfloat16)
    t.requires_grad_()
    t = t*1
    print('t is', t, t.shape, t.dtype)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=2)
    t = torch.tensor([-1.703352, 3.219, -4.93], dtype=torch.float16)
    t.requires_grad_()
    t = t*1
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=5)
    t = torch.tensor([[False, False, True, False, False, True, False, False, True, False, False, True, True, False, False, True, True, False, False, False, False, True, True, False, False, True, False, True, False, True], [True, False, False, True, False, False, False, False, True, False, False, False, True, False, True, False, False, False, False, False, False, False, False, False, True, False, True, False, False, False], [True, True, False, False, True, False, True, False, False, False, True, True, False, False, False, False, True, True, True, True, False, False, False, True, True, False, True, True, True, True]], dtype=torch.bool)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=0)
    t = torch.tensor([[[-7.0, -5.0, 17.0], [-16.0, 12.0, 3.0]]], dtype=torch.float32)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=4,edgeitems=2)
    t = torch.tensor([[[2, 1, 7], [1, 1, 1]]], dtype=torch.uint8)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=8)
    t = torch.tensor([-14.0, 5.0, 3.0], dtype=torch.float64)
    t.requires_grad_()
    t = t*1
    print('t is', t, t.shape, t.dtype)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(linewidth=120)
    t = torch.zeros((3, 0, 2), dtype=torch.float64)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(sci_mode=True)
    t = torch.tensor([-4.0, -4.0, 3.0, 0.0, float('nan'), -4.0, 0.0], dtype=torch.float32).requires_grad_()
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(linewidth=120)
    t = torch.tensor([9, -4, 9], dtype=torch.int16)
    print('t is', t, t.shape, t.dtype)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=8)
    t = torch.zeros((2, 0), dtype=torch.float32)
    print([t,(t,)])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=1,edgeitems=2)
    print(torch.zeros(1001,2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(linewidth=40)
    t = torch.zeros((0,), dtype=torch.bfloat16)
    print([t,(t,)])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(profile="short")
    t = torch.tensor([True, True, True, True, False, True, True, False, False, False, False, False, True, True, True, True, False, False, True, True, False, False, True, False, False, True, True, False, False, False, False, False, True, False, True, True, True, False, True, True], dtype=torch.bool)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=8)
    t = torch.tensor([[[921679963.0, 884990575.0, 154604244.0], [770641538.0, 877937049.0, 546087725.0]]], dtype=torch.bfloat16)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=1,edgeitems=2)
    print(torch.arange(10**9,10**9+1500))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(edgeitems=5,linewidth=60)
    print(torch.arange(1500.,requires_grad=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=5)
    t = torch.tensor([True, True, True, True, False, True, False, False, False, False, False, True, False, True, True, True, False, False, True, True, True, False, True, False, False], dtype=torch.bool)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=0)
    t = torch.tensor([[7], [6], [-2]], dtype=torch.int16)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([[[92, 174], [136, 71]], [[249, 63], [47, 175]]], dtype=torch.uint8)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(sci_mode=False)
    t = torch.tensor([2.0, -float('inf'), 0.0, -float('inf'), -0.0, float('inf'), float('nan'), 2.0, -0.0, -float('inf'), -0.0, -0.0, -float('inf'), -float('inf'), float('nan'), 0.0, -0.0, 1.5, float('nan'), 2.0, 0.0, 2.0, -0.0, 2.0, -float('inf')], dtype=torch.float16)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=0)
    t = torch.tensor([[31], [139], [27]], dtype=torch.uint8)
    print(t.tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=0)
    t = torch.tensor([29729, -32266, 19241], dtype=torch.int16)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(linewidth=120)
    t = torch.tensor([[[1.2, -0.455, -0.95], [0.44, 0.268, -0.9]]], dtype=torch.float16)
    print(t.tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(linewidth=120)
    t = torch.tensor([True, False, False, False, True, False, True, True, True, False, True, True, True, True, True, False, False, False, False, False, False, False, False, False, True], dtype=torch.bool)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(edgeitems=1)
    print(torch.arange(2000))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(edgeitems=1)
    print(torch.zeros(2,0,2000))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.zeros((0,), dtype=torch.int32)
    print('t is', t, t.shape, t.dtype)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(sci_mode=False)
    t = torch.tensor(-0.032, dtype=torch.bfloat16)
    t.requires_grad_()
    t = t*1
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(linewidth=120)
    t = torch.tensor([4.4462], dtype=torch.float64)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(sci_mode=False)
    t = torch.tensor([130181200608, 18106280281, 965684742109, 80514913433, 454847301121, 607027020657, 113821027779], dtype=torch.int64)
    print([t,(t,)])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.arange(10**9,10**9+1500))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(edgeitems=1)
    print(torch.linspace(-1e6,1e6,1500))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([[[898772148.0, 402041292.0, 791589145.0], [34805478.0, 921899286.0, 763945079.0]]], dtype=torch.bfloat16)
    t.requires_grad_()
    t = t*1
    print({'a':t})
    print(f'{t.sum()}')
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=0)
    t = torch.tensor([[[81.22547789338871, -580845009.881715], [-3.413076321590092e-06, -467.46739618161627]], [[9750286.446967712, -90802477.78958474], [0.08729890890939268, -8990390.117078228]]], dtype=torch.float32)
    print(t.tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=5)
    t = torch.tensor([0.0004897999900094659, 0.0054879096374894475, -6803.546052786392], dtype=torch.bfloat16).requires_grad_()
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(linewidth=40)
    t = torch.zeros((2, 0), dtype=torch.int32)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=8)
    t = torch.zeros((0,), dtype=torch.int16)
    print({'a':t})
    print(f'{t.sum()}')
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=5,edgeitems=1)
    t = torch.tensor([[-3.0], [2.19], [-1.2]], dtype=torch.float16)
    print({'a':t})
    print(f'{t.sum()}')
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(profile="short")
    t = torch.tensor([[[[347973248.0, 113423881.0, 115070043.0], [795505067.0, 739751725.0, 608042391.0]]], [[[770966473.0, 751372746.0, 146528472.0], [644175344.0, 392428463.0, 213641039.0]]]], dtype=torch.float16)
    print([t,(t,)])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=2)
    t = torch.tensor([[4.15, 1.872, 4.353], [4.12, -0.66147, -0.06238]], dtype=torch.float64)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.linspace(0,1,1001))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=2)
    t = torch.zeros((0,), dtype=torch.float16)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([907821480.0, 880174255.0, 293342676.0, 370214091.0, 987535120.0, 954529977.0, 652254746.0, 630372854.0, 75821621.0, 481847864.0, 671265959.0, 592028839.0, 408740739.0, 240980972.0, 500875803.0, 90688191.0, 588775959.0, 596165021.0, 922974402.0, 645920282.0, 677317283.0, 881981841.0, 953836813.0, 527830257.0, 267122396.0], dtype=torch.float32)
    t.requires_grad_()
    t = t*1
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(linewidth=120)
    t = torch.tensor([float('inf'), float('nan'), -float('inf'), -float('inf'), 2.0, float('inf'), 0.0, 0.0, float('inf'), 0.0, float('nan'), -float('inf'), float('inf'), 0.0, -0.0, 2.0, 1.5, 2.0, float('nan'), float('inf'), 2.0, -float('inf'), 2.0, 0.0, 1.5, float('nan'), -float('inf'), float('nan'), 0.0, 2.0, 0.0, 0.0, 2.0, float('inf'), 2.0, 1.5, 1.5, -0.0, float('inf'), -0.0], dtype=torch.float16)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.arange(2000.))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.zeros((3, 0, 2), dtype=torch.int64)
    print('t is', t, t.shape, t.dtype)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=2)
    t = torch.tensor([[-1, -2, 8], [2, 5, 4]], dtype=torch.int64)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=2)
    t = torch.tensor([904.745479429469, 1015.5225077148009, 996.2536299811162, 1068.4808127413828, 1074.9855576063715, 1004.2630164615076, 1020.7734767825459], dtype=torch.float64)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=1,edgeitems=2)
    print(torch.arange(1500.,requires_grad=True)*2)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=5,edgeitems=1)
    t = torch.tensor(67, dtype=torch.int8)
    print(t.tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.eye(40))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=0)
    t = torch.tensor([[4, 7, -5], [2, 4, 8]], dtype=torch.int8)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.zeros((0, 3), dtype=torch.float64)
    print(t.tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=5)
    t = torch.zeros((3, 0, 2), dtype=torch.int32)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(linewidth=40)
    t = torch.tensor([[[3.0, -0.0], [3.0, 0.0]], [[-0.0, -4.0], [3.0, 3.0]]], dtype=torch.float64)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([True, False, False, True, False, False, True, False, True, True, True, False, True, False, False, True, True, True, True, True, True, False, False, True, False], dtype=torch.bool)
    print({'a':t})
    print(f'{t.sum()}')
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(edgeitems=5,linewidth=60)
    print(torch.zeros(2,1001,requires_grad=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=5,edgeitems=1)
    t = torch.zeros((0,), dtype=torch.float64)
    print(t.tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=5)
    t = torch.tensor([[[[-3, 5, 4], [5, -3, 5]]], [[[0, -5, 4], [7, 3, 7]]]], dtype=torch.int64)
    print(t.tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=1,edgeitems=2)
    print(torch.zeros(2,0,2000))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=5,edgeitems=1)
    t = torch.tensor(False, dtype=torch.bool)
    print([t,(t,)])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(sci_mode=False)
    t = torch.tensor([680596151.0, 194191596.0, 986479798.0, 206080741.0, 349702019.0, 946489000.0, 870685125.0, 763998926.0, 568022109.0, 76427608.0, 149763191.0, 328722186.0, 57530830.0, 919119500.0, 688517503.0, 500357535.0, 329005418.0, 475859770.0, 593676474.0, 985256737.0, 856758110.0, 616302069.0, 682403354.0, 537054460.0, 274662081.0], dtype=torch.float64)
    t.requires_grad_()
    t = t*1
    print({'a':t})
    print(f'{t.sum()}')
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([[738134389.9020176, -69.57721627941271, -0.07795263487483316], [5.007357491113686, -9.336938786203277e-06, -31140.30670446184]], dtype=torch.float64)
    t.requires_grad_()
    t = t*1
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(edgeitems=1)
    print(torch.arange(1200.).reshape(1200,1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(linewidth=120)
    t = torch.tensor([[[[-0.3, -3.6, 4.4], [3.8, -4.209, 3.4]]], [[[-1.526, -3.75, -4.793], [3.4273, -1.56, -4.896]]]], dtype=torch.float16)
    print('t is', t, t.shape, t.dtype)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=4,edgeitems=2)
    t = torch.tensor(0.0, dtype=torch.float64)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=5,edgeitems=1)
    t = torch.tensor([5, 3, 6, 5, 2, 2, 9, 8, 9, 1, 5, 3, 3, 8, 6, 3, 9, 8, 6, 1, 4, 8, 1, 0, 1], dtype=torch.uint8)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=1,edgeitems=2)
    print(torch.arange(1001.)/3)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=2)
    t = torch.tensor([1077.3091333899051], dtype=torch.float16)
    print({'a':t})
    print(f'{t.sum()}')
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=4,edgeitems=2)
    t = torch.zeros((0, 3), dtype=torch.int32)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(edgeitems=5,linewidth=60)
    print(torch.zeros(1001,2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=5)
    t = torch.tensor([[980281486779, 776467821055, 602114196029], [572479393931, 47543553109, 198852817722]], dtype=torch.int64)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=8)
    t = torch.tensor([[-2], [-3], [-3]], dtype=torch.int16)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.zeros((0, 3), dtype=torch.float32)
    print({'a':t})
    print(f'{t.sum()}')
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(edgeitems=1)
    print(torch.arange(2400.).reshape(2,10,4,30))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([[6], [-1], [-3]], dtype=torch.int32)
    print([t,(t,)])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([[211397262.0], [959647820.0], [411483093.0]], dtype=torch.float64)
    t.requires_grad_()
    t = t*1
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(sci_mode=False)
    t = torch.tensor([[-14.0, -10.0, 5.0, -14.0, -2.0, -8.0, 0.0, 10.0, 10.0, 14.0, 19.0, -15.0, -8.0, 4.0, -20.0, -14.0, 12.0, 18.0, 17.0, 19.0, -9.0, 4.0, -19.0, 0.0, -19.0, 19.0, -1.0, 12.0, 4.0, 12.0], [10.0, 14.0, 5.0, 8.0, 17.0, 15.0, -17.0, 14.0, -11.0, 6.0, 3.0, 17.0, -19.0, 13.0, -7.0, -2.0, -2.0, -16.0, -19.0, -15.0, 2.0, 19.0, 17.0, 6.0, -1.0, -20.0, -3.0, -5.0, -16.0, -18.0], [-15.0, -1.0, 2.0, 18.0, 19.0, 15.0, -7.0, 10.0, 13.0, -15.0, -13.0, -5.0, 1.0, 14.0, 7.0, 5.0, -20.0, 4.0, 4.0, -9.0, 13.0, -7.0, 19.0, 0.0, 4.0, 0.0, -14.0, 15.0, 3.0, -5.0]], dtype=torch.float64)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1026.4071066447602, 1068.8678693112631, 1016.4950537366227, 909.9683728462927, 1094.4244377956943, 976.8254819098339, 1027.2625496010317], dtype=torch.float64)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(profile="short")
    t = torch.tensor([[951.8006840520151], [911.4730290574296], [1086.8229774681904]], dtype=torch.float16)
    print([t,(t,)])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([4, -4, 3, 3, 0, 8, 1, 7, 2, -5, -2, 4, -3, 0, 3, 9, -2, 7, 1, 8, -1, -4, -5, -3, 1, -3, 2, 7, 3, 3, -5, 3, 3, -4, -2, -3, 5, -2, 4, -3], dtype=torch.int16)
    print('t is', t, t.shape, t.dtype)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=0)
    t = torch.zeros((0,), dtype=torch.float64)
    print({'a':t})
    print(f'{t.sum()}')
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(profile="full")
    t = torch.tensor([[[983283592.0, 88813396.0], [138453777.0, 226042829.0]], [[620455727.0, 395193079.0], [847562946.0, 896767094.0]]], dtype=torch.float32)
    t.requires_grad_()
    t = t*1
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.arange(2000))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=5)
    t = torch.zeros((0, 3), dtype=torch.int64)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(sci_mode=False)
    t = torch.tensor([[[397092970.0, 762141779.0, 739616504.0], [604167810.0, 340173995.0, 112172504.0]]], dtype=torch.float16).requires_grad_()
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(sci_mode=True)
    t = torch.zeros((2, 0), dtype=torch.int64)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=2)
    t = torch.tensor([float('nan'), float('nan'), -0.0], dtype=torch.float32)
    t.requires_grad_()
    t = t*1
    print('t is', t, t.shape, t.dtype)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=1,edgeitems=2)
    print(torch.arange(1500.,requires_grad=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor(7, dtype=torch.int32)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.zeros((0, 3), dtype=torch.int32)
    print(t.tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=4,edgeitems=2)
    t = torch.zeros((2, 0), dtype=torch.uint8)
    print({'a':t})
    print(f'{t.sum()}')
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=2)
    t = torch.tensor(937.972453394981, dtype=torch.float32).requires_grad_()
    print(t.tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(sci_mode=True)
    t = torch.tensor([5689100.0], dtype=torch.bfloat16).requires_grad_()
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=0)
    t = torch.tensor([2, 3, 5, 5, 3, 2, 8, 3, 4, 5, 9, 8, 6, 8, 4, 0, 8, 5, 7, 5, 8, 1, 3, 7, 8, 9, 2, 0, 5, 3, 7, 8, 1, 9, 1, 3, 8, 1, 1, 8], dtype=torch.uint8)
    print({'a':t})
    print(f'{t.sum()}')
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(sci_mode=True)
    t = torch.tensor([[7, 3, -4, -4, -5, 2, -1, -1, 1, 2, -3, 9, 9, -2, 0, 3, 6, 2, 3, 2, 1, -4, 0, 9, 9, 5, -2, 8, 8, -3], [2, 3, 8, -2, -1, 0, -5, 8, 3, 0, -5, 4, -2, 0, -5, 8, -2, -1, -3, -4, -4, -4, -2, 6, 2, -1, -3, 9, -1, -3], [3, 1, 5, 7, 3, 3, 7, -2, 2, -4, 8, 8, 5, -5, 4, 7, -4, 5, 0, -4, -1, 3, 8, 9, 8, 5, 6, -2, 5, 2]], dtype=torch.int8)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(linewidth=40)
    t = torch.zeros((0,), dtype=torch.int16)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(edgeitems=1)
    print(torch.arange(2000.))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(linewidth=120)
    t = torch.tensor([4.0, -14.0, -1.0, -4.0, -1.0, -1.0, 3.0], dtype=torch.float16)
    t.requires_grad_()
    t = t*1
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=1,edgeitems=2)
    print(torch.linspace(0,1,1001))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=5)
    t = torch.tensor([153032523.0, 242653926.0, 737823133.0, 788733943.0, 744674309.0, 517175847.0, 371167950.0, 629636861.0, 766065811.0, 663172712.0, 902254601.0, 968428118.0, 811698938.0, 468697442.0, 15093829.0, 414913921.0, 761761651.0, 572808503.0, 547694480.0, 687012705.0, 501396804.0, 252619190.0, 70651939.0, 473742531.0, 844612255.0, 447765664.0, 569895804.0, 439074428.0, 983085353.0, 507985655.0, 324636140.0, 36243822.0, 481199470.0, 145044041.0, 48556395.0, 792278524.0, 356113818.0, 915843530.0, 267921476.0, 68683389.0], dtype=torch.float16)
    t.requires_grad_()
    t = t*1
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=5,edgeitems=1)
    t = torch.tensor([-0.0, -4.0, 0.0, 0.0, -4.0, 0.0, 0.0, 0.0, 3.0, float('nan'), -4.0, -4.0, 0.0, float('nan'), 0.0, 3.0, float('nan'), float('nan'), 3.0, float('nan'), float('nan'), 0.0, float('nan'), -4.0, 3.0, 3.0, 3.0, -0.0, -0.0, float('nan'), float('nan'), -4.0, -0.0, 3.0, 0.0, -0.0, float('nan'), 0.0, 3.0, 3.0], dtype=torch.float64)
    print([t,(t,)])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=5,edgeitems=1)
    t = torch.tensor([[1.0], [3.0], [-10.0]], dtype=torch.float16)
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(edgeitems=5,linewidth=60)
    print(torch.arange(2000.))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.zeros((2, 0), dtype=torch.int64)
    print({'a':t})
    print(f'{t.sum()}')
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(sci_mode=True)
    t = torch.zeros((3, 0, 2), dtype=torch.bool)
    print(t.tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(linewidth=120)
    t = torch.tensor([[437551924.0], [338014236.0], [333770693.0]], dtype=torch.bfloat16).requires_grad_()
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=1,edgeitems=2)
    print(torch.arange(1200).reshape(1,1,1200))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.arange(1200).reshape(40,30))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(threshold=100000,linewidth=200)
    print(torch.arange(1200).reshape(40,30))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    torch.set_printoptions(precision=100000)
    for t in torch.ones(2, dtype=torch.float64)*1.5, torch.tensor([1e-30, 1., 1e30], dtype=torch.float64), torch.tensor([float('nan'), 0.5]):
        text = repr(t)
        print(len(text), text.count('0'), text[:20], text[-8:])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
