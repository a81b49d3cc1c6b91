"""What frames show: on which side of each other objects appear, what can be seen, and what it is for."""

import math
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, Literal, NamedTuple, Protocol, runtime_checkable

import numpy as np

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.heading import Heading
from situ.geometry.path import Path
from situ.geometry.pose import wrap_deg
from situ.questions.base import Answer
from situ.questions.programs.asks import NO, YES
from situ.questions.programs.schema import ALL_FRAMES, FrameNumbers, Set, operator
from situ.questions.programs.world import InWorlds, World
from situ.state.protocol import ObjectView, Sighting, SpatialState
from situ.state.sightings import in_frames

LEFT, RIGHT = "left", "right"
SIDE, DEPTH, HEIGHT = "side", "depth", "height"
# The names of an axis's negative and positive direction in the anchor's camera axes.
ENDS = {SIDE: ("left", "right"), DEPTH: ("in front", "behind"), HEIGHT: ("above", "below")}
_COLUMN = {SIDE: 0, DEPTH: 2, HEIGHT: 1}  # of the camera's axes
_LATEST = 4  # sightings that a belief goes by: places are remembered as they were seen last
_LATEST_SHARED, _LOOKED_BACK = 8, 256  # shared frames that it goes by, of so many sightings
LEAST_SLOPE = 0.27  # the thing must be at least 15 degrees off the plane between the two answers
USE = "use"


@operator
@dataclass(frozen=True)
class SideInView(InWorlds):
    """On which side of another object an object appears, in every frame that shows both; or whether a claim
    ("left" or "right") holds."""

    tag: ClassVar[str] = "side_in_view"
    fair: ClassVar[float] = 2.0

    of: Set
    to: Set
    claim: Literal["", "left", "right"] = ""

    def in_world(self, world: World) -> Answer:
        thing, anchor = world.only(self.of), world.only(self.to)
        pair = thing.id, anchor.id
        shared = world.kept(("shared", *pair), lambda: shared_frames(world.state, *pair))
        offsets = _bearing_offsets(world.path, thing.box, anchor.box, shared.frames)
        if not offsets:
            raise Unanswerable(f"{thing.category} and {anchor.category} never share a frame")
        sides = {RIGHT if offset > 0 else LEFT for offset in offsets.values()}
        best = max(shared.clear or offsets, key=lambda frame: (abs(offsets[frame]), -frame))
        side = RIGHT if offsets[best] > 0 else LEFT
        # A glimpse may not contradict the clear views, and alone it decides nothing. Nor may the picture of a
        # head that is bent or tilted show the two the other way round than they lie around the wearer.
        decided = len(sides) == 1 and shared.clear and _shown_so(world.path, thing.box, anchor.box, offsets)
        margin = min(abs(offset) for offset in offsets.values()) if decided else 0.0
        value = side if not self.claim else (YES if side == self.claim else NO)
        return Answer(value, margin, (best,), {"offset_deg": offsets[best]}, (thing.id, anchor.id))


def _bearing_offsets(path: Path, thing: Box, anchor: Box, frames: Iterable[int]) -> dict[int, float]:
    """For each frame: how many degrees `thing` lies to the right of `anchor`."""
    offsets = {}
    for frame in frames:
        heading = path.heading_of(frame)
        offsets[frame] = wrap_deg(heading.bearing_deg(thing.center) - heading.bearing_deg(anchor.center))
    return offsets


def _shown_so(path: Path, thing: Box, anchor: Box, offsets: Mapping[int, float]) -> bool:
    """Whether `thing` is seen on the side of `anchor` on which it lies in each frame, however the head is
    held."""
    poses = np.stack([path.pose_of(frame) for frame in offsets])
    both = (np.array([thing.center, anchor.center]) - poses[:, None, :3, 3]) @ poses[:, :3, :3]
    right = np.degrees(np.arctan2(both[..., 0], both[..., 2]))
    pairs = zip((right[:, 0] - right[:, 1]).tolist(), offsets.values(), strict=True)
    return all(wrap_deg(shown) * offset > 0 for shown, offset in pairs)


class Shared(NamedTuple):
    """Frames that may show two objects, and those of them in which both are clear."""

    frames: Sequence[int]
    clear: AbstractSet[int]


def shared_frames(state: SpatialState, first: int, second: int) -> Shared:
    """The frames that may show two objects; of a belief, the latest few."""
    seen = [state.sightings(first), state.sightings(second)]
    if state.strict:
        a, b = ({one.frame for one in each} for each in seen)
        frames = sorted(a & b)
    else:
        a, b = ({one.frame for one in islice(reversed(each), _LOOKED_BACK)} for each in seen)
        frames = sorted(a & b)[-_LATEST_SHARED:]
    c, d = ({one.frame for one in in_frames(each, frames) if one.clarity == 1.0} for each in seen)
    return Shared(frames, c & d)


