# torch.sparse: functions of sparse tensors.

from torch.autograd.graph import _one_node


def to_sparse(tensor, sparse_dim=None):
    kept = tensor.dim() if sparse_dim is None else sparse_dim
    places = (tensor.detach() != 0).flatten(kept).any(-1) if kept < tensor.dim() else tensor.detach()
    places = places.nonzero().t()
    values = _one_node('ToSparseBackward0' if sparse_dim else 'ToSparseBackward1', [tensor], lambda t: t[tuple(places)])
    return torch._Sparse(places, values, tensor.shape, True, tensor)


def mm(sparse, dense):
    dense = torch.as_tensor(dense)
    return (sparse @ dense)._named('SparseSparseMatmulBackward0') if dense.is_sparse else sparse._product(dense)


def addmm(mat, mat1, mat2, beta=1, alpha=1):
    return _one_node('SparseAddmmBackward0', [mat, mat1._values(), mat2], lambda c, v, b: beta * c + alpha * mat1._like(v)._product(b))


def _summed(grad_fn, input, dim, dtype=None):
    own = input.coalesce()
    gone = [d % own.dim() for d in ((dim,) if isinstance(dim, int) else dim)]
    kept = [d for d in range(own.dim()) if d not in gone]
    group, places = own._grouped(kept)
    added = lambda v: v.new_zeros(places.size(1)).index_add(0, group, v)
    values = _one_node(grad_fn, [own._values()], added if kept else lambda v: v.sum())
    values = values if dtype is None else values.to(dtype)
    return torch._Sparse(places, values, [own.shape[d] for d in kept], True) if kept else values


def sum(input, dim=None, dtype=None):
    if dim is None:
        return input.coalesce()._values().sum() if dtype is None else input.coalesce()._values().sum(dtype=dtype)
    return _summed('SparseSumBackward0', input, dim, dtype)


def _softmax(grad_fn, input, dim, last):
    own = input.coalesce()
    group, places = own._grouped([d for d in range(own.dim()) if d != dim % own.dim()])

    def of(values):
        most = values.detach().new_full((places.size(1),), -float('inf')).scatter_reduce(0, group, values.detach(), 'amax')
        shifted = values - most[group]
        return last(shifted, shifted.new_zeros(places.size(1)).index_add(0, group, shifted.exp())[group])
    return own._like(_one_node(grad_fn, [own._values()], of))


def softmax(input, dim, *, dtype=None):
    return _softmax('SparseSoftmaxBackward0', input, dim, lambda shifted, total: shifted.exp() / total)


def log_softmax(input, dim, *, dtype=None):
    return _softmax('SparseLogSoftmaxBackward0', input, dim, lambda shifted, total: shifted - total.log())


def FloatTensor(indices, values, size=None):
    return torch.sparse_coo_tensor(indices, values.float(), size)
