"""What is to be answered: settings, made concrete for one question set."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.errors import BadInput
from situ.evaluation.benchmark import protocol_of
from situ.evaluation.protocols.base import Protocol
from situ.evaluation.records.frames import FramePolicy
from situ.evaluation.runs.score import parser_name


@dataclass(frozen=True)
class Settings:
    """What shapes a run besides the model or participant. An empty text means the choice of the protocol, or
    of the participant if it has one. The notes of the fields are the help of `situ eval`."""

    frames: Annotated[
        str, "Frames shown, such as all, fps:2, uniform:32, recent:64@512, first, shuffled."
    ] = ""
    protocol: Annotated[str, "Score as another benchmark does, such as sns."] = ""
    parser: Annotated[str, "Which of the protocol's parsers reads replies."] = ""
    seed: Annotated[int, "Seed of participants that use random numbers."] = 0
    limit: Annotated[int, "Ask only the first N questions; 0 means all. Can be raised later."] = 0
    preset: str = ""
    memories: Annotated[
        Path | None,
        "Memories for memory strategies and `ask`: a folder with ITEM.situ for each recording; `pixels` to "
        "make them from the pictures; `detections` to make them from annotations with a detector's faults.",
    ] = None


@dataclass(frozen=True)
class Job:
    """Settings made concrete for one question set."""

    dataset: Dataset
    protocol: Protocol
    frames: FramePolicy
    parser: str
    rows: tuple[QuestionRow, ...]

    @classmethod
    def of(cls, dataset: Dataset, settings: Settings) -> "Job":
        protocol = protocol_of(settings.protocol or str(dataset.manifest["benchmark"]))
        rows = [row for row in ordered(dataset.questions) if protocol.asks(row)]
        if not rows:
            raise BadInput(f"{dataset.folder} has no question that {protocol.title} is scored on")
        return cls(
            dataset,
            protocol,
            FramePolicy.parse(settings.frames or protocol.frames),
            parser_name(protocol, settings.parser),
            tuple(rows[: settings.limit] if settings.limit else rows),
        )

    def card(self, who: str, strategy: str, settings: Settings, **more: Any) -> dict[str, Any]:
        return {
            "dataset": str(self.dataset.folder.resolve()),
            "dataset_hash": self.dataset.manifest.get("content_hash", ""),
            "benchmark": self.dataset.manifest["benchmark"],
            "recipe": self.dataset.manifest.get("recipe", {}),
            "who": who,
            "strategy": strategy,
            "frames": str(self.frames),
            "protocol": self.protocol.benchmark,
            "parser": self.parser,
            "formula": self.protocol.formula,
            "seed": settings.seed,
            "limit": settings.limit,
            "preset": settings.preset,
            "prompt": "",
            "models": {},
            "questions": len(self.rows),
            "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            **more,
        }


def ordered(rows: Sequence[QuestionRow]) -> list[QuestionRow]:
    """Recording by recording, so that frames are read once."""
    return sorted(rows, key=lambda row: (row.item, row.id))
