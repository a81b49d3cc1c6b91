"""What was seen first."""

from dataclasses import dataclass
from typing import ClassVar

from situ.questions.base import question_kind
from situ.questions.programs.named import Raw, things
from situ.questions.programs.orders import AFTER as AFTER
from situ.questions.programs.orders import BEFORE as BEFORE
from situ.questions.programs.orders import SAME_TIME as SAME_TIME
from situ.questions.programs.orders import FirstSeen
from situ.questions.programs.orders import first_seen as first_seen_in
from situ.questions.programs.parser import parse_set
from situ.questions.programs.run import Run
from situ.questions.programs.schema import Json
from situ.questions.programs.true_worlds import worlds_of
from situ.questions.select import Selector
from situ.state.protocol import SpatialState


@question_kind
@dataclass(frozen=True)
class FirstSeenOrder(Raw):
    """Whether the first frame that shows one kind comes before the first frame that shows another."""

    first: Selector
    second: Selector

    kind: ClassVar[str] = "first_seen_order"
    frame: ClassVar[str] = "the recording's frames in order"
    margin_unit: ClassVar[str] = "frames by which the order could shift without changing the answer"
    min_margin: ClassVar[float] = 0.5
    asks = "Did we first see {first:a} before, after, or at the same time as we first saw {second:a}?"
    offers = (BEFORE, AFTER, SAME_TIME)
    does: ClassVar[Json] = {"ask": "order", "of": ["{first:ever}", "{second:ever}"]}


def first_seen(state: SpatialState, which: Selector) -> FirstSeen:
    """When an object that a phrase picks out came into view for the first time."""
    return first_seen_in(Run(worlds_of(state)), parse_set(things(which, ever=True)))
