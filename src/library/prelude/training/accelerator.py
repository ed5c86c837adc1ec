# torch.accelerator: there is none.


def is_available():
    return False


def current_accelerator(check_available=False):
    return None


def device_count():
    return 0


def synchronize(device=None, /):
    pass


def empty_cache():
    pass
