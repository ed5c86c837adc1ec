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
    t=torch.tensor([1.,4.3,9.1,16.7,30.2])
    print(torch.gradient(t, spacing=0.37)[0].tolist())
    print(torch.gradient(t, spacing=0.37, edge_order=2)[0].tolist())
    print(torch.gradient(t, spacing=(torch.tensor([0.,1,3,4.5,7]),))[0].tolist())
    print(torch.gradient(t, spacing=(torch.tensor([0.,1,3,4.5,7]),),edge_order=2)[0].tolist())
    x=t.clone().requires_grad_()
    print(torch.gradient(x)[0].grad_fn.name(), torch.gradient(x, spacing=(t,))[0].grad_fn.name())
    m=torch.arange(12.).view(3,4)**2
    print(torch.gradient(m, spacing=[3.,2.]))
    print(torch.gradient(m, spacing=2., dim=1))
    print(torch.gradient(m, spacing=(torch.tensor([0.,1,3]),torch.tensor([0.,2,3,5])), dim=(0,1)))
    for kw in [dict(spacing=[1.,2.,3.]),dict(edge_order=3),dict(spacing=[2.],dim=(0,1)), dict(dim=(0,0)),dict(spacing=(torch.ones(3,1),),dim=0), dict(spacing=(torch.tensor([0,1,2]),),dim=0)]:
        try: print(torch.gradient(m, **kw))
        except Exception as e: print(type(e).__name__, e)
    try: torch.gradient(torch.ones(1))
    except Exception as e: print(type(e).__name__, e)
    try: torch.gradient(torch.ones(2),edge_order=2)
    except Exception as e: print(type(e).__name__, e)
    try: print(torch.gradient(torch.arange(4)))
    except Exception as e: print(type(e).__name__, e)
    try: print(torch.gradient(torch.ones(())))
    except Exception as e: print(type(e).__name__, e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.asarray([1.,2.], requires_grad=True))
    c=torch.ones(2); print(torch.asarray(c) is c, torch.asarray(c,copy=True) is c)
    w=torch.ones(2,requires_grad=True); print(torch.asarray(w), torch.asarray(w,requires_grad=True))
    f=torch.tensor([1,2,3]); a=torch.tensor([0.2,0.3,0.5]); X=torch.tensor([[0.,2,7],[2,1,0]])
    print(torch.cov(X, fweights=f), torch.cov(X,aweights=a), torch.cov(X,correction=0,fweights=f,aweights=a))
    for kw in [dict(fweights=a),dict(aweights=f),dict(fweights=-f),dict(fweights=f[:2]),dict(aweights=a[:,None]),dict(fweights=f[:,None])]:
        try: print(torch.cov(X, **kw))
        except Exception as e: print(type(e).__name__, e)
    try:
        t=torch.ones(2); del t[0]
    except Exception as e: print(type(e).__name__, e)
    print(torch.zeros(7,3).fill_diagonal_(5, wrap=True))
    print(torch.zeros(2,7).fill_diagonal_(5, wrap=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    A=torch.tensor([[4.,1,0],[1,3,1],[0,2,5]]); LU,p=torch.linalg.lu_factor(A); B=torch.arange(6.).view(2,3)
    print(torch.linalg.lu_solve(LU,p,B,left=False), torch.linalg.lu_solve(LU,p,B.T,adjoint=True),torch.linalg.lu_solve(LU,p,B,left=False,adjoint=True))
    print(torch.repeat_interleave(torch.tensor([1,2]), output_size=3), torch.repeat_interleave(torch.tensor([5,6]), torch.tensor([1,2]), output_size=3),torch.repeat_interleave(torch.tensor([5,6]), 2, output_size=4))
    try: torch.repeat_interleave(torch.tensor([1.,2]))
    except Exception as e: print(type(e).__name__, e)
    print(torch.narrow_copy(torch.arange(6.),0,1,2), torch.nonzero_static(torch.tensor([1,0,2]),size=4), torch.nonzero_static(torch.tensor([1,0,2]),size=1,fill_value=7))
    print(torch.ones(2).is_conj(), torch.ones(2).is_neg(), torch.is_neg(torch.ones(1)), torch.ones(2).resolve_conj(), torch.ones(2).resolve_neg())
    e=torch.nn.EmbeddingBag.from_pretrained(torch.tensor([[1.,2],[3,4]])); print(e(torch.tensor([[1,0]])), e)
    for m in 'max','mean','min','sum','prod':
        print(torch.segment_reduce(torch.tensor([1.,2,3,4]), m, lengths=torch.tensor([2,0,2])), torch.segment_reduce(torch.tensor([[1.,2],[3,4]]), m, offsets=torch.tensor([0,1,2])))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.meshgrid(torch.arange(3.)))
    print(torch.meshgrid(torch.arange(2.), torch.arange(3.), indexing='xy'))
    print(torch.meshgrid([torch.arange(2.), torch.arange(3.)], indexing='xy'))
    print(torch.atleast_2d(torch.tensor(1.), torch.ones(2)), torch.atleast_1d([torch.tensor(1.), torch.ones(2)]), torch.atleast_3d(torch.tensor(2.)))
    print(torch.atleast_1d(torch.ones(2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
