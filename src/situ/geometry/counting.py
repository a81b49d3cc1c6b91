"""How many of something fit, the same on every machine.

Sines and roots differ in the last bit between processors and their libraries. Where a number is on the border
of two counts, as lengths between the points of a grid are, that bit would decide.
"""

import math

_DECIMALS = 9  # far above the last bit of what is counted here, and far below what anybody could see


def nearest(number: float) -> int:
    return round(round(number, _DECIMALS))


def at_most(number: float) -> int:
    """The largest whole number that is not above one."""
    return math.floor(round(number, _DECIMALS))


def at_least(number: float) -> int:
    """The smallest whole number that is not below one."""
    return math.ceil(round(number, _DECIMALS))
