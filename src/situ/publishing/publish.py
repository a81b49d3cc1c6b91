"""Publication of a set: a public folder, and a private one with the keys for graders.

TO/README.md              dataset card
TO/data/test.parquet      one row per question, with its images
TO/croissant.json         Croissant 1.0 metadata
TO/lmms_eval/, TO/vlmevalkit/   tasks of two harnesses, with the same images
PRIVATE/                  set without recordings, for `situ score`
"""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from situ.benchmarks.dataset import Dataset, write_atomically, write_manifest, write_rows
from situ.errors import BadInput, Refused
from situ.evaluation.benchmark import protocol_of
from situ.evaluation.records.frames import FramePolicy
from situ.publishing.card import About, card, croissant
from situ.publishing.harnesses import write_lmms_eval, write_vlmevalkit
from situ.publishing.public_rows import public_rows, schema, usual_frames
from situ.recording.layout import file_sha256
from situ.recording.staging import StagedFolder

TABLE = "data/test.parquet"
AT_ONCE = 16  # rows per row group; images make rows large
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Published:
    folder: Path
    private: Path | None
    questions: int


def publish(
    dataset: Dataset,
    to: Path,
    hide_keys: bool = False,
    private: Path | None = None,
    frames: str = "",
    licence: str = "cc-by-4.0",
    progress: Progress | None = None,
) -> Published:
    """Write the public folder, and with `hide_keys` the private one next to it."""
    policy = str(FramePolicy.parse(frames or usual_frames(dataset)))
    keys_at = (private or to.with_name(to.name + ".private")) if hide_keys else None
    if keys_at is not None and keys_at.absolute().is_relative_to(to.absolute()):
        raise BadInput(f"{keys_at} would lie inside the public folder; choose another --private")
    if keys_at is not None and keys_at.exists():
        raise Refused(f"{keys_at} is there already. Choose another --private or remove it")
    staged = StagedFolder(to)
    try:
        count = _write_table(dataset, staged.work / TABLE, policy, not hide_keys, progress)
        about = About(
            name=to.name,
            title=protocol_of(str(dataset.manifest["benchmark"])).title,
            benchmark=str(dataset.manifest["benchmark"]),
            tasks=_counts(dataset),
            items=len(dataset.items),
            frames=policy,
            licence=licence,
            sha256=file_sha256(staged.work / TABLE),
            keys=not hide_keys,
        )
        write_atomically(staged.work / "README.md", card(about).encode())
        write_atomically(staged.work / "croissant.json", croissant(about, TABLE).encode())
        write_lmms_eval(staged.work / "lmms_eval", about)
        write_vlmevalkit(staged.work / "vlmevalkit", staged.work / TABLE, about)
        if keys_at is not None:
            _write_private(dataset, keys_at)
    except BaseException:
        staged.discard()
        raise
    staged.commit()
    return Published(to, keys_at, count)


def _write_table(dataset: Dataset, path: Path, frames: str, keys: bool, progress: Progress | None) -> int:
    path.parent.mkdir(parents=True)
    count, some = 0, list[dict[str, Any]]()
    with pq.ParquetWriter(path, schema(keys), compression="zstd") as writer:
        for row in public_rows(dataset, frames, keys):
            some.append(row)
            count += 1
            if len(some) == AT_ONCE:
                writer.write_table(pa.Table.from_pylist(some, schema(keys)))
                some = []
            if progress:
                progress("questions", count, len(dataset.questions))
        writer.write_table(pa.Table.from_pylist(some, schema(keys)))
    return count


def _write_private(dataset: Dataset, folder: Path) -> None:
    """Complete questions as a set without recordings."""
    staged = StagedFolder(folder)
    try:
        write_rows(staged.work / "questions.parquet", dataset.questions)
        kept = {key: value for key, value in dataset.manifest.items() if key not in ("items", "files")}
        write_manifest(staged.work, {**kept, "items": {}, "keys_of": dataset.manifest["content_hash"]})
    except BaseException:
        shutil.rmtree(staged.work, ignore_errors=True)
        staged.discard()
        raise
    staged.commit()


def _counts(dataset: Dataset) -> dict[str, int]:
    counts: dict[str, int] = {}
    for row in dataset.questions:
        counts[row.task] = counts.get(row.task, 0) + 1
    return dict(sorted(counts.items()))
