"""Reading VSI-Bench: published questions (JSON lines) and annotated boxes (JSON by dataset and scene)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from situ.benchmarks.vsi.room import AnnotatedRoom
from situ.errors import BadFormat, BadInput, SituError
from situ.geometry.oriented import OrientedBox
from situ.state.protocol import ObjectView

QUESTIONS, BOXES = "questions.jsonl", "scene_boxes.json"
Key = tuple[str, str]  # dataset, scene


@dataclass(frozen=True)
class PublishedQuestion:
    """One row of the benchmark."""

    id: str
    dataset: str
    scene: str
    question_type: str
    text: str
    options: tuple[str, ...]
    ground_truth: str

    @property
    def room(self) -> Key:
        return self.dataset, self.scene


@dataclass(frozen=True)
class Collection:
    """Rooms and questions, and what had to be left out with the reason."""

    rooms: Mapping[Key, AnnotatedRoom]
    questions: tuple[PublishedQuestion, ...]
    skipped: tuple[str, ...] = ()


def read_vsi(folder: str | Path) -> Collection:
    """Read a folder with `questions.jsonl` and `scene_boxes.json`."""
    folder = Path(folder)
    skipped: list[str] = []
    rooms = _read_rooms(folder / BOXES, skipped)
    questions = _read_questions(folder / QUESTIONS, skipped)
    return Collection(rooms, tuple(questions), tuple(skipped))


def room_from_annotation(name: str, data: Mapping[str, Any]) -> AnnotatedRoom:
    """One scene of the boxes file. Axes are stored row by row; heights point up along z."""
    views: list[ObjectView] = []
    for category, boxes in data["object_bbox"].items():
        for box in boxes:
            axes = [float(value) for value in box["normalizedAxes"]]
            oriented = OrientedBox(
                _vec3(box["centroid"]),
                _vec3(box["axesLengths"]),
                0.0,
                (_vec3(axes[0:3]), _vec3(axes[3:6]), _vec3(axes[6:9])),
            )
            views.append(ObjectView(len(views) + 1, category.strip().lower(), oriented))
    tallies = {name.strip().lower(): int(n) for name, n in data.get("object_counts", {}).items()}
    area, center = data.get("room_size"), data.get("room_center")
    return AnnotatedRoom(
        name,
        tuple(views),
        tallies,
        None if area is None else float(area),
        None if center is None else _vec3(center),
    )


def _read_rooms(path: Path, skipped: list[str]) -> dict[Key, AnnotatedRoom]:
    try:
        data = json.loads(_text(path))
    except json.JSONDecodeError as error:
        raise BadFormat(f"{path} is not JSON ({error}); it was cut short or edited") from error
    rooms = {}
    for dataset, scenes in data.items():
        for scene, annotation in scenes.items():
            try:
                rooms[dataset, scene] = room_from_annotation(scene, annotation)
            except (SituError, KeyError, TypeError, ValueError) as error:
                skipped.append(f"{path}, scene {scene}: {type(error).__name__}: {error}")
    return rooms


def _read_questions(path: Path, skipped: list[str]) -> list[PublishedQuestion]:
    questions = []
    for number, line in enumerate(_text(path).splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            questions.append(
                PublishedQuestion(
                    str(row["id"]),
                    str(row["dataset"]),
                    str(row["scene_name"]),
                    str(row["question_type"]),
                    str(row["question"]),
                    tuple(row.get("options") or ()),
                    str(row["ground_truth"]),
                )
            )
        except (KeyError, TypeError, ValueError) as error:
            skipped.append(f"{path}, line {number}: {type(error).__name__}: {error}")
    return questions


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}. Give the folder that holds it") from error


def _vec3(values: Any) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in values)
    return x, y, z
