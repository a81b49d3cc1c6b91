"""A second opinion on SAW keys: every answer derived anew from the words and the stored poses and boxes.

Nothing here calls the question engine or the route functions that made the keys. The question's text is
read as a person would; the shape of a walk is the ideal shape that can be laid over it most closely, which
is another method than the legs and corners behind the keys.
"""

import itertools
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from situ.benchmarks.dataset import BUILT_IN_WORDS, QuestionRow
from situ.benchmarks.saw.check_memory import changes_seen
from situ.benchmarks.saw.check_shapes import TWO_TURNS, best_shape, two_turns
from situ.benchmarks.second_look import compare_annotations, mask_shares, straightened
from situ.recording import ObjectRecord, Recording

Array = NDArray[np.float64]
_CLEARANCE_M = 0.25
_DIRECTIONS = ("front", "front right", "right", "back right", "back", "back left", "left", "front left")


def check_item(recording: Recording, rows: Sequence[QuestionRow]) -> list[str]:
    """What is wrong with an item's walk and keys; empty if all is well."""
    # Whoever filmed for themselves may have brushed past things: no route was drawn around them.
    problems = _collisions(recording) if recording.meta.get("benchmark") == "saw" else []
    if recording.has_ids:
        problems += compare_annotations(recording, mask_shares(recording))
    for given in rows:
        row = replace(given, text=str(given.strata.get(BUILT_IN_WORDS, given.text)))
        derived = _derive(recording, row)
        if derived != row.answer:
            problems.append(f"{row.id}: key says '{row.answer}', the recording says '{derived}': {row.text}")
    return problems


def _derive(recording: Recording, row: QuestionRow) -> str:
    readers: tuple[tuple[str, Callable[[Recording, re.Match[str], QuestionRow], str]], ...] = (
        (r"Stand where the video (?P<end>begins|ends) and face", _direction),
        (r"Which shape does the path", _shape),
        (r"Which instructions lead you back", _way_back),
        (r"Divide the (?P<place>.+?) into three by three", _position),
        (r"exactly one thing changed", _what_changed),
        (r"What happened to the (?P<thing>.+?) between the clips", _what_happened),
        (r"(?P<size>\d\.\d\d) m", _affordance),
    )
    for pattern, read in readers:
        found = re.search(pattern, row.text)
        if found:
            return read(recording, found, row)
    return "a question of an unknown form"


_SOME_WAY_M = 1.0


def _ground(recording: Recording) -> Array:
    """Positions on the ground, averaged over about a stride; the ends stay where they are."""
    points: Array = recording.path.poses[:, :2, 3]
    reach = max(1, round(0.5 * (recording.fps or 1.0)))
    if len(points) <= 2 * reach:
        return points
    mean = points.copy()
    for i in range(len(points)):
        near = min(reach, i, len(points) - 1 - i)
        mean[i] = points[i - near : i + near + 1].mean(axis=0)
    return mean


def _right_of(pose: Array, x: float, y: float) -> float:
    """Degrees to the right of where a camera points, over the ground."""
    dx, dy = x - pose[0, 3], y - pose[1, 3]
    ahead_x, ahead_y = pose[0, 2], pose[1, 2]
    return float(np.degrees(np.arctan2(dx * ahead_y - dy * ahead_x, dx * ahead_x + dy * ahead_y)))


def _direction(recording: Recording, words: re.Match[str], row: QuestionRow) -> str:
    poses = recording.path.poses
    here, there = (poses[0], poses[-1]) if words["end"] == "begins" else (poses[-1], poses[0])
    limit = re.search(r"within ([\d.]+) metres", row.text)
    assert limit is not None
    if np.hypot(there[0, 3] - here[0, 3], there[1, 3] - here[1, 3]) < float(limit[1]):
        return "same location"
    angle = _right_of(here, there[0, 3], there[1, 3])
    return _DIRECTIONS[int(np.round(angle / 45.0)) % 8]


def _shape(recording: Recording, words: re.Match[str], row: QuestionRow) -> str:
    return best_shape(_ground(recording))


def _way_back(recording: Recording, words: re.Match[str], row: QuestionRow) -> str:
    ground = _ground(recording)
    if recording.meta.get("benchmark") != "saw":
        return _way_back_along(recording, ground)
    if best_shape(ground) != TWO_TURNS:
        return "not a walk with two turns"
    first, second = two_turns(ground)
    # Somebody may have stood there for long: where they came from is some way off, not some time ago.
    came_from = ground[np.flatnonzero(np.linalg.norm(ground - ground[-1], axis=1) > _SOME_WAY_M)[-1]]
    behind = abs(_right_of(recording.path.poses[-1], *came_from)) > 135
    other = {"left": "right", "right": "left"}
    begin = "turn around, " if behind else ""
    return f"{begin}go straight, turn {other[second]}, go straight, turn {other[first]}, go straight"


