"""Joining the shards of a set: one table of questions, one index of items, and a look at the whole."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from situ.benchmarks.dataset import (
    Dataset,
    QuestionRow,
    content_sha256,
    read_manifest,
    read_rows,
    rows_sha256,
    write_manifest,
    write_rows,
)
from situ.benchmarks.packing import INDEX, Span, read_index, write_index
from situ.benchmarks.shards import missing_shards, shard_folder, shard_name
from situ.errors import BadFormat, Refused
from situ.recording.layout import file_sha256

UNEVEN = 4.0  # standard deviations from an even spread over the places of the options
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Evenness:
    """How often each place among the options is right, in one task with so many options."""

    task: str
    options: int
    places: tuple[int, ...]

    @property
    def deviation(self) -> float:
        """Of the commonest place, in standard deviations of an even spread."""
        total = sum(self.places)
        share = 1 / self.options
        return float((max(self.places) - total * share) / (total * share * (1 - share)) ** 0.5)


@dataclass(frozen=True)
class Gathered:
    dataset: Dataset
    evenness: tuple[Evenness, ...]

    @property
    def uneven(self) -> tuple[Evenness, ...]:
        return tuple(e for e in self.evenness if e.deviation > UNEVEN)


def gather(
    out: Path,
    progress: Progress | None = None,
    lie_at: Mapping[str, str] | None = None,
    without: Sequence[str] = (),
) -> Gathered:
    """Make one set of the shards in a folder. Refused where one is missing; BadFormat where one was changed.

    Questions keep their order within their shard; their ids begin with its number. `lie_at` are the folders
    of shards that lie elsewhere by now, and `without` the files that stayed there.
    """
    manifest = read_manifest(out)
    count = _complete(out, manifest.get("shards"))
    report = progress or (lambda stage, done, total: None)
    places: dict[tuple[str, int], Counter[int]] = {}
    hashes: dict[str, str] = {}
    index, names = out / f".{INDEX}.partial", [shard_name(number) for number in range(count)]
    checked: list[dict[str, Any]] = []

    def spans() -> Iterator[list[Span]]:
        for number, name in enumerate(names):
            checked.append(_checked(shard_folder(out, number), manifest, without))
            place = (lie_at or {}).get(name, name)
            found = [span._replace(shard=place) for span in read_index(shard_folder(out, number) / INDEX)]
            double = [span.item for span in found if span.item in hashes]
            if double:
                raise BadFormat(f"{shard_folder(out, number)}: item {double[0]} is in another shard, too")
            hashes.update((span.item, span.sha256) for span in found)
            report("shards", number + 1, count)
            yield found

    def rows() -> Iterator[QuestionRow]:
        for number, name in enumerate(names):
            mine = []
            for row in read_rows(shard_folder(out, number) / "questions.parquet"):
                mine.append(row)
                if row.answer in row.options:
                    seen = places.setdefault((row.task, len(row.options)), Counter())
                    seen[row.options.index(row.answer)] += 1
                yield replace(row, id=f"s{name}-{row.id}")
            own = {item: hashes[item] for item in _items_of(out, number)}
            if content_sha256(own, rows_sha256(mine)) != checked[number]["content_hash"]:
                raise BadFormat(f"{shard_folder(out, number)} differs from what it was finished with")
            report("questions", number + 1, count)

    try:
        write_index(index, spans())
        rows_hash = write_rows(out / "questions.parquet", rows())
        os.replace(index, out / INDEX)
    finally:
        index.unlink(missing_ok=True)
    made = {key: manifest[key] for key in ("benchmark", "recipe", "situ", "shards")}
    total = sum(about["questions"] for about in checked)
    write_manifest(
        out,
        {
            **made,
            "complete": True,
            "items": len(hashes),
            "questions": total,
            "content_hash": content_sha256(hashes, rows_hash),
            "shard_hashes": [about["content_hash"] for about in checked],
        },
    )
    return Gathered(Dataset.open(out), _evenness(places))


def _complete(out: Path, count: object) -> int:
    """The number of shards, all of which are there."""
    if not isinstance(count, int):
        raise Refused(f"{out} was not made in shards: there is nothing to gather")
    missing = missing_shards(out, count)
    if missing:
        named = ", ".join(map(str, missing[:8])) + (" …" if len(missing) > 8 else "")
        raise Refused(
            f"{len(missing)} of {count} shards are missing: {named}. Run the command that makes them again; "
            "what is there is kept"
        )
    return count


def _evenness(places: Mapping[tuple[str, int], Counter[int]]) -> tuple[Evenness, ...]:
    return tuple(
        Evenness(task, options, tuple(seen[i] for i in range(options)))
        for (task, options), seen in sorted(places.items())
        if options > 1
    )


def _items_of(out: Path, number: int) -> list[str]:
    return [span.item for span in read_index(shard_folder(out, number) / INDEX)]


def _checked(folder: Path, made_by: dict[str, Any], without: Sequence[str]) -> dict[str, Any]:
    """The manifest of a shard whose files are as they were written, and which belongs to this set."""
    manifest = read_manifest(folder)
    own = dict(manifest.get("recipe", {}))
    number, count = own.pop("shard", None), own.pop("shards", None)
    belongs = (own, manifest.get("situ"), shard_name(number or 0), count, manifest.get("complete"))
    if belongs != (made_by["recipe"], made_by["situ"], folder.name, made_by["shards"], True):
        raise BadFormat(
            f"{folder} is not a finished shard of this set (options, seed, version or number differ). "
            "Delete it and make it again"
        )
    for name, about in manifest.get("files", {}).items():
        if name in without:
            continue
        file = folder / name
        if not file.is_file() or file_sha256(file) != about["sha256"]:
            raise BadFormat(
                f"{file} was changed after it was written, or is missing. Delete {folder} and make it again"
            )
    return manifest
