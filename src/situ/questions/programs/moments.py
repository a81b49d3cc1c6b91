"""How objects lay at a moment of the past: when another was put down or first seen, or a place entered."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.heading import named_way
from situ.questions.base import Answer
from situ.questions.programs.orders import first_seen
from situ.questions.programs.run import Run, described
from situ.questions.programs.schema import Set, fault, operator
from situ.questions.programs.world import InWorlds, World
from situ.questions.rules.resting import SAME_PLACE_M, frames_between, looks_back
from situ.questions.rules.wearer import last_frame
from situ.state.diary import WithVisits

SHOWN_S = 2.0  # after a moment, frames of it


def put_down_at(world: World, column: int, name: str, seconds: float) -> float:
    """When an object came to its present place, so long ago that what followed can be told."""
    start = _came_here(world, column)
    if start is None:
        raise Unanswerable(f"when {name} was put down is not known")
    if start + seconds > world.now + 1e-6:
        raise Unanswerable(f"{seconds:g} seconds have not passed since")
    return start


def _came_here(world: World, column: int) -> float | None:
    """The last time an object was seen elsewhere, in hands or not."""
    now, number = world.where_now(column), int(world.run.table.ids[column])
    if now is None:
        return None
    for look in world.run.kept(("looks", number), lambda: list(looks_back(world.state, number))):
        if look.box is not None and _apart(look.box, now) and look.time < world.now:
            return float(look.time)
    return None


def _apart(a: Box, b: Box) -> bool:
    return math.dist(a.center[:2], b.center[:2]) > SAME_PLACE_M


def last_put(world: World, which: Set) -> float:
    """When the wearer last put an object down."""
    moves = [move for move in world.moves(world.meant(which)) if move.by_wearer and not move.in_hand]
    if not moves:
        raise Unanswerable(f"when {described(which, 'the')} was last put down is not known")
    return moves[-1].arrived


def moment_of_put(run: Run, which: Set) -> float:
    """The same over all worlds: what most of them say."""
    found: list[float] = []
    for number in range(run.table.count):
        try:
            found.append(last_put(World(run, number), which))
        except Unanswerable:
            continue
    if not found:
        return last_put(World(run, 0), which)  # which says why
    return max(sorted({*found}), key=found.count)


@operator
@dataclass(frozen=True)
class DirectionThen(InWorlds):
    """The direction of an object from the wearer at the moment when they last put another down ("put"), first
    saw it ("first_seen"), or first came into a place ("entered")."""

    tag: ClassVar[str] = "direction_then"
    fair: ClassVar[float] = 5.0

    of: Set
    when: Literal["put", "first_seen", "entered"]
    anchor: Set | None = None
    place: str | None = None

    def checked(self, place: str) -> None:
        if (self.place is None) == (self.when == "entered") or (self.anchor is None) != (
            self.when == "entered"
        ):
            raise fault(place, "'entered' needs 'place'; 'put' and 'first_seen' need 'anchor'")

    def in_world(self, world: World) -> Answer:
        column, anchor = world.meant(self.of), self.anchor
        if self.when == "put" and anchor is not None:
            moment = last_put(world, anchor)
            frames = frames_between(world.state, moment, moment + SHOWN_S)
            found = self._direction(
                world, column, moment, (), frames, (int(world.run.table.ids[world.meant(anchor)]),)
            )
        elif anchor is not None:
            met = world.run.kept(("first seen", anchor), lambda: first_seen(world.run, anchor))
            # A glimpse before the first clear view makes the moment uncertain: both readings must agree.
            moment, path = world.path.time_of(met.clear), world.path
            found = self._direction(
                world,
                column,
                moment,
                (path.time_of(met.possible),),
                (met.clear,),
                (met.things[met.clear],),
                True,
            )
        else:
            visits = world.state.visits() if isinstance(world.state, WithVisits) else None
            entered = [] if visits is None else visits.of(str(self.place))
            if not entered:
                raise Unanswerable(f"I do not know when you entered the {self.place}")
            frame = world.path.index_at(entered[0].start)
            # People agree on the moment to within a step: the next frame must say the same.
            other = min(frame + 1, len(world.path) - 1)
            times = world.path.time_of(frame), world.path.time_of(other)
            found = self._direction(world, column, times[0], times[1:], (frame,), (), True)
        return found

    def _direction(
        self,
        world: World,
        column: int,
        moment: float,
        others: Sequence[float],
        shown: Sequence[int],
        anchors: tuple[int, ...],
        seen_by_then: bool = False,
    ) -> Answer:
        """Where an object was from the wearer at a moment; no margin is left where that is another way at the
        other moments."""
        number, box = int(world.run.table.ids[column]), world.where_at(column, moment)
        seen = world.run.kept(("last", number, moment), lambda: last_frame(world.state.as_of(moment), number))
        if box is None or (seen_by_then and not seen):
            raise Unanswerable(f"where {described(self.of, 'the')} was at that time is not known")
        bearing, distance, up = world.path.heading_at(moment).polar(box.center)
        value, margin = named_way(bearing, distance)
        for other in others:
            also, least = named_way(*world.path.heading_at(other).polar(box.center)[:2])
            margin = min(margin, least) if also == value else 0.0
        numbers = {"bearing_deg": bearing, "distance_m": distance, "up_m": up}
        return Answer(value, margin, tuple(sorted({*shown, *seen})), numbers, (number, *anchors))
