"""Which videos a set holds: how many for each task, what is filmed, and where.

Every video is asked one task only. Two tasks about one walk would answer each other: who is asked for the way
back knows that there were two turns, and options of one question rule out options of another.
Everything is drawn by lot, so that no number, order or count says what comes next.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from situ.benchmarks.saw.protocol import OTHER_ROUTES, STANDING, TWO_TURNS, VIDEOS, expected_row
from situ.geometry.route import SHAPES, U_SHAPE
from situ.worlds.places import INDOOR, OUTDOOR

Kind = Literal["standing", "route", "memory", "affordance", "probe"]
# Questions of each task at scale 1, as published.
QUESTIONS = {
    "localization": 200,
    "direction": 834,
    "shape": 546,
    "revplan": 229,
    "memory": 100,
    "affordance": 162,
}
# Videos for them: a walk is asked for both directions, an affordance video for one action or two.
VIDEOS_OF = {**QUESTIONS, "direction": 417, "affordance": 119}
PROBE_VIDEOS = 50  # of each of its three cases; beyond the published set
PARTS: Mapping[str, tuple[str, ...]] = {
    "all": tuple(QUESTIONS),
    "routes": ("direction", "shape", "revplan"),
    "standing": ("localization",),
    "memory": ("memory",),
    "affordance": ("affordance",),
    "probe": ("probe",),
}
PROBE_CASES = ("straight, steady head", "straight, head turns", "zigzag")
CHANGES = ("moved", "added", "removed", "swapped")
_INDOOR, _OUTDOOR = tuple(INDOOR), tuple(OUTDOOR)
_LAYOUTS = (*_INDOOR, *_OUTDOOR)
_MOSTLY_INDOORS = 2 / 3  # of memory and affordance videos, which brings the whole set to 40 %
_IDS_OF_SHAPE = {shape: tuple(i for i, video in VIDEOS.items() if video.shape == shape) for shape in SHAPES}
_IDS_OF_SPOT = {
    spot: tuple(i for i, video in STANDING.items() if video.spot == spot)
    for spot in ("corner", "side", "center")
}


class Shot(NamedTuple):
    """One video: `number` counts within its task and tells places of one layout apart.

    `case` is what else is settled beforehand: the change of a memory video, the case of a probe.
    """

    kind: Kind
    task: str
    number: int
    video_id: int
    layout: str
    case: str = ""


@lru_cache(maxsize=8)
def shots(part: str, scale: float, seed: int) -> tuple[Shot, ...]:
    """The videos of a set, in a fixed order."""
    found: list[Shot] = []
    for task in PARTS[part]:
        rng = np.random.default_rng([seed, 6, *task.encode()])
        count = 3 * _scaled(PROBE_VIDEOS, scale) if task == "probe" else _scaled(VIDEOS_OF[task], scale)
        found += _MAKERS[task](count, rng)
    return tuple(found)


def _scaled(count: int, scale: float) -> int:
    return max(1, round(count * scale))


@lru_cache(maxsize=1)
def direction_ids() -> dict[int, float]:
    """How often each id is walked for the direction questions: mostly with two turns, as published.

    Three of the four U-shapes end with the start to the right; each is walked half as often as other
    routes, or "right" could not be offered beside three others as often as it is true.
    """
    weights = dict.fromkeys(TWO_TURNS, 229 / 16)
    weights |= {36: 14.5, 37: 14.5, 35: 15.0}
    for i in OTHER_ROUTES:
        if i not in weights:
            weights[i] = 14.4 * (0.5 if VIDEOS[i].shape == U_SHAPE else 1.0)
    total = sum(weights.values())
    return {i: weight / total for i, weight in weights.items()}


def direction_pairs() -> dict[tuple[str, str], float]:
    """How often each pair of answers comes, from the start and from the end."""
    shares: dict[tuple[str, str], float] = {}
    for i, share in direction_ids().items():
        row = expected_row(i, VIDEOS[i])
        pair = (row.start_to_end, row.end_to_start)
        shares[pair] = shares.get(pair, 0.0) + share
    return shares


def _direction(count: int, rng: np.random.Generator) -> Iterator[Shot]:
    shares = direction_ids()
    for n, i in enumerate(rng.choice(list(shares), count, p=list(shares.values()))):
        yield Shot("route", "direction", n, int(i), _anywhere(rng))


def _shape(count: int, rng: np.random.Generator) -> Iterator[Shot]:
    for n in range(count):
        ids = _IDS_OF_SHAPE[SHAPES[int(rng.integers(len(SHAPES)))]]
        video_id = ids[int(rng.integers(len(ids)))]
        yield Shot("standing" if video_id in STANDING else "route", "shape", n, video_id, _anywhere(rng))


def _revplan(count: int, rng: np.random.Generator) -> Iterator[Shot]:
    for n, i in enumerate(rng.choice(list(TWO_TURNS), count)):
        yield Shot("route", "revplan", n, int(i), _anywhere(rng))


def _localization(count: int, rng: np.random.Generator) -> Iterator[Shot]:
    for n in range(count):
        ids = list(_IDS_OF_SPOT.values())[int(rng.integers(3))]
        yield Shot("standing", "localization", n, ids[int(rng.integers(len(ids)))], _anywhere(rng))


def _memory(count: int, rng: np.random.Generator) -> Iterator[Shot]:
    for n in range(count):
        yield Shot("memory", "memory", n, 50, _indoors(rng), CHANGES[int(rng.integers(4))])


def _affordance(count: int, rng: np.random.Generator) -> Iterator[Shot]:
    for n in range(count):
        yield Shot("affordance", "affordance", n, 51, _indoors(rng))


def _probe(count: int, rng: np.random.Generator) -> Iterator[Shot]:
    """Equally many of each case: the probe compares them, it is not guessed."""
    for n in range(count):
        case = PROBE_CASES[n % 3]
        yield Shot("probe", "probe", n, 44 if case == "zigzag" else 35, _anywhere(rng), case)


_MAKERS: Mapping[str, Callable[[int, np.random.Generator], Iterator[Shot]]] = {
    "localization": _localization,
    "direction": _direction,
    "shape": _shape,
    "revplan": _revplan,
    "memory": _memory,
    "affordance": _affordance,
    "probe": _probe,
}


def _anywhere(rng: np.random.Generator) -> str:
    return _LAYOUTS[int(rng.integers(len(_LAYOUTS)))]


def _indoors(rng: np.random.Generator) -> str:
    choices = _INDOOR if rng.random() < _MOSTLY_INDOORS else _OUTDOOR
    return choices[int(rng.integers(len(choices)))]
