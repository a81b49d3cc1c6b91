"""DISJOINT questions about real recordings whose objects are known: Digital Twin, or named by hand."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from situ.benchmarks.balance import Candidate
from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.disjoint.candidates import propose
from situ.benchmarks.disjoint.choose import choose_twins
from situ.benchmarks.disjoint.spans import VISIBILITY
from situ.errors import BadInput, Unanswerable
from situ.recording import Recording
from situ.recording.staging import StagedFolder

TASKS = ("relationship", "distance", "size_fit")


@dataclass(frozen=True)
class RealDisjointRecipe:
    """At most `per_recording` questions of each recording, with answers as even as the recordings allow."""

    recordings: tuple[Path, ...]
    per_recording: int = 12
    seed: int = 0
    benchmark: str = "disjoint"

    def __post_init__(self) -> None:
        if not self.recordings:
            raise BadInput("no recordings were given; import some with `situ import`")
        if self.per_recording < 1:
            raise BadInput(f"questions per recording must be 1 or more, got {self.per_recording}")
        if self.seed < 0:
            raise BadInput(f"seed must be 0 or more, got {self.seed}")
        names = self.item_names()
        if len(set(names)) < len(names):
            raise BadInput(f"recordings must have different folder names, got {', '.join(names)}")

    def describe(self) -> dict[str, Any]:
        hashes = {r.resolve().name: Recording.open(r).content_hash() for r in self.recordings}
        return {"recordings": hashes, "per_recording": self.per_recording, "seed": self.seed}

    def item_names(self) -> Sequence[str]:
        return [recording.resolve().name for recording in self.recordings]

    def make_item(self, number: int, folder: Path) -> None:
        copy = StagedFolder(folder)
        try:
            shutil.copytree(self.recordings[number], copy.work, dirs_exist_ok=True)
        except BaseException:
            copy.discard()
            raise
        copy.commit()

    def propose(self, number: int, recording: Recording) -> list[tuple[Candidate, QuestionRow]]:
        name = self.item_names()[number]
        rng = np.random.default_rng([self.seed, *name.encode()])
        return propose(number, name, recording, VISIBILITY, rng, least_frames=2)

    def choose(self, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        if not any(candidate.task in TASKS for candidate in candidates):
            raise Unanswerable(
                f"no two objects of {', '.join(self.item_names())} are seen in frames of their own; "
                "name more objects or use longer recordings"
            )
        per_task = max(1, self.per_recording // len(TASKS))
        chosen: list[Candidate] = []
        for task in TASKS:
            rng = np.random.default_rng([self.seed, 2, *task.encode()])
            total = per_task * len(self.recordings)
            chosen += choose_twins(candidates, task, total, self.per_recording, rng)
        return sorted(chosen)
