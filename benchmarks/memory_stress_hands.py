"""Stream families about hands: things put down out of view, put back or put away; one of two; both hands."""

import numpy as np

from benchmarks.memory_stress_asking import RIGHT, UNSURE, WRONG, Tally, ask_all
from benchmarks.memory_stress_events import furnished, go_near, portable, portables, put_down
from benchmarks.memory_stress_heldout import ask_around
from benchmarks.memory_stress_rooms import Thing
from benchmarks.memory_stress_stage import Stage

_BEFORE_THE_CHEST = np.array([0.5, 0.1, -0.35])


def take(stage: Stage, *things: Thing) -> None:
    """Go to the first of some things and take them all up, before the chest and in view."""
    go_near(stage, things[0], 0.8)
    stage.stay(2.0)
    beside = np.array([0.0, 0.25, 0.0])
    stage.carried = [(thing, _BEFORE_THE_CHEST - k * beside) for k, thing in enumerate(things)]


def behind(stage: Stage, thing: Thing) -> None:
    """Put a thing down while looking the other way."""
    put_down(stage, thing)
    stage.carried = [pair for pair in stage.carried if pair[0] is not thing]
    stage.yaw += 180.0


def ask_last(stage: Stage, tally: Tally, last: Thing) -> None:
    """What the wearer moved last."""
    stage.until_frame()
    told = stage.memory.ask("what did I move last?")
    right = told.value in (last.phrase, f"the {last.phrase}")
    outcome = UNSURE if told.abstained or told.value is None else RIGHT if right else WRONG
    tally.add("moved last", outcome, told, last.phrase)


def put_down_unseen(seed: int) -> Tally:
    """Things are put down while the wearer looks away, and met again later, in another order."""
    stage, tally = furnished(seed)
    stage.learn()
    for room in (1, 2, 0):
        thing = portable(stage, room)
        stage.focus.append(thing)
        take(stage, thing)
        stage.go_to_room((room + 1) % 3)
        behind(stage, thing)
        stage.stay(2.0)
        ask_last(stage, tally, thing)
    stage.tour()
    ask_last(stage, tally, thing)
    ask_all(stage, tally)
    return tally


def put_back(seed: int) -> Tally:
    """Things are taken up, carried about the room, and put back nearly where they were."""
    stage, tally = furnished(seed)
    stage.learn()
    for room in (0, 1, 2):
        thing = portable(stage, room)
        stage.focus.append(thing)
        home = thing.place.copy()
        take(stage, thing)
        stage.go(stage.rooms.middle(room)[:2] + stage.rng.uniform(-0.5, 0.5, 2))
        stage.go(home[:2] + (stage.position - home[:2]) * 0.3)
        stage.carried = []
        stage.yaw += 180.0
        stage.move(thing, home + np.array([*stage.rng.uniform(-0.05, 0.05, 2), 0.0]))
        stage.stay(4.0)
    ask_around(stage, tally)
    return tally


def put_away(seed: int) -> Tally:
    """A thing is put into a drawer, stays there for minutes, and is taken out to another room."""
    stage, tally = furnished(seed)
    stage.learn()
    for room in (0, 2):
        thing = portable(stage, room)
        take(stage, thing)
        stage.go_to_room(1)
        stage.carried, thing.hidden = [], True
        put_down(stage, thing)
        drawer = stage.position.copy()
        stage.stay(3.0)
        stage.tour()
        stage.go_to_room(1)
        stage.go(drawer)
        thing.hidden = False
        stage.carried = [(thing, _BEFORE_THE_CHEST)]
        stage.go_to_room(room)
        stage.carried = []
        put_down(stage, thing)
        stage.stay(3.0)
        stage.focus.append(thing)
        ask_last(stage, tally, thing)
        ask_all(stage, tally)
    ask_around(stage, tally, 2)
    return tally


def one_of_two(seed: int) -> Tally:
    """Of two things that look alike, in two rooms, one is carried to where the other stands."""
    stage, tally = furnished(seed)
    one = stage.add("teapot", 0, colour="red")
    stage.add("teapot", 2, colour="red")
    stage.learn()
    take(stage, one)
    stage.go_to_room(2)
    stage.carried = []
    put_down(stage, one)
    stage.stay(3.0)
    stage.focus = [one]
    ask_around(stage, tally, 4)
    return tally


def both_hands_full(seed: int) -> Tally:
    """Two things are taken along; one is put down on the way, in view or not, the other at the end."""
    stage, tally = furnished(seed)
    stage.learn()
    for start in (0, 2):
        first, second = portables(stage, start, 2)
        stage.focus += [first, second]
        second.place = first.place + np.array([0.3, 0.0, 0.0])
        stage.stay(1.0)
        take(stage, first, second)
        stage.go_to_room(1)
        if stage.rng.random() < 0.5:
            behind(stage, first)
        else:
            put_down(stage, first)
            stage.carried = stage.carried[1:]
            stage.stay(2.0)
        stage.go_to_room(2 - start)
        stage.carried = []
        put_down(stage, second)
        stage.stay(2.0)
        ask_last(stage, tally, second)
        ask_all(stage, tally)
    ask_around(stage, tally, 2)
    return tally


HANDS = (put_down_unseen, put_back, put_away, one_of_two, both_hands_full)
