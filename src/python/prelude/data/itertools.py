"""itertools: building blocks for iterators."""


def _missing():
    pass


def count(start=0, step=1):
    while True:
        yield start
        start += step


def cycle(iterable, /):
    saved = []
    for element in iterable:
        yield element
        saved.append(element)
    while saved:
        yield from saved


def repeat(object, times=_missing):
    if times is _missing:
        while True:
            yield object
    for _ in range(times):
        yield object


def accumulate(iterable, func=None, *, initial=None):
    elements = iter(iterable)
    total = initial
    if initial is None:
        try:
            total = next(elements)
        except StopIteration:
            return
    yield total
    for element in elements:
        total = total + element if func is None else func(total, element)
        yield total


class chain:
    __module__ = "itertools"

    def __init__(self, *iterables):
        self._elements = _chained(iterables)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._elements)

    @staticmethod
    def from_iterable(iterable):
        return _chained(iterable)


def _chained(iterables):
    for iterable in iterables:
        yield from iterable


def compress(data, selectors):
    return (d for d, s in zip(data, selectors) if s)


def dropwhile(predicate, iterable, /):
    elements = iter(iterable)
    for element in elements:
        if not predicate(element):
            yield element
            break
    yield from elements


def takewhile(predicate, iterable, /):
    for element in iterable:
        if not predicate(element):
            break
        yield element


def filterfalse(function, iterable, /):
    for element in iterable:
        if not (element if function is None else function(element)):
            yield element


def groupby(iterable, key=None):
    elements = iter(iterable)
    ended = object()
    element = next(elements, ended)
    while element is not ended:
        value = element if key is None else key(element)
        group = []
        while element is not ended and (element if key is None else key(element)) == value:
            group.append(element)
            element = next(elements, ended)
        yield value, iter(group)


def islice(iterable, /, *bounds):
    limits = slice(*bounds)
    start = limits.start or 0
    step = 1 if limits.step is None else limits.step
    stop = limits.stop
    for limit in (start, stop):
        if limit is not None and limit < 0:
            raise ValueError(
                "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize."
            )
    if step < 1:
        raise ValueError("Step for islice() must be a positive integer or None.")
    return _sliced(iter(iterable), start, stop, step)


def _sliced(elements, start, stop, step):
    place = 0
    wanted = start
    while stop is None or wanted < stop:
        try:
            element = next(elements)
        except StopIteration:
            return
        if place == wanted:
            yield element
            wanted += step
        place += 1
    while stop is not None and place < stop:
        try:
            next(elements)
        except StopIteration:
            return
        place += 1


def pairwise(iterable, /):
    elements = iter(iterable)
    try:
        before = next(elements)
    except StopIteration:
        return
    for element in elements:
        yield before, element
        before = element


def starmap(function, iterable, /):
    for arguments in iterable:
        yield function(*arguments)


def tee(iterable, n=2, /):
    saved = []
    elements = iter(iterable)

    def one():
        place = 0
        while True:
            if place == len(saved):
                try:
                    saved.append(next(elements))
                except StopIteration:
                    return
            yield saved[place]
            place += 1

    return tuple(one() for _ in range(n))


def zip_longest(*iterables, fillvalue=None):
    ended = object()
    iterators = [iter(i) for i in iterables]
    while iterators:
        row = [next(i, ended) for i in iterators]
        if all(element is ended for element in row):
            return
        yield tuple(fillvalue if element is ended else element for element in row)


def product(*iterables, repeat=1):
    pools = [tuple(i) for i in iterables] * repeat
    if not all(pools):
        return
    places = [0] * len(pools)
    while True:
        yield tuple(pool[i] for pool, i in zip(pools, places))
        k = len(pools) - 1
        while k >= 0 and places[k] == len(pools[k]) - 1:
            places[k] = 0
            k -= 1
        if k < 0:
            return
        places[k] += 1


def permutations(iterable, r=None):
    pool = tuple(iterable)
    n = len(pool)
    r = n if r is None else r
    if r > n:
        return
    indices = list(range(n))
    cycles = list(range(n, n - r, -1))
    yield tuple(pool[i] for i in indices[:r])
    while n:
        for i in reversed(range(r)):
            cycles[i] -= 1
            if cycles[i] == 0:
                indices[i:] = indices[i + 1 :] + indices[i : i + 1]
                cycles[i] = n - i
            else:
                j = cycles[i]
                indices[i], indices[-j] = indices[-j], indices[i]
                yield tuple(pool[i] for i in indices[:r])
                break
        else:
            return


def combinations(iterable, r):
    pool = tuple(iterable)
    n = len(pool)
    if r > n:
        return
    indices = list(range(r))
    yield tuple(pool[i] for i in indices)
    while True:
        for i in reversed(range(r)):
            if indices[i] != i + n - r:
                break
        else:
            return
        indices[i] += 1
        for j in range(i + 1, r):
            indices[j] = indices[j - 1] + 1
        yield tuple(pool[i] for i in indices)


def combinations_with_replacement(iterable, r):
    pool = tuple(iterable)
    n = len(pool)
    if not n and r:
        return
    indices = [0] * r
    yield tuple(pool[i] for i in indices)
    while True:
        for i in reversed(range(r)):
            if indices[i] != n - 1:
                break
        else:
            return
        indices[i:] = [indices[i] + 1] * (r - i)
        yield tuple(pool[i] for i in indices)
