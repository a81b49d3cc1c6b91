"""The SAW recipe: places, walks, pictures and questions."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from situ.benchmarks.balance import Candidate
from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.naming import item_numbers
from situ.benchmarks.options import check_making, check_rate, check_size
from situ.benchmarks.saw import candidates as fair
from situ.benchmarks.saw.affordance_film import affordance_film
from situ.benchmarks.saw.film import Film, route_film, standing_film
from situ.benchmarks.saw.memory_film import memory_film
from situ.benchmarks.saw.plan import PARTS, QUESTIONS, Shot, shots
from situ.benchmarks.saw.routes import draw_seconds
from situ.benchmarks.saw.wording import in_published_words
from situ.errors import BadInput, Impossible
from situ.geometry.camera import Camera
from situ.recording import FrameRecord, ObjectRecord, Recording, visible_objects
from situ.recording.quantization import quantized_pose, quantized_scene
from situ.recording.world_writer import WorldWriter
from situ.rendering import Renderer
from situ.state import TruthState
from situ.worlds.places import LAYOUTS, Place, make_place
from situ.worlds.scene import SceneObject

HORIZONTAL_FOV_DEG = 80.0
PURPOSES = ("", "film", "length", "questions")
VARIATIONS = 20  # places that are tried when a walk finds no room


@dataclass(frozen=True)
class SawRecipe:
    """A SAW set. `scale` multiplies the published 2,071 questions, which take 1,611 videos.

    `part` makes some kinds of video only; "probe" is the rotation probe, which "all" does not hold. With
    `compat` questions are in the published words, which leave the frame of reference to the reader.
    """

    scale: float = 1.0
    seed: int = 0
    part: str = "all"
    width: int = 640
    height: int = 480
    fps: float = 15.0
    store_depth: bool = False
    compat: bool = False
    benchmark: str = "saw"

    def __post_init__(self) -> None:
        check_making(self.scale, self.seed)
        if self.part not in PARTS:
            raise BadInput(f"unknown part '{self.part}' of SAW; choose one of {', '.join(PARTS)}")
        check_rate(self.fps, 1, 60)
        check_size(self.width, self.height)

    def describe(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def shots(self) -> tuple[Shot, ...]:
        return shots(self.part, self.scale, self.seed)

    def item_names(self) -> Sequence[str]:
        return item_numbers(len(self.shots), self.seed, self.benchmark)

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
        # The length is settled before anything else, so that no walk is longer for its shape.
        seconds = draw_seconds(self.fps, self._rng(number, "length", 0))
        for variation in range(VARIATIONS):
            rng = self._rng(number, "film", variation)
            try:
                return makers[shot.kind](self._place(shot, variation), shot, self.fps, seconds, rng)
            except Impossible as error:
                reason = error
        raise Impossible(f"video {number}: none of {VARIATIONS} places had room. {reason}")

    def make_item(self, number: int, folder: Path) -> None:
        film, shot = self.build(number), self.shots[number]
        with WorldWriter(
            folder,
            self.camera,
            images="video",
            fps=self.fps,
            store_depth=self.store_depth,
            scene=film.place.scene,  # with what appears later: events say from when on it is there
            meta={
                "benchmark": "saw",
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

    def _write_frames(self, writer: WorldWriter, film: Film, named: set[int]) -> None:
        index = 0
        for take in film.takes:
            renderer = Renderer(quantized_scene(take.scene), self.camera)
            ignored = {thing.id for thing in take.scene.objects} - named
            for time, pose in zip(take.path.times, map(quantized_pose, take.path.poses), strict=True):
                frame = renderer.render(pose)
                seen = visible_objects(frame.ids, ignored)
                depth = frame.depth if self.store_depth else None
                record = FrameRecord(index, float(time), pose, visible=seen)
                writer.add_frame(record, rgb=frame.rgb, depth=depth, ids=frame.ids)
                index += 1

    def propose(self, number: int, recording: Recording) -> list[tuple[Candidate, QuestionRow]]:
        rng = self._rng(number, "questions", 0)
        asking = fair.Asking(self.shots[number], self.item_names()[number], recording, rng)
        proposed = fair.propose(number, asking, TruthState.of(recording))
        return [(one, in_published_words(row)) for one, row in proposed] if self.compat else proposed

    def choose(self, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        """All of them, but for affordances: of the two of each video some are left out by lot."""
        chosen = [candidate for candidate in candidates if candidate.task != "affordance"]
        found = [candidate for candidate in candidates if candidate.task == "affordance"]
        total = min(len(found), max(1, round(QUESTIONS["affordance"] * self.scale)))
        order = np.random.default_rng([self.seed, 2, *b"affordance"]).permutation(len(found))
        return sorted([*chosen, *(found[int(i)] for i in order[:total])])

    def _place(self, shot: Shot, variation: int) -> Place:
        """Every shot has a place of its own: what is known of one place says nothing about another."""
        layout = list(LAYOUTS).index(shot.layout)
        key = [self.seed, 0, layout, shot.number, variation, *shot.task.encode()]
        return make_place(shot.layout, np.random.default_rng(key))

    def _rng(self, number: int, purpose: str, variation: int) -> np.random.Generator:
        return np.random.default_rng(
            [self.seed, PURPOSES.index(purpose), number, variation, *self.part.encode()]
        )


def _record(thing: SceneObject) -> ObjectRecord:
    return ObjectRecord(thing.id, thing.category, thing.box, thing.attributes)
