# torch.amp: mixed precision on the CPU; a graphics card, which is not there, turns itself off.

import functools
import warnings


class autocast:
    """Products and convolutions compute in a shorter type."""
    __module__ = "torch.amp.autocast_mode"

    def __init__(self, device_type='cuda', dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            device_type, enabled = 'cuda', device_type
        if enabled and device_type != 'cpu':
            warnings.warn(f"User provided device_type of '{device_type}', but {device_type.upper()} is not available. Disabling")
        if dtype is None:
            dtype = torch.bfloat16
        if device_type == 'cpu' and enabled and dtype not in (torch.bfloat16, torch.float16):
            warnings.warn('In CPU autocast, but the target dtype is not supported. Disabling autocast.\nCPU Autocast only supports dtype of torch.bfloat16, torch.float16 currently.')
            enabled = False
        self.device = device_type
        self.fast_dtype = dtype
        self._enabled = bool(enabled) and device_type == 'cpu'
        self._before = []

    def __enter__(self):
        if self.device == 'cpu':
            self._before.append(torch._set_autocast(self.fast_dtype if self._enabled else None))
        return self

    def __exit__(self, *error):
        if self.device == 'cpu':
            torch._set_autocast(self._before.pop())
        return False

    def __call__(self, function):
        @functools.wraps(function)
        def within(*args, **keywords):
            with self:
                return function(*args, **keywords)
        return within


class GradScaler:
    """Scales losses, so that short floats hold their gradients."""
    __module__ = "torch.amp.grad_scaler"

    def __init__(self, device='cuda', init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        if enabled and device == 'cuda':
            warnings.warn('torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.')
            enabled = False
        assert not enabled or growth_factor > 1.0, 'The growth factor must be > 1.0.'
        assert not enabled or backoff_factor < 1.0, 'The backoff factor must be < 1.0.'
        self._enabled = enabled
        self._scale = init_scale
        self._growth_factor = growth_factor
        self._backoff_factor = backoff_factor
        self._growth_interval = growth_interval
        self._growth_tracker = 0
        # Of each optimizer whose gradients were unscaled since the last update, whether all were finite.
        self._finite = {}

    def is_enabled(self):
        return self._enabled

    def scale(self, outputs):
        if not self._enabled:
            return outputs
        if isinstance(outputs, torch.Tensor):
            return outputs * torch.tensor(self._scale, dtype=torch.float32)
        return type(outputs)([self.scale(output) for output in outputs])

    def unscale_(self, optimizer):
        if not self._enabled:
            return
        if id(optimizer) in self._finite:
            raise RuntimeError('unscale_() has already been called on this optimizer since the last update().')
        finite = True
        with torch.no_grad():
            for group in optimizer.param_groups:
                for p in group['params']:
                    if p.grad is not None:
                        p.grad.mul_(1 / self._scale)
                        finite = finite and bool(torch.isfinite(p.grad).all())
        self._finite[id(optimizer)] = finite

    def step(self, optimizer, *args, **kwargs):
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if id(optimizer) not in self._finite:
            self.unscale_(optimizer)
        return optimizer.step(*args, **kwargs) if self._finite[id(optimizer)] else None

    def update(self, new_scale=None):
        if not self._enabled:
            return
        if new_scale is not None:
            self._scale = float(new_scale)
        elif not self._finite:
            raise AssertionError('No inf checks were recorded prior to update.')
        elif not all(self._finite.values()):
            self._scale *= self._backoff_factor
            self._growth_tracker = 0
        else:
            self._growth_tracker += 1
            if self._growth_tracker == self._growth_interval:
                self._scale *= self._growth_factor
                self._growth_tracker = 0
        self._finite = {}

    def get_scale(self):
        return self._scale if self._enabled else 1.0

    def get_growth_factor(self):
        return self._growth_factor

    def state_dict(self):
        if not self._enabled:
            return {}
        return {
            'scale': self._scale,
            'growth_factor': self._growth_factor,
            'backoff_factor': self._backoff_factor,
            'growth_interval': self._growth_interval,
            '_growth_tracker': self._growth_tracker,
        }

    def load_state_dict(self, state_dict):
        if not self._enabled:
            return
        self._scale = state_dict['scale']
        self._growth_factor = state_dict['growth_factor']
        self._backoff_factor = state_dict['backoff_factor']
        self._growth_interval = state_dict['growth_interval']
        self._growth_tracker = state_dict['_growth_tracker']
