"""Writes kernels.txt beside this file: arguments of elementary functions with their values by mpmath.

A line is a function's name, the argument, the nearest double to the value, and what is left of it, the
bits of each in hexadecimal. Run: python tests/data/kernels.py (needs mpmath).
"""

import math
import pathlib
import random
import struct

import mpmath

mpmath.mp.prec = 400
chance = random.Random(7)


def bits(x):
    return struct.pack(">d", x).hex()


def spread(low, high, count):
    return [chance.uniform(low, high) for _ in range(count)]


def powers(low, high, count):
    return [10 ** chance.uniform(low, high) for _ in range(count)]


def near_quadrants():
    """The doubles at and beside multiples of pi/2: what is left of them is tiny."""
    out = []
    for k in [*range(-12, 13), 355, 1000, 12345, 100001, 600000]:
        x = float(k * mpmath.pi / 2)
        out += [x, math.nextafter(x, math.inf), math.nextafter(x, -math.inf)]
    return out


EDGES = [0.0, -0.0, 5e-324, -5e-324, 2.2e-308, 1e-300, 1.0, -1.0, 1e300, -1e300]
angles = spread(-5, 5, 400) + spread(-9e5, 9e5, 200) + near_quadrants() + powers(-20, 0, 50) + EDGES
wide = spread(-2, 2, 300) + spread(-40, 700, 150) + powers(-20, 0, 50) + [-x for x in powers(-20, 0, 50)]
POINTS = {
    "exp": spread(-5, 5, 400) + spread(-745, 709, 200) + [709.7, 708.5, -708.5, -745.1, 710.5, -746.0] + EDGES,
    "expm1": wide + EDGES,
    "tanh": spread(-2, 2, 400) + spread(-21, 21, 150) + powers(-20, 0, 50) + EDGES,
    "log": spread(0.01, 5, 400) + powers(-305, 305, 150) + spread(0.999, 1.001, 100) + [5e-324, 1e-310, 0.5, 1.0, 2.0],
    "log1p": spread(-0.99, 5, 400) + powers(-20, 20, 100) + [-x for x in powers(-20, -0.01, 100)] + EDGES[:7],
    "sin": angles,
    "cos": angles,
}

lines = []
for name, points in POINTS.items():
    f = getattr(mpmath, "ln" if name == "log" else name)
    for x in points:
        value = f(mpmath.mpf(x))
        near = float(value)
        if name != "cos" and name != "exp" and x == 0:
            near = x
        rest = 0.0 if math.isinf(near) else float(value - mpmath.mpf(near))
        lines.append(" ".join([name, bits(x), bits(near), bits(rest)]))
path = pathlib.Path(__file__).parent / "kernels.txt"
path.write_text("\n".join(lines) + "\n")
