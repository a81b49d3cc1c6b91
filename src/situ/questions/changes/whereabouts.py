"""What became of things during a stream: where they were kept, how they travelled, what was taken."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.questions.base import Answer, question_kind
from situ.questions.rules.rest_walk import SAME_PLACE_M
from situ.questions.rules.resting import (
    frames_between,
    gap_from,
    gap_to,
    meant,
    picked_out,
    rest_before,
    rests,
)
from situ.questions.rules.wearer import last_frame
from situ.questions.select import Selector
from situ.state.protocol import SpatialState

LEFT_APART_S = 30.0
_NEVER_M = 9.0
AT_M = 0.45  # from the middle of a small thing to the furniture that it is on or in


@question_kind
@dataclass(frozen=True)
class KeptWhere:
    """On or in which piece of furniture a thing was before it was moved to its present place."""

    which: Selector
    choices: tuple[Selector, ...]

    kind: ClassVar[str] = "kept_where"
    frame: ClassVar[str] = "the furniture named; no direction is involved"
    margin_unit: ClassVar[str] = "metres between the nearest piece of furniture named and the next"
    min_margin: ClassVar[float] = 0.5

    @property
    def text(self) -> str:
        return f"Where was the {self.which.singular} before it was last moved?"

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(f"at the {choice.singular}" for choice in self.choices)

    def answer(self, state: SpatialState) -> Answer:
        thing = meant(state, self.which)
        before = rest_before(state, thing.id)
        if before is None:
            raise Unanswerable(f"the {self.which.singular} is not known to have been elsewhere")
        gaps = [gap_to(state, before.box, choice) for choice in self.choices]
        order = sorted(range(len(gaps)), key=lambda i: gaps[i])
        margin = gaps[order[1]] - gaps[order[0]] if gaps[order[0]] <= AT_M else 0.0
        frames = frames_between(state, max(before.first, before.last - 8.0), before.last)
        return Answer(self.options[order[0]], margin, frames, {"gap_m": gaps[order[0]]}, (thing.id,))


@question_kind
@dataclass(frozen=True)
class CarriedFromTo:
    """From which piece of furniture to which a thing was last moved. `choices` are pairs."""

    which: Selector
    choices: tuple[tuple[Selector, Selector], ...]

    kind: ClassVar[str] = "carried_from_to"
    frame: ClassVar[str] = "the furniture named; no direction is involved"
    margin_unit: ClassVar[str] = "metres between the best pair and the next"
    min_margin: ClassVar[float] = 0.5

    @property
    def text(self) -> str:
        return f"From where to where was the {self.which.singular} moved the last time?"

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(f"from the {a.singular} to the {b.singular}" for a, b in self.choices)

    def answer(self, state: SpatialState) -> Answer:
        thing = meant(state, self.which)
        now, before = state.where(thing.id, state.now), rest_before(state, thing.id)
        if now is None or before is None:
            raise Unanswerable(f"the {self.which.singular} is not known to have been moved")
        ends = [(gap_to(state, before.box, a), gap_to(state, now, b)) for a, b in self.choices]
        order = sorted(range(len(ends)), key=lambda i: sum(ends[i]))
        best, second = ends[order[0]], ends[order[1]]
        margin = sum(second) - sum(best) if max(best) <= AT_M else 0.0
        after = next((rest for rest in rests(state, thing.id) if _near(rest.box, now)), None)
        arrived = after.first if after is not None else state.now
        frames = frames_between(state, before.last, min(arrived, before.last + 120.0))
        frames = tuple(sorted({*frames, *last_frame(state, thing.id)}))
        numbers = {"from_m": best[0], "to_m": best[1]}
        return Answer(self.options[order[0]], margin, frames, numbers, (thing.id,))


@question_kind
@dataclass(frozen=True)
class TakenFrom:
    """Which of several things was the last to be taken from a piece of furniture."""

    anchor: Selector
    choices: tuple[Selector, ...]

    kind: ClassVar[str] = "taken_from"
    frame: ClassVar[str] = "the furniture named; no direction is involved"
    margin_unit: ClassVar[str] = "metres by which every place could be wrong; of two that left, half-minutes"
    min_margin: ClassVar[float] = 0.25

    @property
    def text(self) -> str:
        return f"Which of these did I take from the {self.anchor.singular} last?"

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(choice.singular for choice in self.choices)

    def answer(self, state: SpatialState) -> Answer:
        found = [self._departure(state, choice) for choice in self.choices]
        best = max(range(len(found)), key=lambda i: (found[i].fit_m > 0, found[i].left, found[i].fit_m))
        margin = found[best].fit_m
        for i, other in enumerate(found):
            if i != best:
                earlier = (found[best].left - other.left) / LEFT_APART_S if other.fit_m > 0 else 0.0
                margin = min(margin, max(-other.fit_m, earlier))
        numbers = {"fit_m": found[best].fit_m, "left_s": found[best].left}
        return Answer(self.options[best], max(0.0, margin), found[best].frames, numbers)

    def _departure(self, state: SpatialState, choice: Selector) -> "_Departure":
        """By how much a thing was there and is elsewhere now, and when it was last seen there."""
        try:
            thing = meant(state, choice)
        except Unanswerable:
            return _Departure(-_NEVER_M, 0.0, ())
        now = state.where(thing.id, state.now)
        anchors = picked_out(state, self.anchor)
        away = gap_from(anchors, now) - AT_M if now is not None else 1.0
        best = _Departure(-_NEVER_M, 0.0, ())
        for rest in rests(state, thing.id):
            if now is not None and _near(rest.box, now):
                continue
            fit = min(AT_M - gap_from(anchors, rest.box), away)
            if fit > best.fit_m:
                frames = frames_between(state, max(rest.first, rest.last - 5.0), rest.last + 3.0)
                best = _Departure(fit, rest.last, frames)
            if fit > 0:
                break  # the latest departure is the one that counts
        return best


class _Departure(NamedTuple):
    fit_m: float
    left: float
    frames: tuple[int, ...]


def _near(a: Box, b: Box) -> bool:
    return bool(
        abs(a.center[0] - b.center[0]) < SAME_PLACE_M and abs(a.center[1] - b.center[1]) < SAME_PLACE_M
    )
