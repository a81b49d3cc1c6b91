"""A question kind: which thing reaches highest. One program for the key, for a memory and for `situ ask`."""

from dataclasses import dataclass
from typing import ClassVar

from situ.plugins import (
    Answer,
    ObjectView,
    Saying,
    Selector,
    SpatialState,
    Unanswerable,
    declare,
    question_kind,
)


@question_kind
@dataclass(frozen=True)
class Tallest:
    """Which of several kinds of thing reaches highest above the floor; of all things where none are named."""

    candidates: tuple[Selector, ...] = ()

    kind: ClassVar[str] = "tallest"
    frame: ClassVar[str] = "the world; heights of tops above the floor"
    margin_unit: ClassVar[str] = "metres between the highest top and the next"
    min_margin: ClassVar[float] = 0.15

    @property
    def text(self) -> str:
        return f"Which of these reaches highest: {', '.join(self.options)}?"

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(which.singular for which in self.candidates)

    def answer(self, state: SpatialState) -> Answer:
        highest: dict[str, ObjectView] = {}
        for view in state.objects():
            named = (which.singular for which in self.candidates if which.matches(view))
            name = next(named, None) if self.candidates else view.category
            if name is None or view.presence <= 0.5:
                continue
            if name not in highest or view.box.top > highest[name].box.top:
                highest[name] = view
        if not highest:
            raise Unanswerable("none of these things has been seen")
        tops = sorted(((view.box.top, name) for name, view in highest.items()), reverse=True)
        first, name = tops[0]
        margin = first - (tops[1][0] if len(tops) > 1 else 0.0)
        seen = tuple(state.sightings(highest[name].id)[:1])
        return Answer(name, margin, tuple(one.frame for one in seen), {"height_m": first})


def _say(said: Saying) -> str:
    return f"The {said.value} reaches highest: {said.numbers['height_m']:.1f} m."


declare(
    Tallest, "name", _say, "(what|which) (is)? (the)? (tallest|highest) (thing|object|piece of furniture)?"
)
