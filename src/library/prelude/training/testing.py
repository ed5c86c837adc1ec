# torch.testing: whether values are as close as their types allow.

_ALLOWED = {
    torch.float16: (1e-3, 1e-5),
    torch.bfloat16: (1.6e-2, 1e-5),
    torch.float32: (1.3e-6, 1e-5),
    torch.float64: (1e-7, 1e-7),
}


def _allowed(dtypes, rtol, atol):
    if (rtol is None) != (atol is None):
        word = 'rtol' if rtol is None else 'atol'
        raise ValueError(f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {word}.")
    if rtol is not None:
        return rtol, atol
    pairs = [_ALLOWED.get(d, (0.0, 0.0)) for d in dtypes]
    return max([p[0] for p in pairs]), max([p[1] for p in pairs])


class _Differs(Exception):
    pass


def _differs(text, place):
    if place:
        text += '\n\nThe failure occurred for item ' + ''.join([f'[{k!r}]' for k in place])
    raise _Differs(text)


def _up_to(bound):
    return f' (up to {bound} allowed)'


def _close_numbers(actual, expected, rtol, atol, equal_nan, place, what='Scalars'):
    both_nan = actual != actual and expected != expected
    apart = abs(actual - expected)
    if actual == expected or equal_nan and both_nan:
        return
    finite = abs(expected) != float('inf') and apart == apart
    if finite and apart <= atol + rtol * abs(expected):
        return
    relative = apart / abs(expected) if expected != 0 else float('inf')
    exact = rtol == 0 and atol == 0
    word = 'equal' if exact else 'close'
    _differs(
        f'{what} are not {word}!\n\nExpected {expected} but got {actual}.\n'
        f'Absolute difference: {apart}{"" if exact else _up_to(atol)}\n'
        f'Relative difference: {relative}{"" if exact else _up_to(rtol)}',
        place,
    )


def _close_tensors(actual, expected, rtol, atol, options, place):
    def same(name, a, b):
        if a != b:
            _differs(f"The values for attribute '{name}' do not match: {a} != {b}.", place)

    same('shape', actual.shape, expected.shape)
    if options['check_dtype']:
        same('dtype', actual.dtype, expected.dtype)
    if options['check_stride']:
        same('stride()', actual.stride(), expected.stride())
    rtol, atol = _allowed((actual.dtype, expected.dtype), rtol, atol)
    actual, expected = actual.detach(), expected.detach()
    if actual.dtype != expected.dtype:
        kind = torch.promote_types(actual.dtype, expected.dtype)
        actual, expected = actual.to(kind), expected.to(kind)
    close = torch.isclose(actual, expected, rtol=rtol, atol=atol, equal_nan=options['equal_nan'])
    if close.all():
        return
    if actual.dtype == torch.bool or not actual.dtype.is_floating_point:
        actual, expected = actual.to(torch.int64), expected.to(torch.int64)
    if actual.dim() == 0:
        return _close_numbers(actual.item(), expected.item(), rtol, atol, options['equal_nan'], place)
    wrong = int((~close).sum())
    apart = (actual - expected).abs()
    apart[close] = 0
    relative = apart / expected.abs()
    relative[close] = 0
    exact = rtol == 0 and atol == 0
    lines = [f'Tensor-likes are not {"equal" if exact else "close"}!\n']
    lines.append(f'Mismatched elements: {wrong} / {close.numel()} ({wrong / close.numel():.1%})')
    for name, values, bound in (('absolute', apart, atol), ('relative', relative, rtol)):
        at = int(values.flatten().argmax())
        index = tuple([int(k) for k in torch.unravel_index(torch.tensor(at), values.shape)])
        lines.append(f'Greatest {name} difference: {values.flatten()[at].item()} at index {index}{"" if exact else _up_to(bound)}')
    _differs('\n'.join(lines), place)


def _close(actual, expected, rtol, atol, options, place):
    import numpy as np

    if isinstance(actual, (list, tuple)) and isinstance(expected, (list, tuple)):
        if len(actual) != len(expected):
            _differs(f'The length of the sequences mismatch: {len(actual)} != {len(expected)}', place)
        for k, (a, b) in enumerate(zip(actual, expected)):
            _close(a, b, rtol, atol, options, place + [k])
    elif isinstance(actual, dict) and isinstance(expected, dict):
        if set(actual) != set(expected):
            missing = sorted([k for k in expected if k not in actual])
            more = sorted([k for k in actual if k not in expected])
            _differs(
                'The keys of the mappings do not match:\n'
                f'Missing keys in the actual mapping: {missing}\n'
                f'Additional keys in the actual mapping: {more}',
                place,
            )
        for k in actual:
            _close(actual[k], expected[k], rtol, atol, options, place + [k])
    elif actual is None or expected is None:
        if actual is not expected:
            _differs(f'None mismatch: {actual} is not {expected}', place)
    elif isinstance(actual, bool) and isinstance(expected, bool):
        if actual is not expected:
            _differs(f'Booleans mismatch: {actual} is not {expected}', place)
    elif isinstance(actual, (int, float)) and isinstance(expected, (int, float)):
        if options['check_dtype'] and type(actual) is not type(expected):
            _differs(f'The (d)types do not match: {type(actual)} != {type(expected)}.', place)
        kinds = [torch.float64 if isinstance(v, float) else torch.int64 for v in (actual, expected)]
        rtol, atol = _allowed(kinds, rtol, atol)
        _close_numbers(actual, expected, rtol, atol, options['equal_nan'], place)
    elif isinstance(actual, (torch.Tensor, np.ndarray, np.generic)) and isinstance(expected, (torch.Tensor, np.ndarray, np.generic)):
        _close_tensors(torch.as_tensor(actual), torch.as_tensor(expected), rtol, atol, options, place)
    else:
        raise TypeError(f'No comparison pair was able to handle inputs of type {type(actual)} and {type(expected)}.')


def assert_close(actual, expected, *, allow_subclasses=True, rtol=None, atol=None, equal_nan=False, check_device=True, check_dtype=True, check_layout=True, check_stride=False, msg=None):
    """Raises AssertionError where two values are further apart than their types allow."""
    options = {'check_dtype': check_dtype, 'check_stride': check_stride, 'equal_nan': equal_nan}
    try:
        _close(actual, expected, rtol, atol, options, [])
    except _Differs as differs:
        text = str(differs)
        raise AssertionError(text if msg is None else msg(text) if callable(msg) else msg) from None
