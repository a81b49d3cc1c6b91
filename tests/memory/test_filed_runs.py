"""What is filed under several numbers is found by the runs that hold it as by going through all rows."""

import math
from array import array
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.house import Plan, Stream

from situ.memory import MemoryState, SpatialMemory
from situ.memory.file.packing import unpack_sightings
from situ.memory.reading import sightings
from situ.memory.reading.filed_runs import FiledRuns, RunStarts
from situ.memory.tables.pending_rows import FOREVER
from situ.perception import Noise, noisy
from situ.state.protocol import Sighting

RUN = 10  # frames
SMALL = Plan(rooms=2, objects=40, moved=8, carried=5, removed=4, added=3, seconds=300, calm=30)
USUAL = Noise(miss=0.1, false_positive=0.05, depth_m=0.05, drift=0.01)


def test_no_run_that_holds_something_is_left_out_and_none_comes_twice() -> None:
    rng = np.random.default_rng(4)
    starts = RunStarts(np.arange(0, 300, RUN), 0.5 * np.arange(0, 300, RUN))  # two frames a second
    for _ in range(300):
        numbers = int(rng.integers(0, 6))
        held = {k: sorted(rng.choice(30, rng.integers(0, 12), replace=False) * RUN) for k in range(numbers)}
        runs = {k: array("q", [int(run) for run in found]) for k, found in held.items()}
        times = rng.choice([-FOREVER, *np.arange(-2.0, 155.0, 0.5), FOREVER], (2 * numbers, 2)).tolist()
        sources = [(int(rng.integers(numbers)), start, stop) for start, stop in times]
        first_run, last = int(rng.integers(0, 30)) * RUN, int(rng.integers(-1, 320))
        filed = FiledRuns(sources, runs.__getitem__, starts)
        oldest, newest = (list(filed.between(first_run, last, order)) for order in (False, True))
        assert [run for run, _ in newest] == [run for run, _ in oldest][::-1]
        assert [run for run, _ in oldest] == sorted({run for run, _ in oldest})
        told = {run: sorted(some) for run, some in oldest}
        assert told == {run: sorted(some) for run, some in newest}
        for run in range(first_run, min(last, 299) + 1, RUN):
            frames = [0.5 * frame for frame in range(run, run + RUN)]
            for source in {*sources}:
                if run in runs[source[0]] and any(source[1] <= time < source[2] for time in frames):
                    assert told[run].count(source) == sources.count(source)


def test_sightings_are_those_of_a_plain_scan_also_while_more_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sightings, "_FIRST_NUMBERS", 1)  # nothing here is taken for another so often
    frames = list(noisy(Stream(SMALL, 31).frames(), USUAL, np.random.default_rng(5)))
    with SpatialMemory.create(":memory:") as memory:
        several, old, rng = 0, [], np.random.default_rng(6)
        for k, frame in enumerate(frames):
            memory.observe(replace(frame, place="room"))
            if k % 60 == 59:  # short runs, which are made part of longer ones later on
                memory.commit()
                old.append(memory.state())
                several += sum(_as_scanned(memory, state, rng) for state in old)
        assert several > 20, "the stream should hold things that were taken for two"


def _as_scanned(memory: SpatialMemory, state: MemoryState, rng: np.random.Generator) -> int:
    """How many of the things have several numbers."""
    memory.flush()
    rows = memory.store.connection.all("SELECT object_id, first_frame, body FROM sighting")
    several = 0
    first_runs = memory.history.first_runs(range(200))
    for number in range(200):
        assert first_runs[number] == min((row[1] for row in rows if row[0] == number), default=math.inf)
    for view in state.objects():
        sources = memory.history.sources(view.id, state.known_at)
        several += len(sources) > 1
        found = []
        for number, first, body in rows:
            for frame, clear in zip(
                *(column.tolist() for column in unpack_sightings(first, body)), strict=True
            ):
                time = state.path.time_of(frame)
                inside = (number == mine and a <= time < b for mine, a, b in sources)
                if frame < len(state.path) and any(inside):
                    found.append(Sighting(frame, time, 1.0 if clear else 0.5))
        found.sort(key=lambda sighting: (sighting.frame, sighting.clarity))
        seen, middle = state.sightings(view.id), float(rng.uniform(0.0, state.now + 1.0))
        assert list(seen.since(middle)) == [one for one in found if one.time >= middle]
        assert list(seen.before(middle)) == [one for one in found if one.time < middle][::-1]
        assert list(seen) == found
        some = sorted({int(frame) for frame in rng.integers(0, len(state.path), 5)})
        first_in = {one.frame: one for one in reversed(found)}  # the first of a frame, if there are several
        assert list(seen.in_frames(some)) == [first_in[frame] for frame in some if frame in first_in]
        assert (seen.last if seen else None) == (found[-1] if found else None)
    return several
