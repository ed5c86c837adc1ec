# torch.nn.modules.lazy: sizes that are not known before the first input.


class LazyLinear(nn.Linear):
    """A Linear layer that takes its input size from its first input."""

    __module__ = "torch.nn.modules.linear"

    def __init__(self, out_features, bias=True, device=None, dtype=None):
        super().__init__(0, 0, bias, dtype=dtype)
        self.out_features = out_features

    def _get_name(self):
        return 'Linear' if self.in_features else 'LazyLinear'

    def forward(self, input):
        if not self.in_features:
            self.in_features = input.shape[-1]
            sizes = {'weight': (self.out_features, self.in_features), 'bias': (self.out_features,)}
            for name, p in self.named_parameters():
                p.data = torch.empty(sizes[name], dtype=p.dtype)
            self.reset_parameters()
        return F.linear(input, self.weight, self.bias)
