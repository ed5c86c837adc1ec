"""numpy: arrays of strings, and of any objects."""

import numpy as np


class str_(str):
    __module__ = "numpy"

    def __repr__(self):
        return f"np.str_({str(self)!r})"


class object_:
    __module__ = "numpy"


class UFuncTypeError(TypeError):
    __module__ = "numpy._core._exceptions"
    __qualname__ = "_UFuncNoLoopError"


class _Type:
    """The type of a string of so many characters; None: of any object."""

    def __init__(self, width):
        self.width = width
        self.kind = "O" if width is None else "U"
        self.itemsize = 8 if width is None else 4 * width
        self.name = "object" if width is None else f"str{32 * width}"
        self.str = "|O" if width is None else f"<U{width}"
        self.type = object_ if width is None else str_
        self.char = self.kind

    def __eq__(self, other):
        if isinstance(other, _Type):
            return self.width == other.width
        made = _type_of(other)
        return made is not None and made.kind == self.kind and made.width in (None, 0, self.width)

    def __hash__(self):
        return hash(self.str)

    def __str__(self):
        return "object" if self.width is None else self.str

    def __repr__(self):
        return f"dtype('{'O' if self.width is None else self.str}')"

    def __array_function__(self, func, types, args, kwargs):
        if func.__name__ == "issubdtype":
            wide = args[1] if args[0] is self else self
            return isinstance(wide, type) and issubclass(self.type, wide) or wide == self
        return NotImplemented


def _type_of(dtype):
    """The type that a name or a class means, of width 0 where that is to be found; None: numbers."""
    if isinstance(dtype, _Type):
        return dtype
    if dtype is str or dtype is str_:
        return _Type(0)
    if dtype is object or dtype is object_:
        return _Type(None)
    if isinstance(dtype, str):
        text = dtype.lstrip("<>=|")
        if text in ("O", "object"):
            return _Type(None)
        if text in ("U", "S", "str"):
            return _Type(0)
        if text[:1] in ("U", "S") and text[1:].isdigit():
            return _Type(int(text[1:]))
    return None


def _text(v):
    return v if isinstance(v, str) else v.item() if isinstance(v, np.ndarray) and v.ndim == 0 else v


def _written(v):
    """A number as a string, and how wide its type is then."""
    if isinstance(v, str):
        return str(v), len(v)
    least = 5 if isinstance(v, (bool, np.bool_)) else 21 if isinstance(v, (int, np.integer)) else 32
    return str(v), max(least, len(str(v)))


def _flat(object, depth, found):
    """Puts the elements of nested lists into a list and returns their shape."""
    if isinstance(object, np.ndarray):
        if object.ndim == 0:
            found.append(object.item())
        else:
            found.extend(object.reshape(-1).tolist())
        return object.shape
    if not isinstance(object, (list, tuple)) or depth == 0:
        found.append(object)
        return ()
    shapes = [_flat(part, depth - 1, found) for part in object]
    if any(s != shapes[0] for s in shapes):
        raise ValueError(f"setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions. The detected shape was ({len(object)},) + inhomogeneous part.")
    return (len(object),) + (shapes[0] if shapes else ())


def _array_of(object, dtype=None, ndmin=0):
    """np.array of strings or other objects."""
    wanted = _type_of(dtype) if dtype is not None else None
    found = []
    try:
        shape = _flat(object, 32, found)
    except ValueError:
        if wanted is None or wanted.width is not None:
            raise
        found = list(object)
        shape = (len(found),)
    if wanted is None:
        texts = all(isinstance(v, (str, int, float, np.generic)) for v in found)
        wanted = _Type(0 if texts and any(isinstance(v, str) for v in found) else None)
    width = wanted.width
    if width is not None:
        pairs = [_written(v) for v in found]
        if width == 0:
            width = max([w for _, w in pairs] + [1])
        found = [str_(v[:width]) for v, _ in pairs]
    shape = (1,) * (ndmin - len(shape)) + shape
    return _Words(found, np.arange(len(found)).reshape(shape), width)


def _filled_with(shape, value, dtype):
    """np.full of strings or other objects."""
    wanted = _type_of(dtype) if dtype is not None else _Type(max(len(value), 1) if isinstance(value, str) else None)
    places = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    width = wanted.width
    value = value if width is None else str_(str(value)[:width] if width else value)
    return _Words([value] * places.size, places, width if width is None else max(width, len(value), 1))


