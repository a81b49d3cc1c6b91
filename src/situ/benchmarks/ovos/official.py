"""Reading the published table of OVO-S-Bench: one Parquet file, one record for a question and its moments.

id, video_path, level, task_subcategory, task_type_name, source_dataset, question, options as pairs of label
and content, query_times in seconds, evidence_times as spans of seconds, answers as labels: one for each
moment, the last one going on where there are fewer. Options may be pictures; those questions are refused.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.official.collection import Collection, Draft, gather
from situ.benchmarks.official.fields import read_options, read_spans
from situ.benchmarks.official.files import SourceFiles
from situ.benchmarks.official.media import Video
from situ.errors import BadInput

HUB_ID = "JoeLeelyf/OVO-S-Bench"
COLUMNS = ("question", "options", "query_times", "answers")
PICTURE = "data:image"


def read_official(files: SourceFiles, words_only: bool = False, split: str = "") -> Collection:
    """Questions with options, key, moment and evidence; what is asked at several moments is as many rows."""
    tables = (
        (path, [part for n, record in enumerate(records, 1) for part in _moments(record, f"{path.stem}-{n}")])
        for path, records in files.tables(COLUMNS, split)
    )

    def read(record: Mapping[str, Any], name: str, path: Path) -> Draft:
        row, spans = _row(record, name)
        video = files.find(str(record.get("video_path")))
        return Draft(row, Video(video) if video else None, spans, str(record.get("video_path")))

    return gather("ovos", files, tables, read, words_only)


def _moments(record: Any, name: str) -> Iterator[Any]:
    """A record for each moment of asking; one that breaks the form goes on as it is, to be refused."""
    if not isinstance(record, Mapping):
        yield record
        return
    times, answers = record.get("query_times"), record.get("answers")
    if not (isinstance(times, list) and times and isinstance(answers, list) and answers):
        yield record
        return
    name = str(record.get("id") or name)
    for place, time in enumerate(times):
        label = answers[min(place, len(answers) - 1)]
        own = f"{name}-{place + 1}" if len(times) > 1 else name
        yield {**record, "id": own, "query_time": time, "answer": label}


def _row(record: Mapping[str, Any], name: str) -> tuple[QuestionRow, tuple[tuple[float, float], ...]]:
    if "query_time" not in record:
        raise BadInput("it has no moment of asking (query_times) or no answer (answers)")
    pairs = record.get("options")
    if isinstance(pairs, (list, tuple)):
        pairs = {str(label): content for label, content in pairs}
    if isinstance(pairs, Mapping) and any(str(text).startswith(PICTURE) for text in pairs.values()):
        raise BadInput("its options are pictures, and options here are words")
    options = read_options(pairs)
    label, time = str(record["answer"]).strip().upper(), float(record["query_time"])
    if label not in options:
        raise BadInput(f"its answer {label!r} is not one of its options ({', '.join(options)})")
    spans = tuple(span for span in read_spans(record.get("evidence_times")) if span[0] <= time)
    strata: dict[str, str | float] = {
        "level": f"L{record.get('level')}",
        "source": str(record.get("source_dataset") or ""),
        "type": str(record.get("task_type_name") or ""),
        "since_start_s": time,
    }
    if spans:
        strata["evidence_age_s"] = max(0.0, time - max(end for _, end in spans))
        strata["evidence_span_s"] = max(end for _, end in spans) - min(start for start, _ in spans)
    task = str(record.get("task_subcategory") or record.get("task_main_category") or "all")
    row = QuestionRow(
        name,
        str(record.get("video_path") or record.get("video_id") or ""),
        task,
        str(record.get("question") or "").strip(),
        tuple(options.values()),
        options[label],
        {},
        0.0,
        (),
        time,
        strata,
    )  # fmt: skip
    if not row.item:
        raise BadInput("it names no video (video_path)")
    return row, spans
