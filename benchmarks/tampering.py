"""Tampering of every kind with any set, and whether `situ check` finds it.

    python -m benchmarks.tampering SET ...

Two recordings of a set are copied with their questions and sealed anew, so that the check has nothing to say.
Then one thing at a time is changed, and every hash made to fit again but for files: what is wrong must be
seen in the content. Where a kind cannot be had (no picture is stored, nothing moves) it is left out.
"""

import hashlib
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from situ.benchmarks.dataset import Dataset, QuestionRow, read_manifest, write_manifest, write_rows
from situ.evaluation.check import check_dataset
from situ.recording import Event, FrameRecord, Recording, RecordingWriter

Row = QuestionRow
MEASURED = ("frames", "seconds", "evidence_age_s")  # strata that the recording gives, too


def sealed(folder: Path, items: Sequence[str], rows: Sequence[Row]) -> None:
    """Rows and manifest written so that every hash fits."""
    rows_hash = write_rows(folder / "questions.parquet", rows)
    hashes = {item: Recording.open(folder / "items" / item).content_hash() for item in items}
    content = hashlib.sha256(json.dumps([sorted(hashes.items()), rows_hash]).encode()).hexdigest()
    about = {"items": hashes, "questions": len(rows), "content_hash": content, "complete": True}
    write_manifest(folder, {**read_manifest(folder), **about})


def two_of(dataset: Dataset, out: Path) -> Dataset:
    """The two recordings that are asked the most, with their questions; one with events first."""
    asked = dict(dataset.by_item())
    moving = {item: any(e.kind == "moved" for e in dataset.recording(item).events) for item in asked}
    items = sorted(asked, key=lambda item: (not moving[item], -len(asked[item]), item))[:2]
    for item in items:
        shutil.copytree(dataset.recording(item).folder, out / "items" / item)
    shutil.copy(dataset.folder / "manifest.json", out)
    sealed(out, items, [row for row in dataset.questions if row.item in items])
    return Dataset.open(out)


# --- rows


def _other_program(row: Row) -> dict[str, Any] | None:
    program = json.loads(json.dumps(row.program))
    for name, value in program.items():
        if isinstance(value, dict) and value.get("category"):
            value["category"] = "anvil"
            return dict(program)
        if value in ("start", "end"):
            return {**program, name: "end" if value == "start" else "start"}
    return None


def _program(row: Row) -> Row | None:
    changed = _other_program(row)
    return None if changed is None else replace(row, program=changed)


def _stratum(row: Row) -> Row | None:
    name = next((n for n in MEASURED if isinstance(row.strata.get(n), (int, float))), None)
    return None if name is None else replace(row, strata={**row.strata, name: 12345.0})


def _unknown_option(row: Row) -> Row | None:
    wrong = [o for o in row.options if o != row.answer]
    options = tuple("never" if o == wrong[0] else o for o in row.options) if wrong else ()
    return replace(row, options=options) if options and not row.answer.isdigit() else None


def _if_options(change: Callable[[Row], Row]) -> Callable[[Row], Row | None]:
    return lambda row: change(row) if len(row.options) > 1 else None


ROWS: dict[str, Callable[[Row], Row | None]] = {
    "key": _if_options(lambda row: replace(row, answer=next(o for o in row.options if o != row.answer))),
    "option gone": _if_options(
        lambda row: replace(row, options=tuple(o for o in row.options if o != row.answer))
    ),
    "option twice": _if_options(lambda row: replace(row, options=(*row.options, row.options[0]))),
    "option unknown": _unknown_option,
    "program": _program,
    "program's kind": lambda row: replace(row, program={**row.program, "kind": "riddle"}),
    "evidence outside": lambda row: replace(row, evidence=(*row.evidence, 99999)),
    "evidence elsewhere": lambda row: replace(row, evidence=row.evidence[:-1]) if row.evidence else None,
    "margin thin": lambda row: replace(row, margin=-1.0),
    "margin wide": lambda row: replace(row, margin=row.margin + 5.0),
    "task": lambda row: replace(row, task="riddle"),
    "stratum": _stratum,
    "words": lambda row: replace(row, text="Where is the lift?"),
    "moment": lambda row: replace(row, time=1e6),
}


# --- recordings


class Shot(NamedTuple):
    record: FrameRecord
    rgb: Any
    ids: Any


def _turned(shot: Shot) -> Shot:
    pose = shot.record.T_world_camera.copy()
    pose[:3, :3] = pose[:3, :3] @ np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
    return shot._replace(record=replace(shot.record, T_world_camera=pose))


def _fewer(shot: Shot) -> Shot:
    return shot._replace(record=replace(shot.record, visible=shot.record.visible[1:]))


