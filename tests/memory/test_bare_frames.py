"""Frames without observations, before anything is known, are noted without a compiler: to the same end."""

import pytest

from situ.geometry.pose import camera_pose
from situ.memory.memory import SpatialMemory
from situ.memory.tracker.tracker import Tracker
from situ.perception.observation import Observation, ObservedFrame

TIMES = [0.0, 0.5, 1.0, 1.5, 2.0, 90.0, 90.5, 91.0]  # a pause after which poses may begin anew
XS = [0.0, 0.2, 0.5, 0.9, 30.0, 30.1, 30.3, 30.4]  # and a leap that no wearer makes


def _watched() -> SpatialMemory:
    memory = SpatialMemory.create(":memory:")
    for time, x in zip(TIMES, XS, strict=True):
        memory.observe(
            ObservedFrame(time, camera_pose((x, 0.0, 1.6), 7.0 * x), (), place="hall", thumbnail=b"x")
        )
    for time in (92.0, 92.5, 93.0):
        lift = Observation("lift", (33.0, 1.0, 1.0))
        memory.observe(ObservedFrame(time, camera_pose((30.4, 0.0, 1.6), 0.0), (lift,)))
    return memory


def test_bare_frames_end_where_the_compiled_steps_do(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = _watched()
    monkeypatch.setattr(Tracker, "is_bare", lambda *_: False)
    full = _watched()
    one, other = quick.working, full.working
    assert one.drift.to_bytes() == other.drift.to_bytes()
    assert one.drift.state.tobytes() == other.drift.state.tobytes()
    assert one.window.state.tobytes() == other.window.state.tobytes()
    assert one.window.seen.tobytes() == other.window.seen.tobytes()
    assert one.places.table.tobytes() == other.places.table.tobytes()
    assert one.rates.tobytes() == other.rates.tobytes()
    assert one.rows.tobytes() == other.rows.tobytes()
    assert one.journal.frames.run().frames.tobytes() == other.journal.frames.run().frames.tobytes()
    assert one.journal.thumbnails == other.journal.thumbnails
