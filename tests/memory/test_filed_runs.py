"""What is filed under several numbers is found by the runs that hold it as by going through all rows."""

import math
from array import array
from dataclasses import replace

import numpy as np
from benchmarks.house import Plan, Stream

from situ.memory import MemoryState, SpatialMemory
from situ.memory.file.packing import unpack_sightings
from situ.memory.reading.filed_runs import FiledRuns
from situ.perception import Noise, noisy
from situ.state.protocol import Sighting

RUN = 10  # frames
SMALL = Plan(rooms=2, objects=40, moved=8, carried=5, removed=4, added=3, seconds=300, calm=30)
USUAL = Noise(miss=0.1, false_positive=0.05, depth_m=0.05, drift=0.01)


def test_no_run_that_holds_something_is_left_out_and_none_comes_twice() -> None:
    rng = np.random.default_rng(4)
    for _ in range(300):
        numbers = int(rng.integers(0, 6))
        held = {k: sorted(rng.choice(30, rng.integers(0, 12), replace=False) * RUN) for k in range(numbers)}
        runs = {k: array("q", [int(run) for run in found]) for k, found in held.items()}
        spans = [(int(rng.integers(numbers)), *rng.integers(-5, 320, 2).tolist()) for _ in range(2 * numbers)]
        first_run, last = int(rng.integers(0, 30)) * RUN, int(rng.integers(-1, 320))
        filed = FiledRuns(spans, runs.__getitem__)
        oldest, newest = (list(filed.between(first_run, last, order)) for order in (False, True))
        assert [run for run, _ in newest] == [run for run, _ in oldest][::-1]
        assert [run for run, _ in oldest] == sorted({run for run, _ in oldest})
        told = {run: sorted(some) for run, some in oldest}
        assert told == {run: sorted(some) for run, some in newest}
        for run in range(first_run, last + 1, RUN):
            inside = [
                span
                for span in spans
                if run in runs[span[0]] and span[1] < run + RUN and run <= span[2] and span[1] <= span[2]
            ]
            assert all(told[run].count(span) == spans.count(span) for span in inside)


def test_sightings_are_those_of_a_plain_scan_also_while_more_is_written() -> None:
    frames = list(noisy(Stream(SMALL, 31).frames(), USUAL, np.random.default_rng(5)))
    with SpatialMemory.create(":memory:") as memory:
        several, old, rng = 0, [], np.random.default_rng(6)
        for k, frame in enumerate(frames):
            memory.observe(replace(frame, place="room"))
            if k % 60 == 59:  # short runs, which are made part of longer ones later on
                memory.commit()
                old.append(memory.state())
                several += sum(_as_scanned(memory, state, rng) for state in old)
        assert several > 50, "the stream should hold things that were taken for two"


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
        assert (seen.last if seen else None) == (found[-1] if found else None)
    return several
