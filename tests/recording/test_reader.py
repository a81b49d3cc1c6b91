import json
import pickle
import shutil
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow.parquet as pq
import pytest

from recording.samples import (
    CAMERA,
    CHAIR,
    LAMP,
    SCENE,
    depth_image,
    frame,
    id_image,
    number_of,
    picture,
    write,
)
from situ.errors import BadFormat, BadInput
from situ.recording import Event, Recording, RecordingWriter, visible_objects
from situ.recording.codec import encode_jpeg
from situ.recording.layout import VERSION, file_sha256, metadata_sha256

COUNT = 150


@pytest.fixture(scope="module", params=["jpeg", "video"])
def recording(request, tmp_path_factory):
    return Recording.open(write(tmp_path_factory.mktemp("read") / "walk", COUNT, images=request.param))


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    return write(tmp_path_factory.mktemp("written") / "walk", COUNT, images="video")


@pytest.fixture
def folder(tmp_path, written):
    return shutil.copytree(written, tmp_path / "walk")


def test_tables_come_back(recording):
    assert recording.camera == CAMERA
    assert recording.scene == SCENE
    assert recording.meta == {"seed": 3}
    assert recording.objects == {CHAIR.id: CHAIR, LAMP.id: LAMP}
    assert recording.events == (Event(5.1, "door opened"), Event(5.2, "moved", 7, {"to": [1.0, 2.0]}))
    assert len(recording) == len(recording.frames) == len(recording.path) == COUNT
    assert (recording.has_images, recording.has_depth, recording.has_ids) == (True, True, True)
    assert np.array_equal(recording.path.poses[9], frame(9).T_world_camera)
    assert recording.frames[9].visible == visible_objects(id_image(9))
    assert recording.frames is recording.frames
    assert recording.path.poses.flags.writeable  # read-only arrays make numba compile its kernels twice


def test_pictures_in_any_order(recording):
    for index in np.random.default_rng(0).permutation(COUNT)[:60].tolist():
        assert number_of(recording.image(index)) == index
        assert np.array_equal(recording.ids(index), id_image(index))
        assert np.abs(recording.depth(index) - depth_image(index)).max() <= 0.501e-3


def test_pictures_in_a_row(recording):
    assert [number_of(image) for image in recording.images()] == list(range(COUNT))
    for wanted in ([3, 4, 5, 2, 149, 149, 70], [], [8], range(140, 60, -30), np.array([5, 6, 90])):
        assert [number_of(image) for image in recording.images(wanted)] == list(wanted)


def test_jpeg_is_what_models_see(recording):
    is_video = (recording.folder / "video.mp4").exists()
    assert recording.jpeg(7) == encode_jpeg(recording.image(7) if is_video else picture(7))


@pytest.mark.parametrize("index", [-1, COUNT, 10**9])
def test_frames_that_are_not_there(recording, index):
    reads = (recording.image, recording.jpeg, recording.depth, recording.ids)
    for read in (*reads, lambda i: list(recording.images([i]))):
        with pytest.raises(BadInput, match=f"no frame {index}; frames go from 0 to {COUNT - 1}"):
            read(index)


def test_pictures_that_were_not_stored(tmp_path):
    with RecordingWriter(tmp_path / "walk", CAMERA, images="none", store_depth=True) as writer:
        writer.add_frame(frame(0), picture(0), depth=depth_image(0))
        writer.add_frame(frame(1))
    recording = Recording.open(tmp_path / "walk")
    recording.verify()
    assert (recording.has_images, recording.has_depth, recording.has_ids) == (False, True, False)
    assert recording.depth(0).shape == (48, 64)
    for read, what in ((recording.depth, "depth"), (recording.ids, "ids"), (recording.image, "image")):
        with pytest.raises(BadInput, match=f"frame 1 was recorded without {what}"):
            read(1)


def test_rate(tmp_path):
    assert Recording.open(write(tmp_path / "given", fps=25.0)).fps == 25.0
    assert Recording.open(write(tmp_path / "mean", 11)).fps == pytest.approx(10.0)
    assert Recording.open(write(tmp_path / "single", 1)).fps is None


def test_many_threads_may_read_one_recording(recording):
    fresh = Recording.open(recording.folder)
    order = np.random.default_rng(3).integers(0, COUNT, 200).tolist()
    with ThreadPoolExecutor(8) as pool:
        numbers = list(pool.map(lambda i: (number_of(fresh.image(i)), int(fresh.depth(i)[0, 0])), order))
        ids = list(pool.map(fresh.ids, order))
    assert numbers == [(i, i + 1) for i in order]
    assert all(np.array_equal(found, id_image(i)) for found, i in zip(ids, order, strict=True))


def test_recording_travels_to_another_process(recording):
    copy = pickle.loads(pickle.dumps(recording))
    assert copy.content_hash() == recording.content_hash()
    assert number_of(copy.image(11)) == 11


def test_content_hash_is_of_the_content(tmp_path):
    base = Recording.open(write(tmp_path / "a")).content_hash()
    assert Recording.open(write(tmp_path / "b")).content_hash() == base
    shutil.copytree(tmp_path / "a", tmp_path / "copied")
    assert Recording.open(tmp_path / "copied").content_hash() == base
    changes = [{"meta": {"seed": 4}}, {"count": 6}, {"fps": 10.0}, {"store_depth": False}, {"scene": None}]
    others = [Recording.open(write(tmp_path / f"o{i}", **change)) for i, change in enumerate(changes)]
    assert len({base, *(other.content_hash() for other in others)}) == len(changes) + 1


