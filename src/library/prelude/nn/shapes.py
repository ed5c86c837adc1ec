# Layers that move, pad, drop or combine: torch.nn.modules.flatten, padding, dropout, pixelshuffle,
# upsampling, fold, linear, activation.


class Unflatten(nn.Module):
    """Splits one dimension into several."""
    __module__ = "torch.nn.modules.flatten"

    def __init__(self, dim, unflattened_size):
        super().__init__()
        self.dim = dim
        self.unflattened_size = unflattened_size

    def forward(self, input):
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self):
        return f'dim={self.dim}, unflattened_size={self.unflattened_size}'


class _DropoutNd(nn.Module):
    __module__ = "torch.nn.modules.dropout"

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f'dropout probability has to be between 0 and 1, but got {p}')
        self.p = p
        self.inplace = inplace

    def extra_repr(self):
        return f'p={self.p}, inplace={self.inplace}'


class Dropout(_DropoutNd):
    """Sets random elements to 0."""

    def forward(self, input):
        return F.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(_DropoutNd):
    """Sets random channels to 0."""

    def forward(self, input):
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_DropoutNd):
    """Sets random channels to 0."""

    def forward(self, input):
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(_DropoutNd):
    """Sets random channels to 0."""

    def forward(self, input):
        return F.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(_DropoutNd):
    """Sets random elements to SELU's limit, preserving mean and variance."""

    def forward(self, input):
        return F.alpha_dropout(input, self.p, self.training)


class FeatureAlphaDropout(_DropoutNd):
    """Sets random channels to SELU's limit."""

    def forward(self, input):
        return F.feature_alpha_dropout(input, self.p, self.training)


class _Padding(nn.Module):
    __module__ = "torch.nn.modules.padding"
    dimensions = 1
    mode = 'constant'

    def __init__(self, padding):
        super().__init__()
        self.padding = (padding,) * (2 * self.dimensions) if isinstance(padding, int) else tuple(padding)

    def forward(self, input):
        return F.pad(input, self.padding, self.mode)

    def extra_repr(self):
        return f'{self.padding}'


class ZeroPad1d(_Padding):
    """Pads with zeros."""


class ZeroPad2d(_Padding):
    """Pads with zeros."""
    dimensions = 2


class ZeroPad3d(_Padding):
    """Pads with zeros."""
    dimensions = 3


class ReflectionPad1d(_Padding):
    """Pads with a reflection."""
    mode = 'reflect'


class ReflectionPad2d(_Padding):
    """Pads with a reflection."""
    mode = 'reflect'
    dimensions = 2


class ReflectionPad3d(_Padding):
    """Pads with a reflection."""
    mode = 'reflect'
    dimensions = 3


class ReplicationPad1d(_Padding):
    """Pads by repeating the edge."""
    mode = 'replicate'


class ReplicationPad2d(_Padding):
    """Pads by repeating the edge."""
    mode = 'replicate'
    dimensions = 2


class ReplicationPad3d(_Padding):
    """Pads by repeating the edge."""
    mode = 'replicate'
    dimensions = 3


class CircularPad1d(_Padding):
    """Pads with the opposite side."""
    mode = 'circular'


class CircularPad2d(_Padding):
    """Pads with the opposite side."""
    mode = 'circular'
    dimensions = 2


class CircularPad3d(_Padding):
    """Pads with the opposite side."""
    mode = 'circular'
    dimensions = 3


class ConstantPad1d(_Padding):
    """Pads with a constant."""

    def __init__(self, padding, value):
        super().__init__(padding)
        self.value = value

    def forward(self, input):
        return F.pad(input, self.padding, 'constant', self.value)

    def extra_repr(self):
        return f'padding={self.padding}, value={self.value}'


class ConstantPad2d(ConstantPad1d):
    """Pads with a constant."""
    dimensions = 2


class ConstantPad3d(ConstantPad1d):
    """Pads with a constant."""
    dimensions = 3


class PixelShuffle(nn.Module):
    """Rearranges channels into squares of pixels."""
    __module__ = "torch.nn.modules.pixelshuffle"

    def __init__(self, upscale_factor):
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input):
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self):
        return f'upscale_factor={self.upscale_factor}'


class PixelUnshuffle(nn.Module):
    """Rearranges squares of pixels into channels."""
    __module__ = "torch.nn.modules.pixelshuffle"

    def __init__(self, downscale_factor):
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input):
        return F.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self):
        return f'downscale_factor={self.downscale_factor}'


