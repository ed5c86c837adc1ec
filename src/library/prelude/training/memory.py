# Methods of tensors that work element by element in Python, or on the memory.

import math


def _alone(tensor, name):
    if tensor.requires_grad:
        raise RuntimeError(f"Can't call {name}() on Variable that requires grad. Use var.detach().{name}() instead.")


def apply_(tensor, callable, /):
    _alone(tensor, 'apply_')
    values = [callable(v) for v in tensor.reshape(-1).tolist()]
    return tensor.copy_(torch.tensor(values, dtype=tensor.dtype).reshape(tensor.shape))


def map_(tensor, other, callable, /):
    _alone(tensor, 'map_')
    pairs = zip(tensor.reshape(-1).tolist(), other.expand_as(tensor).reshape(-1).tolist())
    return tensor.copy_(torch.tensor([callable(a, b) for a, b in pairs], dtype=tensor.dtype).reshape(tensor.shape))


def resize_(tensor, *sizes):
    if tensor.requires_grad:
        raise RuntimeError('cannot resize variables that require grad')
    size = tuple(sizes[0]) if len(sizes) == 1 and not isinstance(sizes[0], int) else sizes
    count, start = math.prod(size), tensor.storage_offset()
    there = tensor.untyped_storage().nbytes() // tensor.element_size() - start
    memory = tensor.as_strided((min(count, there),), (1,), start)
    if count > there:
        memory = torch.cat([memory, memory.new_zeros(count - there)])
    if tuple(tensor.shape) != tuple(size):
        tensor.set_(memory.view(size))
    return tensor


def resize_as_(tensor, the_template, /):
    return resize_(tensor, the_template.shape)


def __array__(tensor, dtype=None):
    array = tensor.numpy()
    return array if dtype is None else array.astype(dtype)
