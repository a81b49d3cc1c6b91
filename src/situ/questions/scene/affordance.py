"""Whether a body of stated size can do something in the place it sees."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from situ.errors import BadInput
from situ.questions.base import question_kind
from situ.questions.programs.named import Raw
from situ.questions.programs.schema import Json
from situ.questions.scene.view import NO, YES
from situ.questions.select import Selector

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


@question_kind
@dataclass(frozen=True)
class Affords(Raw):
    """Whether an action is feasible for a stated size (in metres). Gaps lie between `thing` and `other`."""

    action: Action
    size: float
    thing: Selector
    other: Selector | None = None

    kind: ClassVar[str] = "affords"
    frame: ClassVar[str] = "the place; heights are over its floor"
    margin_unit: ClassVar[str] = "metres between the stated size and what the place allows"
    min_margin: ClassVar[float] = 0.1
    offers = (YES, NO)
    does: ClassVar[Json] = {
        "ask": "affords",
        "act": "{action}",
        "size": "{size}",
        "of": "{thing:ever}",
        "to": "{other:ever}",
    }

    def __post_init__(self) -> None:
        if self.action not in _TEXTS:
            raise BadInput(f"unknown action '{self.action}'; choose one of {', '.join(ACTIONS)}")
        if ("through" in self.action) != (self.other is not None):
            raise BadInput(f"'{self.action}' needs {'two objects' if self.other is None else 'one object'}")

    @property
    def text(self) -> str:
        return _TEXTS[self.action].format(**vars(self))
