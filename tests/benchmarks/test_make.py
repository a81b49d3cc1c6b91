import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.make import make_dataset
from situ.benchmarks.rem.recipe import RemRecipe
from situ.errors import BadFormat, BadInput, Refused

TINY = RemRecipe("mini", scale=6 / 18, seed=7, width=120, height=80)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """The small set, finished; copy it before changing it."""
    return make_dataset(TINY, tmp_path_factory.mktemp("made") / "set")


def test_same_seed_same_bytes_other_seed_other_bytes(tiny: Dataset, tmp_path: Path) -> None:
    one = tiny
    two = make_dataset(TINY, tmp_path / "two", jobs=2)
    other = make_dataset(RemRecipe("mini", scale=1 / 18, seed=8, width=120, height=80), tmp_path / "other")
    assert one.manifest["content_hash"] == two.manifest["content_hash"]
    assert one.manifest["items"] == two.manifest["items"]
    assert one.manifest["content_hash"] != other.manifest["content_hash"]
    assert not set(one.manifest["items"].values()) & set(other.manifest["items"].values())


def test_an_unfinished_set_is_finished_and_a_finished_one_left_alone(tiny: Dataset, tmp_path: Path) -> None:
    whole = tiny
    part = tmp_path / "part"
    shutil.copytree(whole.folder, part)
    manifest = json.loads((part / "manifest.json").read_text())
    kept = {key: manifest[key] for key in ("format", "version", "benchmark", "recipe", "situ")}
    (part / "manifest.json").write_text(json.dumps({**kept, "complete": False}))
    (part / "questions.parquet").unlink()
    for item in list(manifest["items"])[3:]:
        shutil.rmtree(part / "items" / item)
    with pytest.raises(BadFormat, match="unfinished"):
        Dataset.open(part)
    untouched = (part / "items" / whole.items[0] / "frames.parquet").stat().st_mtime_ns
    finished = make_dataset(TINY, part)
    assert finished.manifest == whole.manifest
    assert (part / "items" / whole.items[0] / "frames.parquet").stat().st_mtime_ns == untouched


@pytest.mark.slow
def test_killed_in_the_middle_it_goes_on_to_the_same_result(tmp_path: Path) -> None:
    whole = RemRecipe("mini", scale=6 / 18, seed=9, width=60, height=40)
    recipe = "RemRecipe('mini', scale=6 / 18, seed=9, width=60, height=40)"
    script = (
        "from pathlib import Path; from situ.benchmarks.make import make_dataset;"
        f"from situ.benchmarks.rem.recipe import RemRecipe; make_dataset({recipe}, Path('set'))"
    )
    process = subprocess.Popen([sys.executable, "-c", script], cwd=tmp_path)
    deadline = time.monotonic() + 120
    while len(list((tmp_path / "set" / "items").glob("0*"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    done = len(list((tmp_path / "set" / "items").glob("0*")))
    assert 2 <= done < 6
    resumed = make_dataset(whole, tmp_path / "set")
    fresh = make_dataset(whole, tmp_path / "fresh")
    assert resumed.manifest == fresh.manifest


def test_nothing_is_overwritten_without_being_asked(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("years of work")
    for force in (False, True):
        with pytest.raises(Refused):
            make_dataset(TINY, tmp_path / "mine", force=force)
    assert (tmp_path / "mine" / "thesis.tex").read_text() == "years of work"


def test_another_set_in_the_folder_needs_force(tmp_path: Path) -> None:
    small = RemRecipe("mini", scale=1 / 18, seed=1, width=120, height=80)
    other = RemRecipe("mini", scale=1 / 18, seed=2, width=120, height=80)
    first = make_dataset(small, tmp_path / "set")
    with pytest.raises(Refused, match="another question set"):
        make_dataset(other, tmp_path / "set")
    replaced = make_dataset(other, tmp_path / "set", force=True)
    assert replaced.manifest["content_hash"] != first.manifest["content_hash"]


def test_an_unwritable_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot write to"):
        make_dataset(TINY, tmp_path / "file" / "set")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not JSON"),
        ("[]", "does not describe"),
        ('{"format": "situ-dataset", "version": 99}', "Update situ"),
    ],
)
def test_a_manifest_that_cannot_be_read_says_what_to_do(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(BadFormat, match=message):
        Dataset.open(tmp_path)


def test_a_folder_without_a_set_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="holds no question set"):
        Dataset.open(tmp_path)


def test_a_truncated_question_table_is_named(tmp_path: Path) -> None:
    dataset = make_dataset(RemRecipe("mini", scale=1 / 18, seed=1, width=120, height=80), tmp_path / "set")
    table = dataset.folder / "questions.parquet"
    table.write_bytes(table.read_bytes()[:100])
    with pytest.raises(BadFormat, match=r"questions\.parquet"):
        Dataset.open(dataset.folder).questions


@pytest.mark.parametrize("stranger", ["notes.txt", "items/a.jpg", "items/mine/letter.txt", "more/a.txt"])
def test_force_deletes_what_a_set_has_and_nothing_else(tiny: Dataset, tmp_path: Path, stranger: str) -> None:
    folder = tmp_path / "set"
    shutil.copytree(tiny.folder, folder)
    file = folder / stranger
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("mine")
    before = sorted(path for path in folder.rglob("*"))
    with pytest.raises(Refused, match="not part of a question set"):
        make_dataset(TINY, folder, force=True)
    assert sorted(path for path in folder.rglob("*")) == before
    file.unlink()


def test_force_takes_no_folder_for_a_set_because_of_a_file_name(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"name": "an app of somebody"}')
    with pytest.raises(Refused, match="not a question set"):
        make_dataset(TINY, tmp_path, force=True)
    assert (tmp_path / "manifest.json").is_file()
