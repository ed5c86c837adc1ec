import random, time
random.seed(42)
print(random.random(), random.uniform(1, 2), random.randint(1, 6), random.randrange(10), random.randrange(0, 100, 5))
print(random.choice("abc"), random.sample(range(100), 5), random.sample([1, 2, 3], 2), random.gauss(0, 1), random.gauss(0, 1), random.normalvariate(0, 1))
x = list(range(10)); random.shuffle(x); print(x, random.choices([1, 2, 3], k=4), random.getrandbits(8), random.expovariate(2))
random.seed(2**40 + 1); print(random.random(), random.sample(range(1000), 3))
t = time.time(); p = time.perf_counter(); time.sleep(0.01)
print(time.time() - t >= 0.01, time.perf_counter() - p >= 0.01)
print(hash(1), hash(-1), hash(0.5), hash(2.0), hash(-0.25), hash(True), hash(1e300), hash(2**61))
