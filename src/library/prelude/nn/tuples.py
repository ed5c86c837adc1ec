# torch.nn.modules.utils: one number or several, as a tuple.


def _ntuple(n):
    """A function that makes a tuple of n of one number."""
    return lambda x: tuple(x) if isinstance(x, (tuple, list)) else (x,) * n


_single = _ntuple(1)
_pair = _ntuple(2)
_triple = _ntuple(3)
