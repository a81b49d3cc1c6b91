"""A published set written as one of ours: items are filmed from its media, rows are its own."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from situ.benchmarks.balance import Candidate
from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.make import PUBLISHED
from situ.benchmarks.official.collection import Collection, Draft
from situ.benchmarks.official.media import write_item
from situ.recording import Recording


@dataclass(frozen=True)
class ImportedRecipe:
    """`fps` thins videos, `width` makes pictures smaller; None keeps what is there."""

    collection: Collection
    source: str
    fps: float | None = None
    width: int | None = None

    @property
    def benchmark(self) -> str:
        return self.collection.benchmark

    def describe(self) -> dict[str, Any]:
        rows = [(row.id, row.text, row.options, row.answer, row.time) for row in self.collection.rows]
        return {
            PUBLISHED: self.source,
            "fps": self.fps,
            "width": self.width,
            "words_only": all(item.media is None for item in self.collection.items),
            "refused": len(self.collection.problems),
            "rows": hashlib.sha256(json.dumps(rows).encode()).hexdigest(),
        }

    def item_names(self) -> Sequence[str]:
        return [item.name for item in self.collection.items]

    def make_item(self, number: int, folder: Path) -> None:
        item = self.collection.items[number]
        meta = {"benchmark": self.benchmark, "imported": True, **item.meta}
        write_item(folder, item.media, meta, self.fps, self.width)

    @cached_property
    def _by_item(self) -> dict[str, list[Draft]]:
        found: dict[str, list[Draft]] = {}
        for draft in self.collection.drafts:
            found.setdefault(draft.row.item, []).append(draft)
        return found

    def propose(self, number: int, recording: Recording) -> list[tuple[Candidate, QuestionRow]]:
        drafts = self._by_item[self.collection.items[number].name]
        times = recording.path.times
        rows = [replace(draft.row, evidence=frames_of(draft.spans, times)) for draft in drafts]
        return [(Candidate(number, i, row.task, "", row.answer), row) for i, row in enumerate(rows)]

    def choose(self, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        return candidates


def frames_of(spans: Sequence[tuple[float, float]], times: np.ndarray) -> tuple[int, ...]:
    """The frames inside spans of seconds; of a span between two frames, the one before it."""
    found: set[int] = set()
    for start, end in spans:
        first, last = np.searchsorted(times, start, side="left"), np.searchsorted(times, end, side="right")
        inside = range(int(first), int(last)) or range(max(0, int(first) - 1), max(1, int(first)))
        found.update(i for i in inside if i < len(times))
    return tuple(sorted(found))
