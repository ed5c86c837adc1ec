import math
from math import sqrt, pi as PI
print(math.sqrt(2), math.exp(1), math.log(10), math.log(8, 2), math.log10(1000), math.log2(8), math.sin(1), math.cos(1), math.tan(1), PI, sqrt(16))
print(math.floor(2.7), math.ceil(2.1), math.trunc(-2.7), math.floor(-2.5), math.factorial(10), math.gcd(12, 18), math.lcm(4, 6), math.comb(5, 2), math.perm(5, 2), math.isqrt(17))
print(math.hypot(3, 4), math.atan2(1, -1), math.asin(1), math.acos(0), math.atan(1), math.sinh(1), math.cosh(1), math.tanh(1), math.degrees(PI), math.radians(180))
print(math.fabs(-3), math.copysign(2, -0.0), math.fmod(-7, 3), math.isclose(0.1 + 0.2, 0.3), math.isnan(math.nan), math.isinf(math.inf), math.isfinite(1), math.e, math.tau, math.inf, math.nan)
print(math.expm1(1e-10), math.log1p(1e-10), math.erf(0.5), math.erfc(0.5), math.gamma(5), math.prod([1, 2, 3]), math.fsum([0.1] * 10), math.dist([0, 0], [3, 4]), math.frexp(8.5), math.modf(-2.25), math.ldexp(0.5, 3), math.pow(2, 0.5), math.remainder(7, 4))
for f in [lambda: math.sqrt(-1), lambda: math.log(0), lambda: math.log(-1), lambda: math.exp(1000), lambda: math.factorial(-1), lambda: math.sqrt("a"), lambda: math.sqrt(), lambda: math.foo, lambda: math.acos(2), lambda: math.pow(0, -1), lambda: math.floor(math.inf), lambda: math.log(10, 1), lambda: math.fmod(1, 0), lambda: math.gcd(1.5)]:
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
