"""Stream families in which the world does what the memory was not tuned on: twins, swaps, agents, bags."""

import math

import numpy as np

from benchmarks.memory_stress_asking import Tally, ask_all, ask_how_many
from benchmarks.memory_stress_families import HOUR
from benchmarks.memory_stress_rooms import Thing
from benchmarks.memory_stress_stage import Stage

PERSON_SIZE = (0.5, 0.5, 1.7)


def furnished(seed: int, small: int = 5, rooms: int = 3, same_rooms: bool = False) -> tuple[Stage, Tally]:
    stage = Stage(seed, rooms, same_rooms=same_rooms)
    stage.furnish(small)
    return stage, Tally()


def portables(stage: Stage, room: int, count: int) -> list[Thing]:
    """Small things of a room."""
    rooms = stage.rooms
    things = [t for t in stage.things if t.attributes and t.present and rooms.room_of(t.place) == room]
    stage.rng.shuffle(things)
    return things[:count]


def portable(stage: Stage, room: int) -> Thing:
    return portables(stage, room, 1)[0]


def twins_in_a_row(seed: int) -> Tally:
    """Thirty bottles in a row, 0.25 m apart, none unlike another."""
    stage, tally = furnished(seed, 3, 2)
    rooms = stage.rooms
    along = float(rooms.edges[1]) / 2
    length = min(rooms.depth - 0.6, 30 * 0.25)
    for k in range(30):
        line, column = divmod(k, 15)
        spot = rooms.spot(along + 1.2 + 0.35 * line, 0.3 + length * column / 15, 0.8 + 0.4 * line)
        stage.add("pitcher", 0, spot)
    stage.learn(2)
    for _ in range(3):
        stage.go_to_room(int(stage.rng.integers(2)))
        stage.look_around()
        ask_all(stage, tally)
        ask_how_many(stage, tally, "pitcher")
    return tally


def swaps(seed: int) -> Tally:
    """Pairs of small things change places while nobody looks."""
    stage, tally = furnished(seed)
    stage.learn()
    stage.go_to_room(2)
    for room in (0, 0, 1):
        one, two = portable(stage, room), portable(stage, 0)
        if one is not two:
            there, here = one.place.copy(), two.place.copy()
            stage.focus += [one, two]
            stage.move(one, here)
            stage.move(two, there)
    stage.tour()
    ask_all(stage, tally)
    stage.tour()
    ask_all(stage, tally)
    return tally


def found_after_hours(seed: int) -> Tally:
    """Things are taken to another room, and found there after two hours of no watching."""
    stage, tally = furnished(seed)
    stage.learn()
    stage.go_to_room(2)
    stage.focus = portables(stage, 0, 3)
    for thing in stage.focus:
        stage.move(thing, stage.free_spot(1))
    stage.sleep(2 * HOUR)
    for room in (1, 0, 2):
        stage.go_to_room(room)
        stage.look_around()
        ask_all(stage, tally)
    return tally


def met_before_missed(seed: int) -> Tally:
    """Things are met at their new place before their old place is seen empty."""
    stage, tally = furnished(seed)
    stage.learn()
    stage.go_to_room(2)
    stage.go_to_room(1)
    stage.focus = portables(stage, 0, 3)
    for thing in stage.focus:
        stage.move(thing, stage.free_spot(2))
    stage.go_to_room(2)
    stage.look_around()
    ask_all(stage, tally)
    stage.go_to_room(1)
    ask_all(stage, tally)
    stage.tour()
    ask_all(stage, tally)
    return tally


def destroyed(seed: int) -> Tally:
    """Things vanish for good."""
    stage, tally = furnished(seed)
    stage.learn()
    stage.go_to_room(2)
    stage.focus = [*portables(stage, 0, 2), *portables(stage, 1, 2)]
    for thing in stage.focus:
        stage.remove(thing)
    stage.tour()
    ask_all(stage, tally)
    stage.tour()
    ask_all(stage, tally)
    return tally


def look_alikes(seed: int) -> Tally:
    """A thing is replaced by one of another colour, another by its like at a spot nearby."""
    stage, tally = furnished(seed)
    stage.learn()
    stage.go_to_room(2)
    one, two = portable(stage, 0), portable(stage, 1)
    stage.remove(one)
    stage.focus = [one, two, stage.add(one.name, 0, one.place.copy(), colour="purple")]
    old = two.place.copy()
    stage.move(two, stage.free_spot(1))
    stage.focus.append(stage.add("toaster", 1, old, colour="grey"))
    stage.tour()
    ask_all(stage, tally)
    stage.tour()
    ask_all(stage, tally)
    return tally


