"""Stream families unlike the noise that the memory was tuned on: what goes wrong with eyes and odometry."""

import math
from collections.abc import Callable

import numpy as np

from benchmarks.memory_stress_asking import Tally, ask_about, ask_all
from benchmarks.memory_stress_rooms import Point
from benchmarks.memory_stress_stage import Stage
from situ.geometry.pose import Matrix, rigid
from situ.perception import Observation

Family = Callable[[int], Tally]
HOUR, DAY = 3600.0, 86400.0


def shifted(stage: Stage, yaw_deg: float, shift: tuple[float, float]) -> Matrix:
    """An error of the pose: a turn about where the wearer is, and a shift."""
    c, s = math.cos(math.radians(yaw_deg)), math.sin(math.radians(yaw_deg))
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    at = stage.pose[:3, 3]
    return rigid(turn, at - turn @ at + np.array([*shift, 0.0]))


def _visits(stage: Stage, tally: Tally, visits: int = 3) -> None:
    """Walk on and ask, room after room."""
    for _ in range(visits):
        stage.go_to_room(int(stage.rng.integers(len(stage.rooms))))
        stage.look_around()
        ask_all(stage, tally)


def burst(seed: int) -> Tally:
    """A reflection is taken for a kettle in the same place for seconds on end, twice; then never again."""
    stage, tally = Stage(seed), Tally()
    stage.furnish()
    stage.learn()
    stage.go_to_room(0)
    ghost = stage.add("kettle", 0, _spot_ahead(stage), colour="golden")
    ghost.present = False

    def invent(seen: list[Observation]) -> list[Observation]:
        x, y, z = (ghost.place + stage.rng.normal(0, 0.05, 3)).tolist()
        ghost.seen, ghost.first_seen, ghost.looks = stage.time, min(ghost.first_seen, stage.time), 0
        return [*seen, Observation("kettle", (x, y, z), 0.7, 0.05, None, ghost.size, ghost.attributes)]

    for _ in range(2):
        stage.face(ghost)
        stage.after_look = invent
        stage.stay(float(stage.rng.uniform(2.0, 5.0)))
        stage.after_look = lambda seen: seen
        stage.stay(6.0)
        stage.look_around()
        stage.focus = [ghost]
        ask_all(stage, tally)
    _visits(stage, tally)
    return tally


def _spot_ahead(stage: Stage) -> Point:
    """A spot of the room that the wearer can look at from where they stand."""
    room = stage.rooms.room_of(stage.position)
    spots = (stage.rooms.within(room, 0.4, 1.0) for _ in range(100))
    return next(spot for spot in spots if 1.2 < np.linalg.norm(spot[:2] - stage.position) < 3.0)


def confusion(seed: int) -> Tally:
    """Three in ten cups are called bowls, and three in ten bowls cups."""
    stage, tally = Stage(seed), Tally()
    stage.furnish(4)
    for room in range(3):
        for name in ("cup", "bowl"):
            stage.focus.append(stage.add(name, room, colour=("white", "grey", "brown")[room]))
    stage.detector.confusion, stage.detector.confused = {"cup": "bowl", "bowl": "cup"}, 0.3
    stage.learn(2)
    _visits(stage, tally)
    return tally


def big_boxes(seed: int) -> Tally:
    """Boxes are twice as big as the things."""
    stage, tally = Stage(seed), Tally()
    stage.furnish(8)
    stage.detector.size_scale = 2.0
    stage.learn()
    _visits(stage, tally)
    return tally


def depth_bias(seed: int) -> Tally:
    """Depth is 15 % too far, or too near, and nobody says so."""
    stage, tally = Stage(seed), Tally()
    stage.furnish(8)
    stage.detector.depth_scale = 1.15 if stage.rng.random() < 0.5 else 0.87
    stage.learn()
    _visits(stage, tally, 4)
    return tally


def pose_jumps(seed: int) -> Tally:
    """The tracking jumps by a metre and 20 degrees, and back after a while; twice."""
    stage, tally = Stage(seed), Tally()
    stage.furnish()
    stage.learn()
    for _ in range(2):
        stage.go_to_room(int(stage.rng.integers(3)))
        shift = stage.rng.normal(size=2)
        x, y = (shift / np.linalg.norm(shift)).tolist()
        stage.pose_error = shifted(stage, float(stage.rng.choice([-20.0, 20.0])), (x, y))
        stage.look_around()
        ask_all(stage, tally)
        stage.go_to_room(int(stage.rng.integers(3)))
        stage.pose_error = np.eye(4)
        stage.look_around()
        ask_all(stage, tally)
    _visits(stage, tally, 2)
    return tally


def loop_closures(seed: int) -> Tally:
    """Yaw drifts by 10 degrees a minute; once in a minute the odometry closes a loop and is right again."""
    stage, tally = Stage(seed), Tally()
    stage.furnish()
    rate, closed = float(stage.rng.choice([-10.0, 10.0])) / 60.0, [stage.time]

    def drift() -> None:
        stage.pose_error = shifted(stage, rate * 0.1, (0.0, 0.0)) @ stage.pose_error
        if stage.time - closed[0] > 60.0:
            closed[0] = stage.time
            stage.pose_error = np.eye(4)

    stage.learn()
    stage.before_frame.append(drift)
    stage.tour()
    _visits(stage, tally, 4)
    return tally


def _after_gap(seed: int, seconds: float, moved: float) -> Tally:
    stage, tally = Stage(seed), Tally()
    stage.furnish()
    stage.learn()
    stage.tour()
    stage.sleep(seconds)
    for thing in stage.things:
        if thing.attributes and stage.rng.random() < moved:
            stage.move(thing, stage.free_spot(int(stage.rng.integers(3))))
            stage.focus.append(thing)
    for thing in list(stage.things):  # before anything is seen again: what is stated must still hold
        ask_about(stage, tally, thing, moved=False)
    _visits(stage, tally, 4)
    return tally


def gap_hour(seed: int) -> Tally:
    """Nothing is watched for an hour; one small thing in seven was moved meanwhile."""
    return _after_gap(seed, HOUR, 0.15)


def gap_day(seed: int) -> Tally:
    """Nothing is watched for a day; half of the small things were moved meanwhile."""
    return _after_gap(seed, DAY, 0.5)


def _at_rate(seed: int, fps: float, rounds: int) -> Tally:
    stage, tally = Stage(seed, 2 if fps > 10 else 3, fps), Tally()
    stage.furnish()
    stage.learn(rounds)
    stage.focus = [thing for thing in stage.things if thing.attributes][:4]
    for thing in stage.focus:
        if stage.rooms.room_of(thing.place) != stage.rooms.room_of(stage.position):
            stage.move(thing, stage.free_spot(stage.rooms.room_of(thing.place)))
    for _ in range(rounds):
        _visits(stage, tally, 2)
    return tally


def fps_30(seed: int) -> Tally:
    """Thirty frames a second."""
    return _at_rate(seed, 30.0, 1)


def fps_1(seed: int) -> Tally:
    """One frame a second."""
    return _at_rate(seed, 1.0, 2)


def fps_tenth(seed: int) -> Tally:
    """A frame in ten seconds."""
    return _at_rate(seed, 0.1, 6)
