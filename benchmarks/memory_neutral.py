"""Neutral streams: hours in a home that the memory was not tuned on; things are moved, carried, taken away.

`python -m benchmarks.memory neutral --seeds 701 --hours 1`. The rooms, the wearer and the detector are those
of the stress table; every answer is asked through `Memory.ask`, and some of them again as of then.
"""

import json
from collections import Counter

import numpy as np

from benchmarks.memory_stress_asking import knowable
from benchmarks.memory_stress_rooms import Thing
from benchmarks.memory_stress_stage import Detector, Stage
from situ.geometry.heading import Heading, sector, sector_margin_deg
from situ.questions.select import plural

ROOMS, SMALL_THINGS = 7, 12
_NAMES = "flurb zint quop mibbet drasil vonk perrit yuggle snorb twelp grix honnep"
_COLOURS = "red blue green white black pink grey teal"
NAMES, COLOURS = _NAMES.split(" "), _COLOURS.split(" ")
_MARGIN_DEG = 8.0


class Home(Stage):
    """A home and a day in it."""

    def __init__(self, seed: int, noisy: bool) -> None:
        super().__init__(seed, ROOMS, fps=1.0)
        self.detector = Detector(0.08, 0.04, 0.015, invented=0.02)
        if not noisy:
            self.detector = Detector(0.0, 0.005, 0.0, invented=0.0)
        self.furnish(SMALL_THINGS // 2)
        kinds = [(name, colour) for name in NAMES for colour in COLOURS]
        self.rng.shuffle(kinds)
        for room in range(ROOMS):
            for _ in range(SMALL_THINGS // 2):
                name, colour = kinds.pop()
                self.add(str(name), room, colour=str(colour))
        self.touched: dict[str, list[Thing]] = {"moved": [], "carried": []}

    def portable(self, here: bool) -> Thing | None:
        """A small thing that is known, in this room or in another."""
        room = self.rooms.room_of(self.position)
        of_here = [self.rooms.room_of(t.place) == room for t in self.things]
        things = [
            t for t, is_here in zip(self.things, of_here, strict=True)
            if t.attributes and t.present and is_here == here and t.seen > t.changed
        ]  # fmt: skip
        return things[int(self.rng.integers(len(things)))] if things else None

    def errand(self) -> None:
        """To another room, now and then with something in the hands; elsewhere something is moved."""
        room = int(self.rng.integers(ROOMS))
        thing = self.portable(here=True)
        if thing is not None and self.rng.random() < 0.3:
            self.carry(thing, room)
        else:
            self.go_to_room(room)
        self.look_around()
        other = self.portable(here=False)
        if other is not None and self.rng.random() < 0.3:
            there = [r for r in range(ROOMS) if r != self.rooms.room_of(self.position)]
            self.move(other, self.free_spot(int(self.rng.choice(there))))
            self.touched["moved"].append(other)
        if other is not None and self.rng.random() < 0.03:
            self.remove(other)

    def carry(self, thing: Thing, room: int) -> None:
        away = self.position - thing.place[:2]
        distance = float(np.linalg.norm(away))
        if distance > 0.8:
            self.go(thing.place[:2] + away * (0.8 / distance))
        self.face(thing)
        self.stay(2.0)
        low = float(self.rng.uniform(-0.6, -0.3))
        self.carried = [(thing, np.array([0.55, float(self.rng.uniform(-0.3, 0.3)), low]))]
        self.go_to_room(room)
        self.carried = []
        yaw = np.radians(self.yaw)
        spot = self.position + 0.8 * np.array([np.cos(yaw), np.sin(yaw)])
        self.move(thing, np.array([*spot, float(self.rng.uniform(0.3, 0.9))]))
        self.touched["carried"].append(thing)
        self.stay(2.0)


def neutral(seeds: list[int], hours: float, noisy: bool) -> Counter[str]:
    """Print one line of figures over all seeds."""
    total: Counter[str] = Counter()
    for seed in seeds:
        home = Home(seed, noisy)
        home.learn()
        said: list[tuple[float, str, tuple[object, ...]]] = []
        asked_at = home.time
        while home.time < hours * 3600.0:
            home.errand()
            if home.time - asked_at > 240.0:
                asked_at = home.time
                _ask(home, total, said)
        _finish(home, total)
        for time, question, answer in said:
            told = home.memory.ask(question, at=time)
            total["as of"] += 1
            total["as of right"] += (told.value, told.confidence, told.evidence) == answer
        home.memory.close()
    names = [name for name in total if not name.endswith(" right")]
    shares = {name: round(100 * total[f"{name} right"] / total[name], 1) for name in names if total[name]}
    counts = {name: total[name] for name in names}
    print(
        json.dumps(
            {"figure": "neutral", "hours": hours, "noisy": noisy, "seeds": seeds, **shares, "asked": counts}
        )
    )
    return total


def _add(total: Counter[str], name: str, right: bool) -> None:
    total[name] += 1
    total[f"{name} right"] += right


def _ask(home: Home, total: Counter[str], said: list[tuple[float, str, tuple[object, ...]]]) -> None:
    home.until_frame()
    here = Heading.of(home.pose)
    kinds = Counter(thing.phrase for thing in home.things)
    things = [t for t in home.things if t.present and knowable(home, t) and kinds[t.phrase] == 1]
    home.rng.shuffle(things)
    for thing in things[:12]:
        bearing = here.bearing_deg(thing.place)
        if here.ground_distance(thing.place) < 0.8 or sector_margin_deg(bearing) < _MARGIN_DEG:
            continue
        question = f"where is the {thing.phrase}"
        told = home.memory.ask(question)
        said.append((home.memory.now, question, (told.value, told.confidence, told.evidence)))
        _add(
            total,
            "direction, open name" if thing.name in NAMES else "direction",
            told.value == sector(bearing),
        )


def _finish(home: Home, total: Counter[str]) -> None:
    """What was moved and carried, within half a metre; counts; nodes for each true thing."""
    state = home.memory.state()
    views = [view for view in state.objects() if view.presence > 0.5 and view.remains > 0.5]
    for name, things in home.touched.items():
        for thing in {id(t): t for t in things}.values():
            if thing.present and thing.seen > thing.changed:
                gaps = [
                    float(np.linalg.norm(np.array(v.box.center) - thing.place))
                    for v in views
                    if v.category == thing.name and dict(v.attributes) == dict(thing.attributes)
                ]
                _add(total, name, min(gaps, default=9.0) <= 0.5)
    for name in sorted({thing.name for thing in home.things}):
        of_name = [thing for thing in home.things if thing.name == name]
        if all(knowable(home, t) or t.seen < 0 for t in of_name):
            told = home.memory.ask(f"how many {plural(name)} are there")
            _add(total, "counts", told.value == sum(t.present and t.seen > 0 for t in of_name))
    total["nodes"] += len(home.things)
    total["nodes right"] += len([view for view in state.objects() if view.presence > 0.5])
