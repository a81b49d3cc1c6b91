"""A question kind that is a program: how many things of a kind are within some metres of the wearer.

SITU_PLUGINS=how_many_within.py situ ask walk.situ "how many cones lie within 5 metres of me"
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from situ.plugins import Named, Selector, declare, question_kind, things


@question_kind
@dataclass(frozen=True)
class HowManyWithin(Named):
    """How many things of a kind are within some metres of the wearer."""

    which: Selector
    metres: float
    kind: ClassVar[str] = "how_many_within"

    @property
    def text(self) -> str:
        return f"How many {self.which.plural} are within {self.metres:g} metres of me?"

    @property
    def program(self) -> Any:
        near = {"op": "rel", "rel": "near", "to": "me", "m": self.metres, "of": things(self.which)}
        return {"ask": "count", "of": near}


declare(
    HowManyWithin,
    "count",
    lambda said: f"There are {said.value}.",
    "how many {many} lie within {metres} (m|meters) of me",
)
