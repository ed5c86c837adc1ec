"""fractions: numbers as a quotient of integers."""

import math


def _parts(text):
    above, slash, below = text.strip().partition("/")
    if slash:
        return int(above), int(below)
    number, e, power = above.lower().partition("e")
    whole, point, digits = number.partition(".")
    value = int((whole if whole not in ("", "-", "+") else whole + "0") + digits)
    power = int(power or 0) - len(digits)
    return (value * 10**power, 1) if power >= 0 else (value, 10**-power)


class Fraction:
    __module__ = "fractions"

    def __init__(self, numerator=0, denominator=None):
        below = 1
        if isinstance(numerator, str):
            try:
                above, below = _parts(numerator)
            except ValueError:
                raise ValueError(f"Invalid literal for Fraction: {numerator!r}") from None
        elif isinstance(numerator, float):
            above, below = numerator.as_integer_ratio()
        elif isinstance(numerator, Fraction):
            above, below = numerator.numerator, numerator.denominator
        elif isinstance(numerator, int):
            above = int(numerator)
        else:
            raise TypeError("argument should be a string or a Rational instance")
        if denominator is not None:
            other = Fraction(denominator)
            above, below = above * other.denominator, below * other.numerator
        if below == 0:
            raise ZeroDivisionError(f"Fraction({above}, 0)")
        common = math.gcd(above, below) * (1 if below > 0 else -1)
        self.numerator = above // common
        self.denominator = below // common

    @classmethod
    def from_float(cls, f):
        return cls(f)

    def as_integer_ratio(self):
        return self.numerator, self.denominator

    def limit_denominator(self, max_denominator=1000000):
        if self.denominator <= max_denominator:
            return Fraction(self)
        p0, q0, p1, q1 = 0, 1, 1, 0
        n, d = self.numerator, self.denominator
        while True:
            a = n // d
            q2 = q0 + a * q1
            if q2 > max_denominator:
                break
            p0, q0, p1, q1 = p1, q1, p0 + a * p1, q2
            n, d = d, n - a * d
        k = (max_denominator - q0) // q1
        if 2 * d * (q0 + k * q1) <= self.denominator:
            return Fraction(p1, q1)
        return Fraction(p0 + k * p1, q0 + k * q1)

    def _with(self, other, exact, floating):
        if isinstance(other, float):
            return floating(float(self), other)
        if isinstance(other, (int, Fraction)):
            other = Fraction(other)
            return exact(self.numerator, self.denominator, other.numerator, other.denominator)
        return NotImplemented

    def __add__(self, other):
        return self._with(other, lambda a, b, c, d: Fraction(a * d + c * b, b * d), lambda x, y: x + y)

    def __sub__(self, other):
        return self._with(other, lambda a, b, c, d: Fraction(a * d - c * b, b * d), lambda x, y: x - y)

    def __mul__(self, other):
        return self._with(other, lambda a, b, c, d: Fraction(a * c, b * d), lambda x, y: x * y)

    def __truediv__(self, other):
        return self._with(other, lambda a, b, c, d: Fraction(a * d, b * c), lambda x, y: x / y)

    def __floordiv__(self, other):
        return self._with(other, lambda a, b, c, d: a * d // (b * c), lambda x, y: x // y)

    def __mod__(self, other):
        return self._with(other, lambda a, b, c, d: Fraction(a * d % (b * c), b * d), lambda x, y: x % y)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return self._with(other, lambda a, b, c, d: Fraction(c * b - a * d, b * d), lambda x, y: y - x)

    def __rtruediv__(self, other):
        return self._with(other, lambda a, b, c, d: Fraction(c * b, a * d), lambda x, y: y / x)

    def __pow__(self, power):
        if isinstance(power, Fraction) and power.denominator == 1:
            power = power.numerator
        if not isinstance(power, int):
            return float(self) ** float(power)
        if power >= 0:
            return Fraction(self.numerator**power, self.denominator**power)
        return Fraction(self.denominator**-power, self.numerator**-power)

    def __neg__(self):
        return Fraction(-self.numerator, self.denominator)

    def __pos__(self):
        return self

    def __abs__(self):
        return Fraction(abs(self.numerator), self.denominator)

    def __float__(self):
        return self.numerator / self.denominator

    def __int__(self):
        return math.trunc(self)

    def __trunc__(self):
        n = abs(self.numerator) // self.denominator
        return n if self.numerator >= 0 else -n

    def __floor__(self):
        return self.numerator // self.denominator

    def __ceil__(self):
        return -(-self.numerator // self.denominator)

    def __round__(self, ndigits=None):
        if ndigits is not None:
            shift = 10 ** abs(ndigits)
            return Fraction(round(self * shift), shift) if ndigits > 0 else Fraction(round(self / shift) * shift)
        floor, rest = divmod(self.numerator, self.denominator)
        double = 2 * rest
        up = double > self.denominator or double == self.denominator and floor % 2 == 1
        return floor + 1 if up else floor

    def __bool__(self):
        return self.numerator != 0

    def __hash__(self):
        return hash(self.numerator) if self.denominator == 1 else hash((self.numerator, self.denominator))

    def _compared(self, other, holds):
        if isinstance(other, float):
            return holds(float(self), other)
        if isinstance(other, (int, Fraction)):
            other = Fraction(other)
            return holds(self.numerator * other.denominator, other.numerator * self.denominator)
        return NotImplemented

    def __eq__(self, other):
        return self._compared(other, lambda x, y: x == y)

    def __lt__(self, other):
        return self._compared(other, lambda x, y: x < y)

    def __le__(self, other):
        return self._compared(other, lambda x, y: x <= y)

    def __gt__(self, other):
        return self._compared(other, lambda x, y: x > y)

    def __ge__(self, other):
        return self._compared(other, lambda x, y: x >= y)

    def __str__(self):
        return str(self.numerator) if self.denominator == 1 else f"{self.numerator}/{self.denominator}"

    def __repr__(self):
        return f"Fraction({self.numerator}, {self.denominator})"
