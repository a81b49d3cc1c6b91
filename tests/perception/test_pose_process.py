"""Poses in a process of their own: nothing but time may depend on it, and nothing is left of it."""

import gc
import os
import subprocess
import threading
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from multiprocessing import Pipe

import numpy as np
import pytest

from perception.test_pipeline import table_source
from perception.test_running_ahead import Eye, EyeOfNetworks, contents
from situ.errors import BadInput
from situ.memory import SpatialMemory
from situ.memory.sink import MemorySink
from situ.perception import pose_process
from situ.perception.checkpoint import FileCheckpoints
from situ.perception.odometry.serialization import load_state
from situ.perception.pipeline import Stages, Watch
from situ.perception.posing import OdometryPoses

COUNT = 26
started: list[subprocess.Popen] = []


def opened() -> Counter:
    """Memory and pipes that are open, by what they are; other files are not what a process of poses opens."""
    found = Counter()
    for number in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):  # the listing's own
            found[os.readlink(f"/proc/self/fd/{number}")] += 1
    return Counter({what: many for what, many in found.items() if "memfd:" in what or "socket:" in what})


@pytest.fixture(autouse=True)
def every_stream_is_worth_a_process(monkeypatch):
    """And at the end of a test none of them, no thread of theirs and no open file is left."""
    begun = pose_process._started

    def starting(*given):
        started.append(begun(*given))
        return started[-1]

    started.clear()
    monkeypatch.setattr(pose_process, "FEWEST_FRAMES", 0)
    monkeypatch.setattr(pose_process, "_started", starting)
    threads = set(threading.enumerate())  # those of tests before these are not ours to count
    files = opened()
    gc.disable()  # threads end because they are told to, not because somebody comes to tidy up
    yield
    gc.enable()
    assert started
    assert all(process.returncode is not None for process in started)
    begun_here = set(threading.enumerate()) - threads
    for thread in begun_here:  # one that reads ahead ends with the picture that it is at
        thread.join(10.0)
    assert not [thread for thread in begun_here if thread.is_alive()]
    assert not opened() - files


def watched(memory, eye, source=None, **options):
    source = table_source(COUNT, poses=False) if source is None else source
    stages = Stages(OdometryPoses(source.camera), (eye,), batch=4)
    watch = Watch(source, stages, MemorySink(memory), **options)
    return watch, watch.run()


def assert_same(one, other):
    for a, b in zip(one, other, strict=True):
        assert np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b


def state_of(watch):
    """All that odometry knows, to the bit."""
    poses = watch.stages.poses
    steps = poses.odometry.steps
    return [
        np.array([step.T_world_camera for step in steps]), np.array([step.covariance for step in steps]),
        poses.odometry.keyframes.poses, poses.odometry.landmarks.inverse_depth, poses.given, poses.complaint,
        poses.scale_from, poses.gravity_from, poses.visual_map.to_bytes(), watch.locator.due,
        np.array(list(watch.locator.told.values())), list(watch.locator.told), watch.lost,
    ]  # fmt: skip


@pytest.mark.parametrize("options", [{"save_every": 3}, {"fps": 2.0, "look_at_end": True}])
def test_a_process_leaves_the_same_memory_and_the_same_odometry(options):
    with SpatialMemory.create(":memory:") as one, SpatialMemory.create(":memory:") as other:
        plain, said = watched(one, Eye(), **options)
        assert not started
        apart, said_apart = watched(other, EyeOfNetworks(), **options)
        assert len(started) == 1
        assert said_apart == said
        assert_same(contents(one), contents(other))
        assert_same(state_of(plain), state_of(apart))
        assert apart.timings.stages["pose"].calls == COUNT


@pytest.mark.parametrize("error", [BadInput, KeyboardInterrupt])
def test_who_is_interrupted_goes_on_to_the_same_end(tmp_path, error):
    def fails(index):
        if index == 13:
            raise error("the eye is sore")

    with SpatialMemory.create(":memory:") as memory:
        watched(memory, Eye())
        whole = contents(memory)
    path = tmp_path / "m.situ"
    options = {"save_every": 5, "checkpoints": FileCheckpoints(path)}
    with SpatialMemory.create(path) as memory:
        if error is KeyboardInterrupt:
            with pytest.raises(KeyboardInterrupt):
                watched(memory, EyeOfNetworks(fails), **options)
        else:
            assert watched(memory, EyeOfNetworks(fails), **options)[1].fault == "the eye is sore"
    assert load_state(options["checkpoints"].file)["last"] == 9
    with SpatialMemory.open(path) as memory:
        assert not watched(memory, EyeOfNetworks(), **options)[1].fault
        assert_same(contents(memory), whole)


def test_what_goes_wrong_there_is_said_here_after_all_that_went_well():
    source = table_source(COUNT, poses=False)
    read = source.read

    def turned(after):
        for frame in read(after):
            wrong = frame.index == 7
            yield replace(frame, rgb=frame.rgb.transpose(1, 0, 2).copy()) if wrong else frame

    faults = []
    for eye in (Eye(), EyeOfNetworks()):
        with SpatialMemory.create(":memory:") as memory:
            source = table_source(COUNT, poses=False)
            object.__setattr__(source, "read", turned)
            watch, report = watched(memory, eye, source)
            faults.append((report.fault, report.looked, *state_of(watch)))
    assert "turn the frame or the camera" in faults[0][0]
    assert_same(*faults)


@pytest.mark.parametrize("dead_before_the_next_frame", [False, True])
def test_a_process_that_is_killed_costs_what_came_after_the_last_save(tmp_path, dead_before_the_next_frame):
    with SpatialMemory.create(":memory:") as memory:
        watched(memory, Eye())
        whole = contents(memory)
    path = tmp_path / "m.situ"
    source = table_source(COUNT, poses=False)
    enough = threading.Event()
    read = source.read

    def held_back(after):
        """The last frames come when the process is gone."""
        for frame in read(after):
            if frame.index == 16:
                enough.wait(60.0)
            yield frame

    def kills_and_goes_on(index):
        if index == 13:
            started[-1].kill()
            if dead_before_the_next_frame:  # else it dies while that is being sent, or waits to be answered
                started[-1].wait()
            enough.set()

    object.__setattr__(source, "read", held_back)
    options = {"save_every": 5, "checkpoints": FileCheckpoints(path)}
    with SpatialMemory.create(path) as memory:
        _, report = watched(memory, EyeOfNetworks(kills_and_goes_on), source, **options)
        assert "exit code -9" in report.fault
        assert 14 <= report.looked <= 17
    with SpatialMemory.open(path) as memory:
        assert not watched(memory, EyeOfNetworks(), **options)[1].fault
        assert_same(contents(memory), whole)


def test_a_stream_without_frames_ends_well():
    with SpatialMemory.create(":memory:") as memory:
        source = table_source(COUNT, poses=False)
        object.__setattr__(source, "read", lambda after: iter(()))
        assert watched(memory, EyeOfNetworks(), source)[1].frames == 0


def test_a_process_whose_other_side_is_gone_comes_to_its_end():
    """As after somebody was killed who could say no more."""
    here, there = Pipe()
    memory = os.memfd_create("test")
    process = pose_process._started(there.fileno(), memory)
    there.close()
    here.close()
    os.close(memory)
    assert process.wait(60.0) == 0
