# torch.amp: mixed precision. Only a graphics card has it here, and there is none: it turns itself off.

import functools
import warnings


class autocast:
    """Computes as without it, where the device is not there."""
    __module__ = "torch.amp.autocast_mode"

    def __init__(self, device_type='cuda', dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            device_type, enabled = 'cuda', device_type
        if device_type == 'cpu' and enabled:
            raise NotImplementedError('autocast on the CPU computes in bfloat16: it is not provided; enabled=False turns it off')
        if enabled:
            warnings.warn(f"User provided device_type of '{device_type}', but {device_type.upper()} is not available. Disabling")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def __call__(self, function):
        @functools.wraps(function)
        def within(*args, **keywords):
            return function(*args, **keywords)
        return within


class GradScaler:
    """Scales nothing, where there is no graphics card."""
    __module__ = "torch.amp.grad_scaler"

    def __init__(self, device='cuda', init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        if enabled:
            warnings.warn('torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.')

    def is_enabled(self):
        return False

    def scale(self, outputs):
        return outputs

    def unscale_(self, optimizer):
        pass

    def step(self, optimizer, *args, **kwargs):
        return optimizer.step(*args, **kwargs)

    def update(self, new_scale=None):
        pass

    def get_scale(self):
        return 1.0

    def state_dict(self):
        return {}

    def load_state_dict(self, state_dict):
        pass
