"""What is fair to ask of a day, and when an answer is right."""

import math
from collections import Counter

from benchmarks.ask_days import RoomedTruth
from situ.english import singular
from situ.errors import SituError
from situ.geometry.heading import HERE_M
from situ.language.phrasing import DIRECTION_WORDS
from situ.questions.base import Answer, Question
from situ.questions.rules.listing import NOTHING, SEPARATOR
from situ.state.truth import APPEARED, MOVED

# The kinds of question whose answers are no words that must be the same.
ANSWERS = {
    **dict.fromkeys(
        ("times_put", "kinds_on", "gone_since", "visits", "count_related", "count_in_place", "count",
         "count_now", "count_in_room"), "count",
    ),
    **dict.fromkeys(
        ("closest_distance", "distance_walked", "time_in", "room_size", "size_of", "longest_side",
         "distance_from_here"), "measure",
    ),
    **dict.fromkeys(("way_back", "reverse_plan", "route_plan"), "route"),
    **dict.fromkeys(("last_in", "moved_when", "seen_when"), "time"),
    **dict.fromkeys(
        ("places_visited", "taken_away", "moved_things", "changes", "around", "seen_since", "related_to",
         "contents_of", "places_with", "all_of", "unique_objects"), "list",
    ),
}  # fmt: skip


def fair_answer(state: RoomedTruth, question: Question) -> Answer | None:
    """The truth's answer, if it is clear and follows from what was seen."""
    try:
        key, seen = question.answer(state), question.answer(as_seen(state))
    except SituError:
        return None
    if key.margin < question.min_margin or not matches(question, key.value, seen):
        return None
    if abs((key.numbers or {}).get("distance_m", 9.0) - HERE_M) < 0.3 and "bearing_deg" in (
        key.numbers or {}
    ):
        return None  # between here and there
    return key


def as_seen(state: RoomedTruth) -> RoomedTruth:
    """The truth without what happened to things after they were last in view."""
    last = {number: seen[-1].time for number, seen in state._sightings.items() if seen}
    events = [
        e
        for e in state._events
        if e.kind == APPEARED
        or e.time <= last.get(e.object_id or -1, -math.inf) + (2.0 if e.kind == MOVED else 0.0)
    ]
    return RoomedTruth(state.path, state._records, state._sightings, events, state._rooms)


def matches(question: Question, key: object, answer: Answer) -> bool:
    """Whether an answer is right: the same word, within a tenth of a measure, four fifths of a list."""
    kind = ANSWERS.get(question.kind, "")
    if kind in ("measure", "time"):
        slack = {"measure": 0.3, "time": 6.0}[kind]
        slack = {"size_of": 5.0, "time_in": 6.0, "distance_walked": 1.0}.get(question.kind, slack)
        right = float(str(key))
        return abs(float(answer.value) - right) <= max(slack, 0.1 * abs(right) if kind == "measure" else 0.0)
    if kind == "list":
        return overlap(str(key), str(answer.value)) >= 0.8
    if kind == "route":
        mine, right_way = str(answer.value).split(", then "), str(key).split(", then ")
        return mine[-1].split(" ", 1)[-1] == right_way[-1].split(" ", 1)[-1] and mine[0] == right_way[0]
    return str(answer.value) == str(key)


_SAME = {"at the same place": "same location", "equal": "equal"}


def agrees(question: Question, key: object, answer: Answer, text: str = "") -> bool:
    """Whether an answer says what the key says, be it by a program whose values have other names: "the red
    cup" is "red cup", and a direction or a name may stand in the text."""
    try:
        if matches(question, key, answer):
            return True
    except ValueError:
        return False
    kind = ANSWERS.get(question.kind, "")
    if kind in ("measure", "time", "count") or not isinstance(answer.value, str):
        return False
    mine, other = _plain(answer.value), _plain(str(key))
    if kind == "list":
        return overlap(_nouns(mine), _nouns(other)) >= 0.8
    if mine in ("yes", "no") and other not in ("yes", "no"):  # "is the cup closer than the lamp"
        return text.lower().find(other) >= 0
    told = DIRECTION_WORDS.get(str(key), "") or "no such words"
    return mine == other or singular(mine) == singular(other) or told in text


def _nouns(value: str) -> str:
    """A list by the nouns alone, each with its number: what else describes things may be told or not."""
    count: Counter[str] = Counter()
    for part in value.split(SEPARATOR):
        first, *rest = part.split(" ")
        count[singular((rest or [first])[-1])] += int(first) if first.isdigit() else 1
    return SEPARATOR.join(f"{number} {name}" for name, number in count.items())


def _plain(value: str) -> str:
    value = _SAME.get(value, value).lower()
    parts = [part.split(" ", 1)[1] if part.split(" ")[0] in ("the", "a", "an", "my") and " " in part else part
             for part in value.split(SEPARATOR)]  # fmt: skip
    return SEPARATOR.join(sorted(parts))


def overlap(one: str, two: str) -> float:
    """The share of two lists that they have in common (F1)."""
    a, b = ({part for part in text.split(SEPARATOR) if part != NOTHING} for text in (one, two))
    return 1.0 if not a and not b else 2 * len(a & b) / max(1, len(a) + len(b))
