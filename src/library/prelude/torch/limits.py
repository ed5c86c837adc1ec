# What a type of numbers holds, and what types become together.


class finfo:
    __module__ = "torch"

    def __init__(self, type=None):
        dtype = torch.get_default_dtype() if type is None else type
        if not dtype.is_floating_point:
            raise TypeError("torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'")
        digits, low, high, self.resolution = {
            torch.float16: (11, -14, 16, 1e-3),
            torch.bfloat16: (8, -126, 128, 1e-2),
            torch.float32: (24, -126, 128, 1e-6),
            torch.float64: (53, -1022, 1024, 1e-15),
        }[dtype]
        self.bits = 8 * dtype.itemsize
        self.eps = 2.0 ** (1 - digits)
        self.max = (2 - self.eps) * 2.0 ** (high - 1)
        self.min = -self.max
        self.tiny = self.smallest_normal = 2.0**low
        self.dtype = str(dtype).split(".")[1]

    def __repr__(self):
        return f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, smallest_normal={self.tiny:g}, tiny={self.tiny:g}, dtype={self.dtype})"


class iinfo:
    __module__ = "torch"

    def __init__(self, type):
        if type == torch.bool:
            raise TypeError("torch.bool is not supported by torch.iinfo")
        if type.is_floating_point:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
        self.bits = 8 * type.itemsize
        signed = type != torch.uint8
        self.min = -(2 ** (self.bits - 2)) * 2 if signed else 0
        self.max = -(self.min + 1) if signed else 2**self.bits - 1
        self.dtype = str(type).split(".")[1]

    def __repr__(self):
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"


def promote_types(type1, type2):
    """Returns the smallest type that holds both."""
    return torch.result_type(torch.zeros(1, dtype=type1), torch.zeros(1, dtype=type2))


def result_type(tensor1, tensor2):
    """Returns the result type of two operands."""
    zero = lambda v: torch.zeros_like(v) if isinstance(v, torch.Tensor) else v * 0
    if not isinstance(tensor1, torch.Tensor) and not isinstance(tensor2, torch.Tensor):
        tensor1 = torch.tensor(tensor1)
    return torch.add(zero(tensor1), zero(tensor2)).dtype


def can_cast(from_, to):
    """Whether one type can be cast to another in place."""
    kind = lambda d: 2 if d.is_floating_point else 0 if d == torch.bool else 1
    return kind(from_) <= kind(to)
