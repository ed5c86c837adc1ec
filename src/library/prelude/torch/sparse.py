# torch.sparse: matrices of which only the elements that are not 0 are kept, by their coordinates.

import math


class _Sparse:
    """A tensor of indices and values; what stands at one place twice is added."""
    __module__ = "torch"
    is_sparse = True
    is_leaf = False

    def __init__(self, indices, values, size, coalesced=False, source=None):
        # The dense matrix that it was made of: a product has slopes at its zeros too.
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
    T = property(lambda self: self.t())

    def _like(self, values, coalesced=None, source=None):
        dense = None if source is None or self._source is None else source(self._source)
        return _Sparse(self._places, values, self.shape, self._coalesced if coalesced is None else coalesced, dense)

    def _asked(self, name):
        if not self._coalesced:
            raise RuntimeError(f'Cannot get {name} on an uncoalesced tensor, please call .coalesce() first')

    def indices(self):
        self._asked('indices')
        return self._places

    def values(self):
        self._asked('values')
        return self._numbers

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
        group, places = self._grouped(range(self.ndim))
        values = self._numbers.new_zeros(places.size(1)).index_add(0, group, self._numbers)
        return _Sparse(places, values, self.shape, True)

    def to_dense(self):
        return torch.zeros(self.shape, dtype=self.dtype).index_put(tuple(self._places), self._numbers, accumulate=True)

    def transpose(self, dim0, dim1):
        order = list(range(self.ndim))
        order[dim0], order[dim1] = order[dim1], order[dim0]
        source = None if self._source is None else self._source.transpose(dim0, dim1)
        return _Sparse(self._places[order], self._numbers, [self.shape[d] for d in order], source=source)

    def t(self):
        return self.transpose(0, 1)

    def sum(self, dim=None):
        return torch.sparse.sum(self, dim)

    def __matmul__(self, other):
        if isinstance(other, _Sparse):
            return (self @ other.to_dense()).to_sparse()
        other = torch.as_tensor(other)
        if self._source is not None and self.requires_grad:
            return self._source @ other
        return self._product(other)

    # With slopes at the elements kept alone.
    def _product(self, other):
        if self.shape[-1] != other.size(0):
            raise RuntimeError(f'mat1 and mat2 shapes cannot be multiplied ({self.shape[0]}x{self.shape[1]} and {"x".join(str(n) for n in other.shape)})')
        rows, columns = self.coalesce()._places
        values = self.coalesce()._numbers
        terms = other[columns] * (values if other.dim() == 1 else values.unsqueeze(1))
        return terms.new_zeros((self.shape[0],) + tuple(other.shape[1:])).index_add(0, rows, terms)

    mm = matmul = mv = __matmul__

    def __rmatmul__(self, other):
        return (self.t() @ other.t()).t()

    def __mul__(self, other):
        if isinstance(other, _Sparse):
            other = other.to_dense()
        if isinstance(other, torch.Tensor) and other.dim() > 0:
            own = self.coalesce()
            return own._like(own._numbers * other.expand(self.shape)[tuple(own._places)])
        return self._like(self._numbers * other, source=lambda dense: dense * other)

    __rmul__ = mul = __mul__

    def __truediv__(self, other):
        return self._like(self._numbers / other, source=lambda dense: dense / other)

    def __add__(self, other):
        if not isinstance(other, _Sparse):
            return self.to_dense() + other
        places = torch.cat([self._places, other._places], 1)
        return _Sparse(places, torch.cat([self._numbers, other._numbers]), self.shape).coalesce()

    __radd__ = add = __add__

    def detach(self):
        return self._like(self._numbers.detach())

    def clone(self):
        return self._like(self._numbers.clone())

    def to(self, *args, **kwargs):
        return self._like(self._numbers.to(*args, **kwargs))

    def __repr__(self):
        def shown(name, t):
            return f'{name}=' + repr(t.detach().to(torch.get_default_dtype()) if t.is_floating_point() else t).replace('\n', '\n' + ' ' * (8 + len(name)))
        ends = [f'size={tuple(self.shape)}', f'nnz={self._nnz()}', f'layout={self.layout}']
        if self.dtype not in (torch.get_default_dtype(), torch.int64):
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


def sparse_coo_tensor(indices, values=None, size=None, *, dtype=None, device=None, requires_grad=False, check_invariants=None, is_coalesced=None):
    """A sparse tensor of indices and values."""
    indices = torch.as_tensor(indices).long()
    values = torch.as_tensor(values, dtype=dtype)
    if size is None:
        size = [int(row.max()) + 1 for row in indices]
    if values.dim() == 0:
        values = values.expand(indices.size(1))
    if indices.size(1) != values.size(0):
        raise RuntimeError(f'indices and values must have same nnz, but got nnz from indices: {indices.size(1)}, nnz from values: {values.size(0)}')
    for d, row in enumerate(indices):
        if row.numel() and int(row.max()) >= size[d]:
            raise RuntimeError(f'size is inconsistent with indices: for dim {d}, size is {size[d]} but found index {int(row.max())}')
    values = values.requires_grad_() if requires_grad else values
    return _Sparse(indices, values, size, bool(is_coalesced))


def spmm(input, mat2):
    """The product of a sparse matrix and another."""
    return torch.sparse.mm(input, mat2)
