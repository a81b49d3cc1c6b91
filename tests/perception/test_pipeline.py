"""The stream into a memory: rates, back-pressure, faults, interruptions, revisions."""

import functools
import threading
import time

import numpy as np
import pytest

from perception.tabletop import CAMERA, RED, view
from situ.errors import BadInput
from situ.memory import SpatialMemory
from situ.memory.sink import MemorySink
from situ.perception.checkpoint import FileCheckpoints
from situ.perception.clicks import Clicks
from situ.perception.models.runtime import running
from situ.perception.pipeline import QUEUE_FRAMES, Stages, Watch
from situ.perception.posing import GivenPoses, OdometryPoses
from situ.perception.sources import Source
from situ.perception.stages import InputFrame, Posed
from situ.perception.things import Things
from situ.recording.formats.hand_labels import Annotation


@functools.cache
def table(i):
    return view((0.3, 0.2 - 0.03 * i, 1.6), 0.0, -25.0, seed=i)


def table_source(count=12, fps=5.0, depth=True, poses=True, fault_at=None, reads=None):
    """The wearer walks past the table."""

    def read(after):
        for i in range(after + 1, count):
            if fault_at is not None and i == fault_at:
                raise BadInput("the cable was pulled out")
            if reads is not None:
                reads.append(i)
            rgb, z, pose = table(i)
            yield InputFrame(i, i / fps, rgb, z if depth else None, pose if poses else None)

    return Source("table", CAMERA, read, depth, poses, (CAMERA.width, CAMERA.height), count)


def test_things_on_a_table_are_remembered_where_they_are() -> None:
    with SpatialMemory.create(":memory:") as memory:
        watch = Watch(table_source(), Stages(GivenPoses(), (Things(),)), MemorySink(memory))
        report = watch.run()
        red = [v for v in memory.state().objects() if v.attributes.get("color") == "red" and v.presence > 0.5]
        assert (report.frames, report.looked, report.lost, report.fault) == (12, 12, 0, "")
        assert len(red) == 1
        assert np.linalg.norm(np.subtract(red[0].box.center, RED.center)) < 0.12
        assert set(watch.timings.stages) == {"decode", "pose", "things", "memory"}
        assert memory.history.facts()["scale_from"] == "poses"
        assert memory.state().metric


def test_the_memory_sees_fewer_frames_than_odometry() -> None:
    class Counting(GivenPoses):
        calls = 0

        def locate(self, frame):
            Counting.calls += 1
            return super().locate(frame)

    with SpatialMemory.create(":memory:") as memory:
        stages = Stages(Counting(), (), must_see=frozenset({3}))
        report = Watch(table_source(20), stages, MemorySink(memory), fps=1.0).run()
        assert Counting.calls == report.frames == 20
        assert report.looked == 5  # at 0, 1, 2 and 3 s, and the frame that somebody named
        assert memory.frames == 5


class Flat:
    """Depth of a wall; a slow stage if an interval is given."""

    metric = True

    def __init__(self, interval_s: float = 0.0) -> None:
        self.asked: list[int] = []
        self.interval_s = interval_s

    def depth(self, frame):
        self.asked.append(frame.index)
        return np.full(frame.rgb.shape[:2], 2.0, np.float32)


def test_depth_is_found_for_frames_that_are_looked_at_and_for_those_that_poses_rest_on() -> None:
    source = table_source(20, depth=False)
    for poses, looks in ((GivenPoses(), 5), (GivenPoses(camera=source.camera), 20)):
        flat = Flat()
        with SpatialMemory.create(":memory:") as memory:
            report = Watch(
                source, Stages(poses, depth=flat), MemorySink(memory), fps=1.0, look_at_end=True
            ).run()
            assert report.looked == memory.frames == 5  # at 0, 1, 2 and 3 s, and the last
        assert len(flat.asked) == len(set(flat.asked)) == looks
        assert flat.asked[-1] == 19


