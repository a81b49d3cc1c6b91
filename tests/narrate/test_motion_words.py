"""What the camera does, in words."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from real_data import real_data
from situ.errors import BadInput
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.narrate.dominant import motions_of
from situ.narrate.exercises import SHAKES, Shake, draw_exercise, exercise, recognition
from situ.narrate.motion_words import describe, describe_segments, sentence
from situ.narrate.motions import CLASSES, KINDS, Motion, signals_of
from situ.recording import Recording
from situ.recording.formats.research.tum import import_tum

MIRRORED = {
    "left": "right",
    "right": "left",
    "clockwise": "counter-clockwise",
    "counter-clockwise": "clockwise",
}


def names(path: Path) -> list[str]:
    return [motion.name for motion in motions_of(signals_of(path))]


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_alone_is_told_as_itself(kind: str) -> None:
    drawn = exercise((kind,), SHAKES[0], np.random.default_rng(3))
    assert tuple(names(drawn.path)) == drawn.classes


def test_order_is_kept() -> None:
    drawn = exercise(("pan", "dolly", "tilt"), SHAKES[0], np.random.default_rng(5))
    assert tuple(names(drawn.path)) == drawn.classes


@pytest.mark.parametrize(("shake", "least"), list(zip(SHAKES, (0.95, 0.95, 0.93, 0.85, 0.80), strict=True)))
def test_all_classes_are_recognised_on_fresh_motions(shake: Shake, least: float) -> None:
    scores = recognition(shake, np.random.default_rng([77, *shake.name.encode()]), 70)
    assert np.mean(list(scores.values())) >= least


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000))
def test_a_mirrored_motion_swaps_left_and_right(seed: int) -> None:
    path = draw_exercise(SHAKES[0], np.random.default_rng(seed)).path
    mirror = np.diag([1.0, -1.0, 1.0, 1.0])
    flip_x = np.diag([-1.0, 1.0, 1.0, 1.0])
    mirrored = Path(path.times, mirror @ path.poses @ flip_x)
    swapped = [" ".join(MIRRORED.get(word, word) for word in name.split()) for name in names(path)]
    assert names(mirrored) == swapped


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000), st.floats(-180, 180), st.floats(-50, 50))
def test_where_the_world_starts_does_not_matter(seed: int, yaw: float, shift: float) -> None:
    path = draw_exercise(SHAKES[0], np.random.default_rng(seed)).path
    c, s = np.cos(np.radians(yaw)), np.sin(np.radians(yaw))
    moved = np.array([[c, -s, 0, shift], [s, c, 0, -shift], [0, 0, 1, shift], [0, 0, 0, 1.0]])
    assert names(Path(path.times, moved @ path.poses)) == names(path)


def test_wandering_and_small_pans_go_unsaid() -> None:
    times = np.arange(60) / 10
    poses = [camera_pose((0, 0, 1.6), 3 * np.sin(t), 2 * np.cos(t)) for t in times]
    assert names(Path(times, np.stack(poses))) == ["static"]


def test_a_glance_while_walking_is_no_bend() -> None:
    times = np.arange(80) / 10
    glance = 40 * np.exp(-(((times - 4) / 0.9) ** 2))
    poses = [camera_pose((1.2 * t, 0, 1.6), float(g)) for t, g in zip(times, glance, strict=True)]
    assert set(names(Path(times, np.stack(poses)))) == {"dolly forward", "pan left", "pan right"}


def test_sentences() -> None:
    motions = [Motion("pan", 92.0, 0.0, 3.0), Motion("dolly", -2.34, 3.1, 9.0)]
    said = sentence(motions, "slightly unsteady")
    assert said == (
        "The camera pans right by about 90 degrees, then slowly dollies backward about 2.3 metres, "
        "slightly unsteady."
    )
    beside = sentence([Motion("pan", 30.0, 0.0, 2.0), Motion("tilt", -20.0, 0.1, 2.0)], numbers=False)
    assert beside == "The camera pans right while it slowly tilts down."


def test_gaps_give_separate_descriptions() -> None:
    path = exercise(("pan",), SHAKES[0], np.random.default_rng(1)).path
    later = Path(np.concatenate([path.times, path.times + 100]), np.concatenate([path.poses, path.poses]))
    first, second = describe(later)
    assert first.end < second.start
    assert first.classes == second.classes
    lonely = Path(np.array([0.0, 50.0, 100.0, 200.0]), np.stack([np.eye(4)] * 4))
    assert len(describe(lonely)) == 1  # an even clock, however slow, has no gaps
    with pytest.raises(BadInput, match="longer than 0 seconds"):
        describe_segments(path, 0.0)


def test_classes_are_balanced_in_number() -> None:
    assert len(CLASSES) == 17


def test_a_real_camera_that_pans_left_and_back(tmp_path: object) -> None:
    import_tum(real_data("tum_fr1_rpy_mini"), out := tmp_path / "tum")  # type: ignore[operator]
    told = describe_segments(Recording.open(out).path, 1.0)
    assert told[0].classes == ("pan left",)
    assert told[2].classes == ("pan right",)
