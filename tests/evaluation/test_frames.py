from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.small_set import SIZE, write_recording
from situ.benchmarks.dataset import QuestionRow
from situ.errors import BadInput
from situ.evaluation.records.frames import FramePolicy, PictureStore, contact_sheets, jpegs
from situ.recording import Recording


def row_at(time: float | None, frames: tuple[int, ...] = ()) -> QuestionRow:
    return QuestionRow("q", "i", "t", "?", (), "0", {"frames": frames}, 1.0, (), time)


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    folder = tmp_path_factory.mktemp("frames") / "000000"
    write_recording(folder, 1, frames=10)  # one frame per second, 0 to 9 s
    return Recording.open(folder)


@pytest.mark.parametrize(
    ("policy", "time", "shown"),
    [
        ("all", None, tuple(range(10))),
        ("all", 3.0, (0, 1, 2, 3)),
        ("first", None, (0,)),
        ("last", 4.5, (4,)),
        ("middle", None, (5,)),
        ("ends", None, (0, 9)),
        ("ends", 0.0, (0,)),
        ("recent:3", None, (7, 8, 9)),
        ("recent:3", 1.0, (0, 1)),
        ("uniform:4", None, (0, 3, 6, 9)),
        ("uniform:1", None, (5,)),
        ("uniform:99", 2.0, (0, 1, 2)),
        ("fps:0.5", None, (0, 2, 4, 6, 8)),
        ("fps:2", 2.0, (0, 1, 2)),
        ("fps:0.5,recent:2", None, (6, 8)),
        ("twice", 1.0, (0, 1, 0, 1)),
        ("all", -1.0, ()),
    ],
)
def test_policies_pick_these_frames(
    recording: Recording, policy: str, time: float | None, shown: tuple[int, ...]
) -> None:
    assert FramePolicy.parse(policy).pick(recording, row_at(time)) == shown


@given(
    st.sampled_from(
        ["all", "fps:0.7", "uniform:5", "recent:4", "shuffled", "twice", "last", "ends", "fps:1,recent:2"]
    ),
    st.floats(-1, 12),
)
def test_no_policy_shows_what_comes_after_the_question(
    recording: Recording, policy: str, time: float
) -> None:
    shown = FramePolicy.parse(policy).pick(recording, row_at(time))
    assert all(recording.frames[i].time <= time + 1e-5 for i in shown)


def test_shuffling_keeps_the_frames_and_is_the_same_every_time(recording: Recording) -> None:
    policy = FramePolicy.parse("shuffled")
    shown = policy.pick(recording, row_at(None))
    assert sorted(shown) == list(range(10))
    assert shown != tuple(range(10))
    assert policy.pick(recording, row_at(None)) == shown


@pytest.mark.parametrize("text", ["all", "fps:2", "fps:1,recent:64@512", "uniform:32@224"])
def test_a_policy_prints_as_it_is_written(text: str) -> None:
    assert str(FramePolicy.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["fast", "fps:0", "fps:-1", "uniform:2.5", "all:3", "recent", "all@", "all@x", "fps:nan"]
)
def test_nonsense_is_refused_with_the_known_steps(text: str) -> None:
    if text == "all@":
        assert FramePolicy.parse(text).size is None
        return
    with pytest.raises(BadInput, match="frame policy"):
        FramePolicy.parse(text)


def test_stored_bytes_travel_unchanged_unless_made_smaller(recording: Recording) -> None:
    assert jpegs(recording, (0, 3)) == [recording.jpeg(0), recording.jpeg(3)]
    small = cv2.imdecode(np.frombuffer(jpegs(recording, (0,), 24)[0], np.uint8), cv2.IMREAD_COLOR)
    assert small.shape[:2] == (16, 24)
    assert jpegs(recording, (0,), 4000) == [recording.jpeg(0)]


def test_the_hash_depends_on_frames_and_their_order(tmp_path: Path, recording: Recording) -> None:
    store = PictureStore(lambda item: recording)
    forward, backward = store.pictures("x", (0, 1)), store.pictures("x", (1, 0))
    assert forward.hash != backward.hash
    assert forward.hash == store.pictures("x", (0, 1)).hash
    assert store.pictures("x", ()).hash == ""


def test_sheets_hold_sixteen_frames_each(recording: Recording) -> None:
    sheets = contact_sheets([*recording.images(), *recording.images()], 16, SIZE[0])
    shapes = [cv2.imdecode(np.frombuffer(s, np.uint8), cv2.IMREAD_COLOR).shape[:2] for s in sheets]
    assert shapes == [(4 * SIZE[1], 4 * SIZE[0]), (SIZE[1], 4 * SIZE[0])]


def test_questions_may_name_their_frames_but_not_later_ones(recording: Recording) -> None:
    policy = FramePolicy.parse("given")
    assert policy.pick(recording, row_at(None, (7, 2))) == (7, 2)
    assert policy.pick(recording, row_at(3.0, (7, 2))) == (2,)
    assert policy.pick(recording, row_at(1.0)) == (0, 1)


def test_a_frame_is_read_once_whatever_it_is_shown_with(recording: Recording) -> None:
    read: list[int] = []

    class Counting:
        camera, folder = recording.camera, recording.folder

        def jpeg(self, index: int) -> bytes:
            read.append(index)
            return recording.jpeg(index)

    store = PictureStore(lambda item: Counting())  # type: ignore[arg-type,return-value]
    shown = [(0, 1, 2), (2, 1), (1, 2, 3), (0,)]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda indices: store.pictures("x", indices), shown))
    assert sorted(read) == [0, 1, 2, 3]
    assert [picture.jpegs for picture in found] == [tuple(map(recording.jpeg, some)) for some in shown]
