"""A second derivation of every key: from the question's words, and from tables, poses and masks.

Nothing here is shared with the generator but the recording itself: the words are read by expressions of
their own, places come from the event log, which is held against pixels, and directions from plain
trigonometry.
"""

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.second_look import visibility_rule
from situ.benchmarks.ucs import check_forms
from situ.benchmarks.ucs.check_pixels import pixel_problems
from situ.recording import Recording
from situ.recording.records import ObjectRecord

_NAMES = ("front", "front right", "right", "back right", "back", "back left", "left", "front left")
_ARM_M, _HIGHEST_M = 0.75, 2.1
_PATTERNS: tuple[tuple[str, str], ...] = (
    (
        "way",
        r"Which way did (?:I|you) go in the (?P<s>[\d.]+) seconds after "
        r"(?:I|you) last put down the (?P<a>.+)\?",
    ),
    (
        "way",
        r"What did (?:I|you) walk past, .* in the (?P<s>[\d.]+) seconds after "
        r"(?:I|you) last put the (?P<a>.+) down\?",
    ),
    ("travel", r"From where to where was (?:my|your) (?P<a>.+) moved the last time\?"),
    ("travel", r"When (?:my|your) (?P<a>.+) last changed its place, .*\?"),
    ("where", r"Where is the (?P<a>.+) from where (?:I am|you are) now\?"),
    ("where", r"In which direction from (?:me|you) is the (?P<a>.+) right now\?"),
    ("was", r"In which direction from where (?:I am|you are) now was the (?P<a>.+) at (?P<t>[\d:.]+)\?"),
    ("kept", r"Where (?:was|did) (?:my|your) (?P<a>.+?) (?:before|lie until) it was last moved\?"),
    ("closer", r"Which is closer to (?:me|you) now, the (?P<a>.+) or the (?P<b>.+)\?"),
    ("reach", r"Can (?:I|you) reach the (?P<a>.+) from (?:here|where you stand) without taking a step\?"),
    ("taken", r"Which of these did (?:I|you) take from the (?P<a>.+) last\?"),
    ("taken", r"What did (?:I|you) last take from the (?P<a>.+)\?"),
    ("count", r"How many (?P<a>.+) are there now, of all that (?:I|you) have seen\?"),
)


def check_item(recording: Recording, rows: Sequence[QuestionRow]) -> list[str]:
    """What does not agree: keys, evidence that comes after the question, evidence that shows nothing."""
    book = _Book(recording)
    problems = list(pixel_problems(recording, rows, book.box))
    for row in rows:
        try:
            found = book.answer(row, 0.0 if row.time is None else row.time)
        except (ValueError, KeyError, IndexError) as error:
            found = f"nothing ({error})"
        if found != row.answer:
            problems.append(
                f"{row.id}: '{row.text}' at {row.time} s gives {found}, the key says {row.answer}"
            )
        problems += [f"{row.id}: {problem}" for problem in book.timing(row)]
    return problems


