"""What changed in a place between two visits."""

from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from situ.questions.base import question_kind
from situ.questions.programs.fates import Change
from situ.questions.programs.named import Raw
from situ.questions.programs.run import Result
from situ.questions.programs.schema import Json
from situ.questions.select import Selector
from situ.questions.walk.route import at
from situ.state.protocol import SpatialState

_WORDS: dict[str, str] = {
    "moved": "The {0} was moved",
    "added": "A {0} was added",
    "removed": "The {0} was taken away",
    "swapped": "The {0} and the {1} changed places",
}
_FATES: dict[str, str] = {
    "moved": "it was moved",
    "added": "it is new in the second clip",
    "removed": "it was taken away",
    "swapped": "it changed places with another object",
    "unchanged": "nothing, it stayed where it was",
}
FATES = tuple(_FATES.values())


class Claim(NamedTuple):
    """A statement about one change; `other` is the partner in a swap."""

    change: Change
    thing: Selector
    other: Selector | None = None

    @property
    def words(self) -> str:
        return _WORDS[self.change].format(self.thing, self.other or "")


class _OfFates(Raw):
    frame: ClassVar[str] = "the place, before and after the cut"
    margin_unit: ClassVar[str] = "metres of position error that would change the answer"
    min_margin: ClassVar[float] = 0.2


@question_kind
@dataclass(frozen=True)
class WhatChanged(_OfFates):
    """Which of several claims about a change between before and after `split` (in seconds) is true."""

    split: float
    claims: tuple[Claim, ...]
    place: str = ""

    kind: ClassVar[str] = "what_changed"
    does: ClassVar[Json] = {
        "ask": "fate", "of": "{things:ever}", "split": "{split}", "claims": "{made}", "names": "{options}"
    }  # fmt: skip

    @property
    def text(self) -> str:
        return (
            f"{at(self.place)}The video joins two clips of this place, filmed at different times. Between "
            "them exactly one thing changed. What changed? Something that one of the clips merely does not "
            "show has not changed."
        )

    @property
    def _claims(self) -> list[Claim]:
        """Claims that were stored come back as plain tuples."""
        return [Claim(*claim) for claim in self.claims]

    @property
    def things(self) -> tuple[Selector, ...]:
        return tuple(claim.thing for claim in self._claims)

    @property
    def made(self) -> tuple[str, ...]:
        return tuple(claim.change for claim in self._claims)

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(claim.words for claim in self._claims)


@question_kind
@dataclass(frozen=True)
class WhatHappenedTo(_OfFates):
    """What became of one object between before and after `split` (in seconds)."""

    thing: Selector
    split: float
    place: str = ""

    kind: ClassVar[str] = "what_happened_to"
    offers = FATES
    does: ClassVar[Json] = {"ask": "fate", "of": ["{thing:ever}"], "split": "{split}"}

    @property
    def text(self) -> str:
        return (
            f"{at(self.place)}The video joins two clips of this place, filmed at different times. What "
            f"happened to the {self.thing} between the clips?"
        )

    def result(self, state: SpatialState) -> Result:
        found = super().result(state)
        odds = {_FATES.get(name, name): share for name, share in found.odds.items()}
        return replace(found, value=_FATES[str(found.value)], odds=odds)
