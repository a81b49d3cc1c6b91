"""Stream families written after the memory was mended: what it does on streams that nobody tried before."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from benchmarks.memory_stress_asking import Tally, ask_all
from benchmarks.memory_stress_events import furnished, portable, portables
from benchmarks.memory_stress_families import shifted
from benchmarks.memory_stress_rooms import FURNITURE, Thing
from benchmarks.memory_stress_stage import Stage
from situ.perception import Observation

_SYNONYMS = {"sofa": "couch", "cup": "mug", "fridge": "refrigerator", "bottle": "flask", "phone": "telephone"}
_SHELL_M = 0.25  # from a thing to the cupboard door before it


def ask_around(stage: Stage, tally: Tally, visits: int = 3) -> None:
    for _ in range(visits):
        stage.go_to_room(int(stage.rng.integers(len(stage.rooms))))
        stage.look_around()
        ask_all(stage, tally)


def moved_twice(seed: int) -> Tally:
    """Things are moved to a second and then to a third room while nobody looks."""
    stage, tally = furnished(seed)
    stage.learn()
    stage.go_to_room(2)
    stage.focus = portables(stage, 0, 3)
    for thing in stage.focus:
        stage.move(thing, stage.free_spot(1))
        stage.move(thing, stage.free_spot(int(stage.rng.integers(3))))
    stage.tour()
    ask_all(stage, tally)
    ask_around(stage, tally, 2)
    return tally


def furniture_rearranged(seed: int) -> Tally:
    """Half of the furniture stands elsewhere in its room after an hour."""
    stage, tally = furnished(seed)
    stage.learn()
    stage.sleep(3600.0)
    furniture = [thing for thing in stage.things if thing.name in FURNITURE]
    stage.focus = furniture[::2]
    for thing in stage.focus:
        stage.move(thing, stage.free_spot(stage.rooms.room_of(thing.place), float(thing.place[2]), 0.9))
    stage.tour()
    ask_all(stage, tally)
    ask_around(stage, tally)
    return tally


def doors_that_hide(seed: int) -> Tally:
    """Cupboard doors close before small things and open again; nothing is moved."""
    stage, tally = furnished(seed)
    stage.learn()
    stage.focus = [*portables(stage, 0, 2), *portables(stage, 1, 2)]
    doors = [_shell(stage, thing) for thing in stage.focus]
    for _ in range(2):
        for thing, door in zip(stage.focus, doors, strict=True):
            thing.hidden = door.present = bool(stage.rng.random() < 0.6)
        stage.tour()
        ask_all(stage, tally)
    for thing, door in zip(stage.focus, doors, strict=True):
        thing.hidden = door.present = False
    ask_around(stage, tally, 2)
    return tally


def _shell(stage: Stage, thing: Thing) -> Thing:
    """A closed cupboard around a thing: depth ends there, and the detector has no name for it."""
    side = 2 * _SHELL_M
    door = Thing("door of a cupboard", thing.place.copy(), (side, side, side), present=False)
    stage.things.append(door)
    before = stage.after_look
    stage.after_look = lambda seen: [o for o in before(seen) if o.label != door.name]
    return door


def mixed_rates(seed: int) -> Tally:
    """Now fifteen frames a second, now one in five seconds."""
    stage, tally = furnished(seed)
    rates = (15.0, 0.2, 2.0, 0.5, 6.0)

    def change() -> None:
        if stage.rng.random() < 0.01:
            stage.fps = float(stage.rng.choice(rates))

    stage.before_frame.append(change)
    stage.learn(2)
    stage.focus = portables(stage, 1, 2)
    stage.go_to_room(2)
    for thing in stage.focus:
        stage.move(thing, stage.free_spot(0))
    stage.tour(2)
    ask_all(stage, tally)
    ask_around(stage, tally)
    return tally


def synonyms(seed: int) -> Tally:
    """Four in ten sofas are called couches, cups mugs, bottles flasks: two words for one kind."""
    stage, tally = furnished(seed)

    def rename(seen: list[Observation]) -> list[Observation]:
        return [
            changed(o, label=_SYNONYMS[o.label]) if o.label in _SYNONYMS and stage.rng.random() < 0.4 else o
            for o in seen
        ]

    stage.after_look = rename
    stage.learn(2)
    stage.focus = [thing for thing in stage.things if thing.name in _SYNONYMS]
    ask_around(stage, tally, 4)
    return tally


def truncated_boxes(seed: int) -> Tally:
    """Half of the boxes are cut: a part of the thing is taken for the whole."""
    return _with_faulty_boxes(seed, _cut)


def duplicated(seed: int) -> Tally:
    """Half of the things are detected twice in a frame, a few centimetres apart."""
    return _with_faulty_boxes(seed, _twice)


def _with_faulty_boxes(
    seed: int, fault: Callable[[Observation, np.random.Generator], list[Observation]]
) -> Tally:
    stage, tally = furnished(seed)

    def spoil(seen: list[Observation]) -> list[Observation]:
        spoilt = [fault(o, stage.rng) if stage.rng.random() < 0.5 else [o] for o in seen]
        return [o for some in spoilt for o in some]

    stage.after_look = spoil
    stage.learn()
    stage.focus = [portable(stage, 0)]
    stage.go_to_room(2)
    stage.move(stage.focus[0], stage.free_spot(1))
    stage.tour()
    ask_around(stage, tally)
    return tally


def _cut(seen: Observation, rng: np.random.Generator) -> list[Observation]:
    width, depth, height = seen.size or (0.2, 0.2, 0.2)
    share, (x, y, z) = float(rng.uniform(0.3, 0.8)), seen.position
    side = float(rng.choice([-1.0, 1.0])) * (1.0 - share) / 2
    return [changed(seen, position=(x + side * width, y, z), size=(share * width, depth, height))]


def _twice(seen: Observation, rng: np.random.Generator) -> list[Observation]:
    x, y, z = (np.array(seen.position) + rng.normal(0.0, 0.06, 3)).tolist()
    return [seen, changed(seen, position=(x, y, z), score=0.5)]


def reflections(seed: int) -> Tally:
    """A mirror hangs on an outer wall: what stands near it is seen a second time, behind the wall."""
    stage, tally = furnished(seed)

    def reflect(seen: list[Observation]) -> list[Observation]:
        found = []
        for o in seen:
            along, across = _plan(stage, o.position)
            if 0.0 < across < 1.5 and stage.rng.random() < 0.5:
                x, y, _ = stage.rooms.spot(along, -across).tolist()
                found.append(changed(o, position=(x, y, o.position[2]), score=0.6))
        return seen + found

    stage.after_look = reflect
    stage.learn()
    stage.tour()
    ask_around(stage, tally)
    return tally


def _plan(stage: Stage, position: tuple[float, float, float]) -> tuple[float, float]:
    """Along and across the row of rooms."""
    rooms = stage.rooms
    c, s = math.cos(rooms.yaw), math.sin(rooms.yaw)
    x, y = position[0] - rooms.origin[0], position[1] - rooms.origin[1]
    return x * c + y * s, y * c - x * s


def slow_drift(seed: int) -> Tally:
    """Yaw drifts by 3 degrees a minute and the way by 2 %, and no loop is ever closed."""
    stage, tally = furnished(seed)
    turn, last = float(stage.rng.choice([-3.0, 3.0])) / 60.0, [stage.position.copy()]

    def drift() -> None:
        step, last[0] = stage.position - last[0], stage.position.copy()
        stage.pose_error = stage.pose_error @ shifted(stage, turn * 0.1, (0.02 * step[0], 0.02 * step[1]))

    stage.learn()
    stage.before_frame.append(drift)
    stage.tour()
    ask_around(stage, tally, 4)
    return tally


def handed_over(seed: int) -> Tally:
    """The camera goes to a second, smaller wearer, who looks down more and starts in another room."""
    stage, tally = furnished(seed)
    stage.learn()
    ask_all(stage, tally)
    for pitch in (-30.0, -5.0):
        stage.sleep(20.0)
        stage.position = stage.rooms.middle(int(stage.rng.integers(3)))[:2]
        stage.yaw, stage.pitch = float(stage.rng.uniform(-180, 180)), pitch
        stage.look_around()
        ask_all(stage, tally)
        ask_around(stage, tally, 1)
    return tally


def changed(seen: Observation, **fields: object) -> Observation:
    return replace(seen, **fields)  # type: ignore[arg-type]


HELD_OUT = (
    moved_twice, furniture_rearranged, doors_that_hide, mixed_rates, synonyms, truncated_boxes, duplicated,
    reflections, slow_drift, handed_over,
)  # fmt: skip
