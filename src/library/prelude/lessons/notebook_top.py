# IPython: outside of a notebook there is no shell.


def get_ipython():
    return None
