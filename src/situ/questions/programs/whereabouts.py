"""Where objects were kept, how they travelled, and which was taken, among furniture that is named."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.questions.base import Answer
from situ.questions.programs.run import described
from situ.questions.programs.schema import Set, fault, operator
from situ.questions.programs.world import InWorlds, World
from situ.questions.rules.resting import SAME_PLACE_M, Rest, frames_between, gap_from
from situ.questions.rules.resting import rests as rests_of
from situ.questions.rules.wearer import last_frame

LEFT_APART_S = 30.0
_NEVER_M = 9.0
AT_M = 0.45  # from the middle of a small thing to the furniture that it is on or in


def _rests(world: World, column: int) -> list[Rest]:
    """Where an object rested, the latest first: the same in all worlds."""
    number = int(world.run.table.ids[column])
    found: list[Rest] = world.run.kept(("rests", number), lambda: list(rests_of(world.state, number)))
    return found


def _near(a: Box, b: Box) -> bool:
    return bool(
        abs(a.center[0] - b.center[0]) < SAME_PLACE_M and abs(a.center[1] - b.center[1]) < SAME_PLACE_M
    )


def _rest_before(world: World, column: int, now: Box | None) -> Rest | None:
    """The stay before the present one; None if the object is not known to have been elsewhere."""
    for rest in _rests(world, column):
        if now is None or _away(rest.box, now) > SAME_PLACE_M:
            return rest
    return None


def _away(a: Box, b: Box) -> float:
    return float(((a.center[0] - b.center[0]) ** 2 + (a.center[1] - b.center[1]) ** 2) ** 0.5)


@operator
@dataclass(frozen=True)
class Kept(InWorlds):
    """At which of several sets an object was before it was moved to its present place; with `to`, from
    which to which it was moved: pairs of sets."""

    tag: ClassVar[str] = "kept"
    fair: ClassVar[float] = 0.5

    of: Set
    at: tuple[Set, ...]
    names: tuple[str, ...]
    to: tuple[Set, ...] = ()

    def checked(self, place: str) -> None:
        if len(self.at) < 2 or len(self.names) != len(self.at) or len(self.to) not in (0, len(self.at)):
            raise fault(
                f"{place}.at", "'kept' needs two sets or more, as many names, and as many 'to' if any"
            )

    def in_world(self, world: World) -> Answer:
        column = world.meant(self.of)
        thing = world.view(column)
        now = world.where_now(column)
        before = _rest_before(world, column, now)
        if before is None or (self.to and now is None):
            raise Unanswerable(f"{described(self.of, 'the')} is not known to have been elsewhere")
        starts = [gap_from(world.boxes(one), before.box) for one in self.at]
        if not self.to:
            order = sorted(range(len(starts)), key=lambda i: starts[i])
            margin = starts[order[1]] - starts[order[0]] if starts[order[0]] <= AT_M else 0.0
            frames = frames_between(world.state, max(before.first, before.last - 8.0), before.last)
            return Answer(self.names[order[0]], margin, frames, {"gap_m": starts[order[0]]}, (thing.id,))
        assert now is not None
        ends = [(a, gap_from(world.boxes(b), now)) for a, b in zip(starts, self.to, strict=True)]
        order = sorted(range(len(ends)), key=lambda i: sum(ends[i]))
        best, second = ends[order[0]], ends[order[1]]
        margin = sum(second) - sum(best) if max(best) <= AT_M else 0.0
        after = next((rest for rest in _rests(world, column) if _near(rest.box, now)), None)
        arrived = after.first if after is not None else world.now
        frames = frames_between(world.state, before.last, min(arrived, before.last + 120.0))
        frames = tuple(sorted({*frames, *last_frame(world.state, thing.id)}))
        numbers = {"from_m": best[0], "to_m": best[1]}
        return Answer(self.names[order[0]], margin, frames, numbers, (thing.id,))


class _Departure(NamedTuple):
    fit_m: float
    left: float
    frames: tuple[int, ...]


@operator
@dataclass(frozen=True)
class TakenLast(InWorlds):
    """Which of several objects was the last to be taken from a piece of furniture."""

    tag: ClassVar[str] = "taken_last"
    fair: ClassVar[float] = 0.25

    of: tuple[Set, ...]
    names: tuple[str, ...]
    at: Set

    def in_world(self, world: World) -> Answer:
        anchors = world.boxes(self.at)
        found = [self._departure(world, choice, anchors) for choice in self.of]
        best = max(range(len(found)), key=lambda i: (found[i].fit_m > 0, found[i].left, found[i].fit_m))
        margin = found[best].fit_m
        for i, other in enumerate(found):
            if i != best:
                earlier = (found[best].left - other.left) / LEFT_APART_S if other.fit_m > 0 else 0.0
                margin = min(margin, max(-other.fit_m, earlier))
        numbers = {"fit_m": found[best].fit_m, "left_s": found[best].left}
        return Answer(self.names[best], max(0.0, margin), found[best].frames, numbers)

    @staticmethod
    def _departure(world: World, choice: Set, anchors: Sequence[Box]) -> _Departure:
        """By how much an object was there and is elsewhere now, and when it was last seen there."""
        best = _Departure(-_NEVER_M, 0.0, ())
        try:
            column = world.meant(choice)
        except Unanswerable:
            return best
        now = world.where_now(column)
        away = gap_from(anchors, now) - AT_M if now is not None else 1.0
        for rest in _rests(world, column):
            if now is not None and _near(rest.box, now):
                continue
            fit = min(AT_M - gap_from(anchors, rest.box), away)
            if fit > best.fit_m:
                shown = frames_between(world.state, max(rest.first, rest.last - 5.0), rest.last + 3.0)
                best = _Departure(fit, rest.last, shown)
            if fit > 0:
                break  # the latest departure is the one that counts
        return best
