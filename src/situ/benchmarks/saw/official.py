"""The public data set: its records as question rows, and rows and answers in its shape.

A record has question, options, ground_truth, answer (from 0), key ("<scene>_<video id>"), scene_category,
task and id; (task, id) is unique. The video of a record is key + ".mp4".
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.saw.parse import plain
from situ.benchmarks.saw.plan import QUESTIONS
from situ.errors import BadFormat, BadInput, MissingExtra
from situ.questions import PositionInPlace, ReversePlan, RouteDirection, RouteShape, Selector, to_program

HUB_ID = "ucsbai/SAW-Bench"
COLUMNS = ("question", "options", "ground_truth", "answer", "key", "scene_category", "task", "id")
_STARTS = r"(?:start|initial|begin|first)"
_ENDS = r"(?:end|final|last|current|finish)"
_FROM = r"(?:from|relative to|at|standing at|facing as at)\s+(?:your|the|its)?\s*"


def read_official(source: str | Path = HUB_ID) -> tuple[QuestionRow, ...]:
    """Question rows of the public data set, from a folder of JSON, JSONL or Parquet files or from the hub."""
    folder = Path(source)
    if folder.is_dir():
        records = [record for file in _data_files(folder) for record in _records_of(file)]
    elif folder.exists() or str(source).count("/") != 1:
        raise BadInput(f"{source} is neither a folder nor a hub data set such as {HUB_ID}")
    else:
        records = list(_from_hub(str(source)))
    rows = tuple(_row(record) for record in records)
    repeated = [key for key, count in Counter(row.id for row in rows).items() if count > 1]
    if repeated:
        raise BadFormat(f"{source}: task and id must be unique, but {repeated[0]} is there more than once")
    return rows


def video_file(row: QuestionRow, folder: str | Path) -> Path:
    """The video that a row is about, in a folder of the data set's videos or below it."""
    name = f"{row.item}.mp4"
    found = sorted(Path(folder).rglob(name))
    if not found:
        raise BadInput(f"{folder} holds no {name}; download the data set's videos and give their folder")
    return found[0]


def official_records(rows: Iterable[QuestionRow]) -> list[dict[str, Any]]:
    """Rows of any SAW set in the shape of the public data set."""
    counts: Counter[str] = Counter()
    records = []
    for row in rows:
        records.append(
            {
                "question": row.text,
                "options": list(row.options),
                "ground_truth": row.answer,
                "answer": row.options.index(row.answer),
                "key": row.item,
                "scene_category": str(row.strata.get("setting", "")),
                "task": row.task,
                "id": counts[row.task],
            }
        )
        counts[row.task] += 1
    return records


def official_results(
    rows: Sequence[QuestionRow], replies: Mapping[str, str], chosen: Mapping[str, int | None]
) -> list[dict[str, Any]]:
    """One record per question with the raw reply, the option read from it (None: none) and the score."""
    results = []
    for row, record in zip(rows, official_records(rows), strict=True):
        choice = chosen.get(row.id)
        results.append(
            {
                **record,
                "response": replies.get(row.id, ""),
                "prediction": None if choice is None else chr(ord("A") + choice),
                "correct": choice == record["answer"],
            }
        )
    return results


def matching_option(answer: str, options: Sequence[str]) -> str | None:
    """The option that says the same as an answer, whatever its spelling; None if there is not exactly one."""
    wanted = _words(answer)
    same = [option for option in options if _words(option) == wanted]
    return same[0] if len(same) == 1 else None


def _words(text: str) -> str:
    known = plain(text)
    for suffix in (" path", " trajectory", " route", " line", " shaped", " shape"):
        known = known.removesuffix(suffix)
    return known.replace("forward", "front").replace("backward", "back")


def _row(record: Mapping[str, Any]) -> QuestionRow:
    missing = [column for column in COLUMNS if column not in record]
    if missing:
        raise BadFormat(f"a SAW record lacks {', '.join(missing)}; it has {', '.join(sorted(record))}")
    options = tuple(str(option) for option in record["options"])
    answer, task = record["answer"], str(record["task"])
    where = f"{task} {record['id']}"
    if task not in QUESTIONS:
        raise BadFormat(f"{where}: unknown task; SAW has {', '.join(QUESTIONS)}")
    if not isinstance(answer, int) or not 0 <= answer < len(options):
        raise BadFormat(f"{where}: answer {answer!r} does not number one of its {len(options)} options")
    if options[answer] != record["ground_truth"]:
        raise BadFormat(f"{where}: option {answer} is '{options[answer]}', not '{record['ground_truth']}'")
    key = str(record["key"])
    video_id = key.rpartition("_")[2]
    return QuestionRow(
        id=f"{task}-{record['id']}",
        item=key,
        task=task,
        text=str(record["question"]),
        options=options,
        answer=options[answer],
        program=program_of(task, str(record["question"]), options),
        margin=0.0,
        evidence=(),
        strata={
            "setting": str(record["scene_category"]),
            "video_id": int(video_id) if video_id.isdigit() else video_id,
        },
    )


def program_of(task: str, text: str, options: tuple[str, ...]) -> dict[str, Any]:
    """The program behind a published question, as far as its words tell; empty where they do not."""
    if task == "shape":
        return to_program(RouteShape())
    if task == "revplan":
        return to_program(ReversePlan(choices=options))
    if task == "localization":
        place = re.search(r"of the ([\w\s-]+?)\s*\?", text)
        return to_program(PositionInPlace(Selector(place[1]))) if place else {}
    if task == "direction":
        from_start = re.search(_FROM + _STARTS, text, re.IGNORECASE)
        from_end = re.search(_FROM + _ENDS, text, re.IGNORECASE)
        if bool(from_start) != bool(from_end):
            return to_program(RouteDirection("start" if from_start else "end"))
    return {}


def _data_files(folder: Path) -> list[Path]:
    files = sorted(file for ending in ("parquet", "jsonl", "json") for file in folder.rglob(f"*.{ending}"))
    if not files:
        raise BadInput(f"{folder} holds no .parquet, .jsonl or .json file with SAW questions")
    return files


def _records_of(file: Path) -> Iterator[Mapping[str, Any]]:
    try:
        if file.suffix == ".parquet":
            yield from pq.read_table(file).to_pylist()
        elif file.suffix == ".jsonl":
            yield from (json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip())
        else:
            content = json.loads(file.read_text("utf-8"))
            yield from content if isinstance(content, list) else [content]
    except (ValueError, OSError, pa.ArrowException) as error:
        raise BadFormat(f"{file} cannot be read as SAW questions ({error})") from error


def _from_hub(name: str) -> Iterator[Mapping[str, Any]]:
    try:
        import datasets
    except ImportError as error:
        raise MissingExtra("hub", "reading data sets from the hub") from error
    try:
        splits = datasets.load_dataset(name)
    except Exception as error:  # the library raises many kinds, network errors among them
        raise BadInput(
            f"{name} could not be read from the hub ({error}). Download it and give its folder"
        ) from error
    for split in splits.values():
        yield from split
