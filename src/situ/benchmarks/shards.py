"""A set in shards: each is made by one process, is a whole balanced set, and is committed in one step.

DIR/manifest.json            what the shards are made by, and how many there are
DIR/shards/00017/            one of them: manifest.json, questions.parquet, items.parquet, items.tar

The items are those of the set that one process would make, dealt out to the shards by lot. Each shard chooses
its own questions, with its share of the numbers, so nobody ever holds the candidates of all. A shard depends
on the recipe, its number and the number of shards alone: whoever makes it, wherever and how often, it has the
same bytes, and the first to finish wins.
"""

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from situ import __version__
from situ.benchmarks.balance import Candidate
from situ.benchmarks.dataset import Dataset, QuestionRow, read_manifest, write_manifest
from situ.benchmarks.make import Recipe, make_dataset
from situ.benchmarks.naming import shuffled_places
from situ.benchmarks.packing import ARCHIVE, INDEX, SHARDS, pack
from situ.errors import BadInput, Refused
from situ.recording import Recording
from situ.recording.layout import file_sha256
from situ.recording.staging import StagedFolder

MOST = 99_999
PACKED = (ARCHIVE, INDEX, "questions.parquet")


@dataclass(frozen=True)
class ShardRecipe:
    """Shard `number` of `count` of a set."""

    recipe: Recipe
    number: int
    count: int

    @property
    def benchmark(self) -> str:
        return self.recipe.benchmark

    def describe(self) -> dict[str, Any]:
        return {**self.recipe.describe(), "shard": self.number, "shards": self.count}

    def item_names(self) -> Sequence[str]:
        names = self.recipe.item_names()
        return [names[number] for number in self._numbers]

    @property
    def _numbers(self) -> Sequence[int]:
        whole: Any = self.recipe  # frozen, so it can be a key
        return _dealt(whole, self.number, self.count)

    def make_item(self, number: int, folder: Path) -> None:
        self.recipe.make_item(self._numbers[number], folder)

    def propose(self, number: int, recording: Recording) -> list[tuple[Candidate, QuestionRow]]:
        found = self.recipe.propose(self._numbers[number], recording)
        return [(candidate._replace(item=number), row) for candidate, row in found]

    def choose(self, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        share = len(self._numbers) / len(self.recipe.item_names())
        return part_of(self.recipe, share, self.number).choose(candidates)


@lru_cache(maxsize=4)
def _dealt(recipe: Any, number: int, count: int) -> tuple[int, ...]:
    """The items of a shard, by lot: neither runs nor every n-th item of a recipe need be alike."""
    return tuple(sorted(int(item) for item in _order(recipe)[number::count]))


@lru_cache(maxsize=4)
def _order(recipe: Any) -> NDArray[np.int64]:
    """Drawn once a process: of a million items, for each of thousands of shards, it would cost a tenth."""
    return shuffled_places(len(recipe.item_names()), {"dealt": recipe.describe()})


def part_of(recipe: Recipe, share: float, number: int) -> Recipe:
    """The recipe that chooses for a shard: a share of the questions, by lots of its own."""
    fields: dict[str, Any] = vars(recipe)
    whole: Any = recipe
    if "recipe" in fields:  # one that wraps another
        return cast(Recipe, replace(whole, recipe=part_of(fields["recipe"], share, number)))
    if "scale" not in fields or "seed" not in fields:
        raise BadInput(f"'{recipe.benchmark}' cannot be made in shards: its recipe has no scale and seed")
    digest = hashlib.sha256(json.dumps([fields["seed"], number]).encode()).digest()
    changes: dict[str, Any] = {"scale": fields["scale"] * share, "seed": int.from_bytes(digest[:6], "big")}
    if fields.get("questions"):  # in all
        changes["questions"] = max(1, round(fields["questions"] * share))
    return cast(Recipe, replace(whole, **changes))


def shard_name(number: int) -> str:
    return f"{number:05d}"


def shard_folder(out: Path, number: int) -> Path:
    return out / SHARDS / shard_name(number)


def begin_shards(recipe: Recipe, out: Path, count: int) -> None:
    """Note in the folder what its shards are made by; Refused where it holds something else."""
    if not 1 <= count <= MOST:
        raise BadInput(f"--shards must be between 1 and {MOST}, got {count}")
    if count > len(recipe.item_names()):
        raise BadInput(f"{len(recipe.item_names())} items cannot fill {count} shards; give fewer --shards")
    part_of(recipe, 1 / count, 0)
    description = {
        "benchmark": recipe.benchmark,
        "recipe": recipe.describe(),
        "situ": __version__,
        "shards": count,
    }
    # Listed once: another process may begin the same set between two looks.
    held = {entry.name for entry in out.iterdir()} if out.is_dir() else set()
    if "manifest.json" in held:
        manifest = read_manifest(out)
        if any(manifest.get(key) != value for key, value in description.items()):
            raise Refused(
                f"{out} holds another question set (benchmark, options, seed, version or number of shards "
                "differ). Choose another folder, or give --force to delete it."
            )
        return
    if any(name != SHARDS and ".partial" not in name for name in held):
        raise Refused(f"{out} is not empty and holds no question set. Choose another folder.")
    try:
        (out / SHARDS).mkdir(parents=True, exist_ok=True)
        write_manifest(out, {**description, "complete": False})
    except OSError as error:
        raise BadInput(f"cannot write to {out}: {error.strerror}. Choose another --out.") from error


def make_shard(recipe: Recipe, out: Path, number: int, count: int) -> Dataset:
    """Make one shard, or find it made. Two that make it at the same time end with the one that was first."""
    if not 0 <= number < count:
        raise BadInput(f"--shard must be between 0 and {count - 1}, got {number}")
    begin_shards(recipe, out, count)
    folder = shard_folder(out, number)
    if folder.is_dir():
        return Dataset.open(folder)
    try:
        staged = StagedFolder(folder)
    except Refused:  # it has just appeared
        return Dataset.open(folder)
    try:
        made = make_dataset(ShardRecipe(recipe, number, count), staged.work)
        pack(staged.work, made.hashes)
        manifest = {key: value for key, value in made.manifest.items() if key != "items"}
        files = {name: _about(staged.work / name) for name in PACKED}
        write_manifest(staged.work, {**manifest, "items": len(made.hashes), "files": files})
    except BaseException:
        staged.discard()
        raise
    with suppress(Refused):  # another was first
        staged.commit()
    return Dataset.open(folder)


def _about(file: Path) -> dict[str, Any]:
    return {"bytes": file.stat().st_size, "sha256": file_sha256(file)}


def missing_shards(out: Path, count: int) -> list[int]:
    """Shards that are not there yet."""
    return [number for number in range(count) if not shard_folder(out, number).is_dir()]
