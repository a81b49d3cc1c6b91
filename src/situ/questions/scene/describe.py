"""What is there, and what it is for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

from situ.errors import Unanswerable
from situ.questions.base import Answer, question_kind
from situ.questions.rules.things import only
from situ.questions.scene.pairs import sightings_in
from situ.questions.select import Selector
from situ.state.protocol import ObjectView, SpatialState

USE = "use"


@question_kind
@dataclass(frozen=True)
class UniqueObjects:
    """The kinds of objects that some frames show, each named once, in alphabetical order."""

    frames: tuple[int, ...] = ()

    kind: ClassVar[str] = "unique_objects"
    frame: ClassVar[str] = "the frames given"
    margin_unit: ClassVar[str] = "1 if every kind is seen clearly, 0 if one is only glimpsed"
    min_margin: ClassVar[float] = 1.0

    @property
    def text(self) -> str:
        return "Which kinds of objects can be seen in these frames? Name each kind once."

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        clarity: dict[str, float] = {}
        for view in seen_in(state, self.frames):
            for sighting in sightings_in(state, view.id, self.frames):
                clarity[view.category] = max(clarity.get(view.category, 0.0), sighting.clarity)
        clear = sorted(name for name, value in clarity.items() if value == 1.0)
        if not clear:
            raise Unanswerable("none of the frames shows an object clearly")
        margin = 1.0 if len(clear) == len(clarity) else 0.0
        return Answer(", ".join(clear), margin, self.frames, {"kinds": float(len(clear))})


@question_kind
@dataclass(frozen=True)
class UseShown:
    """Which of several uses fits an object that the frames show. Only looking tells."""

    uses: tuple[str, ...]
    frames: tuple[int, ...] = ()

    kind: ClassVar[str] = "use_shown"
    frame: ClassVar[str] = "the frames given"
    margin_unit: ClassVar[str] = "1 if one use fits what is clearly shown and no other fits even a glimpse"
    min_margin: ClassVar[float] = 1.0

    @property
    def text(self) -> str:
        return "For which of these purposes is an object made that can be seen in these frames?"

    @property
    def options(self) -> tuple[str, ...]:
        return self.uses

    def answer(self, state: SpatialState) -> Answer:
        clarity = dict.fromkeys(self.uses, 0.0)
        for view in seen_in(state, self.frames):
            use = view.attributes.get(USE, "")
            if use in clarity:
                shown = sightings_in(state, view.id, self.frames)
                clarity[use] = max([clarity[use], *(s.clarity for s in shown)])
        best = max(self.uses, key=lambda use: clarity[use])
        if clarity[best] < 1.0:
            raise Unanswerable("the frames show no object for any of these purposes")
        alone = all(value == 0.0 for use, value in clarity.items() if use != best)
        return Answer(best, 1.0 if alone else 0.0, self.frames)


@question_kind
@dataclass(frozen=True)
class FunctionOf:
    """What an object is for, asked openly. Most can be told from its name."""

    thing: Selector
    frames: tuple[int, ...] = ()

    kind: ClassVar[str] = "function_of"
    frame: ClassVar[str] = "none; what a thing is for does not depend on where it is"
    margin_unit: ClassVar[str] = "1 if the object is seen clearly"
    min_margin: ClassVar[float] = 1.0

    @property
    def text(self) -> str:
        return f"What is the function of the {self.thing.singular} in this scene?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        thing = only(state, self.thing)
        use = thing.attributes.get(USE, "")
        shown = sightings_in(state, thing.id, self.frames)
        if not use or not shown:
            raise Unanswerable(f"what the {self.thing.singular} is for is not known, or no frame shows it")
        seen = tuple(sorted({sighting.frame for sighting in shown}))
        return Answer(use, max(sighting.clarity for sighting in shown), seen)


@runtime_checkable
class _WithFrames(Protocol):
    """A state that knows which objects may be in a frame."""

    def seen_in(self, frames: Sequence[int]) -> Sequence[ObjectView]: ...


def seen_in(state: SpatialState, frames: Sequence[int]) -> Sequence[ObjectView]:
    """The objects that some frames may show; all that there are where no frame is named."""
    return state.seen_in(frames) if frames and isinstance(state, _WithFrames) else state.objects()
