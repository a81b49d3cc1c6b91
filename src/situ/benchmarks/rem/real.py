"""REM's questions about recordings whose things are known: how many, which are more, which came first, which
side. A kind is what an annotation calls a thing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from situ.benchmarks.balance import Candidate, Quota, choose_balanced, choose_evenly
from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.own_recordings import OwnRecordings, need_known, one_task_each
from situ.benchmarks.rem.candidates import MANY_LABELS, propose
from situ.benchmarks.rem.cells import World
from situ.benchmarks.rem.names import Names
from situ.errors import Unanswerable
from situ.questions import Selector
from situ.recording import Recording
from situ.state import TruthState

TASKS = ("counting", "comparison", "ordering", "left_right")
PER_RECORDING = 12


@dataclass(frozen=True)
class RealRemRecipe(OwnRecordings):
    """At most 12 questions of one task about each recording, times `scale`: two tasks about one walk would
    answer each other. A count of none is asked of kinds that were annotated and never came into view."""

    benchmark: str = "rem"

    def propose(self, number: int, recording: Recording) -> list[tuple[Candidate, QuestionRow]]:
        need_known(recording, "poses")
        name, truth = self.item_names()[number], TruthState.of(recording)
        return propose(number, name, truth, world_of_kinds(recording), TASKS, self.rng(number, 1))

    def choose(self, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        if not candidates:
            raise Unanswerable(
                f"nothing can be asked about {', '.join(self.item_names())}: no frame clearly shows a thing "
                "that is known; name some with `situ import ... --things`, or use annotated recordings"
            )
        rng = np.random.default_rng([self.seed, 2, *b"rem"])
        mine = one_task_each(candidates, rng)
        most = max(1, round(PER_RECORDING * self.scale))
        chosen: list[Candidate] = []
        for task in TASKS:
            found = [candidate for candidate in mine if candidate.task == task]
            total = most * len({candidate.item for candidate in found})
            if task == "counting":
                chosen += choose_balanced(found, _quota(found, total, most), rng)
            else:
                chosen += choose_evenly(found, total, most, rng)
        return sorted(chosen)


def world_of_kinds(recording: Recording) -> World:
    """A recording as a world of REM: what it holds, and what its things are called."""
    things = recording.objects.values()
    kinds = Counter(thing.category for thing in things)
    names = Names((), (), tuple(Selector(kind) for kind in sorted(kinds)))
    repeats = tuple(sorted((count - 1 for count in kinds.values() if count > 1), reverse=True))
    return World(len(things), repeats, len(recording), TASKS, "type", names=names)


def _quota(found: Sequence[Candidate], total: int, most: int) -> Quota:
    """Counts as in REM's own sets, over the strata and labels that the recordings offer."""
    strata = Counter(candidate.stratum for candidate in found)
    labels = {name: share for name, share in MANY_LABELS.items() if any(c.label == name for c in found)}
    return Quota(total, {name: count / len(found) for name, count in strata.items()}, labels, most)
