"""Which thing the wearer means: "the cup on the desk", "the cup in the kitchen"."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from situ.errors import BadInput, Unanswerable
from situ.geometry.box import Box
from situ.questions.rules.places import Places
from situ.questions.rules.relations import IN, WORDS, related
from situ.questions.rules.wearer import WEARER_NOW, heading_now
from situ.questions.select import Selector, with_article
from situ.state.candidates import first_meant, ranked
from situ.state.protocol import Candidate, SpatialState

RELATIONS = ("", *WORDS)


@dataclass(frozen=True)
class About:
    """A question about one thing; `relation` and `anchor` say which: "the cup on the desk". What a thing is
    in is a place, whose name is the category of the anchor: "the cup in the kitchen".

    Where the words pick several things, `situ.state.candidates` says which is meant.
    """

    which: Selector
    relation: str = ""
    anchor: Selector | None = None

    frame: ClassVar[str] = WEARER_NOW

    def __post_init__(self) -> None:
        if self.relation not in RELATIONS or bool(self.relation) != (self.anchor is not None):
            raise BadInput(f"a relation is one of {RELATIONS[1:]} and needs an anchor; got {self.relation!r}")

    @property
    def name(self) -> str:
        if self.anchor is None:
            return f"the {self.which.singular}"
        return f"the {self.which.singular} {WORDS[self.relation]} the {self.anchor.singular}"

    def found(self, state: SpatialState) -> Sequence[Candidate]:
        """All that the words may pick out, likely or not, in the order in which they are meant."""
        things: Sequence[Candidate] = state.candidates(self.which)
        if self.anchor is not None and self.relation == IN:
            places = Places.of(state)
            room = places.called(self.anchor.category or "", state)[0]
            inside = places.locate([c.view.box.center for c in things]).place if things else ()
            things = [c for c, place in zip(things, inside, strict=True) if place == room]
        elif self.anchor is not None:
            anchors = [c.view.box for c in state.candidates(self.anchor) if c.likely]
            if not anchors:
                raise Unanswerable(f"I have not seen {with_article(self.anchor.singular)}")
            here = heading_now(state)
            things = [c for c in things if any(related(here, c.view.box, a, self.relation) for a in anchors)]
        return ranked(things, state.path, state.now)

    def named(self, state: SpatialState) -> list[Candidate]:
        """All that the words pick out, there or not."""
        likely = [thing for thing in self.found(state) if thing.likely]
        if not likely:
            name = self.name if self.anchor is not None else with_article(self.which.singular)
            raise Unanswerable(f"I have not seen {name}")
        return likely

    def left(self, state: SpatialState) -> list[Candidate]:
        """All that the words pick out and that has not been seen to be gone; the one meant first."""
        there = [thing for thing in self.named(state) if thing.left]
        if not there:
            raise self._gone()
        return there

    def meant(self, state: SpatialState) -> Candidate:
        """The one meant."""
        if self.anchor is None:
            thing = first_meant(state, self.which, lambda thing: thing.left)
            if thing is not None:
                return thing
        return self.left(state)[0]

    def place(self, state: SpatialState, thing: Candidate) -> Box:
        """Where a thing is now, if that is known."""
        return self.box(state, thing.id)

    def box(self, state: SpatialState, object_id: int) -> Box:
        box = state.where(object_id, state.now)
        if box is None:
            raise self._gone()
        return box

    def _gone(self) -> Unanswerable:
        return Unanswerable(f"{self.name} is no longer where I saw it, and I do not know where it went")
