"""The same set in other pictures: worlds, walks, masks, questions and keys stay, the colours are Blender's.

A set is made as ever. Then each of its recordings is drawn again from its world and its poses by Cycles and
stored under its name; masks and depth remain those of the default renderer, which are exact.
"""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from situ.benchmarks.balance import Candidate
from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.make import Recipe
from situ.benchmarks.stage import Stage
from situ.errors import BadInput
from situ.geometry.pose import Matrix
from situ.recording import Recording, RecordingWriter
from situ.rendering.blender import colors_with_blender, need_blender
from situ.worlds.scene import Scene

SITU, BLENDER = "situ", "blender"
RENDERERS = (SITU, BLENDER)


def drawn_by(renderer: str, samples: int, recipe: Recipe) -> Recipe:
    """A recipe whose pictures come from a renderer, or an error that says what to install."""
    if renderer not in RENDERERS:
        raise BadInput(f"--renderer must be one of {', '.join(RENDERERS)}, got '{renderer}'")
    if renderer == SITU:
        return recipe
    if not 1 <= samples <= 4096:
        raise BadInput(f"--samples must be between 1 and 4096 light paths per pixel, got {samples}")
    need_blender()
    return Redrawn(recipe, samples)


@dataclass(frozen=True)
class Redrawn:
    """A recipe with Blender's pictures. Equal but for these to what the inner recipe makes."""

    recipe: Recipe
    samples: int

    @property
    def benchmark(self) -> str:
        return self.recipe.benchmark

    def describe(self) -> dict[str, Any]:
        return {**self.recipe.describe(), "renderer": BLENDER, "samples": self.samples}

    def item_names(self) -> Sequence[str]:
        return self.recipe.item_names()

    def make_item(self, number: int, folder: Path) -> None:
        with tempfile.TemporaryDirectory(prefix="situ-plain-") as work:
            plain = Path(work) / folder.name
            self.recipe.make_item(number, plain)
            redraw(Recording.open(plain), folder, self.samples)

    def propose(self, number: int, recording: Recording) -> list[tuple[Candidate, QuestionRow]]:
        return self.recipe.propose(number, recording)

    def choose(self, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        return self.recipe.choose(candidates)


def redraw(recording: Recording, folder: Path, samples: int) -> None:
    """Store a recording again, with the pictures that Cycles makes of its world."""
    if recording.scene is None or not recording.has_images or recording.image_format == "none":
        raise BadInput(
            f"{recording.folder.name} stores no pictures of a world that could be drawn again; "
            "Blender draws sets with stored pictures (ucs: --pixels all)"
        )
    scenes, views = worlds_of(recording)
    pictures = colors_with_blender(scenes, recording.camera, views, samples)
    with RecordingWriter(
        folder,
        recording.camera,
        images="video" if recording.image_format == "video" else "jpeg",
        fps=recording.fps,
        store_depth=recording.has_depth,
        store_ids=recording.has_ids,
        scene=recording.scene,
        meta={**recording.meta, "renderer": BLENDER, "samples": samples},
    ) as writer:
        for thing in recording.objects.values():
            writer.add_object(thing)
        for event in recording.events:
            writer.add_event(event)
        for frame, rgb in zip(recording.frames, pictures, strict=True):
            depth = recording.depth(frame.index) if recording.has_depth else None
            ids = recording.ids(frame.index) if recording.has_ids else None
            writer.add_frame(frame, rgb=rgb, depth=depth, ids=ids)


def worlds_of(recording: Recording) -> tuple[list[Scene], list[tuple[int, Matrix]]]:
    """The world of a recording in each of its states, and for every frame its state and its pose."""
    assert recording.scene is not None
    stage = Stage(recording.scene, recording.events, recording.camera)
    scenes: list[Scene] = []
    views: list[tuple[int, Matrix]] = []
    last: tuple[int, ...] = ()
    for frame in recording.frames:
        objects = stage.drawn(frame.time)
        now = tuple(id(thing) for thing in objects)
        if now != last:
            scenes.append(recording.scene.with_objects(objects))
            last = now
        views.append((len(scenes) - 1, frame.T_world_camera))
    return scenes, views
