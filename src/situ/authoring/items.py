"""Questions before they have options: read from any file, checked one by one."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from situ.authoring.logic import normal, opposite_of
from situ.benchmarks.clock import read_time
from situ.benchmarks.official.collection import Problem
from situ.benchmarks.official.fields import read_options, read_spans
from situ.benchmarks.official.records import read_records
from situ.benchmarks.question_types import BINARY, COUNT, OTHER
from situ.errors import BadInput

# Names under which files of all kinds keep the same thing.
_NAMES: dict[str, tuple[str, ...]] = {
    "id": ("id", "qid", "question_id", "uid"),
    "question": ("question", "text", "query"),
    "answer": ("answer", "ground_truth", "label"),
    "source": ("source", "video_uid", "video", "item", "episode_history", "scene"),
    "time": ("time", "question_timestamps", "query_timestamp", "timestamp"),
    "spans": ("evidence", "evidence_spans", "spans"),
    "category": ("category", "dimension", "task"),
    "subcategory": ("subcategory",),
    "qtype": ("qtype", "type"),
    "length": ("video_length", "duration"),
}


@dataclass(frozen=True)
class Item:
    """A question with its answer. Times are in seconds; `also` are other answers that are right, too."""

    id: str
    question: str
    answer: str
    source: str = ""
    category: str = ""
    subcategory: str = ""
    qtype: str = OTHER
    time: float | None = None
    spans: tuple[tuple[float, float], ...] = ()
    length: float | None = None
    options: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    @property
    def bucket(self) -> tuple[str, str, str]:
        """Questions of one bucket can lend each other their answers."""
        return self.category, self.subcategory, self.qtype


def read_items(path: Path, fps: float | None = None) -> tuple[list[Item], list[Problem]]:
    """The questions of a file, and what is wrong with those that were left out."""
    items: list[Item] = []
    problems: list[Problem] = []
    for number, record in enumerate(read_records(path), 1):
        name = f"record {number}"
        try:
            if not isinstance(record, Mapping):
                raise BadInput("it is not a JSON object")
            name = str(_field(record, "id") or name)
            items.append(_item(record, name, fps))
        except BadInput as error:
            problems.append(Problem(name, str(error)))
    return items, problems


def check_items(items: Sequence[Item]) -> list[Problem]:
    """What is wrong with questions that could be read: times, repeats, contradictions."""
    problems = []
    first: dict[tuple[str, str, float | None], Item] = {}
    for item in items:
        problems += [Problem(item.id, what) for what in _faults(item)]
        key = (item.source, normal(item.question), item.time)
        other = first.setdefault(key, item)
        if other is not item:
            same = normal(other.answer) == normal(item.answer)
            what = "it repeats" if same else "it has the same words and time as, but another answer than,"
            problems.append(Problem(item.id, f"{what} {other.id}"))
    return problems


def _faults(item: Item) -> list[str]:
    found = []
    if item.time is not None and item.spans and max(end for _, end in item.spans) >= item.time:
        found.append(f"it is asked at {item.time:g} s, before its evidence ends")
    last = max([item.time or 0.0, *(end for _, end in item.spans)])
    if item.length is not None and last > item.length:
        found.append(f"it needs the video up to {last:g} s, but that lasts {item.length:g} s")
    texts = [normal(option) for option in item.options]
    if item.options and texts.count(normal(item.answer)) != 1:
        found.append(f"its answer is {texts.count(normal(item.answer))} times among its options")
    if len(set(texts)) != len(texts):
        found.append("some of its options are the same")
    return found


def _item(record: Mapping[str, Any], name: str, fps: float | None) -> Item:
    question, answer = (str(_field(record, key) or "").strip() for key in ("question", "answer"))
    options: tuple[str, ...] = ()
    if record.get("options"):
        by_letter = read_options(record["options"])
        options = tuple(by_letter.values())
        answer = by_letter.get(answer.upper(), answer)
    if not question:
        raise BadInput("it has no question")
    if not answer:
        raise BadInput("its answer is empty")
    when = _field(record, "time")
    length = _field(record, "length")
    extra = record.get("extra_answers") or ()
    return Item(
        name,
        question,
        answer,
        re.sub(r"-mcq$", "", str(_field(record, "source") or "")),
        str(_field(record, "category") or ""),
        str(_field(record, "subcategory") or ""),
        str(_field(record, "qtype") or kind_of(question, answer)),
        None if when is None else read_time(when, fps),
        read_spans(_field(record, "spans"), fps),
        None if length is None else read_time(length, fps),
        options,
        tuple(str(text) for text in extra),
    )


def kind_of(question: str, answer: str) -> str:
    """BINARY where the answer has an opposite, COUNT where it is a number, OTHER elsewhere."""
    if opposite_of(question, answer) is not None:
        return BINARY
    counted = re.match(r"(?i)\s*how many\b", question) and re.fullmatch(r"\d+", normal(answer))
    return COUNT if counted else OTHER


def _field(record: Mapping[str, Any], name: str) -> Any:
    return next((record[key] for key in _NAMES[name] if record.get(key) not in (None, "")), None)
