"""Nothing from outside is trusted: names, paths, archives, pictures."""

import asyncio
import json
import struct
import zipfile
import zlib
from os.path import normpath
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import miniatures
from situ.benchmarks.dataset import Dataset
from situ.benchmarks.official.files import MediaFile, SourceFiles
from situ.benchmarks.official.layouts import ImportOptions, import_set
from situ.benchmarks.official.media import decode
from situ.benchmarks.official.names import check_name, safe_name
from situ.benchmarks.official.records import read_records
from situ.errors import BadFormat, BadInput
from situ.evaluation.models.strategy import Notes


@given(st.text(max_size=300))
def test_a_safe_name_stays_inside_its_folder(text: str) -> None:
    name = safe_name(text)
    assert normpath(f"/a/b/{name}") == f"/a/b/{name}"
    assert "/" not in name
    assert not name.startswith(".")
    assert len(name) <= 90
    assert check_name(name, "set") == name
    assert safe_name(name) == name


@given(st.text(max_size=40), st.text(max_size=40))
def test_different_names_stay_different(a: str, b: str) -> None:
    assert (safe_name(a) == safe_name(b)) == (a == b) or safe_name(a) in (a, b)


def test_a_row_cannot_lead_out_of_the_set(tmp_path: Path) -> None:
    source = miniatures.ucs(tmp_path / "p")
    path = source / "annotations" / "first.json"
    rows = json.loads(path.read_text())
    miniatures.video(source / "secret.mp4", 6.0)
    rows[0]["video_uid"] = "../../secret"
    path.write_text(json.dumps(rows))
    made = import_set("ucs", str(source), tmp_path / "set", ImportOptions())
    assert all(Path(item).name == item for item in made.dataset.items)
    assert not (tmp_path / "secret").exists()
    with pytest.raises(BadInput, match="not that of an item"):
        Dataset.open(tmp_path / "set").recording("../../p")


def test_files_outside_the_source_are_not_found(tmp_path: Path) -> None:
    miniatures.image(tmp_path / "outside.png")
    (tmp_path / "in").mkdir()
    miniatures.image(tmp_path / "in" / "inside.png")
    files = SourceFiles(tmp_path / "in")
    assert files.find("../outside.png") is None
    assert files.find(str(tmp_path / "outside.png")) is None
    assert files.find("a/b/../inside.png") is not None


def test_notes_of_a_hostile_item_stay_in_the_run(tmp_path: Path) -> None:
    (tmp_path / "victim").mkdir()

    async def write() -> str:
        return "text"

    notes = tmp_path / "run" / "notes"
    asyncio.run(Notes(notes).get("caption-a/../../../victim/x", write))
    assert list((tmp_path / "victim").iterdir()) == []
    assert len(list(notes.iterdir())) == 1


def test_an_archive_that_grows_is_not_unpacked(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../up.mp4", bytes(30_000_000))
    with (
        pytest.raises(BadFormat, match="not unpacked"),
        MediaFile(tmp_path / "bomb.zip", "../up.mp4").on_disk(),
    ):
        pass
    assert not (tmp_path.parent / "up.mp4").exists()


def test_a_picture_that_says_it_is_enormous_is_not_decoded() -> None:
    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + header
    png = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
    with pytest.raises(BadFormat, match="60000 x 60000"):
        decode(png, "large.png")


@pytest.mark.parametrize("text", ["[" * 200_000, '{"a": ', "\x00\x01", "12"])
def test_broken_json_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / "q.json").write_text(text)
    with pytest.raises(BadFormat, match=r"q\.json"):
        list(read_records(tmp_path / "q.json"))


def test_two_files_of_one_name_are_not_guessed_between(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        miniatures.image(tmp_path / folder / "x.png")
    files = SourceFiles(tmp_path)
    assert files.find("a/x.png") is not None
    with pytest.raises(BadInput, match="2 files are named"):
        files.find("x.png")
