# Assignment, unpacking, slices, closures, calls, loops.
def counter():
    n = 0
    def inc():
        nonlocal n
        n += 1
        return n
    return inc
c = counter(); c(); print(c())
total = 0
def add(x):
    global total
    total += x
add(5); print(total)
def bad():
    print(total)
    total = 1
try: bad()
except UnboundLocalError as e: print(e)
fs = [lambda: i for i in range(3)]; print([f() for f in fs])
fs = [lambda i=i: i for i in range(3)]; print([f() for f in fs])
def outer():
    try: print(q)
    except NameError as e: print(e)
    q = 1
outer()
def free():
    def inner(): return zz
    try: inner()
    except NameError as e: print(e)
    zz = 1
free()
x = 10
def sh():
    x = 20
    return [x for _ in range(2)], x
print(sh(), x)
[y for y in range(3)]
try: y
except NameError as e: print(e)
for z in range(2): pass
print(z)
if (n := 5) > 3: print(n)
print([m := 3, m ** 2])
while (k := total) < 7: total += 1
print(k)
a, *b = [1, 2, 3]; print(a, b)
*a, b = 'abc'; print(a, b)
a, *b, c = range(5); print(a, b, c)
(a, b), c = (1, 2), 3; print(a, b, c)
a = b = c = 5; print(a, b, c)
a, b = b, a + 1; print(a, b)
for i, (x, y) in enumerate([(1, 2), (3, 4)]): print(i, x, y)
try: a, b = 1, 2, 3
except ValueError as e: print(e)
try: a, b, c = 1, 2
except ValueError as e: print(e)
try: a, *b, c = [1]
except ValueError as e: print(e)
try: a, b = 5
except TypeError as e: print(e)
try: a, b = None
except TypeError as e: print(e)
L = [1, 2, 3, 4, 5]
L[1:3] = [9]; print(L)
L[::2] = [0, 0]; print(L)
try: L[::2] = [1]
except ValueError as e: print(e)
del L[0]; print(L)
del L[:2]; print(L)
L += [7]; L *= 2; print(L)
L[0], L[1] = L[1], L[0]; print(L)
try: L[10] = 1
except IndexError as e: print(e)
try: del L[10]
except IndexError as e: print(e)
t = (1, [2]); t[1].append(3); print(t)
try: t[0] = 5
except TypeError as e: print(e)
try: del t[0]
except TypeError as e: print(e)
s = 'abc'
try: s[0] = 'x'
except TypeError as e: print(e)
d = {}; d['a'] = 1; d['b'] = d.get('b', 0) + 1; print(d)
del d['a']; print(d)
try: del d['zz']
except KeyError as e: print(e)
x = 5; x -= 1; x *= 3; x /= 2; x //= 2; x **= 2; x %= 5; print(x)
y = 6; y &= 3; y |= 8; y ^= 1; y <<= 2; y >>= 1; print(y)
del x
try: x
except NameError as e: print(e)
for i in range(5):
    if i == 3: break
else: print('no break')
for i in range(2): pass
else: print('else')
while True:
    break
else: print('never')
n = 3
while n: n -= 1
else: print('w else')
for i in []: pass
else: print('empty')
i = 0
while i < 5:
    i += 1
    if i % 2: continue
    print(i)
print('yes' if i else 'no', 1 < i < 10, 1 < i > 3, not i, i and 0 or 7)
for a, b in zip(range(3), 'xyz'): print(a, b, sep=':', end=';')
print()
for k, v in {'a': 1}.items(): print(k, v)
for i in reversed(range(3)): print(i)
for x in sorted({3, 1, 2}, reverse=True): print(x)
pass
if False: pass
elif True: print('elif')
else: print('no')
x = 1 if n else 2 if i else 3; print(x)
d = {'a': 1}
try:
    for k in d: d[k + 'x'] = 1
except RuntimeError as e: print(e)
s = {1, 2}
try:
    for k in s: s.add(k + 10)
except RuntimeError as e: print(e)
L = [1, 2, 3]
for v in L:
    if v == 1: L.remove(1)
print(L)
