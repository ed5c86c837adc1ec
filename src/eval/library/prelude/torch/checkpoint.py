# torch.utils.checkpoint: here everything is kept, so a checkpoint is the call itself.


def checkpoint(function, *args, use_reentrant=None, preserve_rng_state=True, context_fn=None, determinism_check=None, debug=None, early_stop=True, **kwargs):
    """Calls the function directly; values and gradients are the same as in PyTorch."""
    return function(*args, **kwargs)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    """Calls functions in sequence."""
    for function in functions:
        input = function(input)
    return input
