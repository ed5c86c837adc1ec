# torch.nn.modules.lazy: layers whose input size comes from their first input; then they are of the
# class that they stand for.

from torch.nn.parameter import UninitializedParameter


class _Lazy(nn.Module):
    becomes = None
    # The attribute that holds the input size.
    size = 'in_features'

    def has_uninitialized_params(self):
        return any(isinstance(p, UninitializedParameter) for p in self.parameters())

    def reset_parameters(self):
        if not self.has_uninitialized_params() and getattr(self, self.size) != 0:
            self.becomes.reset_parameters(self)

    def _wait(self, **given):
        """Starts as a layer of no inputs, whose tensors wait for their shapes."""
        dtype = given['dtype']
        nn.Module.__init__(self)
        for name, value in given.items():
            if name not in ('bias', 'dtype'):
                setattr(self, name, value)
        self.weight = UninitializedParameter(torch.empty(0, dtype=dtype))
        if given['bias']:
            self.bias = UninitializedParameter(torch.empty(0, dtype=dtype))
        else:
            self.register_parameter('bias', None)

    def initialize_parameters(self, input):
        if not self.has_uninitialized_params():
            return
        setattr(self, self.size, self._size_of(input))
        for name, shape in self._shapes().items():
            p = getattr(self, name)
            if p is not None:
                p.data = torch.empty(shape, dtype=p.dtype)
        self.reset_parameters()

    def forward(self, input, *more):
        self.initialize_parameters(input)
        self.__class__ = self.becomes
        return self.forward(input, *more)


class LazyLinear(_Lazy, nn.Linear):
    """A Linear layer that takes its input size from its first input."""
    __module__ = "torch.nn.modules.linear"
    becomes = nn.Linear

    def __init__(self, out_features, bias=True, device=None, dtype=None):
        self._wait(in_features=0, out_features=out_features, bias=bias, dtype=dtype)

    def _size_of(self, input):
        return input.shape[-1]

    def _shapes(self):
        return {'weight': (self.out_features, self.in_features), 'bias': (self.out_features,)}


class _LazyConv(_Lazy):
    __module__ = "torch.nn.modules.conv"
    size = 'in_channels'

    def __init__(self, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode='zeros', device=None, dtype=None):
        self._like(self.becomes(0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode), out_channels, bias, dtype)

    def _like(self, empty, out_channels, bias, dtype):
        kept = {n: getattr(empty, n) for n in ('kernel_size', 'stride', 'padding', 'dilation', 'output_padding', 'groups', 'padding_mode')}
        self._wait(in_channels=0, out_channels=out_channels, bias=bias, dtype=dtype, **kept)

    def _size_of(self, input):
        count = self.dimensions
        if input.dim() not in (count + 1, count + 2):
            raise RuntimeError(f'Expected {count + 1}D (unbatched) or {count + 2}D (batched) input to {type(self).__name__}, but got input of size: {input.shape}')
        return input.shape[-count - 1]

    def _shapes(self):
        out, inner = self.out_channels, self.in_channels
        if inner % self.groups != 0:
            raise ValueError('in_channels must be divisible by groups')
        channels = (inner, out // self.groups) if self.transposed else (out, inner // self.groups)
        return {'weight': channels + self.kernel_size, 'bias': (out,)}


class _LazyConvTranspose(_LazyConv):
    def __init__(self, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1, padding_mode='zeros', device=None, dtype=None):
        self._like(self.becomes(0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation, padding_mode), out_channels, bias, dtype)


class LazyConv1d(_LazyConv, nn.Conv1d):
    """A Conv1d layer that takes its number of channels from its first input."""
    becomes = nn.Conv1d


class LazyConv2d(_LazyConv, nn.Conv2d):
    """A Conv2d layer that takes its number of channels from its first input."""
    becomes = nn.Conv2d


class LazyConv3d(_LazyConv, nn.Conv3d):
    """A Conv3d layer that takes its number of channels from its first input."""
    becomes = nn.Conv3d


class LazyConvTranspose1d(_LazyConvTranspose, nn.ConvTranspose1d):
    """A ConvTranspose1d layer that takes its number of channels from its first input."""
    becomes = nn.ConvTranspose1d


class LazyConvTranspose2d(_LazyConvTranspose, nn.ConvTranspose2d):
    """A ConvTranspose2d layer that takes its number of channels from its first input."""
    becomes = nn.ConvTranspose2d


class LazyConvTranspose3d(_LazyConvTranspose, nn.ConvTranspose3d):
    """A ConvTranspose3d layer that takes its number of channels from its first input."""
    becomes = nn.ConvTranspose3d


class _LazyNorm(_Lazy):
    __module__ = "torch.nn.modules.batchnorm"
    size = 'num_features'

    def __init__(self, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *, bias=True):
        self._wait(num_features=0, eps=eps, momentum=momentum, affine=affine, track_running_stats=track_running_stats, bias=affine and bias, dtype=dtype)
        if not affine:
            self.register_parameter('weight', None)
        tracked = track_running_stats
        self.register_buffer('running_mean', torch.zeros(0, dtype=dtype) if tracked else None)
        self.register_buffer('running_var', torch.ones(0, dtype=dtype) if tracked else None)
        self.register_buffer('num_batches_tracked', torch.tensor(0) if tracked else None)

    def has_uninitialized_params(self):
        return self.num_features == 0 and (self.affine or self.track_running_stats)

    def _size_of(self, input):
        return input.shape[1]

    def _shapes(self):
        return {n: (self.num_features,) for n in ('weight', 'bias', 'running_mean', 'running_var')}


class LazyBatchNorm1d(_LazyNorm, nn.BatchNorm1d):
    """A BatchNorm1d layer that takes its number of channels from its first input."""
    becomes = nn.BatchNorm1d


class LazyBatchNorm2d(_LazyNorm, nn.BatchNorm2d):
    """A BatchNorm2d layer that takes its number of channels from its first input."""
    becomes = nn.BatchNorm2d


class LazyBatchNorm3d(_LazyNorm, nn.BatchNorm3d):
    """A BatchNorm3d layer that takes its number of channels from its first input."""
    becomes = nn.BatchNorm3d


class LazyInstanceNorm1d(_LazyNorm, nn.InstanceNorm1d):
    """An InstanceNorm1d layer that takes its number of channels from its first input."""
    becomes = nn.InstanceNorm1d


class LazyInstanceNorm2d(_LazyNorm, nn.InstanceNorm2d):
    """An InstanceNorm2d layer that takes its number of channels from its first input."""
    becomes = nn.InstanceNorm2d


class LazyInstanceNorm3d(_LazyNorm, nn.InstanceNorm3d):
    """An InstanceNorm3d layer that takes its number of channels from its first input."""
    becomes = nn.InstanceNorm3d
