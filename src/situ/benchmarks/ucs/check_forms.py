"""The second derivation of the later forms of question: between two things, acts, kinds, colours, others."""

import itertools
import math
from typing import Any, Protocol

import numpy as np

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.second_look import gap_m, straightened, visibility_rule
from situ.geometry.box import Box
from situ.recording import Recording

_ARM_M = 0.75
_ON_M, _OVER_M = 0.15, 0.02  # between an underside and a top; how far a middle may stick out
_TURNS = (
    "straight ahead", "half right", "to the right", "sharp right",
    "turn around", "sharp left", "to the left", "half left",
)  # fmt: skip
PATTERNS: tuple[tuple[str, str], ...] = (
    (
        "way_towards",
        r"What path did (?:I|you) take towards the (?P<a>.+), in the (?P<s>[\d.]+) seconds before .*\?",
    ),
    (
        "could_reach",
        r"Where (?:I|you) stood when (?:I|you) last put down the (?P<b>.+), could (?:I|you) reach "
        r"the (?P<a>.+) without taking a step\?",
    ),
    (
        "apart",
        r"What is the distance between (?:my|your) (?P<a>.+) and the (?P<b>.+) now, where .*\?",
    ),
    (
        "kinds_before",
        r"Before (?:I|you) last put down the (?P<b>.+), how many different kinds of things were on "
        r"the (?P<a>.+)\?",
    ),
    ("when_put", r"When (?:I|you) last put down the (?P<b>.+), in which direction .* was the (?P<a>.+)\?"),
    (
        "first_seen",
        r"When (?:I|you) first came upon the (?P<b>.+), in which direction .* was the (?P<a>.+)\?",
    ),
    ("first_seen", r"The first time (?:I|you) saw the (?P<b>.+), where was the (?P<a>.+) from (?:me|you)\?"),
    ("entered", r"When (?:I|you) first entered the (?P<p>.+), in which direction .* was the (?P<a>.+)\?"),
    ("entered", r"The first time (?:I|you) came into the (?P<p>.+), where was the (?P<a>.+) from .*\?"),
    (
        "turns",
        r"Which turns did (?:I|you) take first, in the (?P<s>[\d.]+) seconds after "
        r"(?:I|you) last put down the (?P<a>.+)\?",
    ),
    (
        "turns",
        r"After (?:I|you) last put the (?P<a>.+) down (?:I|you) walked on: which two turns came first, "
        r"within (?P<s>[\d.]+) seconds\?",
    ),
    ("turn", r"Which way do (?:I|you) have to turn to walk towards the (?P<a>.+)\?"),
    ("nearer", r"Which is closer to (?:my|your) (?P<a>.+) now, the (?P<b>.+) or the (?P<c>.+)\?"),
    ("arm", r"Is (?:my|your) (?P<a>.+) within an arm's length of the (?P<b>.+) \(0\.75 m at most\)\?"),
    ("puts", r"How many times have (?:I|you) put something on or into the (?P<a>.+)\?"),
    ("kinds", r"How many different kinds of things are on the (?P<a>.+) now, as far as .*\?"),
    ("count_on", r"How many (?P<a>.+) are on the (?P<b>.+) now, as far as .*\?"),
    ("changed", r"How many (?P<a>.+) did (?:I|you) (?P<act>use up|add) since (?P<t>[\d:.]+)\?"),
    ("colour", r"What colour is (?:my|your) (?P<a>.+)\?"),
    ("others", r"Which of these did somebody else than (?:me|you) move last\?"),
)


class Book(Protocol):
    """What the tables of a recording answer; see `situ.benchmarks.ucs.check`."""

    recording: Recording
    log: dict[int, list[tuple[float, str, dict[str, Any]]]]

    def thing(self, name: str) -> int: ...

    def kind(self, words: str) -> str: ...

    def box(self, number: int, time: float) -> tuple[list[float], list[float], float]: ...

    def there(self, number: int, time: float) -> bool: ...

    def ever_seen(self, number: int, time: float) -> bool: ...

    def angle(self, time: float, point: list[float]) -> float: ...

    def direction(self, time: float, point: list[float]) -> str: ...

    def passed(self, row: QuestionRow, start: float, end: float) -> str: ...

    def reached(self, name: str, now: float) -> str: ...


def when_put(book: Book, row: QuestionRow, now: float, a: str, b: str) -> str:
    puts = [t for t, _, data in book.log[book.thing(b)] if data.get("act") == "put" and t <= now]
    return book.direction(puts[-1], book.box(book.thing(a), puts[-1])[0])


def first_seen(book: Book, row: QuestionRow, now: float, a: str, b: str) -> str:
    met, least = book.thing(b), visibility_rule(book.recording)[0]
    moment = next(
        frame.time
        for frame in book.recording.frames
        if any(seen.object_id == met and seen.share >= least for seen in frame.visible)
    )
    return book.direction(moment, book.box(book.thing(a), moment)[0])


def _last(book: Book, thing: str, act: str, now: float) -> float:
    """When the wearer last did something with a thing."""
    return [
        t
        for t, _, data in book.log[book.thing(thing)]
        if data.get("act") == act and data.get("by") == "wearer" and t <= now
    ][-1]


def way_towards(book: Book, row: QuestionRow, now: float, a: str, s: str) -> str:
    taken = _last(book, a, "taken", now)
    return book.passed(row, taken - float(s), taken)


def could_reach(book: Book, row: QuestionRow, now: float, a: str, b: str) -> str:
    return book.reached(a, _last(book, b, "put", now))