def _person(stage: Stage, name: str = "person", speed: float = 0.9, **attributes: str) -> Thing:
    """Somebody who walks about in the rooms on errands of their own."""
    person = Thing(name, stage.rooms.within(0, 0.6, 0.85), PERSON_SIZE, attributes, agent=True)
    stage.things.append(person)
    route: list[np.ndarray] = []
    pause = [0.0]

    def walk() -> None:
        if stage.time < pause[0]:
            return
        if not route:
            here = stage.rooms.room_of(person.place)
            there = int(np.clip(here + stage.rng.integers(-1, 2), 0, len(stage.rooms) - 1))
            if there != here:
                near, far = stage.rooms.door(min(here, there))
                route.extend([near, far] if there > here else [far, near])
            route.append(stage.rooms.within(there, 0.6))
        way = route[0][:2] - person.place[:2]
        distance = float(np.linalg.norm(way))
        step = min(1.0, speed * 0.1 / max(distance, 1e-9))
        person.place = np.array([*(person.place[:2] + way * step), 0.85])
        person.changed = stage.time
        if step >= 1.0:
            route.pop(0)
            if not route:
                pause[0] = stage.time + float(stage.rng.uniform(1.0, 12.0))

    stage.before_frame.append(walk)
    return person


def walking_person(seed: int) -> Tally:
    """One person walks about; unseen for seconds, nobody knows where they are."""
    stage, tally = furnished(seed)
    stage.focus = [_person(stage)]
    stage.learn()
    for _ in range(8):
        stage.go_to_room(int(stage.rng.integers(3)))
        stage.look_around()
        stage.stay(float(stage.rng.uniform(0.0, 15.0)))
        ask_all(stage, tally)
    return tally


def cat_and_person(seed: int) -> Tally:
    """A person and a cat; the cat is quick."""
    stage, tally = furnished(seed)
    agents = [_person(stage), _person(stage, "cat", 1.6)]
    agents[1].size, stage.focus = (0.4, 0.2, 0.3), agents
    stage.learn()
    for _ in range(6):
        stage.go_to_room(int(stage.rng.integers(3)))
        stage.look_around()
        ask_all(stage, tally)
    return tally


def mirror_rooms(seed: int) -> Tally:
    """Two rooms that are furnished alike, thing by thing."""
    stage, tally = Stage(seed, 3, same_rooms=True), Tally()
    rooms = stage.rooms
    for name in ("bed", "lamp", "chair", "clock", "vase"):
        along, across = (
            stage.rng.uniform(0.5, float(rooms.widths[0]) - 0.5),
            stage.rng.uniform(0.5, rooms.depth - 0.5),
        )
        for room in (0, 2):
            mirrored = along if room == 0 else float(rooms.widths[0]) - along
            stage.add(name, room, rooms.spot(float(rooms.edges[room]) + mirrored, across, 0.6))
    for name, colour in (("radio", "red"), ("wallet", "blue"), ("phone", "green")):
        stage.add(name, 1, colour=colour)
    stage.learn(2)
    for _ in range(3):
        stage.go_to_room(int(stage.rng.integers(3)))
        stage.look_around()
        ask_all(stage, tally)
    return tally


def go_near(stage: Stage, thing: Thing, gap: float = 1.0) -> None:
    """Within reach of a thing, facing it."""
    stage.go_to_room(stage.rooms.room_of(thing.place))
    away = stage.position - thing.place[:2]
    distance = float(np.linalg.norm(away))
    if distance > gap:
        stage.go(thing.place[:2] + away * (gap / distance))
    stage.face(thing)


def put_down(stage: Stage, thing: Thing) -> None:
    """Somewhere before the wearer's feet, inside the room."""
    yaw = math.radians(stage.yaw)
    spot = stage.position + np.array([math.cos(yaw), math.sin(yaw)]) * 0.8
    stage.move(thing, np.array([*spot, float(stage.rng.uniform(0.2, 0.9))]))


