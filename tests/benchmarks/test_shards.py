import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from benchmarks.scale import SmallestRecipe

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.deleting import delete_set
from situ.benchmarks.gather import gather
from situ.benchmarks.make import make_dataset
from situ.benchmarks.making_shards import make_shards
from situ.benchmarks.packing import PackedItems
from situ.benchmarks.rem.recipe import RemRecipe
from situ.benchmarks.shards import ShardRecipe, make_shard, shard_folder
from situ.errors import BadFormat, BadInput, Refused
from situ.runners.local import LocalRunner

SMALL = SmallestRecipe(0.03, 1)  # 30 items


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("shards") / "set"
    make_shards(SMALL, out, 4, LocalRunner(1))
    return out


def all_bytes(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_the_items_are_those_of_the_whole_set_and_each_is_in_one_shard(shards: Path, tmp_path: Path) -> None:
    whole, joined = make_dataset(SMALL, tmp_path / "whole"), Dataset.open(shards)
    assert joined.hashes == whole.hashes
    assert sorted(row.item for row in joined.questions) == sorted(whole.items)
    assert len({row.id for row in joined.questions}) == 30
    for item in joined.items[:3]:
        packed = joined.recording(item)
        packed.verify()
        assert packed.content_hash() == whole.hashes[item]
        assert joined.size(item) >= whole.size(item)


def test_each_shard_is_a_set_of_its_own(shards: Path) -> None:
    sizes = []
    for number in range(4):
        shard = Dataset.open(shard_folder(shards, number))
        sizes.append(len(shard.items))
        assert {row.item for row in shard.questions} == set(shard.items)
        assert sorted(path.name for path in shard.folder.iterdir()) == [
            "items.parquet", "items.tar", "manifest.json", "questions.parquet",
        ]  # fmt: skip
    assert sorted(sizes) == [7, 7, 8, 8]


def test_order_place_and_repetition_change_no_byte(shards: Path, tmp_path: Path) -> None:
    out = tmp_path / "again"
    for number in (3, 1, 1, 0, 2, 3):
        make_shard(SMALL, out, number, 4)
    gather(out)
    assert all_bytes(out) == all_bytes(shards)
    gather(out)
    assert all_bytes(out) == all_bytes(shards)


def test_missing_and_changed_shards_are_refused(shards: Path, tmp_path: Path) -> None:
    out = tmp_path / "copy"
    shutil.copytree(shards, out)
    shutil.rmtree(shard_folder(out, 2))
    with pytest.raises(Refused, match="1 of 4 shards are missing: 2"):
        gather(out)
    shutil.copytree(shard_folder(out, 1), shard_folder(out, 2))
    with pytest.raises(BadFormat, match="not a finished shard of this set"):
        gather(out)
    shutil.rmtree(shard_folder(out, 2))
    make_shard(SMALL, out, 2, 4)
    archive = shard_folder(out, 2) / "items.tar"
    archive.write_bytes(archive.read_bytes()[:-1] + b"x")
    with pytest.raises(BadFormat, match="was changed after it was written"):
        gather(out)


def test_other_options_or_numbers_are_refused(shards: Path) -> None:
    with pytest.raises(Refused, match="another question set"):
        make_shard(SMALL, shards, 0, 5)
    with pytest.raises(Refused, match="another question set"):
        make_shard(SmallestRecipe(0.03, 2), shards, 0, 4)
    with pytest.raises(BadInput, match="between 0 and 3"):
        make_shard(SMALL, shards, 4, 4)
    with pytest.raises(BadInput, match="cannot fill 31 shards"):
        make_shard(SMALL, shards / "new", 0, 31)
    with pytest.raises(BadFormat, match="situ make gather"):
        Dataset.open(_unjoined(shards))


def _unjoined(shards: Path) -> Path:
    out = shards.parent / "unjoined"
    make_shard(SMALL, out, 0, 4)
    return out


def test_a_set_in_shards_is_deleted_and_nothing_else(shards: Path, tmp_path: Path) -> None:
    out = tmp_path / "copy"
    shutil.copytree(shards, out)
    (shard_folder(out, 1) / "letter.txt").write_text("mine")
    with pytest.raises(Refused, match="shards/00001"):
        delete_set(out)
    (shard_folder(out, 1) / "letter.txt").unlink()
    delete_set(out)
    assert list(out.iterdir()) == []


def test_questions_of_shards_are_chosen_in_proportion(tmp_path: Path) -> None:
    recipe = RemRecipe("mini", scale=1.0, seed=4, width=60, height=40)
    names = [name for k in range(3) for name in ShardRecipe(recipe, k, 3).item_names()]
    assert sorted(names) == sorted(recipe.item_names())
    made = make_shard(recipe, tmp_path / "set", 1, 3)
    assert len(made.items) == 6
    assert 20 <= len(made.questions) <= 60  # a third of 154


def test_a_cache_of_bounded_size_keeps_what_is_held(shards: Path) -> None:
    one = Dataset.open(shards).size(Dataset.open(shards).items[0])
    packed = PackedItems(shards, cache_bytes=3 * one)
    items = list(packed.hashes)
    held = packed.recording(items[0])
    for item in items:
        packed.recording(item)
    assert held.folder.is_dir()
    assert len(list(held.folder.parent.iterdir())) <= 4
    assert packed.recording(items[0]) is held
    with pytest.raises(BadInput, match="no item 'nobody'"):
        packed.recording("nobody")


def test_an_index_that_points_elsewhere_is_refused(shards: Path) -> None:
    packed = PackedItems(shards, read=lambda file, start, count: b"x" * count)
    with pytest.raises(BadFormat, match="are not the recording"):
        packed.recording(next(iter(packed.hashes)))


def _make(arguments: tuple[Path, int]) -> str:
    out, number = arguments
    return str(make_shard(SMALL, out, number, 4).manifest["content_hash"])


def test_two_that_make_the_same_shard_end_with_one(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found = pool.map(_make, [(tmp_path / "set", 1)] * 4, chunksize=1)
    assert len(set(found)) == 1
    assert os.listdir(tmp_path / "set" / "shards") == ["00001"]


def test_killed_at_any_moment_the_shards_end_the_same(shards: Path, tmp_path: Path) -> None:
    script = (
        "from pathlib import Path; from benchmarks.scale import SmallestRecipe;"
        "from situ.benchmarks.making_shards import make_shards; from situ.runners.local import LocalRunner;"
        "print('ready', flush=True); make_shards(SmallestRecipe(0.03, 1), Path('set'), 4, LocalRunner(1))"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    for delay in (0.05, 0.2, 0.35):
        process = subprocess.Popen(
            [sys.executable, "-c", script], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(delay)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    make_shards(SMALL, tmp_path / "set", 4, LocalRunner(1))
    assert all_bytes(tmp_path / "set") == all_bytes(shards)
    assert json.loads((tmp_path / "set" / "manifest.json").read_text())["items"] == 30
