"""Narratives as text: written and read back."""

import re

import numpy as np
import pytest

from situ.errors import BadFormat, BadInput
from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.narrate.camera_words import camera_words, read_motions, read_net
from situ.narrate.exercises import SHAKES, exercise
from situ.narrate.layout import reckon
from situ.narrate.narrative import Narrative, Segment, parse_narrative
from situ.narrate.oracle import frames_at, narrate
from situ.narrate.scene_words import Mention, names_for, read_mentions, scene_words
from situ.recording import ObjectRecord
from situ.state import Sighting, TruthState

MOTION_WORDS = re.compile(
    r"\b(pan|tilt|roll|doll|truck|pedestal|arc|track|turn|mov|camera|walk)", re.IGNORECASE
)


def turning_state(
    objects: dict[str, tuple[float, float]], degrees: float = 90.0, count: int = 16
) -> TruthState:
    """A camera at the origin that pans right while all things stay in view for every frame."""
    times = np.arange(count) / 2.0
    poses = np.stack([camera_pose((0, 0, 1.6), -degrees * i / (count - 1)) for i in range(count)])
    objects = {
        number: ObjectRecord(number, name, Box((x, y, 0.5), (0.6, 0.4, 1.0)), {"color": "red"})
        for number, (name, (x, y)) in enumerate(objects.items(), 1)
    }
    seen = {number: [Sighting(i, float(times[i])) for i in range(count)] for number in objects}
    return TruthState(Path(times, poses), objects, seen)


def test_text_and_back() -> None:
    narrative = Narrative((Segment(1, 1, 16, "A room.", "It pans."), Segment(2, 17, 20, "A hall.")))
    assert parse_narrative(narrative.text) == narrative
    assert "<camera>" not in narrative.scene_only.text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Once upon a time", "no narrative"),
        (
            "Segment 1 (frames 1 to 2):\n<scene>x</scene><mood>dark</mood>",
            "unknown tag <mood>; known are <scene>",
        ),
    ],
)
def test_other_texts_are_refused(text: str, message: str) -> None:
    with pytest.raises(BadFormat, match=message):
        parse_narrative(text)


def test_scene_words_tell_where_things_are_and_never_how_the_camera_moves() -> None:
    state = turning_state({"sofa": (3.0, 0.0), "lamp": (2.0, 2.0)})
    described = scene_words(state, range(16), 1, names_for(state))
    sofa, lamp = read_mentions(described.text)
    assert (sofa.name, sofa.distance_m, sofa.bearing_deg) == ("sofa", 3.0, 0.0)
    assert (lamp.name, lamp.distance_m, lamp.bearing_deg) == ("lamp", 2.8, -45.0)
    assert not MOTION_WORDS.search(described.text)


def test_a_limit_keeps_what_looks_largest() -> None:
    state = turning_state({"far sofa": (9.0, 0.0), "near sofa": (1.5, 0.0)})
    described = scene_words(state, range(16), 1, names_for(state), max_objects=1)
    assert [mention.name for mention in described.mentions] == ["near sofa"]


def test_mentions_survive_their_text() -> None:
    first = Mention(3, "orange kitchen counter", 2.4, -35.0, (1.2, 0.6, 0.9), 80.0, -1.1)
    second = Mention(3, "clock", 0.7, 0.0, (0.2, 0.1, 0.2), 0.0, 0.0)
    text = f"In frame 3: {first.text}; {second.text}. Out of view in the end: clock."
    assert read_mentions(text) == [first, second]


def test_camera_words_can_be_followed() -> None:
    """Dead reckoning from the words ends where the camera ended, however it moved."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        path = exercise(("pan", "dolly", "tracking"), SHAKES[0], rng, fps=2.0).path
        state = TruthState(path, {}, {})
        narrative = narrate(state, range(len(path)), segment=8)
        there = reckon(narrative)
        right, ahead, _ = path.headings[0].local(path.headings[-1].position)
        end = there[len(path)]
        assert np.hypot(end.x - ahead, end.y + right) < 0.15 + 0.05 * path.length
        turned = (path.headings[0].yaw_deg - path.headings[-1].yaw_deg + end.yaw_deg + 180) % 360 - 180
        assert abs(turned) < 3.0 * len(narrative.segments)


def test_motions_and_the_net_change_are_read_back() -> None:
    state = turning_state({})
    words = camera_words(state.path, range(16), 1, None)
    assert sum(motion.amount for motion in read_motions(words)) == pytest.approx(90, abs=10)
    net = read_net(words)
    assert net is not None
    assert net.turned_deg == 90.0


def test_gaps_are_told() -> None:
    state = turning_state({}, count=12)
    times = np.concatenate([state.path.times[:6], state.path.times[6:] + 60])
    words = camera_words(Path(times, state.path.poses), range(12), 1, None)
    assert "gap in its path" in words


def test_a_single_frame_shows_no_motion() -> None:
    state = turning_state({"sofa": (2.0, 0.0)}, count=2)
    narrative = narrate(state, [0])
    assert narrative.segments[0].camera == "One frame shows no camera motion."
    assert reckon(narrative)[1].position == (0.0, 0.0, 0.0)


def test_bad_requests() -> None:
    state = turning_state({})
    with pytest.raises(BadInput, match="at least two frames"):
        narrate(state, range(16), segment=1)
    with pytest.raises(BadInput, match="no frames"):
        narrate(state, [])
    with pytest.raises(BadInput, match="fps must be above 0"):
        frames_at([0.0, 1.0], 0.0)
