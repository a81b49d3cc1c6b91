"""Which videos a set holds: how many of each kind, and the place that each is filmed in."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from situ.benchmarks.saw.protocol import TWO_TURNS
from situ.worlds.places import INDOOR, OUTDOOR

Kind = Literal["standing", "route", "memory", "affordance", "probe"]
PARTS = ("all", "standing", "routes", "memory", "affordance", "probe")

# Videos of each kind at scale 1. Every route gives two direction questions (2 x 417 = 834), every route
# with two turns a way back (229), every standing video a position (200): the published numbers.
TWO_TURN_VIDEOS, SINGLE_TURN_VIDEOS, STRAIGHT_VIDEOS, OTHER_VIDEOS = 229, 29, 15, 144
STANDING_VIDEOS, MEMORY_VIDEOS, AFFORDANCE_VIDEOS = 200, 50, 119
PROBE_VIDEOS = 50  # of each of its three cases; beyond the published set
QUESTIONS = {
    "localization": 200,
    "direction": 834,
    "shape": 546,
    "revplan": 229,
    "memory": 100,
    "affordance": 162,
}
PROBE_CASES = ("straight, steady head", "straight, head turns", "zigzag")

# Two outdoor layouts, then an indoor one, so that a small set has both.
_INDOOR, _OUTDOOR = tuple(INDOOR), tuple(OUTDOOR)
LAYOUT_ORDER = tuple(
    layout for k in range(5) for layout in (_OUTDOOR[2 * k], _INDOOR[k], _OUTDOOR[2 * k + 1])
)
_OTHER_IDS = (45, 38, 44, 42, 34, 46, 39, 43, 40, 41)  # so ordered that a small set has many shapes


class Shot(NamedTuple):
    """One video: `number` counts within its kind, `take` among the videos that share its id.

    `variation` tells places of one layout apart.
    """

    kind: Kind
    number: int
    video_id: int
    take: int
    layout: str
    variation: int = 0
    case: str = ""

    @property
    def name(self) -> str:
        """The official form of a key: place, underscore, video id."""
        if self.kind in ("memory", "affordance", "probe"):
            return f"{self.kind}{self.number:04d}_{self.video_id}"
        return f"{self.layout}{self.variation + 1}_{self.video_id}"


def shots(part: str, scale: float) -> tuple[Shot, ...]:
    """The videos of a set, in a fixed order."""
    makers = {
        "standing": _standing,
        "routes": _routes,
        "memory": _memory,
        "affordance": _affordance,
        "probe": _probe,
    }
    names = ("routes", "standing", "memory", "affordance") if part == "all" else (part,)
    return tuple(shot for name in names for shot in makers[name](scale))


def asks_shape(shot: Shot, part: str, scale: float) -> bool:
    """Whether the shape of a video is asked.

    All single shapes are; of the standing videos and of those with two turns as many as the published
    number of questions allows, equally many of both, so that neither is a good guess.
    """
    if part in ("routes", "standing", "probe"):
        return True
    rest = _scaled(QUESTIONS["shape"], scale) - sum(
        _scaled(n, scale) for n in (SINGLE_TURN_VIDEOS, STRAIGHT_VIDEOS, OTHER_VIDEOS)
    )
    if shot.kind == "standing":
        return _spread(shot.number, rest // 2, _scaled(STANDING_VIDEOS, scale))
    if shot.video_id in TWO_TURNS:
        return _spread(shot.number, rest - rest // 2, _scaled(TWO_TURN_VIDEOS, scale))
    return True


def _spread(number: int, wanted: int, total: int) -> bool:
    """Whether `number` is one of `wanted` evenly spread numbers out of `total`."""
    return (number + 1) * wanted // total > number * wanted // total


def _scaled(count: int, scale: float) -> int:
    return max(1, round(count * scale))


def _standing(scale: float) -> Iterator[Shot]:
    """Corners, sides and centres in turn; each spot of a place once before the place is varied."""
    for n in range(_scaled(STANDING_VIDEOS, scale)):
        k, spot = divmod(n, 3)
        video_id, spots = (k % 4, 4) if spot == 0 else (4 + k % 4, 4) if spot == 1 else (8, 1)
        yield Shot("standing", n, video_id, k // spots, LAYOUT_ORDER[k % 15], k // (15 * spots))


def _routes(scale: float) -> Iterator[Shot]:
    """Each pair of video id and place once before the places are varied."""
    for n in range(_scaled(TWO_TURN_VIDEOS, scale)):
        yield Shot("route", n, 18 + n % 16, n // 16, LAYOUT_ORDER[n % 15], n // 240)
    for n in range(_scaled(SINGLE_TURN_VIDEOS, scale)):
        yield Shot("route", n, 36 + n % 2, n // 2, LAYOUT_ORDER[n % 15], n // 30)
    for n in range(_scaled(STRAIGHT_VIDEOS, scale)):
        yield Shot("route", n, 35, n, LAYOUT_ORDER[n % 15], n // 15)
    for n in range(_scaled(OTHER_VIDEOS, scale)):
        # 10 ids and 15 places share the factor 5: the shift after 30 videos reaches the other pairs.
        yield Shot("route", n, _OTHER_IDS[n % 10], n // 10, LAYOUT_ORDER[(n + n // 30) % 15], n // 150)


def _memory(scale: float) -> Iterator[Shot]:
    for n in range(_scaled(MEMORY_VIDEOS, scale)):
        yield Shot("memory", n, 50, n, _mostly_indoors(n), n)


def _affordance(scale: float) -> Iterator[Shot]:
    for n in range(_scaled(AFFORDANCE_VIDEOS, scale)):
        yield Shot("affordance", n, 51, n, _mostly_indoors(n), n)


def _probe(scale: float) -> Iterator[Shot]:
    for n in range(3 * _scaled(PROBE_VIDEOS, scale)):
        case = PROBE_CASES[n % 3]
        video_id = 44 if case == "zigzag" else 35
        yield Shot("probe", n, video_id, n // 3, LAYOUT_ORDER[(n // 3) % 15], n // 3, case)


def _mostly_indoors(n: int) -> str:
    """Two of three indoors, which brings the whole set to the published share of 40 %."""
    return _OUTDOOR[(n // 3) % len(_OUTDOOR)] if n % 3 == 2 else _INDOOR[(n - n // 3) % len(_INDOOR)]
