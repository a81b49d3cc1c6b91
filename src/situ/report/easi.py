"""A run as the files that the EASI leaderboard takes: those of VLMEvalKit and those of lmms-eval.

MODEL_SET_extract_matching.xlsx   VLMEvalKit: a line for each question, with what was read of its reply
MODEL_SET_acc.csv                 VLMEvalKit: figures
TIME_results.json                 lmms-eval: figures and settings
TIME_samples_SET.jsonl            lmms-eval: a line for each question
"""

import csv
import hashlib
import io
import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from situ.benchmarks.dataset import QuestionRow
from situ.errors import Refused
from situ.evaluation.records.answer import AnswerRecord
from situ.evaluation.runs.run_folder import Run
from situ.evaluation.runs.summary import Summary, summarise
from situ.recording.staging import StagedFolder

EASI = "easi"
Cell = str | float | int | None
MRA = "MRA:.5:.95:.05"  # VLMEvalKit's name of the mean relative accuracy
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PARTS = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.'
    'spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
    "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
    'officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
    'relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/'
    'relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    "xl/workbook.xml": '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>'
    '<sheet name="ALL" sheetId="1" r:id="r1"/></sheets></workbook>',
}
_SHEET = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'


def write_easi(runs: Sequence[Run], folder: Path) -> tuple[Path, ...]:
    """The four files of each run, in one new folder."""
    if folder.exists():
        raise Refused(f"{folder} is there already; choose another --out")
    files: dict[str, bytes] = {}
    for run in runs:
        files.update({name: content for name, content in _files(run).items() if name not in files})
    if len(files) < 4 * len(runs):
        raise Refused("two of these runs are of the same model and set; give one of them")
    staged = StagedFolder(folder)
    try:
        for name, content in files.items():
            (staged.work / name).write_bytes(content)
    except BaseException:
        staged.discard()
        raise
    staged.commit()
    return tuple(folder / name for name in files)


def _files(run: Run) -> dict[str, bytes]:
    dataset = run.dataset()
    rows = {row.id: row for row in dataset.questions} if dataset else {}
    summary = summarise(run.protocol, run.records, tuple(rows.values()))
    model, about = _safe(str(run.card["who"])), _safe(Path(str(run.card["dataset"])).name)
    stem, when = f"{model}_{about}", _safe(str(run.card.get("started", "")).replace(":", "")) or "run"
    lines = [_line(number, record, rows.get(record.id)) for number, record in enumerate(run.records)]
    return {
        f"{stem}_extract_matching.xlsx": _workbook(lines),
        f"{stem}_acc.csv": _accuracies(summary),
        f"{stem}_{when}_results.json": _told(_results(run, summary, about)).encode(),
        f"{stem}_{when}_samples_{about}.jsonl": "".join(
            f"{_told(_sample(number, record, rows.get(record.id)), None)}\n"
            for number, record in enumerate(run.records)
        ).encode(),
    }


def _line(number: int, record: AnswerRecord, row: QuestionRow | None) -> dict[str, Cell]:
    """A line of VLMEvalKit's table: choices have a hit, numbers a mean relative accuracy."""
    number_asked = row is not None and not row.options
    options = {chr(ord("A") + n): text for n, text in enumerate(row.options if row else ())}
    letters = {text: letter for letter, text in options.items()}
    return {
        "index": number,
        "question_type": record.task,
        "task_type": "NA" if number_asked else "MCQ",
        "prediction": record.reply,
        "pred_extracted": letters.get(record.claim or "", record.claim),
        "answer": letters.get(record.key, record.key),
        "hit": None if number_asked else record.points,
        MRA: record.points if number_asked else None,
        "id": record.id,
        "question": row.text if row else None,
        "candidates": json.dumps(list(options.values()), ensure_ascii=False) if options else None,
        "status": record.status.value,
    }


def _accuracies(summary: Summary) -> bytes:
    text = io.StringIO()
    scores = [summary.overall, *summary.tasks]
    writer = csv.writer(text)
    writer.writerow(["overall", *(f"{score.name}_accuracy" for score in summary.tasks)])
    writer.writerow([f"{100 * score.value:.4f}" for score in scores])
    return text.getvalue().encode()


def _results(run: Run, summary: Summary, task: str) -> dict[str, Any]:
    """lmms-eval's file of figures: one task, with the score and those of its kinds of question."""
    scores = {"overall": summary.overall, **{score.name: score for score in summary.tasks}}
    settings = {key: value for key, value in run.card.items() if isinstance(value, (str, int, float, bool))}
    return {
        "results": {
            task: {"alias": task, **{f"{_safe(name)},none": score.value for name, score in scores.items()}}
        },
        "configs": {task: {"task": task, "metadata": [{"version": run.card.get("situ", "")}]}},
        "versions": {task: run.card.get("situ", "")},
        "n-samples": {task: {"original": summary.overall.questions, "effective": summary.overall.questions}},
        "model_source": "situ",
        "model_name": run.card["who"],
        "config": settings,
        "formula": summary.formula,
    }


def _sample(number: int, record: AnswerRecord, row: QuestionRow | None) -> dict[str, Any]:
    said = {"id": record.id, "question": row.text, "options": list(row.options)} if row else {"id": record.id}
    return {
        "doc_id": number,
        "input": said,
        "target": record.key,
        "resps": [record.reply],
        "filtered_resps": [record.claim],
        "doc_hash": hashlib.sha256(_told(said, None).encode()).hexdigest(),
        "points": record.points,
        "task": record.task,
        "status": record.status.value,
    }


def _workbook(lines: Sequence[Mapping[str, Cell]]) -> bytes:
    """A spreadsheet of one sheet; its numbers are numbers and its texts stand in their cells."""
    heads: list[Cell] = list(lines[0]) if lines else []
    rows = [heads, *(list(line.values()) for line in lines)]
    sheet = (
        _SHEET
        + "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
        + "</sheetData></worksheet>"
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**_PARTS, "xl/worksheets/sheet1.xml": sheet}.items():
            archive.writestr(zipfile.ZipInfo(name), f'<?xml version="1.0" encoding="UTF-8"?>{content}')
    return file.getvalue()


def _cell(value: Cell) -> str:
    if value is None:
        return "<c/>"
    if isinstance(value, (int, float)):
        return f"<c><v>{value}</v></c>"
    text = escape(_NO_XML.sub("", value)[:32_767])  # what a cell holds at most
    return f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def _told(data: object, indent: int | None = 2) -> str:
    return json.dumps(data, indent=indent, ensure_ascii=False, sort_keys=indent is None)


def _safe(name: str) -> str:
    return re.sub(r"[^\w.-]+", "_", name).strip("_.")
