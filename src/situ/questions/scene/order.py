"""What was seen first."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from situ.errors import Unanswerable
from situ.questions.base import Answer, question_kind
from situ.questions.select import Selector, with_article
from situ.state.protocol import Candidate, SpatialState

BEFORE, AFTER, SAME_TIME = "before", "after", "same time"


class FirstSeen(NamedTuple):
    """The first frame that shows a kind clearly, and the first that may show it.

    `shares` is how likely each frame is the first, and `things` what it shows.
    """

    clear: int
    possible: int
    shares: Mapping[int, float]
    things: Mapping[int, int]


@question_kind
@dataclass(frozen=True)
class FirstSeenOrder:
    """Whether the first frame that shows one kind comes before the first frame that shows another."""

    first: Selector
    second: Selector

    kind: ClassVar[str] = "first_seen_order"
    frame: ClassVar[str] = "the recording's frames in order"
    margin_unit: ClassVar[str] = "frames by which the order could shift without changing the answer"
    min_margin: ClassVar[float] = 0.5

    @property
    def text(self) -> str:
        first, second = with_article(self.first.singular), with_article(self.second.singular)
        return f"Did we first see {first} before, after, or at the same time as we first saw {second}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (BEFORE, AFTER, SAME_TIME)

    def answer(self, state: SpatialState) -> Answer:
        a, b = first_seen(state, self.first), first_seen(state, self.second)
        odds: dict[str, float] = defaultdict(float)
        for x, p in a.shares.items():
            for y, r in b.shares.items():
                odds[_order(x, y)] += p * r
        value = max((_order(a.clear, b.clear), BEFORE, AFTER, SAME_TIME), key=lambda name: odds[name])
        pairs = [(x, y) for x in a.shares for y in b.shares if _order(x, y) == value]
        x, y = max(pairs, key=lambda pair: a.shares[pair[0]] * b.shares[pair[1]])
        # A glimpse before the first clear view makes the moment uncertain: every reading must agree.
        readings = {_order(i, j) for i in (x, a.possible) for j in (y, b.possible)}
        margin = 0.0 if len(readings) > 1 else float(max(1, abs(x - y)))
        about, numbers = (a.things[x], b.things[y]), {"first": x, "second": y}
        return Answer(value, margin, tuple(sorted({x, y})), numbers, about, dict(odds))


def first_seen(state: SpatialState, which: Selector) -> FirstSeen:
    """When a kind of object came into view for the first time."""
    # Sightings come in order, so the first of each object is enough; a long memory holds very many.
    found = [thing for thing in state.candidates(which) if thing.chance > 0.0]
    clear: dict[int, Candidate] = {}
    chances: dict[int, float] = {}
    for thing in found:
        frame = next((s.frame for s in thing.seen if s.clarity == 1.0), None)
        if frame is not None:
            clear.setdefault(frame, thing)
            chances[frame] = 1.0 - (1.0 - chances.get(frame, 0.0)) * (1.0 - thing.chance)
    frames = sorted(chances)
    first = _first_shares([chances[frame] for frame in frames])
    shares = {frame: share for frame, share in zip(frames, first, strict=True) if share > 0.0}
    if not any(clear[frame].likely for frame in frames):
        raise Unanswerable(f"no {which.singular} has been seen clearly")
    possible = [next((s.frame for s in thing.seen), None) for thing in found if thing.possible]
    things = {frame: thing.id for frame, thing in clear.items()}
    best = max(shares, key=lambda frame: shares[frame])
    return FirstSeen(best, min(f for f in possible if f is not None), shares, things)


def _order(a: int, b: int) -> str:
    if a == b:
        return SAME_TIME
    return BEFORE if a < b else AFTER


def _first_shares(chances: Sequence[float]) -> list[float]:
    """For things in order, how likely each is the first of those that are there at all."""
    shares, none = [], 1.0
    for p in chances:
        shares.append(none * p)
        none *= 1.0 - p
    return shares
