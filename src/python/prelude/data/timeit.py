"""timeit: how long a function takes."""

from time import perf_counter

default_timer = perf_counter


def timeit(stmt="pass", setup="pass", timer=None, number=1000000):
    if not callable(stmt):
        raise NotImplementedError("timeit of a text is not provided: give it a function, lambda: f(x)")
    start = perf_counter()
    for _ in range(number):
        stmt()
    return perf_counter() - start


def repeat(stmt="pass", setup="pass", timer=None, repeat=5, number=1000000):
    return [timeit(stmt, number=number) for _ in range(repeat)]
