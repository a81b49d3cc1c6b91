"""Questions about the first thing that each of some phrases picks out: those known, so is the answer."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from situ.errors import Unanswerable
from situ.questions.base import Answer
from situ.questions.select import Selector
from situ.state.candidates import first_meant
from situ.state.protocol import Candidate, ObjectView, SpatialState


class OfThings(ABC):
    """The answer follows from the things that are meant, without a look at any other."""

    @property
    @abstractmethod
    def phrases(self) -> tuple[Selector, ...]:
        """What it is about, in the order in which `said_of_things` takes it."""

    @abstractmethod
    def said_of_things(self, state: SpatialState, things: Sequence[ObjectView]) -> Answer:
        """The answer if these are the things that are meant."""

    def answer(self, state: SpatialState) -> Answer:
        return self.said_of_things(state, [only(state, which) for which in self.phrases])


def only(state: SpatialState, which: Selector) -> ObjectView:
    """The one object that a phrase picks out, or, where several are believed in, the one that is meant."""
    return the_one(state, which).view


def the_one(state: SpatialState, which: Selector) -> Candidate:
    """The same as a candidate, for who need not know where it is."""
    found = [thing for thing in state.candidates(which) if thing.possible] if state.strict else []
    meant = found[0] if len(found) == 1 else None if state.strict else first_meant(state, which, _is_possible)
    if meant is None:
        raise Unanswerable(f"'the {which.singular}' picks out {len(found)} of the objects seen, not one")
    return meant


def _is_possible(thing: Candidate) -> bool:
    return thing.possible
