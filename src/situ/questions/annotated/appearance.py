"""In which order kinds of objects first come into view."""

from dataclasses import dataclass
from itertools import permutations
from typing import ClassVar

from situ.questions.base import question_kind
from situ.questions.programs.named import Raw
from situ.questions.programs.schema import Json
from situ.questions.select import Selector


@question_kind
@dataclass(frozen=True)
class AppearanceOrder(Raw):
    """The order of first appearance of several categories, as "a, b, c, d".

    `orders` are the orders offered; all of them where none is given.
    """

    which: tuple[Selector, ...]
    orders: tuple[str, ...] = ()

    kind: ClassVar[str] = "appearance_order"
    frame: ClassVar[str] = "the recording's frames in order"
    margin_unit: ClassVar[str] = "frames between the two first appearances that are nearest in time"
    min_margin: ClassVar[float] = 1.0
    does: ClassVar[Json] = {"ask": "order", "of": "{which:ever}", "names": "{which:text}"}

    @property
    def text(self) -> str:
        names = ", ".join(which.singular for which in self.which)
        return f"In which order do these first come into view: {names}?"

    @property
    def options(self) -> tuple[str, ...]:
        if self.orders:
            return self.orders
        return tuple(", ".join(order) for order in permutations(which.singular for which in self.which))
