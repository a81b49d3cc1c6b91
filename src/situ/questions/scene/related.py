"""What is on, under or beside a thing; whether one thing is; and how many are."""

import math
from dataclasses import dataclass
from typing import ClassVar

from situ.errors import BadInput, Unanswerable
from situ.questions.base import Answer, question_kind
from situ.questions.rules.landmarks import around, chance_of, there
from situ.questions.rules.listing import in_words
from situ.questions.rules.moves import sure_of
from situ.questions.rules.relations import ASIDE_M, IN, WORDS, related
from situ.questions.rules.shown import shown
from situ.questions.rules.tally import Tally
from situ.questions.rules.unseen import agreement, put_down_unseen
from situ.questions.rules.wearer import WEARER_NOW, heading_now, last_frames_of
from situ.questions.scene.view import NO, YES
from situ.questions.select import Selector, with_article
from situ.state.protocol import LIKELY, ObjectView, SpatialState

ARM_M, SURFACES = 1.0, 2.0  # from where somebody puts a thing, and between how many places there
_FRAME = f"the two things; behind, in front, left and right are for {WEARER_NOW}"


@dataclass(frozen=True)
class _Relative:
    """A question about what stands in a relation to an anchor; of several anchors all count."""

    relation: str
    anchor: Selector

    frame: ClassVar[str] = _FRAME
    margin_unit: ClassVar[str] = "certainty that the things are there, 0 to 1"
    min_margin: ClassVar[float] = 0.5

    def __post_init__(self) -> None:
        if self.relation not in WORDS or self.relation == IN:
            raise BadInput(f"a relation is one of {', '.join(WORDS)}, got {self.relation!r}")

    @property
    def words(self) -> str:
        return f"{WORDS[self.relation]} the {self.anchor.singular}"

    def anchors(self, state: SpatialState) -> list[ObjectView]:
        found = [thing.view for thing in there(state, self.anchor)]
        if not found:
            raise Unanswerable(f"I have not seen {with_article(self.anchor.singular)}")
        return found

    def beside(self, state: SpatialState, which: Selector | None = None) -> list[ObjectView]:
        """What stands in the relation to any of the anchors."""
        here, found = heading_now(state), dict[int, ObjectView]()
        for anchor in self.anchors(state):
            reach = ASIDE_M + max(anchor.box.size[:2])
            for view in around(state, anchor.box.center, reach):
                fits = which is None or which.matches(view)
                if fits and view.id != anchor.id and related(here, view.box, anchor.box, self.relation):
                    found[view.id] = view
        return [view for view in found.values() if shown(state, view) > LIKELY]

    def sure(self, state: SpatialState, view: ObjectView) -> float:
        """How likely one of those is there."""
        return chance_of([view]) * shown(state, view)

    def unseen(self, state: SpatialState, which: Selector | None = None) -> float:
        """How many things may have been put there unseen, on one of the surfaces around the anchors."""
        return sum(
            put_down_unseen(state, anchor.box.center, ARM_M + max(anchor.box.size[:2]) / 2, which) / SURFACES
            for anchor in self.anchors(state)
        )


def _ids(views: list[ObjectView]) -> tuple[int, ...]:
    return tuple(view.id for view in views)


def _frames(state: SpatialState, views: list[ObjectView]) -> tuple[int, ...]:
    return last_frames_of(state, _ids(views[:8]))


@question_kind
@dataclass(frozen=True)
class RelatedTo(_Relative):
    """What is on (under, behind, left of ...) a thing."""

    kind: ClassVar[str] = "related_to"

    @property
    def text(self) -> str:
        return f"What is {self.words}?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        found = self.beside(state)
        words = in_words(found)
        sure = agreement(len(found), sum(self.sure(state, v) for v in found), self.unseen(state))
        numbers = {"count": len(found)}
        return Answer(
            words, chance_of(found), _frames(state, found), numbers, _ids(found), sure_of(words, sure)
        )


@question_kind
@dataclass(frozen=True)
class CountRelated(_Relative):
    """How many things of a kind are on (under, behind ...) a thing."""

    which: Selector

    kind: ClassVar[str] = "count_related"

    @property
    def text(self) -> str:
        return f"How many {self.which.plural} are {self.words}?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        found = self.beside(state, self.which)
        tally = Tally([self.sure(state, view) for view in found])
        whole = math.exp(-self.unseen(state, self.which))
        odds = {number: share * whole for number, share in tally.odds.items()}
        numbers, frames = {"count": tally.value}, _frames(state, found)
        return Answer(tally.value, chance_of(found), frames, numbers, _ids(found), odds)


@question_kind
@dataclass(frozen=True)
class IsRelated(_Relative):
    """Whether a thing of a kind is on (under, behind ...) a thing."""

    which: Selector

    kind: ClassVar[str] = "is_related"

    @property
    def text(self) -> str:
        return f"Is the {self.which.singular} {self.words}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    def answer(self, state: SpatialState) -> Answer:
        named = [thing for thing in state.candidates(self.which) if thing.likely]
        if not named:
            raise Unanswerable(f"I have not seen {with_article(self.which.singular)}")
        found = self.beside(state, self.which)
        rest = [thing.view for thing in named if thing.left]
        sure = max((chance_of([view]) for view in found or rest), default=1.0)
        views, value = found or [thing.view for thing in named], YES if found else NO
        numbers = {"count": len(found)}
        return Answer(value, sure, _frames(state, views), numbers, _ids(views), sure_of(value, sure))
