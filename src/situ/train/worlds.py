"""Draft examples from one world: clips of camera motion, and a tour with questions."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.narrate.exercises import SHAKES, Shake
from situ.narrate.motions import KINDS as MOTION_KINDS
from situ.narrate.motions import STATIC
from situ.questions import Question
from situ.recording import Recording
from situ.recording.codec import Rgb
from situ.state import TruthState
from situ.train.arms import TURNS
from situ.train.clips import Clip, Studio, clips_of
from situ.train.data_recipe import PER_WORLD, DataRecipe
from situ.train.frames import save_frames, would_be_blank
from situ.train.qa import (
    VIDEO_FRAMES,
    Letters,
    ask,
    image_questions,
    only_frames,
    shown_in,
    tour_questions,
    view_questions,
)
from situ.train.rows import SHOWN, Medium, TrainingRow
from situ.train.vision import fitted_size
from situ.train.wording import camera_sentence, filled, scene_sentences
from situ.worlds.homes import HomeSpec, build_home
from situ.worlds.tours import tour

FRAME = (640, 512)  # aspect ratio five to four, scaled down as the recipe requires
TOUR_FPS = 2.0
NOTHING_KNOWN = "What is in view is not named."
# Shake of a clip: tripod, gimbal or glasses.
HELD: tuple[Shake, ...] = SHAKES[1:4]


class Draft(NamedTuple):
    """A candidate example; `seen` is a hash of its images."""

    row: TrainingRow
    small_pan: bool = False
    seen: str = ""


def drafts_of_world(recipe: DataRecipe, number: int, out: Path) -> list[Draft]:
    """All examples of one generated home."""
    rng = np.random.default_rng([recipe.seed, 3, number])
    home = build_home(HomeSpec(4, int(rng.integers(30, 48))), rng)
    studio = Studio(home, *fitted_size(*FRAME, recipe.max_pixels))
    if studio.world in recipe.exclude:
        return []
    found = []
    for i, kinds in enumerate(_decks(PER_WORLD["narrative"], rng)):
        clip = studio.clip(kinds, HELD[int(rng.integers(len(HELD)))], recipe.fps, rng)
        if clip is not None:
            found.append(narrative_draft(clip, f"w{number:05d}-n{i:02d}", out, recipe, rng))
    walk = studio.film(tour(home, rng, TOUR_FPS), TOUR_FPS)
    assert isinstance(walk.state, TruthState)
    return [*found, *_questions(walk.state, walk.images, walk.world, f"w{number:05d}", out, rng)]


def drafts_of_recording(
    recording: Recording, fps: float, max_pixels: int, number: int, out: Path, recipe: DataRecipe
) -> list[Draft]:
    """Narratives of a user's recording."""
    rng = np.random.default_rng([recipe.seed, 5, number])
    clips = clips_of(recording, fps, max_pixels)
    return [
        narrative_draft(clip, f"r{number:05d}-n{i:04d}", out, recipe, rng) for i, clip in enumerate(clips)
    ]


def narrative_draft(clip: Clip, name: str, out: Path, recipe: DataRecipe, rng: np.random.Generator) -> Draft:
    """A clip with a random prompt and a narrative in random wording."""
    template = int(rng.integers(len(recipe.templates)))
    scene = scene_sentences(clip.state, range(len(clip.images)), rng) if clip.objects_known else NOTHING_KNOWN
    camera = camera_sentence(clip.motion.motions, clip.motion.steadiness, rng, clip.metric)
    height, width = clip.images[0].shape[:2]
    medium = Medium("video", save_frames(out, name, clip.images), width, height, clip.fps)
    row = TrainingRow(
        name,
        "narrative",
        (medium,),
        filled(recipe.templates[template]),
        f"<scene>{scene}</scene>\n<camera>{camera}</camera>",
        clip.world,
        clip.motion.classes,
        template,
        about={TURNS: turns_between(clip.state.path.poses)},
    )
    return Draft(row, clip.small_pan_only)


def turns_between(poses: NDArray[np.float64]) -> list[list[float]]:
    """Yaw to the left, pitch up and roll to the right in degrees, from each frame to the next."""
    found = []
    for before, after in pairwise(poses[:, :3, :3]):
        right, down, ahead = (before.T @ after).T  # axes of the later camera in the earlier one
        yaw = -np.degrees(np.arctan2(ahead[0], ahead[2]))
        pitch = -np.degrees(np.arcsin(np.clip(ahead[1], -1.0, 1.0)))
        roll = np.degrees(np.arctan2(right[1], down[1]))
        found.append([round(float(angle), 2) for angle in (yaw, pitch, roll)])
    return found


def _questions(
    state: TruthState, images: Sequence[Rgb], world: str, name: str, out: Path, rng: np.random.Generator
) -> Iterator[Draft]:
    """Questions about single frames of a tour, some views, and the whole tour."""
    letters = Letters()
    paths = save_frames(out, f"{name}-tour", images)
    height, width = images[0].shape[:2]
    rows: list[tuple[str, Question, Sequence[str], str, list[int], str]] = []
    for question, frames in image_questions(state, rng, PER_WORLD["image_qa"]):
        answer = question.answer(only_frames(state, frames)).text
        rows.append(("image_qa", question, question.options, answer, frames, "image"))
    for question, frames in view_questions(state, rng, PER_WORLD["views_qa"]):
        answer = question.answer(only_frames(state, frames)).text
        rows.append(("views_qa", question, question.options, answer, frames, "image"))
    spread = np.unique(np.linspace(0, len(images) - 1, VIDEO_FRAMES).round().astype(int)).tolist()
    wanted = 0 if would_be_blank(images[i] for i in spread) else PER_WORLD["video_qa"]
    for question, choices, right in tour_questions(state, rng, wanted, spread):
        rows.append(("video_qa", question, choices, right, spread, "video"))
    for i, (kind, question, options, answer, frames, medium) in enumerate(rows):
        mixed, letter = letters.arrange(options, answer, rng)
        shown = tuple(paths[f] for f in frames)
        fps = len(frames) / max(1e-6, float(state.path.times[-1] - state.path.times[0]))
        media = (
            (Medium("video", shown, width, height, round(fps, 3)),)
            if medium == "video"
            else tuple(Medium("image", (one,), width, height) for one in shown)
        )
        marks = "".join(f"<{m.kind}>" for m in media)
        seen = shown_in(state, question, frames)
        proof = {SHOWN: {obj: [shown[place] for place in places] for obj, places in seen.items()}}
        prompt = f"{marks}{ask(question.text, mixed)}"
        yield Draft(
            TrainingRow(f"{name}-q{i:02d}", kind, media, prompt, letter, world, letter=letter, about=proof)
        )


def _decks(count: int, rng: np.random.Generator) -> list[tuple[str, ...]]:
    """Motions for each clip, every kind about equally often; a static clip has no other motion."""
    deck: list[str] = []
    found: list[tuple[str, ...]] = []
    for _ in range(count):
        size = int(rng.choice([1, 2, 3], p=[0.4, 0.4, 0.2]))
        if len(deck) < 2 * size:
            deck += [str(kind) for kind in rng.permutation(MOTION_KINDS)]
        kinds = [deck.pop(0) for _ in range(size)]
        if STATIC in kinds:
            deck += [kind for kind in kinds if kind != STATIC]
            kinds = [STATIC]
        found.append(tuple(dict.fromkeys(kinds)))
    return found
