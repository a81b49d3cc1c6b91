"""What changed in a place between two visits."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, NamedTuple

from situ.errors import Unanswerable
from situ.questions.base import Answer, question_kind
from situ.questions.changes.fates import Change, Fate, fates_in
from situ.questions.rules.things import the_one
from situ.questions.select import Selector
from situ.questions.walk.route import at
from situ.state.protocol import SpatialState
from situ.state.sightings import since

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
Frames = tuple[int, ...]


class Claim(NamedTuple):
    """A statement about one change; `other` is the partner in a swap."""

    change: Change
    thing: Selector
    other: Selector | None = None

    @property
    def words(self) -> str:
        return _WORDS[self.change].format(self.thing.singular, self.other.singular if self.other else "")


class OfFates(ABC):
    """The answer follows from what became of the things that some phrases pick out."""

    split: float

    @property
    @abstractmethod
    def phrases(self) -> tuple[Selector, ...]:
        """What it is about, in the order in which `said_of_fates` takes it."""

    @abstractmethod
    def said_of_fates(self, found: Sequence[tuple[int, Fate]], shown: Callable[[int], Frames]) -> Answer:
        """The answer if these things, by their numbers, met these fates; `shown` tells which frames show a
        thing."""

    def answer(self, state: SpatialState) -> Answer:
        things = [the_one(state, which) for which in self.phrases]
        found = []
        fates = fates_in(state, things, self.split)
        for which, thing, fate in zip(self.phrases, things, fates, strict=True):
            if fate is None:
                raise Unanswerable(f"where the {which.singular} was is not known for either clip")
            found.append((thing.id, fate))
        return self.said_of_fates(found, partial(frames_beside, state, self.split))


@question_kind
@dataclass(frozen=True)
class WhatChanged(OfFates):
    """Which of several claims about a change between before and after `split` (in seconds) is true."""

    split: float
    claims: tuple[Claim, ...]
    place: str = ""

    kind: ClassVar[str] = "what_changed"
    frame: ClassVar[str] = "the place, before and after the cut"
    margin_unit: ClassVar[str] = "metres of position error that would change the answer"
    min_margin: ClassVar[float] = 0.2

    @property
    def text(self) -> str:
        return (
            f"{at(self.place)}The video joins two clips of this place, filmed at different times. Between "
            "them exactly one thing changed. What changed? Something that one of the clips merely does not "
            "show has not changed."
        )

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(_claim(claim).words for claim in self.claims)

    @property
    def phrases(self) -> tuple[Selector, ...]:
        return tuple(_claim(claim).thing for claim in self.claims)

    def said_of_fates(self, found: Sequence[tuple[int, Fate]], shown: Callable[[int], Frames]) -> Answer:
        claims = [_claim(claim) for claim in self.claims]
        pairs = zip(claims, found, strict=True)
        true = [(claim, number) for claim, (number, fate) in pairs if claim.change == fate.change]
        if len(true) != 1:
            raise Unanswerable(f"{len(true)} of the {len(claims)} claims are true, not one")
        claim, number = true[0]
        return Answer(claim.words, min(fate.margin_m for _, fate in found), shown(number))


@question_kind
@dataclass(frozen=True)
class WhatHappenedTo(OfFates):
    """What became of one object between before and after `split` (in seconds)."""

    thing: Selector
    split: float
    place: str = ""

    kind: ClassVar[str] = "what_happened_to"
    frame: ClassVar[str] = "the place, before and after the cut"
    margin_unit: ClassVar[str] = "metres of position error that would change the answer"
    min_margin: ClassVar[float] = 0.2

    @property
    def text(self) -> str:
        return (
            f"{at(self.place)}The video joins two clips of this place, filmed at different times. What "
            f"happened to the {self.thing.singular} between the clips?"
        )

    @property
    def options(self) -> tuple[str, ...]:
        return FATES

    @property
    def phrases(self) -> tuple[Selector, ...]:
        return (self.thing,)

    def said_of_fates(self, found: Sequence[tuple[int, Fate]], shown: Callable[[int], Frames]) -> Answer:
        ((number, fate),) = found
        return Answer(_FATES[fate.change], fate.margin_m, shown(number), things=(number,))


def frames_beside(state: SpatialState, split: float, number: int) -> Frames:
    """The first clear view of a thing on each side of the cut."""
    frames = []
    seen = state.sightings(number)
    first = next((s for s in seen if s.clarity == 1.0), None)
    later = next((s for s in since(seen, split) if s.clarity == 1.0), None)
    if first is not None and first.time < split:
        frames.append(first.frame)
    if later is not None:
        frames.append(later.frame)
    return tuple(sorted(set(frames)))


def _claim(claim: "Claim | tuple[Change, Selector, Selector | None]") -> Claim:
    """Claims that were stored come back as plain tuples."""
    return Claim(*claim)
