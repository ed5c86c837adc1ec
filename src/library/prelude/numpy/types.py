"""numpy: limits of number types."""

import numpy as np


class finfo:
    def __init__(self, dtype):
        self.dtype = np.dtype(dtype)
        if self.dtype.kind != "f":
            raise ValueError(f"data type {dtype!r} not inexact")
        make, digits, least, subnormal, largest, self.precision = {
            2: (np.float16, 10, -14, 6e-8, 65504.0, 3),
            4: (np.float32, 23, -126, 1.401298464324817e-45, 3.4028234663852886e38, 6),
            8: (np.float64, 52, -1022, 5e-324, 1.7976931348623157e308, 15),
        }[self.dtype.itemsize]
        self.bits = 8 * self.dtype.itemsize
        self.eps = make(2.0 ** -digits)
        self.epsneg = make(2.0 ** (-digits - 1))
        self.max = make(largest)
        self.min = -self.max
        self.tiny = self.smallest_normal = make(2.0 ** least)
        self.smallest_subnormal = make(subnormal)
        self.resolution = make(10.0 ** -self.precision)

    def __repr__(self):
        return f"finfo(resolution={self.resolution}, min={self.min}, max={self.max}, dtype={self.dtype})"


class iinfo:
    def __init__(self, dtype):
        self.dtype = np.dtype(dtype)
        if self.dtype.kind not in "iu":
            raise ValueError(f"Invalid integer data type {self.dtype.kind!r}.")
        self.bits = 8 * self.dtype.itemsize
        signed = self.dtype.kind == "i"
        half = 1 << (self.bits - 2)
        self.max = half - 1 + half if signed else (1 << self.bits) - 1
        self.min = -self.max - 1 if signed else 0

    def __repr__(self):
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"


class _Flags:
    """How an array lies in memory."""

    def __init__(self, c_contiguous, f_contiguous, owndata):
        self.c_contiguous = c_contiguous
        self.f_contiguous = f_contiguous
        self.owndata = owndata
        self.contiguous = c_contiguous
        self.fortran = f_contiguous and not c_contiguous
        self.forc = c_contiguous or f_contiguous
        self.writeable = self.aligned = True
        self.writebackifcopy = False

    def __getitem__(self, name):
        return getattr(self, name.lower())

    def __repr__(self):
        names = ("C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA", "WRITEABLE", "ALIGNED", "WRITEBACKIFCOPY")
        return "".join(f"  {name} : {self[name]}\n" for name in names)
