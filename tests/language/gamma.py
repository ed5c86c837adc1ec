import math
for x in (0.1,0.5,1,1.5,2,2.5,3.5,5,7.7,10,20.3,50.5,100.1,170.5,-0.5,-1.5,-2.7,1e-5,1e-10,1e-310,-50.5,-170.3,-200.5,0.9999,30,23,24,25):
    try: print(x, math.gamma(x), math.lgamma(x), math.cbrt(x))
    except Exception as e: print(x, type(e).__name__, e)
for x in (27,8,64,125,1000,-27,0.0,-0.0,1e-320,1e300,float('inf'),float('nan')): print(math.cbrt(x))
for x in (0.0,-0.0,-1,float('inf'),float('-inf'),float('nan'),180,1e306,-1e300, 2.0**60,-2.0**60+.5):
    for f in (math.gamma,math.lgamma):
        try: print(f(x))
        except Exception as e: print(x, type(e).__name__, e)
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
