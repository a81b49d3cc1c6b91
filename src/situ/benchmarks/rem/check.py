"""A second opinion on REM keys: every answer derived anew from the words and the stored pictures.

Nothing here calls the question engine, the state or the geometry that made the keys: the question's text
is read as a person would, objects are found in the stored instance masks, and positions come from plain
projection. A disagreement is a fault of one of the two.
"""

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.second_look import Shares, compare_annotations, mask_shares, visibility_rule
from situ.recording import Recording

_PATTERNS: tuple[tuple[str, str], ...] = (
    ("count", r"How many (?:different )?(?P<a>.+?) (?:did we see in total|are there)\?"),
    ("compare", r"Did we see more (?P<a>.+?) or more (?P<b>.+?), or equally many of both\?"),
    ("compare", r"Are there more (?P<a>.+?) or (?P<b>.+?)\?"),
    ("order", r"Did we first see an? (?P<a>.+?) before, .+ as we first saw an? (?P<b>.+?)\?"),
    ("order", r"Was the (?P<a>.+?) seen before, after, or (?:at the )?same time as the (?P<b>.+?)\?"),
    ("side", r"When both are in view, is the (?P<a>.+?) to the left or to the right of the (?P<b>.+?)\?"),
    ("claim", r"Is the (?P<a>.+?) to the (?P<side>left|right) of the (?P<b>.+?)\?"),
)


_IRREGULAR = {"person": ("people",), "child": ("children",)}


def check_item(recording: Recording, rows: Sequence[QuestionRow]) -> list[str]:
    """What is wrong with an item's annotations and keys; empty if all is well."""
    shares = mask_shares(recording)
    problems = compare_annotations(recording, shares)
    facts = _Facts(recording, shares)
    for row in rows:
        derived = _derive(facts, row.text)
        if derived != row.answer:
            problems.append(f"{row.id}: key says '{row.answer}', the pictures say '{derived}': {row.text}")
    return problems


class _Facts:
    """What the pictures show: objects by colour and shape, and in which frames each is clear or glimpsed."""

    def __init__(self, recording: Recording, shares: Sequence[Shares]) -> None:
        clear, unseen = visibility_rule(recording)
        self.recording = recording
        self.kinds = {i: (o.attributes.get("color", ""), o.category) for i, o in recording.objects.items()}
        self.clear: dict[int, list[int]] = {}
        self.maybe: dict[int, list[int]] = {}
        for index, counted in enumerate(shares):
            for object_id, share in counted.items():
                if share >= clear:
                    self.clear.setdefault(object_id, []).append(index)
                if share >= unseen:
                    self.maybe.setdefault(object_id, []).append(index)

    def members(self, phrase: str, frames: Mapping[int, list[int]]) -> list[int]:
        """Ids among `frames` that a phrase such as "red cones", "cones" or "red objects" names."""
        return [i for i in frames if phrase in _called(*self.kinds[i])]


def _called(color: str, category: str) -> set[str]:
    """What a thing may be called, alone or among others."""
    nouns = {noun for word in ("object", category) for noun in (word, *_plurals(word))}
    return nouns | {f"{color} {noun}" for noun in nouns if color}


def _plurals(noun: str) -> tuple[str, ...]:
    *before, last = noun.split(" ")
    forms = (last + "s", last + "es", last[:-1] + "ies", re.sub("(fe?)$", "ves", last))
    return tuple(" ".join([*before, form]) for form in (*forms, *_IRREGULAR.get(last, ())))


def _derive(facts: _Facts, text: str) -> str:
    solvers: dict[str, Callable[[_Facts, Mapping[str, str]], str]] = {
        "count": _count,
        "compare": _compare,
        "order": _order,
        "side": _side,
        "claim": _claim,
    }
    for name, pattern in _PATTERNS:
        match = re.fullmatch(pattern, text)
        if match:
            return solvers[name](facts, match.groupdict())
    return "(the question's words were not understood)"


def _number(facts: _Facts, phrase: str) -> int | None:
    """How many were seen; None where one of them was only glimpsed."""
    sure = facts.members(phrase, facts.clear)
    return len(sure) if len(sure) == len(facts.members(phrase, facts.maybe)) else None


def _count(facts: _Facts, words: Mapping[str, str]) -> str:
    return str(_number(facts, words["a"]))


def _compare(facts: _Facts, words: Mapping[str, str]) -> str:
    a, b = _number(facts, words["a"]), _number(facts, words["b"])
    if a is None or b is None:
        return "(undecided: an object was only glimpsed)"
    return "equal" if a == b else words["a"] if a > b else words["b"]


def _order(facts: _Facts, words: Mapping[str, str]) -> str:
    def first(phrase: str, frames: Mapping[int, list[int]]) -> int:
        return min(min(frames[i]) for i in facts.members(phrase, frames))

    readings = set()
    for frames_a in (facts.clear, facts.maybe):
        for frames_b in (facts.clear, facts.maybe):
            gap = first(words["a"], frames_a) - first(words["b"], frames_b)
            readings.add("same time" if gap == 0 else "before" if gap < 0 else "after")
    return readings.pop() if len(readings) == 1 else "(undecided: an object was only glimpsed)"


def _side(facts: _Facts, words: Mapping[str, str]) -> str:
    """Left or right by the projected columns of the two centres, which must agree in every shared frame."""
    members = [facts.members(words[key], facts.maybe) for key in ("a", "b")]
    if [len(found) for found in members] != [1, 1]:
        return "(undecided: a name fits several objects)"
    (a,), (b,) = members
    sides = set()
    for frame in sorted(set(facts.maybe[a]) & set(facts.maybe[b])):
        rotation_t = facts.recording.frames[frame].T_world_camera[:3, :3].T
        origin = facts.recording.frames[frame].T_world_camera[:3, 3]
        angles = []
        for object_id in (a, b):
            x, _, z = rotation_t @ (np.asarray(facts.recording.objects[object_id].box.center) - origin)
            angles.append(np.arctan2(x, z))
        sides.add("left" if angles[0] < angles[1] else "right")
    return sides.pop() if len(sides) == 1 else f"(undecided: {len(sides)} orders among the shared frames)"


def _claim(facts: _Facts, words: Mapping[str, str]) -> str:
    side = _side(facts, words)
    return side if side.startswith("(") else "yes" if side == words["side"] else "no"
