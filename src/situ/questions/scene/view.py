"""Where things are in the wearer's view."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, NamedTuple
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
        shared = shared_frames(state, thing.id, anchor.id)
        offsets = bearing_offsets(state, thing, anchor, shared.frames)
        if not offsets:
            raise Unanswerable(f"{self.thing.singular} and {self.anchor.singular} never share a frame")
        sides = {RIGHT if offset > 0 else LEFT for offset in offsets.values()}
        best = max(shared.clear or offsets, key=lambda frame: (abs(offsets[frame]), -frame))
        side = RIGHT if offsets[best] > 0 else LEFT
        # A glimpse may not contradict the clear views, and alone it decides nothing. Nor may the picture of a
        # head that is bent or tilted show the two the other way round than they lie around the wearer.
        decided = len(sides) == 1 and shared.clear and _shown_so(state, thing, anchor, offsets)
        margin = min(abs(offset) for offset in offsets.values()) if decided else 0.0
        value = side if not self.claim else (YES if side == self.claim else NO)
        return Answer(value, margin, (best,), {"offset_deg": offsets[best]}, (thing.id, anchor.id))


class Shared(NamedTuple):
    """Frames that may show two objects, and those of them in which both are clear."""

    frames: Sequence[int]
    clear: Set[int]


def bearing_offsets(
    state: SpatialState, thing: ObjectView, anchor: ObjectView, frames: Iterable[int]
) -> dict[int, float]:
    """For each frame: how many degrees `thing` lies to the right of `anchor`."""
    offsets = {}
    for frame in frames:
        heading = state.path.heading_of(frame)
        thing_deg, anchor_deg = heading.bearing_deg(thing.box.center), heading.bearing_deg(anchor.box.center)
        offsets[frame] = wrap_deg(thing_deg - anchor_deg)
    return offsets


def _shown_so(
    state: SpatialState, thing: ObjectView, anchor: ObjectView, offsets: Mapping[int, float]
) -> bool:
    """Whether `thing` is seen on the side of `anchor` on which it lies in each frame, however the head is
    held."""
    poses = np.stack([state.path.pose_of(frame) for frame in offsets])
    both = (np.array([thing.box.center, anchor.box.center]) - poses[:, None, :3, 3]) @ poses[:, :3, :3]
    right = np.degrees(np.arctan2(both[..., 0], both[..., 2]))
    pairs = zip((right[:, 0] - right[:, 1]).tolist(), offsets.values(), strict=True)
    return all(wrap_deg(shown) * offset > 0 for shown, offset in pairs)


def shared_frames(state: SpatialState, first: int, second: int) -> Shared:
    """The frames that may show two objects; of a belief, the latest few."""
    if state.strict:
        both = _frames_of(state.sightings(first)) & _frames_of(state.sightings(second))
        return _shared(state, sorted(both), first, second)
    # What was seen does not depend on what may be so: all samples of a belief share it.
    believed: SpatialState = getattr(state, "believed", state)
    kept = _SHARED.setdefault(believed, {})
    key = (believed.now, first, second)
    if key not in kept:
        a, b = (_frames_of(islice(reversed(believed.sightings(k)), _LOOKED_BACK)) for k in (first, second))
        kept[key] = _shared(believed, sorted(a & b)[-_LATEST:], first, second)
    return kept[key]


def _shared(state: SpatialState, frames: Sequence[int], first: int, second: int) -> Shared:
    a, b = (
        {s.frame for s in in_frames(state.sightings(k), frames) if s.clarity == 1.0} for k in (first, second)
    )
    return Shared(frames, a & b)


def _frames_of(sightings: Iterable[Sighting]) -> set[int]:
    return {seen.frame for seen in sightings}


# For as long as the states live.
_SHARED: "WeakKeyDictionary[object, dict[tuple[float, int, int], Shared]]" = WeakKeyDictionary()
