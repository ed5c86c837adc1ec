"""gc: memory is freed as soon as nothing refers to it."""


def collect(generation=2):
    return 0


def enable():
    pass


def disable():
    pass
