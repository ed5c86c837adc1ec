"""bytes and bytearray: numbers from 0 to 255, written as text."""


def _units(text, encoding="utf-8", errors="strict"):
    name = encoding.lower().replace("_", "-")
    limit = {"ascii": 128, "latin-1": 256, "iso-8859-1": 256}.get(name)
    if limit is None and name not in ("utf-8", "utf8"):
        raise LookupError(f"unknown encoding: {encoding}")
    units = []
    for k, c in enumerate(text):
        n = ord(c)
        if limit is not None and n >= limit:
            if errors == "strict":
                raise UnicodeEncodeError(
                    f"'{name}' codec can't encode character {c!a} in position {k}: ordinal not in range({limit})"
                )
            units += [63] if errors == "replace" else []
        elif limit is not None or n < 0x80:
            units.append(n)
        elif n < 0x800:
            units += [0xC0 | n >> 6, 0x80 | n & 63]
        elif n < 0x10000:
            units += [0xE0 | n >> 12, 0x80 | n >> 6 & 63, 0x80 | n & 63]
        else:
            units += [0xF0 | n >> 18, 0x80 | n >> 12 & 63, 0x80 | n >> 6 & 63, 0x80 | n & 63]
    return units


def _text(units, errors):
    """UTF-8 as text."""
    made, k = [], 0
    while k < len(units):
        first = units[k]
        more = 0 if first < 0x80 else 1 if 0xC2 <= first < 0xE0 else 2 if 0xE0 <= first < 0xF0 else 3 if 0xF0 <= first < 0xF5 else -1
        rest = units[k + 1 : k + 1 + max(more, 0)]
        good = 0
        while good < len(rest) and 0x80 <= rest[good] < 0xC0:
            good += 1
        n = first if more < 1 else first & (0x3F >> more)
        for unit in rest[:good]:
            n = n << 6 | unit & 63
        small = (0, 0, 0x800, 0x10000)[more] if more > 0 else 0
        if more < 0 or good < more or n < small or n > 0x10FFFF or 0xD800 <= n < 0xE000:
            if errors == "strict":
                why = "invalid start byte" if more < 0 else "unexpected end of data" if k + 1 + good >= len(units) else "invalid continuation byte"
                raise UnicodeDecodeError(f"'utf-8' codec can't decode byte {first:#x} in position {k}: {why}")
            made.append("\ufffd" if errors == "replace" else "")
            k += 1 + (good if good < more else 0)
        else:
            made.append(chr(n))
            k += 1 + more
    return "".join(made)


