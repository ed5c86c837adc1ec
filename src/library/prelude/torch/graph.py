# torch.autograd.graph: hooks for what operations keep for backward.


class saved_tensors_hooks:
    """What operations save inside the block goes through two functions."""
    __module__ = "torch.autograd.graph"

    def __init__(self, pack_hook, unpack_hook):
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self):
        torch.autograd.graph._push_saved_tensors_default_hooks(self.pack_hook, self.unpack_hook)

    def __exit__(self, *args):
        torch.autograd.graph._pop_saved_tensors_default_hooks()


class save_on_cpu(saved_tensors_hooks):
    """Keeps what is saved on the CPU, where everything is here."""
    __module__ = "torch.autograd.graph"

    def __init__(self, pin_memory=False, device_type="cuda"):
        def pack_to_cpu(tensor):
            return (tensor.device, tensor)

        def unpack_from_cpu(packed):
            return packed[1]
        super().__init__(pack_to_cpu, unpack_from_cpu)


class disable_saved_tensors_hooks:
    """Inside the block no hooks for saved tensors may be set."""
    __module__ = "torch.autograd.graph"

    def __init__(self, error_message):
        self.error_message = error_message

    def __enter__(self):
        self.before = torch.autograd.graph._disable_saved_tensors_hooks(self.error_message)

    def __exit__(self, *args):
        torch.autograd.graph._disable_saved_tensors_hooks(self.before)