def _halved(shot: Shot) -> Shot:
    seen = tuple(
        replace(v, pixels=v.pixels // 2, share=(v.pixels // 2) / round(v.pixels / v.share))
        for v in shot.record.visible
    )
    return shot._replace(record=replace(shot.record, visible=seen))


FRAMES: dict[str, Callable[[Shot], Shot]] = {
    "poses": _turned,
    "things listed": _fewer,
    "shares": _halved,
    "masks": lambda shot: shot._replace(ids=np.zeros_like(shot.ids)),
    "colours": lambda shot: shot._replace(rgb=shot.rgb[..., ::-1].copy()),
    "mirrored": lambda shot: shot._replace(rgb=shot.rgb[:, ::-1].copy()),
    "blank": lambda shot: shot._replace(rgb=np.zeros_like(shot.rgb)),
}
NEEDS = {"masks": "ids", "colours": "rgb", "mirrored": "rgb", "blank": "rgb"}


def _moved(event: Event) -> Event:
    if "center" not in event.data:
        return event
    x, y, *rest = event.data["center"]
    return replace(event, data={**event.data, "center": [x + 1.5, y - 1.0, *rest]})


def rewrite(
    folder: Path,
    change: Callable[[Shot], Shot] = lambda shot: shot,
    happen: Callable[[Event], Event] = lambda event: event,
) -> None:
    """A recording written again with other frames or events; its own hashes fit."""
    old = Recording.open(folder)
    drawn = old.meta.get("pictures", "stored") != "stored"
    images = "none" if drawn else "video" if (folder / "video.mp4").is_file() else "jpeg"
    stored = not drawn and old.has_ids
    shots = [
        Shot(old.frames[i], None if drawn else old.image(i), old.ids(i) if stored else None)
        for i in range(len(old))
    ]
    about = {"fps": old.fps, "scene": old.scene, "meta": dict(old.meta), "store_ids": stored}
    things, events, camera = list(old.objects.values()), list(old.events), old.camera
    shutil.rmtree(folder)
    with RecordingWriter(folder, camera, images=images, **about) as writer:  # type: ignore[arg-type]
        for thing in things:
            writer.add_object(thing)
        for event in events:
            writer.add_event(happen(event))
        for shot in map(change, shots):
            writer.add_frame(shot.record, rgb=shot.rgb, ids=shot.ids)


# --- files


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _zeroed(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2] + bytes(len(content) - len(content) // 2))


def _largest(dataset: Dataset) -> Path:
    folder = dataset.folder / "items" / dataset.items[0]
    return max(folder.iterdir(), key=lambda path: path.stat().st_size)


def _swap(dataset: Dataset) -> None:
    a, b = (dataset.folder / "items" / item for item in dataset.items[:2])
    a.rename(a.with_name("x")), b.rename(a), a.with_name("x").rename(b)


def _manifest(dataset: Dataset) -> None:
    manifest = read_manifest(dataset.folder)
    items = {**manifest["items"], dataset.items[0]: "0" * 64}
    write_manifest(dataset.folder, {**manifest, "items": items})


FILES: dict[str, Callable[[Dataset], object]] = {
    "file cut": lambda d: _cut(_largest(d)),
    "file zeroed": lambda d: _zeroed(_largest(d)),
    "questions dropped": lambda d: write_rows(d.folder / "questions.parquet", d.questions[:-1]),
    "question twice": lambda d: sealed(d.folder, d.items, [*d.questions, d.questions[0]]),
    "recording gone": lambda d: shutil.rmtree(d.folder / "items" / d.items[0]),
    "recording too many": lambda d: shutil.copytree(
        d.folder / "items" / d.items[0], d.folder / "items" / "999999"
    ),
    "recordings swapped": _swap,
    "manifest": _manifest,
}


def tampered(fair: Dataset, kind: str, out: Path) -> bool:
    """Do one kind of harm to a copy; False where the set has nothing to do it to."""
    shutil.copytree(fair.folder, out)
    dataset = Dataset.open(out)
    first = out / "items" / dataset.items[0]
    if kind in FILES:
        FILES[kind](dataset)
        return True
    if kind in ROWS:
        rows = list(dataset.questions)
        for at, row in enumerate(rows):
            changed = ROWS[kind](row)
            if changed is not None:
                sealed(out, dataset.items, [*rows[:at], changed, *rows[at + 1 :]])
                return True
        return False
    recording = Recording.open(first)
    stored = recording.meta.get("pictures", "stored") == "stored"
    if kind == "events":
        if not any("center" in event.data for event in recording.events):
            return False
        rewrite(first, happen=_moved)
    elif kind in NEEDS and not (stored and (recording.has_ids or NEEDS[kind] == "rgb")):
        return False
    else:
        rewrite(first, FRAMES[kind])
    sealed(out, dataset.items, dataset.questions)
    return True


KINDS = (*ROWS, *FRAMES, "events", *FILES)


def try_all(folder: str) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "fair").mkdir()
        fair = two_of(Dataset.open(folder), Path(scratch) / "fair")
        false = check_dataset(fair).disagreements
        print(f"\n{folder}: {len(fair.questions)} questions; before: {len(false)} disagreements", flush=True)
        done, missed = 0, []
        for number, kind in enumerate(KINDS):
            out = Path(scratch) / str(number)
            if tampered(fair, kind, out):
                found = check_dataset(Dataset.open(out)).disagreements
                done += 1
                missed += [] if len(found) > len(false) else [kind]
            shutil.rmtree(out)
        print(f"{done} kinds, {done - len(missed)} found; missed: {', '.join(missed) or 'none'}", flush=True)


if __name__ == "__main__":
    for given in sys.argv[1:]:
        try_all(given)
