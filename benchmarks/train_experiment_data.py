"""Clips for the experiment: sixteen frames in a generated home, a narrative, and a question about them."""

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.benchmarks.disjoint.spans import unique_names
from situ.geometry.heading import SECTORS
from situ.geometry.path import Path
from situ.narrate.exercises import SHAKES, exercise
from situ.narrate.motions import KINDS, STATIC
from situ.narrate.oracle import narrate
from situ.narrate.scene_words import read_mentions
from situ.questions import WhereFromHere
from situ.state import TruthState
from situ.train.clips import Studio
from situ.train.qa import LETTERS, ask
from situ.worlds.homes import HomeSpec, build_home

FRAMES, FPS, WIDTH, HEIGHT = 16, 4.0, 112, 84
THINGS = 3
ASKED = "<video>Tell what is there and how the camera moves."


class Example(NamedTuple):
    """A clip with its narrative, the motions in it, and a question with its answer."""

    world: int
    frames: NDArray[np.uint8]
    scene: str
    camera: str
    motions: tuple[str, ...]
    question: WhereFromHere | None = None
    options: tuple[str, ...] = ()
    letter: str = ""

    @property
    def answer(self) -> str:
        return self.options[LETTERS.index(self.letter)]

    @property
    def prompt(self) -> str:
        assert self.question is not None
        return f"<video>{ask(self.question.text, self.options)}"

    def told(self, with_camera: bool) -> str:
        camera = f"\n<camera>{self.camera}</camera>" if with_camera else ""
        return f"<scene>{self.scene}</scene>{camera}"


def examples_of(seed: int, world: int, clips: int) -> list[Example]:
    """Clips of one home. Their motions are drawn evenly from all kinds."""
    rng = np.random.default_rng([seed, world, 17])
    home = build_home(HomeSpec(4, int(rng.integers(30, 48))), rng)
    studio = Studio(home, WIDTH, HEIGHT)
    found: list[Example] = []
    for _ in range(3 * clips):
        if len(found) == clips:
            break
        count = int(rng.choice([1, 2], p=[0.6, 0.4]))
        kinds = [str(kind) for kind in rng.permutation(KINDS)[:count]]
        path = _path(studio, (STATIC,) if STATIC in kinds else tuple(kinds), rng)
        if path is None:
            continue
        clip = studio.film(path, FPS)
        assert isinstance(clip.state, TruthState)
        part = narrate(clip.state, range(FRAMES), FRAMES, THINGS).segments[0]
        asked = _question(clip.state, {m.name for m in read_mentions(part.scene)}, rng)
        found.append(
            Example(world, np.stack(clip.images), part.scene, part.camera, clip.told.classes, *asked)
        )
    return found


def _path(studio: Studio, kinds: tuple[str, ...], rng: np.random.Generator) -> Path | None:
    """Motions squeezed or stretched into sixteen frames, somewhere in the home."""
    for _ in range(25):
        whole = exercise(kinds, SHAKES[int(rng.integers(1, 4))], rng, 8.0).path
        picks = np.linspace(0, len(whole) - 1, FRAMES).round().astype(int)
        placed = studio.placed(Path(np.arange(FRAMES) / FPS, whole.poses[picks]), rng)
        if placed is not None:
            return placed
    return None


def _question(
    state: TruthState, told: set[str], rng: np.random.Generator
) -> tuple[WhereFromHere, tuple[str, ...], str] | tuple[()]:
    """Where something that was seen is in the end, if not ahead; () where nothing is."""
    names = {i: which for i, which in unique_names(state).items() if which.singular in told}
    for i in rng.permutation(list(names)) if names else []:
        question = WhereFromHere(names[int(i)])
        answer = question.answer(state)
        if answer.text not in SECTORS[1:] or answer.margin < 5.0:
            continue
        place = SECTORS.index(answer.text)
        offered = [SECTORS[(place + 2 * k) % 8] for k in range(4)]
        mixed = [offered[k] for k in rng.permutation(4)]
        return question, tuple(mixed), LETTERS[mixed.index(answer.text)]
    return ()


def make_examples(seed: int, worlds: Sequence[int], clips: int, jobs: int) -> Iterator[list[Example]]:
    """Every world's examples, as they are made."""
    if jobs <= 1:
        yield from (examples_of(seed, world, clips) for world in worlds)
        return
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        count = len(worlds)
        yield from pool.map(examples_of, [seed] * count, worlds, [clips] * count)
