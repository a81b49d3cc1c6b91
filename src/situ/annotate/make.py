"""Creation of a queue from videos and recordings, from question records, or from a set with a truth."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from situ.annotate.annotation import TYPES, Annotation, changed
from situ.annotate.perspective import person_of
from situ.annotate.sources import Opened, look_at, save, words_only
from situ.annotate.store import Store
from situ.annotate.training import Truth, keep_truth
from situ.authoring.items import Item, read_items
from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.benchmarks.official.collection import Problem
from situ.benchmarks.official.files import VIDEOS
from situ.benchmarks.official.names import safe_name
from situ.benchmarks.official.records import TABLES, read_records
from situ.benchmarks.question_types import BINARY, COUNT, OTHER
from situ.errors import BadInput
from situ.recording.layout import METADATA

_RECORDS = (".json", ".jsonl", ".csv", ".tsv")
Report = Callable[[str, int, int], None]
_UNDERSTOOD = (
    "qid", "video_uid", "question", "question_timestamps", "options", "answer_label", "answer", "qtype",
    "category", "subcategory", "task_difficulty", "evidence",
)  # fmt: skip


def make_queue(
    sources: Sequence[Path],
    out: Path,
    memories: Mapping[str, Path] | None = None,
    training: bool = False,
    report: Report | None = None,
) -> tuple[Store, list[Problem]]:
    """Create a queue; also returns the records that could not be used.

    `memories` answer drafts, by source name; "" applies to all. With `training`, sources are sets whose
    questions have a truth.
    """
    notify = report or (lambda stage, done, total: None)
    made = _Making(out, dict(memories or {}))
    for number, source in enumerate(sources):
        notify("sources", number, len(sources))
        if training or (source / "manifest.json").is_file():
            made.take_set(Dataset.open(source), training)
        elif source.suffix.lower() in TABLES and source.is_file():
            made.take_records(source)
        elif source.is_dir() and not (source / METADATA).is_file():
            made.take_folder(source)
        else:
            made.take_media(source)
    notify("sources", len(sources), len(sources))
    if not made.opened:
        raise BadInput(
            "nothing to annotate: give a video, a recording, a file of questions, or a set; a folder of "
            "pictures becomes a recording with `situ import auto FOLDER -o RECORDING`"
        )
    store = Store.create(out, {"training": training})
    try:
        save(store, list(made.opened.values()))
        store.add_many(made.items, "", "import")
        keep_truth(store, made.truths)
    except BaseException:
        store.close()
        out.unlink(missing_ok=True)
        raise
    return store, made.problems


class _Making:
    def __init__(self, out: Path, memories: dict[str, Path]) -> None:
        self._out, self._memories = out, memories
        self.opened: dict[str, Opened] = {}
        self.items: list[Annotation] = []
        self.truths: list[Truth] = []
        self.problems: list[Problem] = []

    def take_media(self, path: Path) -> str:
        name = safe_name(path.name if path.is_dir() else path.stem)
        memory = self._memories.get(name, self._memories.get(""))
        if memory is not None and not memory.is_file():
            raise BadInput(f"there is no memory at {memory}; make one with `situ watch`")
        found = look_at(path, self._out, memory)
        known = self.opened.get(found.source.name)
        if known is not None and known.source.print != found.source.print and known.source.path:
            raise BadInput(f"two sources are called {found.source.name}; rename one of them")
        style = known.source.style if known is not None else ""
        self.opened[found.source.name] = replace(found, source=replace(found.source, style=style))
        return found.source.name

    def take_folder(self, folder: Path) -> None:
        """Videos, recordings and record files in one folder, media first."""
        inside = sorted(folder.rglob("*"))
        for path in inside:
            inner = (path.parent / METADATA).is_file()  # file inside a recording
            if (path / METADATA).is_file() or (path.suffix.lower() in VIDEOS and not inner):
                self.take_media(path)
        for path in inside:
            inner = (path.parent / METADATA).is_file()
            if path.suffix.lower() in _RECORDS and not inner:
                self.take_records(path)

    def take_records(self, file: Path) -> None:
        """Questions of a file: about a given source, one next to the file, or text only."""
        items, problems = read_items(file)
        self.problems += problems
        raw = {str(r.get("qid") or r.get("id")): r for r in read_records(file) if isinstance(r, Mapping)}
        style = style_of(file)
        used = {item.id for item in self.items}
        for item in items:
            if item.id in used:
                self.problems.append(Problem(item.id, "its id was used before"))
                continue
            used.add(item.id)
            source = self._source_of(item.source or file.stem, file, style)
            try:
                self.items.append(_annotation(item, source, raw.get(item.id, {})))
            except BadInput as error:
                self.problems.append(Problem(item.id, str(error)))

    def _source_of(self, name: str, file: Path, style: str) -> str:
        safe = safe_name(name)
        if safe not in self.opened:
            beside = [
                path for folder in (file.parent, file.parent / "videos") for suffix in VIDEOS
                if (path := folder / f"{safe}{suffix}").is_file()
            ]  # fmt: skip
            if beside:
                self.take_media(beside[0])
            else:
                self.opened[safe] = words_only(safe)
        known = self.opened[safe]
        self.opened[safe] = replace(known, source=replace(known.source, style=known.source.style or style))
        return safe

    def take_set(self, dataset: Dataset, training: bool) -> None:
        for item, rows in dataset.by_item():
            recording = dataset.recording(item)
            name = self.take_media(recording.folder)
            times = recording.path.times
            for row in rows:
                truth = _of_row(row, name, times)
                self.truths += [Truth(truth.id, truth.answer, truth.spans)] if training else []
                self.items.append(replace(truth, answer="", spans=()) if training else truth)


def _annotation(item: Item, source: str, raw: Mapping[str, Any]) -> Annotation:
    change = {
        "question": item.question, "answer": item.answer, "time": item.time, "spans": item.spans,
        "category": item.category, "subcategory": item.subcategory, "options": item.options,
        "qtype": item.qtype if item.qtype in TYPES else OTHER, "person": person_of(item.question),
        "difficulty": str(raw.get("task_difficulty") or ""),
    }  # fmt: skip
    # The original record is kept, so that unchanged items are exported as imported.
    record = {"record": dict(raw)} if set(raw) & {"qid", "video_uid"} else {}
    return replace(changed(Annotation(item.id, source), change), extra=record)


def _of_row(row: QuestionRow, source: str, times: np.ndarray) -> Annotation:
    category = str(row.strata.get("category") or row.task)
    qtype = str(row.strata.get("qtype") or (BINARY if len(row.options) == 2 else OTHER))
    if not row.options and row.answer.strip().isdigit():
        qtype = COUNT
    change = {
        "question": row.text[:500], "answer": row.answer[:300], "spans": spans_of(row.evidence, times),
        "time": float(times[-1]) if row.time is None else row.time, "category": category,
        "subcategory": str(row.strata.get("subcategory") or row.task), "options": row.options,
        "qtype": qtype if qtype in TYPES else OTHER, "person": person_of(row.text),
    }  # fmt: skip
    return changed(Annotation(row.id, source), change)


def spans_of(frames: Sequence[int], times: np.ndarray) -> list[tuple[float, float]]:
    """Frames as spans of seconds; neighbours are merged."""
    spans: list[list[int]] = []
    for frame in sorted(f for f in frames if 0 <= f < len(times)):
        if spans and frame == spans[-1][1] + 1:
            spans[-1][1] = frame
        else:
            spans.append([frame, frame])
    return [(float(times[a]), float(times[b])) for a, b in spans[:64]]


STYLES = {  # layouts of record files; the first is that of the published ones
    "2": {"indent": 2, "ensure_ascii": False}, "4": {"indent": 4, "ensure_ascii": False},
    "2a": {"indent": 2}, "4a": {"indent": 4}, "0": {"ensure_ascii": False}, "0a": {},
}  # fmt: skip


def style_of(file: Path) -> str:
    """Layout that reproduces a JSON file, with "n" if it ends with a newline; "" if none does."""
    if file.suffix.lower() != ".json":
        return ""
    text = file.read_text(encoding="utf-8")
    data = json.loads(text)
    for name, options in STYLES.items():
        if json.dumps(data, **options) == text.rstrip("\n"):  # type: ignore[arg-type]
            return name + ("n" if text.endswith("\n") else "")
    return ""
