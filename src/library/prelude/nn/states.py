# What a module has registered, as dicts whose changes are changes of the module; and saving and
# loading it in PyTorch's steps, so that a class may have others in their place, with hooks between.

from collections import OrderedDict
from torch.nn._hooks import _IncompatibleKeys, _added

_EXTRA = '_extra_state'


def _lazy(t):
    return isinstance(t, torch.nn.parameter.UninitializedParameter)


def _own(module):
    """The parameters and the buffers that are saved."""
    return [(name, t) for name, t in module._own('saved').items() if t is not None]


def state_dict(module, *args, destination=None, prefix='', keep_vars=False):
    destination, prefix, keep_vars = (*args, *(destination, prefix, keep_vars)[len(args):])[:3]
    if destination is None:
        destination = OrderedDict()
        destination._metadata = OrderedDict()
    local = {'version': module._version}
    if hasattr(destination, '_metadata'):
        destination._metadata[prefix[:-1]] = local
    for hook, _ in list(module._hooks_of('saving').values()):
        hook(module, prefix, keep_vars)
    module._save_to_state_dict(destination, prefix, keep_vars)
    for name, inner in module._places().items():
        if inner is not None:
            inner.state_dict(destination=destination, prefix=prefix + name + '.', keep_vars=keep_vars)
    for hook, options in list(module._hooks_of('saved').values()):
        changed = hook(module, destination, prefix, local)
        if changed is not None:
            if options['public']:
                raise RuntimeError('state_dict post-hook must return None')
            destination = changed
    return destination


def _save_to_state_dict(module, destination, prefix, keep_vars):
    for name, t in _own(module):
        destination[prefix + name] = t if keep_vars or _lazy(t) else t.detach()
    if hasattr(module.__class__, 'get_extra_state'):
        destination[prefix + _EXTRA] = module.get_extra_state()


def load_state_dict(module, state_dict, strict=True, assign=False):
    if not isinstance(state_dict, dict):
        raise TypeError(f'Expected state_dict to be dict-like, got {state_dict.__class__}.')
    missing, unexpected, messages = [], [], []
    metadata = getattr(state_dict, '_metadata', None)
    state_dict = OrderedDict(state_dict)
    if metadata is not None:
        state_dict._metadata = metadata
    def load(module, own, prefix=''):
        local = {} if metadata is None else metadata.get(prefix[:-1], {})
        if assign:
            local['assign_to_params_buffers'] = assign
        module._load_from_state_dict(own, prefix, local, True, missing, unexpected, messages)
        for name, inner in module._places().items():
            if inner is not None:
                start = prefix + name + '.'
                load(inner, {k: v for k, v in own.items() if k.startswith(start)}, start)
        keys = _IncompatibleKeys(missing, unexpected)
        for hook, _ in list(module._hooks_of('loaded').values()):
            if hook(module, keys) is not None:
                raise AssertionError('Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new values, if incompatible_keys need to be modified, it should be done inplace.')
    load(module, state_dict)
    listed = lambda keys: ', '.join(f'"{k}"' for k in keys)
    if strict and unexpected:
        messages.insert(0, f'Unexpected key(s) in state_dict: {listed(unexpected)}. ')
    if strict and missing:
        messages.insert(0, f'Missing key(s) in state_dict: {listed(missing)}. ')
    if messages:
        raise RuntimeError('Error(s) in loading state_dict for {}:\n\t{}'.format(module.__class__.__name__, '\n\t'.join(messages)))
    return _IncompatibleKeys(missing, unexpected)


