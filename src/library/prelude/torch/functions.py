# torch: functions that are made of others.

import math
import warnings
from collections import namedtuple


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
    if indices.dtype.is_floating_point or indices.dtype == torch.bool:
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
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


def narrow_copy(input, dim, start, length):
    """A copy of some entries along a dimension."""
    return input.narrow(dim, start, length).clone()


def nonzero_static(input, *, size, fill_value=-1):
    """The indices of so many nonzero elements, filled up with a number."""
    found = input.nonzero()[:size]
    return torch.cat([found, torch.full((size - len(found), found.shape[1]), fill_value)])


def segment_reduce(data, reduce, *, lengths=None, indices=None, offsets=None, axis=0, unsafe=False, initial=None):
    """The sum, mean, product, largest or smallest of each piece along the first dimension."""
    if reduce not in ('max', 'mean', 'min', 'sum', 'prod'):
        raise RuntimeError(f'unsupported reduction given! {reduce}')
    if lengths is None:
        lengths = offsets.diff()
    if not unsafe and int(lengths.sum()) != data.shape[axis]:
        raise RuntimeError('Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) when !unsafe.')
    empty = {'max': -math.inf, 'min': math.inf, 'sum': 0.0, 'prod': 1.0, 'mean': math.nan}[reduce]
    empty = empty if initial is None else initial

    def one(part):
        if part.shape[axis] == 0:
            return torch.full_like(part.sum(axis), empty)
        if reduce == 'max':
            return part.amax(axis) if initial is None else part.amax(axis).clamp(min=initial)
        if reduce == 'min':
            return part.amin(axis) if initial is None else part.amin(axis).clamp(max=initial)
        if reduce == 'prod':
            return part.prod(axis) if initial is None else part.prod(axis) * initial
        whole = part.sum(axis) if initial is None else part.sum(axis) + initial
        return whole / part.shape[axis] if reduce == 'mean' else whole

    return torch.stack([one(part) for part in data.split(lengths.tolist(), axis)], axis)


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


class _Histogram(namedtuple('histogram', ['hist', 'bin_edges'])):
    def __repr__(self):
        return f'torch.return_types.histogram(\nhist={self.hist},\nbin_edges={self.bin_edges})'


def _bin_edges(input, bins, range):
    if isinstance(bins, torch.Tensor):
        if bins.dim() != 1:
            raise RuntimeError(f"torch.histogramdd: bins tensor should have one dimension, but got {bins.dim()} dimensions in the bins tensor for dimension 0")
        count, edges = len(bins) - 1, bins
    else:
        count, edges = bins, None
    if count <= 0:
        raise RuntimeError(f'torch.histogram(): bins must be > 0, but got {count} for dimension 0')
    if edges is not None:
        return edges
    low, high = range if range is not None else (0.0, 1.0) if input.numel() == 0 else (input.min().item(), input.max().item())
    if not (math.isfinite(low) and math.isfinite(high)):
        raise RuntimeError(f"torch.histogramdd: dimension 0's range [{low}, {high}] is not finite")
    if low > high:
        raise RuntimeError(f'torch.histogramdd: min should not exceed max, but got min {low:g} max {high:g} for dimension 0')
    if low == high:
        low, high = low - 0.5, high + 0.5
    return torch.linspace(low, high, count + 1, dtype=input.dtype)


def histogram(input, bins=100, *, range=None, weight=None, density=False):
    """How many elements, or which weight of them, are in each bin, and the edges of the bins."""
    if not input.is_floating_point():
        name = input.type().removeprefix('torch.').removesuffix('Tensor')
        raise NotImplementedError(f'"histogramdd" not implemented for \'{name}\'')
    values = input.detach().reshape(-1)
    edges = _bin_edges(values, bins, range)
    if weight is not None and weight.shape != input.shape:
        raise RuntimeError(f'torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor excluding its innermost dimension, but got input with shape {[values.numel(), 1]} and weight with shape {list(weight.shape)}')
    if weight is not None and weight.dtype != input.dtype:
        names = [str(t.dtype).removeprefix('torch.').replace('float64', 'double').replace('float32', 'float') for t in (input, weight)]
        raise RuntimeError(f'torch.histogramdd: if weight tensor is provided, input tensor and weight tensor should have the same dtype, but got input({names[0]}), and weight({names[1]})')
    weights = torch.ones_like(values) if weight is None else weight.detach().reshape(-1)
    count = len(edges) - 1
    inside = (values >= edges[0]) & (values <= edges[-1])
    places = (torch.searchsorted(edges, values[inside], right=True) - 1).clamp(max=count - 1)
    hist = torch.zeros(count, dtype=input.dtype).index_add(0, places, weights[inside])
    if density:
        hist = hist / hist.sum() / edges.diff()
    return _Histogram(hist, edges)
