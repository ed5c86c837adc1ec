"""Writes ints.jsonl beside it: expressions on Python's ints of every size, each with its repr, or the
class and the words of its error, as CPython 3.11 gives them.

    python3.11 ints.py
"""

import json
import math
import os
import random
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
COUNT = 1600

EDGES = [2**31, 2**32, 2**53, 2**53 + 1, 2**61 - 1, 2**61, 2**62, 2**63, 2**64, 2**100, 10**18, 10**19]
FLOATS = (
    "0.5 1.5 -2.5 1e10 1e19 9007199254740992.0 9223372036854775808.0 1e30 -1e300 0.0 -0.0 1e-300"
    " 2.0**63 2.0**64 float('inf') float('nan')"
).split()
SPECS = (
    "|,|_|x|X|#x|_x|b|#b|o|_b|d|+d| d|030|<40,|^50|*>45_d|=+45|e|.3e|g|.10g|f|.2f|%|n|+,|#o|015,|.3|c|s|E|.2"
).split("|")
DIRECTIVES = (
    "%d|%5d|%-30d.|%+d|%030d|%x|%#x|%X|%o|%e|%g|%.3f|%s|%r|% d|%.30d|%i|%c|%5%"
).split("|")
FUNCTIONS = (
    "float int bool str repr abs bin hex oct hash math.sqrt math.log math.log2 math.log10 math.floor math.ceil"
    " math.isqrt math.trunc math.fabs math.exp math.sin math.frexp math.isfinite math.ulp"
).split()
OF_TWO = "gcd lcm fmod hypot copysign pow ldexp remainder atan2 isclose".split()
METHODS = (
    "bit_length() bit_count() as_integer_ratio() conjugate() real imag numerator denominator __neg__() __abs__()"
    " __invert__() __index__() __float__() __add__(5) __mul__(3) __mul__(0.5) __rsub__(5) __divmod__(7)"
    " __rdivmod__(7) __floordiv__(7) __round__(-3) __bool__() __hash__() __lshift__(3) __rshift__(60)"
).split()
WRITTEN = (
    "12|-7| +12_345 |0xffffffffffffffffffff|1__0|_1||0b101|0o17|0x_ff|007|123456789012345678901234567890|zz|1.5"
).split("|")
FAR = "2**63-2 2**64 -2**63-2 10**25".split()
ALWAYS = [
    "10**4299 % 7", "str(10**4300)", "int('1'*4300) % 97", "int('1'*4301)", "int('f'*5000, 16) % 97",
    "'%d' % 10**5000", "f'{10**5000}'", "f'{10**4000:e}'", "10**400 * 1.0", "10**400 / 10**399", "10**400 / 3",
    "3 / 10**400", "float(2**1024 - 2**970 - 1)", "float(2**1024 - 2**970)", "1 / 2**1074", "1 / 2**1075",
    "1 / (2**1075 - 1)", "3 / 2**1075", "(2**1024 - 2**970 - 1) / 1", "2**2000 / 2**900", "2**900 / 2**2000",
    "math.log(10**400)", "math.log2(10**400)", "math.log10(10**400)", "math.log(-10**400)", "math.log(10**400, 10)",
    "math.sqrt(10**400)", "math.comb(2**70, 3)", "math.comb(2**70, 2**69)", "math.perm(2**70, 2**70)",
    "math.factorial(2**63)", "math.factorial(-1)", "math.factorial(50)", "math.comb(300, 150)", "math.perm(40)",
    "math.prod(range(1, 40))", "math.ldexp(0.0, 2**70)", "math.ldexp(1.0, 2**70)", "math.ldexp(1.0, -2**70)",
    "1 << -1", "0 << 2**70", "-1 >> 2**70", "1 ** 2**70", "(-1) ** (2**70 + 1)", "0 ** 2**70", "2 ** -2**70",
    "[1, 2][2**70]", "[1, 2][-2**70:2**70:2**70]", "'ab'[2**70]", "'a' * 2**70", "[0] * -2**70", "chr(2**70)",
    "range(2**70)[5]", "range(2**70)[-1]", "range(2**70)[2**70]", "len(range(2**70))", "range(2**70).index(2**69)",
    "2**69 in range(2**70)", "range(0, 2**70, 2**69)", "range(2**70)[1:5]", "range(2**70) == range(0, 2**70)",
    "list(reversed(range(2**70, 2**70 + 2)))", "list(enumerate('ab', 2**70))", "sum(range(2**70, 2**70 + 9))",
    "'%*d' % (2**70, 1)", "hash((2**70, 1)) == hash((2.0**70, 1))", "{2**70: 1}[2.0**70]", "len({2**70, 2.0**70})",
    "{2**61: 1, 1: 2}", "isinstance(2**70, int)", "type(2**70)", "2**70 == 'a'", "2**70 + 'a'", "'a' + 2**70",
    "2**70 < 'a'", "(2**70)[0]", "(2**70)()", "len(2**70)", "(2**70).foo", "divmod(2**70, 0)", "2**70 % 0",
    "divmod(2**70, 0.0)", "pow(2**70, 3, 0)", "pow(2, -1, 2**70)", "round(2.5e30)", "round(15 * 10**29, -30)",
    "round(25 * 10**29, -30)", "round(10**30 + 5, -1)", "round(1.5, 2**70)",
    "int(float('inf'))", "int(float('nan'))", "(0.1).as_integer_ratio()", "(1e300).as_integer_ratio()",
    "(1e-300).as_integer_ratio()", "float('inf').as_integer_ratio()", "-9223372036854775808",
    "--9223372036854775808", "abs(-9223372036854775808)", "-9223372036854775808 // -1",
    "divmod(-9223372036854775808, -1)", "-9223372036854775808 % -1", "0xffffffffffffffffffff",
    "1_000_000_000_000_000_000_000", "9223372036854775807 + 1", "-9223372036854775808 - 1",
]


