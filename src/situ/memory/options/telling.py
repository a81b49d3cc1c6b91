"""When what is believed of a thing has changed so much that it is told anew: a version costs room."""

from typing import NamedTuple


class _Telling(NamedTuple):
    # A sighting is news when this much doubt would have built up without it; of things that stay not before
    # the first, in any case by the second.
    refresh_risk: float = 0.015
    # A thing that less likely exists is not told of.
    least_existence: float = 0.25
    # A change of place: a constant, and a share of what was said of its spread.
    moved_m: float = 0.02
    moved_share: float = 0.3
    # A spread that has become wider, or narrower, by a factor.
    wider: float = 1.5
    # A change of belief, or of size as a share of it.
    change: float = 0.15
    # A change of belief that is told to whoever asks.
    slight: float = 0.005


TELLING = _Telling()
