"""What is around the wearer: in a direction, near by, and which thing is the nearest."""

import math
from dataclasses import dataclass
from typing import ClassVar

from situ.errors import BadInput, Unanswerable
from situ.geometry.box import Box
from situ.geometry.heading import SAME_LOCATION, SECTORS, Heading, named_way, sector, sector_margin_deg
from situ.questions.base import Answer, question_kind
from situ.questions.rules.about import FromHere
from situ.questions.rules.landmarks import around, chance, chance_of, plain_name, there
from situ.questions.rules.listing import NOTHING, in_words
from situ.questions.rules.moves import IN_HAND_S, last_seen, moves_of, sure_of
from situ.questions.rules.places import Places
from situ.questions.rules.shown import shown
from situ.questions.rules.unseen import agreement, put_down_unseen
from situ.questions.rules.wearer import (
    WEARER_NOW,
    gap_from,
    heading_now,
    last_frame,
    last_frames_of,
)
from situ.questions.scene.view import LEFT, NO, RIGHT, YES
from situ.questions.select import Selector
from situ.state.diary import WithStays
from situ.state.protocol import LIKELY, Candidate, ObjectView, SpatialState
from situ.state.viewed import viewed

QUARTERS = ("front", "right", "back", "left")
ANYWHERE = ""
AROUND_M, NEAR_ME_M = 5.0, 2.0
_EDGE_M, _EDGE_DEG = 0.15, 4.0  # nearer to a limit than this a thing may be beyond it
FARTHEST_M = 8.0  # beyond this nobody calls a thing the nearest
SIGHT_M = 30.0  # where nothing is near by, the nearest within this is told: about as far as detectors see
_PROBE_M = 1.5  # from the wearer: where a side was looked at, this was in plain view, in small rooms too
_LOWER_M = 0.3  # than the lens: in the picture also of a head that is held a little up or down


def _checked(direction: str) -> None:
    if direction not in (ANYWHERE, *QUARTERS):
        raise BadInput(f"a direction is one of {', '.join(QUARTERS)}, got {direction!r}")


@dataclass(frozen=True)
class _Near:
    """A thing near the wearer: how far, whether it is in the direction and the room, and how surely."""

    gap: float
    view: ObjectView
    meant: bool
    sure: float


def things_toward(
    state: SpatialState, direction: str, within_m: float, nearest_m: float = math.inf
) -> list[_Near]:
    """Things in a quarter around the wearer, in the same room or not, the nearest first; those beyond
    `nearest_m` are left out."""
    here, places = heading_now(state), Places.of(state)
    toward, farthest_m = [], min(within_m, nearest_m)
    for view in around(state, here.position, farthest_m + 2.0, reach_m=farthest_m):
        gap = gap_from(here, view.box)
        if gap > farthest_m:
            continue
        bearing = here.bearing_deg(view.box.center) if direction else 0.0
        if direction and sector(bearing, QUARTERS) != direction:
            continue
        if (told := shown(state, view)) > LIKELY:
            toward.append((view, gap, bearing, chance_of([view]) * told))
    located = places.locate([here.position, *(view.box.center for view, *_ in toward)])
    room, *rooms = [places.nodes[k].tag if k >= 0 else "" for k in located.place.tolist()]
    found = []
    for (view, gap, bearing, likely), its_room, of_room in zip(
        toward, rooms, located.surely[1:].tolist(), strict=True
    ):
        meant = not room or its_room in ("", room)
        edge = min(
            abs(within_m - gap) / _EDGE_M, sector_margin_deg(bearing, 4) / _EDGE_DEG if direction else 1.0
        )
        sure = likely * of_room * (0.5 + 0.5 * min(1.0, edge))
        found.append(_Near(gap, view, meant, sure if meant else of_room))
    return sorted(found, key=lambda near: (near.gap, near.view.id))


