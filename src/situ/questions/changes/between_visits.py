"""What changed in a place between two visits."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.questions.base import Answer, question_kind
from situ.questions.rules.things import the_one
from situ.questions.select import Selector
from situ.questions.walk.route import at
from situ.state.candidates import candidates_near
from situ.state.protocol import Candidate, SpatialState
from situ.state.sightings import since
from situ.state.viewed import viewed

Change = Literal["moved", "added", "removed", "swapped", "unchanged"]
MOVED_M = 0.4  # less is within what a person puts down to their memory
SWAPPED_M = 0.5  # how near to each other's old places two things come that changed places
JUST_S = 1e-6  # before the cut
SAME_M = 1e-9  # what was as near as this was the same thing
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


class Fate(NamedTuple):
    """What became of one thing, and by how much the finding could err without changing."""

    change: Change
    margin_m: float


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
        found = []
        for which in self.phrases:
            number = the_one(state, which).id
            found.append((number, _fate(state, which, number, self.split)))
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


def fate_of(state: SpatialState, thing: Selector, split: float) -> Fate:
    """Compare where a thing was just before the split with where it is now."""
    return _fate(state, thing, the_one(state, thing).id, split)


def _fate(state: SpatialState, thing: Selector, number: int, split: float) -> Fate:
    before, after = state.where(number, split - JUST_S), state.where(number, state.now)
    if before is None and after is None:
        raise Unanswerable(f"where the {thing.singular} was is not known for either clip")
    if after is None:
        return Fate("removed", 1.0)
    if before is None:
        # What was merely not shown before is not new.
        return Fate("added", 1.0) if viewed(state, after, split) else Fate("unchanged", 0.0)
    moved = _apart(before, after)
    if moved < MOVED_M:
        return Fate("unchanged", MOVED_M - moved)
    gaps = [_exchange_gap(state, other.id, before, after, split) for other in _about_there(state, before)]
    return moved_or_swapped(moved, min((gap for gap in gaps if gap >= 0), default=np.inf))


def moved_or_swapped(moved: float, partner_gap: float) -> Fate:
    """The fate of a thing that was moved so far, and of which the best partner is so far from an exchange."""
    if partner_gap < SWAPPED_M:
        return Fate("swapped", min(moved - MOVED_M, SWAPPED_M - partner_gap))
    return Fate("moved", min(moved - MOVED_M, partner_gap - SWAPPED_M))


def partners(state: SpatialState, thing: Selector, split: float) -> Iterator[Candidate]:
    """The things with which one may have changed places."""
    for meant in state.candidates(thing):
        before = state.where(meant.id, split - JUST_S)
        if before is not None:
            yield from _about_there(state, before)


def _about_there(state: SpatialState, before: Box) -> Sequence[Candidate]:
    """The things that are where one was. Keys tell how clear the case is, for which every other counts."""
    return candidates_near(state, Selector(), before.center, np.inf if state.strict else 2 * SWAPPED_M)


def _exchange_gap(state: SpatialState, other_id: int, before: Box, after: Box, split: float) -> float:
    """How far a possible partner's places are from the exchange; -1 for what did not move itself."""
    was, is_now = state.where(other_id, split - JUST_S), state.where(other_id, state.now)
    if was is None or is_now is None or _apart(was, is_now) < MOVED_M or _apart(was, before) < SAME_M:
        return -1.0
    return max(_apart(was, after), _apart(is_now, before))


def _apart(a: Box, b: Box) -> float:
    return float(np.hypot(a.center[0] - b.center[0], a.center[1] - b.center[1]))


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
