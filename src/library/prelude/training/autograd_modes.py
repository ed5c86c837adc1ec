# torch.autograd: switches that change nothing here.


class _Switch:
    def __init__(self, mode):
        self.mode = mode

    def __enter__(self):
        pass

    def __exit__(self, *args):
        pass


class set_multithreading_enabled(_Switch):
    """Whether a backward runs in several threads: here it runs in one."""
    __module__ = "torch.autograd.grad_mode"


class _force_original_view_tracking(_Switch):
    """How views are tracked: here in one way."""
    __module__ = "torch.autograd.grad_mode"