def integer():
    kind = random.random()
    sign = random.choice([1, 1, -1])
    if kind < 0.2:
        return str(random.randint(-20, 20))
    if kind < 0.4:
        return str(sign * random.choice(EDGES) + random.randint(-1, 1))
    if kind < 0.5:
        return hex(random.getrandbits(random.choice([8, 63, 64, 65, 128, 300])))
    if kind < 0.6:
        return f"{random.choice([2, 3, 7, 10, -2, -3])}**{random.choice([0, 1, 31, 52, 53, 62, 63, 64, 100, 127])}"
    return str(sign * random.randrange(10 ** random.randint(1, 45)))


def number():
    return random.choice([integer(), integer(), random.choice(FLOATS)])


def few():
    return str(random.choice([0, 1, 2, 3, 5, 10, 31, 52, 53, 62, 63, 64, 65, 130]))


def expression():
    a, b, x, y = (f"({part})" for part in (integer(), integer(), number(), number()))
    start = random.choice(FAR)
    return random.choice(
        [f"{a} {op} {b}" for op in "+ - * // % / & | ^".split()]
        + [f"{x} {op} {y}" for op in "+ - * / // % == != < <= > >=".split()]
        + [f"{a} {op} {few()}" for op in ("<<", ">>")]
        + [f"{a} ** {random.choice('0 1 2 3 7 20 -1 -2 0.5 2.0'.split())}"]
        + [f"divmod({a}, {b})", f"pow({a}, {random.choice([few(), '-1', '-3', b])}, {integer()})"] * 2
        + [f"format({a}, {random.choice(SPECS)!r})", f"{random.choice(DIRECTIVES)!r} % {a}"] * 3
        + [f"round({a}, {random.choice('-1 -2 -5 -20 -30 0 3 -100'.split())})"]
        + [f"{random.choice(FUNCTIONS)}({a})", f"{a}.{random.choice(METHODS)}"] * 3
        + [f"math.{random.choice(OF_TWO)}({a}, {random.choice([b, few(), few()])})"] * 2
        + [f"math.{random.choice(['comb', 'perm'])}({a}, {few()})"]
        + [f"int({random.choice(FLOATS)})", f"({random.choice(FLOATS)}).as_integer_ratio()", f"hash({x})"]
        + [f"int({random.choice(WRITTEN)!r}, {random.choice([10, 10, 16, 0, 36, 2, 8, 1])})"]
        + [f"{random.choice(['-', '~', '+', 'not ', '--'])}{a}"]
        + [f"{random.choice(['sum', 'max', 'min', 'sorted'])}([{a}, {b}, {x}])"]
        + [f"list(range({start}, {start} + {few()}, {random.randint(1, 9)}))[:6]"]
        + [f"{{{a}: 1}}.get({random.choice([b, 'float' + a, a])})", f"[1, 2, 3][{a}:{b}]", f"[1, 2, 3][{a}]"]
    )


def value(text):
    try:
        return repr(eval(text))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def main():
    random.seed(7)
    warnings.simplefilter("ignore")
    chosen = {}
    for text in ALWAYS:
        chosen[text] = value(text)
    while len(chosen) < COUNT:
        text = expression()
        result = value(text)
        # Complex numbers are not in the language.
        if len(result) < 700 and "j)" not in result:
            chosen[text] = result
    with open(os.path.join(HERE, "ints.jsonl"), "w", encoding="utf-8") as file:
        for case in chosen.items():
            file.write(json.dumps(case) + "\n")


main()
