"""datetime: dates and times, without zones."""

from time import _civil, _ordinal, _written
from time import time as _time

MINYEAR = 1
MAXYEAR = 9999


class timedelta:
    __module__ = "datetime"

    def __init__(self, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        micro = microseconds + milliseconds * 1000
        whole = (days + weeks * 7) * 86400 + hours * 3600 + minutes * 60 + seconds
        micro = round(micro + whole % 1 * 1000000) if isinstance(whole, float) or isinstance(micro, float) else micro
        self._micro = int(whole // 1) * 1000000 + micro
        self.days = self._micro // 86400000000
        self.seconds = self._micro // 1000000 % 86400
        self.microseconds = self._micro % 1000000

    def total_seconds(self):
        return self._micro / 1000000

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return timedelta(microseconds=self._micro + other._micro)

    def __sub__(self, other):
        return timedelta(microseconds=self._micro - other._micro)

    def __mul__(self, factor):
        return timedelta(microseconds=self._micro * factor)

    def __rmul__(self, factor):
        return self * factor

    def __truediv__(self, other):
        if isinstance(other, timedelta):
            return self._micro / other._micro
        return timedelta(microseconds=self._micro / other)

    def __floordiv__(self, other):
        if isinstance(other, timedelta):
            return self._micro // other._micro
        return timedelta(microseconds=self._micro // other)

    def __neg__(self):
        return timedelta(microseconds=-self._micro)

    def __abs__(self):
        return timedelta(microseconds=abs(self._micro))

    def __eq__(self, other):
        return isinstance(other, timedelta) and self._micro == other._micro

    def __hash__(self):
        return hash(self._micro)

    def __lt__(self, other):
        return self._micro < other._micro

    def __le__(self, other):
        return self._micro <= other._micro

    def __gt__(self, other):
        return self._micro > other._micro

    def __ge__(self, other):
        return self._micro >= other._micro

    def __bool__(self):
        return self._micro != 0

    def __str__(self):
        minutes, seconds = divmod(self.seconds, 60)
        text = f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"
        if self.days:
            text = f"{self.days} day{'' if abs(self.days) == 1 else 's'}, " + text
        return text + (f".{self.microseconds:06d}" if self.microseconds else "")

    def __repr__(self):
        parts = [f"{n}={getattr(self, n)}" for n in ("days", "seconds", "microseconds") if getattr(self, n)]
        return f"datetime.timedelta({', '.join(parts) or '0'})"


class date:
    __module__ = "datetime"

    def __init__(self, year, month, day):
        if not 1 <= month <= 12:
            raise ValueError("month must be in 1..12")
        last = _ordinal(year + month // 12, month % 12 + 1, 1) - _ordinal(year, month, 1)
        if not 1 <= day <= last:
            raise ValueError("day is out of range for month")
        self.year = year
        self.month = month
        self.day = day

    @classmethod
    def today(cls):
        return cls.fromtimestamp(_time())

    @classmethod
    def fromordinal(cls, ordinal):
        return cls(*_civil(ordinal))

    @classmethod
    def fromtimestamp(cls, timestamp):
        return cls(*_civil(int(timestamp // 86400) + 719163))

    @classmethod
    def fromisoformat(cls, text):
        return cls(*[int(part) for part in text.split("-")])

    def _key(self):
        return self.year, self.month, self.day

    def toordinal(self):
        return _ordinal(self.year, self.month, self.day)

    def weekday(self):
        return (self.toordinal() + 6) % 7

    def isoweekday(self):
        return self.weekday() + 1

    def isoformat(self):
        return f"{self.year:04d}-{self.month:02d}-{self.day:02d}"

    def strftime(self, format):
        return _written(format, *self._key())

    def __format__(self, spec):
        return self.strftime(spec) if spec else str(self)

    def replace(self, **parts):
        known = dict(zip(self._names, self._key()))
        return type(self)(**{**known, **parts})

    _names = ("year", "month", "day")

    def __add__(self, other):
        return date.fromordinal(self.toordinal() + other.days)

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return date.fromordinal(self.toordinal() - other.days)
        return timedelta(days=self.toordinal() - other.toordinal())

    def __eq__(self, other):
        return isinstance(other, date) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def __lt__(self, other):
        return self._key() < other._key()

    def __le__(self, other):
        return self._key() <= other._key()

    def __gt__(self, other):
        return self._key() > other._key()

    def __ge__(self, other):
        return self._key() >= other._key()

    def __str__(self):
        return self.isoformat()

    def __repr__(self):
        return f"datetime.date({self.year}, {self.month}, {self.day})"


class time:
    __module__ = "datetime"

    def __init__(self, hour=0, minute=0, second=0, microsecond=0):
        self.hour = hour
        self.minute = minute
        self.second = second
        self.microsecond = microsecond

    def isoformat(self):
        text = f"{self.hour:02d}:{self.minute:02d}:{self.second:02d}"
        return text + (f".{self.microsecond:06d}" if self.microsecond else "")

    def strftime(self, format):
        return _written(format, 1900, 1, 1, self.hour, self.minute, self.second, self.microsecond)

    def __str__(self):
        return self.isoformat()


class datetime(date):
    __module__ = "datetime"
    _names = ("year", "month", "day", "hour", "minute", "second", "microsecond")

    def __init__(self, year, month, day, hour=0, minute=0, second=0, microsecond=0):
        super().__init__(year, month, day)
        self.hour = hour
        self.minute = minute
        self.second = second
        self.microsecond = microsecond

    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(_time())

    @classmethod
    def utcnow(cls):
        return cls.fromtimestamp(_time())

    @classmethod
    def fromtimestamp(cls, timestamp):
        return cls._of(round(timestamp * 1000000) + 719163 * 86400000000)

    @classmethod
    def _of(cls, micro):
        """The moment so many microseconds after day 0."""
        days, rest = divmod(micro, 86400000000)
        seconds, micro = divmod(rest, 1000000)
        return cls(*_civil(days), seconds // 3600, seconds // 60 % 60, seconds % 60, micro)

    @classmethod
    def fromisoformat(cls, text):
        day, _, clock = text.replace("T", " ").partition(" ")
        parts = [int(part) for part in day.split("-")]
        seconds, _, micro = clock.partition(".")
        parts += [int(part) for part in seconds.split(":") if part]
        if micro:
            parts.append(int((micro + "000000")[:6]))
        return cls(*parts)

    @classmethod
    def strptime(cls, text, format):
        from datetime import _read

        return cls(*_read(text, format))

    @classmethod
    def combine(cls, date, time):
        return cls(date.year, date.month, date.day, time.hour, time.minute, time.second, time.microsecond)

    def _key(self):
        return self.year, self.month, self.day, self.hour, self.minute, self.second, self.microsecond

    def _micro(self):
        seconds = self.hour * 3600 + self.minute * 60 + self.second
        return (self.toordinal() * 86400 + seconds) * 1000000 + self.microsecond

    def date(self):
        return _date(self.year, self.month, self.day)

    def time(self):
        return _time_of_day(self.hour, self.minute, self.second, self.microsecond)

    def timestamp(self):
        return (self._micro() - 719163 * 86400000000) / 1000000

    def isoformat(self, sep="T"):
        text = f"{self.year:04d}-{self.month:02d}-{self.day:02d}{sep}{self.hour:02d}:{self.minute:02d}:{self.second:02d}"
        return text + (f".{self.microsecond:06d}" if self.microsecond else "")

    def __add__(self, other):
        return datetime._of(self._micro() + other._micro)

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return datetime._of(self._micro() - other._micro)
        return timedelta(microseconds=self._micro() - other._micro())

    def __str__(self):
        return self.isoformat(" ")

    def __repr__(self):
        parts = list(self._key())
        while len(parts) > 5 and parts[-1] == 0:
            parts.pop()
        return f"datetime.datetime({', '.join([str(p) for p in parts])})"


_date = date
_time_of_day = time


def _read(text, format):
    """The parts that a text has by a format."""
    import re

    names = "YmdHMSf"
    pattern, order = "", []
    at = 0
    while at < len(format):
        c = format[at]
        at += 1
        if c == "%" and format[at : at + 1] in names:
            order.append(format[at])
            pattern += r"(\d{4})" if format[at] == "Y" else r"(\d{1,6})" if format[at] == "f" else r"(\d{1,2})"
            at += 1
        else:
            pattern += re.escape(c)
    found = re.fullmatch(pattern, text)
    if found is None:
        raise ValueError(f"time data {text!r} does not match format {format!r}")
    parts = dict(zip("YmdHMSf", (1900, 1, 1, 0, 0, 0, 0)))
    for name, value in zip(order, found.groups()):
        parts[name] = int((value + "000000")[:6] if name == "f" else value)
    return list(parts.values())
