"""The recipe of narrative sets: tours of small homes at two frames a second, and VSI-type questions."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from situ.benchmarks.balance import Candidate, Quota, choose_balanced
from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.disjoint.recipe import FOV_DEG, write_tour
from situ.benchmarks.disjoint.spans import VISIBILITY
from situ.benchmarks.naming import item_numbers
from situ.benchmarks.narratives.candidates import TASKS, labels_of, propose
from situ.benchmarks.options import check_making, check_rate, check_size
from situ.geometry.camera import Camera
from situ.geometry.path import Path as Walk
from situ.recording import FrameRecord, ObjectRecord, Recording, visible_objects
from situ.recording.quantization import quantized_pose, quantized_scene
from situ.recording.world_writer import WorldWriter
from situ.rendering import Renderer
from situ.state import TruthState
from situ.worlds.homes import Home, HomeSpec, build_home
from situ.worlds.tours import tour

ITEMS, QUESTIONS = 50, 198
# As in the multiple-choice part of VSI-Bench tiny: 50 directions, 50 distances, 49 orders, 49 routes.
SHARES = {
    "object_rel_direction_easy": 17 / 198,
    "object_rel_direction_medium": 17 / 198,
    "object_rel_direction_hard": 16 / 198,
    "object_rel_distance": 50 / 198,
    "obj_appearance_order": 49 / 198,
    "route_planning": 49 / 198,
}
ROOMS = (4, 5)
THINGS_PER_ROOM = (8, 12)


@dataclass(frozen=True)
class NarrativeRecipe:
    """`scale` multiplies the number of tours and of questions.

    Without `pictures` a tour notes only what each frame shows: enough for narratives and readers of text.
    """

    scale: float = 1.0
    seed: int = 0
    width: int = 640
    height: int = 480
    fps: float = 2.0
    pictures: bool = True
    benchmark: str = "sns"

    def __post_init__(self) -> None:
        check_making(self.scale, self.seed)
        check_rate(self.fps, 0.5, 30)
        check_size(self.width, self.height)

    def describe(self) -> dict[str, Any]:
        return asdict(self)

    def item_names(self) -> Sequence[str]:
        return item_numbers(max(1, round(ITEMS * self.scale)), self.seed, self.benchmark)

    @property
    def camera(self) -> Camera:
        return Camera.from_fov(self.width, self.height, FOV_DEG)

    def build(self, number: int) -> tuple[Home, Walk]:
        """The home and the tour of an item, without any pixels."""
        rng = self._rng(number, 0)
        rooms = int(rng.integers(ROOMS[0], ROOMS[1] + 1))
        things = round(rooms * float(rng.uniform(*THINGS_PER_ROOM)))
        home = build_home(HomeSpec(rooms, things), rng)
        return home, tour(home, rng, self.fps)

    def make_item(self, number: int, folder: Path) -> None:
        home, walk = self.build(number)
        if self.pictures:
            write_tour(folder, home, walk, self.camera, self.fps)
        else:
            write_unseen_tour(folder, home, walk, self.camera, self.fps)

    def propose(self, number: int, recording: Recording) -> list[tuple[Candidate, QuestionRow]]:
        state = TruthState.of(recording, VISIBILITY)
        return propose(number, self.item_names()[number], state, self._rng(number, 1))

    def choose(self, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        total = max(len(TASKS), round(QUESTIONS * len(self.item_names()) / ITEMS))
        chosen: list[Candidate] = []
        for task, share in SHARES.items():
            rng = np.random.default_rng([self.seed, 2, *task.encode()])
            found = [c for c in candidates if c.task == task]
            quota = Quota(max(1, round(total * share)), {"all": 1.0}, labels_of(task), per_item=4)
            chosen += choose_balanced(found, quota, rng)
        return sorted(chosen)

    def _rng(self, number: int, purpose: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, purpose, number, *b"narratives"])


def write_unseen_tour(folder: Path, home: Home, walk: Walk, camera: Camera, fps: float) -> None:
    """A tour as a recording without pictures: where the camera was and what it had in view."""
    renderer = Renderer(quantized_scene(home.scene), camera)
    shell = {thing.id for thing in home.scene.objects if thing.structural}
    meta = {"benchmark": "sns", "visibility": asdict(VISIBILITY)}
    with WorldWriter(folder, camera, images="none", fps=fps, scene=home.scene, meta=meta) as writer:
        for thing in home.objects:
            writer.add_object(ObjectRecord(thing.id, thing.category, thing.box, thing.attributes))
        for index, pose in enumerate(map(quantized_pose, walk.poses)):
            ids, _ = renderer.render_ids(pose)
            seen = visible_objects(ids, ignore=shell)
            writer.add_frame(FrameRecord(index, float(walk.times[index]), pose, "", seen))
