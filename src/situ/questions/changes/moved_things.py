"""What the wearer or somebody else moved: all of it, and the last."""

from abc import ABC
from dataclasses import dataclass, replace
from typing import ClassVar

from situ.errors import Unanswerable
from situ.questions.base import Answer, question_kind
from situ.questions.programs.named import Named, things
from situ.questions.programs.run import NoneSeen, Result
from situ.questions.programs.schema import Json
from situ.questions.rules.listing import NOTHING, SEPARATOR
from situ.questions.rules.moves import OfMoves
from situ.state.protocol import SpatialState

_APART_S = 5.0


class _OfMoved(Named, ABC):
    frame: ClassVar[str] = OfMoves.frame
    margin_unit: ClassVar[str] = OfMoves.margin_unit
    min_margin: ClassVar[float] = OfMoves.min_margin


@question_kind
@dataclass(frozen=True)
class LastMoved(_OfMoved):
    """The object that was moved last; by the wearer, if `mine`."""

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
        return replace(found, numbers={"age_s": state.now - found.numbers["moved_at_s"]})


@question_kind
@dataclass(frozen=True)
class MovedThings(_OfMoved):
    """Which objects were moved since a time; by the wearer, if `mine`; by somebody else, if `others`."""

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
        by = "other" if self.others else "me" if self.mine else None
        moved = {"op": "did", "act": "moved", "of": things(ever=True), "since": self.since, "by": by}
        return {"ask": "list", "of": moved, "by": "moved_at", "least": False}

    def told(self, result: Result) -> Answer:
        names = dict.fromkeys(f"the {one.name}" for one in result.entries)
        words, numbers = SEPARATOR.join(names) or NOTHING, {"count": len(names)}
        return replace(super().told(result), value=words, numbers=numbers, odds={words: result.confidence})
