"""What the wearer or somebody else moved: all of it, and the last."""

from dataclasses import dataclass, replace
from typing import ClassVar

from situ.errors import Unanswerable
from situ.questions.base import Answer, question_kind
from situ.questions.programs.named import Named, things
from situ.questions.programs.run import NoneSeen, Result
from situ.questions.programs.schema import Json
from situ.questions.programs.table import Worlds
from situ.questions.programs.tallies import UNKNOWN
from situ.questions.rules.dates import in_order
from situ.questions.rules.listing import NOTHING, SEPARATOR
from situ.questions.rules.moves import OfMoves
from situ.state.protocol import SpatialState

_APART_S = 5.0


@dataclass(frozen=True)
class _OfMoved(Named):
    frame: ClassVar[str] = OfMoves.frame
    margin_unit: ClassVar[str] = OfMoves.margin_unit
    min_margin: ClassVar[float] = OfMoves.min_margin


def _doubted(found: Result, sure: float) -> Result:
    """A result that is right only if something else is, which is so likely."""
    odds = {value: share * sure for value, share in found.odds.items()}
    if sure < 1.0:
        odds[UNKNOWN] = odds.get(UNKNOWN, 0.0) + 1.0 - sure
    return replace(found, odds=odds, confidence=found.confidence * sure)


@question_kind
@dataclass(frozen=True)
class LastMoved(_OfMoved):
    """The thing that was moved last; by the wearer, if `mine`."""

    mine: bool = True

    kind: ClassVar[str] = "last_moved"
    margin_unit: ClassVar[str] = "spans of five seconds to the move before"
    unit: ClassVar[float] = 1 / _APART_S
    largest: ClassVar[float] = 9.0

    @property
    def text(self) -> str:
        return "What did I move last?" if self.mine else "What was moved last?"

    @property
    def program(self) -> Json:
        by = "me" if self.mine else None
        moved = {"op": "did", "act": "moved", "of": things(ever=True), "by": by}
        last = {"op": "top", "of": moved, "by": {"measure": "moved_at", "by": by}, "least": False}
        return {"ask": "get", "what": "name", "of": last}

    def result(self, state: SpatialState) -> Result:
        try:
            found = super().result(state)
        except NoneSeen as error:
            raise Unanswerable("as far as I know nothing has been moved") from error
        found = replace(found, numbers={"age_s": state.now - found.numbers["moved_at_s"]})
        return _doubted(found, self._in_order(state, found.things[0]))

    def _in_order(self, state: SpatialState, told: int) -> float:
        """How likely the last move of what is told came after those of all others: what was put down out of
        view is dated by when it was seen again, or by a guess."""
        runs = Worlds.of(state).moves().values()
        mine = [[move for move in run if move.by_wearer or not self.mine] for run in runs]
        last = {run[0].view.id: max(run, key=lambda move: move.arrived) for run in mine if run}
        if told not in last:
            return 1.0
        return in_order(state, last[told], [move for number, move in last.items() if number != told])


@question_kind
@dataclass(frozen=True)
class MovedThings(_OfMoved):
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

    @property
    def program(self) -> Json:
        moved = {"op": "did", "act": "moved", "of": things(ever=True), "since": self.since}
        moved["by"] = "other" if self.others else "me" if self.mine else None
        return {"ask": "list", "of": moved, "by": "moved_at", "least": False}

    def told(self, result: Result) -> Answer:
        names = dict.fromkeys(f"the {one.name}" for one in result.entries)
        words, numbers = SEPARATOR.join(names) or NOTHING, {"count": len(names)}
        return replace(super().told(result), value=words, numbers=numbers, odds={words: result.confidence})