class ChannelShuffle(nn.Module):
    """Shuffles channels between groups."""
    __module__ = "torch.nn.modules.channelshuffle"

    def __init__(self, groups):
        super().__init__()
        self.groups = groups

    def forward(self, input):
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self):
        return f'groups={self.groups}'


class Upsample(nn.Module):
    """Resizes by interpolation or to the nearest neighbour."""
    __module__ = "torch.nn.modules.upsampling"

    def __init__(self, size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None):
        super().__init__()
        self.name = type(self).__name__
        self.size = size
        if isinstance(scale_factor, tuple):
            self.scale_factor = tuple(float(factor) for factor in scale_factor)
        else:
            self.scale_factor = float(scale_factor) if scale_factor else None
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input):
        return F.interpolate(input, self.size, self.scale_factor, self.mode, self.align_corners)

    def extra_repr(self):
        first = f'scale_factor={self.scale_factor!r}' if self.scale_factor is not None else f'size={self.size!r}'
        return f'{first}, mode={self.mode!r}'


class UpsamplingNearest2d(Upsample):
    """Resizes images to the nearest neighbour."""

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode='nearest')


class UpsamplingBilinear2d(Upsample):
    """Resizes images by interpolation, corners on corners."""

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode='bilinear', align_corners=True)


class Unfold(nn.Module):
    """Extracts sliding windows as columns."""
    __module__ = "torch.nn.modules.fold"

    def __init__(self, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input):
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self):
        return f'kernel_size={self.kernel_size}, dilation={self.dilation}, padding={self.padding}, stride={self.stride}'


class Fold(nn.Module):
    """Sums columns at the positions of their windows."""
    __module__ = "torch.nn.modules.fold"

    def __init__(self, output_size, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        self.output_size = output_size
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input):
        return F.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self):
        return f'output_size={self.output_size}, kernel_size={self.kernel_size}, dilation={self.dilation}, padding={self.padding}, stride={self.stride}'


class Bilinear(nn.Module):
    """aᵀ W c + b for each output."""
    __module__ = "torch.nn.modules.linear"

    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        if in1_features <= 0:
            raise ValueError(f'in1_features must be > 0, but got {in1_features}')
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        self.weight = nn.Parameter(torch.empty(out_features, in1_features, in2_features, dtype=dtype))
        if bias:
            self.bias = nn.Parameter(torch.empty(out_features, dtype=dtype))
        else:
            self.register_parameter('bias', None)
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1 / math.sqrt(self.weight.size(1))
        nn.init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            nn.init.uniform_(self.bias, -bound, bound)

    def forward(self, input1, input2):
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self):
        return f'in1_features={self.in1_features}, in2_features={self.in2_features}, out_features={self.out_features}, bias={self.bias is not None}'


class PReLU(nn.Module):
    """x where positive, else a learned slope times x."""
    __module__ = "torch.nn.modules.activation"

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        self.weight = nn.Parameter(torch.full((num_parameters,), float(init), dtype=dtype))

    def reset_parameters(self):
        nn.init.constant_(self.weight, self.init)

    def forward(self, input):
        return F.prelu(input, self.weight)

    def extra_repr(self):
        return f'num_parameters={self.num_parameters}'


class Softmax2d(nn.Module):
    """Softmax over the channels of images."""
    __module__ = "torch.nn.modules.activation"

    def forward(self, input):
        if input.dim() not in (3, 4):
            raise ValueError(f'Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead')
        return F.softmax(input, -3)


class RReLU(nn.Module):
    """Leaky ReLU with a random slope in training."""
    __module__ = "torch.nn.modules.activation"

    def __init__(self, lower=0.125, upper=0.3333333333333333, inplace=False):
        super().__init__()
        self.lower = lower
        self.upper = upper
        self.inplace = inplace

    def forward(self, input):
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self):
        return f'lower={self.lower}, upper={self.upper}' + (', inplace=True' if self.inplace else '')


class TripletMarginWithDistanceLoss(nn.Module):
    """max(0, d(a, p) − d(a, n) + margin) with a custom distance."""
    __module__ = "torch.nn.modules.loss"

    def __init__(self, *, distance_function=None, margin=1.0, swap=False, reduction='mean'):
        super().__init__()
        if margin <= 0:
            raise ValueError(f'TripletMarginWithDistanceLoss: expected margin to be greater than 0, got {margin} instead')
        self.distance_function = distance_function
        self.margin = margin
        self.swap = swap
        self.reduction = reduction

    def forward(self, anchor, positive, negative):
        return F.triplet_margin_with_distance_loss(anchor, positive, negative, distance_function=self.distance_function, margin=self.margin, swap=self.swap, reduction=self.reduction)
