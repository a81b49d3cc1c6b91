"""The wearer's own way in a guide's words: left, then right."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.geometry.pose import wrap_deg
from situ.questions.base import Answer, question_kind
from situ.questions.rules.resting import frames_between
from situ.questions.select import Selector
from situ.questions.walk.journey import JITTER_S, put_down
from situ.state.protocol import ObjectView, SpatialState

WITHIN_M = 0.4  # a way that keeps this near to a line goes straight
PUTTING_S = 6.0  # from when a thing is last seen elsewhere to when it lies, and two seconds' doubt of that
SHORTEST_M = 0.7  # a shorter stretch has no direction of its own
TURN_DEG, ABOUT_DEG = 40.0, 160.0  # less is going straight; more is turning round, to either side
LEFT, RIGHT, AROUND = "left", "right", "around"


@question_kind
@dataclass(frozen=True)
class TurnsAfter:
    """The first two turns that the wearer took on foot after a thing had come to its present place."""

    which: Selector
    seconds: float

    kind: ClassVar[str] = "turns_after"
    frame: ClassVar[str] = "the direction of walking before each turn; where the head looks does not count"
    margin_unit: ClassVar[str] = "degrees by which the least clear turn is one"
    min_margin: ClassVar[float] = 5.0

    @property
    def text(self) -> str:
        return (
            f"Which turns did I take, in order, in the {self.seconds:g} seconds after I last put down the "
            f"{self.which.singular}?"
        )

    @property
    def options(self) -> tuple[str, ...]:
        return PAIRS

    def answer(self, state: SpatialState) -> Answer:
        thing, start = put_down(state, self.which, self.seconds)
        tries = [self._turns(state, start + shift, thing) for shift in (0.0, -JITTER_S, JITTER_S)]
        value, margin = tries[0]
        if not value:
            raise Unanswerable("fewer than two turns were taken in that time")
        margin = min(m for _, m in tries) if all(v == value for v, _ in tries) else 0.0
        frames = frames_between(state, start, start + self.seconds)
        return Answer(value, margin, frames, {"least_turn_deg": margin + TURN_DEG}, (thing.id,))

    def _turns(self, state: SpatialState, start: float, thing: ObjectView) -> tuple[str, float]:
        """The way begins where the wearer stood when putting the thing down, not with coming there."""
        path, middle = state.path, np.asarray(thing.box.center[:2])
        first, last = path.index_at(start), path.index_at(start + self.seconds)
        ground = path.ground(first, last)
        at_it = ground[: path.index_at(start + PUTTING_S) - first + 1]
        left = int(np.argmin(np.hypot(*(at_it - middle).T)))
        turns = _turns_along(ground[left:].tobytes())
        clear = [i for i, turn in enumerate(turns) if abs(turn) >= TURN_DEG]
        if len(clear) < 2:
            return "", 0.0
        before = turns[: clear[1] + 1]
        margin = min(min(abs(abs(turn) - limit) for limit in (TURN_DEG, ABOUT_DEG)) for turn in before)
        a, b = (_named(turns[i]) for i in clear[:2])
        return turns_in_words(a, b), float(margin)


def _named(turn_deg: float) -> str:
    return AROUND if abs(turn_deg) > ABOUT_DEG else RIGHT if turn_deg > 0 else LEFT


def turns_in_words(first: str, second: str) -> str:
    return f"{first}, then {second}"


PAIRS = tuple(turns_in_words(a, b) for a, b in product((LEFT, RIGHT, AROUND), repeat=2))


@lru_cache(maxsize=16)
def _turns_along(ground: bytes) -> list[float]:
    """`turns_of`; all samples of a belief walked the same way."""
    return turns_of(np.frombuffer(ground).reshape(-1, 2))


def turns_of(ground: NDArray[np.float64]) -> list[float]:
    """Degrees to the right between the straight stretches of a way over ground points (n, 2)."""
    corners = _corners(ground)
    legs = np.diff(corners, axis=0)
    legs = legs[np.hypot(*legs.T) >= SHORTEST_M] if len(legs) else legs
    yaws = np.degrees(np.arctan2(legs[:, 1], legs[:, 0])) if len(legs) else np.zeros(0)
    return [wrap_deg(float(a - b)) for a, b in pairwise(yaws)]


def _corners(ground: NDArray[np.float64]) -> NDArray[np.float64]:
    """The points of a way that a line through the others misses (Douglas and Peucker), or at which it has
    gone back on the line: there and back again is no straight way, even where it ends ahead."""
    kept, todo = {0, len(ground) - 1}, [(0, len(ground) - 1)]
    while todo:
        low, high = todo.pop()
        if high - low < 2:
            continue
        a, b = ground[low], ground[high]
        along = (b - a) / max(float(np.hypot(*(b - a))), 1e-9)
        offset = ground[low + 1 : high] - a
        ahead = offset @ along
        reach = np.clip(ahead, 0.0, float(np.hypot(*(b - a))))
        aside = np.hypot(*(offset - reach[:, None] * along).T)
        gaps = np.maximum(aside, np.maximum.accumulate(ahead) - ahead)
        worst = int(np.argmax(gaps))
        if gaps[worst] > WITHIN_M:
            middle = low + 1 + worst
            kept.add(middle)
            todo += [(low, middle), (middle, high)]
    return ground[sorted(kept)]
