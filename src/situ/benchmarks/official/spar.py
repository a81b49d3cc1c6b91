"""SPAR-Bench: a plain table whose options stand inside the question, with tasks of three levels."""

import re
from collections.abc import Mapping
from typing import Any

LOW, MIDDLE, HIGH = "low", "middle", "high"
MIDDLE_TASKS = frozenset({"view_change_infer", "position_matching", "camera_motion_infer"})
_OPTION = re.compile(r"(?:^|(?<=[\s,;(]))\(?([A-H])[.):]\s+(?=\S)")


def prepared(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A record with its options taken out of its question, and the level of its task."""
    task = str(record.get("task") or "")
    text, options = split_options(str(record.get("question") or ""))
    told: dict[str, Any] = {**record, "difficulty": level_of(task)}
    return {**told, "question": text, "options": options} if options else told


def level_of(task: str) -> str:
    """Low: depths and distances; middle: matching and moving between views; high: relations, imagination."""
    if task in MIDDLE_TASKS:
        return MIDDLE
    return LOW if re.match(r"(?:depth|distance)_prediction", task) else HIGH


def split_options(text: str) -> tuple[str, dict[str, str]]:
    """The question, and what stands behind A, B, ... where these letters follow each other to its end."""
    marks: list[re.Match[str]] = []
    for mark in _OPTION.finditer(text):
        if mark[1] == "ABCDEFGH"[len(marks)]:
            marks.append(mark)
    if len(marks) < 2:
        return text, {}
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    options = {
        mark[1]: text[mark.end() : end].strip().rstrip(",;").strip()
        for mark, end in zip(marks, ends, strict=True)
    }
    return re.sub(r"\s*(?:Options|Choices)?\s*:?\s*$", "", text[: marks[0].start()]), options
