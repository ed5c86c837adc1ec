"""statistics: means and variances of numbers."""

import math


class StatisticsError(ValueError):
    pass


def _values(data, name, least=1):
    values = list(data)
    if len(values) < least:
        points = "one data point" if least == 1 else "two data points"
        raise StatisticsError(f"{name} requires at least {points}")
    return values


def _whole(value, values):
    return int(value) if all(isinstance(v, int) for v in values) and value == int(value) else value


def mean(data):
    values = _values(data, "mean")
    return _whole(math.fsum(values) / len(values), values)


def fmean(data):
    values = _values(data, "fmean")
    return math.fsum(values) / len(values)


def median(data):
    values = sorted(data)
    n = len(values)
    if n == 0:
        raise StatisticsError("no median for empty data")
    return values[n // 2] if n % 2 else (values[n // 2 - 1] + values[n // 2]) / 2


def mode(data):
    values = _values(data, "mode")
    return max(values, key=values.count)


def _spread(values, center, less):
    n = len(values)
    if center is None and all(isinstance(v, int) for v in values):
        # In whole numbers, divided once.
        return (n * sum(v * v for v in values) - sum(values) ** 2) / (n * (n - less))
    center = math.fsum(values) / n if center is None else center
    return math.fsum((v - center) ** 2 for v in values) / (n - less)


def variance(data, xbar=None):
    values = _values(data, "variance", 2)
    return _whole(_spread(values, xbar, 1), values)


def pvariance(data, mu=None):
    values = _values(data, "pvariance")
    return _whole(_spread(values, mu, 0), values)


def stdev(data, xbar=None):
    values = _values(data, "stdev", 2)
    return math.sqrt(_spread(values, xbar, 1))


def pstdev(data, mu=None):
    values = _values(data, "pstdev")
    return math.sqrt(_spread(values, mu, 0))
