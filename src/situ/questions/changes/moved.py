"""What became of one thing: whether it was moved, by whom, when, from where to where."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.questions.base import Answer, question_kind
from situ.questions.programs.table import Worlds
from situ.questions.rules.dates import CARRIED_ON, ended, ended_after
from situ.questions.rules.landmarks import chance_of, spot_name, spot_sure
from situ.questions.rules.moves import WHEN_MOVED, Move, OfMoves, begin, frames_of, moves_of, sure_of
from situ.questions.rules.resting import meant
from situ.questions.rules.twins import own_history
from situ.questions.rules.wearer import last_frame
from situ.questions.scene.view import NO, YES
from situ.questions.select import Selector
from situ.state.protocol import LIKELY, ObjectView, SpatialState

YOU, OTHERS = "you", "somebody else"
MOVED, GONE, UNCHANGED, IN_HAND, BACK = (
    "moved",
    "gone",
    "unchanged",
    "in your hands",
    "moved and brought back",
)
FATES = (MOVED, GONE, UNCHANGED, IN_HAND, BACK)
_ABOUT_S = 6.0  # to which a time is right
MOVED_M = 0.4
_Holds = Callable[[Worlds, int, Move], NDArray[np.bool_]]


@dataclass(frozen=True)
class _OfThing(OfMoves):
    """About the moves of one thing since a time."""

    which: Selector
    since: float | None = None

    def moves(self, state: SpatialState) -> tuple[ObjectView, list[Move]]:
        view = meant(state, self.which)
        return view, [move for move in moves_of(state, view) if move.arrived > begin(self.since)]

    def unmoved(self, state: SpatialState, view: ObjectView) -> float:
        """How likely a thing was not moved since the time, if no move since is known: all that happened to
        it is known, and its last move ended before."""
        early = moves_of(state, view)[-1:] if self.since is not None else []
        before = min((1.0 - ended_after(state, move, begin(self.since)) for move in early), default=1.0)
        return chance_of([view]) * own_history(state, view) * before

    def last(self, state: SpatialState) -> tuple[ObjectView, Move]:
        """The last move of the thing meant; of several things of a name, one that was moved is meant."""
        moves = self.moves(state)[1]
        if not moves:
            likely = (thing.view for thing in state.candidates(self.which) if thing.likely)
            others = [move for view in likely for move in moves_of(state, view, begin(self.since))]
            moves = sorted(others, key=lambda move: move.arrived)
        if not moves:
            raise Unanswerable(f"as far as I know the {self.which.singular} has not been moved")
        return moves[-1].view, moves[-1]

    def sure(self, state: SpatialState, move: Move) -> float:
        """How likely it is a thing, that moved so, and not another like it."""
        return move.view.presence * own_history(state, move.view) * happened(state, move)


def happened(state: SpatialState, *moves: Move) -> float:
    """How likely any of some told moves of a thing happened: what turned up elsewhere may be another."""
    return _share_of_worlds(state, moves, lambda table, k, move: table.happened(k, move))


def _share_of_worlds(state: SpatialState, moves: Sequence[Move], holds: _Holds) -> float:
    """In which share of the worlds something holds of any of some moves of a thing."""
    table, view = Worlds.of(state), moves[0].view
    column = table.column.get(view.id)
    if column is None:
        return 1.0
    return float(np.logical_or.reduce([holds(table, column, move) for move in moves]).mean())


@question_kind
@dataclass(frozen=True)
class HasMoved(_OfThing):
    """Whether a thing has been moved since a time."""

    kind: ClassVar[str] = "has_moved"

    @property
    def text(self) -> str:
        return f"Has the {self.which.singular} been moved?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    def answer(self, state: SpatialState) -> Answer:
        view, moves = self.moves(state)
        gone = state.where(view.id, state.now) is None
        frames = frames_of(state, moves[-1]) if moves else last_frame(state, view.id)
        if not (moves or gone):
            sure = self.unmoved(state, view)
        else:
            ends = [move.after for move in moves[-1:] if move.after is not None]
            sure = view.presence * min((spot_sure(state, box, view.id) for box in ends), default=1.0)
            sure *= max((ended_after(state, move, begin(self.since)) for move in moves), default=1.0)
            sure *= 1.0 if gone else happened(state, *moves)
        value = YES if moves or gone else NO
        numbers = {"count": len(moves) + gone}
        return Answer(value, 1.0, frames, numbers, (view.id,), sure_of(value, sure))


@question_kind
@dataclass(frozen=True)
class HappenedTo(_OfThing):
    """What became of a thing since a time: moved, gone, in hand, brought back, or nothing."""

    kind: ClassVar[str] = "happened_to"

    @property
    def text(self) -> str:
        return f"What happened to the {self.which.singular}?"

    @property
    def options(self) -> tuple[str, ...]:
        return FATES

    def answer(self, state: SpatialState) -> Answer:
        view, moves = self.moves(state)
        frames = frames_of(state, moves[-1]) if moves else last_frame(state, view.id)
        numbers: dict[str, float] = {"count": len(moves)}
        value, margin, sure = self._fate(state, view, moves)
        if value in (MOVED, BACK):
            numbers["moved_m"] = margin
        return Answer(value, margin, frames, numbers, (view.id,), sure_of(value, sure))

    def _fate(self, state: SpatialState, view: ObjectView, moves: list[Move]) -> tuple[str, float, float]:
        """What became of it, by how much, and how surely."""
        if state.where(view.id, state.now) is None:
            return GONE, 1.0, view.presence
        if not moves:
            return UNCHANGED, 1.0, self.unmoved(state, view)
        first, last = moves[0], moves[-1]
        sure = view.presence * happened(state, *moves)
        if last.after is None:
            return (IN_HAND if last.in_hand else MOVED), 1.0, sure
        apart = math.dist(first.before.center, last.after.center)
        return (MOVED if apart > MOVED_M else BACK), abs(apart - MOVED_M), sure


@question_kind
@dataclass(frozen=True)
class StillThere(_OfThing):
    """Whether a thing is still where it was last seen, or at a time; if `gone`, whether it is not."""

    gone: bool = False

    kind: ClassVar[str] = "still_there"

    @property
    def text(self) -> str:
        return f"Is the {self.which.singular} {'gone' if self.gone else 'still there'}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    def answer(self, state: SpatialState) -> Answer:
        view, moves = self.moves(state)
        there = state.where(view.id, state.now) is not None
        if self.since is not None:
            there = there and not moves
        chance = chance_of([view])
        value = YES if there != self.gone else NO
        odds = sure_of(value, max(chance, 1.0 - chance))
        return Answer(value, 1.0, last_frame(state, view.id), {}, (view.id,), odds)


@question_kind
@dataclass(frozen=True)
class MovedWhen(_OfThing):
    """When a thing came to its present place, in seconds on the recording's clock."""

    kind: ClassVar[str] = "moved_when"

    @property
    def text(self) -> str:
        return f"When was the {self.which.singular} last moved?"

    def answer(self, state: SpatialState) -> Answer:
        view, move = self.last(state)
        sure = self.sure(state, move) * WHEN_MOVED * ended(state, move).within(_ABOUT_S)
        numbers, odds = {"age_s": state.now - move.arrived}, sure_of(move.arrived, sure)
        return Answer(move.arrived, 1.0, frames_of(state, move), numbers, (view.id,), odds)


