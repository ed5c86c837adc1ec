# torch.nn.modules.module: hooks of every module.

from torch.nn._hooks import _added_everywhere


def register_module_forward_hook(hook, *, with_kwargs=False, always_call=False):
    """Registers a function to call after the forward of every module."""
    return _added_everywhere('after', hook, always_call=always_call, with_kwargs=with_kwargs)


def register_module_forward_pre_hook(hook):
    """Registers a function to call before the forward of every module."""
    return _added_everywhere('before', hook, with_kwargs=False)


def register_module_full_backward_hook(hook):
    """Registers a function to call with the gradients of every module's inputs and outputs."""
    return _added_everywhere('backward', hook, full=True)


def register_module_full_backward_pre_hook(hook):
    """Registers a function to call with the gradients of every module's outputs."""
    return _added_everywhere('backward before', hook)


def register_module_backward_hook(hook):
    """Registers a function to call with the gradients of the last operation in every module."""
    return _added_everywhere('backward', hook, full=False)
