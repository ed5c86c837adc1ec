# torch.sparse: tensors of which only the elements that are not 0 are kept, by their coordinates.

import math
from torch.autograd.graph import _one_node


def _missing(name):
    raise NotImplementedError(f"Could not run 'aten::{name}' with arguments from the 'SparseCPU' backend. This could be because the operator doesn't exist for this backend, or was omitted during the selective/custom build process (if using custom build). If you are a Facebook employee using PyTorch on mobile, please visit https://fburl.com/ptmfixes for possible resolutions.")


def _comparison(name):
    return lambda self, other: _missing(f'{name}.Tensor' if isinstance(other, torch.Tensor) else f'{name}.Scalar')


def _dense(tensor):
    return tensor.to_dense() if tensor.is_sparse else tensor


# What is 0 at 0, and what changes no number: done with the elements that are kept.
_OF_VALUES = {
    'abs', 'absolute', 'adjoint', 'arcsin', 'arcsinh', 'arctan', 'arctanh', 'asin', 'asinh', 'atan', 'atanh',
    'bfloat16', 'bool', 'byte', 'ceil', 'char', 'conj', 'cpu', 'deg2rad', 'double', 'erf', 'erfinv', 'expm1',
    'fix', 'float', 'floor', 'frac', 'half', 'int', 'isinf', 'isnan', 'isneginf', 'isposinf', 'log1p', 'long',
    'nan_to_num', 'neg', 'negative', 'positive', 'pow', 'rad2deg', 'relu', 'round', 'sgn', 'short', 'sign',
    'signbit', 'sin', 'sinh', 'sqrt', 'square', 'tan', 'tanh', 'to', 'trunc', 'clone', 'detach',
    'requires_grad_',
}
_CONVERTING = {
    'bfloat16', 'bool', 'byte', 'char', 'cpu', 'double', 'float', 'half', 'int', 'long', 'short', 'to',
}


