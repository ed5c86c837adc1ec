# torch: functions that are made of others.

import warnings


def range(start=0, end=None, step=1, *, dtype=None, requires_grad=False):
    """The numbers from start to end, the end included."""
    warnings.warn("torch.range is deprecated and will be removed in a future release because its behavior is inconsistent with Python's range builtin. Instead, use torch.arange, which produces values in [start, end).")
    if end is None:
        start, end = 0, start
    if step == 0:
        raise RuntimeError('step must be nonzero')
    if (end - start) * step < 0:
        raise RuntimeError('upper bound and lower bound inconsistent with step sign')
    count = int((end - start) / step) + 1
    made = torch.arange(count, dtype=torch.get_default_dtype() if dtype is None else dtype) * step + start
    return made.requires_grad_(requires_grad)


def scalar_tensor(s, *, dtype=None, requires_grad=False):
    """A tensor of no dimensions."""
    return torch.full((), s, dtype=torch.get_default_dtype() if dtype is None else dtype, requires_grad=requires_grad)


def split_with_sizes(input, split_sizes, dim=0):
    """Parts of given sizes along a dimension."""
    return input.split(split_sizes, dim)


def unravel_index(indices, shape):
    """The coordinates of positions in a flattened tensor."""
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    places = []
    for size in reversed(sizes):
        places.append(indices % size)
        indices = indices // size
    return tuple(reversed(places))


def lu(A, pivot=True, get_infos=False):
    """L and U in one matrix, and LAPACK's pivots: an old name of torch.linalg.lu_factor."""
    warnings.warn('torch.lu is deprecated in favor of torch.linalg.lu_factor / torch.linalg.lu_factor_ex and will be removed in a future PyTorch release.\nLU, pivots = torch.lu(A, compute_pivots)\nshould be replaced with\nLU, pivots = torch.linalg.lu_factor(A, compute_pivots)\nand\nLU, pivots, info = torch.lu(A, compute_pivots, get_infos=True)\nshould be replaced with\nLU, pivots, info = torch.linalg.lu_factor_ex(A, compute_pivots)')
    packed, pivots, info = torch.linalg.lu_factor_ex(A, pivot=pivot)
    return (packed, pivots, info) if get_infos else (packed, pivots)


def lu_solve(b, LU_data, LU_pivots):
    """X with A X = b from lu_factor(A)."""
    return torch.linalg.lu_solve(LU_data, LU_pivots, b)


def is_same_size(input, other):
    """Whether two tensors have one shape."""
    return input.shape == other.shape


def is_signed(input):
    """Whether the type has negative numbers."""
    return input.dtype.is_signed


def set_default_tensor_type(t):
    """Sets the type of new tensors, by the name or class of tensors of it."""
    torch.set_default_dtype(torch.empty(0).type(t).dtype)


def set_warn_always(b):
    """Does nothing: a warning is shown once for each line."""
