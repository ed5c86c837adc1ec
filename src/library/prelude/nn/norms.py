# Normalisation: torch.nn.modules.batchnorm, instancenorm and normalization.

import warnings


class _NormBase(nn.Module):
    __module__ = "torch.nn.modules.batchnorm"
    ranks = ()
    _version = 2

    def __init__(self, num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *, bias=True):
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        if affine:
            self.weight = nn.Parameter(torch.empty(num_features, dtype=dtype))
        else:
            self.register_parameter('weight', None)
        if affine and bias:
            self.bias = nn.Parameter(torch.empty(num_features, dtype=dtype))
        else:
            self.register_parameter('bias', None)
        if track_running_stats:
            self.register_buffer('running_mean', torch.zeros(num_features, dtype=dtype))
            self.register_buffer('running_var', torch.ones(num_features, dtype=dtype))
            self.register_buffer('num_batches_tracked', torch.tensor(0))
        else:
            self.register_buffer('running_mean', None)
            self.register_buffer('running_var', None)
            self.register_buffer('num_batches_tracked', None)
        self.reset_parameters()

    def reset_running_stats(self):
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self):
        self.reset_running_stats()
        if self.affine:
            nn.init.ones_(self.weight)
            if self.bias is not None:
                nn.init.zeros_(self.bias)

    def _check_input_dim(self, input):
        if input.dim() not in self.ranks:
            wanted = ' or '.join(f'{n}D' for n in self.ranks)
            raise ValueError(f'expected {wanted} input (got {input.dim()}D input)')

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, *more):
        # States of before version 2 had no count.
        count = prefix + 'num_batches_tracked'
        version = local_metadata.get('version', None)
        if (version is None or version < 2) and self.track_running_stats and count not in state_dict:
            state_dict[count] = self.num_batches_tracked if self.num_batches_tracked is not None else torch.tensor(0)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *more)

    def extra_repr(self):
        return f'{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, bias={self.bias is not None}, track_running_stats={self.track_running_stats}'


class _BatchNorm(_NormBase):
    def forward(self, input):
        self._check_input_dim(input)
        factor = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:
                factor = 1.0 / float(self.num_batches_tracked)
        training = self.training or (self.running_mean is None and self.running_var is None)
        kept = not self.training or self.track_running_stats
        return F.batch_norm(input, self.running_mean if kept else None, self.running_var if kept else None, self.weight, self.bias, training, factor, self.eps)


class BatchNorm1d(_BatchNorm):
    """Normalises each channel to mean 0 and variance 1 over a batch."""
    ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Normalises each channel to mean 0 and variance 1 over a batch of images."""
    ranks = (4,)


class BatchNorm3d(_BatchNorm):
    """Normalises each channel to mean 0 and variance 1 over a batch of volumes."""
    ranks = (5,)


class _InstanceNorm(_NormBase):
    __module__ = "torch.nn.modules.instancenorm"

    def __init__(self, num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None, *, bias=True):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def forward(self, input):
        self._check_input_dim(input)
        channel = self.ranks[-1] - 1
        alone = input.dim() == channel
        if input.size(0 if alone else 1) != self.num_features and self.affine:
            raise ValueError(f"expected input's size at dim={0 if alone else 1} to match num_features ({self.num_features}), but got: {input.size(0 if alone else 1)}.")
        if input.size(0 if alone else 1) != self.num_features:
            warnings.warn(f"input's size at dim={0 if alone else 1} does not match num_features. You can silence this warning by not passing in num_features, which is not used because affine=False")
        x = input.unsqueeze(0) if alone else input
        y = F.instance_norm(x, self.running_mean, self.running_var, self.weight, self.bias, self.training or not self.track_running_stats, 0.0 if self.momentum is None else self.momentum, self.eps)
        return y.squeeze(0) if alone else y


class InstanceNorm1d(_InstanceNorm):
    """Normalises each channel of each example to mean 0 and variance 1."""
    ranks = (2, 3)


class InstanceNorm2d(_InstanceNorm):
    """Normalises each channel of each image to mean 0 and variance 1."""
    ranks = (3, 4)


class InstanceNorm3d(_InstanceNorm):
    """Normalises each channel of each volume to mean 0 and variance 1."""
    ranks = (4, 5)


class GroupNorm(nn.Module):
    """Normalises groups of channels of each example to mean 0 and variance 1."""
    __module__ = "torch.nn.modules.normalization"

    def __init__(self, num_groups, num_channels, eps=1e-05, affine=True, device=None, dtype=None, *, bias=True):
        super().__init__()
        if num_channels % num_groups != 0:
            raise ValueError(f'num_channels ({num_channels}) must be divisible by num_groups ({num_groups})')
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        if affine:
            self.weight = nn.Parameter(torch.ones(num_channels, dtype=dtype))
        else:
            self.register_parameter('weight', None)
        if affine and bias:
            self.bias = nn.Parameter(torch.zeros(num_channels, dtype=dtype))
        else:
            self.register_parameter('bias', None)

    def reset_parameters(self):
        if self.affine:
            nn.init.ones_(self.weight)
            if self.bias is not None:
                nn.init.zeros_(self.bias)

    def forward(self, input):
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return f'{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, bias={self.bias is not None}'


class RMSNorm(nn.Module):
    """Normalises to root mean square 1 over the last dimensions."""
    __module__ = "torch.nn.modules.normalization"

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        if elementwise_affine:
            self.weight = nn.Parameter(torch.ones(self.normalized_shape, dtype=dtype))
        else:
            self.register_parameter('weight', None)

    def reset_parameters(self):
        if self.elementwise_affine:
            nn.init.ones_(self.weight)

    def forward(self, x):
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self):
        return f'{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}'


class LocalResponseNorm(nn.Module):
    """Normalises each channel by its neighbouring channels."""
    __module__ = "torch.nn.modules.normalization"

    def __init__(self, size, alpha=0.0001, beta=0.75, k=1.0):
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input):
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self):
        return f'{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}'
