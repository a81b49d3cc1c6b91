"""One recording in the world and on the clock of another."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from situ.errors import BadInput
from situ.geometry.pose import Matrix, rigid, transform
from situ.perception.observation import Observation, ObservedFrame

PAUSE_S = 60.0  # between two recordings whose clocks overlap
SAME = "same"


def alignment_of(text: str) -> Matrix:
    """ "X,Y,YAW" in metres and degrees: where the origin of the joining recording lies in the memory's world,
    and how far it is turned there; "same" for one world."""
    if text.strip() == SAME:
        return np.eye(4)
    try:
        x, y, yaw = (float(part) for part in text.split(","))
    except ValueError:
        x = math.nan
    if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(yaw)):
        raise BadInput(f"an alignment is X,Y,YAW in metres and degrees, or '{SAME}', got '{text[:40]}'")
    c, s = math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
    return rigid([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]], (x, y, 0.0))


def check_alignment(matrix: Matrix) -> Matrix:
    """A rigid transform that keeps "up" up, as floats."""
    given = np.asarray(matrix, dtype=float)
    turn = given[:3, :3] if given.shape == (4, 4) else np.zeros((3, 3))
    whole = (
        given.shape == (4, 4) and bool(np.isfinite(given).all()) and bool((given[3] == [0, 0, 0, 1]).all())
    )
    if not whole or not np.allclose(turn @ turn.T, np.eye(3), atol=1e-6) or np.linalg.det(turn) < 0:
        raise BadInput("the alignment of two recordings is a finite, rigid 4x4 transform T_first_second")
    if not np.allclose(turn[2], (0.0, 0.0, 1.0), atol=1e-3):
        raise BadInput("an alignment must keep up where it is: turn about the vertical axis only")
    return given


def shift_after(end: float, start: float) -> float:
    """What to add to the times of a recording that starts at a time and has to follow another one's end."""
    gap = start - end
    return 0.0 if gap > 0 else PAUSE_S - gap


def aligned(frame: ObservedFrame, T_out_world: Matrix, time_shift: float) -> ObservedFrame:
    """A frame in another world and on another clock."""
    seen = frame.observations
    spots: Sequence[Sequence[float]] = (
        transform(T_out_world, [o.position for o in seen]).tolist() if seen else ()
    )
    return replace(
        frame,
        time=frame.time + time_shift,
        known_at=None if frame.known_at is None else frame.known_at + time_shift,
        T_world_camera=T_out_world @ frame.T_world_camera,
        observations=tuple(_moved(o, spot, T_out_world) for o, spot in zip(seen, spots, strict=True)),
    )


def _moved(seen: Observation, spot: Sequence[float], T_out_world: Matrix) -> Observation:
    x, y, z = spot
    turn = T_out_world[:3, :3]
    spread = None if seen.covariance is None else turn @ seen.covariance @ turn.T
    return replace(seen, position=(x, y, z), covariance=spread)
