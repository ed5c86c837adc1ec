"""numpy.testing: comparison of arrays, with NumPy's reports."""

import numpy as np


def _short(v):
    return np.array2string(np.asarray(v))


def _compare(holds, actual, desired, header, err_msg="", verbose=True):
    x, y = np.asarray(actual), np.asarray(desired)
    if not (x.shape == () or y.shape == ()) and x.shape != y.shape:
        raise AssertionError(_report(x, y, header, f"(shapes {x.shape}, {y.shape} mismatch)", err_msg))
    same = (np.isnan(x) & np.isnan(y)) | (x == y) if x.dtype.kind == "f" and y.dtype.kind == "f" else x == y
    good = np.asarray(holds(x, y) | same)
    if good.all():
        return
    x1, y1 = np.broadcast_arrays(x, y)
    bad = ~np.broadcast_to(good, x1.shape)
    count, whole = int(bad.sum()), bad.size
    lines = [f"Mismatched elements: {count} / {whole} ({100 * count / whole:.3g}%)"]
    if x1.ndim:
        places = [list(p) for p in np.argwhere(bad).tolist()]
        lines.append("Mismatch at indices:" if count <= 5 else "First 5 mismatches are at indices:")
        for p in places[:5]:
            p = tuple(p)
            lines.append(f" {list(p)}: {x1[p]} (ACTUAL), {y1[p]} (DESIRED)")
    if x.dtype != bool and y.dtype != bool:
        away = abs(x1 - y1)[bad]
        lines.append(f"Max absolute difference among violations: {_short(away.max())}")
        size = abs(y1[bad])
        near = away[size != 0] / size[size != 0]
        most = near.max() if near.size and (size != 0).all() else np.inf
        lines.append(f"Max relative difference among violations: {_short(most)}")
    raise AssertionError(_report(x, y, header, "\n".join(lines), err_msg))


def _report(x, y, header, body, err_msg):
    head = f"\n{header}\n" + (f"{err_msg}\n" if err_msg else "") + f"{body}"
    return head + f"\n ACTUAL: {repr(x)}\n DESIRED: {repr(y)}"


def assert_allclose(actual, desired, rtol=1e-7, atol=0, equal_nan=True, err_msg="", verbose=True):
    header = f"Not equal to tolerance rtol={rtol:g}, atol={atol:g}\n"
    _compare(lambda x, y: np.isclose(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan), actual, desired, header, err_msg)


def assert_array_equal(actual, desired, err_msg="", verbose=True):
    _compare(lambda x, y: x == y, actual, desired, "Arrays are not equal\n", err_msg)


def assert_array_almost_equal(actual, desired, decimal=6, err_msg="", verbose=True):
    header = f"Arrays are not almost equal to {decimal} decimals\n"
    _compare(lambda x, y: abs(x - y) < 1.5 * 10.0 ** -decimal, actual, desired, header, err_msg)


def assert_almost_equal(actual, desired, decimal=7, err_msg="", verbose=True):
    if np.ndim(actual) or np.ndim(desired):
        return assert_array_almost_equal(actual, desired, decimal, err_msg)
    if not abs(desired - actual) < 1.5 * 10.0 ** -decimal:
        raise AssertionError(f"\nArrays are not almost equal to {decimal} decimals\n\n ACTUAL: {actual!r}\n DESIRED: {desired!r}")


def assert_equal(actual, desired, err_msg="", verbose=True):
    if isinstance(actual, np.ndarray) or isinstance(desired, np.ndarray):
        return assert_array_equal(actual, desired, err_msg)
    if not actual == desired:
        raise AssertionError(f"\nItems are not equal:\n\n ACTUAL: {actual!r}\n DESIRED: {desired!r}")


def assert_array_less(x, y, err_msg="", verbose=True):
    if not (np.asarray(x) < np.asarray(y)).all():
        raise AssertionError("\nArrays are not strictly ordered `x < y`")


def assert_raises(exception_class, function=None, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except exception_class:
        return
    raise AssertionError(f"{exception_class.__name__} not raised by {function.__name__}")