@operator
@dataclass(frozen=True)
class PairSide(InWorlds):
    """On which side of another object an object lies, for the camera in the frames that show that one:
    left or right ("side"), in front or behind ("depth"), above or below ("height")."""

    tag: ClassVar[str] = "pair_side"
    fair: ClassVar[float] = 0.4

    of: Set
    to: Set
    axis: Literal["side", "depth", "height"] = "side"
    frames: FrameNumbers = ALL_FRAMES

    def in_world(self, world: World) -> Answer:
        thing, anchor = world.only(self.of), world.only(self.to)
        pair = thing.id, anchor.id
        times = world.kept(("times", anchor.id), lambda: self._times(world.state, anchor.id))
        if not times:
            raise Unanswerable(f"the {anchor.category} is in none of the frames")
        (x, y, z), (u, v, w) = thing.box.center, anchor.box.center
        offset, path, column = (x - u, y - v, z - w), world.path, _COLUMN[self.axis]
        readings = [
            reading
            for time in times
            for reading in self._readings(
                path.heading_at(time), path.pose_at(time)[:3, column].tolist(), offset
            )
        ]
        value = ENDS[self.axis][int(readings[0] > 0)]
        agreed = len({reading > 0 for reading in readings}) == 1
        least = min(abs(reading) for reading in readings)
        flat = math.hypot(*offset) or 1.0
        margin = least if agreed and self._clearly_apart(thing.box, anchor.box, least / flat) else 0.0
        numbers = {"offset_m": readings[0], "distance_m": flat}
        evidence = world.kept(("shown", *pair), lambda: self._one_of_each(world.state, pair))
        return Answer(value, margin, evidence, numbers, (thing.id, anchor.id))

    def _times(self, state: SpatialState, anchor: int) -> list[float]:
        return [sighting.time for sighting in sightings_in(state, anchor, self.frames)]

    def _clearly_apart(self, thing: Box, anchor: Box, slope: float) -> bool:
        """Whether people would agree: off the plane between the answers, or wholly above or below."""
        if self.axis == HEIGHT:
            return thing.bottom >= anchor.top or thing.top <= anchor.bottom
        return slope >= LEAST_SLOPE

    def _readings(
        self, here: Heading, axis: Sequence[float], offset: tuple[float, float, float]
    ) -> tuple[float, float]:
        """The offset along the axis in the camera's own axes, and in those of a level head.

        A nod must not turn the answer: where the two differ, the question is not fair.
        """
        own = sum(a * b for a, b in zip(axis, offset, strict=True))
        right, ahead, up = here.local((here.x + offset[0], here.y + offset[1], here.z + offset[2]))
        return own, {SIDE: right, DEPTH: ahead, HEIGHT: -up}[self.axis]

    def _one_of_each(self, state: SpatialState, ids: Sequence[int]) -> tuple[int, ...]:
        """The first frame that shows each object clearly."""
        shown = ([s.frame for s in sightings_in(state, k, self.frames) if s.clarity == 1.0] for k in ids)
        return tuple(sorted({frame for frames in shown for frame in frames[:1]}))


def sightings_in(state: SpatialState, object_id: int, frames: Sequence[int]) -> tuple[Sighting, ...]:
    """The sightings of an object in some frames, or in all if none are named; of a belief, the latest few."""
    seen = state.sightings(object_id)
    if frames:
        return tuple(in_frames(seen, frames))
    return tuple(seen) if state.strict else tuple(islice(reversed(seen), _LATEST))[::-1]


@operator
@dataclass(frozen=True)
class Shown(InWorlds):
    """The kinds of objects that some frames show, in alphabetical order; with `uses`, which of these uses
    fits an object that they show; with `of`, what that one is for."""

    tag: ClassVar[str] = "shown"

    frames: FrameNumbers = ALL_FRAMES
    uses: tuple[str, ...] = ()
    of: Set | None = None

    def in_world(self, world: World) -> Answer:
        if self.of is not None:
            return self._use_of(world, world.only(self.of))
        clarity: dict[str, float] = dict.fromkeys(self.uses, 0.0)
        real = world.run.table.real[world.number]
        for column, name, clear in world.kept("clarity", lambda: self._clarity(world)):
            if real[column] >= 0 and (name in clarity or not self.uses):
                clarity[name] = max(clarity.get(name, 0.0), clear)
        return self._use_shown(clarity) if self.uses else self._kinds(clarity)

    def _clarity(self, world: World) -> list[tuple[int, str, float]]:
        """Of each object that the frames may show its column, its kind or use, and how clearly they show
        it."""
        found = []
        for view in seen_in(world.state, self.frames):
            column = world.run.table.column.get(view.id)
            if column is not None:
                shown = sightings_in(world.state, view.id, self.frames)
                name = view.attributes.get(USE, "") if self.uses else view.category
                found.append((column, name, max((one.clarity for one in shown), default=0.0)))
        return found

    def _kinds(self, clarity: Mapping[str, float]) -> Answer:
        seen = {name: value for name, value in clarity.items() if value > 0.0}
        clear = sorted(name for name, value in seen.items() if value == 1.0)
        if not clear:
            raise Unanswerable("none of the frames shows an object clearly")
        margin = 1.0 if len(clear) == len(seen) else 0.0
        return Answer(", ".join(clear), margin, self.frames, {"kinds": float(len(clear))})

    def _use_shown(self, clarity: Mapping[str, float]) -> Answer:
        best = max(self.uses, key=lambda use: clarity[use])
        if clarity[best] < 1.0:
            raise Unanswerable("the frames show no object for any of these purposes")
        alone = all(value == 0.0 for use, value in clarity.items() if use != best)
        return Answer(best, 1.0 if alone else 0.0, self.frames)

    def _use_of(self, world: World, thing: ObjectView) -> Answer:
        use, shown = thing.attributes.get(USE, ""), sightings_in(world.state, thing.id, self.frames)
        if not use or not shown:
            raise Unanswerable(f"what the {thing.category} is for is not known, or no frame shows it")
        frames = tuple(sorted({sighting.frame for sighting in shown}))
        return Answer(use, max(sighting.clarity for sighting in shown), frames)


@runtime_checkable
class _WithFrames(Protocol):
    """A state that knows which objects may be in a frame."""

    def seen_in(self, frames: Sequence[int]) -> Sequence[ObjectView]: ...


def seen_in(state: SpatialState, frames: Sequence[int]) -> Sequence[ObjectView]:
    """The objects that some frames may show; all that there are where no frame is named."""
    return state.seen_in(frames) if frames and isinstance(state, _WithFrames) else state.objects()