def _way_back_along(recording: Recording, ground: Array) -> str:
    """Somebody's own way, walked backwards corner by corner."""
    points = [(float(x), float(y)) for x, y in ground[::-1]]
    walked = sum(math.dist(a, b) for a, b in itertools.pairwise(points))
    corners = straightened(points, within=min(max(0.4, 0.04 * walked), 1.0))
    ahead_x, ahead_y = recording.path.poses[-1][0, 2], recording.path.poses[-1][1, 2]
    steps: list[str] = []
    for (x0, y0), (x1, y1) in itertools.pairwise(corners):
        if math.dist((x0, y0), (x1, y1)) < _SOME_WAY_M:
            continue
        dx, dy = x1 - x0, y1 - y0
        left = math.degrees(math.atan2(ahead_x * dy - ahead_y * dx, ahead_x * dx + ahead_y * dy))
        if abs(left) > 45:
            steps.append("turn around" if abs(left) > 135 else "turn left" if left > 0 else "turn right")
        if not steps or steps[-1] != "go straight":
            steps.append("go straight")
        ahead_x, ahead_y = dx, dy
    return ", ".join(steps)


def _position(recording: Recording, words: re.Match[str], row: QuestionRow) -> str:
    floors = [o for o in recording.objects.values() if o.category == words["place"]]
    if len(floors) != 1:
        return f"{len(floors)} floors of that name"
    box = floors[0].box
    x, y = np.median(recording.path.poses[:, :2, 3], axis=0)
    outer = [abs(x - box.center[0]) > box.size[0] / 6, abs(y - box.center[1]) > box.size[1] / 6]
    return ("center", "side", "corner")[sum(outer)]


def _named(recording: Recording, phrase: str) -> ObjectRecord:
    found = [
        o
        for o in recording.objects.values()
        if " ".join(filter(None, (o.attributes.get("color"), o.category))) == phrase
    ]
    assert len(found) == 1, f"'{phrase}' names {len(found)} objects"
    return found[0]


def _what_changed(recording: Recording, words: re.Match[str], row: QuestionRow) -> str:
    forms = {
        "moved": r"^The (?P<a>.+) was moved$",
        "added": r"^A (?P<a>.+) was added$",
        "removed": r"^The (?P<a>.+) was taken away$",
        "swapped": r"^The (?P<a>.+) and the (?P<b>.+) changed places$",
    }
    changes, true = changes_seen(recording), []
    for option in row.options:
        for change, form in forms.items():
            found = re.match(form, option)
            if found and all(
                changes.get(_named(recording, phrase).id) == change for phrase in found.groupdict().values()
            ):
                true.append(option)
    return true[0] if len(true) == 1 else f"{len(true)} true options"


def _what_happened(recording: Recording, words: re.Match[str], row: QuestionRow) -> str:
    sentences = {
        "moved": "it was moved",
        "added": "it is new in the second clip",
        "removed": "it was taken away",
        "swapped": "it changed places with another object",
        "": "nothing, it stayed where it was",
    }
    return sentences[changes_seen(recording).get(_named(recording, words["thing"]).id, "")]


def _affordance(recording: Recording, words: re.Match[str], row: QuestionRow) -> str:
    size = float(words["size"])
    gap = re.search(r"between the (.+?) and the (.+?)\?", row.text)
    if gap:
        a, b = (_outline(_named(recording, phrase)) for phrase in gap.groups())
        fits = float(np.linalg.norm(a[:, None] - b[None], axis=2).min()) > size
    elif under := re.search(r"walk under the (.+?) without", row.text):
        fits = _named(recording, under[1]).box.bottom > size
    elif above := re.search(r"(?:touch|step over|sit comfortably on) the (.+?)(?: without.*)?\?", row.text):
        box = _named(recording, above[1]).box
        fits = (box.bottom if "touch" in row.text else box.top) < size
    else:
        return "an action of an unknown form"
    return "yes" if fits else "no"


def _outline(thing: ObjectRecord) -> Array:
    """Points around the footprint, a centimetre or so apart."""
    corners = thing.box.corners()[[0, 1, 3, 2, 0], :2]
    sides = [a + np.linspace(0, 1, 60)[:, None] * (b - a) for a, b in itertools.pairwise(corners)]
    return np.concatenate(sides)


def _collisions(recording: Recording) -> list[str]:
    """Objects on the floor that the wearer walks into."""
    ground = recording.path.poses[:, :2, 3]
    gone = {event.object_id for event in recording.events}
    problems = []
    for thing in recording.objects.values():
        box = thing.box
        if box.top < 0.1 or box.bottom > 1.9 or thing.id in gone:
            continue
        local = np.abs(box.to_local(np.column_stack([ground, np.full(len(ground), box.center[2])])))
        outside = np.maximum(local[:, :2] - np.asarray(box.size[:2]) / 2, 0.0)
        nearest = float(np.hypot(outside[:, 0], outside[:, 1]).min())
        if nearest < _CLEARANCE_M:
            problems.append(f"the walk comes within {nearest:.2f} m of object {thing.id} ({thing.category})")
    return problems
