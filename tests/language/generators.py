# Generators: yield, yield from, send, throw, close; and the methods of protocols by name.
def gen(n):
    for i in range(n):
        r = yield i
        if r: print('got', r)
    return 'done'
g = gen(3)
print(next(g), g.send('hi'), next(g))
try: next(g)
except StopIteration as e: print(e.value)
def outer():
    r = yield from gen(2)
    print('r', r)
    yield 'x'
print(list(outer()))
g = gen(5); next(g); g.close()
try: next(g)
except StopIteration: print('closed')
g = gen(2)
try: g.throw(ValueError('thrown'))
except ValueError as e: print(e)
print(type(g).__name__, type(gen).__name__, repr(g)[:21])
def f():
    try:
        x = yield 1
        print('x', x)
        yield 2
    except ValueError as e:
        print('caught', e)
        yield 'handled'
    else:
        yield 'else'
    finally:
        print('fin')
        yield 'fin'
g = f(); print(next(g)); print(g.throw(ValueError('v'))); print(list(g))
g = f(); print(list(g))
def w():
    i = 0
    while True:
        i += 1
        if i == 2: continue
        if i > 4: break
        yield i
    else: yield 'never'
    for j in range(3):
        if j == 1: continue
        yield j * 10
    else: yield 'end'
print(list(w()))
class C:
    def __enter__(self): print('in'); return 5
    def __exit__(self, *a): print('out', a[0]); return True
def cm():
    with C() as c:
        yield c
        raise KeyError('k')
    yield 'after'
print(list(cm()))
def acc():
    total = 0
    while (v := (yield total)) is not None:
        total += v
    return total
a = acc(); next(a); print(a.send(1), a.send(2))
try: a.send(None)
except StopIteration as e: print('ret', e.value)
def tree(t):
    if t:
        yield from tree(t[0]); yield t[1]; yield from tree(t[2])
print(list(tree((((), 1, ()), 2, ((), 3, ())))))
try: next(gen2 := (x for x in []))
except StopIteration as e: print(repr(e))
def bad():
    yield 1
    raise StopIteration
try: list(bad())
except RuntimeError as e: print(e)
g = acc()
try: g.send(1)
except TypeError as e: print(e)
def two(): 
    x = yield
    y = yield x
    print(x, y, (yield) , (yield))
t = two(); t.send(None); t.send(1); t.send(2); t.send(3)
try: t.send(4)
except StopIteration: pass
def lam(): yield [i for i in range(3)]
print(*lam())
print(sum(i for i in w() if isinstance(i, int)), max(w(), key=str), dict(zip('ab', w())), [*w()], tuple(w()))
a, *b = w(); print(a, b)
def err():
    yield 1
    1 / 0
try:
    for i in err(): print(i)
except ZeroDivisionError as e: print(e)
def nested():
    def inner():
        yield from range(2)
    for v in inner(): yield v
print(list(nested()), 3 in w())
f = lambda: (yield 5)
print(list(f()))
class It:
    def __iter__(self):
        yield 1
        yield 2
print(list(It()), [x for x in It()])
def ctx():
    try:
        raise ValueError('a')
    except ValueError:
        yield 1
        try: raise
        except ValueError as e: yield str(e)
print(list(ctx()))
def ret():
    return 5
    yield
print(list(ret()))
def deleg():
    try:
        yield from ctx()
    finally:
        yield 'z'
print(list(deleg()))
print((5).__add__(3), 'a'.__len__(), [1].__contains__(1), (2.5).__mul__(2), 'abc'.__getitem__(1), (5).__add__('a'), [3].__eq__([3]), {}.__len__(), iter([1, 2]).__next__(), (5).__repr__())
