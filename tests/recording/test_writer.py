from dataclasses import replace

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recording.samples import CAMERA, CHAIR, LAMP, SCENE, depth_image, frame, id_image, picture, write
from situ.errors import BadInput
from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.recording import Event, FrameRecord, ObjectRecord, Recording, RecordingWriter, Visible
from situ.recording.frame_table import ROW_GROUP_BYTES, ROW_GROUP_FRAMES

WHOLE = CAMERA.width * CAMERA.height
BAD_FRAMES = {
    "next one is 1": replace(frame(1), index=2),
    "times must be finite and increase": replace(frame(1), time=5.0),
    "got nan": replace(frame(1), time=float("nan")),
    "finite 4x4": replace(frame(1), T_world_camera=np.full((4, 4), np.nan)),
    "got \\[\\[1.0": replace(frame(1), T_world_camera=np.eye(3)),
    "action must be text": replace(frame(1), action=None),
    "not valid Unicode": replace(frame(1), action="\ud800"),
    "listed once": replace(frame(1), visible=(Visible(1, 0, 0.0), Visible(1, 0, 0.0))),
    "share must be": replace(frame(1), visible=(Visible(1, 10, 0.5),)),
    "has -1 pixels": replace(frame(1), visible=(Visible(1, -1, -1 / WHOLE),)),
}
BAD_PICTURES = {
    "needs rgb for every frame": {},
    r"rgb must be uint8 \(48, 64, 3\)": {"rgb": picture(0)[:-1]},
    "got float64": {"rgb": picture(0) / 255},
    "got list": {"rgb": picture(0).tolist()},
    "depth must be float32": {"rgb": picture(0), "depth": depth_image(0).astype(np.float64)},
    "ids must be uint16": {"rgb": picture(0), "ids": id_image(0).astype(np.int64)},
}


@pytest.mark.parametrize("rule", BAD_FRAMES)
def test_frame_that_breaks_a_rule_is_named_and_not_kept(tmp_path, rule):
    with RecordingWriter(tmp_path / "walk", CAMERA) as writer:
        writer.add_object(CHAIR)
        writer.add_frame(frame(0), picture(0))
        with pytest.raises(BadInput, match=rule):
            writer.add_frame(BAD_FRAMES[rule], picture(1))
        writer.add_frame(frame(1), picture(1))
    recording = Recording.open(tmp_path / "walk")
    recording.verify()
    assert len(recording) == 2


@pytest.mark.parametrize("rule", BAD_PICTURES)
def test_pictures_must_fit_the_camera(tmp_path, rule):
    with RecordingWriter(tmp_path / "walk", CAMERA, store_depth=True) as writer:
        with pytest.raises(BadInput, match=rule):
            writer.add_frame(frame(0), **BAD_PICTURES[rule])
        writer.add_frame(frame(0), picture(0))


@pytest.mark.parametrize(
    ("rule", "thing"),
    [
        ("greater than 0", replace(CHAIR, id=0)),
        ("added before", LAMP),
        ("category must be text", replace(CHAIR, category=3)),
        ("box must be finite", replace(CHAIR, box=Box((np.inf, 0.0, 0.0), (1.0, 1.0, 1.0)))),
        ("attribute 'size' must be text, got 3", replace(CHAIR, attributes={"size": 3})),
    ],
)
def test_objects_are_checked(tmp_path, rule, thing):
    with RecordingWriter(tmp_path / "walk", CAMERA) as writer:
        writer.add_object(LAMP)
        with pytest.raises(BadInput, match=rule):
            writer.add_object(thing)
        writer.add_frame(frame(0), picture(0))
    assert set(Recording.open(tmp_path / "walk").objects) == {LAMP.id}


@pytest.mark.parametrize(
    ("rule", "event"),
    [
        ("time must be finite", Event(float("inf"), "x")),
        ("kind must be text", Event(0.0, None)),
        ("must be plain JSON", Event(0.0, "x", None, {"at": np.zeros(3)})),
        ("must be plain JSON", Event(0.0, "x", None, {"at": float("nan")})),
    ],
)
def test_events_are_checked(tmp_path, rule, event):
    with RecordingWriter(tmp_path / "walk", CAMERA) as writer:
        writer.add_frame(frame(0), picture(0))
        with pytest.raises(BadInput, match=rule):
            writer.add_event(event)
    assert Recording.open(tmp_path / "walk").events == ()


def commit(folder, frames=(), events=(), **options):
    with RecordingWriter(folder, CAMERA, **options) as writer:
        for record in frames:
            writer.add_frame(record, picture(record.index))
        for event in events:
            writer.add_event(event)


def test_what_frames_and_events_name_must_exist(tmp_path):
    with pytest.raises(BadInput, match=r"frames name objects \[1, 7\]"):
        commit(tmp_path / "a", [frame(0, id_image(0))])
    with pytest.raises(BadInput, match=r"events name objects \[3\]"):
        commit(tmp_path / "b", [frame(0)], [Event(0.0, "gone", 3)])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("images", ["jpeg", "video", "none"])
def test_a_recording_needs_a_frame(tmp_path, images):
    with pytest.raises(BadInput, match="at least one frame"):
        commit(tmp_path / "walk", images=images)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("rule", "options"),
    [
        ("images must be", {"images": "png"}),
        ("fps must be", {"fps": 0.0}),
        ("meta must be", {"meta": {"x": {1, 2}}}),
    ],
)
def test_options_are_checked_before_anything_is_written(tmp_path, rule, options):
    with pytest.raises(BadInput, match=rule):
        RecordingWriter(tmp_path / "walk", CAMERA, **options)
    assert list(tmp_path.iterdir()) == []


