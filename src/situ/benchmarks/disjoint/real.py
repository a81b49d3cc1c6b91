"""DISJOINT questions about a real recording whose objects are known: Digital Twin, or annotated by hand."""

import numpy as np

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.disjoint.candidates import propose
from situ.benchmarks.disjoint.choose import choose_twins
from situ.benchmarks.disjoint.spans import VISIBILITY
from situ.errors import Unanswerable
from situ.recording import Recording

TASKS = ("relationship", "distance", "size_fit")


def real_questions(recording: Recording, name: str, count: int, seed: int = 0) -> tuple[QuestionRow, ...]:
    """At most `count` questions, with answers as even as the recording allows.

    Raises Unanswerable where no two objects are ever apart.
    """
    rng = np.random.default_rng([seed, *name.encode()])
    proposed = propose(0, name, recording, VISIBILITY, rng, least_frames=2)
    candidates = [candidate for candidate, _ in proposed if candidate.task in TASKS]
    if not candidates:
        raise Unanswerable(
            f"{recording.folder}: no two of its {len(recording.objects)} objects are seen in frames of "
            "their own; annotate more objects or use a longer recording"
        )
    chosen = [
        candidate
        for task in TASKS
        for candidate in choose_twins(candidates, task, max(1, count // len(TASKS)), count, rng)
    ]
    return tuple(proposed[candidate.number][1] for candidate in chosen[:count])
