"""When a new version of an object is written, since what is believed of it has changed."""

from typing import NamedTuple


class _Publishing(NamedTuple):
    # A detection is news when this much doubt would have built up without it; of objects that stay not before
    # the first, in any case by the second.
    refresh_risk: float = 0.015
    # Objects that less likely exist are not published.
    least_existence: float = 0.25
    # A change of place: a constant, and a share of what was said of its spread.
    moved_m: float = 0.02
    moved_share: float = 0.3
    # A spread that has become wider, or narrower, by a factor.
    wider: float = 1.5
    # A change of belief, or of size as a share of it.
    change: float = 0.15
    # A change of belief that is published when somebody asks.
    slight: float = 0.005


PUBLISHING = _Publishing()
