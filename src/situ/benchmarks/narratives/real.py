"""VSI-type questions about real recordings whose objects are known: annotated, or named by hand."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from situ.benchmarks.balance import Candidate, Quota, choose_balanced
from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.narratives.candidates import TASKS, labels_of, propose
from situ.benchmarks.own_recordings import OwnRecordings
from situ.errors import Unanswerable
from situ.recording import Recording
from situ.state import TruthState

PER_TASK = 4  # questions of a task about one recording


@dataclass(frozen=True)
class RealNarrativeRecipe(OwnRecordings):
    """At most 4 questions of each task about each recording times `scale`, with answers as even as can be."""

    benchmark: str = "sns"

    def propose(self, number: int, recording: Recording) -> list[tuple[Candidate, QuestionRow]]:
        name = self.item_names()[number]
        rng = np.random.default_rng([self.seed, 1, *name.encode()])
        return propose(number, name, TruthState.of(recording), rng)

    def choose(self, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        if not candidates:
            raise Unanswerable(
                f"nothing can be asked about {', '.join(self.item_names())}: a question needs three objects "
                "with names of their own, at least 0.8 m apart; name more objects or use longer recordings"
            )
        most = max(1, round(PER_TASK * self.scale))
        chosen: list[Candidate] = []
        for task in TASKS:
            found = [candidate for candidate in candidates if candidate.task == task]
            rng = np.random.default_rng([self.seed, 2, *task.encode()])
            quota = Quota(most * len(self.recordings), {"all": 1.0}, labels_of(task), per_item=most)
            chosen += choose_balanced(found, quota, rng)
        return sorted(chosen)
