"""Which thing the wearer means: "the cup on the desk", "the cup in the kitchen"."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from situ.errors import BadInput, Unanswerable
from situ.geometry.box import Box
from situ.questions.base import Answer
from situ.questions.rooms import place_of
from situ.questions.select import Selector
from situ.questions.wearer import SURE, WEARER_NOW, heading_now
from situ.state.protocol import ObjectView, SpatialState

NEAR, ON, IN = "near", "on", "in"
RELATIONS = ("", NEAR, ON, IN)
NEAR_M = 1.5


@dataclass(frozen=True)
class About:
    """A question about one thing; `relation` and `anchor` say which: "the cup on the desk". What a thing is
    in is a place, whose name is the category of the anchor: "the cup in the kitchen".

    Where the words pick several things, the nearest one to the wearer is meant; what may be a false
    detection is meant only if there is nothing else.
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
        words = {NEAR: "next to", ON: "on", IN: "in"}[self.relation]
        return f"the {self.which.singular} {words} the {self.anchor.singular}"

    def named(self, state: SpatialState) -> list[ObjectView]:
        """All that the words pick out, there or not."""
        views = [view for view in self.which.select(state) if view.presence > 0.5]
        if not views:
            raise Unanswerable(f"I have not seen a {self.which.singular}")
        if self.anchor is not None and self.relation == IN:
            views = [v for v in views if place_of(state, v.box.center)[0] == self.anchor.category]
            if not views:
                raise Unanswerable(f"I have not seen {self.name}")
        elif self.anchor is not None:
            anchors = [view for view in self.anchor.select(state) if view.presence > 0.5]
            if not anchors:
                raise Unanswerable(f"I have not seen a {self.anchor.singular}")
            views = [v for v in views if any(_related(v.box, a.box, self.relation) for a in anchors)]
            if not views:
                raise Unanswerable(f"I have not seen {self.name}")
        return views

    def candidates(self, state: SpatialState) -> list[ObjectView]:
        """All that the words pick out and that is still there: what is surely there first, nearest first."""
        there = [view for view in self.named(state) if state.where(view.id, state.now) is not None]
        if not there:
            raise Unanswerable(f"{self.name} is no longer where I saw it, and I do not know where it went")
        here = heading_now(state)
        return sorted(there, key=lambda view: (view.presence < SURE, here.ground_distance(view.box.center)))


class OfTheNearest(About, ABC):
    """A question about the first of the candidates; `said_of` answers it once it is known which that is."""

    def answer(self, state: SpatialState) -> Answer:
        view = self.candidates(state)[0]
        return self.said_of(state, view.id, view.box)

    @abstractmethod
    def said_of(self, state: SpatialState, object_id: int, box: Box) -> Answer: ...


def _related(thing: Box, anchor: Box, relation: str) -> bool:
    if relation == ON:
        x, y, _ = anchor.to_local(thing.center)
        inside = abs(x) <= anchor.size[0] / 2 + 0.1 and abs(y) <= anchor.size[1] / 2 + 0.1
        return bool(inside and abs(thing.bottom - anchor.top) < 0.25)
    gap = anchor.distance_to_point(thing.closest_point(anchor.center))
    return thing.center != anchor.center and gap <= NEAR_M
