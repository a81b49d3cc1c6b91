"""Poses ahead of looks, in a thread of their own: nothing but time may depend on it."""

import threading
from dataclasses import replace

import numpy as np
import pytest

from perception.test_pipeline import table_source
from situ.errors import BadInput
from situ.memory import SpatialMemory
from situ.memory.sink import MemorySink
from situ.perception.checkpoint import FileCheckpoints
from situ.perception.observation import Observation
from situ.perception.pipeline import Stages, Watch
from situ.perception.posing import GivenPoses, OdometryPoses
from situ.perception.running_ahead import running_ahead

OURS = ("situ-poses", "situ-decode")


class Shifting(OdometryPoses):
    """Odometry that finds at every fourth frame that all before was a little further on."""

    def __init__(self, camera):
        super().__init__(camera)
        self.moved = 0.0

    def locate(self, frame):
        posed = super().locate(frame)
        self.moved = 0.1 * ((frame.index + 1) // 4)
        return replace(posed, T_world_camera=self._shifted(posed.T_world_camera, frame.index))

    def _shifted(self, pose, index):
        moved = np.array(pose)
        moved[0, 3] = 0.05 * index + self.moved
        return moved

    def revised(self, told):
        return {index: self._shifted(pose, index) for index, pose in told.items()}


class Eye:
    """Sees one thing. `work` is done at every look."""

    def __init__(self, work=lambda index: None):
        self._work = work

    def look(self, look):
        self._work(look.frame.index)
        return (Observation("cup", tuple(look.T_world_camera[:3, 3] + [1.0, 0.0, 0.0]), 1.0, 0.03),)


class EyeOfNetworks(Eye):
    def prepare(self, frames):
        pass


def watched(memory, eye, count=26, **options):
    source = table_source(count, poses=False)
    watch = Watch(source, Stages(Shifting(source.camera), (eye,), batch=4), MemorySink(memory), **options)
    return watch, watch.run()


def contents(memory):
    state = memory.state()
    return state.path.poses, [(v.category, v.box.center) for v in state.objects()]


@pytest.mark.parametrize("options", [{}, {"fps": 2.0}, {"save_every": 3}, {"fps": 1.0, "look_at_end": True}])
def test_looks_that_lag_behind_poses_leave_the_same_memory(options):
    with SpatialMemory.create(":memory:") as one, SpatialMemory.create(":memory:") as other:
        plain, said = watched(one, Eye(), **options)
        lagging = EyeOfNetworks(lambda index: threading.Event().wait(0.01 * (index % 3 == 0)))
        ahead, said_ahead = watched(other, lagging, **options)
        assert said_ahead == said
        assert said.revised > 0
        for a, b in zip(contents(one), contents(other), strict=True):
            assert np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b
        assert ahead.locator.told.keys() == plain.locator.told.keys()
    assert not [thread for thread in threading.enumerate() if thread.name in OURS]


def test_poses_are_found_while_a_look_takes_its_time():
    later = threading.Event()

    class Telling(GivenPoses):
        def locate(self, frame):
            if frame.index == 9:
                later.set()
            return super().locate(frame)

    def waits(index):
        assert index or later.wait(30.0), "nobody looked for the pose of a later frame"

    with SpatialMemory.create(":memory:") as memory:
        stages = Stages(Telling(), (EyeOfNetworks(waits),))
        assert Watch(table_source(12), stages, MemorySink(memory)).run().looked == 12


def test_a_look_that_fails_while_poses_are_ahead_is_repeated_by_the_next_run(tmp_path):
    def fails(index):
        if index == 13:
            raise BadInput("the eye is sore")

    with SpatialMemory.create(":memory:") as memory:
        watched(memory, Eye())
        whole = contents(memory)
    path = tmp_path / "m.situ"
    for eye, fault in ((EyeOfNetworks(fails), "the eye is sore"), (EyeOfNetworks(), "")):
        with SpatialMemory.open(path) if path.exists() else SpatialMemory.create(path) as memory:
            _, report = watched(memory, eye, save_every=5, checkpoints=FileCheckpoints(path))
            assert report.fault == fault
            last = contents(memory)
    assert np.array_equal(last[0], whole[0])
    for (name, centre), (name_whole, centre_whole) in zip(last[1], whole[1], strict=True):
        assert name == name_whole
        assert centre == pytest.approx(centre_whole, abs=1e-12)  # sums of looks, in two parts
    assert not [thread for thread in threading.enumerate() if thread.name in OURS]


def test_who_leaves_early_stops_the_maker_and_errors_come_after_all_items():
    made = []

    def items():
        for number in range(10):
            made.append(number)
            yield number
        raise BadInput("no more")

    some = running_ahead(items(), 2, "maker")
    assert next(some) == 0
    some.close()
    assert len(made) <= 4
    assert not [thread for thread in threading.enumerate() if thread.name == "maker"]
    taken: list[int] = []
    with pytest.raises(BadInput, match="no more"):
        taken.extend(running_ahead(items(), 2, "maker"))
    assert taken == list(range(10))


def test_networks_look_at_the_same_frames_at_the_same_time():
    both = threading.Barrier(2, timeout=30.0)

    class Depths:
        def prepare(self, frames):
            both.wait()

        def depth(self, frame):
            return np.full(frame.rgb.shape[:2], 2.0, np.float32)

    class Waiting(EyeOfNetworks):
        def prepare(self, frames):
            both.wait()

    with SpatialMemory.create(":memory:") as memory:
        source = table_source(12)
        stages = Stages(GivenPoses(), (Waiting(),), Depths(), batch=4)
        assert Watch(source, stages, MemorySink(memory)).run().looked == 12
    assert not both.broken
