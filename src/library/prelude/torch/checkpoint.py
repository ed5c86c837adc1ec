# torch.utils.checkpoint: here everything is kept, so a checkpoint is the call itself.

import warnings


def checkpoint(function, *args, use_reentrant=None, preserve_rng_state=True, context_fn=None, determinism_check=None, debug=None, early_stop=True, **kwargs):
    """Calls the function directly; values and gradients are the same as in PyTorch."""
    if use_reentrant is None:
        warnings.warn('torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. In a future release, calling checkpoint without use_reentrant will raise an exception. use_reentrant=False is recommended, but if you need to preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details on the differences between the two variants.')
    return function(*args, **kwargs)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    """Calls functions in sequence."""
    for function in functions:
        input = function(input)
    return input
