"""Training of annotators on streams with known truth; first answers are scored."""

import json
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from situ.annotate.annotation import Annotation, Spans, changed
from situ.annotate.store import Store
from situ.authoring.logic import normal
from situ.errors import BadInput
from situ.evaluation.stats.intervals import wilson

SLACK_S = 1.0  # tolerance at the edges of a span
MIN_FOUND = 0.5  # share of the true evidence that must be marked


@dataclass(frozen=True)
class Truth:
    item: str
    answer: str
    spans: Spans


def keep_truth(store: Store, truths: Sequence[Truth]) -> None:
    rows = [(t.item, json.dumps({"answer": t.answer, "spans": t.spans})) for t in truths]
    with store.writing() as sql:
        sql.executemany("INSERT INTO truth VALUES (?, ?)", rows)


def truth_of(store: Store, item: str) -> Truth:
    with store.reading() as sql:
        row = sql.execute("SELECT data FROM truth WHERE item = ?", (item,)).fetchone()
    if row is None:
        raise BadInput("there is no truth to compare with: this queue is not for training")
    data = json.loads(row[0])
    return Truth(item, data["answer"], tuple((a, b) for a, b in data["spans"]))


def answer(store: Store, item: str, by: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Store a person's answer and evidence, and return the truth. Only the first answer is stored and
    counts."""
    truth = truth_of(store, item)
    if not by.strip():
        raise BadInput("give your name first: answers are counted per person")
    asked = store.get(item).annotation
    wanted = {name: given.get(name) for name in ("answer", "spans")}
    said = changed(Annotation(item, asked.source), wanted)
    if not said.answer.strip():
        raise BadInput("give an answer first")
    row = {"answer": said.answer, "spans": said.spans}
    with store.writing() as sql:
        first = sql.execute(
            "INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?)", (item, by, json.dumps(row), time.time())
        ).rowcount
    return {
        **judged(said, truth, asked.time),
        "answer": truth.answer,
        "spans": truth.spans,
        "counted": first == 1,
    }


def judged(said: Annotation, truth: Truth, asked_s: float | None) -> dict[str, Any]:
    """Whether an answer is correct, how much evidence was found, and whether it precedes the question."""
    found = covered(said.spans, truth.spans)
    causal = asked_s is None or all(end < asked_s for _, end in said.spans)
    return {
        "right": normal(said.answer) == normal(truth.answer),
        "found": found,
        "evidence": not truth.spans or (found >= MIN_FOUND and causal),
        "causal": causal,
    }


def covered(marked: Spans, true: Spans) -> float:
    """Share of the true spans that was marked, with tolerance at the edges."""
    if not true:
        return 1.0
    hit = sum(any(a - SLACK_S <= end and start <= b + SLACK_S for a, b in marked) for start, end in true)
    return hit / len(true)


def scores(store: Store) -> list[dict[str, Any]]:
    """Scores per person: items, share correct with interval, share of evidence, and by task."""
    with store.reading() as sql:
        rows = sql.execute("SELECT item, by, data FROM answers ORDER BY by, at").fetchall()
    people: dict[str, list[tuple[str, dict[str, Any]]]] = defaultdict(list)
    for item, by, data in rows:
        asked = store.get(item).annotation
        given = json.loads(data)
        said = Annotation(item, asked.source, answer=given["answer"], spans=tuple(map(tuple, given["spans"])))
        people[by].append((asked.subcategory, judged(said, truth_of(store, item), asked.time)))
    return [_scored(by, marks) for by, marks in people.items()]


def _scored(by: str, marks: Sequence[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    right = sum(mark["right"] for _, mark in marks)
    low, high = wilson(right, len(marks))
    tasks: dict[str, list[bool]] = defaultdict(list)
    for task, mark in marks:
        tasks[task].append(mark["right"])
    return {
        "person": by, "answered": len(marks), "right": right / len(marks), "interval": [low, high],
        "evidence": sum(mark["evidence"] for _, mark in marks) / len(marks),
        "causal": sum(mark["causal"] for _, mark in marks) / len(marks),
        "tasks": {
            task: {"answered": len(hits), "right": sum(hits) / len(hits)} for task, hits in tasks.items()
        },
    }  # fmt: skip