def test_slow_depth_is_found_at_looks_and_intervals_or_as_often_as_poses_need_it() -> None:
    class Lost(GivenPoses):
        needs_depth = True

    source = table_source(20, depth=False)
    for poses, asked in ((GivenPoses, [0, 3, 5, 8, 10, 13, 15, 18]), (Lost, list(range(20)))):
        flat = Flat(0.6)  # frames are 0.2 s apart, looks 1 s
        with SpatialMemory.create(":memory:") as memory:
            Watch(source, Stages(poses(camera=source.camera), depth=flat), MemorySink(memory), fps=1.0).run()
        assert flat.asked == asked


def test_a_slow_stage_holds_the_reader_back() -> None:
    reads: list[int] = []
    behind: list[int] = []

    class Slow(GivenPoses):
        def locate(self, frame):
            time.sleep(0.01)
            behind.append(len(reads) - frame.index)
            return super().locate(frame)

    with SpatialMemory.create(":memory:") as memory:
        Watch(table_source(20, reads=reads), Stages(Slow()), MemorySink(memory)).run()
    assert max(behind) <= QUEUE_FRAMES + 3
    assert not [t for t in threading.enumerate() if t.name == "situ-decode"]


def test_a_fault_keeps_all_that_came_before_and_the_next_run_goes_on(tmp_path) -> None:
    path = tmp_path / "m.situ"
    with SpatialMemory.create(path) as memory:
        broken = table_source(12, fault_at=7)
        report = Watch(
            broken, Stages(GivenPoses()), MemorySink(memory), checkpoints=FileCheckpoints(path)
        ).run()
        assert "cable" in report.fault
    reads: list[int] = []
    with SpatialMemory.open(path) as memory:
        assert memory.frames == 7
        whole = table_source(12, reads=reads)
        report = Watch(
            whole, Stages(GivenPoses()), MemorySink(memory), checkpoints=FileCheckpoints(path)
        ).run()
        assert (memory.frames, report.looked, report.fault) == (12, 5, "")
    assert reads == list(range(7, 12))
    assert not FileCheckpoints(path).file.exists()


class FullMemory:
    """A network that is shown two pictures at once and does not fit in memory from frame 4 on."""

    metric = True

    def prepare(self, shown):
        with running("giant"):
            if shown[0].index >= 4:
                raise RuntimeError("CUDA out of memory. Tried to allocate 80 GiB")

    def depth(self, frame):
        return np.full((CAMERA.height, CAMERA.width), 2.0, np.float32)


def test_a_network_that_runs_out_of_memory_costs_only_what_comes_after() -> None:
    with SpatialMemory.create(":memory:") as memory:
        stages = Stages(GivenPoses(), depth=FullMemory(), batch=2)
        report = Watch(table_source(12, depth=False), stages, MemorySink(memory)).run()
        assert memory.frames == report.looked == 4
        assert "'giant' does not fit in memory" in report.fault
        assert "--device cpu" in report.fault


class Counting(FullMemory):
    """A network with room for everything, which notes how many pictures it is shown at once."""

    def __init__(self) -> None:
        self.shown: list[list[int]] = []

    def prepare(self, shown):
        self.shown.append([frame.index for frame in shown])


def test_first_batches_are_small_and_every_frame_is_shown_once() -> None:
    network = Counting()
    with SpatialMemory.create(":memory:") as memory:
        report = Watch(
            table_source(50, depth=False), Stages(GivenPoses(), depth=network, batch=20), MemorySink(memory)
        ).run()
    assert report.looked == 50
    assert [len(shown) for shown in network.shown] == [8, 16, 20, 6]
    assert [index for shown in network.shown for index in shown] == list(range(50))


def test_a_checkpoint_that_cannot_be_read_costs_time_only(tmp_path) -> None:
    path = tmp_path / "m.situ"
    with SpatialMemory.create(path) as memory:
        Watch(table_source(6), Stages(GivenPoses()), MemorySink(memory)).run()
        FileCheckpoints(path).file.write_bytes(b"not a checkpoint")
        watch = Watch(
            table_source(9), Stages(GivenPoses()), MemorySink(memory), checkpoints=FileCheckpoints(path)
        )
        report = watch.run()
        assert (report.frames, report.looked, memory.frames) == (9, 3, 9)


