"""Spatial state reconstructed from a narrative, which questions can be run on."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from situ.geometry.box import Box
from situ.geometry.heading import Heading
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose, wrap_deg
from situ.narrate.camera_words import NarratedMotion, Net, net_of, read_motions, read_net
from situ.narrate.narrative import Narrative
from situ.narrate.scene_words import Mention, read_mentions
from situ.state.protocol import ObjectView, Sighting
from situ.worlds.furniture.paint import PAINTS

SAME_OBJECT_M = 1.6  # mentions of one name within this distance are one object
FRAME_S = 0.5


@dataclass(frozen=True, eq=False)
class NarratedState:
    """Objects placed by their mentions; the frame of each mention is a sighting."""

    headings: Mapping[int, Heading]
    mentions: tuple[Mention, ...]

    strict: ClassVar[bool] = True

    @classmethod
    def of(cls, narrative: Narrative) -> "NarratedState":
        """Layout by dead reckoning from camera words; without them, views are joined by common objects."""
        mentions = [m for segment in narrative.segments for m in read_mentions(segment.scene)]
        last = max((segment.last for segment in narrative.segments), default=1)
        headings = reckon(narrative) or link_views(mentions)
        known = {frame: headings[frame] for frame in range(1, last + 1) if frame in headings}
        return cls(known, tuple(mentions))

    @property
    def now(self) -> float:
        return max(self.headings, default=0) * FRAME_S

    @cached_property
    def path(self) -> Path:
        frames = sorted(self.headings)
        poses = [camera_pose(self.headings[f].position, self.headings[f].yaw_deg) for f in frames]
        stacked = np.stack(poses) if poses else np.zeros((0, 4, 4))
        return Path(np.array(frames, dtype=float) * FRAME_S, stacked)

    def objects(self) -> Sequence[ObjectView]:
        return tuple(view for view, _ in self._things)

    def sightings(self, object_id: int) -> Sequence[Sighting]:
        """Sightings with frames counted from 0, as in recordings."""
        if not 0 < object_id <= len(self._things):
            return ()
        _, seen = self._things[object_id - 1]
        return tuple(Sighting(m.frame - 1, m.frame * FRAME_S) for m in sorted(seen))

    def where(self, object_id: int, time: float) -> Box | None:
        return self._things[object_id - 1][0].box if 0 < object_id <= len(self._things) else None

    def as_of(self, time: float) -> "NarratedState":
        last = time / FRAME_S + 1e-9
        return NarratedState(
            {frame: heading for frame, heading in self.headings.items() if frame <= last},
            tuple(mention for mention in self.mentions if mention.frame <= last),
        )

    @cached_property
    def _things(self) -> tuple[tuple[ObjectView, list[Mention]], ...]:
        """Mentions grouped into objects by name and position, most mentioned first."""
        names: dict[str, list[Mention]] = {}
        for mention in self.mentions:
            if mention.frame in self.headings:
                names.setdefault(mention.name, []).append(mention)
        groups: list[list[Mention]] = []
        for mentions in names.values():
            groups += self._gathered(mentions)
        groups.sort(key=lambda group: (-len(group), group[0]))
        return tuple((self._view(number, group), group) for number, group in enumerate(groups, 1))

    def _gathered(self, mentions: Sequence[Mention]) -> list[list[Mention]]:
        groups: list[list[Mention]] = []
        for mention in mentions:
            spot = np.array(self._spot(mention))
            near = [
                (float(np.hypot(*(np.mean([self._spot(m) for m in group], axis=0) - spot))), i)
                for i, group in enumerate(groups)
            ]
            if near and min(near)[0] < max(SAME_OBJECT_M, mention.size[0] / 2):
                groups[min(near)[1]].append(mention)
            else:
                groups.append([mention])
        return groups

    def _spot(self, mention: Mention) -> tuple[float, float]:
        return spot_of(self.headings[mention.frame], mention)

    def _view(self, number: int, group: Sequence[Mention]) -> ObjectView:
        # Nearer observations give a more precise position.
        weights = np.array([1.0 / max(0.5, m.distance_m) for m in group])
        x, y = (weights[:, None] * [self._spot(m) for m in group]).sum(axis=0) / weights.sum()
        nearest = min(group, key=lambda m: m.distance_m)
        z = float(np.mean([m.above_m for m in group]))
        yaw = self.headings[nearest.frame].yaw_deg + nearest.turned_deg
        box = Box((float(x), float(y), z), _at_least(nearest.size), yaw)
        color, _, kind = nearest.name.partition(" ")
        if kind and color in PAINTS:
            return ObjectView(number, kind, box, {"color": color})
        return ObjectView(number, nearest.name, box)


def _at_least(size: tuple[float, float, float]) -> tuple[float, float, float]:
    """Sizes are given in decimetres; a size of 0 becomes a few centimetres."""
    wide, deep, high = (max(0.04, side) for side in size)
    return wide, deep, high


FITS_M = 0.7  # largest residual of two views of the same objects
Spots = Mapping[str, tuple[float, float]]


def link_views(mentions: Sequence[Mention]) -> dict[int, Heading]:
    """Standpoint of every frame with mentions."""
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
            # the latest view of an object is most likely shared with the next
            known[name] = _world(last, x, y)
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
        return None  # too close together to determine a direction
    heading = _fit(here, there)
    gaps = [math.dist(_world(heading, *view[name]), known[name]) for name in shared]
    return heading if float(np.mean(gaps)) < FITS_M else None


def _fit(here: NDArray[np.float64], there: NDArray[np.float64]) -> Heading:
    """Standpoint from which points seen at `here` lie at `there`, by least squares."""
    a, b = here - here.mean(axis=0), there - there.mean(axis=0)
    cross = float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum())
    yaw = math.atan2(cross, float((a * b).sum()))
    c, s = math.cos(yaw), math.sin(yaw)
    x, y = there.mean(axis=0) - here.mean(axis=0) @ np.array([[c, s], [-s, c]])
    return Heading(float(x), float(y), 0.0, wrap_deg(math.degrees(yaw)))


def _world(heading: Heading, x: float, y: float) -> tuple[float, float]:
    c, s = math.cos(math.radians(heading.yaw_deg)), math.sin(math.radians(heading.yaw_deg))
    return heading.x + c * x - s * y, heading.y + s * x + c * y


def reckon(narrative: Narrative) -> dict[int, Heading]:
    """Camera heading in every frame; {} if no segment describes the camera.

    The path starts at the origin along +x. A segment without camera words leaves the camera in place.
    """
    if not any(segment.camera for segment in narrative.segments):
        return {}
    here = Heading(0.0, 0.0, 0.0, 0.0)
    found: dict[int, Heading] = {}
    segments = narrative.segments
    for segment, following in zip(segments, [*segments[1:], None], strict=True):
        last = following.first if following else segment.last
        way = _follow(read_motions(segment.camera), read_net(segment.camera), segment.first, last)
        for frame, step in zip(range(segment.first, last + 1), way, strict=True):
            found[frame] = _after(here, step)
        here = found[last]
    return found


def _follow(motions: Sequence[NarratedMotion], net: Net | None, first: int, last: int) -> list[Net]:
    """Change from the start of a segment to each of its frames.

    Motions are spread evenly over their frames. The difference between their sum and the net change is spread
    over the whole segment.
    """
    here = Heading(0.0, 0.0, 0.0, 0.0)
    places = [here]
    for frame in range(first, last):
        shares_now = [(0.0, 0.0, 0.0), *(_share(motion, frame) for motion in motions)]
        turn, ahead, right = (sum(values) for values in zip(*shares_now, strict=True))
        half = here.turned(turn / 2)
        yaw = math.radians(half.yaw_deg)
        x = here.x + ahead * math.cos(yaw) + right * math.sin(yaw)
        y = here.y + ahead * math.sin(yaw) - right * math.cos(yaw)
        here = Heading(x, y, 0.0, here.turned(turn).yaw_deg)
        places.append(here)
    way = [net_of(places[0], place) for place in places]
    if net is None or last == first:
        return way
    missing = net.ahead_m - way[-1].ahead_m, net.right_m - way[-1].right_m
    turn = wrap_deg(net.turned_deg - way[-1].turned_deg)
    shares = np.linspace(0.0, 1.0, len(way))
    return [
        Net(w.ahead_m + s * missing[0], w.right_m + s * missing[1], w.turned_deg + s * turn)
        for w, s in zip(way, shares, strict=True)
    ]


def _share(motion: NarratedMotion, frame: int) -> tuple[float, float, float]:
    """Part of a motion between a frame and the next: turn to the right, ahead, to the right."""
    if not motion.first <= frame < motion.last:
        return 0.0, 0.0, 0.0
    frames = motion.last - motion.first
    share = 1 / frames
    part = motion.amount * share
    if motion.kind == "pan":
        return part, 0.0, 0.0
    if motion.kind == "dolly":
        return 0.0, part, 0.0
    if motion.kind == "truck":
        return 0.0, 0.0, part
    if motion.kind == "tracking":
        return part, motion.travel_m * share, 0.0
    if motion.kind == "arc":  # to the right around something: moves right, turns left
        return -part, 0.0, math.copysign(motion.travel_m * share, part)
    return 0.0, 0.0, 0.0


def _after(here: Heading, change: Net) -> Heading:
    yaw = math.radians(here.yaw_deg)
    x = here.x + change.ahead_m * math.cos(yaw) + change.right_m * math.sin(yaw)
    y = here.y + change.ahead_m * math.sin(yaw) - change.right_m * math.cos(yaw)
    return Heading(x, y, 0.0, here.turned(change.turned_deg).yaw_deg)
