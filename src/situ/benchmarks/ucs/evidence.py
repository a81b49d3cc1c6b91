"""Pictures for the evidence of a set alone: what has to be seen to answer, without hours of the rest."""

import re
from collections.abc import Callable

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.ucs.drawn import write_span
from situ.errors import BadInput

PIXELS = ("none", "evidence", "all")
FOLDER = "evidence"


def frame_size(text: str) -> tuple[int, int]:
    """Width and height from "320x240"."""
    found = re.fullmatch(r"\s*(\d+)\s*[xX]\s*(\d+)\s*", text)
    if found is None:
        raise BadInput(f"the size of frames is written as WIDTHxHEIGHT, such as 320x240; got '{text}'")
    return int(found.group(1)), int(found.group(2))


def write_evidence(dataset: Dataset, progress: Callable[[int, int], None] | None = None) -> int:
    """Store the evidence frames of every item, with pictures, under `evidence/ITEM`; gives their number.

    What is there already is kept, so that an interrupted run can be finished.
    """
    grouped = list(dataset.by_item())
    written = 0
    for number, (item, rows) in enumerate(grouped, 1):
        frames = sorted({frame for row in rows for frame in row.evidence})
        folder = dataset.folder / FOLDER / item
        if frames and not folder.is_dir():
            folder.parent.mkdir(exist_ok=True)
            write_span(dataset.recording(item), frames, folder)
        written += len(frames)
        if progress:
            progress(number, len(grouped))
    return written