class _Words:
    """Elements in a list, and an array of their places in it; views share the list."""
    __module__ = "numpy"
    __qualname__ = "ndarray"
    __array_priority__ = 1

    def __init__(self, store, at, width):
        self._store, self._at, self._width = store, at, width

    def __torch_function__(self, func, types, args, kwargs=None):
        if func.__name__ in ("as_tensor", "from_numpy", "tensor"):
            raise TypeError(f"can't convert np.ndarray of type numpy.{self.dtype.type.__name__}. The only supported types are: float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, uint8, and bool.")
        return NotImplemented

    def _list(self):
        store = self._store
        return [store[i] for i in self._at.reshape(-1).tolist()]

    def _moved(self, at):
        """The elements at other places, which are copied."""
        return _Words([self._store[i] for i in at.reshape(-1).tolist()], np.arange(at.size).reshape(at.shape), self._width)

    def _view(self, at):
        return _Words(self._store, at, self._width)

    def _each(self, function, others=()):
        """An array of what a function gives of each element and those beside it."""
        whole, rows = _together([self, *others])
        return np.array([function(*row) for row in zip(*rows)]).reshape(whole)

    @property
    def dtype(self):
        return _Type(self._width)

    @property
    def shape(self):
        return self._at.shape

    @property
    def ndim(self):
        return self._at.ndim

    @property
    def size(self):
        return self._at.size

    @property
    def itemsize(self):
        return self.dtype.itemsize

    @property
    def nbytes(self):
        return self.itemsize * self.size

    @property
    def T(self):
        return self._view(self._at.T)

    @property
    def flat(self):
        return self.flatten()

    def __len__(self):
        return len(self._at)

    def __iter__(self):
        return iter([self[i] for i in range(len(self))])

    def __getitem__(self, key):
        at = self._at[_place(key)]
        if at.ndim == 0 and not isinstance(at, np.ndarray):
            return self._store[int(at)]
        fancy = any(isinstance(k, (list, np.ndarray)) for k in (key if isinstance(key, tuple) else (key,)))
        return self._moved(at) if fancy else self._view(at)

    def __setitem__(self, key, value):
        at = np.asarray(self._at[_place(key)])
        if isinstance(value, (list, tuple)) and self._width is None and at.ndim == 0:
            values = [value]
        elif isinstance(value, (list, tuple, np.ndarray)):
            made = value if isinstance(value, _Words) else _array_of(value, None if self._width is not None else object)
            values = made._moved(np.broadcast_to(made._at, at.shape))._list()
        else:
            values = [value] * at.size
        for i, v in zip(at.reshape(-1).tolist(), values):
            self._store[i] = v if self._width is None else str_(str(v)[:self._width])

    def __contains__(self, value):
        return any(v == value for v in self._list())

    def _compared(self, other, function, name):
        if self._width is not None and not _is_text(other):
            if name in ("equal", "not_equal"):
                return np.full(self.shape, name == "not_equal")
            raise UFuncTypeError(f"ufunc '{name}' did not contain a loop with signature matching types (<class 'numpy.dtypes.StrDType'>, {_kind(other)}) -> None")
        return self._each(function, [other]).astype(bool)

    def __eq__(self, other):
        return self._compared(other, lambda a, b: a == b, "equal")

    def __ne__(self, other):
        return self._compared(other, lambda a, b: a != b, "not_equal")

    def __lt__(self, other):
        return self._compared(other, lambda a, b: a < b, "less")

    def __le__(self, other):
        return self._compared(other, lambda a, b: a <= b, "less_equal")

    def __gt__(self, other):
        return self._compared(other, lambda a, b: a > b, "greater")

    def __ge__(self, other):
        return self._compared(other, lambda a, b: a >= b, "greater_equal")

    __hash__ = None

    def _computed(self, function, name, others, swapped=False):
        operands = [*others, self] if swapped else [self, *others]
        if self._width is not None and (name != "add" or not all(_is_text(o) for o in operands)):
            kinds = ", ".join(repr(np.asarray(o).dtype) for o in operands)
            types = "<class 'numpy.dtypes.StrDType'>" if len(operands) == 1 else f"({kinds})"
            raise UFuncTypeError(f"ufunc '{name}' did not contain a loop with signature matching types {types} -> None")
        whole, rows = _together(operands)
        made = [function(*row) for row in zip(*rows)]
        return _array_of(made, object if self._width is None else None)._shaped(whole)

    def _shaped(self, shape):
        return self._view(self._at.reshape(shape))

    def __add__(self, other):
        return self._computed(lambda a, b: a + b, "add", [other])

    def __radd__(self, other):
        return self._computed(lambda a, b: a + b, "add", [other], True)

    def __sub__(self, other):
        return self._computed(lambda a, b: a - b, "subtract", [other])

    def __mul__(self, other):
        return self._computed(lambda a, b: a * b, "multiply", [other])

    def __rmul__(self, other):
        return self._computed(lambda a, b: a * b, "multiply", [other], True)

    def __truediv__(self, other):
        return self._computed(lambda a, b: a / b, "divide", [other])

    def __neg__(self):
        return self._computed(lambda a: -a, "negative", [])

    def __bool__(self):
        if self.size != 1:
            raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")
        return bool(self._list()[0])

    def __float__(self):
        if self.ndim > 0:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return float(self._list()[0])

    def _drawn(self, separator, prefix, width):
        return np._laid_out([f"list({v!r})" if isinstance(v, list) else repr(_plain(v)) for v in self._list()], self.shape, separator, prefix, width)

    def __str__(self):
        return str(self._list()[0]) if self.ndim == 0 else self._drawn(" ", 0, 0)

    def __repr__(self):
        kind = "object" if self._width is None else f"'{self.dtype.str}'"
        empty = f", shape={self.shape}" if self.size == 0 and self.shape != (0,) else ""
        body = f"array({self._drawn(', ', 6, 1)}{empty},"
        last = body.split("\n")[-1]
        between = "\n      " if len(last) + len(f"dtype={kind})") + 1 > 75 else " "
        return f"{body}{between}dtype={kind})"

    def tolist(self):
        def nested(at):
            return [nested(part) for part in at] if isinstance(at, list) else _plain(self._store[at])
        return nested(self._at.tolist())

    def item(self, *at):
        return _plain(self._list()[at[0] if at else 0])

    def copy(self, order=None):
        return self._moved(self._at)

    def astype(self, dtype, copy=True):
        wanted = _type_of(dtype)
        if wanted is not None:
            return _array_of(self._list(), dtype)._shaped(self.shape)
        if self._width is not None:
            if np.dtype(dtype).kind == "f":
                made = [_number(v) for v in self._list()]
            elif np.dtype(dtype).kind == "b":
                made = [len(v) > 0 for v in self._list()]
            else:
                made = [int(v) for v in self._list()]
        else:
            made = self._list()
        return np.array(made, dtype=dtype).reshape(self.shape)

    def reshape(self, *shape):
        return self._view(self._at.reshape(*shape))

    def ravel(self):
        return self._view(self._at.reshape(-1))

    def flatten(self, order=None):
        return self._moved(self._at.reshape(-1))

    def transpose(self, *axes):
        return self._view(self._at.transpose(*axes))

    def squeeze(self, axis=None):
        return self._view(np.squeeze(self._at) if axis is None else np.squeeze(self._at, axis))

    def repeat(self, repeats, axis=None):
        return self._moved(np.repeat(self._at, repeats, axis))

    def take(self, indices, axis=None):
        return self._moved(np.asarray(np.take(self._at, indices, axis)))

    def argsort(self, axis=-1, kind=None):
        values = self._list()
        if self.ndim == 1:
            return np.array(sorted(range(len(values)), key=lambda i: values[i]), dtype=int)
        return np.array([part.argsort() for part in self])

    def sort(self, axis=-1, kind=None):
        if self.ndim == 1:
            self[:] = sorted(self._list())
        else:
            for part in self:
                part.sort()

    def any(self, axis=None):
        return any(self._list())

    def all(self, axis=None):
        return all(self._list())

    def fill(self, value):
        self[...] = value

    def _reduced(self, name, function):
        if self._width is not None:
            if name in ("maximum", "minimum"):
                raise UFuncTypeError(f"ufunc '{name}' did not contain a loop with signature matching types ({self.dtype!r}, {self.dtype!r}) -> None")
            raise TypeError(f"the resolved dtypes are not compatible with add.reduce. Resolved ({self.dtype!r}, {self.dtype!r}, dtype('<U{2 * self._width}'))")
        return function(self._list())

    def sum(self, axis=None):
        return self._reduced("add", sum)

    def mean(self, axis=None):
        return self._reduced("add", lambda values: sum(values) / len(values))

    def max(self, axis=None):
        return self._reduced("maximum", max)

    def min(self, axis=None):
        return self._reduced("minimum", min)

    def __getattr__(self, name):
        raise AttributeError(f"'numpy.ndarray' object has no attribute '{name}'")

    def __array_function__(self, func, types, args, kwargs):
        name = func.__name__
        own = getattr(type(self), name, None) if name in _METHODS and isinstance(args[0], _Words) else None
        if own is not None:
            made = own(*args, **kwargs)
            return made
        if name in ("array", "asarray", "asanyarray", "ascontiguousarray"):
            if isinstance(args[0], _Words):
                same = name != "array" and len(args) == 1 and not kwargs
                return args[0] if same else args[0].astype(kwargs["dtype"]) if "dtype" in kwargs else args[0].copy()
            return _array_of(args[0], *args[1:], **kwargs)
        if name == "sort":
            made = args[0].copy()
            made.sort()
            return made
        if name in ("shape", "ndim", "size"):
            return getattr(args[0], name)
        if name == "array_equal":
            a, b = [v if isinstance(v, _Words) else np.asarray(v) for v in args]
            return a.shape == b.shape and bool(np.all(np.asarray(a == b)))
        if name in ("zeros_like", "empty_like"):
            return _filled_with(self.shape, "" if self._width is not None else 0, self.dtype)
        if name == "full_like":
            return _filled_with(self.shape, args[1], self.dtype)
        if name in _PLACES:
            return _by_places(func, args, kwargs)
        raise TypeError(f"ufunc '{name}' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''")


