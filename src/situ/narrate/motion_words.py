"""Camera motions in words: direction, amount, speed, order and steadiness."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from situ.errors import BadInput
from situ.geometry.path import Path
from situ.narrate.dominant import motions_of
from situ.narrate.motions import STATIC, Motion, signals_of, unbroken

STEADINESS = (
    (0.12, 0.002, "perfectly steady"),
    (0.45, 0.006, "steady"),
    (1.1, 0.015, "slightly unsteady"),
    (2.2, 0.03, "unsteady"),
)
SHAKY = "shaky"
_FILM = {
    "pan": "pans {way}",
    "tilt": "tilts {way}",
    "roll": "rolls {way}",
    "dolly": "dollies {way}",
    "truck": "trucks {way}",
    "pedestal": "pedestals {way}",
    "arc": "arcs {way} around what it looks at",
    "tracking": "tracks along a bend to the {way}",
    STATIC: "holds still",
}


@dataclass(frozen=True)
class Described:
    """A part of a path and its camera motions. `steadiness` is one of five words, or empty."""

    start: float
    end: float
    motions: tuple[Motion, ...]
    steadiness: str

    @property
    def text(self) -> str:
        return sentence(self.motions, self.steadiness)

    @property
    def classes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(motion.name for motion in self.motions))


def describe(path: Path) -> list[Described]:
    """Camera motions, one entry per unbroken part of the path."""
    found = []
    for part in unbroken(path):
        if len(part) < 2:
            continue
        signals = signals_of(part)
        steadiness = steadiness_word(signals.shake_deg, signals.shake_m)
        found.append(
            Described(float(part.times[0]), float(part.times[-1]), tuple(motions_of(signals)), steadiness)
        )
    if not found:
        raise BadInput(
            "every pose of this path stands alone between gaps; camera motion needs two poses in a row. "
            "Give a path with fewer gaps"
        )
    return found


def describe_segments(path: Path, seconds: float) -> list[Described]:
    """The path in segments of equal length, each described separately; ends are shared."""
    if not seconds > 0:
        raise BadInput(f"a segment lasts longer than 0 seconds, got {seconds:g}")
    found: list[Described] = []
    for part in unbroken(path):
        count = max(1, round((part.times[-1] - part.times[0]) / seconds))
        edges = np.linspace(0, len(part) - 1, count + 1).round().astype(int)
        for a, b in pairwise(edges):
            if b > a:
                found += describe(Path(part.times[a : b + 1], part.poses[a : b + 1]))
    return found


def steadiness_word(shake_deg: float, shake_m: float) -> str:
    """One of five words; empty if the path is too coarse."""
    if math.isnan(shake_deg):
        return ""
    for most_deg, most_m, word in STEADINESS:
        if shake_deg <= most_deg and shake_m <= most_m:
            return word
    return SHAKY


def sentence(motions: Sequence[Motion], steadiness: str = "", numbers: bool = True) -> str:
    """All motions as a sentence: "The camera pans right by about 90 degrees, then dollies forward,
    unsteady."."""
    words = [phrase(motions[0], numbers)]
    for before, motion in pairwise(motions):
        link = " while it " if overlap(before, motion) > 0.5 else ", then "
        words.append(link + phrase(motion, numbers))
    ending = f", {steadiness}" if steadiness else ""
    return f"The camera {''.join(words)}{ending}."


def phrase(motion: Motion, numbers: bool = True) -> str:
    """One motion: "slowly pans right by about 90 degrees"."""
    how = {"slow": "slowly ", "fast": "quickly ", "": ""}[motion.speed]
    said = how + _FILM[motion.kind].format(way=motion.direction)
    return said + (amount_words(motion) if numbers else "")


def amount_words(motion: Motion) -> str:
    """Amount of a motion: " by about 90 degrees", " about 2.3 metres"; empty for a static camera."""
    if motion.kind == STATIC:
        return ""
    if motion.unit == "metres":
        return f" about {abs(motion.amount):.1f} metres"
    turned = f" by about {5 * max(1, round(abs(motion.amount) / 5))} degrees"
    travelled = f" over {motion.travel_m:.1f} metres" if motion.kind in ("arc", "tracking") else ""
    return turned + travelled


def overlap(first: Motion, second: Motion) -> float:
    """Overlap of two motions as a share of the shorter one."""
    shared = min(first.end, second.end) - max(first.start, second.start)
    return max(0.0, shared) / max(min(first.seconds, second.seconds), 1e-6)
