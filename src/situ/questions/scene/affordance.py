"""Whether a body of stated size can do something in the place it sees."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, Literal

from situ.errors import BadInput
from situ.geometry.oriented import gap_between
from situ.questions.base import Answer, question_kind
from situ.questions.rules.things import OfThings
from situ.questions.scene.view import NO, YES
from situ.questions.select import Selector
from situ.state.protocol import ObjectView, SpatialState

Action = Literal["pass through", "carry through", "fit under", "step over", "reach", "sit on"]
_TEXTS: dict[str, str] = {
    "pass through": (
        "A person whose body is {size:.2f} m wide walks straight on, without turning sideways. "
        "Do they fit through the gap between the {thing} and the {other}?"
    ),
    "carry through": (
        "A person carries a crate that is {size:.2f} m wide in front of them, without tilting it. "
        "Does it fit through the gap between the {thing} and the {other}?"
    ),
    "fit under": "A person is {size:.2f} m tall. Can they walk under the {thing} without bending?",
    "step over": "A person can lift a foot {size:.2f} m high. Can they step over the {thing}?",
    "reach": (
        "A person who stands on the floor reaches up to {size:.2f} m. Can they touch the {thing} without "
        "climbing on anything?"
    ),
    "sit on": (
        "A person sits comfortably on anything with a flat top no higher than {size:.2f} m. "
        "Can they sit comfortably on the {thing}?"
    ),
}
ACTIONS = tuple(_TEXTS)
FLOOR_M = 0.0


@question_kind
@dataclass(frozen=True)
class Affords(OfThings):
    """Whether an action is feasible for a stated size (in metres). Gaps lie between `thing` and `other`."""

    action: Action
    size: float
    thing: Selector
    other: Selector | None = None

    kind: ClassVar[str] = "affords"
    frame: ClassVar[str] = "the place; heights are over its floor"
    margin_unit: ClassVar[str] = "metres between the stated size and what the place allows"
    min_margin: ClassVar[float] = 0.1

    def __post_init__(self) -> None:
        if self.action not in _TEXTS:
            raise BadInput(f"unknown action '{self.action}'; choose one of {', '.join(ACTIONS)}")
        if ("through" in self.action) != (self.other is not None):
            raise BadInput(f"'{self.action}' needs {'two objects' if self.other is None else 'one object'}")

    @property
    def text(self) -> str:
        other = self.other.singular if self.other else ""
        return _TEXTS[self.action].format(size=self.size, thing=self.thing.singular, other=other)

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    @property
    def phrases(self) -> tuple[Selector, ...]:
        return (self.thing,) if self.other is None else (self.thing, self.other)

    def said_of_things(self, state: SpatialState, things: Sequence[ObjectView]) -> Answer:
        thing = things[0].box
        if self.other is not None:
            allowed = gap_between(thing, things[1].box)
            spare = allowed - self.size
        elif self.action == "fit under":
            allowed = thing.bottom - FLOOR_M
            spare = allowed - self.size
        else:
            # To reach a thing is to touch its lowest edge; a step and a seat are as high as the top.
            allowed = (thing.bottom if self.action == "reach" else thing.top) - FLOOR_M
            spare = self.size - allowed
        about = things[0].id
        frames = tuple(s.frame for s in islice(state.sightings(about), 1))
        return Answer(YES if spare > 0 else NO, abs(spare), frames, {"allowed_m": allowed}, (about,))
