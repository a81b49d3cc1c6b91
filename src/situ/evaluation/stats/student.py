"""Student's t: its tails and quantiles.

Here and not from a library, which takes longer to import than most reports to be made.
"""

import math
from functools import lru_cache

__all__ = ["quantile", "tail"]

_EPS = 1e-16


def tail(t: float, freedom: float) -> float:
    """The probability of a value above t."""
    half = _beta_share(freedom / (freedom + t * t), freedom / 2, 0.5) / 2
    return half if t >= 0 else 1.0 - half


@lru_cache(maxsize=1024)
def quantile(p: float, freedom: float) -> float:
    """The value that is not exceeded with probability p, of at least a half."""
    value = 0.0
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)
    for _ in range(200):  # the tail is convex: from the left every step of Newton's falls short of the root
        density = scale * (1 + value * value / freedom) ** (-(freedom + 1) / 2)
        step = (tail(value, freedom) - (1.0 - p)) / density
        value += step
        if step <= 1e-14 * value:
            break
    return value


def _beta_share(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function."""
    if x <= 0.0 or x >= 1.0:
        return min(1.0, max(0.0, x))
    if x > (a + 1) / (a + b + 2):  # where the fraction converges fast
        return 1.0 - _beta_share(1.0 - x, b, a)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    return front * _fraction(x, a, b) / a


def _fraction(x: float, a: float, b: float) -> float:
    """Its continued fraction, from the front (Lentz)."""
    c, d = 1.0, 1.0 / (1.0 - (a + b) * x / (a + 1))
    result = d
    for m in range(1, 400):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1.0 / (1.0 + term * d or _EPS)
            c = 1.0 + term / c or _EPS
            result *= c * d
        if abs(c * d - 1.0) < _EPS:
            break
    return result
