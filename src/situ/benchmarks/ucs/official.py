"""Reading the public records of UCS-Bench, in both of their schemas. A bad record costs itself, not the file.

(a) QAs/<video>-mcq.json, a list for each video: qid, video_uid, question, question_timestamps,
    options {letter: text}, answer_label, answer, qtype, category, subcategory, evidence; without
    options it is an open question
(b) JSON lines: video_uid, query_timestamp, question, options ["A. ..."], answer_idx, dimension
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from situ.benchmarks.clock import read_time
from situ.benchmarks.dataset import Json, QuestionRow
from situ.benchmarks.official.collection import Collection, Draft, gather
from situ.benchmarks.official.fields import read_key, read_options, read_spans
from situ.benchmarks.official.files import VIDEOS, SourceFiles
from situ.benchmarks.official.media import Video
from situ.errors import BadInput

HUB_ID = "cocowy1/UCS-Bench"
KINDS = {0: "OPEN", 2: "BINARY"}  # of records that do not say so, by the number of options
FOLDER = "QAs"  # of the published lists, beside the videos
COLUMNS = ("question", "question_timestamps|query_timestamp")
Spans = tuple[tuple[float, float], ...]


def read_official(
    files: SourceFiles, words_only: bool = False, split: str = "", fps: float | None = None
) -> Collection:
    """Questions with options, key, time and evidence. `fps` is that of times which count frames."""

    def read(record: Mapping[str, Any], name: str, path: Path) -> Draft:
        row, spans = _row(record, name, path, fps)
        video = files.find(*(f"{row.item}{suffix}" for suffix in VIDEOS))
        return Draft(row, Video(video) if video else None, spans, f"{row.item}.mp4")

    return gather("ucs", files, files.tables(COLUMNS, split), read, words_only)


def _row(record: Mapping[str, Any], name: str, path: Path, fps: float | None) -> tuple[QuestionRow, Spans]:
    text = str(record.get("question") or "").strip()
    if not text:
        raise BadInput("it has no question")
    given = record.get("options")
    options = read_options(given) if given else {}
    answer = read_key(record, options) if options else str(record.get("answer") or "").strip()
    when = record.get("question_timestamps", record.get("query_timestamp"))
    time = read_time(when[-1] if isinstance(when, list) and when else when, fps)
    spans = read_spans(record.get("evidence"), fps)
    subtask = str(record.get("subcategory") or record.get("dimension") or "")
    strata: dict[str, Json] = {
        "category": str(record.get("category") or ""),
        "subcategory": subtask,
        "qtype": str(record.get("qtype") or KINDS.get(len(options), "OTHER")),
        "since_start_s": time,
        **_ages(spans, time),
    }
    video, choices = _video_of(record, path), tuple(options.values())
    return QuestionRow(name, video, subtask, text, choices, answer, {}, 0.0, (), time, strata), spans


def _ages(spans: Spans, asked: float) -> dict[str, Json]:
    """How old the evidence is when it is asked for, and how long it lasts."""
    if not spans:
        return {}
    start, end = min(start for start, _ in spans), max(end for _, end in spans)
    if end >= asked:
        raise BadInput(f"it is asked at {asked:g} s, before its evidence ends")
    return {"evidence_age_s": asked - end, "evidence_span_s": end - start}


def _video_of(record: Mapping[str, Any], path: Path) -> str:
    """The video that a record names, or that its file is named after."""
    video = re.sub(r"-mcq$", "", str(record.get("video_uid") or ""))
    if not video and path.parent.name == FOLDER:
        video = path.stem.removesuffix("-mcq")
    if not video:
        raise BadInput("it names no video (video_uid)")
    return video
