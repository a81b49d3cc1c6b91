"""What was done and how it was then: directions at the moment of an act, acts counted, acts of others."""

from dataclasses import dataclass
from typing import ClassVar

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.heading import SAME_LOCATION, SECTORS, named_way
from situ.questions.base import Answer, question_kind
from situ.questions.programs.named import Named, OfOne, things
from situ.questions.programs.relations import FAIR_DEG
from situ.questions.programs.schema import Json
from situ.questions.rules.dates import in_order
from situ.questions.rules.moves import Move, Put, all_puts, frames_of, moves_of, sure_of, view_of
from situ.questions.rules.relations import INSIDE, ON, related
from situ.questions.rules.resting import frames_between, meant
from situ.questions.rules.ways import TURN_WORDS
from situ.questions.rules.wearer import heading_now, last_frame, last_frames
from situ.questions.scene.counting import certainty
from situ.questions.select import Selector
from situ.state.protocol import ObjectView, SpatialState

APART_S = 30.0
ALL_ACTS = 0.9  # of such counts on generated days, seen by a detector with faults, so many were right
GUESSED_ON = 0.6  # how likely a thing is where it seems to have been put, though nobody saw it there


@question_kind
@dataclass(frozen=True)
class WhereWhenPut:
    """The direction of a thing from the wearer at the moment when another came to its present place."""

    which: Selector
    anchor: Selector

    kind: ClassVar[str] = "where_when_put"
    frame: ClassVar[str] = "the wearer's heading and place when the thing was put down; only yaw counts"
    margin_unit: ClassVar[str] = "degrees to the nearest other sector"
    min_margin: ClassVar[float] = 5.0

    @property
    def text(self) -> str:
        return (
            f"When I last put down the {self.anchor.singular}, "
            f"in which direction from me was the {self.which.singular}?"
        )

    @property
    def options(self) -> tuple[str, ...]:
        return (*SECTORS, SAME_LOCATION)

    def answer(self, state: SpatialState) -> Answer:
        thing, put = meant(state, self.which), meant(state, self.anchor)
        moves = [move for move in moves_of(state, put) if move.by_wearer and not move.in_hand]
        box = state.where(thing.id, moves[-1].arrived) if moves else None
        if box is None:
            raise Unanswerable(f"where things were when the {self.anchor.singular} was put down is not known")
        moment = moves[-1].arrived
        bearing, distance, up = state.path.heading_at(moment).polar(box.center)
        frames = {*frames_between(state, moment, moment + 2.0), *last_frame(state.as_of(moment), thing.id)}
        numbers = {"bearing_deg": bearing, "distance_m": distance, "up_m": up}
        return Answer(*named_way(bearing, distance), tuple(sorted(frames)), numbers, (thing.id, put.id))


@question_kind
@dataclass(frozen=True)
class TurnTowards(OfOne):
    """Which way the wearer has to turn to walk towards a thing: in the words of a guide."""

    kind: ClassVar[str] = "turn_towards"
    margin_unit: ClassVar[str] = "degrees to the nearest other sector"
    min_margin: ClassVar[float] = 5.0
    unit: ClassVar[float] = FAIR_DEG

    @property
    def text(self) -> str:
        return f"Which way do I have to turn to walk towards {self.name}?"

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(TURN_WORDS.values())

    @property
    def program(self) -> Json:
        return {"ask": "get", "what": "turn", "of": self.one()}


@question_kind
@dataclass(frozen=True)
class TimesPut:
    """How many times the wearer put something on or into a piece of furniture."""

    anchor: Selector

    kind: ClassVar[str] = "times_put"
    frame: ClassVar[str] = "the furniture named; no direction is involved"
    margin_unit: ClassVar[str] = "1 where every move is on record"
    min_margin: ClassVar[float] = 0.5

    @property
    def text(self) -> str:
        return f"How many times have I put something on or into the {self.anchor.singular}?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        anchor = meant(state, self.anchor)
        puts = [
            put
            for put in all_puts(state, anchor.box)
            if _carried(state, put.stay.box, anchor) and not _refuted(state, put)
        ]
        guessed = sum(not put.seen for put in puts)
        times = sorted((put.stay.start for put in puts), reverse=True)[:4]
        frames = {
            frame for time in times for frame in frames_between(state, time, min(state.now, time + 2.0))
        }
        evidence = tuple(sorted(frames)) or last_frame(state, anchor.id)
        # A thing that vanished from the hands before a piece of furniture is on it rather than not.
        sure = 1.0 if state.strict else ALL_ACTS * GUESSED_ON**guessed
        return Answer(len(puts), 1.0, evidence, {"count": len(puts)}, (), sure_of(len(puts), sure))