def apart(book: Book, row: QuestionRow, now: float, a: str, b: str) -> str:
    gap = gap_m(_box(book, a, now), _box(book, b, now))
    return min(row.options, key=lambda option: abs(math.log(gap / float(option.split()[1]))))


def kinds_before(book: Book, row: QuestionRow, now: float, a: str, b: str) -> str:
    return kinds(book, row, _last(book, b, "put", now) - 1.0, a)


def entered(book: Book, row: QuestionRow, now: float, a: str, p: str) -> str:
    """From the poses and the room's walls: the first frame between them."""
    (room,) = (place[1:] for place in book.recording.meta["places"] if place[0] == p)
    x0, y0, x1, y1 = room
    moment = next(
        frame.time
        for frame in book.recording.frames
        if x0 <= frame.T_world_camera[0, 3] <= x1 and y0 <= frame.T_world_camera[1, 3] <= y1
    )
    return book.direction(moment, book.box(book.thing(a), moment)[0])


def turns(book: Book, row: QuestionRow, now: float, a: str, s: str) -> str:
    """The way as straight stretches; the sign of a cross product says to which side it bends."""
    log = book.log[book.thing(a)]
    put = [t for t, _, data in log if data.get("act") in ("put", "stowed") and t <= now][-1]
    frames = [f.T_world_camera for f in book.recording.frames if put - 1.0 <= f.time <= put + float(s)]
    corners = straightened([(float(pose[0, 3]), float(pose[1, 3])) for pose in frames], onward=True)
    legs = [(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in itertools.pairwise(corners)]
    legs = [leg for leg in legs if math.hypot(*leg) >= 0.7]
    bends = []
    for (x0, y0), (x1, y1) in itertools.pairwise(legs):
        degrees = math.degrees(math.atan2(x0 * y1 - y0 * x1, x0 * x1 + y0 * y1))
        side = "around" if abs(degrees) > 160.0 else "left" if degrees > 0 else "right"
        bends += [side] if abs(degrees) >= 40.0 else []
    return ", then ".join(bends[:2])


def turn(book: Book, row: QuestionRow, now: float, a: str) -> str:
    return _TURNS[round(book.angle(now, book.box(book.thing(a), now)[0]) / 45.0) % 8]


def nearer(book: Book, row: QuestionRow, now: float, a: str, b: str, c: str) -> str:
    thing = _box(book, a, now)
    return min((b, c), key=lambda name: gap_m(thing, _box(book, name, now)))


def arm(book: Book, row: QuestionRow, now: float, a: str, b: str) -> str:
    return "yes" if gap_m(_box(book, a, now), _box(book, b, now)) <= _ARM_M else "no"


def puts(book: Book, row: QuestionRow, now: float, a: str) -> str:
    anchor = book.thing(a)
    return str(
        sum(
            data.get("act") in ("put", "stowed") and data.get("by") == "wearer" and data.get("to") == anchor
            for events in book.log.values()
            for time, _, data in events
            if time <= now
        )
    )


def kinds(book: Book, row: QuestionRow, now: float, a: str) -> str:
    return str(len(set(_on(book, book.thing(a), now))))


def count_on(book: Book, row: QuestionRow, now: float, a: str, b: str) -> str:
    return str(_on(book, book.thing(b), now).count(book.kind(a)))


def _on(book: Book, anchor: int, now: float) -> list[str]:
    """The kind of each thing on a piece of furniture."""
    top = Box(*_sized(book, anchor, now))
    found = []
    for number, thing in book.recording.objects.items():
        if number != anchor and book.there(number, now) and book.ever_seen(number, now):
            box = Box(*_sized(book, number, now))
            found += [thing.category] if box.volume < top.volume and _stands_on(box, top) else []
    return found


def changed(book: Book, row: QuestionRow, now: float, a: str, act: str, t: str) -> str:
    hours, minutes, seconds = (float(part) for part in t.split(":"))
    then = hours * 3600 + minutes * 60 + seconds
    kind, event = book.kind(a), {"use up": "removed", "add": "appeared"}[act]
    return str(
        sum(
            kind_of == event and then < time <= now
            for number, thing in book.recording.objects.items()
            if thing.category == kind
            for time, kind_of, _ in book.log.get(number, [])
        )
    )


def colour(book: Book, row: QuestionRow, now: float, a: str) -> str:
    return str(book.recording.objects[book.thing(a)].attributes["color"])


def others(book: Book, row: QuestionRow, now: float) -> str:
    last = {}
    for option in row.options:
        for time, _, data in book.log.get(book.thing(option), []):
            if data.get("act") == "put" and data.get("by") not in (None, "wearer") and time <= now:
                last[option] = time
    return max(last, key=lambda option: last[option])


def _box(book: Book, name: str, time: float) -> Box:
    return Box(*_sized(book, book.thing(name), time))


def _sized(
    book: Book, number: int, time: float
) -> tuple[tuple[float, float, float], tuple[float, float, float], float]:
    (x, y, z), (sx, sy, sz), yaw = book.box(number, time)
    return (x, y, z), (sx, sy, sz), yaw


def _stands_on(box: Box, top: Box) -> bool:
    """The middle of a box is over another, and its underside at the other's top or between its boards."""
    dx, dy = box.center[0] - top.center[0], box.center[1] - top.center[1]
    c, s = math.cos(math.radians(-top.yaw_deg)), math.sin(math.radians(-top.yaw_deg))
    over = np.abs([dx * c - dy * s, dx * s + dy * c]) <= np.array(top.size[:2]) / 2 + _OVER_M
    return bool(over.all() and top.bottom < box.bottom <= top.top + _ON_M)
