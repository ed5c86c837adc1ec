# torch.func: functions without writes.

import functools


def functionalize(func, *, remove='mutations'):
    """The function, which gives the same without writing in place: here it is called as it is."""
    if remove not in ('mutations', 'mutations_and_views'):
        raise RuntimeError(f"functionalize(f, remove='mutations'): received invalid argument for remove={remove}. Valid options are:\n     remove='mutations': all inplace and out= operators will be removed from the program, and replaced with their out-of-place equivalents.\n     remove='mutations_and_views': In addition to the above, all aliasing operators {{view}} will be replaced with their non-aliasing counterparts, {{view}}_copy.\n")

    @functools.wraps(func)
    def wrapped(*args, **kwargs):
        return func(*args, **kwargs)
    return wrapped
