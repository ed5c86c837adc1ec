# torch.nn.utils.prune: parameters of which some elements are held at 0 by a mask.


def _count(amount, size):
    if not isinstance(amount, (int, float)):
        raise TypeError(f'Invalid type for amount: {amount}. Must be int or float.')
    if isinstance(amount, int) and amount < 0 or isinstance(amount, float) and not 0.0 <= amount <= 1.0:
        raise ValueError(f'amount={amount} should either be a float in the range [0, 1] or a non-negative integer')
    if isinstance(amount, int) and amount > size:
        raise ValueError(f'amount={amount} should be smaller than the number of parameters to prune={size}')
    return amount if isinstance(amount, int) else round(amount * size)


class BasePruningMethod:
    """Makes a mask; as a hook it multiplies the original parameter with it before each call."""
    __module__ = "torch.nn.utils.prune"
    PRUNING_TYPE = 'unstructured'

    def __call__(self, module, inputs):
        setattr(module, self._tensor_name, self.apply_mask(module))

    def apply_mask(self, module):
        mask = getattr(module, self._tensor_name + '_mask')
        original = getattr(module, self._tensor_name + '_orig')
        return mask.to(dtype=original.dtype) * original

    def _applied(self, module, name, importance_scores=None):
        known = getattr(module, '_pruned', {})
        self._tensor_name = name
        method, parameter = self, getattr(module, name)
        if name in known:
            old, handle = known.pop(name)
            handle.remove()
            method = old if isinstance(old, PruningContainer) else PruningContainer(old)
            method.add_pruning_method(self)
            mask = getattr(module, name + '_mask').detach().clone()
        else:
            mask = torch.ones_like(parameter)
        with torch.no_grad():
            scores = parameter if importance_scores is None else importance_scores
            if scores.shape != parameter.shape:
                raise AssertionError(f'importance_scores should have the same shape as parameter {name} of {module}')
            mask = method.compute_mask(scores.detach(), mask)
        if not isinstance(method, PruningContainer):
            delattr(module, name)
            module.register_parameter(name + '_orig', parameter)
        module.register_buffer(name + '_mask', mask)
        setattr(module, name, method.apply_mask(module))
        known[name] = method, module.register_forward_pre_hook(method)
        module._pruned = known
        return method

    @classmethod
    def apply(cls, module, name, *args, importance_scores=None, **kwargs):
        return cls(*args, **kwargs)._applied(module, name, importance_scores)

    def prune(self, t, default_mask=None, importance_scores=None):
        mask = torch.ones_like(t) if default_mask is None else default_mask
        return t * self.compute_mask(t if importance_scores is None else importance_scores, mask)


class PruningContainer(BasePruningMethod):
    """Several methods, each on what those before it have left."""
    __module__ = "torch.nn.utils.prune"

    def __init__(self, *args):
        self._pruning_methods = ()
        for method in args:
            self._tensor_name = method._tensor_name
            self.add_pruning_method(method)

    def add_pruning_method(self, method):
        if not isinstance(method, BasePruningMethod) and method is not None:
            raise TypeError(f'{type(method)} is not a BasePruningMethod subclass')
        if method is not None and self._tensor_name != method._tensor_name:
            raise ValueError(
                'Can only add pruning methods acting on the parameter named '
                f"'{self._tensor_name}' to PruningContainer {self}. Found '{method._tensor_name}'"
            )
        self._pruning_methods += (method,)

    def __len__(self):
        return len(self._pruning_methods)

    def __iter__(self):
        return iter(self._pruning_methods)

    def __getitem__(self, k):
        return self._pruning_methods[k]

    def compute_mask(self, t, default_mask):
        method, places = self._pruning_methods[-1], [slice(None)] * t.dim()
        if method.PRUNING_TYPE == 'unstructured':
            places = default_mask == 1
        elif method.PRUNING_TYPE == 'structured':
            dim = method.dim % t.dim()
            around = [d for d in range(t.dim()) if d != dim]
            places[dim] = default_mask.sum(around) != 0
            places = tuple(places)
        else:
            places = tuple(places)
        made = default_mask.to(dtype=t.dtype)
        made[places] = method.compute_mask(t[places], default_mask=default_mask[places]).to(made.dtype)
        return made


class Identity(BasePruningMethod):
    __module__ = "torch.nn.utils.prune"

    def compute_mask(self, t, default_mask):
        return default_mask