@question_kind
@dataclass(frozen=True)
class Around:
    """What is in a direction from the wearer, or on all sides, within some metres and in the same room."""

    direction: str = ANYWHERE
    within_m: float = AROUND_M

    kind: ClassVar[str] = "around"
    frame: ClassVar[str] = WEARER_NOW
    margin_unit: ClassVar[str] = "metres to the limit, of the thing that is nearest to it"
    min_margin: ClassVar[float] = 0.0

    def __post_init__(self) -> None:
        _checked(self.direction)

    @property
    def text(self) -> str:
        words = {"front": "in front of me", "back": "behind me", "left": "on my left", "right": "on my right"}
        return f"What is {words.get(self.direction, 'around me')}?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        every = things_toward(state, self.direction, self.within_m)
        found = [near for near in every if near.meant]
        if not found:
            return self._nothing(state, every)
        views = [near.view for near in found]
        margin = min(abs(self.within_m - near.gap) for near in found)
        frames = last_frames_of(state, [view.id for view in views[:8]])
        words, things = in_words(views), tuple(view.id for view in views)
        sure = sure_of(words, _agreement(every, self._unseen(state)))
        return Answer(words, margin, frames, {"count": len(views)}, things, sure)

    def _unseen(self, state: SpatialState) -> float:
        unseen = put_down_unseen(state, heading_now(state).position, self.within_m)
        return unseen / len(QUARTERS) if self.direction else unseen

    def _nothing(self, state: SpatialState, every: list[_Near]) -> Answer:
        """None that is known: what is next beyond the limit, and how much of the place was looked at at all.
        A side that nobody looked at holds something as likely as not."""
        toward = things_toward(state, self.direction, max(SIGHT_M, self.within_m))
        beyond = [near for near in toward if near.meant and near.gap > self.within_m]
        sure = _agreement(every, self._unseen(state)) * (1.0 + looked_at(state, self.direction)) / 2
        numbers: dict[str, float] = {"count": 0}
        if not beyond:
            return Answer(NOTHING, 1.0, (), numbers, (), sure_of(NOTHING, sure))
        nearest = beyond[0]
        margin = nearest.gap - self.within_m
        sure *= 0.5 + 0.5 * min(1.0, margin / _EDGE_M)
        frames, numbers["nearest_m"] = last_frame(state, nearest.view.id), nearest.gap
        return Answer(NOTHING, margin, frames, numbers, (nearest.view.id,), sure_of(NOTHING, sure))


def looked_at(state: SpatialState, direction: str) -> float:
    """The share of a side, or of all sides, that was in plain view from close by."""
    here = heading_now(state)
    middles = {"front": 0.0, "right": 90.0, "back": 180.0, "left": -90.0}
    bearings = [middles[direction] + off for off in (-25.0, 25.0)] if direction else list(middles.values())
    seen = 0
    for bearing in bearings:
        x, y, z = here.turned(bearing).moved(_PROBE_M).position
        seen += viewed(state, Box((x, y, z - _LOWER_M), (0.1, 0.1, 0.1)), state.now)
    return seen / len(bearings)


def _agreement(every: list[_Near], unseen: float) -> float:
    """How far the list is expected to agree with what is there, some of it perhaps put there unseen."""
    said = [near.sure for near in every if near.meant]
    elsewhere = [near.sure for near in every if not near.meant]
    if not said:  # nothing: as sure as that all others are elsewhere
        return math.prod(elsewhere) * agreement(0, 0.0, unseen)
    return agreement(len(said), sum(said), unseen + sum(1.0 - sure for sure in elsewhere))


@question_kind
@dataclass(frozen=True)
class NearestThing:
    """The thing nearest to the wearer, on all sides or in one direction."""

    direction: str = ANYWHERE

    kind: ClassVar[str] = "nearest_thing"
    frame: ClassVar[str] = WEARER_NOW
    margin_unit: ClassVar[str] = "metres between the nearest and the next of another name"
    min_margin: ClassVar[float] = 0.15

    def __post_init__(self) -> None:
        _checked(self.direction)

    @property
    def text(self) -> str:
        return "Which thing is nearest to me?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        for nearest_m in (FARTHEST_M / 4, FARTHEST_M / 2, FARTHEST_M):  # mostly two names are near by
            every = things_toward(state, self.direction, FARTHEST_M, nearest_m)
            found = [near for near in every if near.meant]
            if len({plain_name(near.view) for near in found}) > 1:
                break
        if not found:
            raise Unanswerable("I know of nothing near you")
        gap, view = found[0].gap, found[0].view
        name = plain_name(view)
        other = next((near.gap for near in found if plain_name(near.view) != name), FARTHEST_M)
        sure = found[0].sure
        for near in every:
            sure *= near.sure if near.gap < gap and not near.meant else 1.0
        odds = sure_of(name, sure)
        return Answer(name, other - gap, last_frame(state, view.id), {"distance_m": gap}, (view.id,), odds)


@question_kind
@dataclass(frozen=True)
class IsNear(FromHere):
    """Whether a thing is near the wearer: at most `near_m` away."""

    near_m: float = 3.0
    far: bool = False  # asked the other way round

    kind: ClassVar[str] = "is_near"
    margin_unit: ClassVar[str] = "metres between the gap and the limit"
    min_margin: ClassVar[float] = 0.3

    @property
    def text(self) -> str:
        return f"Is {self.name} far away?" if self.far else f"Am I near {self.name}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    def said_from(self, here: Heading, thing: Candidate, box: Box) -> Answer:
        gap = gap_from(here, box)
        value = YES if (gap <= self.near_m) != self.far else NO
        frames, numbers = thing.last_shown, {"distance_m": gap}
        return Answer(value, abs(gap - self.near_m), frames, numbers, (thing.id,))


