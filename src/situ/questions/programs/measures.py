"""Measures: a number of each object in each world, NaN where it has none; and how far apart two must be for a
fair question about which is more."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from situ.questions.programs.run import Numbers, Run
from situ.questions.programs.schema import Measure, Set, operator
from situ.questions.rules.moves import Move

FAIR_M = 0.3  # between two distances
_FAIR = {"m": FAIR_M, "side": 0.1, "m3": 0.1, "s": 1.0, "times": 1.0}
LONG_UNSEEN_S = 180.0  # what was put down this long before a time was put down before it
UNITS = {"m": "m", "side": "m", "m3": "m3", "s": "s", "times": ""}


def fair_unit(measure: Measure) -> float:
    """The least difference of a measure on which a question may hinge."""
    return _FAIR[str(getattr(measure, "unit", "m"))]


@operator
@dataclass(frozen=True)
class Distance(Measure):
    """Metres over the ground to the closest point of an object, or between it and the nearest of others."""

    tag: ClassVar[str] = "distance"
    unit: ClassVar[str] = "m"

    to: Literal["me"] | Set = "me"

    def numbers(self, run: Run) -> Numbers:
        table = run.table
        if not isinstance(self.to, Set):
            return np.where(table.placed, run.ground_gaps(), np.nan)
        columns, margins = run.anchors(self.to)
        least = np.full((table.count, table.number), np.inf)
        for k in columns.tolist():
            meant = (margins[:, [k]] > 0) & table.placed[:, [k]]
            gaps = np.where(meant, run.box_gaps(k), np.inf)
            gaps[:, k] = np.inf
            least = np.minimum(least, gaps)
        return np.where(table.placed & np.isfinite(least), least, np.nan)


@dataclass(frozen=True)
class _OfSize(Measure):
    unit: ClassVar[str] = "side"
    of_sides: ClassVar[Callable[[Numbers], Numbers]]

    def numbers(self, run: Run) -> Numbers:
        sides = type(self).of_sides(run.table.sizes) if run.table.number else np.zeros(0)
        return np.tile(sides, (run.table.count, 1))


@operator
@dataclass(frozen=True)
class Height(_OfSize):
    """How tall an object is, in metres."""

    tag: ClassVar[str] = "height"
    of_sides: ClassVar[Callable[[Numbers], Numbers]] = staticmethod(lambda sides: sides[:, 2])


@operator
@dataclass(frozen=True)
class Width(_OfSize):
    """The longer side of an object on the ground, in metres."""

    tag: ClassVar[str] = "width"
    of_sides: ClassVar[Callable[[Numbers], Numbers]] = staticmethod(lambda sides: sides[:, :2].max(axis=1))


@operator
@dataclass(frozen=True)
class Size(_OfSize):
    """The longest side of an object, in metres."""

    tag: ClassVar[str] = "size"
    of_sides: ClassVar[Callable[[Numbers], Numbers]] = staticmethod(lambda sides: sides.max(axis=1))


@operator
@dataclass(frozen=True)
class Volume(_OfSize):
    """Cubic metres of the box around an object."""

    tag: ClassVar[str] = "volume"
    unit: ClassVar[str] = "m3"
    of_sides: ClassVar[Callable[[Numbers], Numbers]] = staticmethod(lambda sides: sides.prod(axis=1))


@operator
@dataclass(frozen=True)
class LastSeen(Measure):
    """When an object was seen last, in seconds on the recording's clock."""

    tag: ClassVar[str] = "last_seen"
    unit: ClassVar[str] = "s"

    def numbers(self, run: Run) -> Numbers:
        return np.tile(run.table.last[0], (run.table.count, 1))


@operator
@dataclass(frozen=True)
class FirstSeen(Measure):
    """When an object was seen first."""

    tag: ClassVar[str] = "first_seen"
    unit: ClassVar[str] = "s"

    def numbers(self, run: Run) -> Numbers:
        return np.tile(run.table.first_times, (run.table.count, 1))


@dataclass(frozen=True)
class _OfMoves(Measure):
    by: Literal["me", "other"] | None = None

    def moves(self, run: Run) -> Iterator[tuple[int, Move, NDArray[np.bool_]]]:
        """Of each move of each thing its column, and in which worlds it is one of these."""
        table = run.table
        for k, moves in table.moves().items():
            for move in moves:
                so = table.happened(k, move)
                if self.by is not None:
                    so = so & (table.by_wearer(k, move) == (self.by == "me"))
                yield k, move, so


@operator
@dataclass(frozen=True)
class TimesMoved(_OfMoves):
    """How many times an object was moved; by the wearer or by others, where that is said."""

    tag: ClassVar[str] = "times_moved"
    unit: ClassVar[str] = "times"

    def numbers(self, run: Run) -> Numbers:
        found = np.zeros((run.table.count, run.table.number))
        for k, _, so in self.moves(run):
            found[:, k] += so
        return found


@operator
@dataclass(frozen=True)
class MovedAt(_OfMoves):
    """When an object was last moved."""

    tag: ClassVar[str] = "moved_at"
    unit: ClassVar[str] = "s"

    def numbers(self, run: Run) -> Numbers:
        found = np.full((run.table.count, run.table.number), np.nan)
        moves = list(self.moves(run))
        latest = max((move.arrived for _, move, _ in moves), default=0.0)
        for k, move, so in moves:
            # What was put down out of view is dated by a guess, which only tells among the latest moves.
            late = move.arrived > latest - LONG_UNSEEN_S
            arrived = run.table.arrivals(k, move) if late else move.arrived
            found[:, k] = np.where(so, np.fmax(found[:, k], arrived), found[:, k])
        return found
