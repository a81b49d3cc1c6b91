"""Guesses about the way so far: where a picture fits two ways both are followed, each with its own map."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from situ.geometry.pose import Matrix
from situ.perception.homes.place_map import PlaceMap
from situ.perception.homes.sight import Array

# Guesses whose odds are worse than those of the best by more than this (log) are given up, and those that are
# too many; two that are so near are one.
_KEPT, _MOST = 12.0, 12
SAME_M, SAME_RAD = 0.35, 0.3
_ELSEWHERE_M = 0.6  # it makes no difference to who asks which of two nearer ones is right


@dataclass(frozen=True, eq=False)
class Step:
    """Where one picture was taken, by a guess, and those before it."""

    frame: int
    pose: Matrix
    before: "Step | None"


@dataclass(frozen=True, eq=False)
class Guess:
    """One account of the way so far, with the map that follows from it."""

    map: PlaceMap
    pose: Matrix
    yaw: float
    turned: float  # by the last step
    time: float
    score: float  # log of its odds
    way: Step | None = None
    placed: bool = True  # whether the last picture found a place

    @property
    def spot(self) -> Array:
        return self.pose[:2, 3]

    def same(self, other: "Guess") -> bool:
        return self.placed == other.placed and not self.differs(other, SAME_M)

    def differs(self, other: "Guess", by_m: float = _ELSEWHERE_M) -> bool:
        """Whether the two are elsewhere, or turned otherwise."""
        return bool(
            np.hypot(*(self.spot - other.spot)) > by_m or abs(within(self.yaw - other.yaw)) > SAME_RAD
        )


def likeliest(guesses: list[Guess]) -> list[Guess]:
    """The best guesses that differ, the best first and with a score of 0."""
    kept: list[Guess] = []
    for guess in sorted(guesses, key=lambda one: -one.score):
        if len(kept) == _MOST or (kept and guess.score < kept[0].score - _KEPT):
            break
        if not any(guess.same(other) for other in kept):
            kept.append(guess)
    best = kept[0].score
    return [replace(guess, score=guess.score - best) for guess in _parted(kept)]


def _parted(guesses: list[Guess]) -> Iterator[Guess]:
    """Each with a map of its own, before any of them learns."""
    held: list[PlaceMap] = []
    for guess in guesses:
        own = guess.map if all(guess.map is not other for other in held) else guess.map.copy()
        held.append(own)
        yield replace(guess, map=own)


def within(angle: float) -> float:
    """The same angle between minus and plus half a turn."""
    return float((angle + np.pi) % (2 * np.pi) - np.pi)
