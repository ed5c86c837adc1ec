# What modules need besides: hooks, functions of the program that run before and after forward and
# when gradients have passed a module; and what loading a state tells.


from torch.utils.hooks import _everywhere, _next


class RemovableHandle:
    """The handle of a hook; remove() removes the hook."""
    __module__ = "torch.utils.hooks"

    def __init__(self, hooks, place, removed=None):
        self.id = place
        self._hooks = hooks
        self._removed = removed

    def remove(self):
        self._hooks.pop(self.id, None)
        if self._removed is not None:
            self._removed()

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.remove()


_OF_ALL = {'before': {}, 'after': {}, 'backward': {}, 'backward before': {}}


def _tell():
    _everywhere(any(_OF_ALL.values()))


def _added_everywhere(kind, hook, **options):
    """A hook of every module."""
    hooks, place = _OF_ALL[kind], _next()
    if kind == 'backward' and any(o['full'] != options['full'] for _, o in hooks.values()):
        raise RuntimeError('Cannot use both regular backward hooks and full backward hooks as a global Module hook. Please use only one of them.')
    hooks[place] = (hook, options)
    _tell()
    return RemovableHandle(hooks, place, _tell)


def _hooks(module, kind):
    return [*_OF_ALL[kind].values(), *module._hooks_of(kind).values()]


def _added(module, kind, hook, prepend=False, **options):
    hooks, place = module._hooks_of(kind), _next()
    others = list(hooks.items())
    hooks[place] = (hook, options)
    if prepend:
        for known, other in others:
            hooks.pop(known)
            hooks[known] = other
    return RemovableHandle(hooks, place)


def register_forward_hook(module, hook, *, prepend=False, with_kwargs=False, always_call=False):
    return _added(module, 'after', hook, prepend, always_call=always_call, with_kwargs=with_kwargs)


def register_forward_pre_hook(module, hook, *, prepend=False, with_kwargs=False):
    return _added(module, 'before', hook, prepend, with_kwargs=with_kwargs)


def _backward_hook(module, hook, prepend, full=False):
    """One that sees the gradients of the module, or of the last operation in it alone."""
    if any(options['full'] != full for _, options in module._hooks_of('backward').values()):
        raise RuntimeError('Cannot use both regular backward hooks and full backward hooks on a single Module. Please use only one of them.')
    return _added(module, 'backward', hook, prepend, full=full)


def register_full_backward_hook(module, hook, prepend=False):
    return _backward_hook(module, hook, prepend, full=True)


def register_full_backward_pre_hook(module, hook, prepend=False):
    return _added(module, 'backward before', hook, prepend)


def register_backward_hook(module, hook):
    return _backward_hook(module, hook, False)


def _told_of_the_last(module, hooks, result):
    """Gives the node that made a result to the hooks of register_backward_hook."""
    while not isinstance(result, torch.Tensor):
        result = next(v for v in result.values() if isinstance(v, torch.Tensor)) if isinstance(result, dict) else result[0]
    if result.grad_fn is not None:
        for hook in hooks:
            result.grad_fn.register_hook(lambda gi, go, hook=hook: hook(module, gi, go))


class BackwardHookFunction(torch.autograd.Function):
    """The identity; its backward passes the gradients to hooks."""

    @staticmethod
    def forward(ctx, seen, *tensors):
        ctx.seen = seen
        shared = tuple(t.view_as(t) for t in tensors)
        return shared if len(shared) > 1 else shared[0]

    @staticmethod
    def backward(ctx, *gradients):
        return (None,) + tuple(ctx.seen(gradients))


def _through(seen, values):
    """Passes the tensors that require gradients through such an identity."""
    places = [k for k, v in enumerate(values) if isinstance(v, torch.Tensor) and v.requires_grad]
    if not places:
        return values, places
    passed = BackwardHookFunction.apply(seen, *[values[k] for k in places])
    passed = passed if isinstance(passed, tuple) else (passed,)
    values = list(values)
    for k, tensor in zip(places, passed):
        values[k] = tensor
    return tuple(values), places


def _hooked(module, *args, **kwargs):
    """Calls module(*args, **kwargs) with its hooks."""
    always = [(h, o) for h, o in _hooks(module, 'after') if o['always_call']]
    if not always:
        return _called(module, [], args, kwargs)
    called = []
    try:
        return _called(module, called, args, kwargs)
    except Exception:
        for hook, options in always:
            if hook not in called:
                hook(module, args, kwargs, None) if options['with_kwargs'] else hook(module, args, None)
        raise


def _called(module, called, args, kwargs):
    for hook, options in _hooks(module, 'before'):
        if options['with_kwargs']:
            changed = hook(module, args, kwargs)
            if changed is not None:
                args, kwargs = changed
        else:
            changed = hook(module, args)
            if changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
    backward = [(h, o) for h, o in _hooks(module, 'backward') if o['full']]
    before = _hooks(module, 'backward before')
    arrived = [None]
    count = len(args)
    def all_of(whole, places, gradients):
        whole = list(whole)
        for k, g in zip(places, gradients):
            whole[k] = g
        return tuple(whole)
    def told(grad_input):
        for hook, _ in backward:
            changed = hook(module, grad_input, arrived[0])
            if changed is not None:
                grad_input = changed if isinstance(changed, tuple) else (changed,)
        return grad_input
    inputs, given = [], args
    if backward:
        def entered(gradients):
            # The gradient came another way than through the output.
            if arrived[0] is None:
                return gradients
            nothing = [torch.zeros_like(v) if isinstance(v, torch.Tensor) else None for v in given]
            whole = told(all_of(nothing, inputs, gradients))
            return [whole[k] for k in inputs]
        args, found = _through(entered, args)
        inputs += found
    result = module.forward(*args, **kwargs)
    for hook, options in _hooks(module, 'after'):
        called.append(hook)
        changed = hook(module, args, kwargs, result) if options['with_kwargs'] else hook(module, args, result)
        if changed is not None:
            result = changed
    last = [h for h, o in _hooks(module, 'backward') if not o['full']]
    if last:
        _told_of_the_last(module, last, result)
    if backward or before:
        single = not isinstance(result, tuple)
        outputs = []
        def left(gradients):
            arrived[0] = all_of([None] * len(results), outputs, gradients)
            for hook, _ in before:
                changed = hook(module, arrived[0])
                if changed is not None:
                    arrived[0] = changed if isinstance(changed, tuple) else (changed,)
            if backward and not inputs:
                told((None,) * count)
            return [arrived[0][k] for k in outputs]
        results = (result,) if single else result
        results, found = _through(left, results)
        outputs += found
        result = results[0] if single else results
    return result


class _IncompatibleKeys:
    """The keys of a saved state that did not match."""
    __module__ = "torch.nn.modules.module"

    def __init__(self, missing_keys, unexpected_keys):
        self.missing_keys = missing_keys
        self.unexpected_keys = unexpected_keys

    def __iter__(self):
        return iter((self.missing_keys, self.unexpected_keys))

    def __repr__(self):
        if not self.missing_keys and not self.unexpected_keys:
            return '<All keys matched successfully>'
        return f'_IncompatibleKeys(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})'
