import numpy as np
for v in (1e6,2e6,16777216,123456,1e5,999999,1e-4,1e-5,0.00012,3.5,1e16,1e15,12345678,0.1,1/3,1e7,5e20,1e-3,0,-1e6,float('inf'),float('nan'),100000,1234567.8):
    for d in (np.float32,np.float16,np.float64):
        with np.errstate(all='ignore'):
            s=d(v); print(v,d.__name__,s,repr(s),[s],f"{s}",str(s),np.array([s]),np.array([s,1]),np.array([s,.5,22.5]))
print(np.array([[.1, 22.5, -3], [100, 5, 6.79]], dtype=np.float16)); print(np.array([1e-4,2],dtype=np.float32)); print(np.float32(2e6)*3, np.array([5e5,6e5],dtype=np.float32).sum(), np.array(1e6,dtype=np.float32), np.array(5000,dtype=np.float16)); print(np.array([1e-4])); print(np.array([1e-4,1e-5])); print(np.array([.0001,100],dtype=np.float32)); print(np.array([.001,1000],dtype=np.float16)); print(np.array([.1,1000],dtype=np.float16));print(np.array([.1,100],dtype=np.float32));print(np.array([.1,1001],dtype=np.float32))
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__,e)
a=np.arange(6.).reshape(1,2,3)
t(lambda: np.squeeze(a,0).shape); t(lambda: np.squeeze(a,1)); t(lambda: a.squeeze(2)); t(lambda: np.squeeze(a,(0,1))); t(lambda: np.squeeze(a,5)); t(lambda: np.squeeze(a,-3).shape); t(lambda: np.squeeze(a,axis=None).shape); t(lambda: np.clip(a,0,.6)); t(lambda: np.clip(3.7,0,1.5)); t(lambda: np.clip([-1,2],0,1.5)); t(lambda: a.clip(1,2.5)); t(lambda: np.clip(a,np.ones(3),2)); t(lambda: np.clip(np.arange(4),1,2.5)); t(lambda: np.clip(np.arange(4),1,2)); t(lambda: np.clip(a,None,2)); t(lambda: np.clip(a,2,None)); t(lambda: np.clip(np.float32(3),0,1)); t(lambda: np.clip(np.ones(2,dtype=np.float32)*5,0,1.5).dtype); t(lambda: np.clip(np.arange(3,dtype=np.float32),0,np.float64(1.5)).dtype); t(lambda: np.clip(5,1,3)); t(lambda: np.clip(a, a_min=0, a_max=.5)); t(lambda: np.clip(a,0,1,out=a)); t(lambda: np.clip(True,0,.5)); t(lambda: np.broadcast_to(np.ones(2),(3,3)))
