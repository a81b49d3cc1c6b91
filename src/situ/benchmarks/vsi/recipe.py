"""The published questions of VSI-Bench as a question set: one item per annotated room.

The rooms come as boxes without video, so an item has one frame and no picture: `truth` answers from the
boxes, and what needs no picture can be measured.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from situ.benchmarks.balance import Candidate
from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.vsi.parse import option_text, parse
from situ.benchmarks.vsi.reader import BOXES, Collection, PublishedQuestion, read_vsi, room_from_annotation
from situ.benchmarks.vsi.room import AnnotatedRoom
from situ.errors import BadFormat, BadInput
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.questions import to_program
from situ.recording import FrameRecord, Recording, RecordingWriter

_NO_CAMERA = Camera.from_fov(640, 480, 60.0)  # a recording needs one; no frame was taken with it


@dataclass(frozen=True)
class VsiRecipe:
    """`source` is a folder with the published questions and boxes."""

    source: Path
    benchmark: str = "vsi"

    @cached_property
    def collection(self) -> Collection:
        return read_vsi(self.source)

    @cached_property
    def _keys(self) -> list[tuple[str, str]]:
        asked = {question.room for question in self.collection.questions}
        keys = sorted(key for key in self.collection.rooms if key in asked)
        if not keys:
            raise BadInput(f"{self.source} has no question about a room whose boxes are there")
        return keys

    def describe(self) -> dict[str, Any]:
        return {"source": self.source.resolve().name, "rooms": len(self._keys)}

    def item_names(self) -> Sequence[str]:
        return [f"{dataset}-{scene}" for dataset, scene in self._keys]

    def make_item(self, number: int, folder: Path) -> None:
        dataset, scene = self._keys[number]
        annotation = json.loads((self.source / BOXES).read_text(encoding="utf-8"))[dataset][scene]
        meta = {"benchmark": "vsi", "room": annotation}
        with RecordingWriter(folder, _NO_CAMERA, images="none", meta=meta) as writer:
            writer.add_frame(FrameRecord(0, 0.0, camera_pose((0.0, 0.0, 1.5), 0.0)))

    def propose(self, number: int, recording: Recording) -> list[tuple[Candidate, QuestionRow]]:
        name, key = self.item_names()[number], self._keys[number]
        found: list[tuple[Candidate, QuestionRow]] = []
        for question in self.collection.questions:
            if question.room == key:
                row = published_row(name, question)
                found.append((Candidate(number, len(found), row.task, "", row.answer), row))
        return found

    def choose(self, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        return candidates


def annotated_room(recording: Recording) -> AnnotatedRoom | None:
    """The room of an item, where the recording is one; None for recordings of another kind."""
    annotation = recording.meta.get("room")
    return room_from_annotation(recording.folder.name, annotation) if isinstance(annotation, dict) else None


def published_row(item: str, question: PublishedQuestion) -> QuestionRow:
    """A published question as a row; `item` is the room that it is about."""
    options = tuple(option_text(option) for option in question.options)
    try:
        program = to_program(parse(question.question_type, question.text, question.options))
    except BadFormat:  # a wording that is not known can still be asked
        program = {}
    return QuestionRow(
        id=f"{item}-{question.id}",
        item=item,
        task=question.question_type,
        text=question.text,
        options=options,
        answer=_key(question, options),
        program=program,
        margin=0.0,
        evidence=(),
        strata={"dataset": question.dataset},
    )


def _key(question: PublishedQuestion, options: tuple[str, ...]) -> str:
    if not options:
        return question.ground_truth
    place = ord(question.ground_truth.strip().upper()[:1] or " ") - ord("A")
    if not 0 <= place < len(options):
        raise BadFormat(
            f"VSI-Bench question {question.id}: the answer '{question.ground_truth}' is none of its options"
        )
    return options[place]
