"""Pictures for the evidence of a set alone: what has to be seen to answer, without hours of the rest."""

from collections.abc import Callable
from pathlib import Path

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.drawn_recording import write_span
from situ.pool import spread, workers

PIXELS = ("none", "evidence", "all")
FOLDER = "evidence"


def write_evidence(
    dataset: Dataset, jobs: int = 1, progress: Callable[[int, int], None] | None = None
) -> int:
    """Store the evidence frames of every item, with pictures, under `evidence/ITEM`; gives their number.

    What is there already is kept, so that an interrupted run can be finished.
    """
    (dataset.folder / FOLDER).mkdir(exist_ok=True)
    tasks = []
    for number, (item, rows) in enumerate(dataset.by_item()):
        frames = sorted({frame for row in rows for frame in row.evidence})
        tasks.append((dataset.folder, number, item, frames))
    with workers(jobs) as pool:
        for done, _ in enumerate(spread(pool, _write_item, tasks), 1):
            if progress:
                progress(done, len(tasks))
    return sum(len(frames) for _, _, _, frames in tasks)


def _write_item(task: tuple[Path, int, str, list[int]]) -> None:
    folder, _, item, frames = task
    span = folder / FOLDER / item
    if frames and not span.is_dir():
        write_span(Dataset.open(folder).recording(item), frames, span)