def _refuted(state: SpatialState, put: Put) -> bool:
    """Whether a thing was only guessed to have been put there, and then was not there."""
    thing = put.stay.object_id
    if put.seen or state.strict or not put.latest:
        return False
    view = view_of(state, thing)
    named = [] if view is None else state.candidates(Selector(view.category))
    return any(other.id == thing and not other.left for other in named)


def _carried(state: SpatialState, box: Box, anchor: ObjectView) -> bool:
    here = heading_now(state)
    return any(related(here, box, anchor.box, relation) for relation in (ON, INSIDE))


@question_kind
@dataclass(frozen=True)
class KindsOn(Named):
    """How many different kinds of things are on a piece of furniture."""

    anchor: Selector

    kind: ClassVar[str] = "kinds_on"
    frame: ClassVar[str] = "the furniture named; no direction is involved"
    margin_unit: ClassVar[str] = "how clearly each thing is on it or not, 1 where it is fair to ask"
    unit: ClassVar[float] = 1.0

    @property
    def text(self) -> str:
        return f"How many different kinds of things are on the {self.anchor.singular}?"

    @property
    def program(self) -> Json:
        anchor = {"op": "the", "of": things(self.anchor)}
        return {"ask": "count", "kinds": True, "of": {"op": "rel", "rel": "on", "to": anchor}}


@question_kind
@dataclass(frozen=True)
class GoneSince:
    """How many of a kind were there at a time and are not any more; if `added`, the other way round."""

    which: Selector
    time: float
    added: bool = False

    kind: ClassVar[str] = "gone_since"
    frame: ClassVar[str] = "everything that is believed to be there at the two times"
    margin_unit: ClassVar[str] = "certainty that each object counts, 0 to 1"
    min_margin: ClassVar[float] = 0.5

    @property
    def text(self) -> str:
        return f"How many {self.which.plural} have {'come' if self.added else 'gone'} since {self.time:g} s?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        found = [thing for thing in state.candidates(self.which) if thing.likely]
        then = [state.where(thing.id, self.time) is not None for thing in found]
        now = [state.where(thing.id, state.now) is not None for thing in found]
        these = [
            thing
            for thing, was, is_there in zip(found, then, now, strict=True)
            if was != is_there and is_there == self.added
        ]
        frames = last_frames(these) or last_frames(found)
        return Answer(len(these), certainty(found), frames, {"count": len(these)})


@question_kind
@dataclass(frozen=True)
class MovedByOther:
    """Which of several things was the last to be moved by somebody else than the wearer."""

    choices: tuple[Selector, ...]

    kind: ClassVar[str] = "moved_by_other"
    frame: ClassVar[str] = "places of rest, one after the other; no direction is involved"
    margin_unit: ClassVar[str] = "spans of thirty seconds to the next such move of another of them"
    min_margin: ClassVar[float] = 0.25

    @property
    def text(self) -> str:
        return "Which of these did somebody else move last?"

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(choice.singular for choice in self.choices)

    def answer(self, state: SpatialState) -> Answer:
        last: dict[str, Move] = {}
        for choice in self.choices:
            try:
                moves = [move for move in moves_of(state, meant(state, choice)) if not move.by_wearer]
            except Unanswerable:
                continue
            if moves:
                last[choice.singular] = moves[-1]
        if not last:
            raise Unanswerable("as far as I know nobody else has moved any of these")
        order = sorted(last, key=lambda name: -last[name].arrived)
        best = last[order[0]]
        margin = (best.arrived - last[order[1]].arrived) / APART_S if len(order) > 1 else 9.0
        sure = best.view.presence * in_order(state, best, [last[name] for name in order[1:]])
        numbers, odds = {"arrived_s": best.arrived}, sure_of(order[0], sure)
        return Answer(order[0], margin, frames_of(state, best), numbers, (best.view.id,), odds)
