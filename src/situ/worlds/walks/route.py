"""A route on the ground: segments of constant curvature, turns in place and pauses."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from situ.errors import Impossible
from situ.geometry.heading import Heading
from situ.geometry.pose import Matrix
from situ.geometry.rounding import stable_ceil


@dataclass(frozen=True)
class Piece:
    """Walk `length` metres while turning right by an angle; without length, turn in place.

    `seconds` is the duration of a piece without length.
    """

    length: float = 0.0
    turn_right_deg: float = 0.0
    seconds: float = 0.0


@dataclass(frozen=True)
class Route:
    """Start heading of the body, and the pieces from there."""

    start: Heading
    pieces: tuple[Piece, ...]

    @property
    def length(self) -> float:
        return sum(piece.length for piece in self.pieces)

    def moved_to(self, start: Heading) -> "Route":
        return Route(start, self.pieces)

    def points(self, spacing: float = 0.1) -> Matrix:
        """Ground points (n, 2) along the route, including both ends."""
        here = self.start
        points = [(here.x, here.y)]
        for piece in self.pieces:
            count = max(1, stable_ceil(piece.length / spacing)) if piece.length else 1
            for _ in range(count):
                here = advanced(here, piece.length / count, piece.turn_right_deg / count)
                points.append((here.x, here.y))
        return np.array(points)


def straight(length: float) -> Piece:
    return Piece(length)


def bend(radius: float, right_deg: float) -> Piece:
    """A circular arc."""
    return Piece(radius * math.radians(abs(right_deg)), right_deg)


def turn(right_deg: float, deg_per_s: float = 60.0) -> Piece:
    """A turn in place."""
    return Piece(0.0, right_deg, max(0.6, abs(right_deg) / deg_per_s))


def pause(seconds: float) -> Piece:
    return Piece(0.0, 0.0, seconds)


def advanced(here: Heading, length: float, right_deg: float) -> Heading:
    """Heading after a short arc: the chord points half-way between the headings at its ends."""
    half = math.radians(right_deg) / 2
    chord = length * (math.sin(half) / half if abs(half) > 1e-9 else 1.0)
    return here.turned(right_deg / 2).moved(chord).turned(right_deg / 2)


def polyline_route(lengths: Sequence[float], turns_right_deg: Sequence[float], radius: float) -> list[Piece]:
    """Straight legs with rounded corners; `lengths` are measured from corner to corner."""
    cuts = [radius * math.tan(math.radians(abs(t)) / 2) for t in turns_right_deg]
    before, after = [0.0, *cuts], [*cuts, 0.0]
    pieces: list[Piece] = []
    for i, length in enumerate(lengths):
        rest = length - before[i] - after[i]
        if rest <= 0:
            raise Impossible(
                f"a leg of {length:g} m is too short for corners of radius {radius:g} m; "
                "lengthen the leg or tighten the corners"
            )
        pieces.append(straight(rest))
        if i < len(turns_right_deg):
            pieces.append(bend(radius, turns_right_deg[i]))
    return pieces
