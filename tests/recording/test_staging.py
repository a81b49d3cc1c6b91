import os
import signal
import subprocess
import sys

import pytest

from recording.samples import CAMERA, frame, picture, write
from situ.errors import BadInput, Refused
from situ.recording import Recording, RecordingWriter

KILL_ME = """
import sys, time
from recording.samples import CAMERA, frame, picture
from situ.recording import RecordingWriter
with RecordingWriter(sys.argv[1], CAMERA, images=sys.argv[2]) as writer:
    for i in range(100):
        writer.add_frame(frame(i), picture(i))
    print("ready", flush=True)
    time.sleep(60)
"""
FULL_DISK = """
import resource, sys
import numpy as np
from recording.samples import CAMERA, frame
from situ.errors import BadInput
from situ.recording import RecordingWriter
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
noise = np.random.default_rng(0).integers(0, 256, (48, 64, 3), np.uint8)
try:
    with RecordingWriter(sys.argv[1], CAMERA, images=sys.argv[2]) as writer:
        for i in range(300):
            writer.add_frame(frame(i), noise)
except BadInput as error:
    print(error)
"""


def start(code, *arguments):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


@pytest.mark.parametrize("images", ["jpeg", "video"])
def test_kill_leaves_no_folder_and_the_next_writer_clears_up(tmp_path, images):
    folder = tmp_path / "walk"
    process = start(KILL_ME, folder, images)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    (left,) = os.listdir(tmp_path)
    assert left.startswith(".walk.partial-")
    write(folder)
    assert os.listdir(tmp_path) == ["walk"]
    Recording.open(folder).verify()


@pytest.mark.parametrize(("images", "file"), [("jpeg", "frames.parquet"), ("video", "video.mp4")])
def test_full_disk_leaves_nothing(tmp_path, images, file):
    process = start(FULL_DISK, tmp_path / "walk", images)
    said, _ = process.communicate()
    assert file in said
    assert process.returncode == 0
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(("images", "count"), [("jpeg", 100), ("video", 3), ("video", 0)])
def test_exception_leaves_nothing(tmp_path, images, count):
    def fail_after_some_frames():
        with RecordingWriter(tmp_path / "walk", CAMERA, images=images) as writer:
            for index in range(count):
                writer.add_frame(frame(index), picture(index))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail_after_some_frames()
    assert os.listdir(tmp_path) == []


def test_nothing_appears_before_the_end(tmp_path):
    with RecordingWriter(tmp_path / "walk", CAMERA) as writer:
        writer.add_frame(frame(0), picture(0))
        assert not (tmp_path / "walk").exists()
    assert os.listdir(tmp_path) == ["walk"]


def test_existing_folder_is_refused_and_kept(tmp_path):
    folder = write(tmp_path / "walk")
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    with pytest.raises(Refused, match="walk already exists"):
        write(folder)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
    (tmp_path / "file").write_text("mine")
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("file", "empty", "link"):
        with pytest.raises(Refused, match=name):
            write(tmp_path / name)
    assert (tmp_path / "file").read_text() == "mine"


def test_folder_that_appears_meanwhile_is_kept(tmp_path):
    late = RecordingWriter(tmp_path / "walk", CAMERA).__enter__()
    late.add_frame(frame(0), picture(0))
    write(tmp_path / "walk", count=4)  # must leave the other writer's work alone
    late.add_frame(frame(1), picture(1))
    with pytest.raises(Refused, match="already exists"):
        late.__exit__(None, None, None)
    assert os.listdir(tmp_path) == ["walk"]
    assert len(Recording.open(tmp_path / "walk")) == 4


def test_place_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(BadInput, match=r"file.walk cannot be written"):
        write(tmp_path / "file" / "walk")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_read_only_place(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(BadInput, match="cannot be written: Permission denied"):
            write(tmp_path / "walk")
    finally:
        tmp_path.chmod(0o700)


def test_missing_parents_are_made(tmp_path):
    assert len(Recording.open(write(tmp_path / "a" / "b" / "walk"))) == 5


def test_old_names_are_not_mistaken_for_rubbish(tmp_path):
    bystander = tmp_path / ".walk2.partial-1-aa"
    bystander.mkdir()
    write(tmp_path / "walk")
    assert bystander.is_dir()


def test_a_new_folder_does_not_list_its_neighbours(tmp_path, monkeypatch):
    def careful(path=".", real=os.listdir):
        assert str(path) != str(tmp_path), "listing the parent costs more with every recording in it"
        return real(path)

    monkeypatch.setattr(os, "listdir", careful)
    write(tmp_path / "walk")


def test_writers_of_one_folder_work_beside_each_other_and_one_wins(tmp_path):
    writers = [RecordingWriter(tmp_path / "walk", CAMERA).__enter__() for _ in range(12)]
    for writer in writers:
        writer.add_frame(frame(0), picture(0))
    writers[7].__exit__(None, None, None)
    for writer in writers[:7] + writers[8:]:
        with pytest.raises(Refused, match="already exists"):
            writer.__exit__(None, None, None)
    assert os.listdir(tmp_path) == ["walk"]
