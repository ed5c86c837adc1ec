"""numbers: classes of numbers, for isinstance."""

Number = int | float
Complex = int | float
Real = int | float
Rational = int
Integral = int
