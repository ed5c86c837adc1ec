# torch.nn: a softmax over classes in groups by how often they come, and pooling over windows of random places.

from collections import namedtuple

_ASMoutput = namedtuple('_ASMoutput', ['output', 'loss'])


class AdaptiveLogSoftmaxWithLoss(nn.Module):
    """log-probabilities of many classes: the frequent ones at once, the others by a group of theirs."""
    __module__ = "torch.nn.modules.adaptive"

    def __init__(self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None, dtype=None):
        super().__init__()
        cutoffs = list(cutoffs)
        if len(cutoffs) == 0:
            raise ValueError('cutoffs should be a sequence of length larger than 0')
        if cutoffs != sorted(cutoffs) or min(cutoffs) <= 0 or max(cutoffs) > n_classes - 1 or len(set(cutoffs)) != len(cutoffs) or any([int(c) != c for c in cutoffs]):
            raise ValueError('cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each value is between 1 and n_classes-1')
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = cutoffs + [n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = nn.Linear(in_features, self.head_size, bias=head_bias, dtype=dtype)
        self.tail = nn.ModuleList()
        for k in range(self.n_clusters):
            width = int(in_features // div_value ** (k + 1))
            size = self.cutoffs[k + 1] - self.cutoffs[k]
            self.tail.append(nn.Sequential(nn.Linear(in_features, width, bias=False, dtype=dtype), nn.Linear(width, size, bias=False, dtype=dtype)))

    def reset_parameters(self):
        for layer in self.modules():
            if isinstance(layer, nn.Linear):
                layer.reset_parameters()

    def forward(self, input_, target_):
        if input_.dim() == 2 and input_.size(0) != target_.size(0):
            raise RuntimeError('Input and target should have the same size in the batch dimension.')
        alone = target_.dim() == 0
        input = input_.unsqueeze(0) if alone else input_
        target = target_.unsqueeze(0) if alone else target_
        output = input.new_zeros(target.shape[0])
        places = target.clone()
        bounds = [0] + self.cutoffs
        found = 0
        for k in range(len(self.cutoffs)):
            rows = ((target >= bounds[k]) & (target < bounds[k + 1])).nonzero().squeeze(1)
            found += rows.numel()
            if k == 0 or rows.numel() == 0:
                continue
            places[rows] = self.shortlist_size + k - 1
            logs = F.log_softmax(self.tail[k - 1](input.index_select(0, rows)), dim=1)
            own = logs.gather(1, (target[rows] - bounds[k]).unsqueeze(1))
            output = output.index_copy(0, rows, own.squeeze(1))
        if found != target.numel():
            raise RuntimeError(f'Target values should be in [0, {self.n_classes - 1}], but values in range [{target.min().item()}, {target.max().item()}] were found. ')
        head = F.log_softmax(self.head(input), dim=1)
        output = output + head.gather(1, places.unsqueeze(1)).squeeze(1)
        loss = (-output).mean()
        return _ASMoutput(output.squeeze(0) if alone else output, loss)

    def log_prob(self, input):
        head = self.head(input)
        logs = F.log_softmax(head, dim=1)
        parts = [logs[:, : self.shortlist_size]]
        for k in range(self.n_clusters):
            inner = F.log_softmax(self.tail[k](input), dim=1)
            parts.append(inner + logs[:, self.shortlist_size + k].unsqueeze(1))
        return torch.cat(parts, 1)

    def predict(self, input):
        return self.log_prob(input).argmax(dim=1)


def _begins(size, out, window, sample):
    step = (size - window) / (out - 1) if out > 1 else 0.0
    begins = [int((k + sample) * step) - int(sample * step) for k in range(out - 1)]
    return torch.tensor(begins + [size - window])


class FractionalMaxPool2d(nn.Module):
    """The maximum under windows that begin at random places."""
    __module__ = "torch.nn.modules.pooling"

    def __init__(self, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        super().__init__()
        pair = lambda v: tuple(v) if isinstance(v, (tuple, list)) else (v, v)
        if output_size is None and output_ratio is None:
            raise ValueError('FractionalMaxPool2d requires specifying either an output size, or a pooling ratio')
        if output_size is not None and output_ratio is not None:
            raise ValueError('only one of output_size and output_ratio may be specified')
        self.kernel_size = pair(kernel_size)
        self.return_indices = return_indices
        self.output_size = None if output_size is None else pair(output_size)
        self.output_ratio = None if output_ratio is None else pair(output_ratio)
        if self.output_ratio is not None and not (0 < self.output_ratio[0] < 1 and 0 < self.output_ratio[1] < 1):
            raise ValueError(f'output_ratio must be between 0 and 1 (got {output_ratio})')
        self.register_buffer('_random_samples', _random_samples)

    def forward(self, input):
        batch = input if input.dim() == 4 else input.unsqueeze(0)
        n, channels, height, width = batch.shape
        out = self.output_size or (int(height * self.output_ratio[0]), int(width * self.output_ratio[1]))
        samples = self._random_samples
        if samples is None:
            samples = torch.rand(n, channels, 2, dtype=input.dtype)
        tall, wide = self.kernel_size
        values, places = [], []
        for b in range(n):
            for c in range(channels):
                # PyTorch draws the place in a row first.
                rows = _begins(height, out[0], tall, samples[b, c, 1].item())[:, None] + torch.arange(tall)
                columns = _begins(width, out[1], wide, samples[b, c, 0].item())[:, None] + torch.arange(wide)
                at = (rows[:, None, :, None] * width + columns[None, :, None, :]).reshape(out[0], out[1], -1)
                best, which = batch[b, c].reshape(-1)[at].max(-1)
                values.append(best)
                places.append(at.gather(-1, which.unsqueeze(-1)).squeeze(-1))
        made = [torch.stack(v).reshape(n, channels, *out) for v in (values, places)]
        if input.dim() == 3:
            made = [v.squeeze(0) for v in made]
        return tuple(made) if self.return_indices else made[0]
