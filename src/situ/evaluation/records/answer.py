"""What a run writes down about one question: the answer as given, how it was read, and what it earned."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from situ.benchmarks.dataset import Json, QuestionRow
from situ.errors import BadFormat


class Status(StrEnum):
    """What became of a question. Everything but `answered` scores nothing, and is counted on its own."""

    ANSWERED = "answered"
    UNREADABLE = "unreadable"  # there is a reply, but it claims no answer, or several
    REFUSED = "refused"  # who was asked says that it cannot or will not answer
    ERROR = "error"  # no reply came back

    @classmethod
    def _missing_(cls, value: object) -> "Status | None":
        """The names of records that an older version wrote."""
        return {"abstained": cls.REFUSED, "failed": cls.ERROR}.get(str(value))


@dataclass(frozen=True)
class Reply:
    """What a participant says. `abstained` is its reason for not answering; then `text` is empty."""

    text: str = ""
    abstained: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Reading:
    """What a reply claims, in the words of the key, and the rule that found it. No claim: None."""

    claim: str | None
    rule: str


@dataclass(frozen=True)
class Effort:
    """What an answer cost. `cost` is in dollars, None where no price is known."""

    seconds: float = 0.0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None

    def __add__(self, other: "Effort") -> "Effort":
        costs = [cost for cost in (self.cost, other.cost) if cost is not None]
        return Effort(
            self.seconds + other.seconds,
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            sum(costs) if costs else None,
        )


@dataclass(frozen=True)
class AnswerRecord:
    """One question of a run. `points` lie between 0 and 1.

    `mark` is a judge's, where one was asked; `second_mark` that of the same judge asked once more. `stop` is
    why the reply ended: "stop" is the model's own end, "max_tokens" or "content_filter" are others.
    """

    id: str
    item: str
    task: str
    key: str
    reply: str
    claim: str | None
    rule: str
    status: Status
    reason: str
    points: float
    frames: int = 0
    frames_hash: str = ""
    prompt_hash: str = ""
    effort: Effort = field(default_factory=Effort)
    strata: Mapping[str, Json] = field(default_factory=dict)
    mark: int | None = None
    second_mark: int | None = None
    stop: str = ""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "AnswerRecord":
        return cls(**{**data, "status": Status(data["status"]), "effort": Effort(**data["effort"])})


def failed(row: QuestionRow, reason: str, effort: Effort | None = None) -> AnswerRecord:
    """The record of a question that no reply came back for."""
    return AnswerRecord(
        row.id, row.item, row.task, row.answer, "", None, "", Status.ERROR, reason, 0.0,
        effort=effort or Effort(), strata=dict(row.strata),
    )  # fmt: skip


def write_records(path: Path, records: Iterable[AnswerRecord], append: bool = False) -> None:
    with path.open("a" if append else "w", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record.to_json(), sort_keys=True) + "\n")


def read_records(path: Path) -> Iterator[AnswerRecord]:
    """The records of a file. A last line that was cut short by a kill is left out."""
    lines = path.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            yield AnswerRecord.from_json(json.loads(line))
        except (ValueError, TypeError, KeyError) as error:
            if number == len(lines):  # no newline after it: the write was interrupted
                return
            raise BadFormat(f"{path}, line {number} is not an answer record ({error})") from error
