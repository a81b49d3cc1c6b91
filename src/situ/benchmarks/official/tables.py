"""Plain tables of questions: a row, its options, its key, and the picture, pictures or video it is about.

SPBench, ViewSpatial-Bench, CV-Bench and CameraBench are such tables, and so are training sets in the form of
Video-R1 (SpaceR, SpatialLadder) and most of what labs make themselves.
The names under which they keep the same thing are listed here.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from situ.benchmarks.clock import read_time
from situ.benchmarks.dataset import Json, QuestionRow
from situ.benchmarks.official.collection import Collection, Draft, gather
from situ.benchmarks.official.fields import (
    LETTERS,
    first_of,
    read_key,
    read_options,
    read_spans,
    without_tags,
)
from situ.benchmarks.official.files import PICTURES, VIDEOS, SourceFiles
from situ.benchmarks.official.media import Media, Pictures, Video, picture_names
from situ.benchmarks.official.records import StoredFile, StoredPictures
from situ.benchmarks.question_types import CHOICES, NUMBERS, WORDS, is_number
from situ.errors import BadInput

ID = ("id", "idx", "index", "qid", "question_id", "problem_id", "uid")
QUESTION = ("question", "query", "problem")
OPTIONS = ("options", "choices", "candidates")
TASK = ("question_type", "problem_type", "task", "category", "type", "skill", "label_name")
PICTURE = ("image", "images", "image_path", "image_paths", "img", "filename", "frames")
VIDEO = ("video", "video_path", "video_name", "clip", "path")
SCENE = ("scene_name", "scene", "scene_id", "video_uid")
STRATA = ("source", "source_dataset", "dataset", "split", "difficulty", "l2-category")
# Names under which --map puts a column of a table that calls it something else.
COLUMNS = ("id", "question", "options", "answer", "task", "image", "video", "scene", "time", "evidence")
ANSWERS = "answer|answer_idx|answer_label|ground_truth|gt_answer|correct_answer|solution"


def read_table(
    files: SourceFiles,
    words_only: bool = False,
    split: str = "",
    benchmark: str = "table",
    prepared: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict,
) -> Collection:
    """Rows of any table with a question, an answer and something to look at, each prepared first."""

    def read(given: Mapping[str, Any], name: str, path: Path) -> Draft:
        record = prepared(given)
        media, item, lacking = _media(record, files)
        return Draft(_row(record, name, item), media, read_spans(record.get("evidence")), lacking)

    return gather(benchmark, files, files.tables(("|".join(QUESTION), ANSWERS), split), read, words_only)


def _row(record: Mapping[str, Any], name: str, item: str) -> QuestionRow:
    text = str(first_of(record, QUESTION) or "").strip()
    if not text:
        raise BadInput("it has no question")
    given = first_of(record, OPTIONS)
    if given is None:
        given = {letter: record[letter] for letter in LETTERS if record.get(letter) not in (None, "")}
    options = read_options(given) if given else {}
    if options:
        answer = read_key(record, options)
    else:
        answer = str(without_tags(first_of(record, tuple(ANSWERS.split("|")))) or "").strip()
        if not answer:
            raise BadInput("it has no answer")
    strata: dict[str, Json] = {
        key: str(record[key]) for key in STRATA if isinstance(record.get(key), (str, int))
    }
    strata["answer_kind"] = CHOICES if options else NUMBERS if is_number(answer) else WORDS
    time = record.get("time", record.get("query_timestamp"))
    return QuestionRow(
        str(first_of(record, ID) if first_of(record, ID) is not None else name),
        item,
        str(first_of(record, TASK) or "all"),
        text,
        tuple(options.values()),
        answer,
        {},
        0.0,
        (),
        None if time in (None, "") else read_time(time),
        strata,
    )


def _media(record: Mapping[str, Any], files: SourceFiles) -> tuple[Media | None, str, str]:
    """What the row is about, a name for it, and what was looked for."""
    film = record.get("video")
    if isinstance(film, StoredPictures):
        held = StoredFile(film.path, film.row, film.column)
        return Video(held), held.name, "the video stored with the question"
    names = _picture_names(record)
    stored = next((record[n] for n in PICTURE if isinstance(record.get(n), StoredPictures)), None)
    if stored is not None:
        about = names[0] if names else f"{stored.path.stem}-{stored.row}"
        return Pictures(stored=stored), about, "pictures stored with the questions"
    if names and not names[0].lower().endswith(VIDEOS):
        found = [files.find(name) for name in names]
        missing = next((name for name, file in zip(names, found, strict=True) if file is None), "")
        return (None if missing else Pictures(tuple(f for f in found if f))), "+".join(names), missing
    return _video(record, names, files)


def _picture_names(record: Mapping[str, Any]) -> list[str]:
    names = [name for field in PICTURE for name in picture_names(record.get(field))]
    path = str(record.get("path"))
    return names or ([path] if path.lower().endswith(PICTURES) else [])


def _video(
    record: Mapping[str, Any], names: Sequence[str], files: SourceFiles
) -> tuple[Media | None, str, str]:
    clip = str(names[0] if names else first_of(record, VIDEO) or "")
    scene = str(first_of(record, SCENE) or "")
    if not clip and not scene:
        raise BadInput(f"it names nothing to look at; a column {', '.join((*PICTURE, *VIDEO))} is needed")
    wanted = [clip, *(f"{clip}{suffix}" for suffix in VIDEOS)] if clip else []
    wanted += [f"{scene}{suffix}" for suffix in VIDEOS] if scene else []
    video = files.find(*wanted)
    return (Video(video) if video else None), clip or scene, wanted[0]
