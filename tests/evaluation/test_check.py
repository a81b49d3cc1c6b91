"""Tampering of every kind is found, whether or not the hashes were made to fit again."""

import hashlib
import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from situ.benchmarks.dataset import Dataset, QuestionRow, read_manifest, write_manifest, write_rows
from situ.benchmarks.make import make_dataset
from situ.benchmarks.rem.recipe import RemRecipe
from situ.evaluation.check import check_dataset
from situ.recording import FrameRecord, Recording, RecordingWriter
from situ.recording.records import Visible

RECIPE = RemRecipe("mini", scale=0.25, seed=41, width=240, height=160)
Rows = list[QuestionRow]


@pytest.fixture(scope="module")
def fair(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return make_dataset(RECIPE, tmp_path_factory.mktemp("check") / "set")


def copy_of(dataset: Dataset, folder: Path) -> Path:
    shutil.copytree(dataset.folder, folder / "copy")
    return folder / "copy"


def reseal(folder: Path, rows: Sequence[QuestionRow] | None = None) -> None:
    """Write rows and manifest anew, so that every hash fits: what is wrong must be seen in the content."""
    dataset = Dataset.open(folder)
    rows = dataset.questions if rows is None else rows
    rows_hash = write_rows(folder / "questions.parquet", rows)
    items = {item: Recording.open(folder / "items" / item).content_hash() for item in dataset.items}
    content = hashlib.sha256(json.dumps([sorted(items.items()), rows_hash]).encode()).hexdigest()
    about = {"items": items, "questions": len(rows), "content_hash": content, "complete": True}
    write_manifest(folder, {**read_manifest(folder), **about})


def problems_of(folder: Path) -> tuple[str, ...]:
    return check_dataset(Dataset.open(folder)).disagreements


def test_a_fair_set_has_no_problem(fair: Dataset, tmp_path: Path) -> None:
    assert check_dataset(fair).disagreements == ()
    folder = copy_of(fair, tmp_path)
    reseal(folder)
    assert problems_of(folder) == ()


def other_program(row: QuestionRow) -> dict[str, Any]:
    program = json.loads(json.dumps(row.program))
    which = next(value for value in program.values() if isinstance(value, dict))
    which["category"] = "cone" if which["category"] != "cone" else "sphere"
    return dict(program)


ROW_TAMPERING: dict[str, Callable[[QuestionRow], QuestionRow]] = {
    "key": lambda row: replace(row, answer=next(o for o in row.options if o != row.answer)),
    "option gone": lambda row: replace(row, options=tuple(o for o in row.options if o != row.answer)),
    "option twice": lambda row: replace(row, options=(*row.options[:-1], row.options[0])),
    "option unknown": lambda row: replace(
        row, options=tuple("never" if o != row.answer and i > 0 else o for i, o in enumerate(row.options))
    ),
    "program": lambda row: replace(row, program=other_program(row)),
    "program kind": lambda row: replace(row, program={**row.program, "kind": "riddle"}),
    "evidence outside": lambda row: replace(row, evidence=(*row.evidence, 9999)),
    "evidence elsewhere": lambda row: replace(row, evidence=row.evidence[:-1]),
    "margin thin": lambda row: replace(row, margin=0.0),
    "margin wide": lambda row: replace(row, margin=row.margin + 5.0),
    "task": lambda row: replace(row, task="counting"),
    "task unknown": lambda row: replace(row, task="riddle"),
    "stratum": lambda row: replace(row, strata={**row.strata, "frames": 3}),
    "words": lambda row: replace(row, text="Where is the lift?"),
    "moment": lambda row: replace(row, time=1e6),
}


@pytest.mark.parametrize("kind", ROW_TAMPERING)
def test_a_row_that_was_changed_is_found_though_hashes_fit(fair: Dataset, tmp_path: Path, kind: str) -> None:
    folder = copy_of(fair, tmp_path)
    at = next(i for i, row in enumerate(fair.questions) if row.task in ("ordering", "comparison"))
    rows = list(fair.questions)
    rows[at] = ROW_TAMPERING[kind](rows[at])
    reseal(folder, rows)
    found = problems_of(folder)
    assert found
    assert all(rows[at].id in problem for problem in found)


def rewrite(folder: Path, change: Callable[[FrameRecord, Any, Any], tuple[FrameRecord, Any, Any]]) -> None:
    """Write a recording again with other frames; its own hashes fit."""
    old = Recording.open(folder)
    meta, scene = dict(old.meta), old.scene
    frames = [(old.frames[i], old.image(i), old.ids(i)) for i in range(len(old))]
    things, fps, camera = list(old.objects.values()), old.fps, old.camera
    shutil.rmtree(folder)
    with RecordingWriter(folder, camera, images="jpeg", fps=fps, scene=scene, meta=meta) as writer:
        for thing in things:
            writer.add_object(thing)
        for record, image, ids in frames:
            changed, rgb, mask = change(record, image, ids)
            writer.add_frame(changed, rgb=rgb, ids=mask)


def turned(record: FrameRecord) -> FrameRecord:
    pose = record.T_world_camera.copy()
    pose[:3, :3] = pose[:3, :3] @ np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
    return replace(record, T_world_camera=pose)


def halved(seen: Visible, total: int) -> Visible:
    return replace(seen, pixels=seen.pixels // 2, share=(seen.pixels // 2) / total)


def wiped(ids: Any) -> Any:
    return np.zeros_like(ids)


FRAME_TAMPERING: dict[str, Callable[[FrameRecord, Any, Any], tuple[FrameRecord, Any, Any]]] = {
    "visible": lambda r, image, ids: (replace(r, visible=r.visible[1:]), image, ids),
    "shares": lambda r, image, ids: (
        replace(
            r,
            visible=tuple(
                replace(v, pixels=v.pixels // 2, share=(v.pixels // 2) / ids.size) for v in r.visible
            ),
        ),
        image,
        ids,
    ),
    "poses": lambda r, image, ids: (turned(r), image, ids),
    "masks": lambda r, image, ids: (replace(r, visible=()), image, wiped(ids)),
    "colours": lambda r, image, ids: (r, image[..., ::-1].copy(), ids),
    "mirror": lambda r, image, ids: (r, image[:, ::-1].copy(), ids),
    "blank": lambda r, image, ids: (r, np.zeros_like(image), ids),
}


@pytest.mark.parametrize("kind", FRAME_TAMPERING)
def test_frames_that_were_changed_are_found_though_hashes_fit(
    fair: Dataset, tmp_path: Path, kind: str
) -> None:
    folder = copy_of(fair, tmp_path)
    rewrite(folder / "items" / fair.items[0], FRAME_TAMPERING[kind])
    reseal(folder)
    found = problems_of(folder)
    assert found
    assert all(problem.startswith(fair.items[0]) for problem in found)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def zeroed(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2 :] = bytes(len(content) - len(content) // 2)
    path.write_bytes(content)


def dropped(folder: Path) -> None:
    write_rows(folder / "questions.parquet", Dataset.open(folder).questions[:-5])


def doubled(folder: Path) -> None:
    rows = Dataset.open(folder).questions
    reseal(folder, [*rows, rows[0]])


def retold(folder: Path) -> None:
    rows = list(Dataset.open(folder).questions)
    write_rows(folder / "questions.parquet", [replace(rows[0], text=rows[0].text + " "), *rows[1:]])


def first_item(folder: Path) -> Path:
    return folder / "items" / Dataset.open(folder).items[0]


def other_manifest(folder: Path) -> None:
    manifest = read_manifest(folder)
    item = next(iter(manifest["items"]))
    write_manifest(folder, {**manifest, "items": {**manifest["items"], item: "0" * 64}})


FILE_TAMPERING: dict[str, Callable[[Path], object]] = {
    "pictures cut": lambda folder: cut(first_item(folder) / "frames.parquet"),
    "pictures zeroed": lambda folder: zeroed(first_item(folder) / "frames.parquet"),
    "questions dropped": dropped,
    "question twice": doubled,
    "question retold": retold,
    "recording gone": lambda folder: shutil.rmtree(first_item(folder)),
    "recording too many": lambda folder: shutil.copytree(first_item(folder), folder / "items" / "999999"),
    "recordings swapped": lambda folder: swapped(folder),
    "manifest": other_manifest,
}


def swapped(folder: Path) -> None:
    a, b, *_ = Dataset.open(folder).items
    items = folder / "items"
    (items / a).rename(items / "x")
    (items / b).rename(items / a)
    (items / "x").rename(items / b)


@pytest.mark.parametrize("kind", FILE_TAMPERING)
def test_files_that_were_changed_are_found(fair: Dataset, tmp_path: Path, kind: str) -> None:
    folder = copy_of(fair, tmp_path)
    FILE_TAMPERING[kind](folder)
    assert problems_of(folder)
