"""Camera motion of a segment in words, with frames and amounts, precise enough for dead reckoning."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.geometry.heading import Heading
from situ.geometry.path import Path
from situ.geometry.pose import wrap_deg
from situ.narrate.motion_words import describe, phrase
from situ.narrate.motions import DIRECTIONS, Motion, unbroken

BEARING_STEP_DEG = 5
UNEVEN_DEG = 10.0  # a turn that deviates more from constant speed is described in pieces
MIN_PIECE_DEG = 5.0
NO_MOTION = "One frame shows no camera motion."


class Net(NamedTuple):
    """Final camera pose of a segment relative to its first one."""

    ahead_m: float
    right_m: float
    turned_deg: float  # positive to the right

    @property
    def text(self) -> str:
        ahead = f"{abs(self.ahead_m):.1f} m {'ahead' if self.ahead_m >= 0 else 'back'}"
        right = f"{abs(self.right_m):.1f} m {'right' if self.right_m >= 0 else 'left'}"
        turned = round(self.turned_deg / BEARING_STEP_DEG) * BEARING_STEP_DEG
        facing = (
            f"turned {abs(turned)} degrees {'right' if turned >= 0 else 'left'}" if turned else "not turned"
        )
        return f"In all it ends {ahead} and {right}, {facing}."


class NarratedMotion(NamedTuple):
    """A motion as described, between two frames."""

    kind: str
    amount: float
    first: int
    last: int
    travel_m: float = 0.0


def camera_words(path: Path, frames: Sequence[int], first_number: int, until: int | None) -> str:
    """Describe the motion over `frames`, and on to frame `until`, the first of the next segment."""
    shown = [*frames, *([] if until is None else [until])]
    if len(shown) < 2 or shown[-1] == shown[0]:
        return NO_MOTION
    part = Path(path.times[shown[0] : shown[-1] + 1], path.poses[shown[0] : shown[-1] + 1])
    if all(len(piece) < 2 for piece in unbroken(part)):
        return "How the camera moved is not known: there is a gap in its path."
    sentences = []
    described = describe(part)
    for stretch in described:
        for motion in stretch.motions:
            for piece, a, b in _pieces(path, shown, motion):
                sentences.append(f"Frames {first_number + a}-{first_number + b}: it {phrase(piece)}.")
    if len(described) > 1:
        sentences.append("There is a gap in its path.")
    net = net_of(path.headings[shown[0]], path.headings[shown[-1]])
    if described[0].steadiness:
        sentences.append(f"The camera is {described[0].steadiness}.")
    return " ".join([*sentences, net.text])


def net_of(start: Heading, end: Heading) -> Net:
    right, ahead, _ = start.local(end.position)
    return Net(ahead, right, wrap_deg(start.yaw_deg - end.yaw_deg))


def _pieces(path: Path, shown: Sequence[int], motion: Motion) -> list[tuple[Motion, int, int]]:
    """A motion between positions in the shown frames; a long turn is cut where its speed changes."""
    times = path.times[list(shown)]
    start, end = (int(np.abs(times - time).argmin()) for time in (motion.start, motion.end))
    end = min(max(start + 1, end), len(shown) - 1)
    start = min(start, end - 1)
    if motion.unit != "degrees" or motion.kind in ("tilt", "roll"):
        return [(motion, start, end)]
    yaw = np.unwrap([math.radians(path.headings[i].yaw_deg) for i in shown[start : end + 1]])
    cuts = _corners(np.degrees(yaw), UNEVEN_DEG)
    whole = max(abs(float(np.degrees(yaw[-1] - yaw[0]))), 1e-6)
    found = []
    for a, b in pairwise(cuts):
        share = abs(float(np.degrees(yaw[b] - yaw[a]))) / whole
        piece = replace(
            motion,
            amount=motion.amount * share,
            travel_m=motion.travel_m * share,
            start=float(times[start + a]),
            end=float(times[start + b]),
        )
        if abs(piece.amount) >= MIN_PIECE_DEG:
            found.append((piece, start + a, start + b))
    return found or [(motion, start, end)]


def _corners(values: NDArray[np.float64], tolerance: float) -> list[int]:
    """Positions between which straight lines stay close to the values, including both ends."""
    line = np.linspace(values[0], values[-1], len(values))
    gaps = np.abs(values - line)
    worst = int(gaps.argmax())
    if gaps[worst] <= tolerance:
        return [0, len(values) - 1]
    return [
        *_corners(values[: worst + 1], tolerance)[:-1],
        *(worst + i for i in _corners(values[worst:], tolerance)),
    ]


_VERBS = {
    "pans": "pan",
    "tilts": "tilt",
    "rolls": "roll",
    "dollies": "dolly",
    "trucks": "truck",
    "pedestals": "pedestal",
    "arcs": "arc",
    "tracks": "tracking",
}
_TOLD = re.compile(
    r"Frames (\d+)-(\d+): it (?:slowly |quickly )?(" + "|".join(_VERBS) + r") "
    r"(?:along a bend to the )?([a-z-]+)(?: around what it looks at)? "
    r"(?:by )?about ([\d.]+) (?:degrees|metres)(?: over ([\d.]+) metres)?"
)
_NET = re.compile(
    r"In all it ends (?P<ahead_m>[\d.]+) m (?P<way>ahead|back) "
    r"and (?P<right_m>[\d.]+) m (?P<side>right|left), "
    r"(?:turned (?P<degrees>\d+) degrees (?P<turn>right|left)|not turned)"
)


def read_motions(camera: str) -> list[NarratedMotion]:
    """Motions in a text of `camera_words`."""
    found = []
    for first, last, verb, way, amount, travel in _TOLD.findall(camera):
        kind = _VERBS[verb]
        sign = 1.0 if way == DIRECTIONS[kind][0] else -1.0
        found.append(NarratedMotion(kind, sign * float(amount), int(first), int(last), float(travel or 0)))
    return found


def read_net(camera: str) -> Net | None:
    match = _NET.search(camera)
    if match is None:
        return Net(0.0, 0.0, 0.0) if camera.startswith(NO_MOTION) else None
    ahead = float(match["ahead_m"]) * (1 if match["way"] == "ahead" else -1)
    right = float(match["right_m"]) * (1 if match["side"] == "right" else -1)
    return Net(ahead, right, float(match["degrees"] or 0) * (1 if match["turn"] == "right" else -1))