def test_outside_the_with_block(tmp_path):
    writer = RecordingWriter(tmp_path / "walk", CAMERA)
    with pytest.raises(BadInput, match="not open"):
        writer.add_frame(frame(0), picture(0))
    with writer:
        writer.add_frame(frame(0), picture(0))
    with pytest.raises(BadInput, match="not open"):
        writer.add_object(CHAIR)


def test_memory_is_bounded_by_a_row_group(tmp_path):
    noise = np.random.default_rng(0).integers(0, 256, (480, 640, 3), np.uint8)
    camera = replace(CAMERA, width=640, height=480)
    with RecordingWriter(tmp_path / "walk", camera) as writer:
        table = writer._files().table
        for index in range(30):
            writer.add_frame(frame(index), noise)
            assert table._bytes == sum(len(row["image"]["bytes"]) for row in table._rows) < ROW_GROUP_BYTES
        on_disk = (writer._files().staged.work / "frames.parquet").stat().st_size
    assert on_disk > 10 * ROW_GROUP_BYTES / 4
    with RecordingWriter(tmp_path / "small", CAMERA, images="none") as writer:
        table = writer._files().table
        for index in range(3 * ROW_GROUP_FRAMES + 5):
            writer.add_frame(frame(index))
            assert len(table._rows) < ROW_GROUP_FRAMES
    assert len(Recording.open(tmp_path / "small").frames) == 3 * ROW_GROUP_FRAMES + 5


@pytest.mark.parametrize("images", ["jpeg", "video", "none"])
def test_same_content_same_bytes(tmp_path, images):
    a, b = (write(tmp_path / name, images=images) for name in "ab")
    assert sorted(p.name for p in a.iterdir()) == sorted(p.name for p in b.iterdir())
    assert all(file.read_bytes() == (b / file.name).read_bytes() for file in a.iterdir())


def test_later_changes_by_the_caller_do_not_count(tmp_path):
    meta, data, pose = {"seed": [1]}, {"to": [1]}, np.eye(4)
    with RecordingWriter(tmp_path / "walk", CAMERA, images="none", meta=meta) as writer:
        writer.add_frame(FrameRecord(0, 0.0, pose))
        writer.add_event(Event(0.0, "moved", None, data))
        meta["seed"].append(2)
        data["to"].append(2)
        pose[:] = 7.0
    recording = Recording.open(tmp_path / "walk")
    assert recording.meta == {"seed": [1]}
    assert recording.events[0].data == {"to": [1]}
    assert np.array_equal(recording.frames[0].T_world_camera, np.eye(4))


def test_equal_cameras_give_equal_hashes(tmp_path):
    whole = Camera(64, 48, 32, 32, 32, 24)
    numpys = Camera(np.int64(64), np.int32(48), np.float64(32), 32.0, np.float32(32), 24.0)
    hashes = {
        Recording.open(write(tmp_path / name, camera=camera, fps=fps)).content_hash()
        for name, camera, fps in (("a", whole, 10), ("b", numpys, 10.0))
    }
    assert len(hashes) == 1


def test_scene_that_cannot_be_stored_is_refused_first(tmp_path):
    with pytest.raises(BadInput, match="scene must be plain JSON"):
        RecordingWriter(tmp_path / "walk", CAMERA, scene=replace(SCENE, ambient=np.float32(0.5)))


def test_row_groups_are_small_enough_to_show(tmp_path):
    metadata = pq.read_metadata(write(tmp_path / "walk", 150) / "frames.parquet")
    sizes = [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]
    assert sizes == [64, 64, 22]


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBER = st.floats(-1e9, 1e9)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
BOXES = st.builds(Box, st.tuples(NUMBER, NUMBER, NUMBER), st.tuples(NUMBER, NUMBER, NUMBER), NUMBER)
THINGS = st.builds(ObjectRecord, st.integers(1, 2**40), TEXT, BOXES, st.dictionaries(TEXT, TEXT, max_size=4))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_everything_comes_back(tmp_path_factory, data):
    things = data.draw(st.lists(THINGS, min_size=1, max_size=4, unique_by=lambda thing: thing.id))
    ids = [thing.id for thing in things]
    times = sorted(data.draw(st.sets(NUMBER, min_size=1, max_size=4)))
    frames = [
        FrameRecord(
            index,
            time,
            np.array(data.draw(st.lists(NUMBER, min_size=16, max_size=16))).reshape(4, 4),
            data.draw(TEXT),
            tuple(
                Visible(i, i % 50, i % 50 / WHOLE)
                for i in data.draw(st.lists(st.sampled_from(ids), unique=True))
            ),
        )
        for index, time in enumerate(times)
    ]
    events = data.draw(
        st.lists(
            st.builds(
                Event, NUMBER, TEXT, st.none() | st.sampled_from(ids), st.dictionaries(TEXT, JSON, max_size=3)
            ),
            max_size=4,
        )
    )
    meta = data.draw(st.dictionaries(TEXT, JSON, max_size=3))
    folder = tmp_path_factory.mktemp("any") / "walk"
    with RecordingWriter(folder, CAMERA, images="none", meta=meta) as writer:
        for thing in things:
            writer.add_object(thing)
        for record in frames:
            writer.add_frame(record)
        for event in events:
            writer.add_event(event)
    recording = Recording.open(folder)
    recording.verify()
    assert list(recording.objects.values()) == sorted(things, key=lambda thing: thing.id)
    assert list(recording.events) == sorted(events, key=lambda event: event.time)
    assert dict(recording.meta) == meta
    for mine, theirs in zip(frames, recording.frames, strict=True):
        assert np.array_equal(mine.T_world_camera, theirs.T_world_camera)
        assert (mine.index, mine.time, mine.action, mine.visible) == (
            theirs.index,
            theirs.time,
            theirs.action,
            theirs.visible,
        )
