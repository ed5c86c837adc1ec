# Padding, indices by number, functions over elements.
import numpy as np
def t(f):
    try: print(repr(f()))
    except Exception as e: print(type(e).__name__, str(e)[:300])

a=[1,2,3,4,5]
t(lambda: np.pad(a,(2,3),'linear_ramp',end_values=(5,-4)))
t(lambda: np.pad(a,(2,),'maximum'))
t(lambda: np.pad(a,(2,),'mean'))
t(lambda: np.pad(a,(2,),'median'))
t(lambda: np.pad([[1,2],[3,4]],((3,2),(2,3)),'minimum'))
t(lambda: np.pad(a,(2,3),'reflect',reflect_type='odd'))
t(lambda: np.pad(a,(2,3),'symmetric',reflect_type='odd'))
t(lambda: np.pad(a,(2,3),'maximum',stat_length=2))
t(lambda: np.pad(a,{0:(1,2)}))
t(lambda: np.pad(np.arange(6).reshape(2,3),{-1:(5,2)}))
t(lambda: np.pad([[1,2],[3,4]],1,'empty').shape)
t(lambda: np.pad([[1.,2],[3,4]],1,'mean'))
t(lambda: np.pad(a,-1))
t(lambda: np.pad([[1,2],[3,4]],1,'linear_ramp'))
t(lambda: np.pad(a, 2, 'edge', constant_values=3))
def pw(vector, pad_width, iaxis, kwargs):
    pv = kwargs.get('padder', 10)
    vector[:pad_width[0]] = pv
    vector[-pad_width[1]:] = pv
t(lambda: np.pad(np.arange(6).reshape(2,3), 2, pw))
t(lambda: np.pad(np.arange(6).reshape(2,3), 2, pw, padder=100))
ch=[[0,1,2,3],[10,11,12,13],[20,21,22,23],[30,31,32,33]]
t(lambda: np.choose([2,4,1,0],ch,mode='clip'))
t(lambda: np.choose([2,4,1,0],ch,mode='wrap'))
t(lambda: np.choose([2,4,1,0],ch))
arr=np.array([[3,6,6],[4,5,1]])
t(lambda: np.ravel_multi_index(arr,(7,6),order='F'))
t(lambda: np.ravel_multi_index(arr,(4,6),mode='clip'))
t(lambda: np.ravel_multi_index(arr,(4,4),mode=('clip','wrap')))
t(lambda: np.ravel_multi_index(arr,(4,6)))
t(lambda: np.unravel_index([31,41,13],(7,6),order='F'))
t(lambda: np.unravel_index(99,(3,3)))
t(lambda: np.unravel_index(5, 9))
t(lambda: np.r_['0,2',[1,2,3],[4,5,6]])
t(lambda: np.r_['-1',[[1,2]],[[3,4]]])
t(lambda: np.r_['1,2',[1,2],[3,4]])
t(lambda: np.r_['0,2,0',[1,2,3],[4,5,6]])
t(lambda: np.r_['1,2,0',[1,2,3],[4,5,6]])
t(lambda: np.isin([1,2],{1,2}))
t(lambda: np.isin(3,[1,3]))
x=np.arange(4)
x.resize(2,2)
print(x)
x.resize((3,2))
print(x)
x=np.array([[0,1],[2,3]])
x.resize((2,1),refcheck=False)
print(x)
def lg(a,b):
    "doc"
    return a-b if a>b else a+b
v=np.vectorize(lg)
def pv(p,x):
    _p=list(p); res=_p.pop(0)
    while _p: res=res*x+_p.pop(0)
    return res
t(lambda: np.vectorize(pv,excluded=['p'])(p=[1,2,3],x=[0,1]))
t(lambda: np.vectorize(pv,excluded={0})([1,2,3],x=[0,1]))
t(lambda: np.vectorize(lambda a,b: np.sum(a*b), signature='(n),(n)->()')([[1,2],[3,4]],[1,1]))
t(lambda: np.vectorize(np.convolve,signature='(n),(m)->(k)')(np.eye(4),[1,2,1]))
@np.vectorize(otypes=[float])
def sq(x): return x**2
t(lambda: sq([1,2]))
@np.vectorize
def idn(x):
    """Identity."""
    return x
