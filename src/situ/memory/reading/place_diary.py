"""The visits of all that has been read of a file, kept as long as the file is open."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from situ.state.visit_log import Run, Visit, VisitBook, joined


class End(NamedTuple):
    """How things stood after a run of frames: its last frame, how many visits will not change any more, the
    one after those, and the one that may go on in the next run."""

    frame: int
    settled: int
    last: Visit | None
    going_on: Run | None


class PlaceDiary:
    """A book of visits, and how it stood at the end of each run of frames."""

    def __init__(self) -> None:
        self.book = VisitBook()
        self._ends = [End(-1, 0, None, None)]

    @property
    def last_frame(self) -> int:
        return self._ends[-1].frame

    def before(self, frame: int) -> End:
        """How things stood at the last end by a frame."""
        return self._ends[bisect_right(self._ends, frame, key=lambda end: end.frame) - 1]

    def add(self, runs: Sequence[Run], last_frame: int) -> None:
        """The places of the frames after the last end, up to another."""
        earlier = self._ends[-1].going_on
        whole = [*runs] if earlier is None else [earlier, *runs]
        visits = list(joined(whole))
        going_on = None
        if visits and whole[-1][0]:
            latest = visits.pop()
            going_on = latest.tag, latest.start, latest.end
        for visit in visits:
            self.book.add(visit)
        kept = self.book.kept
        self._ends.append(End(last_frame, max(0, len(kept) - 1), kept[-1] if kept else None, going_on))
