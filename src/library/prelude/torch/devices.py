# What programs ask PyTorch about the machine before they begin.


def set_default_device(device):
    torch.zeros(0, device=device)


def get_default_device():
    return torch.device("cpu")


def use_deterministic_algorithms(mode, *, warn_only=False):
    if not isinstance(mode, bool):
        raise TypeError(f"_set_deterministic_algorithms(): argument 'mode' (position 1) must be bool, not {type(mode).__name__}")


def set_float32_matmul_precision(precision):
    if not isinstance(precision, str):
        raise RuntimeError(f"set_float32_matmul_precision expects a str, but got {type(precision).__name__}")


def get_float32_matmul_precision():
    return "highest"


def get_num_threads():
    return 1


def set_num_threads(num):
    if not isinstance(num, int):
        raise RuntimeError(f"set_num_threads expects an int, but got {type(num).__name__}")
    if num <= 0:
        raise RuntimeError("set_num_threads expects a positive integer")


class layout:
    """How numbers lie in memory."""
    __module__ = "torch"

    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return f'torch.{self._name}'


class memory_format(layout):
    __module__ = "torch"


has_mps = False
strided = layout('strided')
sparse_coo = layout('sparse_coo')
contiguous_format = memory_format('contiguous_format')
preserve_format = memory_format('preserve_format')


def autocast(device_type='cuda', dtype=None, enabled=True, cache_enabled=None):
    return torch.amp.autocast(device_type, dtype, enabled, cache_enabled)


def is_autocast_enabled(device_type='cuda'):
    return device_type == 'cpu' and torch._autocast_dtype() is not None


def is_autocast_cpu_enabled():
    return torch.is_autocast_enabled('cpu')


def get_autocast_dtype(device_type):
    return torch._autocast_dtype() or torch.bfloat16 if device_type == 'cpu' else torch.float16


def get_autocast_cpu_dtype():
    return torch.get_autocast_dtype('cpu')
