"""The SAW recipe: places, walks, pictures and questions."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from situ.benchmarks.balance import Candidate, Quota, choose_balanced
from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.making import check_making, check_rate
from situ.benchmarks.saw import candidates as fair
from situ.benchmarks.saw.affordance_film import affordance_film
from situ.benchmarks.saw.film import Film, route_film, standing_film
from situ.benchmarks.saw.memory_film import memory_film
from situ.benchmarks.saw.plan import PARTS, QUESTIONS, Shot, shots
from situ.errors import BadInput, Impossible
from situ.geometry.camera import Camera
from situ.questions.affordance import ACTIONS
from situ.questions.view import NO, YES
from situ.recording import FrameRecord, ObjectRecord, Recording, RecordingWriter, visible_objects
from situ.render import Renderer
from situ.state import TruthState
from situ.worlds.places import LAYOUTS, Place, make_place
from situ.worlds.scene import SceneObject

HORIZONTAL_FOV_DEG = 80.0
VARIATIONS = 20  # places that are tried when a walk finds no room


@dataclass(frozen=True)
class SawRecipe:
    """A SAW set. `scale` multiplies the published 786 videos and 2,071 questions.

    `part` makes one kind of video only; "probe" is the rotation probe, which "all" does not hold. `even`
    asks fewer shapes and directions, so that all their answers are equally frequent.
    """

    scale: float = 1.0
    seed: int = 0
    part: str = "all"
    even: bool = False
    width: int = 640
    height: int = 480
    fps: float = 15.0
    store_depth: bool = False
    benchmark: str = "saw"

    def __post_init__(self) -> None:
        check_making(self.scale, self.seed)
        if self.part not in PARTS:
            raise BadInput(f"unknown part '{self.part}' of SAW; choose one of {', '.join(PARTS)}")
        check_rate(self.fps, 1, 60)

    def describe(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def shots(self) -> tuple[Shot, ...]:
        return _shots(self.part, self.scale)

    def item_names(self) -> Sequence[str]:
        return [shot.name for shot in self.shots]

    @property
    def camera(self) -> Camera:
        return Camera.from_fov(self.width, self.height, HORIZONTAL_FOV_DEG)

    def build(self, number: int) -> Film:
        """An item without any pixels. A place without room for the shot is varied until it has."""
        shot = self.shots[number]
        makers = {
            "route": route_film,
            "probe": route_film,
            "standing": standing_film,
            "memory": memory_film,
            "affordance": affordance_film,
        }
        for variation in range(VARIATIONS):
            rng = self._rng(number, "film", variation)
            try:
                return makers[shot.kind](self._place(shot, variation), shot, self.fps, rng)
            except Impossible as error:
                reason = error
        raise Impossible(f"{shot.name}: none of {VARIATIONS} places had room. {reason}")

    def make_item(self, number: int, folder: Path) -> None:
        film, shot = self.build(number), self.shots[number]
        with RecordingWriter(
            folder,
            self.camera,
            images="video",
            fps=self.fps,
            store_depth=self.store_depth,
            scene=film.takes[0].scene,
            meta={
                "benchmark": "saw",
                "key": shot.name,
                "video_id": shot.video_id,
                "place": film.place.name,
                "layout": shot.layout,
                "indoor": film.place.indoor,
                **film.notes,
            },
        ) as writer:
            floor = film.place.scene.objects[0]
            named = [thing for thing in film.place.scene.objects if not thing.structural or thing is floor]
            for thing in named:
                writer.add_object(_record(thing))
            for event in film.events:
                writer.add_event(event)
            self._write_frames(writer, film, {thing.id for thing in named})

    def _write_frames(self, writer: RecordingWriter, film: Film, named: set[int]) -> None:
        index = 0
        for take in film.takes:
            renderer = Renderer(take.scene, self.camera)
            ignored = {thing.id for thing in take.scene.objects} - named
            for time, pose in zip(take.path.times, take.path.poses, strict=True):
                frame = renderer.render(pose)
                seen = visible_objects(frame.ids, ignored)
                depth = frame.depth if self.store_depth else None
                record = FrameRecord(index, float(time), pose, visible=seen)
                writer.add_frame(record, rgb=frame.rgb, depth=depth, ids=frame.ids)
                index += 1

    def propose(self, number: int, recording: Recording) -> list[tuple[Candidate, QuestionRow]]:
        rng = self._rng(number, "questions", 0)
        asking = fair.Asking(self.shots[number], self.part, self.scale, self.seed, recording, rng)
        return fair.propose(number, asking, TruthState.of(recording))

    def choose(self, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        """All of them, but for affordances, of which each action and answer is asked equally often."""
        chosen: list[Candidate] = []
        for task in QUESTIONS:
            mine = [candidate for candidate in candidates if candidate.task == task]
            quota = self._quota(task, mine)
            rng = np.random.default_rng([self.seed, 2, *task.encode()])
            chosen += mine if quota is None else _at_most(choose_balanced(mine, quota, rng), quota.total)
        return chosen

    def _quota(self, task: str, candidates: Sequence[Candidate]) -> Quota | None:
        if task == "affordance":
            total = max(1, round(QUESTIONS[task] * self.scale))
            actions = dict.fromkeys(ACTIONS, 1 / len(ACTIONS))
            answers = {f"{answer} {place}": 0.25 for answer in (YES, NO) for place in (0, 1)}
            return Quota(total, actions, answers, per_item=2)
        if not self.even or task not in ("shape", "direction"):
            return None
        strata = Counter(candidate.stratum for candidate in candidates)
        labels = sorted({candidate.label for candidate in candidates})
        shares = {stratum: count / len(candidates) for stratum, count in strata.items()}
        return Quota(len(candidates), shares, {label: 1 / len(labels) for label in labels}, per_item=3)

    def _place(self, shot: Shot, variation: int) -> Place:
        """All shots of one place and variation share it; memory and affordance videos have their own."""
        own = {"memory": 1, "affordance": 2, "probe": 3}.get(shot.kind, 0)
        layout = list(LAYOUTS).index(shot.layout)
        key = [self.seed, 0, own, layout, shot.variation, variation]
        return make_place(shot.layout, np.random.default_rng(key))

    def _rng(self, number: int, purpose: str, variation: int) -> np.random.Generator:
        return np.random.default_rng(
            [self.seed, 1 if purpose == "film" else 3, number, variation, *self.part.encode()]
        )


def _record(thing: SceneObject) -> ObjectRecord:
    return ObjectRecord(thing.id, thing.category, thing.box, thing.attributes)


def _at_most(chosen: Sequence[Candidate], total: int) -> list[Candidate]:
    """Drop what rounding added beyond the total, always from the fullest cell and the commonest label."""
    kept = list(chosen)
    while len(kept) > total:
        cells = Counter((c.stratum, c.label) for c in kept)
        labels = Counter(c.label for c in kept)
        fullest = max(cells, key=lambda cell: (cells[cell], labels[cell[1]], cell))
        kept.remove(max(c for c in kept if (c.stratum, c.label) == fullest))
    return kept


@lru_cache(maxsize=8)
def _shots(part: str, scale: float) -> tuple[Shot, ...]:
    return shots(part, scale)
