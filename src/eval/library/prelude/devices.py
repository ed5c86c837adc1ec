# What programs ask PyTorch about the machine before they begin.


def set_default_device(device):
    torch.zeros(0, device=device)


def get_default_device():
    return torch.device("cpu")


def use_deterministic_algorithms(mode, *, warn_only=False):
    pass


def set_float32_matmul_precision(precision):
    pass


def get_float32_matmul_precision():
    return "highest"


def get_num_threads():
    return 1


def set_num_threads(num):
    pass


def typename(obj):
    if isinstance(obj, torch.Tensor):
        return obj.type()
    kind = obj if isinstance(obj, type) else type(obj)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
