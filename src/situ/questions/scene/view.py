"""Where things are in the wearer's view."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar
from weakref import WeakKeyDictionary

import numpy as np

from situ.errors import Unanswerable
from situ.geometry.pose import wrap_deg
from situ.questions.base import Answer, question_kind
from situ.questions.rules.things import OfThings
from situ.questions.select import Selector
from situ.state.protocol import ObjectView, Sighting, SpatialState
from situ.state.sightings import in_frames

_LATEST, _LOOKED_BACK = 8, 256  # frames that a belief goes by, and sightings in which they are looked for
LEFT, RIGHT, YES, NO = "left", "right", "yes", "no"


@question_kind
@dataclass(frozen=True)
class SideInView(OfThings):
    """On which side of another object an object appears, in every frame that shows both.

    With a `claim` ("left" or "right") the question is whether the claim holds: yes or no.
    """

    thing: Selector
    anchor: Selector
    claim: str = ""

    kind: ClassVar[str] = "side_in_view"
    frame: ClassVar[str] = "the wearer's view, in the frames that show both"
    margin_unit: ClassVar[str] = "degrees between the two directions"
    min_margin: ClassVar[float] = 2.0

    @property
    def text(self) -> str:
        thing, anchor = self.thing.singular, self.anchor.singular
        if self.claim:
            return f"When both are in view, is the {thing} on the {self.claim} of the {anchor}?"
        return f"When both are in view, is the {thing} to the left or to the right of the {anchor}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO) if self.claim else (LEFT, RIGHT)

    @property
    def phrases(self) -> tuple[Selector, ...]:
        return self.thing, self.anchor

    def said_of_things(self, state: SpatialState, things: Sequence[ObjectView]) -> Answer:
        thing, anchor = things
        offsets = bearing_offsets(state, thing, anchor)
        if not offsets:
            raise Unanswerable(f"{self.thing.singular} and {self.anchor.singular} never share a frame")
        sides = {RIGHT if offset > 0 else LEFT for offset in offsets.values()}
        frames = tuple(offsets)
        clear = _clear_frames(state, thing, frames) & _clear_frames(state, anchor, frames)
        best = max(clear or offsets, key=lambda frame: (abs(offsets[frame]), -frame))
        side = RIGHT if offsets[best] > 0 else LEFT
        # A glimpse may not contradict the clear views, and alone it decides nothing. Nor may the picture of a
        # head that is bent or tilted show the two the other way round than they lie around the wearer.
        shown = in_picture(state, thing, anchor, offsets)
        decided = clear and len(sides) == 1 and all(shown[f] * offsets[f] > 0 for f in offsets)
        margin = min(abs(offset) for offset in offsets.values()) if decided else 0.0
        value = side if not self.claim else (YES if side == self.claim else NO)
        return Answer(value, margin, (best,), {"offset_deg": offsets[best]}, (thing.id, anchor.id))


def _clear_frames(state: SpatialState, view: ObjectView, frames: Sequence[int]) -> set[int]:
    return {s.frame for s in in_frames(state.sightings(view.id), frames) if s.clarity == 1.0}


def bearing_offsets(state: SpatialState, thing: ObjectView, anchor: ObjectView) -> dict[int, float]:
    """For each frame that may show both: how many degrees `thing` lies to the right of `anchor`."""
    offsets = {}
    for frame in shared_frames(state, thing.id, anchor.id):
        heading = state.path.heading_of(frame)
        thing_deg, anchor_deg = heading.bearing_deg(thing.box.center), heading.bearing_deg(anchor.box.center)
        offsets[frame] = wrap_deg(thing_deg - anchor_deg)
    return offsets


def in_picture(
    state: SpatialState, thing: ObjectView, anchor: ObjectView, frames: Iterable[int]
) -> dict[int, float]:
    """For each frame: how many degrees `thing` is seen to the right of `anchor`, however the head is held."""
    shown = {}
    for frame in frames:
        pose = state.path.pose_of(frame)
        both = (np.asarray([thing.box.center, anchor.box.center]) - pose[:3, 3]) @ pose[:3, :3]
        a, b = np.degrees(np.arctan2(both[:, 0], both[:, 2]))
        shown[frame] = wrap_deg(float(a - b))
    return shown


def shared_frames(state: SpatialState, first: int, second: int) -> list[int]:
    """The frames that may show two objects; of a belief, the latest few."""
    if state.strict:
        return sorted(_frames_of(state.sightings(first)) & _frames_of(state.sightings(second)))
    # What was seen does not depend on what may be so: all samples of a belief share it.
    believed: SpatialState = getattr(state, "believed", state)
    kept = _SHARED.setdefault(believed, {})
    key = (believed.now, first, second)
    if key not in kept:
        a, b = (_frames_of(islice(reversed(believed.sightings(k)), _LOOKED_BACK)) for k in (first, second))
        kept[key] = sorted(a & b)[-_LATEST:]
    return kept[key]


def _frames_of(sightings: Iterable[Sighting]) -> set[int]:
    return {seen.frame for seen in sightings}


# For as long as the states live.
_SHARED: "WeakKeyDictionary[object, dict[tuple[float, int, int], list[int]]]" = WeakKeyDictionary()
