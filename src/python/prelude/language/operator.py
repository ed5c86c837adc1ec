"""operator: the operators as functions."""


def add(a, b, /):
    return a + b


def sub(a, b, /):
    return a - b


def mul(a, b, /):
    return a * b


def truediv(a, b, /):
    return a / b


def floordiv(a, b, /):
    return a // b


def mod(a, b, /):
    return a % b


def pow(a, b, /):
    return a**b


def matmul(a, b, /):
    return a @ b


def neg(a, /):
    return -a


def pos(a, /):
    return +a


def inv(a, /):
    return ~a


def and_(a, b, /):
    return a & b


def or_(a, b, /):
    return a | b


def xor(a, b, /):
    return a ^ b


def lshift(a, b, /):
    return a << b


def rshift(a, b, /):
    return a >> b


def not_(a, /):
    return not a


def truth(a, /):
    return bool(a)


def is_(a, b, /):
    return a is b


def is_not(a, b, /):
    return a is not b


def eq(a, b, /):
    return a == b


def ne(a, b, /):
    return a != b


def lt(a, b, /):
    return a < b


def le(a, b, /):
    return a <= b


def gt(a, b, /):
    return a > b


def ge(a, b, /):
    return a >= b


def contains(a, b, /):
    return b in a


def concat(a, b, /):
    return a + b


def getitem(a, b, /):
    return a[b]


def setitem(a, b, c, /):
    a[b] = c


def delitem(a, b, /):
    del a[b]


def itemgetter(item, /, *items):
    if items:
        return lambda obj: tuple(obj[i] for i in (item,) + items)
    return lambda obj: obj[item]


def attrgetter(attr, /, *attrs):
    def one(obj, path):
        for name in path.split("."):
            obj = getattr(obj, name)
        return obj

    if attrs:
        return lambda obj: tuple(one(obj, path) for path in (attr,) + attrs)
    return lambda obj: one(obj, attr)


def methodcaller(name, /, *args, **keywords):
    return lambda obj: getattr(obj, name)(*args, **keywords)
