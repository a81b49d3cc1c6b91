"""In which order kinds of things first come into view."""

from dataclasses import dataclass
from itertools import pairwise, permutations
from typing import ClassVar

from situ.questions.base import Answer, question_kind
from situ.questions.scene.order import first_seen
from situ.questions.select import Selector
from situ.state.protocol import SpatialState


@question_kind
@dataclass(frozen=True)
class AppearanceOrder:
    """The order of first appearance of several categories, as "a, b, c, d".

    `orders` are the orders offered; all of them where none is given.
    """

    which: tuple[Selector, ...]
    orders: tuple[str, ...] = ()

    kind: ClassVar[str] = "appearance_order"
    frame: ClassVar[str] = "the recording's frames in order"
    margin_unit: ClassVar[str] = "frames between the two first appearances that are nearest in time"
    min_margin: ClassVar[float] = 1.0

    @property
    def text(self) -> str:
        names = ", ".join(which.singular for which in self.which)
        return f"In which order do these first come into view: {names}?"

    @property
    def options(self) -> tuple[str, ...]:
        if self.orders:
            return self.orders
        return tuple(", ".join(order) for order in permutations(w.singular for w in self.which))

    def answer(self, state: SpatialState) -> Answer:
        seen = {which.singular: first_seen(state, which) for which in self.which}
        order = sorted(seen, key=lambda name: seen[name].clear)
        # A glimpse may already count as an appearance, so a kind must be clear before the next one glimmers.
        gaps = [min(seen[b].clear, seen[b].possible) - seen[a].clear for a, b in pairwise(order)]
        evidence = tuple(sorted({first.clear for first in seen.values()}))
        return Answer(", ".join(order), float(max(0, min(gaps, default=0))), evidence)
