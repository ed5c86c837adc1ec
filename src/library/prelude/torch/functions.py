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


def fill(input, value):
    """A tensor as this one, all of whose elements are one number."""
    return input.clone().fill_(value)


def constant_pad_nd(input, pad, value=0):
    """With a border of one number."""
    return torch.nn.functional.pad(input, pad, value=value)


def dsmm(input, mat2):
    """The product of two matrices."""
    return input.mm(mat2)


def nuclear_norm(input, dim=(-2, -1), keepdim=False):
    """The sum of the singular values."""
    return torch.linalg.matrix_norm(input, 'nuc', dim, keepdim)


def frobenius_norm(input, dim=None, keepdim=False):
    """The root of the sum of squares."""
    return torch.linalg.vector_norm(input, 2, dim, keepdim)


def unsafe_split(input, split_size, dim=0):
    """Parts of one size along a dimension."""
    return input.split(split_size, dim)


def unsafe_chunk(input, chunks, dim=0):
    """So many parts along a dimension."""
    return input.chunk(chunks, dim)


def from_dlpack(ext_tensor):
    """A tensor that shares the memory of an array or of another tensor."""
    return torch.as_tensor(ext_tensor).detach()


_REDUCTIONS = ('none', 'mean', 'sum')


def binary_cross_entropy_with_logits(input, target, weight=None, pos_weight=None, reduction=0):
    """F.binary_cross_entropy_with_logits; reduction 0: none, 1: the mean, 2: the sum."""
    return torch.nn.functional.binary_cross_entropy_with_logits(input, target, weight, pos_weight=pos_weight, reduction=_REDUCTIONS[reduction])


def kl_div(input, target, reduction=0, *, log_target=False):
    """F.kl_div; reduction 0: none, 1: the mean, 2: the sum."""
    return torch.nn.functional.kl_div(input, target, reduction=_REDUCTIONS[reduction], log_target=log_target)


def hinge_embedding_loss(input, target, margin=1.0, reduction=0):
    """F.hinge_embedding_loss; reduction 0: none, 1: the mean, 2: the sum."""
    return torch.nn.functional.hinge_embedding_loss(input, target, margin=margin, reduction=_REDUCTIONS[reduction])


def adaptive_max_pool1d(input, output_size):
    """The largest element of each part, and where it stands."""
    return torch.nn.functional.adaptive_max_pool1d(input, output_size, return_indices=True)


def _copying(name):
    def copy(input, *args, **kwargs):
        """What the method that shares memory gives, in memory of its own."""
        made = getattr(input, name)(*args, **kwargs)
        return made.clone() if isinstance(made, torch.Tensor) else tuple(part.clone() for part in made)
    return copy


alias_copy = _copying('clone')
as_strided_copy = _copying('as_strided')
detach_copy = _copying('detach')
diagonal_copy = _copying('diagonal')
expand_copy = _copying('expand')
permute_copy = _copying('permute')
select_copy = _copying('select')
split_copy = _copying('split')
squeeze_copy = _copying('squeeze')
t_copy = _copying('t')
transpose_copy = _copying('transpose')
unbind_copy = _copying('unbind')
unfold_copy = _copying('unfold')
unsqueeze_copy = _copying('unsqueeze')
view_copy = _copying('view')


def slice_copy(input, dim=0, start=None, end=None, step=1):
    """A slice along a dimension, in memory of its own."""
    return input[(slice(None),) * (dim % input.dim()) + (slice(start, end, step),)].clone()
