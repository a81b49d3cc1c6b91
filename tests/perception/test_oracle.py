"""Observations from truth: exact, and with each fault on its own."""

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from benchmarks.house import Plan, Stream

from situ.errors import BadInput
from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose, inverse, transform
from situ.perception import Noise, Oracle, noisy
from situ.perception.oracle import oracle_frames
from situ.recording import FrameRecord, ObjectRecord
from situ.recording.records import Visible

PLAN = Plan(rooms=2, objects=40, moved=0, carried=0, removed=0, added=0, seconds=150)


def truth() -> list[Oracle]:
    return list(Stream(PLAN, 3).frames())


def test_no_noise_is_the_truth() -> None:
    frames = truth()
    for exact, oracle in zip(noisy(frames, Noise(), np.random.default_rng(0)), frames, strict=True):
        assert [(o.label, o.attributes["colour"]) for o in exact.observations] == [
            (s.category, s.attributes["colour"]) for s in oracle.seen
        ]
        assert np.allclose([o.position for o in exact.observations], [s.center for s in oracle.seen])
        assert np.array_equal(exact.T_world_camera, oracle.T_world_camera)
        assert [o.position for o in oracle.exact().observations] == [s.center for s in oracle.seen]


def test_the_size_that_is_told_is_the_extent_in_the_world() -> None:
    objects = {n: ObjectRecord(n, "shelf", Box((3, 0, 1), (2.0, 0.5, 1.0), 45.0 * n)) for n in range(3)}
    frames = [FrameRecord(0, 0.0, camera_pose((0, 0, 1.5), 0.0), "", [Visible(n, 99, 0.1) for n in objects])]
    recording = SimpleNamespace(frames=frames, objects=objects, events=(), has_depth=False, camera=None)
    recording.path = Path(np.zeros(1), np.stack([frames[0].T_world_camera]))
    (frame,) = oracle_frames(recording)  # type: ignore[arg-type]
    assert [seen.size for seen in frame.seen] == [
        pytest.approx(size, rel=1e-4) for size in ((2.0, 0.5, 1.0), (1.7678, 1.7678, 1.0), (0.5, 2.0, 1.0))
    ]


def test_each_fault_has_its_rate() -> None:
    frames = truth()
    total = sum(len(f.seen) for f in frames)
    missed = sum(len(f.observations) for f in noisy(frames, Noise(miss=0.3), np.random.default_rng(1)))
    assert missed / total == pytest.approx(0.7, abs=0.05)
    more = sum(
        len(f.observations) for f in noisy(frames, Noise(false_positive=0.2), np.random.default_rng(2))
    )
    assert more / total == pytest.approx(1.2, abs=0.05)
    named = list(noisy(frames, Noise(confuse=0.25), np.random.default_rng(3)))
    wrong = sum(
        o.label != s.category
        for f, oracle in zip(named, frames, strict=True)
        for o, s in zip(f.observations, oracle.seen, strict=True)
    )
    assert wrong / total == pytest.approx(0.25, abs=0.06)


def test_depth_noise_lies_on_the_line_of_sight() -> None:
    frames = truth()
    errors, across = [], []
    for given, oracle in zip(
        noisy(frames, Noise(depth_m=0.1), np.random.default_rng(4)), frames, strict=True
    ):
        for o, s in zip(given.observations, oracle.seen, strict=True):
            ray = np.subtract(s.center, oracle.T_world_camera[:3, 3])
            ray /= np.linalg.norm(ray)
            off = np.subtract(o.position, s.center)
            errors.append(float(off @ ray))
            across.append(float(np.linalg.norm(off - ray * (off @ ray))))
            assert o.sigma_m == pytest.approx(0.1)
    assert np.std(errors) == pytest.approx(0.1, rel=0.15)
    assert max(across) < 1e-9


def test_drift_moves_the_pose_and_not_what_is_seen_from_it() -> None:
    frames = truth()
    drifted = list(noisy(frames, Noise(drift=0.02, drift_yaw_deg=0.1), np.random.default_rng(5)))
    walked = sum(
        float(np.linalg.norm(b.T_world_camera[:3, 3] - a.T_world_camera[:3, 3])) for a, b in pairwise(frames)
    )
    last, true_last = drifted[-1].T_world_camera, frames[-1].T_world_camera
    assert 0.002 * walked < np.linalg.norm(last[:3, 3] - true_last[:3, 3]) < 0.06 * walked
    for given, oracle in zip(drifted, frames, strict=True):
        for o, s in zip(given.observations, oracle.seen, strict=True):
            seen = transform(inverse(given.T_world_camera), o.position)
            assert np.allclose(seen, transform(inverse(oracle.T_world_camera), s.center))


def test_latency_and_bad_rates() -> None:
    late = next(noisy(truth(), Noise(latency_s=2.0), np.random.default_rng(6)))
    assert late.known_at == late.time + 2.0
    with pytest.raises(BadInput, match="miss"):
        Noise(miss=1.5)


def test_invented_things_lie_on_what_is_seen() -> None:
    frames = [Oracle(f.time, f.T_world_camera, f.seen, f.camera, f.free) for f in truth()]
    for given, oracle in zip(
        noisy(frames, Noise(false_positive=1.0), np.random.default_rng(7)), frames, strict=True
    ):
        assert oracle.camera is not None
        assert oracle.free is not None
        for o in given.observations[len(oracle.seen) :]:
            local = transform(inverse(oracle.T_world_camera), o.position)
            u, v = oracle.camera.project(local)
            assert local[2] <= oracle.free.clear_to(oracle.camera, float(u), float(v)) + 1e-6
