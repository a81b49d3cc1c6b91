"""DISJOINT questions about real recordings whose objects are known: Digital Twin, or named by hand."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from situ.benchmarks.balance import Candidate
from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.disjoint.candidates import propose
from situ.benchmarks.disjoint.choose import choose_twins
from situ.benchmarks.own_recordings import OwnRecordings
from situ.errors import Unanswerable
from situ.recording import Recording
from situ.state import Visibility

TASKS = ("relationship", "distance", "size_fit")
PER_RECORDING = 12


@dataclass(frozen=True)
class RealDisjointRecipe(OwnRecordings):
    """At most 12 questions of each recording times `scale`, with answers as even as the recordings allow."""

    benchmark: str = "disjoint"

    def propose(self, number: int, recording: Recording) -> list[tuple[Candidate, QuestionRow]]:
        name = self.item_names()[number]
        rng = np.random.default_rng([self.seed, *name.encode()])
        return propose(number, name, recording, Visibility.stated_in(recording.meta), rng, least_frames=2)

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
