"""Boxes without depth: placed where their rays meet, or said to have no place."""

import json

import numpy as np
import pytest

from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose, inverse, transform
from situ.language.answering import ask
from situ.memory import SpatialMemory
from situ.memory.sink import MemorySink
from situ.perception.detection_eye import GivenDetections
from situ.perception.detections import Detections
from situ.perception.observation import Observation, ObservedFrame
from situ.perception.pipeline import Stages, Watch
from situ.perception.posing import GivenPoses
from situ.perception.sources import Source
from situ.perception.stages import InputFrame
from situ.perception.triangulation import Triangulation

CAMERA = Camera.from_fov(640, 480, 75)
THINGS = [
    ("chair", Box((4.0, 1.5, 0.5), (0.5, 0.5, 1.0))),
    ("chair", Box((4.2, -1.2, 0.5), (0.5, 0.5, 1.0))),
    ("bin", Box((3.0, 0.2, 0.2), (0.3, 0.3, 0.4))),
    ("lamp", Box((6.0, 0.8, 1.6), (0.4, 0.4, 0.5))),
]


def boxes_in(pose: np.ndarray, rng: np.random.Generator, noise_px: float = 2.0) -> Detections:
    """The things' outlines in a picture, as a detector would have them."""
    labels, boxes = [], []
    for label, box in THINGS:
        corners = transform(inverse(pose), box.corners())
        if corners[:, 2].min() < 0.2:
            continue
        pixels = CAMERA.project(corners)
        low, high = pixels.min(axis=0), pixels.max(axis=0)
        if low.min() < 0 or (high > (640, 480)).any():
            continue  # cut off by the edge
        labels.append(label)
        boxes.append(np.concatenate([low, high]) + rng.normal(0, noise_px, 4))
    return Detections(tuple(labels), (0.8,) * len(labels), np.array(boxes).reshape(-1, 4))


def walk(count: int = 24, step: float = 0.12, aside: bool = True) -> list[np.ndarray]:
    return [
        camera_pose((0.0 if aside else step * k, step * k * aside - 1.2 * aside, 1.5), 0.0)
        for k in range(count)
    ]


@pytest.mark.parametrize("seed", range(4))
def test_things_are_placed_where_they_are(seed: int) -> None:
    rays, rng = Triangulation(), np.random.default_rng(seed)
    for k, pose in enumerate(walk()):
        rays.look(boxes_in(pose, rng), CAMERA, pose, k, k / 2)
    assert sorted(thing.label for thing in rays.placed) == ["bin", "chair", "chair", "lamp"]
    for thing in rays.placed:
        near = min(
            (np.linalg.norm(thing.point - box.center), box) for label, box in THINGS if label == thing.label
        )
        assert near[0] < 0.3
        off = thing.point - near[1].center
        assert (
            off @ np.linalg.solve(thing.covariance + 0.05**2 * np.eye(3), off) < 16.3
        )  # 3 degrees of freedom
        assert np.allclose(thing.size[1], near[1].size[2], rtol=0.35)
    assert rays.unplaced() == {}


@pytest.mark.parametrize("seed", range(3))
def test_who_stands_still_cannot_tell_how_far_things_are(seed: int) -> None:
    rays, rng = Triangulation(), np.random.default_rng(seed)
    for k in range(20):
        pose = camera_pose((0.0, 0.0, 1.5), 2.0 * k - 20)
        assert rays.look(boxes_in(pose, rng), CAMERA, pose, k, k / 2) == ()
    assert set(rays.unplaced()) == {"chair", "bin", "lamp"}


def test_tracks_need_two_frames_and_never_mix() -> None:
    rays, rng = Triangulation(), np.random.default_rng(0)
    for k, pose in enumerate(walk(6, 0.4)):
        found = boxes_in(pose, rng, 0.5)
        ids = tuple({"bin": 7, "lamp": 8}.get(label, 20 + i) for i, label in enumerate(found.labels))
        rays.look(
            Detections(found.labels, found.scores, found.boxes_xyxy, track_ids=ids), CAMERA, pose, k, k / 2
        )
    bins = [thing for thing in rays.placed if thing.label == "bin"]
    assert len(bins) == 1
    assert np.linalg.norm(bins[0].point - THINGS[2][1].center) < 0.2
    assert bins[0].track_ids == {7}


