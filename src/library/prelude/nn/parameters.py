# Parameters by name: torch.nn.modules.container.ParameterDict.


class ParameterDict(nn.Module):
    """A dict of parameters."""
    __module__ = "torch.nn.modules.container"

    def __init__(self, parameters=None):
        super().__init__()
        self._keys = {}
        if parameters is not None:
            self.update(parameters)

    def __setitem__(self, key, value):
        self._keys[key] = None
        if isinstance(value, torch.Tensor) and not isinstance(value, nn.Parameter):
            value = nn.Parameter(value)
        setattr(self, key, value)

    def __getitem__(self, key):
        if key not in self._keys:
            raise KeyError(key)
        return getattr(self, key)

    def __delitem__(self, key):
        del self._keys[key]
        delattr(self, key)

    def __contains__(self, key):
        return key in self._keys

    def __len__(self):
        return len(self._keys)

    def __iter__(self):
        return iter(self._keys)

    def keys(self):
        return self._keys.keys()

    def values(self):
        return [self[key] for key in self._keys]

    def items(self):
        return [(key, self[key]) for key in self._keys]

    def get(self, key, default=None):
        return self[key] if key in self else default

    def pop(self, key):
        value = self[key]
        del self[key]
        return value

    def update(self, parameters):
        # PyTorch takes a plain dict in the order of its names.
        pairs = sorted(parameters.items()) if type(parameters) is dict else parameters
        pairs = pairs.items() if hasattr(pairs, 'items') else pairs
        for key, value in pairs:
            self[key] = value

    def extra_repr(self):
        lines = []
        for key, value in self.items():
            if isinstance(value, torch.Tensor):
                sizes = 'x'.join(str(n) for n in value.size())
                kind = 'Parameter' if isinstance(value, nn.Parameter) else 'Tensor'
                lines.append(f'  ({key}): {kind} containing: [{value.type()} of size {sizes}]')
            else:
                lines.append(f'  ({key}): Object of type: {type(value).__name__}')
        return '\n'.join(lines)