class _Unstructured(BasePruningMethod):
    def __init__(self, amount):
        _count(amount, 1 << 62)
        self.amount = amount

    def compute_mask(self, t, default_mask):
        count = _count(self.amount, t.nelement())
        mask = default_mask.clone()
        if count:
            mask.view(-1)[self._lowest(t, count)] = 0
        return mask


class RandomUnstructured(_Unstructured):
    __module__ = "torch.nn.utils.prune"

    def _lowest(self, t, count):
        return torch.topk(torch.rand_like(t).view(-1), k=count).indices


class L1Unstructured(_Unstructured):
    __module__ = "torch.nn.utils.prune"

    def _lowest(self, t, count):
        return torch.topk(torch.abs(t).view(-1), k=count, largest=False).indices


class RandomStructured(BasePruningMethod):
    __module__ = "torch.nn.utils.prune"
    PRUNING_TYPE = 'structured'

    def __init__(self, amount, dim=-1):
        self.amount, self.dim = amount, dim

    def _kept(self, t, count):
        return torch.topk(torch.rand(t.shape[self.dim]), k=t.shape[self.dim] - count).indices

    def compute_mask(self, t, default_mask):
        if t.dim() < 2:
            raise ValueError(f'Structured pruning can only be applied to multidimensional tensors. Found tensor of shape {t.shape} with {t.dim()} dims')
        count = _count(self.amount, t.shape[self.dim])
        if count == 0:
            return default_mask
        mask = torch.zeros_like(t)
        mask.index_fill_(self.dim, self._kept(t, count), 1)
        return mask * default_mask


class LnStructured(RandomStructured):
    __module__ = "torch.nn.utils.prune"

    def __init__(self, amount, n, dim=-1):
        super().__init__(amount, dim)
        self.n = n

    def _kept(self, t, count):
        around = [d for d in range(t.dim()) if d != self.dim % t.dim()]
        return torch.topk(torch.norm(t, p=self.n, dim=around), k=t.shape[self.dim] - count).indices


class CustomFromMask(BasePruningMethod):
    __module__ = "torch.nn.utils.prune"
    PRUNING_TYPE = 'global'

    def __init__(self, mask):
        self.mask = mask

    def compute_mask(self, t, default_mask):
        return default_mask * self.mask.to(dtype=default_mask.dtype)


def identity(module, name):
    """Prunes nothing, in the form of what prunes."""
    Identity.apply(module, name)
    return module


def random_unstructured(module, name, amount):
    """Sets elements drawn at random to 0."""
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module, name, amount, importance_scores=None):
    """Sets the elements with the smallest absolute values to 0."""
    L1Unstructured.apply(module, name, amount, importance_scores=importance_scores)
    return module


def random_structured(module, name, amount, dim):
    """Sets slices drawn at random to 0."""
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module, name, amount, n, dim, importance_scores=None):
    """Sets the slices with the smallest norms to 0."""
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module, name, mask):
    """Sets the elements to 0 where a mask is."""
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(parameters, pruning_method, importance_scores=None, **kwargs):
    """Prunes several parameters as if they were one."""
    parameters = list(parameters)
    scores = importance_scores or {}
    scored = [scores.get((m, n), getattr(m, n)).detach() for m, n in parameters]
    flat = torch.nn.utils.parameters_to_vector(scored)
    masks = [getattr(m, n + '_mask', torch.ones_like(getattr(m, n))) for m, n in parameters]
    mask = torch.nn.utils.parameters_to_vector(masks)
    method = pruning_method(**kwargs)
    if method.PRUNING_TYPE != 'unstructured':
        raise TypeError(f'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method {pruning_method} of type {method.PRUNING_TYPE}')
    method._tensor_name = 'temp'
    container = PruningContainer(method)
    made = container.compute_mask(flat, mask)
    place = 0
    for module, name in parameters:
        parameter = getattr(module, name)
        size = parameter.numel()
        custom_from_mask(module, name, made[place : place + size].view_as(parameter))
        place += size


def is_pruned(module):
    """Whether a module or one in it is pruned."""
    return any([len(getattr(m, '_pruned', {})) > 0 for m in module.modules()])


def remove(module, name):
    """Makes the pruned parameter a plain one."""
    known = getattr(module, '_pruned', {})
    if name not in known:
        raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")
    known.pop(name)[1].remove()
    original = getattr(module, name + '_orig')
    original.data = (original * getattr(module, name + '_mask')).data
    for part in (name, name + '_orig', name + '_mask'):
        delattr(module, part)
    module.register_parameter(name, original)
    return module
