# Convolutions and their transposes, as torch.nn.modules.conv starts, names and prints them.


def _options(module, **usual):
    """Returns the options of a module that differ from the usual ones, as its repr shows them."""
    own = {name: getattr(module, name, None) for name in usual}
    return ''.join([f', {name}={value}' for name, value in own.items() if value not in (None, usual[name])])


def _tuple(value, count):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * count


class _ConvNd(nn.Module):
    __module__ = "torch.nn.modules.conv"
    dimensions = 1
    transposed = False

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode='zeros', device=None, dtype=None):
        self._begin(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, 0, dtype)

    def _begin(self, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, output_padding, dtype):
        nn.Module.__init__(self)
        count = self.dimensions
        if groups <= 0:
            raise ValueError('groups must be a positive integer')
        if in_channels % groups != 0:
            raise ValueError('in_channels must be divisible by groups')
        if out_channels % groups != 0:
            raise ValueError('out_channels must be divisible by groups')
        if isinstance(padding, str):
            if padding not in ('same', 'valid'):
                raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}")
            if padding == 'same' and any(s != 1 for s in _tuple(stride, count)):
                raise ValueError("padding='same' is not supported for strided convolutions")
        if padding_mode not in ('zeros', 'reflect', 'replicate', 'circular'):
            raise ValueError(f"padding_mode must be one of {{'zeros', 'reflect', 'replicate', 'circular'}}, but got padding_mode='{padding_mode}'")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = _tuple(kernel_size, count)
        self.stride = _tuple(stride, count)
        self.padding = padding if isinstance(padding, str) else _tuple(padding, count)
        self.dilation = _tuple(dilation, count)
        self.output_padding = _tuple(output_padding, count)
        self.groups = groups
        self.padding_mode = padding_mode
        channels = (in_channels, out_channels // groups) if self.transposed else (out_channels, in_channels // groups)
        self.weight = nn.Parameter(torch.empty(*channels, *self.kernel_size, dtype=dtype))
        if bias:
            self.bias = nn.Parameter(torch.empty(out_channels, dtype=dtype))
        else:
            self.register_parameter('bias', None)
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            inputs, _ = nn.init._calculate_fan_in_and_fan_out(self.weight)
            if inputs != 0:
                bound = 1 / math.sqrt(inputs)
                nn.init.uniform_(self.bias, -bound, bound)

    def extra_repr(self):
        count = self.dimensions
        text = f'{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}'
        text += _options(self, padding=(0,) * count, dilation=(1,) * count, output_padding=(0,) * count, groups=1)
        if self.bias is None:
            text += ', bias=False'
        text += _options(self, padding_mode='zeros')
        return text

    def _padded(self, input):
        """Pads the input with values other than zeros; returns it with the padding still to do."""
        if self.padding_mode == 'zeros':
            return input, self.padding
        if self.padding == 'valid':
            around = (0,) * self.dimensions
        elif self.padding == 'same':
            around = None
        else:
            around = self.padding
        sides = []
        for k in reversed(range(self.dimensions)):
            if around is None:
                total = self.dilation[k] * (self.kernel_size[k] - 1)
                sides += [total // 2, total - total // 2]
            else:
                sides += [around[k], around[k]]
        return F.pad(input, tuple(sides), mode=self.padding_mode), (0,) * self.dimensions


class Conv1d(_ConvNd):
    """Convolution of sequences with several channels."""

    def forward(self, input):
        input, padding = self._padded(input)
        return F.conv1d(input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)


class Conv2d(_ConvNd):
    """Convolution of images with several channels."""
    dimensions = 2

    def forward(self, input):
        input, padding = self._padded(input)
        return F.conv2d(input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)


class Conv3d(_ConvNd):
    """Convolution of volumes with several channels."""
    dimensions = 3

    def forward(self, input):
        input, padding = self._padded(input)
        return F.conv3d(input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)


class _ConvTransposeNd(_ConvNd):
    transposed = True

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1, padding_mode='zeros', device=None, dtype=None):
        if padding_mode != 'zeros':
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        self._begin(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, output_padding, dtype)

    def _more(self, input, output_size):
        """Computes the output padding for a requested output size."""
        if output_size is None:
            return self.output_padding
        count = self.dimensions
        wanted = tuple(output_size)[-count:]
        more = []
        for k in range(count):
            least = (input.size(k - count) - 1) * self.stride[k] - 2 * self.padding[k] + self.dilation[k] * (self.kernel_size[k] - 1) + 1
            if wanted[k] < least or wanted[k] > least + self.stride[k] - 1:
                raise ValueError(f'requested an output size of {list(wanted)}, but valid sizes range from {least} to {least + self.stride[k] - 1} (for an input of {list(input.size()[2:])})')
            more.append(wanted[k] - least)
        return tuple(more)


class ConvTranspose1d(_ConvTransposeNd):
    """Transposed convolution of sequences."""

    def forward(self, input, output_size=None):
        return F.conv_transpose1d(input, self.weight, self.bias, self.stride, self.padding, self._more(input, output_size), self.groups, self.dilation)


class ConvTranspose2d(_ConvTransposeNd):
    """Transposed convolution of images."""
    dimensions = 2

    def forward(self, input, output_size=None):
        return F.conv_transpose2d(input, self.weight, self.bias, self.stride, self.padding, self._more(input, output_size), self.groups, self.dilation)


class ConvTranspose3d(_ConvTransposeNd):
    """Transposed convolution of volumes."""
    dimensions = 3

    def forward(self, input, output_size=None):
        return F.conv_transpose3d(input, self.weight, self.bias, self.stride, self.padding, self._more(input, output_size), self.groups, self.dilation)
