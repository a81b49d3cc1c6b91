"""What the wearer asks on a stage, and whether the answer is right: the truth is known."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from benchmarks.memory_stress_rooms import Thing
from benchmarks.memory_stress_stage import Stage
from situ.geometry.box import Box
from situ.geometry.heading import Heading, sector, sector_margin_deg
from situ.language import Told
from situ.questions.select import plural

STATED = 0.9
_MARGIN_DEG = 8.0
_NEAREST_M = 0.8  # nearer than this a direction hangs on centimetres
_MOVED_M = 0.8  # things of which it is asked whether they moved did so by more than this, or not at all
_LOOKS = 4  # so many looks at an empty place and the wearer can be expected to know
_DISTANCE_M, _DISTANCE_SHARE = 0.4, 0.12
RIGHT, UNSURE, WRONG = "right", "unsure", "wrong"


@dataclass
class Tally:
    """Answers of one family: how many of each outcome, and of those stated with more than 0.9."""

    counts: Counter[str] = field(default_factory=Counter)
    slips: list[str] = field(default_factory=list)  # sure and wrong

    def add(self, kind: str, outcome: str, told: Told, truth: str) -> None:
        sure = told.confidence > STATED and not told.abstained
        self.counts[outcome] += 1
        self.counts[f"{kind} {outcome}"] += 1
        if sure:
            self.counts["sure"] += 1
            self.counts["sure right"] += outcome == RIGHT
            if outcome == WRONG:
                self.slips.append(f"{told.asked} -> {told.value} ({told.confidence:.2f}), truth {truth}")

    @property
    def sure_right(self) -> float:
        return self.counts["sure right"] / max(1, self.counts["sure"])

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.counts + other.counts, self.slips + other.slips)


def ask_all(stage: Stage, tally: Tally, others: int = 5) -> None:
    """Every kind of question: about what the family is about, about some other things, and counts."""
    stage.until_frame()
    things = [thing for thing in stage.things if knowable(stage, thing)]
    kinds = Counter(thing.phrase for thing in stage.things if thing.present or knowable(stage, thing))
    singles = [thing for thing in things if kinds[thing.phrase] == 1]
    stage.rng.shuffle(singles)
    focus = [thing for thing in singles if thing in stage.focus]
    for thing in focus + [thing for thing in singles if thing not in stage.focus][:others]:
        ask_about(stage, tally, thing)
    names = {thing.name for thing in stage.focus if thing in things}
    rest = sorted({thing.name for thing in things} - names)
    stage.rng.shuffle(rest)
    for name in [*sorted(names), *rest[:2]]:
        ask_how_many(stage, tally, name)


def knowable(stage: Stage, thing: Thing) -> bool:
    """Whether an attentive wearer knows where a thing is, or that it is gone."""
    if thing.seen < 0:
        return False
    return thing.looks >= _LOOKS if not thing.present else thing.agent or thing.seen > thing.changed


def ask_about(stage: Stage, tally: Tally, thing: Thing, moved: bool = True) -> None:
    stage.until_frame()
    ask_where(stage, tally, thing)
    ask_how_far(stage, tally, thing)
    ask_in_view(stage, tally, thing)
    if moved:
        ask_moved(stage, tally, thing)


def ask_where(stage: Stage, tally: Tally, thing: Thing) -> None:
    stage.until_frame()
    here = Heading.of(stage.pose)
    bearing = here.bearing_deg(thing.place)
    thin = here.ground_distance(thing.place) < _NEAREST_M or sector_margin_deg(bearing) < _MARGIN_DEG
    if thing.present and thin:
        return
    told = stage.memory.ask(f"where is the {thing.phrase}")
    truth = sector(bearing) if thing.present else "gone"
    tally.add("where", _judged(told, told.value == truth, thing.present), told, truth)


def ask_how_far(stage: Stage, tally: Tally, thing: Thing) -> None:
    """Right if it is near enough, or within the interval that is stated."""
    told = stage.memory.ask(f"how far is the {thing.phrase}")
    here = Heading.of(stage.pose)
    x, y, z = thing.place.tolist()
    closest = Box((x, y, z), thing.size).closest_point((here.x, here.y, z))
    truth, right = here.ground_distance(closest), False
    if thing.present and told.value is not None:
        error = abs(float(told.value) - truth)
        low, high = told.distance_m or (np.inf, -np.inf)
        right = error <= max(_DISTANCE_M, _DISTANCE_SHARE * truth) or low - 0.05 <= truth <= high + 0.05
    tally.add("how far", _judged(told, right, thing.present), told, f"{truth:.1f}")


def ask_in_view(stage: Stage, tally: Tally, thing: Thing) -> None:
    visible = thing in stage.seen_now
    if visible and thing not in stage.detected_now:
        return  # overlooked in this very frame: nobody could tell
    told = stage.memory.ask(f"can I see the {thing.phrase}")
    truth = "yes" if visible else "no"
    tally.add("can I see", _judged(told, told.value == truth, True), told, truth)


def ask_moved(stage: Stage, tally: Tally, thing: Thing) -> None:
    if thing.home is None or thing.first_seen > stage.settled or thing.agent:
        return
    far = float(np.linalg.norm(thing.place - thing.home))
    if thing.present and 0.1 < far < _MOVED_M:
        return
    truths = ("yes", "it was moved", "it changed places with another object")
    if not thing.present:
        truths = ("yes", "it was taken away")
    elif far < _MOVED_M:
        truths = ("no", "nothing, it stayed where it was")
    told = stage.memory.ask(
        f"has the {thing.phrase} moved in the last {stage.time - stage.settled:.0f} seconds"
    )
    tally.add("moved", _judged(told, told.value in truths, True), told, truths[0])


def ask_how_many(stage: Stage, tally: Tally, name: str) -> None:
    """How many of a name there are; not asked while one is there that nobody could know of."""
    of_name = [thing for thing in stage.things if thing.name == name]
    if any(not knowable(stage, thing) and (thing.present or thing.seen > 0) for thing in of_name):
        return
    told = stage.memory.ask(f"how many {plural(name)} are there")
    truth = sum(thing.present for thing in of_name)
    tally.add("how many", _judged(told, told.value == truth, True), told, str(truth))


def _judged(told: Told, right: bool, present: bool) -> str:
    """Of a thing that is gone the right answer is to say so, or not to answer."""
    if told.abstained or told.value is None:
        return UNSURE if present else RIGHT
    return RIGHT if right else WRONG