def carried_by_wearer(seed: int) -> Tally:
    """The wearer carries things about, seen in the hand for part of the way only."""
    stage, tally = furnished(seed)
    stage.learn()
    for _ in range(4):
        thing = portable(stage, int(stage.rng.integers(3)))
        stage.focus.append(thing)
        go_near(stage, thing, 0.8)
        stage.stay(2.0)
        low = float(stage.rng.choice([-0.4, -0.9]))  # before the chest, or down at the side and out of view
        stage.carried = [(thing, np.array([0.5, float(stage.rng.uniform(-0.25, 0.25)), low]))]
        stage.go_to_room(int(stage.rng.integers(3)))
        stage.carried = []
        put_down(stage, thing)
        stage.stay(2.0)
        ask_all(stage, tally, 3)
        stage.go_to_room(int(stage.rng.integers(3)))
        stage.look_around()
        ask_all(stage, tally, 3)
    return tally


def carried_bag(seed: int) -> Tally:
    """The wearer puts a laptop into a bag and carries the bag to another room; the laptop goes with it."""
    stage, tally = furnished(seed)
    bag = stage.add("bag", 0)
    bag.size = (0.4, 0.3, 0.4)
    laptop = stage.add("laptop", 0, bag.place + np.array([0.0, 0.0, 0.25]))
    stage.learn()
    go_near(stage, bag)
    stage.stay(3.0)
    stage.carried = [(bag, np.array([0.6, 0.2, -0.5])), (laptop, np.array([0.6, 0.2, -0.35]))]
    laptop.hidden = bool(stage.rng.random() < 0.5)
    stage.go_to_room(2)
    bag_place, laptop_place = bag.place.copy(), laptop.place.copy()
    stage.carried = []
    put_down(stage, bag)
    stage.move(laptop, bag.place + (laptop_place - bag_place))
    stage.stay(3.0)
    stage.focus = [bag, laptop]
    laptop.seen = stage.time + 1.0 if laptop.hidden else laptop.seen  # whoever saw it go in knows
    for room in (1, 0, 2):
        stage.go_to_room(room)
        stage.look_around()
        ask_all(stage, tally)
    return tally


def carried_by_another(seed: int) -> Tally:
    """Somebody else carries a thing through the wearer's view and out of it."""
    stage, tally = furnished(seed)
    person = _person(stage)
    stage.learn()
    thing, held = portable(stage, 0), [False]
    stage.focus = [thing, person]

    def carry() -> None:
        if held[0]:
            stage.move(thing, person.place + np.array([0.3, 0.0, 0.2]))

    stage.before_frame.append(carry)
    for _ in range(3):
        stage.go_to_room(stage.rooms.room_of(person.place))
        stage.face(person)
        held[0] = True
        for _ in range(6):
            stage.face(person)
            stage.stay(1.0)
        stage.go_to_room(int(stage.rng.integers(3)))
        held[0] = False
        stage.move(thing, np.array([*thing.place[:2], 0.8]))
        stage.tour()
        ask_all(stage, tally)
    return tally


def matching_sets(seed: int) -> Tally:
    """Sets of six chairs, 0.3 m from one another."""
    stage, tally = furnished(seed, 3)
    for room, name in ((0, "chair"), (1, "stool"), (2, "plate")):
        middle = stage.rooms.within(room, 1.2, 0.5)
        for k in range(6):
            line, column = divmod(k, 3)
            offset = np.array([0.3 * (column - 1), 0.3 * (line - 0.5), 0.0])
            stage.add(name, room, middle + offset)
    stage.detector.sigma_m, stage.detector.sigma_share = 0.02, 0.015
    stage.learn(2)
    for _ in range(3):
        stage.go_to_room(int(stage.rng.integers(3)))
        stage.look_around()
        ask_all(stage, tally)
        for name in ("chair", "stool", "plate"):
            ask_how_many(stage, tally, name)
    return tally


def clutter(seed: int) -> Tally:
    """Sixty books on a shelf, seen with 5 to 10 cm of noise."""
    stage, tally = furnished(seed, 3, 2)
    corner = stage.rooms.within(0, 1.0, 0.5)
    for _ in range(60):
        book = stage.add("book", 0, corner + stage.rng.uniform([-0.5, -0.15, 0.0], [0.5, 0.15, 1.2]))
        book.size = (0.04, 0.15, 0.22)
    stage.detector.sigma_m, stage.detector.sigma_share = float(stage.rng.choice([0.05, 0.12])), 0.015
    stage.learn()
    for _ in range(3):
        stage.go_to_room(int(stage.rng.integers(2)))
        stage.look_around()
        ask_all(stage, tally)
        ask_how_many(stage, tally, "book")
    return tally
