"""numpy: limits of number types."""

import numpy as np


class finfo:
    def __init__(self, dtype):
        self.dtype = np.dtype(dtype)
        if self.dtype.kind != "f":
            raise ValueError(f"data type {dtype!r} not inexact")
        single = self.dtype.itemsize == 4
        make = np.float32 if single else np.float64
        self.bits = 32 if single else 64
        self.eps = make(2.0 ** (-23 if single else -52))
        self.epsneg = make(2.0 ** (-24 if single else -53))
        self.max = make(3.4028234663852886e38 if single else 1.7976931348623157e308)
        self.min = -self.max
        self.tiny = self.smallest_normal = make(2.0 ** (-126 if single else -1022))
        self.smallest_subnormal = make(1.401298464324817e-45 if single else 5e-324)
        self.resolution = make(1e-6 if single else 1e-15)
        self.precision = 6 if single else 15

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
