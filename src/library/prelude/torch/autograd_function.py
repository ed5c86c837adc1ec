# torch.autograd.function: what backward of a Function is decorated with.


def once_differentiable(fn):
    """Makes a backward whose gradients cannot be differentiated again."""
    def wrapper(ctx, *args):
        with torch.no_grad():
            return fn(ctx, *args)
    return wrapper
