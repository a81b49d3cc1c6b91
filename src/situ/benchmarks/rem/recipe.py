"""The REM recipe: worlds, walks, pictures and questions of one variant."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from situ.benchmarks.balance import Candidate
from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.naming import item_numbers
from situ.benchmarks.options import check_making, check_size
from situ.benchmarks.rem import candidates as fair
from situ.benchmarks.rem import compat
from situ.benchmarks.rem.cells import SIZES, lengths_of, world_of
from situ.benchmarks.rem.preview import rich_world
from situ.benchmarks.rem.rotation import rotation_world
from situ.benchmarks.rem.scenes import HORIZONTAL_FOV_DEG
from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.recording import FrameRecord, ObjectRecord, Recording, visible_objects
from situ.recording.quantization import quantized_pose, quantized_scene
from situ.recording.world_writer import WorldWriter
from situ.rendering import Renderer
from situ.state import TruthState, Visibility
from situ.worlds.actions import ACTION_TEXT, FRAME_INTERVAL_S, ActionWalk
from situ.worlds.scene import Scene

VARIANTS = tuple(SIZES)


@dataclass(frozen=True)
class RemRecipe:
    """One variant of REM. `scale` multiplies the published number of items; `compat` keeps its faults."""

    variant: str = "baseline"
    compat: bool = False
    scale: float = 1.0
    seed: int = 0
    width: int = 960
    height: int = 640
    store_depth: bool = False
    benchmark: str = "rem"

    def __post_init__(self) -> None:
        if self.variant not in SIZES:
            raise BadInput(f"unknown REM variant '{self.variant}'; choose one of {', '.join(VARIANTS)}")
        check_making(self.scale, self.seed)
        check_size(self.width, self.height)
        if self.compat and self.variant == "rotation":
            raise BadInput("no sampling rules were published for the rotation variant; leave out --compat")

    def describe(self) -> dict[str, Any]:
        return asdict(self)

    def item_names(self) -> Sequence[str]:
        count = max(1, round(self._whole * self.scale))
        return item_numbers(count, self.seed, self.benchmark)

    @property
    def _whole(self) -> int:
        """Recordings at scale 1."""
        size = SIZES[self.variant]
        return size.published if self.compat else size.items

    @property
    def camera(self) -> Camera:
        return Camera.from_fov(self.width, self.height, HORIZONTAL_FOV_DEG)

    @property
    def visibility(self) -> Visibility:
        return compat.VISIBILITY if self.compat else Visibility()

    def build(self, number: int) -> tuple[Scene, ActionWalk]:
        """The world and the walk of an item, before any picture is taken."""
        world, rng = world_of(self.variant, number), self._rng(number, "world")
        if self.variant == "rotation":
            return rotation_world(len(world.repeats), world.frames, rng)
        if self.compat:
            return compat.build(world, rng)
        return rich_world(world, rng)

    def make_item(self, number: int, folder: Path) -> None:
        scene, walk = self.build(number)
        renderer = Renderer(quantized_scene(scene), self.camera)
        with WorldWriter(
            folder,
            self.camera,
            images="jpeg",
            fps=1 / FRAME_INTERVAL_S,
            store_depth=self.store_depth,
            scene=scene,
            meta={
                "benchmark": "rem",
                "visibility": asdict(self.visibility),
                "repeats": list(world_of(self.variant, number).repeats),
            },
        ) as writer:
            for thing in scene.objects:
                writer.add_object(ObjectRecord(thing.id, thing.category, thing.box, thing.attributes))
            path = walk.path()
            for index, pose in enumerate(map(quantized_pose, path.poses)):
                frame = renderer.render(pose)
                record = FrameRecord(
                    index,
                    float(path.times[index]),
                    pose,
                    ACTION_TEXT[walk.actions[index - 1] if index else ""],
                    visible_objects(frame.ids),
                )
                depth = frame.depth if self.store_depth else None
                writer.add_frame(record, rgb=frame.rgb, depth=depth, ids=frame.ids)

    def propose(self, number: int, recording: Recording) -> list[tuple[Candidate, QuestionRow]]:
        truth = TruthState.of(recording, self.visibility)
        world, rng = world_of(self.variant, number), self._rng(number, "questions")
        name = self.item_names()[number]
        if self.compat:
            return compat.propose(number, name, truth, world, rng)
        return fair.propose(number, name, truth, world, world.tasks, rng)

    def choose(self, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        if self.compat or self.variant == "rotation":
            return candidates
        scale = len(self.item_names()) / self._whole
        chosen: list[Candidate] = []
        for task, total in SIZES[self.variant].questions.items():
            rng = np.random.default_rng([self.seed, 2, *task.encode()])
            mine = [candidate for candidate in candidates if candidate.task == task]
            wanted = max(1, round(total * scale))
            chosen += fair.choose(task, mine, wanted, lengths_of(self.variant), rng)
        return chosen

    def _rng(self, number: int, purpose: str) -> np.random.Generator:
        return np.random.default_rng(
            [self.seed, 0 if purpose == "world" else 1, number, *self.variant.encode()]
        )
