# torch.nn.attention: which way to compute attention; there is one here.

from enum import Enum


class SDPBackend(Enum):
    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


class sdpa_kernel:
    def __init__(self, backends, set_priority=False):
        assert isinstance(backends, (list, SDPBackend)), 'Backend must be an instance of SDPBackend or a list of SDPBackend instances'

    def __enter__(self):
        return {}

    def __exit__(self, *problem):
        pass
