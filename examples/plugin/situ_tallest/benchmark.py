"""A benchmark: somebody turns round once in a room; which of three things reaches highest?"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

import numpy as np

import situ
from situ.plugins import (
    Benchmark,
    Candidate,
    FrameRecord,
    ObjectRecord,
    Protocol,
    QuestionRow,
    Recording,
    RecordingWriter,
    Renderer,
    Selector,
    TruthState,
    register,
    to_program,
    visible_objects,
)
from situ_tallest.question import Tallest

ROOMS, QUESTIONS_PER_ROOM, FRAMES = 100, 3, 12


@dataclass(frozen=True)
class TallestRecipe:
    scale: float = 1.0
    seed: int = 0
    width: int = 320
    benchmark: str = "tallest"

    def describe(self) -> dict[str, Any]:
        return asdict(self)

    def item_names(self) -> Sequence[str]:
        return [f"{number:05d}" for number in range(max(1, round(ROOMS * self.scale)))]

    def make_item(self, number: int, folder: Path) -> None:
        home = situ.home(seed=self.seed * 100_000 + number)
        x, y = home.plan.rooms[0].area.center[:2]
        camera = situ.Camera.from_fov(self.width, self.width * 3 // 4, 90)
        renderer = Renderer(home.scene, camera)
        shell = {thing.id for thing in home.scene.objects if thing.structural}
        meta = {"benchmark": self.benchmark}
        with RecordingWriter(folder, camera, fps=1, store_depth=True, scene=home.scene, meta=meta) as writer:
            for thing in home.objects:
                writer.add_object(ObjectRecord(thing.id, thing.category, thing.box, thing.attributes))
            for index in range(FRAMES):
                pose = situ.camera_pose((x, y, 1.6), yaw_deg=360.0 * index / FRAMES)
                frame = renderer.render(pose)
                seen = visible_objects(frame.ids, ignore=shell)
                record = FrameRecord(index, float(index), pose, "", seen)
                writer.add_frame(record, rgb=frame.rgb, depth=frame.depth, ids=frame.ids)

    def propose(self, number: int, recording: Recording) -> list[tuple[Candidate, QuestionRow]]:
        state = TruthState.of(recording)
        counts = Counter(view.category for view in state.objects())
        clear = {view.category for view in state.objects() if view.presence == 1.0}
        names = sorted(name for name in clear if counts[name] == 1)
        rng = np.random.default_rng([self.seed, number])
        found: list[tuple[Candidate, QuestionRow]] = []
        for three in combinations(names, 3):
            question = Tallest(tuple(Selector.make(str(name)) for name in rng.permutation(three)))
            answer = question.answer(state)
            if answer.margin < question.min_margin:
                continue
            label = str(question.options.index(answer.text))
            row = QuestionRow(
                "", self.item_names()[number], "tallest", question.text, question.options, answer.text,
                to_program(question), answer.margin, answer.evidence,
            )  # fmt: skip
            found.append((Candidate(number, len(found), "tallest", "all", label), row))
        return found

    def choose(self, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        """Up to three of each room, the place of the right option taken in turns."""
        rng = np.random.default_rng([self.seed, 1])
        chosen: list[Candidate] = []
        for number in range(len(self.item_names())):
            mine = [candidate for candidate in candidates if candidate.item == number]
            for turn in range(QUESTIONS_PER_ROOM):
                fitting = [c for c in mine if c.label == str((number + turn) % 3) and c not in chosen]
                if fitting:
                    chosen.append(fitting[int(rng.integers(len(fitting)))])
        return chosen


def make(
    scale: float = 1.0, seed: int = 0, width: Annotated[int, "Width of the pictures."] = 320
) -> TallestRecipe:
    """A turn on the spot in a furnished room: which of three things reaches highest?"""
    return TallestRecipe(scale, seed, width)


def check(recording: Recording, rows: Sequence[QuestionRow]) -> list[str]:
    """Keys derived anew from the boxes of what the frames show, without the question's program."""
    shown = {seen.object_id for frame in recording.frames for seen in frame.visible}
    tops = {recording.objects[number].category: recording.objects[number].box.top for number in shown}
    highest = {row.id: max(row.options, key=lambda name: tops[name]) for row in rows}
    return [
        f"{row.id}: key says '{row.answer}', the boxes say '{highest[row.id]}'"
        for row in rows
        if highest[row.id] != row.answer
    ]


register(
    Benchmark(
        Protocol(
            benchmark="tallest",
            title="Tallest",
            scene="You are shown {shown}, taken by somebody who turns round once in a room.",
        ),
        make,
        check,
    )
)
