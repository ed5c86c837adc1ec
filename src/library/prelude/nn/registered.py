# What a module has registered, as dicts whose changes are changes of the module.


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
    from collections import OrderedDict

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
