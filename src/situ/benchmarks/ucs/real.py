"""UCS's questions about streams whose things are known: where from here, closer, within reach, which way.

What was moved, taken or put down is asked about where the recording has such events, as generated days do.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from situ.benchmarks.balance import Candidate
from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.own_recordings import OwnRecordings, need_known
from situ.benchmarks.ucs.choose import choose_groups
from situ.benchmarks.ucs.published import SUBTASKS
from situ.benchmarks.ucs.rows import propose
from situ.errors import Unanswerable
from situ.recording import Recording

PER_TASK = 6  # questions of a subtask about one recording


@dataclass(frozen=True)
class RealUcsRecipe(OwnRecordings):
    """At most 6 questions of each subtask about each recording, times `scale`, during the stream."""

    benchmark: str = "ucs"

    def propose(self, number: int, recording: Recording) -> list[tuple[Candidate, QuestionRow]]:
        need_known(recording, "poses", "scale")
        return propose(number, self.item_names()[number], recording, self.rng(number, 1))

    def choose(self, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        if not candidates:
            raise Unanswerable(
                f"nothing can be asked about {', '.join(self.item_names())}: a thing with a name of its own "
                "must be clear in three frames and be out of view later; name more things or record longer"
            )
        wanted = max(1, round(PER_TASK * self.scale)) * len(self.recordings)
        rng = np.random.default_rng([self.seed, 2, *b"ucs"])
        return choose_groups(candidates, dict.fromkeys(SUBTASKS, wanted), rng)
