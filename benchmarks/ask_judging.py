"""What is fair to ask of a day, and when an answer is right."""

import math

from benchmarks.ask_days import RoomedTruth
from situ.errors import SituError
from situ.geometry.heading import HERE_M
from situ.language.kind import KINDS
from situ.questions.base import Answer, Question
from situ.questions.rules.listing import NOTHING, SEPARATOR
from situ.state.truth import APPEARED, MOVED


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
    kind = KINDS[question.kind].answers
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


def overlap(one: str, two: str) -> float:
    """The share of two lists that they have in common (F1)."""
    a, b = ({part for part in text.split(SEPARATOR) if part != NOTHING} for text in (one, two))
    return 1.0 if not a and not b else 2 * len(a & b) / max(1, len(a) + len(b))
