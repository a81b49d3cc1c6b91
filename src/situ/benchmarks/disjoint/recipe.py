"""The DISJOINT recipe: homes, tours, pictures and questions."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from situ.benchmarks.balance import Candidate
from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.disjoint.candidates import propose
from situ.benchmarks.disjoint.choose import choose_twins
from situ.benchmarks.disjoint.spans import VISIBILITY
from situ.benchmarks.naming import item_numbers
from situ.benchmarks.options import check_making, check_rate, check_size
from situ.geometry.camera import Camera
from situ.geometry.path import Path as Walk
from situ.recording import FrameRecord, ObjectRecord, Recording, visible_objects
from situ.recording.quantization import quantized_pose, quantized_scene
from situ.recording.world_writer import WorldWriter
from situ.rendering import Renderer
from situ.worlds.homes import Home, HomeSpec, build_home
from situ.worlds.tours import tour

SCENES, QUESTIONS = 1668, 5399
TASK_SHARES = {
    "relationship": 0.4,
    "distance": 0.2,
    "size_fit": 0.25,
    "description_list": 0.07,
    "description_use": 0.08,
}
PER_ITEM = {"relationship": 4, "distance": 3, "size_fit": 4, "description_list": 1, "description_use": 1}
ROOMS = (4, 9)
THINGS_PER_ROOM = (11, 15)
FOV_DEG = 80.0


@dataclass(frozen=True)
class DisjointRecipe:
    """`scale` multiplies the published numbers of scenes and questions.

    With `compat` the function of an object is asked openly, as published: its name gives the answer away.
    """

    scale: float = 1.0
    seed: int = 0
    width: int = 640
    height: int = 480
    fps: float = 1.0
    store_depth: bool = False
    compat: bool = False
    benchmark: str = "disjoint"

    def __post_init__(self) -> None:
        check_making(self.scale, self.seed)
        check_rate(self.fps, 0.2, 30)
        check_size(self.width, self.height)

    def describe(self) -> dict[str, Any]:
        return asdict(self)

    def item_names(self) -> Sequence[str]:
        return item_numbers(max(1, round(SCENES * self.scale)), self.seed, self.benchmark)

    @property
    def camera(self) -> Camera:
        return Camera.from_fov(self.width, self.height, FOV_DEG)

    def build(self, number: int) -> tuple[Home, Walk]:
        """The home and the tour of an item, without any pixels."""
        rng = self.rng(number, "world")
        rooms = int(rng.integers(ROOMS[0], ROOMS[1] + 1))
        things = round(rooms * float(rng.uniform(*THINGS_PER_ROOM)))
        home = build_home(HomeSpec(rooms, things), rng)
        return home, tour(home, rng, self.fps)

    def make_item(self, number: int, folder: Path) -> None:
        home, walk = self.build(number)
        write_tour(folder, home, walk, self.camera, self.fps, self.store_depth)

    def propose(self, number: int, recording: Recording) -> list[tuple[Candidate, QuestionRow]]:
        return _proposed(self, number, str(recording.folder), recording.content_hash())

    @property
    def total(self) -> int:
        """How many questions are wanted of the whole set."""
        return round(QUESTIONS * len(self.item_names()) / SCENES)

    def choose(self, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        total = left = self.total
        chosen: list[Candidate] = []
        for i, (task, share) in enumerate(reversed(TASK_SHARES.items())):
            last = i == len(TASK_SHARES) - 1
            wanted = left if last else min(left, round(total * share))
            rng = np.random.default_rng([self.seed, 2, *task.encode()])
            found = choose_twins(candidates, task, wanted, PER_ITEM[task] * (3 if last else 1), rng)
            chosen += found
            left -= len(found)
        return sorted(chosen)

    def rng(self, number: int, purpose: str) -> np.random.Generator:
        """The source of chance for one purpose of one item."""
        return np.random.default_rng([self.seed, 0 if purpose == "world" else 1, number, *b"disjoint"])


@lru_cache(maxsize=64)
def _proposed(
    recipe: DisjointRecipe, number: int, folder: str, content_hash: str
) -> list[tuple[Candidate, QuestionRow]]:
    """Proposals are asked for twice, to choose from and to write down; the second time they are at hand."""
    name, rng = recipe.item_names()[number], recipe.rng(number, "questions")
    opened = Recording.open(folder)
    return propose(number, name, opened, VISIBILITY, rng, open_functions=recipe.compat)


def write_tour(
    folder: Path, home: Home, walk: Walk, camera: Camera, fps: float, store_depth: bool = False
) -> None:
    """Film a home and store the recording with its things, masks and world."""
    renderer = Renderer(quantized_scene(home.scene), camera)
    shell = {thing.id for thing in home.scene.objects if thing.structural}
    meta = {
        "benchmark": "disjoint",
        "rooms": [room.name for room in home.plan.rooms],
        "visibility": asdict(VISIBILITY),
    }
    with WorldWriter(
        folder, camera, images="jpeg", fps=fps, store_depth=store_depth, scene=home.scene, meta=meta
    ) as writer:
        for thing in home.objects:
            writer.add_object(ObjectRecord(thing.id, thing.category, thing.box, thing.attributes))
        for index, pose in enumerate(map(quantized_pose, walk.poses)):
            frame = renderer.render(pose)
            visible = visible_objects(frame.ids, ignore=shell)
            record = FrameRecord(index, float(walk.times[index]), pose, "", visible)
            writer.add_frame(record, rgb=frame.rgb, depth=frame.depth if store_depth else None, ids=frame.ids)