def test_named_things_survive_an_interruption(tmp_path) -> None:
    path = tmp_path / "m.situ"
    _, _, pose = view((0.3, 0.2 - 0.03 * 2, 1.6), 0.0, -25.0)
    x, y = CAMERA.project_world(pose, [1.8, 0.35, 0.84])
    clicks = [Annotation("kettle", 2, float(x), float(y))]

    def stages():
        named = Clicks(clicks, (CAMERA.width, CAMERA.height), CAMERA, [])
        return Stages(GivenPoses(), (named, Things(named.covers)), must_see=named.frames)

    with SpatialMemory.create(path) as memory:
        Watch(
            table_source(12, fault_at=6), stages(), MemorySink(memory), checkpoints=FileCheckpoints(path)
        ).run()
    with SpatialMemory.open(path) as memory:
        Watch(table_source(12), stages(), MemorySink(memory), checkpoints=FileCheckpoints(path)).run()
        kettle = [v for v in memory.state().objects() if v.category == "kettle"]
        assert len(kettle) == 1
        assert len(list(memory.state().sightings(kettle[0].id))) >= 10
        assert np.linalg.norm(np.subtract(kettle[0].box.center, RED.center)) < 0.12


def test_lost_frames_are_noted_and_not_remembered() -> None:
    class Blind(GivenPoses):
        def locate(self, frame):
            return Posed(np.eye(4), "black frame") if 3 <= frame.index < 6 else super().locate(frame)

    with SpatialMemory.create(":memory:") as memory:
        report = Watch(table_source(), Stages(Blind()), MemorySink(memory)).run()
    assert (report.lost, report.looked) == (3, 9)
    assert any("black frame" in note for note in report.notes)


def test_better_poses_move_what_was_seen() -> None:
    shift = np.eye(4)
    shift[0, 3] = 0.4

    class Late(GivenPoses):
        def revised(self, told):
            return {} if len(told) < 8 or self.done else self._once(told)

        done = False

        def _once(self, told):
            self.done = True
            return {index: shift @ pose for index, pose in told.items()}

    with SpatialMemory.create(":memory:") as memory:
        stages = Stages(Late(), (Things(),))
        report = Watch(table_source(8), stages, MemorySink(memory)).run()
        assert report.revised == 8
        red = next(v for v in memory.state().objects() if v.attributes.get("color") == "red")
        assert red.box.center[0] == pytest.approx(RED.center[0] + 0.4, abs=0.12)
        assert memory.state().pose[0, 3] == pytest.approx(0.7, abs=1e-6)


def test_pictures_alone_give_a_path_whose_scale_is_not_known(l_walk, camera) -> None:
    clip, truth = l_walk
    frames = [InputFrame(i, t, rgb) for i, (t, rgb, _) in enumerate(clip[:35])]
    source = Source("walk", camera, lambda after: iter(frames[after + 1 :]), False, False, (320, 240))
    with SpatialMemory.create(":memory:") as memory:
        Watch(source, Stages(OdometryPoses(camera)), MemorySink(memory), fps=2.0).run()
        assert not memory.state().metric
        assert memory.history.facts()["gravity_from"] == "floor"
        walked = memory.state().path.length
        assert walked == pytest.approx(truth.until(clip[34][0]).length, rel=0.3)  # its eyes are at 1.6 m


def test_who_asks_at_the_end_asks_from_there() -> None:
    """Of a source that ends the last frame is looked at, whatever the rate, and once only."""
    with SpatialMemory.create(":memory:") as memory:
        for _ in range(2):
            stages = Stages(GivenPoses())
            Watch(table_source(20), stages, MemorySink(memory), fps=1.0, look_at_end=True).run()
            last = table_source(20).start_time + list(table_source(20).read(-1))[-1].time
            assert memory.now == last
            assert memory.frames == 5
