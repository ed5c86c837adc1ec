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
    x=torch.arange(4.)
    for s in ([1],[4],(4,),[5],[1,2],[2,2],2,[0,4],[]):
        try: print(x.split(s), torch.split(x,s,0))
        except Exception as e: print(type(e).__name__, str(e)[:150])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t=torch.tensor([[1.,2,4,8],[10,20,40,80]])
    print(torch.gradient(t, spacing=(torch.tensor([0,2]), torch.tensor([0,3,6,9]))))
    print(torch.gradient(t, spacing=(torch.tensor([0.,2]), torch.tensor([0,3.,7,9]))))
    print(torch.gradient(t, spacing=(torch.tensor([0,2]), torch.tensor([0,3,7,9]))))
    print(torch.gradient(t, spacing=[3.,2.]))
    print(torch.gradient(t, spacing=2))
    print(torch.gradient(t, spacing=(torch.tensor([0,2]), torch.tensor([0,3,7,9])),edge_order=2) if False else 0)
    print(torch.gradient(torch.tensor([1,4,9,16]), spacing=(torch.tensor([0,1,3,4]),)))
    print(torch.gradient(torch.tensor([1,4,9,16.]), spacing=(torch.tensor([0,1,3,4]),), edge_order=2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a=torch.tensor([1.,2,3],requires_grad=True); b=a+2
    print(torch.asarray(b)); print(torch.asarray(b,requires_grad=True)); print(torch.asarray(a)); print(torch.asarray(a,requires_grad=True))
    print(torch.asarray(b,copy=True)); c=torch.asarray(b); print(c is b, c.data_ptr()==b.data_ptr())
    d=torch.asarray(a, requires_grad=True); print(d is a); print(torch.asarray([1,2.])); print(torch.asarray(a,dtype=torch.float64))
    print(torch.asarray(b,dtype=torch.float64,requires_grad=True))
    t=torch.ones(2); print(torch.asarray(t) is t)
    print(torch.asarray(3).dtype)
    print(torch.asarray(b,requires_grad=False)); e=torch.asarray(a,requires_grad=False); print(e, a, e is a, a.requires_grad)
    a=torch.tensor([1.,2,3],requires_grad=True); e=torch.asarray(a,copy=True,requires_grad=False); print(e, a, e is a)
    e=torch.asarray(a,copy=True); print(e)
    e=torch.asarray([1.,2],requires_grad=True); print(e)
    n=torch.ones(2); e=torch.asarray(n,requires_grad=True); print(n,e is n)
    n=torch.ones(2); e=torch.asarray(n,requires_grad=True,copy=True); print(n,e)
    n=torch.ones(2); e=torch.asarray(n,requires_grad=True,dtype=torch.float64); print(n,e)
    try: print(torch.asarray(n,dtype=torch.float64,copy=False))
    except Exception as e: print(type(e).__name__,e)
    try: print(torch.asarray([1.],copy=False))
    except Exception as e: print(type(e).__name__,e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import random
    random.seed('x'); print(random.random(), random.randint(0,9))
    print(random.Random('a').random())
    random.seed('hello wörld'); print(random.random())
    random.seed(''); print(random.random())
    r=random.Random(); r.seed('zz'*100); print(r.random(), r.sample(range(10),3))
    random.seed(1.5); print(random.random())
    random.seed(-3); print(random.random())
    random.seed(2**70); print(random.random())
    random.seed(True); print(random.random())
    try: random.seed((1,2)); 
    except TypeError as e: print(e)
    try: random.seed([1,2]); 
    except TypeError as e: print(e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.utils.data import Dataset, DataLoader, TensorDataset, Subset
    class D(Dataset):
        def __getitem__(self,i): return i*10., i
        def __len__(self): return 3
    for b in DataLoader(D(),batch_size=None): print(b)
    class D(Dataset):
        def __getitem__(self,i): return torch.tensor(i*10.), {'a':i,'s':'x'}, None if i<0 else [i]
        def __len__(self): return 3
    for b in DataLoader(D(),batch_size=None): print(b)
    class D(Dataset):
        def __getitem__(self,i): return np.ones(2), np.float32(3), i
        def __len__(self): return 1
    for b in DataLoader(D(),batch_size=None): print(b)
    for b in DataLoader(TensorDataset(torch.ones(2)),batch_size=None): print(b)
    class D(Dataset):
        def __getitem__(self,i): return i
        def __getitems__(self,l): print(l); return [i*2 for i in l]
        def __len__(self): return 5
    for b in DataLoader(D(),batch_size=2): print(b)
    for b in DataLoader(D(),batch_size=None): print(b)
    for b in DataLoader(Subset(D(),[0,4,2]),batch_size=2): print(b)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a,b,c,d=[torch.ones(1,requires_grad=True) for _ in range(4)]
    e=a*b; f=c*d; g=(e*f).sum()
    torch.autograd.graph.register_multi_grad_hook((a,b,c,d),lambda gs: print([x is not None for x in gs]))
    g.backward(retain_graph=True)
    g.backward(inputs=(a,),retain_graph=True)
    g.backward(inputs=(e,),retain_graph=True)
    torch.autograd.graph.register_multi_grad_hook((a,b),lambda gs: print('any',gs),mode='any')
    print(g.backward(inputs=(b,)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    p=torch.nn.Parameter(torch.ones(2)); o=torch.optim.SGD([p],lr=.1)
    o.register_step_pre_hook(lambda o,a,k: print(len(a), a and a[0] is o, list(k)))
    o.register_step_post_hook(lambda o,a,k: print('post',len(a), a and a[0] is o, list(k)))
    p.sum().backward(); o.step()
    def cl(): 
        print('closure'); return p.sum()
    o.step(cl)
    o.step(closure=cl)
    h=o.register_step_pre_hook(lambda o,a,k: ((o,cl),{}))
    o.step(); h.remove()
    h=o.register_step_pre_hook(lambda o,a,k: 3)
    try: o.step()
    except Exception as e: print(type(e).__name__, str(e)[-50:])
    h.remove()
    s=o.register_state_dict_pre_hook(lambda o: print('pre'))
    o.register_state_dict_post_hook(lambda o,d: print('pst',list(d)))
    d=o.state_dict()
    o.register_load_state_dict_pre_hook(lambda o,d: print('lpre',list(d)))
    o.register_load_state_dict_post_hook(lambda o: print('lpost'))
    print(o.load_state_dict(d))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import copy
    from collections import OrderedDict, defaultdict, Counter
    m=torch.nn.Linear(1,1)
    print(type(copy.deepcopy(m.state_dict())), type(copy.copy(m.state_dict())), type(m.state_dict().copy()))
    o=OrderedDict(a=[1]); p=copy.deepcopy(o); p['a'].append(2); print(o,p)
    q=copy.deepcopy(defaultdict(list,{'a':[1]})); q['z'].append(1); print(q)
    print(copy.deepcopy(Counter('abca')), type(copy.deepcopy(Counter('abca'))))
    from collections import deque, namedtuple
    print(copy.deepcopy(deque([1,2],maxlen=3)))
    P=namedtuple('P','x y'); print(copy.deepcopy(P([1],2)))
    class D(dict): pass
    d=D(a=1); d.z=[3]; e=copy.deepcopy(d); print(type(e).__name__, e, e.z)
    class L(list): pass
    print(type(copy.deepcopy(L([1]))).__name__)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    o,z=torch.ones(2),torch.zeros(2)
    b=nn.BatchNorm1d(2)
    print(b.load_state_dict({'weight':o,'bias':z,'running_mean':z,'running_var':o}))
    print(b.num_batches_tracked)
    s=nn.Sequential(nn.Linear(2,2),nn.BatchNorm1d(2))
    d=s.state_dict(); print(d._metadata)
    del d['1.num_batches_tracked']
    try: s.load_state_dict(d)
    except RuntimeError as e: print(e)
    print(s.load_state_dict(dict(d)))
    try: print(b.load_state_dict({'weight':o,'bias':z,'running_mean':z}))
    except RuntimeError as e: print(e)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    @torch.compiler.disable
    def f(x): return x+1
    print(f(1))
    @torch.compiler.disable(recursive=False)
    def f(x): return x+1
    print(f(1))
    m=nn.Linear(2,2); m.compile(); print(m(torch.ones(2)).shape)
    print(m.share_memory() is m)
    print(m.type(torch.float64).weight.dtype)
    s=nn.Sequential(nn.Linear(2,2),nn.Sequential(nn.ReLU()))
    s.set_submodule('1.0',nn.Tanh()); print(s)
    try: s.set_submodule('',nn.Tanh())
    except Exception as e: print(type(e).__name__,e)
    try: s.set_submodule('1.7',nn.Tanh(),strict=True)
    except Exception as e: print(type(e).__name__,e)
    s.set_submodule('1.7',nn.Tanh()); print(s)
    try: s.set_submodule('9.7',nn.Tanh())
    except Exception as e: print(type(e).__name__,e)
    class L(nn.modules.loss._Loss):
        def __init__(self,reduction='mean'): super().__init__(reduction=reduction)
        def forward(self,x,y): return (x-y).abs().sum() if self.reduction=='sum' else (x-y).abs().mean()
    print(L('sum')(torch.ones(2),torch.zeros(2)), L())
    class W(nn.modules.loss._WeightedLoss):
        pass
    print(W(torch.ones(2)).weight, list(W(torch.ones(2)).state_dict()))
    print(isinstance(nn.MSELoss(),nn.modules.loss._Loss), isinstance(nn.CrossEntropyLoss(),nn.modules.loss._WeightedLoss))
    print(torch.compiler.is_compiling())
    class N(nn.Module):
        def __init__(self): super().__init__(); self.register_buffer('b',torch.ones(1))
        def __delattr__(self,n): print('del',n); super().__delattr__(n)
    n=N(); del n.b; print(hasattr(n,'b'))
    print(s.state_dict()._metadata)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import torch.distributions as D
    print(D.Multinomial(4, torch.ones(3)).entropy())
    print(D.Multinomial(3, torch.tensor([[.1,.9],[.5,.5]])).entropy())
    print(torch.ones(2).polygamma(1))
    torch.manual_seed(0); print(torch.empty(3,dtype=torch.long).random_())
    print(torch.empty(3).random_()); print(torch.empty(3,dtype=torch.int32).random_(), torch.empty(3,dtype=torch.uint8).random_(),torch.empty(3,dtype=torch.bool).random_(),torch.empty(3,dtype=torch.float64).random_(),torch.empty(3,dtype=torch.float16).random_())
    print(nn.Linear(2, 2, 3))
    with torch.no_grad(): pass
    print(nn.Conv1d(1,1,1,bias=3))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    l=nn.Linear(2,2)
    del l.bias
    try: print(l(torch.ones(2)))
    except AttributeError as e: print(e)
    l.bias=None
    try: l.register_parameter('bias',None)
    except KeyError as e: print(e)
    l=nn.Linear(2,2); del l.bias; l.register_parameter('bias',None); print(l.bias, l)
    try: l(x=torch.ones(2))
    except TypeError as e: print(e)
    for m in (nn.ReLU(),nn.Conv1d(1,1,1),nn.LSTM(1,1),nn.MSELoss(),nn.Sequential(nn.ReLU()),nn.Softmax(0),nn.Embedding(2,2)):
        try: m(x=torch.ones(2))
        except TypeError as e: print(e)
        try: m(torch.ones(2),y=torch.ones(2))
        except TypeError as e: print(e)
    print(nn.ReLU()(input=torch.ones(2)))
    class M(nn.Module): pass
    m=M()
    m.register_buffer('b',None); m.b=torch.ones(2)
    try: m.b=3
    except TypeError as e: print(e)
    print(m.state_dict())
    m.register_parameter('p',None)
    try: m.p=torch.ones(2)
    except TypeError as e: print(e)
    m.p=nn.Parameter(torch.ones(1)); print(m.p, list(m._parameters))
    m.p=None; print(list(m._parameters), list(m._buffers))
    m.b=None; print(m._buffers)
    m.l=nn.ReLU()
    try: m.l=3
    except TypeError as e: print(e)
    m.l=None; print(m, m._modules)
    del m.b
    try: m.b
    except AttributeError as e: print(e)
    m.b=7; print(m.b)
    try: del m.zz
    except AttributeError as e: print(e)
    m._buffers['q']=torch.ones(1); print(m.state_dict())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class M(nn.Module):
        def __init__(self): super().__init__(); self.l=nn.Linear(1,1); self.n=5
        def get_extra_state(self): return {'n':self.n}
        def set_extra_state(self,s): print('set',s); self.n=s['n']
    m=M(); d=m.state_dict(); print(list(d), d['_extra_state'])
    s=nn.Sequential(M()); d=s.state_dict(); print(list(d)); d['0._extra_state']={'n':9}; print(s.load_state_dict(d), s[0].n)
    del d['0._extra_state']
    try: s.load_state_dict(d)
    except RuntimeError as e: print(e)
    try: nn.Sequential(nn.ReLU()).load_state_dict({'0._extra_state':1})
    except RuntimeError as e: print(e)
    m=nn.Sequential(nn.Linear(1,1))
    m.register_state_dict_pre_hook(lambda *a: print('pre',len(a),a[1:]))
    m[0].register_state_dict_pre_hook(lambda m,p,k: print('pre0',p,k))
    m.register_state_dict_post_hook(lambda m,d,p,l: print('post',list(d),p,l))
    h=m[0]._register_state_dict_hook(lambda m,d,p,l: print('hook',list(d),p,l))
    m.register_load_state_dict_pre_hook(lambda m,d,p,l,s,mi,u,e: print('lpre',list(d),p,l,s,mi,u,e))
    def fix(m,d,p,*a):
        for k in list(d):
            if k.startswith(p+'w_old'): d[p+'weight']=d.pop(k)
    m[0].register_load_state_dict_pre_hook(fix)
    m.register_load_state_dict_post_hook(lambda m,k: print('lpost',k))
    d=m.state_dict(); print(list(d)); h.remove(); 
    d['0.w_old']=d.pop('0.weight')*0+7
    print(m.load_state_dict(d)); print(m[0].weight)
    m.register_load_state_dict_post_hook(lambda m,k: k.missing_keys.clear())
    print(m.load_state_dict({'0.bias':torch.ones(1)}))
    class O(nn.Linear):
        def _save_to_state_dict(self,d,p,k): super()._save_to_state_dict(d,p,k); d[p+'extra']=torch.ones(1)
        def _load_from_state_dict(self,d,p,*a): print('load',p,len(a)); d.pop(p+'extra',None); super()._load_from_state_dict(d,p,*a)
    m=nn.Sequential(O(1,1)); d=m.state_dict(); print(list(d)); print(m.load_state_dict(d))
    def ren(m,d,p,l):
        for k in list(d): d['x.'+k]=d.pop(k)
        return d
    m._register_state_dict_hook(ren); print(list(m.state_dict()))
    try: m.register_state_dict_post_hook(lambda m,d,p,l: d); m.state_dict()
    except RuntimeError as e: print(str(e)[:90])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    for t in (torch.float16, torch.bfloat16):
        for n in (2, 15, 16, 17, 33):
            torch.manual_seed(0); print(torch.rand(n, dtype=t), torch.rand(1, dtype=torch.float32))
            torch.manual_seed(0); print(torch.randn(n, dtype=t), torch.randn(1, dtype=torch.float32))
            torch.manual_seed(0); print(torch.empty(n, dtype=t).uniform_(-2, 3), torch.empty(n, dtype=t).normal_(1, 2), torch.rand(1, dtype=torch.float32))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def t(f):
        try: print('ok', f())
        except Exception as e: print(type(e).__name__, str(e))
    a = nn.MultiheadAttention(4, 2)
    t(lambda: a(torch.ones(2,1,4), torch.ones(3,1,4), torch.ones(4,1,4)))
    t(lambda: nn.MultiheadAttention(4, 2, kdim=3, vdim=3)(torch.ones(2,1,4), torch.ones(3,1,3), torch.ones(4,1,3)))
    b = nn.Transformer(4, 2, 1, 1, 8)
    t(lambda: b(torch.ones(2,3,4), torch.ones(2,2,4))); t(lambda: b(torch.ones(2,3,4), torch.ones(2,3,5)))
    t(lambda: F.multi_margin_loss(torch.ones(1,2), torch.tensor([0]), p=3))
    p = nn.Parameter(torch.ones(1))
    for o in (optim.SGD, optim.Adam, optim.RMSprop, optim.AdamW, optim.Adagrad): t(lambda: o([p], lr='a'))
    t(lambda: optim.Adam([p], lr=-1.)); t(lambda: optim.SGD([p], lr=-1.)); t(lambda: optim.SGD([p], momentum=-1)); t(lambda: optim.Adam([p], lr=float('nan')))
    t(lambda: nn.TripletMarginLoss(margin=-1.)); t(lambda: nn.ModuleDict({'keys': nn.ReLU()})); t(lambda: nn.ModuleDict({'a': nn.ReLU(), 'b': None}))
    t(lambda: torch.ones(1).exponential_(-1)); t(lambda: torch.ones(1).geometric_(0)); t(lambda: torch.ones(1).cauchy_(0, -1)); print(t(lambda: torch.ones(1).log_normal_(0, -1.5)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