@question_kind
@dataclass(frozen=True)
class IsToward(FromHere):
    """Whether a thing lies in a direction from the wearer: in front, behind, left, right, by quarters."""

    direction: str = "front"

    kind: ClassVar[str] = "is_toward"
    margin_unit: ClassVar[str] = "degrees to the nearest other quarter"
    min_margin: ClassVar[float] = 5.0

    def __post_init__(self) -> None:
        super().__post_init__()
        _checked(self.direction)

    @property
    def text(self) -> str:
        words = {"front": "in front of me", "back": "behind me", "left": "on my left", "right": "on my right"}
        return f"Is {self.name} {words[self.direction]}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    def said_from(self, here: Heading, thing: Candidate, box: Box) -> Answer:
        bearing, distance, _ = here.polar(box.center)
        value = YES if _toward(bearing, self.direction) else NO
        numbers = {"bearing_deg": bearing, "distance_m": distance}
        margin = min(abs(abs(_off(bearing, self.direction)) - 60.0), 90.0)
        return Answer(value, margin, thing.last_shown, numbers, (thing.id,))


def _off(bearing_deg: float, direction: str) -> float:
    turn = bearing_deg - {"front": 0.0, "right": 90.0, "back": 180.0, "left": -90.0}[direction]
    return (turn + 180.0) % 360.0 - 180.0


def _toward(bearing_deg: float, direction: str) -> bool:
    """People call "behind" and "left" what is within 60 degrees of it: ahead to the left is both."""
    return abs(_off(bearing_deg, direction)) < 60.0


@question_kind
@dataclass(frozen=True)
class SideOfMe(FromHere):
    """On which hand of the wearer a thing is, left or right."""

    kind: ClassVar[str] = "side_of_me"
    margin_unit: ClassVar[str] = "degrees to straight ahead or straight behind"
    min_margin: ClassVar[float] = 5.0

    @property
    def text(self) -> str:
        return f"Is {self.name} on my left or on my right?"

    @property
    def options(self) -> tuple[str, ...]:
        return (LEFT, RIGHT)

    def said_from(self, here: Heading, thing: Candidate, box: Box) -> Answer:
        bearing, distance, _ = here.polar(box.center)
        margin = min(abs(bearing), 180.0 - abs(bearing))
        numbers = {"bearing_deg": bearing, "distance_m": distance}
        value = RIGHT if bearing > 0 else LEFT
        return Answer(value, margin, thing.last_shown, numbers, (thing.id,))


def _in_hand(state: SpatialState, view: ObjectView) -> bool:
    """Whether the wearer holds a thing: it is within an arm's reach, and its last move has not ended."""
    near = heading_now(state).ground_distance(view.box.center) <= NEAR_ME_M
    if not near or not isinstance(state, WithStays):
        return False
    moves = moves_of(state, view)
    return bool(moves and moves[-1].in_hand)


def _carried(state: SpatialState, view: ObjectView) -> float:
    """How likely what a memory has in the wearer's hands still is there: people put things down, mostly where
    they are seen to, and 1 for all else."""
    away_s = state.now - last_seen(state, view.id) if getattr(view, "held", False) else 0.0
    return 1.0 if away_s <= IN_HAND_S else math.exp(-away_s / IN_HAND_S)


@question_kind
@dataclass(frozen=True)
class NearestOne:
    """The direction of the nearest thing of a kind, in eight sectors, wherever others were seen lately."""

    which: Selector

    kind: ClassVar[str] = "nearest_one"
    frame: ClassVar[str] = WEARER_NOW
    margin_unit: ClassVar[str] = "degrees to the nearest other sector"
    min_margin: ClassVar[float] = 5.0

    @property
    def text(self) -> str:
        return f"Where is the nearest {self.which.singular}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (*SECTORS, SAME_LOCATION)

    def answer(self, state: SpatialState) -> Answer:
        found = there(state, self.which)
        if not found:
            raise Unanswerable(f"I know of no {self.which.singular} that is still there")
        here = heading_now(state)
        nearest = sorted(found, key=lambda c: (here.ground_distance(c.view.box.center), c.id))
        # What the wearer holds is not looked for, and what they held long ago is somewhere else by now.
        placed = [one for one in nearest if _carried(state, one.view) == 1.0] or nearest
        thing = next((one for one in placed if not _in_hand(state, one.view)), placed[0])
        bearing, distance, up = here.polar(thing.view.box.center)
        numbers = {"bearing_deg": bearing, "distance_m": distance, "up_m": up}
        value, margin = named_way(bearing, distance)
        nearer = put_down_unseen(state, here.position, distance, self.which)
        odds = sure_of(value, chance([thing]) * _carried(state, thing.view) * agreement(0, 0.0, nearer))
        return Answer(value, margin, thing.last_shown, numbers, (thing.id,), odds)
