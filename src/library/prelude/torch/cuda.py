# torch.cuda on a machine without a graphics card.


def is_available():
    return False


def device_count():
    return 0


def is_initialized():
    return False


def is_bf16_supported():
    return False


def manual_seed(seed):
    pass


def manual_seed_all(seed):
    pass


def empty_cache():
    pass


def memory_allocated(device=None):
    return 0


def max_memory_allocated(device=None):
    return 0


def memory_reserved(device=None):
    return 0


def synchronize(device=None):
    torch.zeros(0).cuda()


def current_device():
    torch.zeros(0).cuda()


def get_device_name(device=None):
    torch.zeros(0).cuda()


def get_device_properties(device=None):
    torch.zeros(0).cuda()


def set_device(device):
    torch.zeros(0).cuda()
