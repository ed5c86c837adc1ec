# torch.compiler: there is none, so nothing is kept from it.

compile = torch.compile


def disable(fn=None, recursive=True, *, reason=None):
    return (lambda fn: fn) if fn is None else fn


def allow_in_graph(fn):
    return fn


def assume_constant_result(fn):
    return fn


def is_compiling():
    return False


def is_dynamo_compiling():
    return False


def is_exporting():
    return False


def reset():
    pass


def cudagraph_mark_step_begin():
    pass
