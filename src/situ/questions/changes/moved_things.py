"""What the wearer or somebody else moved: all of it, and the last."""

import math
from dataclasses import dataclass
from typing import ClassVar

from situ.errors import Unanswerable
from situ.questions.base import Answer, question_kind
from situ.questions.rules.dates import in_order, in_time
from situ.questions.rules.landmarks import plain_name
from situ.questions.rules.moves import (
    OfMoves,
    all_runs,
    begin,
    frames_of,
    late_moves,
    listed,
    sure_of,
)
from situ.questions.rules.twins import own_histories
from situ.state.protocol import SpatialState

_APART_S = 5.0


NOTICED_S = 5.0  # a thing is in the hands for some frames before that is believed


@question_kind
@dataclass(frozen=True)
class LastMoved(OfMoves):
    """The thing that was moved last; by the wearer, if `mine`."""

    mine: bool = True

    kind: ClassVar[str] = "last_moved"
    margin_unit: ClassVar[str] = "spans of five seconds to the move before"

    @property
    def text(self) -> str:
        return "What did I move last?" if self.mine else "What was moved last?"

    def answer(self, state: SpatialState) -> Answer:
        moves, since = late_moves(state, self.mine)
        if not moves:
            raise Unanswerable("as far as I know nothing has been moved")
        last = moves[0]
        others = [move for move in moves[1:] if move.view.id != last.view.id]
        margin = (last.arrived - others[0].arrived) / _APART_S if others else 9.0
        if last.in_hand:  # a moment before it was taken up, another one was the last
            margin = min(margin, (state.now - last.left) / _APART_S)
        numbers, name = {"age_s": state.now - last.arrived}, plain_name(last.view)
        sure = last.view.presence * own_histories(state, state.objects(), last.left)
        sure *= in_order(state, last, others)
        # Moves come at a rate; one of the last seconds would not be known yet.
        span = max(state.now - since, NOTICED_S)
        odds = sure_of(name, sure * math.exp(-NOTICED_S * len(moves) / span))
        return Answer(name, margin, frames_of(state, last), numbers, (last.view.id,), odds)


@question_kind
@dataclass(frozen=True)
class MovedThings(OfMoves):
    """Which things were moved since a time; by the wearer, if `mine`; by somebody else, if `others`."""

    since: float | None = None
    mine: bool = True
    others: bool = False

    kind: ClassVar[str] = "moved_things"

    @property
    def text(self) -> str:
        if self.others:
            return "What did somebody else move?"
        return "What did I move?" if self.mine else "What was moved?"

    def answer(self, state: SpatialState) -> Answer:
        since = begin(self.since)
        runs = all_runs(state, since)
        by_wearer = False if self.others else True if self.mine else None
        firsts = (next(run.earliest_first(by_wearer), None) for run in runs)
        moves = [first for first in firsts if first is not None]
        sure = in_time(state, moves, since) * own_histories(state, state.objects(), since)
        moved = {move.view.id for move in moves}
        found = [run.latest_first(by_wearer) for run in runs if run.view.id in moved]
        return listed(state, found, sure)