@question_kind
@dataclass(frozen=True)
class MovedBy(_OfThing):
    """Who moved a thing last, as far as its being in the wearer's hands tells."""

    kind: ClassVar[str] = "moved_by"

    @property
    def text(self) -> str:
        return f"Who moved the {self.which.singular}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YOU, OTHERS)

    def answer(self, state: SpatialState) -> Answer:
        view, move = self.last(state)
        told = _share_of_worlds(state, [move], lambda table, k, one: table.by_wearer(k, one))
        value = YOU if told > LIKELY else OTHERS
        sure = self.sure(state, move) * max(told, 1.0 - told)
        return Answer(value, 1.0, frames_of(state, move), {}, (view.id,), sure_of(value, sure))


@question_kind
@dataclass(frozen=True)
class CameFrom(_OfThing):
    """On which piece of furniture, or in which room, a thing was before its present place."""

    kind: ClassVar[str] = "came_from"

    @property
    def text(self) -> str:
        return f"Where was the {self.which.singular} before it was last moved?"

    def answer(self, state: SpatialState) -> Answer:
        view, move = self.last(state)
        name = spot_name(state, move.before, view.id)
        if not name:
            raise Unanswerable(f"I know no name for where the {self.which.singular} was before")
        sure = self.sure(state, move) * spot_sure(state, move.before, view.id)
        return Answer(name, 1.0, frames_of(state, move), {}, (view.id,), sure_of(name, sure))


@question_kind
@dataclass(frozen=True)
class MovedFromTo(_OfThing):
    """From where to where a thing was last moved, by furniture or room."""

    kind: ClassVar[str] = "moved_from_to"

    @property
    def text(self) -> str:
        return f"From where to where was the {self.which.singular} last moved?"

    def answer(self, state: SpatialState) -> Answer:
        view, move = self.last(state)
        start = spot_name(state, move.before, view.id) or "another place"
        end = "elsewhere"
        if move.in_hand:
            end = "your hands"
        elif move.after is not None and (name := spot_name(state, move.after, view.id)):
            end = f"the {name}"
        words = f"from the {start} to {end}"
        sure = self.sure(state, move) * spot_sure(state, move.before, view.id)
        if move.after is not None and not move.in_hand:
            sure *= spot_sure(state, move.after, view.id)
        elif not move.in_hand:  # put out of sight, or carried on to where it could be seen
            sure *= 1.0 - CARRIED_ON
        return Answer(words, 1.0, frames_of(state, move), {}, (view.id,), sure_of(words, sure))