class _Coordinates(torch.Tensor):
    """A tensor of indices and values; what stands at one place twice is added."""
    __module__ = "torch"
    is_sparse = True
    is_cuda = False
    retains_grad = False
    layout = None

    def __init__(self, indices, values, size, coalesced=False, source=None):
        # The dense tensor that it was made of: products and sums have slopes at its zeros too.
        self._source = source
        self._places = indices
        self._numbers = values
        self.shape = torch.Size(size)
        self._coalesced = coalesced
        self.dtype = values.dtype
        self.device = values.device
        self.ndim = len(self.shape)
        self.layout = torch.sparse_coo

    requires_grad = property(lambda self: self._numbers.requires_grad)
    grad_fn = property(lambda self: self._numbers.grad_fn)
    is_leaf = property(lambda self: self._numbers.is_leaf)
    data = property(lambda self: self.detach())
    T = property(lambda self: self._permuted('PermuteBackward0', list(range(self.ndim))[::-1]))

    @property
    def grad(self):
        if not self.is_leaf:
            return None
        whole, kept = None if self._source is None else self._source.grad, self._numbers.grad
        return whole if kept is None else self._like(kept) if whole is None else whole + self._like(kept)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        name, kwargs = func.__name__, kwargs or {}
        self = args[0] if args else None
        if not isinstance(self, _Coordinates) and name in _REFLECTED:
            return getattr(args[1], _REFLECTED[name])(self, *args[2:], **kwargs)
        if name in _WAYS:
            return _WAYS[name](*args, **kwargs)
        if not isinstance(self, _Coordinates):
            _missing(name)
        if name in _OF_VALUES:
            own = self if name in _CONVERTING or not self.requires_grad and name in ('neg', 'clone', 'detach') else self.coalesce()
            return own._by(lambda t: func(t, *args[1:], **kwargs), coalesced=self._coalesced if own is self else True)
        if name[-1:] == '_' and name[:-1] in _OF_VALUES:
            func(self._numbers, *args[1:], **kwargs)
            return self
        if name[-1:] == '_' and name[:-1] in _Coordinates.__dict__:
            made = getattr(self, name[:-1])(*args[1:], **kwargs)
            for part in ('_source', '_places', '_numbers', '_coalesced'):
                setattr(self, part, getattr(made, part))
            return self
        if name in _Coordinates.__dict__:
            return getattr(self, name)(*args[1:], **kwargs)
        _missing(name)

    def _like(self, values, coalesced=None, source=None):
        return _Sparse(self._places, values, self.shape, self._coalesced if coalesced is None else coalesced, source)

    def _by(self, f, coalesced=None):
        """What f makes of the elements; 0 at 0."""
        values = f(self._numbers)
        follows = self._source is not None and values.requires_grad
        return self._like(values, coalesced, f(self._source) if follows else None)

    def _asked(self, name):
        if not self._coalesced:
            raise RuntimeError(f'Cannot get {name} on an uncoalesced tensor, please call .coalesce() first')

    def indices(self):
        self._asked('indices')
        return self._places

    def values(self):
        self._asked('values')
        return _one_node('ValuesBackward0', [self._numbers], lambda v: v)

    def _indices(self):
        return self._places

    def _values(self):
        return self._numbers

    def _nnz(self):
        return self._places.size(1)

    def is_coalesced(self):
        return self._coalesced

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[dim]

    def dim(self):
        return self.ndim

    def sparse_dim(self):
        return self._places.size(0)

    def dense_dim(self):
        return self.ndim - self.sparse_dim()

    def numel(self):
        return math.prod(self.shape)

    ndimension, nelement = dim, numel

    def element_size(self):
        return self._numbers.element_size()

    def is_floating_point(self):
        return self.dtype.is_floating_point

    def is_contiguous(self):
        return False

    def type(self, dtype=None):
        return self._numbers.type().replace('torch.', 'torch.sparse.') if dtype is None else self.to(dtype)

    def item(self):
        if self.numel() != 1:
            raise RuntimeError(f'a Tensor with {self.numel()} elements cannot be converted to Scalar')
        return self._numbers.sum().item()

    def tolist(self):
        raise RuntimeError("Cannot access data pointer of Tensor that doesn't have storage")

    def numpy(self):
        raise TypeError("can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.")

    def reshape(self, *shape):
        raise RuntimeError('reshape is not implemented for sparse tensors')

    flatten = reshape

    def backward(self, *args):
        if not self.requires_grad:
            raise RuntimeError('element 0 of tensors does not require grad and does not have a grad_fn')
        raise RuntimeError('is_coalesced expected sparse coordinate tensor layout but got Strided')

    def requires_grad_(self, requires_grad=True):
        self._numbers.requires_grad_(requires_grad)
        self._source = self.to_dense().detach().clone().requires_grad_(requires_grad)
        return self

    def _grouped(self, dims):
        """Of each element the number of its place in these dimensions, and the places that there are."""
        flat = torch.zeros(self._nnz(), dtype=torch.int64)
        for d in dims:
            flat = flat * self.shape[d] + self._places[d]
        found, group = torch.unique(flat, return_inverse=True)
        places = torch.unravel_index(found, [self.shape[d] for d in dims])
        return group, torch.stack(places) if dims else found.new_zeros((0, 1))

    def coalesce(self):
        if self._coalesced:
            return self
        group, places = self._grouped(range(self.sparse_dim()))
        zeros = self._numbers.new_zeros((places.size(1),) + tuple(self._numbers.shape[1:]))
        values = _one_node('CoalesceBackward0', [self._numbers], lambda v: zeros.index_add(0, group, v))
        return _Sparse(places, values, self.shape, True, self._source)

    def to_sparse(self):
        return self

    def to_dense(self):
        zeros = torch.zeros(self.shape, dtype=self.dtype)
        return _one_node('ToDenseBackward0', [self._numbers], lambda v: zeros.index_put(tuple(self._places), v, accumulate=True))

    def _permuted(self, grad_fn, order):
        """With its dimensions in another order."""
        values = _one_node(grad_fn, [self._numbers], lambda v: v)
        source = None if self._source is None else self._source.permute(order)
        return _Sparse(self._places[order], values, [self.shape[d] for d in order], source=source)

    def transpose(self, dim0, dim1):
        order = list(range(self.ndim))
        order[dim0], order[dim1] = order[dim1], order[dim0]
        return self._permuted('TransposeBackward0', order)

    def t(self):
        return self._permuted('TBackward0', [1, 0][:self.ndim])

    def permute(self, *dims):
        return self._permuted('PermuteBackward0', list(dims[0] if len(dims) == 1 else dims))

    def unsqueeze(self, dim):
        dim %= self.ndim + 1
        values = _one_node('UnsqueezeBackward0', [self._numbers], lambda v: v)
        row = self._places.new_zeros((1, self._nnz()))
        source = None if self._source is None else self._source.unsqueeze(dim)
        return _Sparse(torch.cat([self._places[:dim], row, self._places[dim:]]), values, self.shape[:dim] + (1,) + self.shape[dim:], self._coalesced, source)

    def select(self, dim, index):
        size = self.shape[dim]
        if not -size <= index < size:
            raise IndexError(f'index {index} is out of bounds for dimension {dim} with size {size}')
        own, dim = self.coalesce(), dim % self.ndim
        there = own._places[dim] == index % size
        values = _one_node('SelectBackward0', [own._numbers], lambda v: v[there].sum() if self.ndim == 1 else v[there])
        if self.ndim == 1:
            return values
        kept = [d for d in range(self.ndim) if d != dim]
        source = None if self._source is None else self._source.select(dim, index)
        return _Sparse(own._places[kept][:, there], values, [self.shape[d] for d in kept], True, source)

    def unbind(self, dim=0):
        return tuple(self.select(dim, i) for i in range(self.shape[dim]))

    def __len__(self):
        return self.shape[0]

    def __iter__(self):
        return iter(self.unbind())

    def __getitem__(self, index):
        if index is None:
            return self.unsqueeze(0)
        if index is Ellipsis:
            raise NotImplementedError('Cannot access storage of SparseTensorImpl')
        places = index if isinstance(index, tuple) else (index,)
        if any(isinstance(i, slice) for i in places):
            _missing('as_strided')
        if not all(isinstance(i, int) for i in places):
            _missing('index.Tensor')
        if len(places) > self.ndim:
            raise IndexError(f'too many indices for tensor of dimension {self.ndim}')
        part = self
        for dim, i in enumerate(places):
            if not -self.shape[dim] <= i < self.shape[dim]:
                raise IndexError(f'index {i} is out of bounds for dimension {dim} with size {self.shape[dim]}')
            part = part.select(0, i)
        return part

    def __setitem__(self, index, value):
        raise TypeError('Cannot assign to a sparse tensor')

    def __bool__(self):
        if self.numel() != 1:
            raise RuntimeError('Boolean value of Tensor with more than one value is ambiguous')
        return bool(self.item())

    def __hash__(self):
        return id(self)

    __eq__, __ne__, __lt__, __le__, __gt__, __ge__ = [_comparison(name) for name in ('eq', 'ne', 'lt', 'le', 'gt', 'ge')]

    def sum(self, dim=None, dtype=None):
        if dim is not None:
            return torch.sparse._summed('SumBackward1', self, dim, dtype)
        whole = self._numbers if self._source is None or not self.requires_grad else self._source
        return whole.sum() if dtype is None else whole.sum(dtype=dtype)

    def norm(self, p=2):
        return _one_node('NormBackward1', [self.coalesce()._numbers], lambda v: v.norm(p))

    def __matmul__(self, other):
        if isinstance(other, (int, float)):
            return NotImplemented
        other = torch.as_tensor(other)
        if other.is_sparse:
            return _one_node('MmBackward0', [self.to_dense(), other.to_dense()], lambda a, b: a @ b).to_sparse()._named('MmBackward0')
        self._fits(other)
        whole = self.to_dense() if self._source is None or not self.requires_grad else self._source
        return whole @ other

    def _named(self, grad_fn):
        return self._like(_one_node(grad_fn, [self._numbers], lambda v: v), source=self._source)

    def _fits(self, other):
        if self.shape[-1] != other.size(0):
            raise RuntimeError('mv: expected self.size(-1) == vec.size(-1)' if other.dim() == 1 else f'addmm: Argument #3 (dense): Expected dim 0 size {self.shape[-1]}, got {other.size(0)}')

    def _product(self, other):
        """With slopes at the elements kept alone."""
        self._fits(other)
        own = self.coalesce()
        rows, columns = own._places

        def product(values, other):
            terms = other[columns] * (values if other.dim() == 1 else values.unsqueeze(1))
            return terms.new_zeros((self.shape[0],) + tuple(other.shape[1:])).index_add(0, rows, terms)
        return _one_node('MvBackward0' if other.dim() == 1 else 'SparseAddmmBackward0', [own._numbers, other], product)

    mm = matmul = mv = __matmul__

    def __rmatmul__(self, other):
        whole = self.to_dense() if self._source is None or not self.requires_grad else self._source
        return torch.as_tensor(other) @ whole

    def __mul__(self, other):
        if not isinstance(other, (int, float, torch.Tensor)):
            return NotImplemented
        if isinstance(other, torch.Tensor) and (other.is_sparse or other.dim() > 0):
            own, dense = self.coalesce(), _dense(other)
            return own._like(own._numbers * dense.expand(self.shape)[tuple(own._places)])
        return self._by(lambda t: t * other)

    __rmul__ = mul = multiply = __mul__

    def __truediv__(self, other):
        if isinstance(other, torch.Tensor) and (other.is_sparse or other.dim() > 0):
            raise RuntimeError(f'Sparse division requires a scalar or zero-dim dense tensor divisor (got shape {list(other.shape)} for divisor)')
        return self._by(lambda t: t / other)

    div = divide = true_divide = __truediv__

    def __rtruediv__(self, other):
        _missing('reciprocal')

    def __floordiv__(self, other):
        return self._by(lambda t: t // other)

    def __pow__(self, exponent):
        return self._by(lambda t: t ** exponent)

    def __rpow__(self, base):
        _missing('pow.Scalar')

    def __neg__(self):
        return self._by(lambda t: -t)

    def __abs__(self):
        return self.abs()

    def add(self, other, *, alpha=1):
        if not isinstance(other, _Coordinates):
            raise RuntimeError('add(sparse, dense) is not supported. Use add(dense, sparse) instead.')
        return self._joined('AddBackward0', other, alpha)

    def sub(self, other, *, alpha=1):
        if not isinstance(other, _Coordinates):
            raise RuntimeError('add(sparse, dense) is not supported. Use add(dense, sparse) instead.')
        return self._joined('SubBackward0', other, -alpha)

    def _joined(self, grad_fn, other, alpha):
        if self.shape != other.shape:
            raise RuntimeError(f"add: expected sizes of 'self' and 'other' to match, but {list(self.shape)} != {list(other.shape)}")
        both = torch.cat([self._places, other._places], 1)
        group, places = _Sparse(both, both[0], self.shape)._grouped(range(self.sparse_dim()))

        def added(a, b):
            terms = torch.cat([a, alpha * b])
            return terms.new_zeros((places.size(1),) + tuple(terms.shape[1:])).index_add(0, group, terms)
        sources = [t._source for t in (self, other)]
        source = None if None in sources else sources[0] + alpha * sources[1]
        return _Sparse(places, _one_node(grad_fn, [self._numbers, other._numbers], added), self.shape, True, source)

    def __add__(self, other):
        return self.add(other) if isinstance(other, (int, float, torch.Tensor)) else NotImplemented

    def __sub__(self, other):
        return self.sub(other) if isinstance(other, (int, float, torch.Tensor)) else NotImplemented

    def __radd__(self, other, *, alpha=1):
        if not isinstance(other, (int, float, torch.Tensor)):
            return NotImplemented
        if not isinstance(other, torch.Tensor):
            return self.add(other)
        if tuple(other.shape) != tuple(self.shape):
            raise RuntimeError(f"add: expected 'self' and 'other' to have same size, but self has size {list(other.shape)} while other has size {list(self.shape)} (FYI: dense-sparse addition does not currently support broadcasting)")
        return _one_node('AddBackward0' if alpha == 1 else 'SubBackward0', [other, self.to_dense()], lambda a, b: a + alpha * b)

    def __rsub__(self, other):
        return self.__radd__(other, alpha=-1)

    def __repr__(self):
        def shown(name, t):
            short = repr(t.detach() if t.dtype == torch.bool else t.detach().to(torch.get_default_dtype() if t.is_floating_point() else torch.int64))
            if t.numel() == 0:
                short = f'tensor([], size={tuple(t.shape)})'
            return f'{name}=' + short.replace('\n', '\n' + ' ' * (8 + len(name)))
        ends = [f'size={tuple(self.shape)}', f'nnz={self._nnz()}', f'layout={self.layout}']
        if self.dtype not in (torch.get_default_dtype(), torch.int64, torch.bool):
            ends.insert(2, f'dtype={self.dtype}')
        if self.grad_fn is not None:
            ends.append(f'grad_fn=<{type(self.grad_fn).__name__}>')
        elif self.requires_grad:
            ends.append('requires_grad=True')
        lines = ['       ' + ends[0]]
        for end in ends[1:]:
            if len(lines[-1]) + len(end) + 2 > 80:
                lines[-1] += ','
                lines.append('       ' + end)
            else:
                lines[-1] += ', ' + end
        return f'tensor({shown("indices", self._places)},\n       {shown("values", self._numbers)},\n' + '\n'.join(lines) + ')'


# To programs it is a tensor as others are.
_Sparse = type('Tensor', (_Coordinates,), {'__module__': 'torch'})


def _together(tensors, dim=0):
    counts = [t.shape[dim] for t in tensors]
    places = [t._places.clone() for t in tensors]
    for k, p in enumerate(places):
        p[dim] += sum(counts[:k])
    size = list(tensors[0].shape)
    size[dim] = sum(counts)
    values = _one_node('CatBackward0', [t._numbers for t in tensors], lambda *v: torch.cat(v))
    return _Sparse(torch.cat(places, 1), values, size)


def _addmm(input, mat1, mat2, *, beta=1, alpha=1):
    return _one_node('AddmmBackward0', [input, _dense(mat1), _dense(mat2)], lambda c, a, b: torch.addmm(c, a, b, beta=beta, alpha=alpha))


def _zeros_like(input, **kwargs):
    return _Sparse(torch.zeros((input.ndim, 0), dtype=torch.int64), torch.zeros(0, dtype=input.dtype), input.shape, True)


_REFLECTED = {'add': '__radd__', 'sub': '__rsub__', 'mul': '__rmul__', 'matmul': '__rmatmul__', 'mm': '__rmatmul__'}
_WAYS = {'cat': _together, 'stack': lambda tensors, dim=0: _together([t.unsqueeze(dim) for t in tensors], dim), 'addmm': _addmm, 'zeros_like': _zeros_like, 'as_tensor': lambda data, **kwargs: data.to(**kwargs) if kwargs else data, 'linear': lambda input, weight, bias=None: input @ weight.t() if bias is None else _addmm(bias, input, weight.t())}


def sparse_coo_tensor(indices, values=None, size=None, *, dtype=None, device=None, requires_grad=False, check_invariants=None, is_coalesced=None):
    """A sparse tensor of indices and values."""
    if values is None:
        indices, values, size = torch.zeros((len(indices), 0)), [], indices
    indices = torch.as_tensor(indices).long()
    values = torch.as_tensor(values, dtype=dtype)
    if size is None:
        size = [int(row.max()) + 1 for row in indices] + list(values.shape[1:])
    if values.dim() == 0:
        values = values.expand(indices.size(1))
    if indices.size(1) != values.size(0):
        raise RuntimeError(f'indices and values must have same nnz, but got nnz from indices: {indices.size(1)}, nnz from values: {values.size(0)}')
    for d, row in enumerate(indices):
        if check_invariants and row.numel() and int(row.max()) >= size[d]:
            raise RuntimeError(f'size is inconsistent with indices: for dim {d}, size is {size[d]} but found index {int(row.max())}')
    if values.requires_grad and not requires_grad:
        values = _one_node('SparseCooTensorWithDimsAndTensorsBackward0', [values], lambda v: v)
    made = _Sparse(indices, values, size, bool(is_coalesced))
    return made.requires_grad_() if requires_grad else made


def spmm(input, mat2):
    """The product of a sparse matrix and another."""
    return torch.sparse.mm(input, mat2) if input.is_sparse else input.mm(mat2)
