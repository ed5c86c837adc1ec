# torch._C: how a class that derives from torch.Tensor is kept out of what it does itself.

class DisableTorchFunctionSubclass:
    """While it lasts, classes of tensors say nothing of operations."""

    def __enter__(self):
        torch._C._silence(True)

    def __exit__(self, *error):
        torch._C._silence(False)


DisableTorchFunction = DisableTorchFunctionSubclass


def _disabled_torch_function_impl(func, types, args=(), kwargs=None):
    """A __torch_function__ that leaves results as tensors."""
    with DisableTorchFunctionSubclass():
        return func(*args, **(kwargs or {}))
