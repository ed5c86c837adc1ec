import random
r = random.Random(42); q = random.Random(42)
x = list(range(8)); r.shuffle(x); print(x, r.sample(range(100), 4), r.randrange(10), r.getrandbits(20))
s = r.getstate(); a = [r.random(), r.gauss(0, 1)]; r.setstate(s); print(a == [r.random(), r.gauss(0, 1)], s[0], len(s[1]), s[1][:3], s[2])
random.seed(7)
print(random.betavariate(2, 3), random.triangular(0, 1, 0.3), random.triangular(), random.expovariate(1.5), random.lognormvariate(0, 1), random.vonmisesvariate(1, 2), random.gammavariate(2, 1), random.gammavariate(0.5, 1), random.gammavariate(1.0, 3), random.paretovariate(3), random.weibullvariate(1, 2))
s = random.getstate(); a = random.random(); random.setstate(s); print(a == random.random())
print(random.sample([1, 2], 3, counts=[2, 3]))
random.seed(7); q.seed(7); print(random.random() == q.random(), q.random() == random.random())
class Dice(random.Random):
    def roll(self): return self.randint(1, 6)
d = Dice(3); print([d.roll() for _ in range(6)], isinstance(d, random.Random))
for f in (lambda: random.choices([1, 2], weights=[1], k=1), lambda: random.choices([1], weights=[0]), lambda: random.sample({1, 2}, 1), lambda: random.setstate((2, (), None)), lambda: random.choice([]), lambda: random.sample([1], 2)):
    try: f()
    except Exception as e: print(type(e).__name__, e)
random.seed(2.5); print(random.random())
