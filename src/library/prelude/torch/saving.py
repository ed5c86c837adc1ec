# torch.save and torch.load: into a stream, or into a file of the program's own memory.

import copy


class _Pickled:
    """What pickle makes of a value: a copy of its own."""

    _pickled = True

    def __init__(self, value):
        self._value = value

    def __repr__(self):
        return f'<pickled {type(self._value).__name__}>'

    def __len__(self):
        raise NotImplementedError('vjp keeps pickled values as they are: they have no length')


def _copied(v, known):
    """A copy as pickle makes it: tensors become leaves, and gradients stay behind."""
    if id(v) in known:
        return known[id(v)]
    if isinstance(v, nn.Parameter):
        made = nn.Parameter(v.detach().clone(), requires_grad=v.requires_grad)
    elif isinstance(v, torch.Tensor):
        made = v.detach().clone()
        if v.requires_grad:
            made.requires_grad_()
    elif type(v) is dict or isinstance(v, dict) and type(v).__name__ == 'OrderedDict':
        made = type(v)()
        known[id(v)] = made
        for key, value in v.items():
            made[key] = _copied(value, known)
    elif type(v) is list:
        made = []
        known[id(v)] = made
        for value in v:
            made.append(_copied(value, known))
    elif type(v) is tuple:
        made = tuple([_copied(value, known) for value in v])
    elif isinstance(v, nn.Module):
        made = copy.deepcopy(v)
        made.zero_grad()
    elif callable(v) and getattr(v, '__name__', '') == '<lambda>':
        if '.' in v.__qualname__:
            raise AttributeError(f"Can't pickle local object '{v.__qualname__}'")
        import pickle

        raise pickle.PicklingError(f"Can't pickle {v}: attribute lookup <lambda> on __main__ failed")
    else:
        # Numbers and None are no objects of their own here: nothing to remember.
        return copy.deepcopy(v)
    known[id(v)] = made
    return made


def _written(obj, f):
    saved = _Pickled(_copied(obj, {}))
    if hasattr(f, 'write'):
        f.write(saved)
        return
    with open(f, 'wb') as file:
        file.write(saved)


def _read(f):
    if hasattr(f, 'read'):
        return _copied(f.read()._value, {})
    with open(f, 'rb') as file:
        return _copied(file.read()._value, {})


def _object_within(v):
    """The first part that is neither data nor a tensor; None: there is none."""
    if isinstance(v, dict):
        v = [*v.keys(), *v.values()]
    if isinstance(v, (list, tuple, set)):
        found = [_object_within(part) for part in v]
        return ([part for part in found if part is not None] or [None])[0]
    plain = v is None or isinstance(v, (bool, int, float, complex, str, torch.Tensor, torch.dtype, torch.device))
    return None if plain else v


def save(obj, f, *args, **options):
    """Writes a value: a state_dict, a model, tensors in lists and dicts."""
    _written(obj, f)


def load(f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None, **options):
    """Reads what save has written."""
    made = _read(f)
    other = _object_within(made)
    if weights_only in (None, True) and other is not None:
        import pickle

        name = f'{type(other).__module__}.{type(other).__name__}'
        raise pickle.UnpicklingError(f'Weights only load failed. This file can still be loaded, to do so you have two options, \033[1mdo those steps only if you trust the source of the checkpoint\033[0m. \n\t(1) In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` from `False` to `True`. Re-running `torch.load` with `weights_only` set to `False` will likely succeed, but it can result in arbitrary code execution. Do it only if you got the file from a trusted source.\n\t(2) Alternatively, to load with `weights_only=True` please check the recommended steps in the following error message.\n\tWeightsUnpickler error: Unsupported global: GLOBAL {name} was not an allowed global by default. Please use `torch.serialization.add_safe_globals([{name}])` or the `torch.serialization.safe_globals([{name}])` context manager to allowlist this global if you trust this class/function.\n\nCheck the documentation of torch.load to learn more about types accepted by default with weights_only https://pytorch.org/docs/stable/generated/torch.load.html.')
    return made