def test_turning_and_shifting_the_world_turns_and_shifts_the_places() -> None:
    turn = np.eye(4)
    turn[:2, :2], turn[:3, 3] = [[0.0, -1.0], [1.0, 0.0]], (5.0, -3.0, 0.2)
    made = []
    for move in (np.eye(4), turn):
        rays, rng = Triangulation(), np.random.default_rng(5)
        for k, pose in enumerate(walk(12, 0.2)):
            rays.look(boxes_in(pose, rng), CAMERA, move @ pose, k, k / 2)
        made.append(rays.placed)
    assert len(made[0]) == len(made[1]) > 2
    for one, two in zip(*made, strict=True):
        assert np.allclose(transform(turn, one.point), two.point, atol=1e-6)


def watched(poses: list[np.ndarray]) -> SpatialMemory:
    """The stream of a pair of AR glasses: pictures, poses and boxes."""
    rng = np.random.default_rng(2)
    found = {k: boxes_in(pose, rng) for k, pose in enumerate(poses)}
    blank = np.full((480, 640, 3), 90, np.uint8)

    def read(after: int):
        return (InputFrame(k, k / 2, blank, None, poses[k]) for k in range(after + 1, len(poses)))

    source = Source("glasses", CAMERA, read, False, True, (640, 480), len(poses))
    memory = SpatialMemory.create(":memory:")
    eye = GivenDetections(found, (640, 480), (640, 480))
    Watch(source, Stages(GivenPoses(), (eye,)), MemorySink(memory)).run()
    return memory


def test_pictures_poses_and_boxes_are_enough_to_ask() -> None:
    with watched(walk()) as memory:
        told = ask(memory.state(), "where is the bin?")
        assert told.value == "front right"
        assert told.distance_m is not None
        assert told.distance_m[0] < 3.2 < told.distance_m[1] + 0.2
        assert ask(memory.state(), "how many chairs are there?").value == 2
        assert memory.state().unplaced == {}


def test_what_has_no_place_is_not_said_to_be_unseen() -> None:
    still = [camera_pose((0.0, 0.0, 1.5), 0.5 * k) for k in range(10)]
    with watched(still) as memory:
        for asked in ("where is the bin?", "is there a bin?", "how many bins are there?"):
            told = ask(memory.state(), asked)
            assert told.value is None
            assert "I saw a bin" in told.text
            assert "how far away it was I could not tell" in told.text
        assert "have not seen a toaster" in ask(memory.state(), "where is the toaster?").text


def test_eyes_that_name_nothing_do_not_deny_things() -> None:
    memory = SpatialMemory.create(":memory:")
    sink = MemorySink(memory)
    sink.keep({"names": "", "unplaced": json.dumps({})}, None)
    for asked in ("where is the bin?", "is there a bin?"):
        told = ask(memory.state(), asked)
        assert told.value is None
        assert "has a name" in told.text or "not seen anything" in told.text


@pytest.mark.parametrize("label", ["sign on door", "plant in pot", "bag beside the desk"])
def test_names_with_words_of_relation_can_be_asked_for(label: str) -> None:
    head, link, tail = label.replace("the ", "").split()
    with SpatialMemory.create(":memory:") as memory:
        for k in range(4):
            things = (Observation(label, (3.0, 0.1, 1.0)), Observation(tail, (-4.0, 3.0, 0.5)))
            memory.observe(ObservedFrame(float(k), camera_pose((0.0, 0.0, 1.6), 0.0), things))
        for said in (f"{head} {link} {tail}", f"{head} {link} the {tail}"):
            assert ask(memory.state(), f"where is the {said}?").value == "front"
