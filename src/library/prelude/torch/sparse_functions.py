# torch.sparse: functions of sparse tensors.


def to_sparse(tensor):
    places = tensor.detach().nonzero().t()
    return torch._Sparse(places, tensor[tuple(places)], tensor.shape, True, tensor)


def mm(sparse, dense):
    dense = dense if isinstance(dense, torch.Tensor) else torch.as_tensor(dense)
    return sparse @ dense if dense.is_sparse else sparse._product(dense)


def sum(input, dim=None, dtype=None):
    own = input.coalesce()
    if dim is None:
        return own._values().sum()
    gone = [d % own.dim() for d in ((dim,) if isinstance(dim, int) else dim)]
    kept = [d for d in range(own.dim()) if d not in gone]
    group, places = own._grouped(kept)
    values = own._values().new_zeros(places.size(1)).index_add(0, group, own._values())
    return torch._Sparse(places, values, [own.shape[d] for d in kept], True) if kept else values.sum()


def softmax(input, dim, *, dtype=None):
    own = input.coalesce()
    group, places = own._grouped([d for d in range(own.dim()) if d != dim % own.dim()])
    values = own._values()
    most = values.detach().new_full((places.size(1),), -float('inf')).scatter_reduce(0, group, values.detach(), 'amax')
    terms = (values - most[group]).exp()
    total = terms.new_zeros(places.size(1)).index_add(0, group, terms)
    return own._like(terms / total[group])


def FloatTensor(indices, values, size=None):
    return torch.sparse_coo_tensor(indices, values.float(), size)
