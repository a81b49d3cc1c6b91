"""Exports of a queue: validated items in the public schema, as a question set, and the log of changes."""

import json
import math
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from situ.annotate.annotation import VALIDATED, Annotation
from situ.annotate.make import STYLES
from situ.annotate.sources import RECORDING, VIDEO, WORDS, Media
from situ.annotate.store import Store
from situ.authoring.logic import normal
from situ.benchmarks.clock import read_time
from situ.benchmarks.dataset import Dataset, Json, QuestionRow, write_atomically
from situ.benchmarks.make import Progress, make_dataset
from situ.benchmarks.official import media
from situ.benchmarks.official.collection import Collection, Draft, Item
from situ.benchmarks.official.fields import LETTERS, read_spans
from situ.benchmarks.official.files import MediaFile
from situ.benchmarks.official.recipe import ImportedRecipe
from situ.errors import BadInput, Refused
from situ.recording import Recording
from situ.recording.layout import VIDEO as VIDEO_FILE
from situ.recording.video import VideoWriter

BENCHMARK = "ucs"
_MICRO = 1_000_000  # microseconds per second


def validated(store: Store) -> list[Annotation]:
    found = [s.annotation for s in store.all() if s.annotation.status == VALIDATED]
    if not found:
        raise BadInput(
            f"nothing in {store.path.name} is validated yet; accept items on the refine page first"
        )
    return found


def records(store: Store) -> dict[str, list[dict[str, Any]]]:
    """Validated items by source as public records. Unchanged records are exported as imported."""
    places = Media(store)
    found: dict[str, list[dict[str, Any]]] = {}
    for item in validated(store):
        found.setdefault(item.source, []).append(_record(item, places.get(item.source).start_s))
    return found


def public_files(store: Store) -> dict[str, bytes]:
    """One file per source, name and bytes, in the layout of the imported file."""
    places = Media(store)
    files = {}
    for source, rows in records(store).items():
        style = places.get(source).style or "2n"
        text = json.dumps(rows, **STYLES[style.rstrip("n")])  # type: ignore[arg-type]
        files[f"{source}.json"] = (text + ("\n" if style.endswith("n") else "")).encode()
    return files


def export_public(store: Store, out: Path, with_media: bool = False, force: bool = False) -> list[Path]:
    """Write the public files, optionally with the videos, so that they can be imported again."""
    files = public_files(store)
    _fresh(out, force)
    written = []
    for name, content in files.items():
        write_atomically(out / name, content)
        written.append(out / name)
    places = Media(store)
    for name in files if with_media else ():
        written += _video(places, name.removesuffix(".json"), out / "videos")
    return written


def export_set(
    store: Store, out: Path, fps: float | None = None, force: bool = False, progress: Progress | None = None
) -> Dataset:
    """Export a question set with recordings and `questions.parquet`, for evaluation."""
    places = Media(store)
    drafts, items = [], {}
    for item in validated(store):
        source = places.get(item.source)
        path = places.path(item.source) if source.kind != WORDS else None
        found: media.Media | None = None
        if source.kind == VIDEO and path is not None:
            found = media.Video(MediaFile(path))
        elif source.kind == RECORDING and path is not None:
            found = media.Stored(path)
        spans = tuple((_at(start, math.floor), _at(end, math.ceil)) for start, end in item.spans)
        drafts.append(Draft(_row(item), found, spans, item.source))
        items[item.source] = Item(item.source, found)
    collection = Collection(BENCHMARK, tuple(items[name] for name in sorted(items)), tuple(drafts))
    return make_dataset(ImportedRecipe(collection, store.path.stem, fps), out, 1, force, progress)


def export_log(store: Store, out: Path, force: bool = False) -> int:
    """Write all changes, one JSON object per line."""
    lines = store.log()
    if out.exists() and not force:
        raise Refused(f"{out} exists; choose another --out or give --force")
    write_atomically(out, "".join(json.dumps(vars(line)) + "\n" for line in lines).encode())
    return len(lines)