class bytes:
    __module__ = "builtins"

    def __init__(self, source=(), encoding=None, errors="strict"):
        if isinstance(source, str):
            if encoding is None:
                raise TypeError("string argument without an encoding")
            self._units = _units(source, encoding, errors)
        elif isinstance(source, int):
            if source < 0:
                raise ValueError("negative count")
            self._units = [0] * source
        elif isinstance(source, bytes):
            self._units = list(source._units)
        else:
            self._units = [int(v) for v in source]
            if any([not 0 <= v < 256 for v in self._units]):
                raise ValueError(f"{type(self).__name__} must be in range(0, 256)")

    @classmethod
    def fromhex(cls, string, /):
        digits = string.replace(" ", "")
        return cls([int(digits[k : k + 2], 16) for k in range(0, len(digits), 2)])

    def _chars(self):
        return "".join([chr(v) for v in self._units])

    def _as_text(name):
        def method(self, *args):
            args = [a._chars() if isinstance(a, bytes) else chr(a) if name in ("find", "count", "index") and k == 0 else a for k, a in enumerate(args)]
            made = getattr(self._chars(), name)(*args)
            whole = lambda v: type(self)(v, "latin-1") if isinstance(v, str) else v
            return [whole(v) for v in made] if isinstance(made, list) else whole(made)

        return method

    count = _as_text("count")
    endswith = _as_text("endswith")
    find = _as_text("find")
    index = _as_text("index")
    isalpha = _as_text("isalpha")
    isdigit = _as_text("isdigit")
    isspace = _as_text("isspace")
    lower = _as_text("lower")
    lstrip = _as_text("lstrip")
    replace = _as_text("replace")
    rstrip = _as_text("rstrip")
    split = _as_text("split")
    splitlines = _as_text("splitlines")
    startswith = _as_text("startswith")
    strip = _as_text("strip")
    upper = _as_text("upper")

    def decode(self, encoding="utf-8", errors="strict"):
        name = encoding.lower().replace("_", "-")
        if name in ("latin-1", "iso-8859-1"):
            return self._chars()
        if name == "ascii" and errors == "strict":
            for k, v in enumerate(self._units):
                if v > 127:
                    raise UnicodeDecodeError(f"'ascii' codec can't decode byte {v:#x} in position {k}: ordinal not in range(128)")
        elif name not in ("utf-8", "utf8", "ascii"):
            raise LookupError(f"unknown encoding: {encoding}")
        return _text(self._units, errors)

    def hex(self, sep=""):
        return sep.join([f"{v:02x}" for v in self._units])

    def join(self, iterable, /):
        units = []
        for k, part in enumerate(iterable):
            if not isinstance(part, bytes):
                raise TypeError(f"sequence item {k}: expected a bytes-like object, {type(part).__name__} found")
            if k:
                units += self._units
            units += part._units
        return type(self)(units)

    def __len__(self):
        return len(self._units)

    def __iter__(self):
        return iter(self._units)

    def __getitem__(self, key):
        if isinstance(key, slice):
            return type(self)(self._units[key])
        if not -len(self._units) <= key < len(self._units):
            raise IndexError("index out of range")
        return self._units[key]

    def __contains__(self, part):
        return part._chars() in self._chars() if isinstance(part, bytes) else part in self._units

    def __add__(self, other):
        if not isinstance(other, bytes):
            raise TypeError(f"can't concat {type(other).__name__} to {type(self).__name__}")
        return type(self)(self._units + other._units)

    def __mul__(self, n):
        return type(self)(self._units * n)

    __rmul__ = __mul__

    def __eq__(self, other):
        return isinstance(other, bytes) and self._units == other._units

    def __lt__(self, other):
        return self._units < other._units

    def __le__(self, other):
        return self._units <= other._units

    def __gt__(self, other):
        return self._units > other._units

    def __ge__(self, other):
        return self._units >= other._units

    def __hash__(self):
        return hash(tuple(self._units))

    def __repr__(self):
        chars = self._chars()
        quote = '"' if "'" in chars and '"' not in chars else "'"
        known = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", quote: "\\" + quote}
        shown = [known.get(c) or (c if " " <= c <= "~" else f"\\x{ord(c):02x}") for c in chars]
        return "b" + quote + "".join(shown) + quote


class bytearray(bytes):
    __module__ = "builtins"
    __hash__ = None

    def __setitem__(self, key, value):
        self._units[key] = list(value) if isinstance(key, slice) else value

    def __delitem__(self, key):
        del self._units[key]

    def append(self, item, /):
        self._units.append(item)

    def extend(self, iterable, /):
        self._units.extend(iterable)

    def pop(self, index=-1, /):
        return self._units.pop(index)

    def __iadd__(self, other):
        self._units.extend(other)
        return self

    def __repr__(self):
        return f"bytearray({super().__repr__()})"


def encode(text, encoding="utf-8", errors="strict"):
    return bytes(text, encoding, errors)


def to_bytes(number, length=1, byteorder="big", *, signed=False):
    if length < 0:
        raise ValueError("length argument must be non-negative")
    if byteorder not in ("big", "little"):
        raise ValueError("byteorder must be either 'little' or 'big'")
    if number < 0 and not signed:
        raise OverflowError("can't convert negative int to unsigned")
    half = 1 << 8 * length - 1 if signed and length else 0
    if number >= (half or 1 << 8 * length) or number < -half:
        raise OverflowError("int too big to convert")
    units = [number >> 8 * k & 255 for k in range(length)]
    return bytes(units if byteorder == "little" else units[::-1])


def from_bytes(given, byteorder="big", *, signed=False):
    if byteorder not in ("big", "little"):
        raise ValueError("byteorder must be either 'little' or 'big'")
    units = list(given)
    number = sum([v << 8 * k for k, v in enumerate(units if byteorder == "little" else units[::-1])])
    return number - (1 << 8 * len(units)) if signed and number >> 8 * len(units) - 1 & 1 else number
