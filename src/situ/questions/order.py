"""What was seen first."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from situ.errors import Unanswerable
from situ.questions.base import Answer, question_kind
from situ.questions.select import Selector, with_article
from situ.state.protocol import SpatialState

BEFORE, AFTER, SAME_TIME = "before", "after", "same time"


class FirstSeen(NamedTuple):
    """The first frame that shows a kind clearly, and the first that may show it."""

    clear: int
    possible: int


@question_kind
@dataclass(frozen=True)
class FirstSeenOrder:
    """Whether the first frame that shows one kind comes before the first frame that shows another."""

    first: Selector
    second: Selector

    kind: ClassVar[str] = "first_seen_order"
    frame: ClassVar[str] = "the recording's frames in order"
    margin_unit: ClassVar[str] = "frames by which the order could shift without changing the answer"
    min_margin: ClassVar[float] = 0.5

    @property
    def text(self) -> str:
        first, second = with_article(self.first.singular), with_article(self.second.singular)
        return f"Did we first see {first} before, after, or at the same time as we first saw {second}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (BEFORE, AFTER, SAME_TIME)

    def answer(self, state: SpatialState) -> Answer:
        a, b = first_seen(state, self.first), first_seen(state, self.second)
        value = _order(a.clear, b.clear)
        # A glimpse before the first clear view makes the moment uncertain: every reading must agree.
        readings = {_order(x, y) for x in (a.clear, a.possible) for y in (b.clear, b.possible)}
        margin = 0.0 if len(readings) > 1 else float(max(1, abs(a.clear - b.clear)))
        return Answer(value, margin, tuple(sorted({a.clear, b.clear})), {"first": a.clear, "second": b.clear})


def first_seen(state: SpatialState, which: Selector) -> FirstSeen:
    """When a kind of object came into view for the first time."""
    # Sightings come in order, so the first of each object is enough; a long memory holds very many.
    found = [thing.seen for thing in state.candidates(which) if thing.possible]
    clear = [next((s.frame for s in seen if s.clarity == 1.0), None) for seen in found]
    if all(frame is None for frame in clear):
        raise Unanswerable(f"no {which.singular} has been seen clearly")
    possible = [next((s.frame for s in seen), None) for seen in found]
    return FirstSeen(min(f for f in clear if f is not None), min(f for f in possible if f is not None))


def _order(a: int, b: int) -> str:
    if a == b:
        return SAME_TIME
    return BEFORE if a < b else AFTER
