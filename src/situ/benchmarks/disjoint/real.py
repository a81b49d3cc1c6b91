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
from situ.benchmarks.options import check_making
from situ.errors import BadInput, Unanswerable
from situ.recording import Recording
from situ.recording.staging import StagedFolder

TASKS = ("relationship", "distance", "size_fit")
PER_RECORDING = 12


@dataclass(frozen=True)
class RealDisjointRecipe:
    """At most 12 questions of each recording times `scale`, with answers as even as the recordings allow."""

    recordings: tuple[Path, ...]
    scale: float = 1.0
    seed: int = 0
    benchmark: str = "disjoint"

    def __post_init__(self) -> None:
        if not self.recordings:
            raise BadInput("no recordings were given; import some with `situ import`")
        check_making(self.scale, self.seed)
        names = self.item_names()
        if len(set(names)) < len(names):
            raise BadInput(f"recordings must have different folder names, got {', '.join(names)}")

    def describe(self) -> dict[str, Any]:
        hashes = {r.resolve().name: Recording.open(r).content_hash() for r in self.recordings}
        return {"recordings": hashes, "scale": self.scale, "seed": self.seed}

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
        most = max(1, round(PER_RECORDING * self.scale))
        per_task = max(1, most // len(TASKS))
        chosen: list[Candidate] = []
        for task in TASKS:
            rng = np.random.default_rng([self.seed, 2, *task.encode()])
            total = per_task * len(self.recordings)
            chosen += choose_twins(candidates, task, total, most, rng)
        return sorted(chosen)
