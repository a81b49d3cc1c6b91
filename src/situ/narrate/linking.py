"""Views joined without a word about the camera: two frames that name the same two things fit together.

Things named in one frame have known places to each other. A frame that shares two names with those already
joined is laid over them; frames that share fewer are taken as seen from the same standpoint as the frame
before, which is the best that can be guessed when nobody tells how the camera moved.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from situ.geometry.heading import Heading
from situ.geometry.pose import wrap_deg
from situ.narrate.scene_words import Mention

FITS_M = 0.7  # two views that leave larger gaps are not of the same things
Spots = Mapping[str, tuple[float, float]]


def link_views(mentions: Sequence[Mention]) -> dict[int, Heading]:
    """A standpoint for every frame that names something."""
    views: dict[int, dict[str, tuple[float, float]]] = {}
    for mention in mentions:
        spot = Heading(0.0, 0.0, 0.0, 0.0).turned(mention.bearing_deg).moved(mention.distance_m)
        views.setdefault(mention.frame, {}).setdefault(mention.name, (spot.x, spot.y))
    placed: dict[int, Heading] = {}
    known: dict[str, tuple[float, float]] = {}
    last = Heading(0.0, 0.0, 0.0, 0.0)
    for frame in sorted(views):
        last = _laid_over(views[frame], known) or last
        placed[frame] = last
        for name, (x, y) in views[frame].items():
            known[name] = _world(last, x, y)  # the latest view of a thing is the one that the next can share
    return placed


def spot_of(heading: Heading, mention: Mention) -> tuple[float, float]:
    there = heading.turned(mention.bearing_deg).moved(mention.distance_m)
    return there.x, there.y


def _laid_over(view: Spots, known: Spots) -> Heading | None:
    shared = [name for name in view if name in known]
    if len(shared) < 2:
        return None
    here = np.array([view[name] for name in shared])
    there = np.array([known[name] for name in shared])
    if np.ptp(here, axis=0).max() < 0.5:
        return None  # too close together to tell a direction
    heading = _fit(here, there)
    gaps = [math.dist(_world(heading, *view[name]), known[name]) for name in shared]
    return heading if float(np.mean(gaps)) < FITS_M else None


def _fit(here: NDArray[np.float64], there: NDArray[np.float64]) -> Heading:
    """The standpoint from which points seen `here` lie `there`, by least squares."""
    a, b = here - here.mean(axis=0), there - there.mean(axis=0)
    cross = float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum())
    yaw = math.atan2(cross, float((a * b).sum()))
    c, s = math.cos(yaw), math.sin(yaw)
    x, y = there.mean(axis=0) - here.mean(axis=0) @ np.array([[c, s], [-s, c]])
    return Heading(float(x), float(y), 0.0, wrap_deg(math.degrees(yaw)))


def _world(heading: Heading, x: float, y: float) -> tuple[float, float]:
    c, s = math.cos(math.radians(heading.yaw_deg)), math.sin(math.radians(heading.yaw_deg))
    return heading.x + c * x - s * y, heading.y + s * x + c * y
