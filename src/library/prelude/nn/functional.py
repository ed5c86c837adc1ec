# torch.nn.functional: what its other functions are made of.


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    """Draws differentiable samples of the classes."""
    noise = -torch.empty_like(logits).exponential_().log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    one = torch.zeros_like(logits).scatter_(dim, index, 1.0)
    return one - soft.detach() + soft


def triplet_margin_with_distance_loss(anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False, reduction='mean'):
    """max(0, d(a, p) − d(a, n) + margin) with a custom distance."""
    distance = distance_function if distance_function is not None else F.pairwise_distance
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = torch.minimum(far, distance(positive, negative))
    loss = torch.clamp_min(margin + near - far, 0)
    return loss.mean() if reduction == 'mean' else loss.sum() if reduction == 'sum' else loss


def upsample_nearest(input, size=None, scale_factor=None):
    """interpolate with mode='nearest'."""
    return F.interpolate(input, size, scale_factor, mode='nearest')


def upsample_bilinear(input, size=None, scale_factor=None):
    """interpolate with mode='bilinear' and aligned corners."""
    return F.interpolate(input, size, scale_factor, mode='bilinear', align_corners=True)


def _with_indices(name):
    def pooled(*args, **kwargs):
        """The pooling of that name, and where the largest elements stand."""
        return getattr(F, name)(*args, **dict(kwargs, return_indices=True))
    return pooled


max_pool1d_with_indices = _with_indices('max_pool1d')
max_pool2d_with_indices = _with_indices('max_pool2d')
max_pool3d_with_indices = _with_indices('max_pool3d')
adaptive_max_pool1d_with_indices = _with_indices('adaptive_max_pool1d')
adaptive_max_pool2d_with_indices = _with_indices('adaptive_max_pool2d')
adaptive_max_pool3d_with_indices = _with_indices('adaptive_max_pool3d')
