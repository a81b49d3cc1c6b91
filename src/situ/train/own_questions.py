"""Training examples from question sets: those of other labs, imported, or made here."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.recording import Recording
from situ.train.clips import recording_world
from situ.train.data_recipe import DataRecipe
from situ.train.frames import save_frames
from situ.train.qa import VIDEO_FRAMES, VIEWS, Letters, ask
from situ.train.rows import FROM_SET, Medium, TrainingRow
from situ.train.vision import fitted_size
from situ.train.worlds import Draft


def drafts_of_set(dataset: Dataset, recipe: DataRecipe, number: int, out: Path) -> Iterator[Draft]:
    """An example for each question with options. Numbers and open answers are left out: no letter is right.

    A question about up to four frames is one about pictures, others are about a video, of which at most 32
    frames from before the moment of asking are kept.
    """
    letters = Letters()
    for place, row in enumerate(dataset.questions):
        if row.options:
            rng = np.random.default_rng([recipe.seed, 11, number, place])
            name = f"s{number:05d}-q{place:05d}"
            yield Draft(_example(dataset, row, name, recipe, letters, rng, out))


def _example(
    dataset: Dataset,
    row: QuestionRow,
    name: str,
    recipe: DataRecipe,
    letters: Letters,
    rng: np.random.Generator,
    out: Path,
) -> TrainingRow:
    recording = dataset.recording(row.item)
    frames = _shown(recording, row)
    size = fitted_size(recording.camera.width, recording.camera.height, recipe.max_pixels)
    images = [cv2.resize(image, size, interpolation=cv2.INTER_AREA) for image in recording.images(frames)]
    paths = save_frames(out, name, images)
    if len(frames) <= VIEWS:
        kind = "image_qa" if len(frames) == 1 else "views_qa"
        media = tuple(Medium("image", (path,), *size) for path in paths)
    else:
        kind = "video_qa"
        seconds = recording.frames[frames[-1]].time - recording.frames[frames[0]].time
        media = (Medium("video", paths, *size, round((len(frames) - 1) / max(1e-6, seconds), 3)),)
    options, letter = letters.arrange(row.options, row.answer, rng)
    marks = "".join(f"<{medium.kind}>" for medium in media)
    prompt, about = f"{marks}{ask(row.text, options)}", {FROM_SET: str(dataset.manifest["benchmark"])}
    world = recording_world(recording)
    return TrainingRow(name, kind, media, prompt, letter, world, letter=letter, about=about)


def _shown(recording: Recording, row: QuestionRow) -> list[int]:
    """The frames from before the moment of asking, spread evenly where there are many."""
    last = row.time if row.time is not None else float("inf")
    known = [frame.index for frame in recording.frames if frame.time <= last] or [0]
    places = np.linspace(0, len(known) - 1, min(VIDEO_FRAMES, len(known))).round().astype(int)
    return [known[int(i)] for i in np.unique(places)]
