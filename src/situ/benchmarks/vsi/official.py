"""The published questions of VSI-Bench with their videos: `<dataset>/<scene_name>.mp4`, also in ZIP files.

Where the boxes of the rooms are there (`scene_boxes.json`), they come along and `truth` can answer.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from situ.benchmarks.official.collection import Collection, Draft, gather
from situ.benchmarks.official.files import VIDEOS, SourceFiles
from situ.benchmarks.official.media import Video
from situ.benchmarks.vsi.reader import BOXES, PublishedQuestion
from situ.benchmarks.vsi.recipe import published_row
from situ.benchmarks.vsi.score import CHOICE_TYPES, NUMBER_TYPES
from situ.errors import BadFormat, BadInput

HUB_ID = "nyu-visionx/VSI-Bench"
COLUMNS = ("id", "dataset", "scene_name", "question_type", "question", "ground_truth")


def read_official(files: SourceFiles, words_only: bool = False, split: str = "") -> Collection:
    """Choices and numbers about rooms; ids are the published ones."""
    rooms = _rooms(files)

    def read(record: Mapping[str, Any], name: str, path: Path) -> Draft:
        dataset, scene = str(record["dataset"]), str(record["scene_name"])
        row = published_row(f"{dataset}-{scene}", _question(record))
        video = files.find(
            *(f"{dataset}/{scene}{suffix}" for suffix in VIDEOS), *(f"{scene}{suffix}" for suffix in VIDEOS)
        )
        room = rooms.get(dataset, {}).get(scene)
        meta = {"room": room} if room else {}
        media = Video(video) if video else None
        return Draft(row, media, lacking=f"{dataset}/{scene}.mp4", meta=meta)

    return gather("vsi", files, files.tables(COLUMNS, split), read, words_only)


def _question(record: Mapping[str, Any]) -> PublishedQuestion:
    missing = [column for column in COLUMNS if record.get(column) in (None, "")]
    if missing:
        raise BadInput(f"it lacks {', '.join(missing)}")
    kind, truth = str(record["question_type"]), str(record["ground_truth"])
    options = record.get("options")
    if kind not in (*CHOICE_TYPES, *NUMBER_TYPES):
        raise BadInput(f"its question_type '{kind}' is unknown")
    if kind in NUMBER_TYPES:
        try:
            float(truth)
        except ValueError as error:
            raise BadInput(f"its ground_truth '{truth}' is no number, {kind} needs one") from error
    elif not isinstance(options, (list, tuple)) or len(options) < 2:
        raise BadInput(f"its options are {options!r}; {kind} needs a list of two or more")
    choices = tuple(map(str, options or ())) if kind in CHOICE_TYPES else ()
    where = str(record["dataset"]), str(record["scene_name"])
    return PublishedQuestion(str(record["id"]), *where, kind, str(record["question"]), choices, truth)


def _rooms(files: SourceFiles) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for folder in files.folders(BOXES):
        try:
            content = json.loads((folder / BOXES).read_text(encoding="utf-8"))
            for dataset, scenes in content.items():
                found.setdefault(dataset, {}).update(scenes)
        except (OSError, ValueError, AttributeError) as error:
            raise BadFormat(
                f"{folder / BOXES} does not hold boxes by data set and scene ({error})"
            ) from error
    return found
