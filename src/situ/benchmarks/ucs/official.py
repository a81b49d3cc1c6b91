"""Reading the public records of UCS-Bench, in both of their schemas. A bad record costs itself, not the file.

(a) per video a JSON list: qid, video_uid, question, question_timestamps, options {letter: text},
    answer_label, answer, qtype, category, subcategory, evidence
(b) JSON lines: video_uid, query_timestamp, question, options ["A. ..."], answer_idx, dimension
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from situ.benchmarks.clock import read_time
from situ.benchmarks.dataset import Json, QuestionRow
from situ.errors import BadFormat, BadInput

_LETTER = re.compile(r"\s*\(?([A-Za-z])[).:]\s*(.*)", re.DOTALL)
_SPAN = re.compile(r"\s*(.+?)\s*(?:-|–|to|,)\s*(.+?)\s*")


@dataclass(frozen=True)
class Problem:
    """What is wrong with one record."""

    id: str
    what: str


@dataclass(frozen=True)
class OfficialSet:
    """The questions of a file, and what was wrong with the records that were left out."""

    rows: tuple[QuestionRow, ...]
    problems: tuple[Problem, ...]


def read_official(
    path: Path, fps: float | None = None, lengths: Mapping[str, float] | None = None
) -> OfficialSet:
    """Questions with options, key and time. `lengths` are those of the videos in seconds, where known."""
    rows: list[QuestionRow] = []
    problems: list[Problem] = []
    seen: set[str] = set()
    for number, record in enumerate(read_json_records(path), 1):
        name = f"record {number}"
        try:
            if not isinstance(record, Mapping):
                raise BadInput("it is not a JSON object")
            name = str(record.get("qid") or record.get("id") or name)
            row = _row(record, name, fps)
            if row.id in seen:
                raise BadInput("its id was used before")
            length = (lengths or {}).get(row.item)
            if length is not None and row.time is not None and row.time > length:
                raise BadInput(f"it is asked at {row.time:g} s, but the video lasts {length:g} s")
        except BadInput as error:
            problems.append(Problem(name, str(error)))
            continue
        seen.add(row.id)
        rows.append(row)
    return OfficialSet(tuple(rows), tuple(problems))


def read_json_records(path: Path) -> Iterator[Any]:
    """The records of a JSON file (a list, or lists by video) or of JSON lines."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadFormat(f"{path} is not UTF-8 text ({error.reason})") from error
    if path.suffix.lower() in (".jsonl", ".ndjson"):
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                yield _parsed(line, f"{path}, line {number}")
        return
    data = _parsed(text, str(path))
    if isinstance(data, Mapping):
        lists = [value for value in data.values() if isinstance(value, list)]
        data = [record for some in lists for record in some] if lists else [data]
    if not isinstance(data, list):
        raise BadFormat(f"{path} must hold a list of records, got {type(data).__name__}")
    yield from data


def read_spans(value: object, fps: float | None = None) -> tuple[tuple[float, float], ...]:
    """Evidence as spans of seconds: [[a, b], ...], {"start": a, "end": b}, or "00:01:00-00:01:10"."""
    if value in (None, "", [], {}):
        return ()
    if isinstance(value, Mapping):
        return (_span(value.get("start"), value.get("end"), fps),)
    if isinstance(value, str):
        parts = [part for part in re.split(r"[;\n]", value) if part.strip()]
        spans = []
        for part in parts:
            match = _SPAN.fullmatch(part)
            start, end = match.groups() if match else (part, part)
            spans.append(_span(start, end, fps))
        return tuple(spans)
    if isinstance(value, (list, tuple)):
        if len(value) == 2 and not any(isinstance(v, (list, tuple, Mapping)) for v in value):
            return (_span(value[0], value[1], fps),)
        return tuple(span for part in value for span in read_spans(part, fps))
    raise BadInput(f"evidence {value!r} cannot be read; write [[start, end], ...] in seconds or HH:MM:SS")


def _span(start: object, end: object, fps: float | None) -> tuple[float, float]:
    first, last = read_time(start, fps), read_time(end, fps)
    if last < first:
        raise BadInput(f"an evidence span ends before it starts ({first:g} s to {last:g} s)")
    return first, last


def _row(record: Mapping[str, Any], name: str, fps: float | None) -> QuestionRow:
    text = str(record.get("question") or "").strip()
    if not text:
        raise BadInput("it has no question")
    options = read_options(record.get("options"))
    if len({option.lower() for option in options.values()}) != len(options):
        raise BadInput("two of its options are the same")
    answer = _key(record, options)
    when = record.get("question_timestamps", record.get("query_timestamp"))
    time = read_time(when[-1] if isinstance(when, list) and when else when, fps)
    spans = read_spans(record.get("evidence"), fps)
    if spans and max(end for _, end in spans) >= time:
        raise BadInput(f"it is asked at {time:g} s, before its evidence ends")
    video = re.sub(r"-mcq$", "", str(record.get("video_uid") or ""))
    if not video:
        raise BadInput("it names no video (video_uid)")
    subtask = str(record.get("subcategory") or record.get("dimension") or "")
    strata: dict[str, Json] = {
        "category": str(record.get("category") or ""),
        "subcategory": subtask,
        "qtype": str(record.get("qtype") or ("BINARY" if len(options) == 2 else "OTHER")),
        "since_start_s": time,
    }
    if spans:
        strata["evidence_age_s"] = time - max(end for _, end in spans)
        strata["evidence_span_s"] = max(end for _, end in spans) - min(start for start, _ in spans)
    return QuestionRow(name, video, subtask, text, tuple(options.values()), answer, {}, 0.0, (), time, strata)


def read_options(value: object) -> dict[str, str]:
    """Options by letter, from {letter: text} or ["A. text", ...]."""
    if isinstance(value, Mapping):
        found = {str(letter).strip().upper(): str(text).strip() for letter, text in value.items()}
    elif isinstance(value, list) and all(isinstance(text, str) for text in value):
        found = {}
        for place, text in enumerate(value):
            match = _LETTER.fullmatch(text)
            letter = chr(ord("A") + place)
            found[letter] = (
                match.group(2).strip() if match and match.group(1).upper() == letter else text.strip()
            )
    else:
        raise BadInput(f"its options are {type(value).__name__}; a list or an object of texts is needed")
    if len(found) < 2 or not all(found.values()):
        raise BadInput("it needs at least two options, none of them empty")
    return found


def _key(record: Mapping[str, Any], options: Mapping[str, str]) -> str:
    """The text of the right option, from whichever field says so; fields that disagree are an error."""
    letters = list(options)
    claims = set()
    if record.get("answer_label"):
        claims.add(options.get(str(record["answer_label"]).strip().upper(), ""))
    index = record.get("answer_idx")
    if isinstance(index, int) and not isinstance(index, bool):
        claims.add(options[letters[index]] if 0 <= index < len(letters) else "")
    elif isinstance(index, str) and index.strip():
        claims.add(options.get(index.strip().upper(), ""))
    if record.get("answer"):
        said = str(record["answer"]).strip()
        by_letter = options.get(said.upper(), "")
        claims.add(next((o for o in options.values() if o.lower() == said.lower()), by_letter))
    if not claims:
        raise BadInput("it has no answer")
    if len(claims) != 1 or "" in claims:
        raise BadInput(f"its answer is not one of its options, or its fields disagree ({sorted(claims)})")
    return claims.pop()


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise BadFormat(f"{where} is not JSON ({error})") from error
