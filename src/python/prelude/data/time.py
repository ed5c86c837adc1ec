"""time: dates as text, in universal time."""

from time import time as _time

_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]


def _ordinal(year, month, day):
    """Days since 1 January of the year 1, which is day 1."""
    y = year - 1
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    before = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334][month - 1]
    return y * 365 + y // 4 - y // 100 + y // 400 + before + (1 if leap and month > 2 else 0) + day


def _civil(ordinal):
    """Year, month and day of such a number."""
    year = (ordinal - 1) * 400 // 146097 + 1
    while _ordinal(year, 1, 1) > ordinal:
        year -= 1
    while _ordinal(year + 1, 1, 1) <= ordinal:
        year += 1
    month = 12
    while _ordinal(year, month, 1) > ordinal:
        month -= 1
    return year, month, ordinal - _ordinal(year, month, 1) + 1


def _written(format, year, month, day, hour=0, minute=0, second=0, micro=0):
    ordinal = _ordinal(year, month, day)
    weekday = (ordinal + 6) % 7
    yearday = ordinal - _ordinal(year, 1, 1) + 1
    short = hour % 12 or 12
    fields = {
        "Y": f"{year:04d}",
        "y": f"{year % 100:02d}",
        "m": f"{month:02d}",
        "d": f"{day:02d}",
        "e": f"{day:2d}",
        "H": f"{hour:02d}",
        "I": f"{short:02d}",
        "M": f"{minute:02d}",
        "S": f"{second:02d}",
        "f": f"{micro:06d}",
        "p": "AM" if hour < 12 else "PM",
        "A": _DAYS[weekday],
        "a": _DAYS[weekday][:3],
        "B": _MONTHS[month - 1],
        "b": _MONTHS[month - 1][:3],
        "h": _MONTHS[month - 1][:3],
        "j": f"{yearday:03d}",
        "w": str((weekday + 1) % 7),
        "u": str(weekday + 1),
        "F": f"{year:04d}-{month:02d}-{day:02d}",
        "T": f"{hour:02d}:{minute:02d}:{second:02d}",
        "R": f"{hour:02d}:{minute:02d}",
        "D": f"{month:02d}/{day:02d}/{year % 100:02d}",
        "x": f"{month:02d}/{day:02d}/{year % 100:02d}",
        "X": f"{hour:02d}:{minute:02d}:{second:02d}",
        "c": f"{_DAYS[weekday][:3]} {_MONTHS[month - 1][:3]} {day:2d} {hour:02d}:{minute:02d}:{second:02d} {year}",
        "%": "%",
        "n": "\n",
        "t": "\t",
        "Z": "",
        "z": "",
        "s": str((ordinal - 719163) * 86400 + hour * 3600 + minute * 60 + second),
    }
    out = []
    at = 0
    while at < len(format):
        c = format[at]
        at += 1
        if c == "%" and at < len(format):
            letter = format[at]
            at += 1
            bare = letter == "-" and at < len(format)
            if bare:
                letter = format[at]
                at += 1
            text = fields.get(letter, "%" + letter)
            out.append((text.lstrip("0 ") or "0") if bare else text)
        else:
            out.append(c)
    return "".join(out)


class struct_time(tuple):
    __module__ = "time"

    @property
    def tm_year(self):
        return self[0]

    @property
    def tm_mon(self):
        return self[1]

    @property
    def tm_mday(self):
        return self[2]

    @property
    def tm_hour(self):
        return self[3]

    @property
    def tm_min(self):
        return self[4]

    @property
    def tm_sec(self):
        return self[5]

    @property
    def tm_wday(self):
        return self[6]

    @property
    def tm_yday(self):
        return self[7]

    @property
    def tm_isdst(self):
        return self[8]

    def __repr__(self):
        names = ["tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec", "tm_wday", "tm_yday", "tm_isdst"]
        return "time.struct_time(" + ", ".join([f"{n}={v}" for n, v in zip(names, self)]) + ")"


def gmtime(seconds=None):
    whole = int((_time() if seconds is None else seconds) // 1)
    days, rest = divmod(whole, 86400)
    ordinal = days + 719163
    year, month, day = _civil(ordinal)
    yearday = ordinal - _ordinal(year, 1, 1) + 1
    return struct_time((year, month, day, rest // 3600, rest // 60 % 60, rest % 60, (ordinal + 6) % 7, yearday, 0))


def localtime(seconds=None):
    return gmtime(seconds)


def mktime(t):
    return float((_ordinal(*t[:3]) - 719163) * 86400 + t[3] * 3600 + t[4] * 60 + t[5])


def strftime(format, t=None):
    return _written(format, *(gmtime() if t is None else t)[:6])


def asctime(t=None):
    return strftime("%a %b %e %H:%M:%S %Y", t)


def ctime(seconds=None):
    return asctime(gmtime(seconds))
