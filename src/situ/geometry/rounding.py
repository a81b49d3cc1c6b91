"""Rounding that gives the same result on every machine.

Sines and roots differ in the last bit between processors and libraries. For a number at the border between
two integers, such as a length between grid points, that bit would decide.
"""

import math

_DECIMALS = 9  # coarser than floating-point noise, finer than any relevant difference


def stable_round(number: float) -> int:
    return round(round(number, _DECIMALS))


def stable_floor(number: float) -> int:
    """The largest integer not above a number, up to rounding errors."""
    return math.floor(round(number, _DECIMALS))


def stable_ceil(number: float) -> int:
    """The smallest integer not below a number, up to rounding errors."""
    return math.ceil(round(number, _DECIMALS))
