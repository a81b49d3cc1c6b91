"""Whether the wearer was here before: the memory's short way says what all frames together say."""

import numpy as np
import pytest

from desk import frame
from situ.geometry.path import Path
from situ.memory import MemoryOptions, SpatialMemory

NEAR_M, AWAY_M = 1.5, 3.0


@pytest.fixture(scope="module", params=[0, 1])
def walked(request: pytest.FixtureRequest) -> SpatialMemory:
    """A wearer who strolls about for some minutes, stored in many runs of frames."""
    rng = np.random.default_rng(request.param)
    memory = SpatialMemory.create(":memory:", MemoryOptions(chunk_frames=16))
    place, yaw = np.zeros(2), 0.0
    for second in range(240):
        yaw += float(rng.normal(0.0, 25.0))
        place = place + 0.9 * np.array([np.cos(np.radians(yaw)), np.sin(np.radians(yaw))])
        memory.observe(frame(float(second), {}, at=(float(place[0]), float(place[1]), 1.5), yaw=yaw))
    memory.commit()
    return memory


def test_the_short_way_finds_what_all_frames_say(walked: SpatialMemory) -> None:
    answers = set()
    for last in range(5, 240, 3):
        path = walked.state(at=float(last)).path
        whole = Path(path.times, path.poses)
        short, long = path.came_by(NEAR_M, AWAY_M), whole.came_by(NEAR_M, AWAY_M)
        assert (short is None) == (long is None)
        if short is None or long is None:
            answers.add("never left")
            continue
        gaps = np.hypot(*(whole.positions[:, :2] - whole.positions[-1, :2]).T)
        assert (short.gap_m <= NEAR_M) == (long.gap_m <= NEAR_M)
        if short.gap_m <= NEAR_M:
            answers.add("been here")
            assert short.gap_m == pytest.approx(float(gaps[short.frame]))
            # No visit came after it: only frames of the same one do.
            assert (gaps[min(short.frame, long.frame) : max(short.frame, long.frame)] <= NEAR_M).all()
        else:
            answers.add("not been here")
            assert short.gap_m <= long.gap_m + 1e-9
    assert answers >= {"been here", "not been here"}
