"""The layout that a reader has in mind after a narrative, as a spatial state that can be asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from situ.geometry.box import Box
from situ.geometry.heading import Heading
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.narrate.linking import link_views, spot_of
from situ.narrate.narrative import Narrative
from situ.narrate.reckoning import reckon
from situ.narrate.scene_words import Mention, read_mentions
from situ.state.candidates import certain
from situ.state.protocol import Candidate, ObjectView, Phrase, Sighting
from situ.worlds.furniture.paint import PAINTS

SAME_THING_M = 1.6  # mentions of one name this near to each other are of one thing
FRAME_S = 0.5


@dataclass(frozen=True, eq=False)
class NarratedState:
    """Things placed by their mentions; the frame of each mention is a sighting."""

    headings: Mapping[int, Heading]
    mentions: tuple[Mention, ...]

    strict: ClassVar[bool] = True

    @classmethod
    def of(cls, narrative: Narrative) -> "NarratedState":
        """With camera words by dead reckoning; without, views are joined by the things that they share."""
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

    def candidates(self, which: Phrase) -> Sequence[Candidate]:
        return certain(self, which)

    def sightings(self, object_id: int) -> Sequence[Sighting]:
        """In frames counted from 0, as recordings count them."""
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
        """Mentions of one name, gathered into things by where they put it; the most mentioned first."""
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
            if near and min(near)[0] < max(SAME_THING_M, mention.size[0] / 2):
                groups[min(near)[1]].append(mention)
            else:
                groups.append([mention])
        return groups

    def _spot(self, mention: Mention) -> tuple[float, float]:
        return spot_of(self.headings[mention.frame], mention)

    def _view(self, number: int, group: Sequence[Mention]) -> ObjectView:
        # The nearer a thing was, the better its place is known.
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
    """Sizes are told to a decimetre; what rounds to nothing is a few centimetres."""
    wide, deep, high = (max(0.04, side) for side in size)
    return wide, deep, high
