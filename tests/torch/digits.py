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
    t=torch.tensor([-1.06, -1.59, -0.42]); print(t.sum().item(), t.mean().item(), t.abs().sum().item(), t.var().item(), t.std().item())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([-1.38, -1.73, -0.39]); u=torch.tensor([1.67, 1.2, 1.06]); print(t.add(u,alpha=.1).tolist(), t.sub(u,alpha=.3).tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([1.71, 1.32, 1.23],dtype=torch.float64); print(t.lerp(t*2,.3).tolist(), torch.log_softmax(t,0).tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([1.2, -1.23, -0.76, 0.51, 0.93]); print(t.sum().item(), t.mean().item(), t.abs().sum().item(), t.var().item(), t.std().item())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([1.42, 1.52, -1.65, 0.42, 0.69]); u=torch.tensor([0.02, -1.29, -0.11, -1.64, 1.74]); print(t.add(u,alpha=.1).tolist(), t.sub(u,alpha=.3).tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([-0.28, -1.35, -0.78, 1.25, -1.83],dtype=torch.float64); print(t.lerp(t*2,.3).tolist(), torch.log_softmax(t,0).tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([-1.81, 0.51, -0.88, 0.14, -0.12, -0.63, 1.99, -1.22]); print(t.sum().item(), t.mean().item(), t.abs().sum().item(), t.var().item(), t.std().item())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([-0.35, -1.19, 0.53, -0.89, -0.58, 0.99, -0.72, 0.23]); u=torch.tensor([1.62, -1.6, -1.75, -1.08, 1.06, 0.46, -1.05, -0.68]); print(t.add(u,alpha=.1).tolist(), t.sub(u,alpha=.3).tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([-1.82, -1.32, 1.13, -0.55, -0.84, -1.61, 1.93, -0.3, -1.17]); print(t.sum().item(), t.mean().item(), t.abs().sum().item(), t.var().item(), t.std().item())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([-1.76, -1.78, -1.33, 0.71, -1.4, -1.84, -0.04, -1.0, 1.99]); u=torch.tensor([-1.51, 0.12, 1.1, -0.36, 1.95, -0.09, -1.03, -0.36, -1.85]); print(t.add(u,alpha=.1).tolist(), t.sub(u,alpha=.3).tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([0.62, 1.16, 0.98, -0.02, -1.63, -1.16, 1.5, 1.6, 1.7],dtype=torch.float64); print(t.lerp(t*2,.3).tolist(), torch.log_softmax(t,0).tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([-0.65, 0.63, 1.2, 0.57, 1.26, 0.11, 0.62, 0.74, -0.93, 1.69, 1.83, -1.7, 1.88, 1.85, 0.67, -1.82]); print(t.sum().item(), t.mean().item(), t.abs().sum().item(), t.var().item(), t.std().item())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([1.6, -1.49, 1.87, 0.67, -1.76, -1.33, 0.54, 0.28, 0.99, 1.71, -1.13, -1.99, 1.69, -1.95, 1.51, -1.54]); u=torch.tensor([1.24, 1.13, 1.51, 0.2, 1.51, -1.19, 0.69, -0.68, 1.57, 1.09, -0.11, 0.11, -1.89, -1.86, 0.38, -0.04]); print(t.add(u,alpha=.1).tolist(), t.sub(u,alpha=.3).tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([-1.33, 1.5, -1.29, -1.4, -0.02, -0.65, 0.17, 1.62, 0.84, -1.98, -0.75, 0.18, -0.05, 0.86, -0.06, -1.7],dtype=torch.float64); print(t.lerp(t*2,.3).tolist(), torch.log_softmax(t,0).tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([-1.02, 1.39, -0.57, 1.07, 1.94, 0.51, 0.71, 0.44, -0.75, 1.65, -0.13, 1.65, -0.78, 1.47, 1.15, 0.45, -0.23, -1.44, 1.08, -0.55]); print(t.sum().item(), t.mean().item(), t.abs().sum().item(), t.var().item(), t.std().item())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([0.65, -1.47, -1.67, -1.42, 1.24, -1.29, 1.61, -0.51, 0.3, -0.6, 0.48, -1.63, -0.39, 1.74, -1.28, 0.62, -0.69, -0.8, -1.91, -1.92]); u=torch.tensor([1.8, 1.32, 1.2, 1.23, 1.81, -1.37, 0.34, -0.02, 0.3, 1.75, 1.04, 1.87, -1.53, 0.61, 0.7, 0.98, 0.47, 1.33, -0.79, 1.71]); print(t.add(u,alpha=.1).tolist(), t.sub(u,alpha=.3).tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([-1.35, 1.16, 0.72, 0.19, 1.84, -0.95, 0.1, -1.37, -1.61, -1.87, -0.73, -1.51, -1.75, 1.97, -0.84, 1.56, 0.81, 0.93, 0.62, 1.81],dtype=torch.float64); print(t.lerp(t*2,.3).tolist(), torch.log_softmax(t,0).tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([1.51, 0.88, 0.24, 0.78, 0.89, 0.21, 0.01, -1.38, 1.38, -0.06, -1.73, -1.33, 1.5, -0.98, -0.43, 0.73, 1.45, -0.69, -0.45, -0.31, -1.89, 1.51, -1.92, 1.84, -1.39, -1.37, 1.39, 1.29, -1.07, 0.21, -0.09, 0.87, -1.26]); print(t.sum().item(), t.mean().item(), t.abs().sum().item(), t.var().item(), t.std().item())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([1.3, 1.99, 0.83, 1.68, 1.75, -0.48, 1.39, 1.34, 0.35, -1.57, 0.48, 1.65, -0.78, 0.59, 1.59, 0.4, -1.85, 0.53, -0.98, 1.43, 0.65, -0.77, 1.58, 0.5, -0.64, 1.34, 1.57, 1.57, 1.53, 0.63, 0.79, 0.42, 0.11]); u=torch.tensor([1.95, -0.59, -1.67, 0.85, -0.01, 0.18, 0.39, -1.0, -1.2, -1.71, 1.13, 1.63, 0.79, -1.53, 1.91, 1.31, 0.04, -2.0, 1.38, 0.49, 0.49, -1.93, 0.93, -1.86, -0.09, -1.42, -0.56, 1.56, 0.99, 1.26, -0.81, -0.45, 0.42]); print(t.add(u,alpha=.1).tolist(), t.sub(u,alpha=.3).tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([-1.31, -1.14, 1.82, 1.81, 0.74, 1.91, -1.77, 1.61, 0.82, 0.67, 1.37, -1.58, -1.2, -1.45, -0.08, 0.18, 0.16, -0.55, 0.97, 1.35, 1.03, -1.85, -1.39, -1.12, -1.05, 0.3, -1.22, 0.5, -0.62, -0.55, 0.83, 1.78, -1.24],dtype=torch.float64); print(t.lerp(t*2,.3).tolist(), torch.log_softmax(t,0).tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([-0.61, 1.93, -1.15, -1.89, -1.24, 1.3, 0.93, 1.75, -0.01, -1.83, -0.78, 0.88, -0.43, -1.44, -0.5, -0.15, -0.58, -0.21, -1.45, -1.88, 1.13, 0.93, -0.33, -1.54, -0.82, 0.23, 1.58, -0.07, 1.89, 0.11, -1.28, 0.46, 0.4, 0.4, 0.9, -1.91, -0.25, 1.2, -1.45, -1.83, -1.27, -0.86, -0.26, -0.74, 0.54, -1.32, -0.62, 0.7, 0.18, 1.83, 1.74, -0.97, -0.66, 0.15, 0.18, -0.54, 1.45, -1.21, -0.12, -1.52, 1.53, 0.38, 1.95, -1.43, 0.84, 0.39, -1.79, 1.28, 1.5, -1.68]); print(t.sum().item(), t.mean().item(), t.abs().sum().item(), t.var().item(), t.std().item())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([1.77, 1.14, 0.42, 0.18, -0.95, -1.77, -0.1, 1.46, -1.16, -0.11, -0.87, 0.76, 1.84, 1.55, -0.85, -0.33, -1.99, 0.12, 1.41, 1.38, -1.71, -0.27, -1.68, -0.3, 1.65, -0.87, 1.38, 1.82, 1.27, -1.19, 1.67, 1.69, 1.99, -1.96, -1.99, -0.83, 0.07, -0.3, -1.63, 0.56, 0.67, 0.52, 0.04, 0.2, 0.76, -1.74, -0.26, -1.46, -1.58, 1.05, -0.7, -0.64, -0.89, 0.35, -1.53, 0.56, -1.72, 1.82, -1.37, 1.07, 0.18, -0.3, -0.78, -0.56, 1.04, 0.1, 0.15, -1.01, 0.5, -1.32]); u=torch.tensor([-0.07, 0.61, 0.18, 0.32, 0.28, -1.22, 1.83, 0.74, 0.9, 1.82, -0.19, -0.67, -0.78, -0.73, -0.8, -0.74, -1.16, -0.06, -0.83, -0.53, 0.65, -0.74, 1.45, 1.19, -0.69, 1.34, -1.29, -1.62, 1.98, -1.87, -1.98, 1.47, -1.99, 0.62, 0.22, -1.11, -1.02, 1.87, -0.43, -1.03, -0.23, 0.93, -0.84, -1.64, 1.16, -1.62, -1.78, -1.98, 1.97, -0.26, 0.95, 0.23, 1.9, -0.63, -0.6, 0.73, -2.0, -0.55, 1.04, 0.29, -0.04, 1.75, -0.27, 0.92, -0.43, -1.65, -0.45, -1.16, -1.89, -0.86]); print(t.add(u,alpha=.1).tolist(), t.sub(u,alpha=.3).tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([0.25, 1.52, -0.85, 1.71, 1.25, -1.37, 1.11, 1.74, 1.85, 0.77, -0.44, 0.18, 0.6, 0.45, -1.24, 1.54, 0.16, -1.71, -0.78, -1.68, -0.16, -1.62, 0.12, -0.89, 1.31, 1.08, -1.25, 1.25, 0.33, -0.92, 1.64, -1.97, -0.4, 0.39, -1.35, -0.03, 1.54, -0.63, 0.83, -1.24, 1.9, 1.86, -1.34, 1.06, -0.66, -1.87, -1.16, 0.92, -0.14, 0.12, -1.49, -1.31, -0.54, 0.05, 1.28, -0.2, -0.69, 1.65, 0.76, 1.02, 1.22, -0.06, -0.96, -1.55, 0.63, 0.99, 1.61, 1.68, 0.01, -0.04],dtype=torch.float64); print(t.lerp(t*2,.3).tolist(), torch.log_softmax(t,0).tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    A=torch.arange(6.).reshape(2,3)*.1; print(A.sum(0).tolist(), A.sum(1).tolist(), A.mean(0).tolist(), A.sum().item())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([-2., -.5, 2.5]).requires_grad_(); t.digamma().sum().backward(); print(t.grad.tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.lerp(torch.tensor([[-.7, 1.09]]), torch.tensor([[-2.68, -.69]]), torch.tensor([[-3.]])).tolist(), torch.tensor([.3, .7, 1.3, 5.9]).rsqrt().tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=((torch.arange(1.,25).mul(37).remainder(11)-5)/8).view(2,4,3).requires_grad_(); v=((torch.arange(1.,25).mul(23).remainder(13)-6)/16).view(2,4,3); w=torch.tensor([1.3,.7,-.2,.9],requires_grad=True); b=torch.tensor([.4,.2,-.1,.3],requires_grad=True); ys=[F.batch_norm(t,None,None,w,b,True),F.group_norm(t,2,w,b),F.instance_norm(t,None,None,w,b),F.layer_norm(t,(4,3),w.view(4,1).expand(4,3),b.view(4,1).expand(4,3)),F.batch_norm(t,None,None,w,None,True),F.group_norm(t,2,None,b),F.rms_norm(t,(3,))]; print([y.tolist() for y in ys], [torch.autograd.grad(y,t,v,retain_graph=True)[0].tolist() for y in ys], [[g.tolist() for g in torch.autograd.grad(y,(w,b),v)] for y in ys[:3]])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=((torch.arange(1.,67).mul(37).remainder(101)-50)/37).view(1,2,33).requires_grad_(); v=((torch.arange(1.,67).mul(53).remainder(101)-50)/37).view(1,2,33); w=torch.tensor([1.3,-.7],requires_grad=True); ys=[F.batch_norm(t,None,None,w,None,True),F.group_norm(t,1,w),F.layer_norm(t,(33,)),F.layer_norm(t,(2,33),w.view(2,1).expand(2,33))]; print([y.tolist() for y in ys], [torch.autograd.grad(y,t,v,retain_graph=True)[0].tolist() for y in ys])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([1.3,.7,-.2]).requires_grad_(); print(torch.autograd.grad((t**2).mean(),t,torch.tensor(.7))[0].tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([-2.3,-1.1,-.4,.3,.9,1.7,2.6]).requires_grad_(); v=torch.tensor([.3,-.7,1.1,.9,-1.3,.6,.2]); w=torch.tensor([.4,1.9,-.8,.7,1.3,-2.1,.6]).requires_grad_(); u=torch.tensor([.1,.3,.45,.6,.7,.8,.9]).requires_grad_(); fs=[torch.sigmoid,torch.tanh,F.silu,F.hardswish,F.hardsigmoid,lambda t:t**3,lambda t:t**-2,torch.exp2,torch.atan,lambda t:torch.atan2(t,w),lambda t:torch.hypot(t,w),lambda t:torch.addcmul(t,t,w,value=.3),lambda t:torch.addcdiv(t,w,u,value=.3),torch.rad2deg,lambda t:t.cumsum(0),lambda t:F.mse_loss(t,w),lambda t:F.binary_cross_entropy_with_logits(t,u)]; gs=[torch.logit,torch.special.entr,lambda u:u**.5,lambda u:u**-1,lambda u:F.binary_cross_entropy(u,u.detach()*.9),torch.log2,torch.sqrt]; print([(y.tolist(), torch.autograd.grad(y,x,v if y.dim() else None)[0].tolist()) for x,all in ((t,fs),(u,gs)) for f in all for y in [f(x)]])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    f=lambda *s: (torch.arange(1.,1+math.prod(s)).mul(37).remainder(101).sub(50)/37).reshape(s); A,B,W,b=f(6,7),f(7,5),f(5,7),f(5); print((A@B).tolist(), F.linear(A,W,b).tolist(), (A.T@A).tolist(), torch.bmm(f(2,3,4),f(2,4,5)).tolist(), (f(12,40)@f(40,9)).tolist())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    f=lambda *s: (torch.arange(1.,1+math.prod(s)).mul(37).remainder(101).sub(50)/17).reshape(s).requires_grad_(); t,v=f(3,9),f(3,9).detach().flip(0); c=torch.tensor([4,0,7]); ys=[F.softmax(t,1),F.log_softmax(t,1)]; print([y.tolist() for y in ys]+[torch.autograd.grad(y,t,v)[0].tolist() for y in ys]+[torch.autograd.grad(F.cross_entropy(t,c),t)[0].tolist()])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    f=lambda *s: (torch.arange(1.,1+math.prod(s)).mul(37).remainder(101).sub(50)/17).reshape(s).requires_grad_(); t,i=f(5,7),torch.tensor([[3,0],[-1,3]]); ys=[t[i],t[:,i],t[1,i],t.index_select(0,i.flatten()%5),F.embedding(i%5,t,padding_idx=3)]; print([y.tolist() for y in ys]+[torch.autograd.grad((y**2).sum(),t)[0].tolist() for y in ys])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
