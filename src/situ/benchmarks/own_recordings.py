"""What recipes about somebody's own recordings share: the recordings are copied into the set as they are."""

import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from situ.benchmarks.balance import Candidate
from situ.benchmarks.options import check_making
from situ.errors import BadInput
from situ.recording import Recording
from situ.recording.staging import StagedFolder


@dataclass(frozen=True)
class OwnRecordings:
    """Recordings whose objects are known: annotated, or named by hand. `scale` multiplies the questions."""

    recordings: tuple[Path, ...]
    scale: float = 1.0
    seed: int = 0

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

    def rng(self, number: int, purpose: int) -> np.random.Generator:
        """The source of chance for one purpose of one recording: it goes with the name, not with the place
        in the list."""
        return np.random.default_rng([self.seed, purpose, *self.item_names()[number].encode()])

    def make_item(self, number: int, folder: Path) -> None:
        copy = StagedFolder(folder)
        try:
            shutil.copytree(self.recordings[number], copy.work, dirs_exist_ok=True)
        except BaseException:
            copy.discard()
            raise
        copy.commit()


def need_known(recording: Recording, *facts: str) -> None:
    """Refuse a recording that says of "poses" or "scale" that they are unknown: keys would be made up."""
    for fact in facts:
        if recording.meta.get(fact) == "unknown":
            raise BadInput(
                f"{recording.folder.name} has unknown {fact}, and nothing that rests on {fact} can be asked. "
                "Import a source that states them; `situ import --list` names the formats"
            )


def one_task_each(candidates: Sequence[Candidate], rng: np.random.Generator) -> list[Candidate]:
    """The candidates of one task of each recording, where two tasks would answer each other: the task that
    was given least so far, else by lot."""
    offered: dict[int, set[str]] = {}
    for candidate in candidates:
        offered.setdefault(candidate.item, set()).add(candidate.task)
    given: Counter[str] = Counter()
    task_of: dict[int, str] = {}
    items = [int(item) for item in rng.permutation(sorted(offered))]
    for item in sorted(items, key=lambda item: len(offered[item])):  # those without a choice first
        tasks = sorted(offered[item])
        lots = [tasks[int(i)] for i in rng.permutation(len(tasks))]
        task_of[item] = min(lots, key=lambda task: given[task])
        given[task_of[item]] += 1
    return [candidate for candidate in candidates if candidate.task == task_of[candidate.item]]
