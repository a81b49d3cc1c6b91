"""The whole room: how many things of a kind it holds, and how large it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

from situ.errors import Unanswerable
from situ.questions.base import Answer, question_kind
from situ.questions.scene.counting import Count
from situ.questions.scene.measure import members
from situ.questions.select import Selector
from situ.state.protocol import SpatialState


@runtime_checkable
class Surveyed(Protocol):
    """A state of a room that somebody has measured and counted."""

    @property
    def floor_area_m2(self) -> float | None: ...

    @property
    def room_center(self) -> tuple[float, float, float] | None: ...

    @property
    def tallies(self) -> Mapping[str, int]:
        """Things of each category, where a count is known beside the boxes."""
        ...


@question_kind
@dataclass(frozen=True)
class CountInRoom:
    """How many things of a category the room holds. A survey's own count comes before the boxes."""

    which: Selector

    kind: ClassVar[str] = "count_in_room"
    frame: ClassVar[str] = "the whole room"
    margin_unit: ClassVar[str] = "certainty that each object counts, 0 to 1"
    min_margin: ClassVar[float] = 0.5

    @property
    def text(self) -> str:
        return f"How many {self.which.plural} does this room hold?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        members(state, self.which)
        counted = Count(self.which).answer(state)
        category = "" if self.which.attributes else self.which.category or ""
        if isinstance(state, Surveyed) and category in state.tallies:
            tally = state.tallies[category]
            agreed = counted.margin if tally == counted.value else 0.0
            return Answer(tally, agreed, counted.evidence, {"count": tally})
        return counted


@question_kind
@dataclass(frozen=True)
class RoomSize:
    """The floor's area in square metres, to one decimal."""

    kind: ClassVar[str] = "room_size"
    frame: ClassVar[str] = "the whole room"
    margin_unit: ClassVar[str] = "square metres"
    min_margin: ClassVar[float] = 1.0

    @property
    def text(self) -> str:
        return "How many square metres of floor are there, all that is shown taken together?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        area = state.floor_area_m2 if isinstance(state, Surveyed) else None
        if area is None:
            raise Unanswerable("the room's floor was not measured, so its size is not known")
        return Answer(round(area, 1), area, (), {"area_m2": area})
