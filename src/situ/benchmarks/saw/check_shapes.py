"""Ideal shapes to lay over a walk: the one that fits best names it."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

Curve = NDArray[np.complex128]
IN_PLACE, TWO_TURNS = "in-place orientation", "Manhattan-style piecewise linear"
_POINTS = 96
_STANDING_M = 1.0
_SIDES = (("left", 1), ("right", -1))


def best_shape(ground: NDArray[np.float64]) -> str:
    """The name of the ideal shape nearest to a walk, up to place, turn and size."""
    if float(np.ptp(ground, axis=0).max()) < _STANDING_M:
        return IN_PLACE
    return _nearest(ground)[0]


def two_turns(ground: NDArray[np.float64]) -> tuple[str, str]:
    """The sides of the two turns of the three-legged shape nearest to a walk."""
    first, _, second = _nearest(ground, TWO_TURNS)[1].partition(" ")
    return first, second


def _nearest(ground: NDArray[np.float64], only: str = "") -> tuple[str, str]:
    curve = _even(ground[:, 0] + 1j * ground[:, 1])
    ideals = [ideal for ideal in _ideals() if not only or ideal[0] == only]
    fits = [abs(np.vdot(shape, curve)) for _, _, shape in ideals]
    name, detail, _ = ideals[int(np.argmax(fits))]
    return name, detail


@lru_cache(maxsize=1)
def _ideals() -> list[tuple[str, str, Curve]]:
    return [(name, detail, _even(np.array(corners))) for name, detail, corners in _outlines()]


def _even(points: NDArray[np.complex128]) -> Curve:
    """Evenly spaced points along a polyline, centred and of unit size; tiny moves are left out."""
    kept = [points[0]]
    least = 0.004 * float(np.abs(np.diff(points)).sum())
    for point in points[1:]:
        if abs(point - kept[-1]) >= least:
            kept.append(point)
    line = np.array(kept)
    along = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(line)))])
    where = np.linspace(0.0, along[-1], _POINTS)
    even = np.interp(where, along, line.real) + 1j * np.interp(where, along, line.imag)
    even = even - even.mean()
    unit: Curve = even / np.linalg.norm(even)
    return unit


def _legs(lengths: tuple[float, ...], turns_deg: tuple[float, ...]) -> list[complex]:
    """Corners of a polyline with left turns positive."""
    here, ahead, corners = 0j, 1 + 0j, [0j]
    for i, length in enumerate(lengths):
        here += length * ahead
        corners.append(here)
        if i < len(turns_deg):
            ahead *= np.exp(1j * np.radians(turns_deg[i]))
    return corners


def _outlines() -> Iterator[tuple[str, str, list[complex]]]:
    yield "straight", "", [0j, 1 + 0j]
    for side, sign in _SIDES:
        for second in (0.8, 1.0, 1.25):
            yield "L-shape", side, _legs((1, second), (90 * sign,))
        yield "square", side, _legs((1, 1, 1, 1), (90 * sign,) * 3)
        yield "triangle", side, _legs((1, 1, 1), (120 * sign,) * 2)
        angles = np.linspace(0, 2 * np.pi, 80)
        yield "circular", side, list(1j * sign * (1 - np.exp(1j * sign * angles)))
        for legs in (3.8, 4.2, 4.6):
            bend = legs + 1j * sign * (1 - np.exp(1j * sign * angles[:41]))
            yield "U-shape", side, [0j, *bend, bend[-1] - legs]
        for count, lean in product((4, 5), (40, 44, 48)):
            turns = tuple(2 * lean * sign * (-1) ** i for i in range(count - 1))
            yield "zigzag", side, _legs((1,) * count, turns)
    for (a, one), (b, two) in product(_SIDES, _SIDES):
        for inner, last in product((1.7, 1.85, 2.0), (0.94, 1.0, 1.06)):
            yield TWO_TURNS, f"{a} {b}", _legs((1, inner, last), (90 * one, 90 * two))
