"""Spatial memories of recordings, for strategies that put what is remembered to a model, and for `ask`.

Every model run holds such a cache and few look into it: memory and grammar are loaded when one is first used.
"""

import hashlib
from bisect import bisect_right
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.errors import BadInput, Unanswerable
from situ.evaluation.benchmark import SOLIDS, eyes_for
from situ.evaluation.cues.ladder import visibility_of
from situ.questions.base import Question
from situ.recording import Recording

if TYPE_CHECKING:
    from situ.memory import SpatialMemory

EXACT = "exact annotations of the recordings, as no eyes would see them; --memories DIR gives real ones"
KEPT = 2
MOST_TOLD = 5
OTHER_CLOCK_S = 60.0  # a memory may go on after the part that is asked about; clocks of the day are far off


PIXELS, DETECTIONS = "pixels", "detections"  # what may stand in the place of a folder
MADE_FROM = {
    PIXELS: "the pictures, seen by the network for homes, with given poses",
    DETECTIONS: "annotations with the faults of a detector and drifting poses",
}


class Memories:
    """The memories of a question set's recordings.

    Those in a folder (`ITEM.situ`, made by `situ watch`) come first. In the place of a folder may stand
    "pixels", which makes them of the pictures, or "detections", of annotations with a detector's faults.
    Without any of these coloured solids are seen in the pixels, and elsewhere a recording's own annotations
    stand in for eyes: what is measured then is the use of a memory and not its making, and `rest_on` says so.
    The last few are kept, since questions come recording by recording.
    """

    def __init__(self, folder: Path | None = None) -> None:
        made = str(folder) in (PIXELS, DETECTIONS)
        self._folder = None if made else folder
        self._made_from = str(folder) if made else ""
        self._kept: OrderedDict[str, SpatialMemory] = OrderedDict()
        self._lent: Counter[str] = Counter()

    def of(self, recording: Recording, item: str) -> "SpatialMemory":
        """The memory, to be asked at once: the next recordings may close it."""
        key = str(recording.folder.resolve())
        if key not in self._kept:
            file = self._file(item)
            self._kept[key] = _opened(file, recording) if file else _watch(recording, self._made_from)
        self._kept.move_to_end(key)
        self._close_oldest(but=key)
        return self._kept[key]

    @contextmanager
    def lent(self, recording: Recording, item: str) -> Iterator["SpatialMemory"]:
        """The memory, open for as long as somebody waits for a model between two looks into it: others ask
        about other recordings meanwhile."""
        memory, key = self.of(recording, item), str(recording.folder.resolve())
        self._lent[key] += 1
        try:
            yield memory
        finally:
            self._lent[key] -= 1
            self._close_oldest()

    def _close_oldest(self, but: str = "") -> None:
        for key in list(self._kept):
            if len(self._kept) > KEPT and key != but and not self._lent[key]:
                self._kept.pop(key).close()

    def _file(self, item: str) -> Path | None:
        return None if self._folder is None else self._folder / f"{item}.situ"

    def check(self, dataset: Dataset, items: Iterable[str]) -> None:
        """BadInput where recordings have no memory and nothing to make one from."""
        names = list(dict.fromkeys(items))
        if self._folder is None:
            missing = [] if not names or _can_be_watched(dataset.recording(names[0])) else names
        else:
            missing = [name for name in names if not (self._folder / f"{name}.situ").is_file()]
        if missing:
            told = ", ".join(missing[:MOST_TOLD]) + (" ..." if len(missing) > MOST_TOLD else "")
            raise BadInput(
                f"{len(missing)} of {len(names)} recordings have neither annotations nor a memory: {told}. "
                f"Make a memory of each video, `situ watch {missing[0]}.mp4 --into DIR/{missing[0]}.situ`, "
                "and give the folder: --memories DIR"
            )

    def rest_on(self, dataset: Dataset, items: Sequence[str]) -> str:
        """What they are made of where that is more than eyes would have; empty where files are given, and
        where solids are looked at."""
        if self._made_from:
            return MADE_FROM[self._made_from]
        if self._folder is not None or not items or eyes_for(dataset.recording(items[0])) == SOLIDS:
            return ""
        return EXACT

    def content(self, items: Iterable[str]) -> str:
        """A hash of the files that answers rest on, or what they are made from; empty without either."""
        if self._folder is None:
            return self._made_from
        digest = hashlib.sha256()
        for name in sorted(set(items)):
            with (self._folder / f"{name}.situ").open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()[:16]


def known_question(row: QuestionRow) -> Question | None:
    """The question's program where it has one; None of a question in words alone."""
    return row.question if row.program else None


def frames_at(recording: Recording, times: Sequence[float], until: float | None) -> tuple[int, ...]:
    """The recording's frames nearest to some moments, in order; none from after the moment of asking."""
    known = [float(time) for time in recording.path.times]
    last = len(known) if until is None else bisect_right(known, until)
    found = {min(range(last), key=lambda i: abs(known[i] - time)) for time in times} if last else set()
    return tuple(sorted(found))


def _opened(file: Path, recording: Recording) -> "SpatialMemory":
    """A memory of a recording; questions are asked at times of the recording, so its clock must be that."""
    from situ.memory import SpatialMemory

    memory = SpatialMemory.open(file, read_only=True)
    now, end = memory.now, float(recording.path.times[-1])
    if now > 2 * end + OTHER_CLOCK_S:
        memory.close()
        raise BadInput(
            f"{file} ends at {now:.0f} s, but its recording at {end:.0f} s: they count time from different "
            "moments. Watch the very video that the questions are about, with poses that count from its start"
        )
    return memory


def _can_be_watched(recording: Recording) -> bool:
    return bool(eyes_for(recording) == SOLIDS or recording.objects)


def _watch(recording: Recording, made_from: str) -> "SpatialMemory":
    from situ.evaluation.participants.memory import remember_with_hindsight
    from situ.memory import SpatialMemory
    from situ.perception.oracle import noisy, oracle_frames

    if made_from == PIXELS:
        return _seen(recording)
    if eyes_for(recording) == SOLIDS:
        return remember_with_hindsight(recording)
    memory = SpatialMemory.create(":memory:")
    frames = oracle_frames(recording, visibility_of(recording))
    if made_from == DETECTIONS:
        from situ.evaluation.participants.simulated import DEFAULT_NOISE

        chance = np.random.default_rng(list(str(recording.folder.name).encode()))
        for observed in noisy(frames, DEFAULT_NOISE, chance):
            memory.observe(observed)
        return memory
    for frame in frames:
        memory.observe(frame.exact())
    return memory


def _seen(recording: Recording) -> "SpatialMemory":
    from situ.evaluation.participants.pixels import watch_pixels
    from situ.memory import SpatialMemory
    from situ.memory.sink import MemorySink, options_for
    from situ.perception.homes.network import Network

    memory = SpatialMemory.create(":memory:", options_for("poses"))
    fault = watch_pixels(recording, Network(), False, MemorySink(memory))
    if fault:
        raise Unanswerable(f"the recording could not be watched: {fault}")
    return memory
