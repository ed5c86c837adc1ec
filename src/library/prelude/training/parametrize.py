# torch.nn.utils.parametrize: parameters that are computed from others whenever they are read.


def _kept_as(made, dtype, shape, names=('unparametrized', 'parametrized'), flag='`unsafe` flag'):
    if not isinstance(made, torch.Tensor):
        raise ValueError(f'A parametrization must return a tensor. Got {type(made).__name__}.')
    for what, was, now in (('dtype', dtype, made.dtype), ('shape', shape, made.shape)):
        if was != now:
            raise ValueError(
                f'Registering a parametrization may not change the {what} of the tensor, unless {flag} is enabled.\n'
                f'{names[0]} {what}: {was}\n{names[1]} {what}: {now}'
            )


class ParametrizationList(nn.ModuleList):
    """The functions that make a parameter of its originals."""
    __module__ = "torch.nn.utils.parametrize"

    def __init__(self, modules, original, unsafe=False):
        super().__init__(modules)
        self.unsafe = unsafe
        self.is_tensor = True
        was = original.dtype, original.shape
        made = original
        with torch.no_grad():
            for module in reversed(list(self)):
                if hasattr(module, 'right_inverse'):
                    made = module.right_inverse(made)
        if isinstance(made, torch.Tensor):
            made = made.detach() if made is not original else made
            if isinstance(original, nn.Parameter):
                original.data = made.data
                self.register_parameter('original', original)
            else:
                self.register_buffer('original', made)
        else:
            self._keep_parts(original, made)
        if not unsafe:
            _kept_as(self(), *was)

    def _keep_parts(self, original, made):
        self.is_tensor = False
        self.ntensors = len(made)
        for k, part in enumerate(made):
            if isinstance(original, nn.Parameter):
                self.register_parameter(f'original{k}', nn.Parameter(part.detach(), requires_grad=original.requires_grad))
            else:
                self.register_buffer(f'original{k}', part.detach())

    def _originals(self):
        if self.is_tensor:
            return (self.original,)
        return tuple([getattr(self, f'original{k}') for k in range(self.ntensors)])

    def right_inverse(self, value):
        with torch.no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, 'right_inverse'):
                    raise RuntimeError(f'parametrization {type(module).__name__} does not implement right_inverse.')
                value = module.right_inverse(value)
            for own, new in zip(self._originals(), (value,) if self.is_tensor else value):
                own.data = new.data

    def forward(self):
        modules = list(self)
        x = modules[0](*self._originals())
        for module in modules[1:]:
            x = module(x)
        return x


_kept = {'depth': 0, 'values': {}}


class cached:
    """Computes each parameter once for as long as it is open."""

    def __enter__(self):
        _kept['depth'] += 1

    def __exit__(self, *error):
        _kept['depth'] -= 1
        if not _kept['depth']:
            _kept['values'] = {}


def _computed(name):
    def get(self):
        computes = self.parametrizations[name]
        if not _kept['depth']:
            return computes()
        key = (id(self), name)
        if key not in _kept['values']:
            _kept['values'][key] = computes()
        return _kept['values'][key]

    def put(self, value):
        self.parametrizations[name].right_inverse(value)

    return property(get, put)


def _make_parametrized(module):
    base = type(module)

    def __setattr__(self, name, value):
        if name in self.parametrizations:
            self.parametrizations[name].right_inverse(value)
        else:
            base.__setattr__(self, name, value)

    made = type('Parametrized' + base.__name__, (base,), {'__setattr__': __setattr__, '__module__': base.__module__})
    module.parametrizations = nn.ModuleDict()
    module.__class__ = made


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    """Computes a parameter of a module by another module from now on."""
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            now = getattr(module, tensor_name)
            names = f'module.{tensor_name}', f'parametrization(module.{tensor_name})'
            _kept_as(parametrization(now), now.dtype, now.shape, names, 'the `unsafe` flag')
        module.parametrizations[tensor_name].append(parametrization)
        return module
    known = dict(module.named_parameters(recurse=False))
    known.update(dict(module.named_buffers(recurse=False)))
    if tensor_name not in known:
        raise ValueError(f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name '{tensor_name}'")
    original = known[tensor_name]
    computes = ParametrizationList([parametrization], original, unsafe=unsafe)
    delattr(module, tensor_name)
    if not is_parametrized(module):
        _make_parametrized(module)
    setattr(type(module), tensor_name, _computed(tensor_name))
    module.parametrizations[tensor_name] = computes
    return module


def is_parametrized(module, tensor_name=None):
    """Whether a module, or a parameter of it, is computed."""
    computes = getattr(module, 'parametrizations', None)
    if not isinstance(computes, nn.ModuleDict):
        return False
    return len(computes) > 0 if tensor_name is None else tensor_name in computes


def type_before_parametrizations(module):
    """The class of a module as it was made."""
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    """Makes a computed parameter a plain one again."""
    if not is_parametrized(module, tensor_name):
        raise ValueError(f'Module {module} does not have a parametrization on {tensor_name}')
    computes = module.parametrizations[tensor_name]
    original = computes._originals()[0]
    kept = isinstance(original, nn.Parameter)
    if leave_parametrized:
        with torch.no_grad():
            value = getattr(module, tensor_name).detach()
        if computes.is_tensor and kept:
            original.data = value
        else:
            original = nn.Parameter(value) if kept else value
    elif not computes.is_tensor:
        raise ValueError('Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a sequence of tensors.')
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    if len(module.parametrizations) == 0:
        module.__class__ = type(module).__bases__[0]
        delattr(module, 'parametrizations')
    if kept:
        module.register_parameter(tensor_name, original)
    else:
        module.register_buffer(tensor_name, original)
    return module