def _record(item: Annotation, start_s: float) -> dict[str, Any]:
    letters = {LETTERS[i]: option for i, option in enumerate(item.options)}
    label = next(k for k, option in letters.items() if normal(option) == normal(item.answer))
    time = 0.0 if item.time is None else item.time - start_s
    spans = [(start - start_s, end - start_s) for start, end in item.spans]
    new = {
        "qid": item.id,
        "video_uid": item.source,
        "question": item.question,
        "question_timestamps": stamp(time, math.ceil),
        "options": letters,
        "answer_label": label,
        "answer": letters[label],
        "qtype": item.qtype,
        "category": item.category,
        "subcategory": item.subcategory,
        "task_difficulty": item.difficulty,
        "evidence": [[stamp(start, math.floor), stamp(end, math.ceil)] for start, end in spans],
    }
    came: Mapping[str, Any] = item.extra.get("record", {})
    if not came:
        return new
    kept = {
        name: came[name] if _same(name, came.get(name), value, item) else value for name, value in new.items()
    }
    added = {name: value for name, value in kept.items() if name not in came and value not in ("", [], {})}
    return {**{name: kept.get(name, value) for name, value in came.items()}, **added}


def _same(name: str, came: Any, value: Any, item: Annotation) -> bool:
    """Whether a field of the record is equal to the item, in any of its formats."""
    if came is None:
        return False
    try:
        if name == "video_uid":
            return bool(str(came).removesuffix("-mcq") == value)
        if name == "question_timestamps":
            return bool(read_time(came[-1] if isinstance(came, list) else came) == item.time)
        if name == "evidence":
            return bool(read_spans(came) == item.spans)
    except (BadInput, IndexError):
        return False
    if isinstance(came, str) and isinstance(value, str):
        return came.strip() == value
    return bool(came == value)


def _row(item: Annotation) -> QuestionRow:
    answer = next(option for option in item.options if normal(option) == normal(item.answer))
    ends = [end for _, end in item.spans]
    time = 0.0 if item.time is None else item.time
    strata: dict[str, Json] = {
        "category": item.category, "subcategory": item.subcategory, "qtype": item.qtype,
        "since_start_s": time, "label": item.label, "memory_draft": item.draft is not None,
    }  # fmt: skip
    if ends:
        strata["evidence_age_s"] = time - max(ends)
        strata["evidence_span_s"] = max(ends) - min(start for start, _ in item.spans)
    return QuestionRow(
        item.id, item.source, item.subcategory, item.question, item.options, answer, {}, 0.0, (), time, strata
    )


def _at(seconds: float, towards: Any) -> float:
    """Round to a microsecond, away from the frames inside, so that no frame at an edge is lost."""
    near = round(seconds * _MICRO)
    exact = abs(near / _MICRO - seconds) < 1e-9
    return float((near if exact else towards(seconds * _MICRO)) / _MICRO)


def stamp(seconds: float, towards: Any) -> str:
    """Format a time as "00:01:30", with up to six decimals."""
    micro = round(_at(max(0.0, seconds), towards) * _MICRO)
    whole, rest = divmod(micro, _MICRO)
    text = f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}"
    return f"{text}.{rest:06d}".rstrip("0") if rest else text


def _video(places: Media, name: str, folder: Path) -> list[Path]:
    """The source as a video file: linked or copied, or written if it is a recording."""
    source = places.get(name)
    if source.kind == WORDS:
        return []
    folder.mkdir(parents=True, exist_ok=True)
    path = places.path(name)
    if source.kind == RECORDING and (path / VIDEO_FILE).is_file():
        path = path / VIDEO_FILE
    out = folder / f"{name}{path.suffix if path.is_file() else '.mp4'}"
    if path.is_file():
        partial = out.with_name(f".{out.name}.partial")
        partial.unlink(missing_ok=True)
        try:
            os.link(path, partial)
        except OSError:
            shutil.copyfile(path, partial)
        os.replace(partial, out)
        return [out]
    recording = Recording.open(path)
    writer = VideoWriter(out, recording.camera.width, recording.camera.height)
    for time, picture in zip(recording.path.times.tolist(), recording.images(), strict=True):
        writer.add(picture, time)
    writer.close()
    return [out]


def _fresh(out: Path, force: bool) -> None:
    if out.exists() and any(out.iterdir()) and not force:
        raise Refused(f"{out} is not empty; choose another --out or give --force")
    out.mkdir(parents=True, exist_ok=True)
