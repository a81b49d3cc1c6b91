"""Stream families in which the eyes change on the way: darkness, evening light, a detector that is replaced,
outliers of depth, a head that nods; and a trolley that takes along what stands on it."""

import numpy as np

from benchmarks.memory_stress_asking import Tally, ask_all
from benchmarks.memory_stress_events import furnished, portables
from benchmarks.memory_stress_heldout import ask_around, changed
from benchmarks.memory_stress_stage import Stage
from situ.geometry.pose import inverse, transform
from situ.perception import Observation

_BY_LAMPLIGHT = {"white": "yellow", "blue": "black", "pink": "orange"}
_NEW_NAMES = {"cup": "mug", "bottle": "flask", "phone": "smartphone", "sofa": "couch", "book": "paperback",
              "lamp": "light", "wallet": "purse", "vase": "jar"}  # fmt: skip
_NOD_DEG, _NODS_HZ = 25.0, 0.4


def dark(seed: int) -> Tally:
    """The lights go out for a round: one thing in seven is detected, and depth is as good as ever."""
    stage, tally = furnished(seed)
    stage.learn()
    usual = stage.detector.miss
    stage.detector.miss = 0.85
    stage.tour()
    ask_all(stage, tally)
    stage.detector.miss = usual
    stage.focus = portables(stage, 1, 2)
    stage.go_to_room(2)
    for thing in stage.focus:
        stage.move(thing, stage.free_spot(0))
    stage.tour()
    ask_around(stage, tally)
    return tally


def heavy_tails(seed: int) -> Tally:
    """One depth in fifteen is off by up to two metres, and said to be as good as the others."""
    stage, tally = furnished(seed)

    def spoil(seen: list[Observation]) -> list[Observation]:
        return [_outlier(stage, o) if stage.rng.random() < 1 / 15 else o for o in seen]

    stage.after_look = spoil
    stage.learn()
    stage.focus = portables(stage, 0, 2)
    stage.go_to_room(2)
    for thing in stage.focus:
        stage.move(thing, stage.free_spot(1))
    stage.tour(2)
    ask_around(stage, tally)
    return tally


def _outlier(stage: Stage, seen: Observation) -> Observation:
    shown = stage.pose_error @ stage.pose
    local = transform(inverse(shown), np.array(seen.position))
    distance = float(np.linalg.norm(local))
    off = float(stage.rng.uniform(0.6, 2.0)) * float(stage.rng.choice([-1.0, 1.0]))
    x, y, z = transform(shown, local * max(0.3, 1.0 + off / distance)).tolist()
    return changed(seen, position=(x, y, z))


def evening_light(seed: int) -> Tally:
    """From the second round on some colours are called otherwise, always the same way."""
    stage, tally = furnished(seed)
    stage.learn()

    def by_lamplight(seen: list[Observation]) -> list[Observation]:
        return [
            changed(o, attributes={k: _BY_LAMPLIGHT.get(v, v) for k, v in o.attributes.items()}) for o in seen
        ]

    stage.after_look = by_lamplight
    stage.focus = [t for t in stage.things if set(t.attributes.values()) & set(_BY_LAMPLIGHT)]
    stage.tour()
    ask_around(stage, tally)
    return tally


def new_detector(seed: int) -> Tally:
    """After the first round another detector looks, which has other names for half of the kinds."""
    stage, tally = furnished(seed)
    stage.learn(2)

    def rename(seen: list[Observation]) -> list[Observation]:
        return [changed(o, label=_NEW_NAMES.get(o.label, o.label)) for o in seen]

    stage.after_look = rename
    stage.tour()
    ask_around(stage, tally)
    return tally


def nodding(seed: int) -> Tally:
    """The head nods up and down by 25 degrees all the time."""
    stage, tally = furnished(seed)

    def nod() -> None:
        phase = 2 * np.pi * _NODS_HZ * stage.time
        stage.pitch = -15.0 + _NOD_DEG * float(np.sin(phase))

    stage.before_frame.append(nod)
    stage.learn()
    stage.focus = portables(stage, 0, 2)
    stage.go_to_room(2)
    for thing in stage.focus:
        stage.move(thing, stage.free_spot(1))
    stage.tour()
    ask_around(stage, tally)
    return tally


def trolley(seed: int) -> Tally:
    """Somebody pushes a trolley with three things on it into another room while nobody looks."""
    stage, tally = furnished(seed)
    cart = stage.add("trolley", 0, stage.free_spot(0, 0.4))
    cart.size = (0.8, 0.5, 0.8)
    load = portables(stage, 0, 3)
    for k, thing in enumerate(load):
        stage.move(thing, cart.place + np.array([0.25 * (k - 1), 0.0, 0.5]))
    stage.learn(2)
    stage.go_to_room(2)
    away = stage.free_spot(1, 0.4) - cart.place
    for thing in [cart, *load]:
        stage.move(thing, thing.place + away)
    stage.focus = [cart, *load]
    stage.tour()
    ask_around(stage, tally)
    return tally


CHANGES = (dark, heavy_tails, evening_light, new_detector, nodding, trolley)