class _Book:
    """The recording's tables, looked up by name and time."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.times = recording.path.times
        self.least = visibility_rule(recording)[0]
        self.log: dict[int, list[tuple[float, str, dict[str, Any]]]] = {}
        for event in recording.events:
            if event.object_id is not None:
                self.log.setdefault(event.object_id, []).append((event.time, event.kind, dict(event.data)))

    def answer(self, row: QuestionRow, now: float) -> str:
        for kind, pattern in _PATTERNS:
            match = re.fullmatch(pattern, row.text)
            if match:
                return str(getattr(self, f"_{kind}")(row, now, **match.groupdict()))
        for kind, pattern in check_forms.PATTERNS:
            match = re.fullmatch(pattern, row.text)
            if match:
                return str(getattr(check_forms, kind)(self, row, now, **match.groupdict()))
        raise ValueError("the words are unknown")

    def timing(self, row: QuestionRow) -> list[str]:
        if row.time is None or not row.evidence:
            return ["it has no time or no evidence"]
        problems = []
        if float(self.times[max(row.evidence)]) >= row.time:
            problems.append("its evidence does not end before it is asked")
        if len(row.options) not in (2, 4, 5) or len(set(row.options)) != len(row.options):
            problems.append(f"it has {len(row.options)} options")
        if row.answer not in row.options:
            problems.append("its key is not among its options")
        return problems

    # --- the kinds of question

    def _where(self, row: QuestionRow, now: float, a: str) -> str:
        return self.direction(now, self._place(self.thing(a), now))

    def _was(self, row: QuestionRow, now: float, a: str, t: str) -> str:
        hours, minutes, seconds = (float(part) for part in t.split(":"))
        then = hours * 3600 + minutes * 60 + seconds
        return self.direction(now, self._place(self.thing(a), then))

    def _closer(self, row: QuestionRow, now: float, a: str, b: str) -> str:
        gaps = {name: self._gap(now, self.thing(name)) for name in (a, b)}
        return min(gaps, key=lambda name: gaps[name])

    def _reach(self, row: QuestionRow, now: float, a: str) -> str:
        return self.reached(a, now)

    def reached(self, name: str, now: float) -> str:
        number = self.thing(name)
        (_, _, z), (_, _, tall) = self.box(number, now)[:2]
        over = max(0.0, z - tall / 2 - _HIGHEST_M)
        return "yes" if math.hypot(self._gap(now, number), over) < _ARM_M else "no"

    def _count(self, row: QuestionRow, now: float, a: str) -> str:
        kind, total = self.kind(a), 0
        for number, thing in self.recording.objects.items():
            if thing.category == kind and self.ever_seen(number, now):
                total += self.there(number, now)
        return str(total)

    def _travel(self, row: QuestionRow, now: float, a: str) -> str:
        from_id, to_id = self._last_move(self.thing(a), now)
        return f"from the {self._name(from_id, row)} to the {self._name(to_id, row)}"

    def _kept(self, row: QuestionRow, now: float, a: str) -> str:
        return f"at the {self._name(self._last_move(self.thing(a), now)[0], row)}"

    def _taken(self, row: QuestionRow, now: float, a: str) -> str:
        anchor = self.thing(a)
        left = {}
        for option in row.options:
            for time, _, data in self.log.get(self.thing(option), []):
                if data.get("act") == "taken" and data.get("from") == anchor and time <= now:
                    left[option] = time
        return max(left, key=lambda option: left[option])

    def _way(self, row: QuestionRow, now: float, a: str, s: str) -> str:
        arrived = [
            time
            for time, _, data in self.log[self.thing(a)]
            if data.get("act") in ("put", "stowed") and time <= now
        ][-1]
        return self.passed(row, arrived, arrived + float(s))

    def passed(self, row: QuestionRow, start: float, end: float) -> str:
        """The pair of landmarks that the way between two moments comes nearest to, in order."""
        inside = (self.times >= start - 1.5) & (self.times <= end)
        ground = self.recording.path.positions[inside][:, :2]
        missed = {}
        for option in row.options:
            match = re.fullmatch(r"past the (.+), then past the (.+)", option)
            if match is None:
                raise ValueError(f"an option reads '{option}'")
            one, two = ([self._footprint_gap(p, self.thing(n)) for p in ground] for n in match.groups())
            missed[option] = min(one[i] + two[j] for i in range(len(one)) for j in range(i, len(two)))
        return min(missed, key=lambda option: missed[option])

    # --- looking things up

    def thing(self, name: str) -> int:
        words = set(name.split())  # "the vase" may be a floor vase
        fits = [i for i, thing in self.recording.objects.items() if words <= _words(thing)]
        if len(fits) != 1:
            raise ValueError(f"'{name}' names {len(fits)} things")
        return fits[0]

    def kind(self, words: str) -> str:
        """The kind of thing that a plural names."""
        kinds = {thing.category for thing in self.recording.objects.values()}
        (kind,) = [k for k in kinds if words in (k + "s", k + "es", k[:-1] + "ies")]
        if any(set(kind.split()) < set(k.split()) for k in kinds):
            raise ValueError(f"'{words}' names several kinds")
        return kind

    def _name(self, number: int | None, row: QuestionRow) -> str:
        if number is None:
            raise ValueError("a thing came from nowhere")
        for name in _called(self.recording.objects[number]):
            if any(re.search(rf"\bthe {re.escape(name)}\b", option) for option in row.options):
                return name
        raise ValueError("the furniture is not among the options")

    def _last_move(self, number: int, time: float) -> tuple[int | None, int | None]:
        came: int | None = None
        last: tuple[int | None, int | None] | None = None
        for when, _, data in self.log.get(number, []):
            if when > time:
                break
            if data.get("act") == "taken":
                came = data["from"]
            elif data.get("act") in ("put", "stowed"):
                start = came if data["by"] == "wearer" else data["from"]
                if start != data["to"]:
                    last = (start, data["to"])
        if last is None:
            raise ValueError("it never moved")
        return last

    def box(self, number: int, time: float) -> tuple[list[float], list[float], float]:
        box = self.recording.objects[number].box
        found = (list(box.center), list(box.size), box.yaw_deg)
        for when, kind, data in self.log.get(number, []):
            if kind == "moved" and when <= time:
                found = (data["center"], data["size"], data.get("yaw_deg", 0.0))
        return found

    def _place(self, number: int, time: float) -> list[float]:
        return self.box(number, time)[0]

    def there(self, number: int, time: float) -> bool:
        return not any(kind == "removed" and when <= time for when, kind, _ in self.log.get(number, []))

    def ever_seen(self, number: int, time: float) -> bool:
        for frame in self.recording.frames:
            if frame.time > time:
                return False
            if any(v.object_id == number and v.share >= self.least for v in frame.visible):
                return True
        return False

    def _pose(self, time: float) -> np.ndarray:
        return np.asarray(self.recording.frames[int(np.sum(self.times <= time + 1e-9)) - 1].T_world_camera)

    def direction(self, time: float, point: Sequence[float]) -> str:
        return _NAMES[round(self.angle(time, point) / 45.0) % 8]

    def angle(self, time: float, point: Sequence[float]) -> float:
        """Degrees to the right of straight ahead."""
        pose = self._pose(time)
        ahead, right = pose[:2, 2], np.array([pose[1, 2], -pose[0, 2]])
        offset = np.asarray(point[:2]) - pose[:2, 3]
        return math.degrees(math.atan2(float(offset @ right), float(offset @ ahead)))

    def _gap(self, time: float, number: int) -> float:
        return self._footprint_gap(self._pose(time)[:2, 3], number, time)

    def _footprint_gap(self, point: np.ndarray, number: int, time: float = 0.0) -> float:
        center, size, yaw = self.box(number, time)
        dx, dy = float(point[0]) - center[0], float(point[1]) - center[1]
        c, s = math.cos(math.radians(-yaw)), math.sin(math.radians(-yaw))
        u, v = abs(dx * c - dy * s) - size[0] / 2, abs(dx * s + dy * c) - size[1] / 2
        return math.hypot(max(u, 0.0), max(v, 0.0))


def _called(thing: ObjectRecord) -> list[str]:
    color = thing.attributes.get("color")
    return [thing.category, *([f"{color} {thing.category}"] if color else [])]


def _words(thing: ObjectRecord) -> set[str]:
    return {*str(thing.attributes.get("color", "")).split(), *thing.category.split()}