def test_content_hash_does_not_depend_on_how_parquet_packs(tmp_path):
    """Another Parquet release may lay out the same rows in other bytes."""
    recording = Recording.open(write(tmp_path / "walk"))
    table = recording.folder / "frames.parquet"
    pq.write_table(pq.read_table(table), table, compression="zstd", row_group_size=2)
    metadata = json.loads((recording.folder / "recording.json").read_text())
    metadata["files"]["frames.parquet"] = {"bytes": table.stat().st_size, "sha256": file_sha256(table)}
    metadata["sha256"] = metadata_sha256(metadata)
    (recording.folder / "recording.json").write_text(json.dumps(metadata, indent=2))
    again = Recording.open(recording.folder)
    again.verify()
    assert again.content_hash() == recording.content_hash()


FILES = ["frames.parquet", "objects.parquet", "events.parquet", "video.mp4", "recording.json"]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("keep", [0.0, 0.5, 0.99])
def test_file_cut_short(folder, name, keep):
    data = (folder / name).read_bytes()
    (folder / name).write_bytes(data[: int(len(data) * keep)])
    with pytest.raises(BadFormat, match=rf"{name}.*cut short"):
        Recording.open(folder)


@pytest.mark.parametrize("name", FILES[:4])
def test_file_cut_short_after_opening(folder, name):
    recording = Recording.open(folder)
    data = (folder / name).read_bytes()
    (folder / name).write_bytes(data[: len(data) // 2])
    with pytest.raises(BadFormat, match=name):
        recording.verify()


@pytest.mark.parametrize("name", FILES[:4])
def test_missing_file(folder, name):
    (folder / name).unlink()
    with pytest.raises(BadFormat, match=f"{name} is missing"):
        Recording.open(folder)


@pytest.mark.parametrize("name", FILES)
def test_verify_finds_flipped_bits_anywhere(folder, name):
    good = (folder / name).read_bytes()
    places = np.random.default_rng(9).integers(0, len(good), 12)
    Recording.open(folder).verify()
    for place in places.tolist():
        bad = bytearray(good)
        bad[place] ^= 1
        (folder / name).write_bytes(bad)
        with pytest.raises(BadFormat, match=name):
            Recording.open(folder).verify()


def test_flipped_bit_in_a_picture_is_noticed_when_read(tmp_path):
    folder = write(tmp_path / "walk", 5)
    data = bytearray((folder / "frames.parquet").read_bytes())
    data[data.index(encode_jpeg(picture(2))) + 400] ^= 1
    (folder / "frames.parquet").write_bytes(data)
    with pytest.raises(BadFormat, match=r"frames\.parquet"):
        Recording.open(folder).image(2)


def change(folder, **values):
    file = folder / "recording.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | values))


@pytest.mark.parametrize(
    ("rule", "values"),
    [
        (
            f"version {VERSION + 1}, and this situ .* reads up to {VERSION}. Install",
            {"version": VERSION + 1},
        ),
        ("must be a whole number", {"version": "one"}),
        ("another kind of folder", {"format": "pictures"}),
        (r"recording\.json: damaged", {"content": {"camera": {}}}),
        (r"recording\.json: damaged", {"content": []}),
    ],
)
def test_metadata_that_breaks_a_rule(folder, rule, values):
    change(folder, **values)
    with pytest.raises(BadFormat, match=rule):
        Recording.open(folder)


def test_metadata_edited_by_hand(folder):
    content = json.loads((folder / "recording.json").read_text())["content"]
    change(folder, content=content | {"meta": {"seed": 99}})
    with pytest.raises(BadFormat, match=r"recording\.json was changed"):
        Recording.open(folder).verify()


@pytest.mark.parametrize("text", ["[]", "3", "{}", "\x00"])
def test_metadata_of_another_shape(folder, text):
    (folder / "recording.json").write_text(text)
    with pytest.raises(BadFormat, match=r"recording\.json"):
        Recording.open(folder)


def test_not_a_recording(tmp_path):
    with pytest.raises(BadInput, match="is not a recording"):
        Recording.open(tmp_path)
    with pytest.raises(BadInput, match="is not a recording"):
        Recording.open(tmp_path / "nowhere")


@pytest.mark.parametrize("how", ["above", "absolute", "link", "link to a listed file", "below"])
def test_no_file_of_a_recording_lies_elsewhere(folder, how):
    """A recording that somebody sent must not make its reader open the reader's own files."""
    secret = folder.parent / "secret.txt"
    secret.write_text("secret")
    name = {"above": "../secret.txt", "absolute": str(secret), "below": "more/secret.txt"}.get(
        how, "video.mp4"
    )
    if how == "link to a listed file":
        secret.write_bytes((folder / "events.parquet").read_bytes())
        (folder / "events.parquet").unlink()
        (folder / "events.parquet").symlink_to(secret)
    else:
        if how == "link":
            (folder / name).unlink(missing_ok=True)
            (folder / name).symlink_to(secret)
        elif how == "below":
            (folder / "more").mkdir()
            shutil.copy(secret, folder / name)
        files = json.loads((folder / "recording.json").read_text())["files"]
        change(folder, files={**files, name: {"bytes": 6, "sha256": file_sha256(secret)}})
    with pytest.raises(BadFormat, match="lies outside of its folder"):
        Recording.open(folder)


def test_a_folder_that_is_a_link_is_a_recording_all_the_same(folder):
    link = folder.parent / "link"
    link.symlink_to(folder)
    assert len(Recording.open(link)) == len(Recording.open(folder))
