"""The public data set: its records as question rows, and rows and answers in its shape.

A record has question, options, ground_truth, answer (from 0), key ("<scene>_<video id>"), scene_category,
task and id; (task, id) is unique. The video of a record is key + ".mp4".
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.official.collection import Collection, Draft, gather
from situ.benchmarks.official.files import VIDEOS, SourceFiles
from situ.benchmarks.official.media import Video
from situ.benchmarks.official.records import StoredFile, StoredPictures
from situ.benchmarks.saw.parse import plain
from situ.benchmarks.saw.plan import QUESTIONS
from situ.errors import BadInput
from situ.questions import PositionInPlace, ReversePlan, RouteDirection, RouteShape, Selector, to_program

HUB_ID = "ucsbai/SAW-Bench"
# The tasks as the paper writes them.
TITLES = {
    "Self-Localization": "localization",
    "Relative Direction": "direction",
    "Route Shape": "shape",
    "Reverse Route Plan": "revplan",
    "Spatial Memory": "memory",
    "Spatial Affordance": "affordance",
}
COLUMNS = ("question", "options", "ground_truth", "answer", "key", "scene_category", "task", "id")
_STARTS = r"(?:start|initial|begin|first)"
_ENDS = r"(?:end|final|last|current|finish)"
# Where one stands: "from my viewpoint at the beginning", "relative to the end", else "standing at the start".
_STANDS = tuple(rf"\b(?:{words})\b[^,?.]*?\b(?:({_STARTS})|{_ENDS})" for words in ("from|relative to", "at"))


def read_official(files: SourceFiles, words_only: bool = False, split: str = "") -> Collection:
    """Question rows of the public data set with their videos."""

    def read(record: Mapping[str, Any], name: str, path: Path) -> Draft:
        row = _row(record)
        held, video = record.get("video"), files.find(*(f"{row.item}{suffix}" for suffix in VIDEOS))
        if video is None and isinstance(held, StoredPictures):
            return Draft(row, Video(StoredFile(held.path, held.row, held.column)))
        return Draft(row, Video(video) if video else None, lacking=f"{row.item}.mp4")

    return gather("saw", files, files.tables(COLUMNS, split), read, words_only)


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
        raise BadInput(f"it lacks {', '.join(missing)}")
    if not isinstance(record["options"], (list, tuple)) or len(record["options"]) < 2:
        raise BadInput("its options are no list of two or more")
    options = tuple(str(option) for option in record["options"])
    answer, given = record["answer"], str(record["task"])
    known = {
        _letters(name): task for name, task in (*TITLES.items(), *zip(QUESTIONS, QUESTIONS, strict=True))
    }
    task = known.get(_letters(given), "")
    if not task:
        raise BadInput(f"its task '{given}' is unknown; SAW has {', '.join(TITLES)} ({', '.join(QUESTIONS)})")
    if not isinstance(answer, int) or not 0 <= answer < len(options):
        raise BadInput(f"its answer {answer!r} does not number one of its {len(options)} options")
    if options[answer] != record["ground_truth"]:
        raise BadInput(f"its option {answer} is '{options[answer]}', not '{record['ground_truth']}'")
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


def _letters(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.lower())


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
        stands = next(filter(None, (re.search(words, text, re.IGNORECASE) for words in _STANDS)), None)
        if stands:
            return to_program(RouteDirection("start" if stands[1] else "end"))
    return {}