def _load_from_state_dict(module, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
    for hook, options in list(module._hooks_of('loading').values()):
        first = (module,) if options['with_module'] else ()
        hook(*first, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
    own = dict(_own(module))
    for name, t in own.items():
        key = prefix + name
        if key in state_dict:
            new = state_dict[key]
            if not isinstance(new, torch.Tensor):
                error_msgs.append(f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from checkpoint but received {new.__class__}')
                continue
            lazy = _lazy(t)
            if not lazy and t.dim() == 0 and new.shape == (1,):
                new = new[0]
            if not lazy and new.shape != t.shape:
                error_msgs.append(f'size mismatch for {key}: copying a param with shape {new.shape} from checkpoint, the shape in current model is {t.shape}.')
            elif local_metadata.get('assign_to_params_buffers', False):
                if isinstance(t, torch.nn.Parameter):
                    if not isinstance(new, torch.nn.Parameter):
                        new = torch.nn.Parameter(new, requires_grad=t.requires_grad)
                    else:
                        new.requires_grad_(t.requires_grad)
                setattr(module, name, new)
            else:
                if lazy and not _lazy(new):
                    t.data = torch.empty(new.shape, dtype=t.dtype)
                with torch.no_grad():
                    t.copy_(new)
        elif strict:
            missing_keys.append(key)
    extra = prefix + _EXTRA
    if hasattr(module.__class__, 'set_extra_state'):
        if extra in state_dict:
            module.set_extra_state(state_dict[extra])
        elif strict:
            missing_keys.append(extra)
    elif strict and extra in state_dict:
        unexpected_keys.append(extra)
    if strict:
        modules = module._places()
        for key in state_dict:
            if key.startswith(prefix) and key != extra:
                first, *rest = key[len(prefix):].split('.', 1)
                if first not in (modules if rest else own):
                    unexpected_keys.append(key)


def register_state_dict_pre_hook(module, hook):
    return _added(module, 'saving', hook)


def register_state_dict_post_hook(module, hook):
    return _added(module, 'saved', hook, public=True)


def _register_state_dict_hook(module, hook):
    return _added(module, 'saved', hook, public=False)


def register_load_state_dict_pre_hook(module, hook):
    return _added(module, 'loading', hook, with_module=True)


def _register_load_state_dict_pre_hook(module, hook, with_module=False):
    return _added(module, 'loading', hook, with_module=with_module)


def register_load_state_dict_post_hook(module, hook):
    return _added(module, 'loaded', hook)


class _Registered(dict):
    def __init__(self, module, items, register):
        dict.__init__(self, items)
        self.module, self.register = module, register

    def __setitem__(self, name, value):
        if name in self:
            setattr(self.module, name, value)
        else:
            self.register(name, value)
        dict.__setitem__(self, name, value)

    def __delitem__(self, name):
        dict.__delitem__(self, name)
        delattr(self.module, name)

    def pop(self, name, *usual):
        if name in self:
            delattr(self.module, name)
        return dict.pop(self, name, *usual)


def _hooks(module, kind):
    return OrderedDict({place: hook for place, (hook, _) in module._hooks_of(kind).items()})


def _forward_hooks(module):
    return _hooks(module, 'after')


def _forward_pre_hooks(module):
    return _hooks(module, 'before')


def _backward_hooks(module):
    return _hooks(module, 'backward')


def _backward_pre_hooks(module):
    return _hooks(module, 'backward before')


def _modules(module):
    return _Registered(module, module._places(), module.register_module)


def _parameters(module):
    return _Registered(module, module._own('parameters'), module.register_parameter)


def _buffers(module):
    return _Registered(module, module._own('buffers'), module.register_buffer)


def compile(module, *args, **kwargs):
    pass


def share_memory(module):
    return module


def type(module, dst_type):
    for t in (*module.parameters(), *module.buffers()):
        t.data = t.data.type(dst_type)
    return module


def set_submodule(module, target, submodule, strict=False):
    if target == '':
        raise ValueError('Cannot set the submodule without a target name!')
    *path, last = target.split('.')
    if not isinstance(submodule, torch.nn.Module):
        raise ValueError(f'`module` is not an nn.Module, found {submodule.__class__}')
    parent = module.get_submodule('.'.join(path)) if path else module
    if strict and not hasattr(parent, last):
        raise AttributeError(f'{parent._get_name()} has no attribute `{last}`')
    if hasattr(parent, last) and not isinstance(getattr(parent, last), torch.nn.Module):
        raise AttributeError(f'`{last}` is not an nn.Module')
    setattr(parent, last, submodule)