_METHODS = ("argsort", "any", "all", "copy", "ravel", "reshape", "repeat", "squeeze", "transpose", "sum", "mean", "max", "min")
_PLACES = ("_concatenate", "_stack", "_where", "_broadcast_to", "tile", "expand_dims", "roll", "flip", "swapaxes", "moveaxis")


def _by_places(func, args, kwargs):
    """A function that moves elements, carried out on their places."""
    store, width = [], []

    def placed(v):
        if isinstance(v, (list, tuple)) and any(isinstance(part, (_Words, str)) for part in v):
            return [placed(part) for part in v]
        if isinstance(v, (_Words, str)):
            v = v if isinstance(v, _Words) else _array_of(v)
            start = len(store)
            store.extend(v._list())
            width.append(v._width)
            return np.arange(start, len(store)).reshape(v.shape)
        return v
    if func.__name__ == "_where":
        condition, *rest = args
        wrapped = [v if isinstance(v, (str, np.ndarray)) else _array_of([v], object)[0:1].reshape(()) for v in rest]
        texts = all(_is_text(v) for v in rest)
        wrapped = wrapped if texts else [v if isinstance(v, _Words) else _array_of(v, object) for v in rest]
        at = func(condition, *[placed(v) for v in wrapped])
    else:
        at = func(*[placed(v) for v in args], **kwargs)
    at = np.asarray(at)
    return _Words(store, at, None if None in width else max(width))._moved(at)


def _plain(v):
    return str(v) if isinstance(v, str_) else v


def _number(text):
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"could not convert string to float: {text!r}") from None


def _is_text(v):
    if isinstance(v, _Words):
        return v._width is not None
    return isinstance(v, str) or isinstance(v, (list, tuple)) and len(v) > 0 and all(isinstance(part, str) for part in v)


def _kind(v):
    kinds = {int: "_PyLongDType", float: "_PyFloatDType", bool: "BoolDType"}
    return f"<class 'numpy.dtypes.{kinds.get(type(v), 'ObjectDType')}'>"


def _place(key):
    """An index in which lists of positions are arrays."""
    return tuple(_place(k) for k in key) if isinstance(key, tuple) else np.asarray(key) if isinstance(key, list) else key


def _together(operands):
    """The elements of operands in their common shape, as lists."""
    arrays = [v if isinstance(v, _Words) else _array_of(v, object) for v in operands]
    whole = np.broadcast_shapes(*[a.shape for a in arrays])
    return whole, [a._moved(np.broadcast_to(a._at, whole))._list() for a in arrays]
