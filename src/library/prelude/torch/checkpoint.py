# torch.utils.checkpoint: what a function computes is not kept for backward, which runs the function again.

import warnings
from torch.autograd.graph import saved_tensors_hooks


class _Stop(Exception):
    """All that backward needs was computed again."""


def _random(preserve):
    return torch.get_rng_state() if preserve else None


class CheckpointFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, function, preserve, *args):
        ctx.function, ctx.preserve, ctx.args = function, preserve, args
        ctx.state = _random(preserve)
        with torch.no_grad():
            return function(*args)

    @staticmethod
    def backward(ctx, *gradients):
        if torch.autograd.graph._is_asked():
            raise RuntimeError("When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` parameter to .backward(). To resolve this error, you can either set use_reentrant=False, or call .backward() without passing the `inputs` argument.")
        tensor = lambda value: isinstance(value, torch.Tensor)
        inputs = [a.detach().requires_grad_(a.requires_grad) if tensor(a) else a for a in ctx.args]
        before = _random(ctx.preserve)
        if ctx.preserve:
            torch.set_rng_state(ctx.state)
        with torch.enable_grad():
            outputs = ctx.function(*inputs)
        if ctx.preserve:
            torch.set_rng_state(before)
        outputs = (outputs,) if tensor(outputs) else outputs
        pairs = [(y, g) for y, g in zip(outputs, gradients) if tensor(y) and y.requires_grad]
        if not pairs:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        torch.autograd.backward([y for y, _ in pairs], [g for _, g in pairs])
        return (None, None) + tuple(a.grad if tensor(a) else None for a in inputs)


def _forgetful(function, args, kwargs, preserve, early_stop):
    state = _random(preserve)
    kept, found = [], {}

    def pack(tensor):
        kept.append(None)
        return len(kept) - 1

    def again():
        computed = []

        def keep(tensor):
            found[len(computed)] = tensor.detach()
            computed.append(None)
            if early_stop and len(computed) == len(kept):
                raise _Stop
            return tensor

        before = _random(preserve)
        if preserve:
            torch.set_rng_state(state)
        try:
            with torch.enable_grad(), saved_tensors_hooks(keep, lambda tensor: tensor):
                function(*args, **kwargs)
        except _Stop:
            pass
        finally:
            if preserve:
                torch.set_rng_state(before)

    def unpack(place):
        if place not in found:
            again()
        return found.pop(place)

    with saved_tensors_hooks(pack, unpack):
        return function(*args, **kwargs)


def checkpoint(function, *args, use_reentrant=None, preserve_rng_state=True, context_fn=None, determinism_check=None, debug=None, early_stop=True, **kwargs):
    """Calls the function, and again in backward, which needs what it computes."""
    if use_reentrant is None:
        warnings.warn('torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. In a future release, calling checkpoint without use_reentrant will raise an exception. use_reentrant=False is recommended, but if you need to preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details on the differences between the two variants.')
        use_reentrant = True
    if use_reentrant and kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if use_reentrant:
        return CheckpointFunction.apply(function, preserve_rng_state, *args)
    if not torch.is_grad_enabled():
        return function(*args, **kwargs)
    return _forgetful(function, args, kwargs, preserve_rng_state, early_stop)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    """Calls functions in sequence, all but the last segment of them checkpointed."""
    if use_reentrant is None:
        use_reentrant = True
    functions = list(functions)

    def run(start, end):
        def forward(input):
            for function in functions[start:end]:
                input = function(input)
            return input
        return forward

    size = len(functions) // segments
    end = 0
    for start in range(0, size * (segments - 1), size):
        end = start + size
        input = checkpoint(run(start, end), input, use_reentrant=use_reentrant, **kwargs)
    return run(end, len(functions))(input)
