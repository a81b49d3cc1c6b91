"""UCS-Bench as a recipe: streams of daily life of all lengths, and questions during them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from situ.benchmarks.balance import Candidate
from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.naming import item_numbers
from situ.benchmarks.options import check_making, check_rate, check_size
from situ.benchmarks.ucs.choose import choose_carelessly, choose_groups
from situ.benchmarks.ucs.film import FOV_DEG, write_day
from situ.benchmarks.ucs.published import QUESTIONS, STREAMS, SUBTASKS
from situ.benchmarks.ucs.rows import propose
from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.recording import Recording
from situ.worlds.days import Day, DaySpec, simulate
from situ.worlds.homes.uses import HOME, PROGRAMMES, programme

# Lengths of streams: the mean is that of 170 hours in 532 streams, with a long tail.
MEDIAN_S, SPREAD = 560.0, 1.22
SHORTEST_S, LONGEST_S = 45.0, 3 * 3600.0
HOMES_SHARE = 0.5


@dataclass(frozen=True)
class UcsRecipe:
    """Options of `situ make ucs`. `scale` multiplies the published numbers of streams and questions.

    `hours` fixes the length of every stream instead of drawing it, and `questions` their number in all. With
    `compat` questions are taken as they come and counts have options by the published rule: both give
    answers away, and are there to measure how much. With `pixels` every frame is stored as a
    picture; without, pictures are drawn from the stored world whenever they are asked for.
    """

    scale: float = 1.0
    seed: int = 0
    width: int = 320
    height: int = 240
    fps: float = 1.0
    hours: float = 0.0
    others: bool = True
    pixels: bool = False
    questions: int = 0
    compat: bool = False
    benchmark: str = "ucs"

    def __post_init__(self) -> None:
        check_making(self.scale, self.seed)
        check_rate(self.fps, 0.2, 30)
        check_size(self.width, self.height)
        if self.questions < 0:
            raise BadInput(f"questions must be 0 (the published ratio) or more, got {self.questions}")
        if self.hours and not 0.0125 <= self.hours <= 12:
            raise BadInput(f"hours must be between 0.0125 and 12, or 0 to draw them; got {self.hours}")

    def describe(self) -> dict[str, Any]:
        return asdict(self)

    def item_names(self) -> Sequence[str]:
        return item_numbers(max(1, round(STREAMS * self.scale)), self.seed, self.benchmark)

    @property
    def camera(self) -> Camera:
        return Camera.from_fov(self.width, self.height, FOV_DEG)

    def day(self, number: int) -> Day:
        """The day of an item, without any pixels."""
        rng = self.rng(number, 0)
        seconds = float(np.clip(MEDIAN_S * np.exp(SPREAD * rng.normal()), SHORTEST_S, LONGEST_S))
        seconds = self.hours * 3600.0 if self.hours else seconds
        homes = 1 + int(seconds > 240.0 and rng.random() < 0.5)
        rooms, uses = int(rng.integers(4, 8)), tuple(_drawn_use(rng) for _ in range(homes))
        rooms = min(rooms, len(programme(uses[0])) + 1)
        spec = DaySpec(seconds, homes, rooms, self.others, self.fps, uses)
        return simulate(spec, rng)

    def make_item(self, number: int, folder: Path) -> None:
        write_day(folder, self.day(number), self.camera, self.fps, self.pixels)

    def propose(self, number: int, recording: Recording) -> list[tuple[Candidate, QuestionRow]]:
        return _proposed(self, number, str(recording.folder), recording.content_hash())

    def choose(self, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        total = self.questions or QUESTIONS * len(self.item_names()) / STREAMS
        quotas = {name: round(total * about.share / 100) for name, about in SUBTASKS.items()}
        choose = choose_carelessly if self.compat else choose_groups
        return choose(candidates, quotas, np.random.default_rng([self.seed, 2, *b"ucs"]))

    def rng(self, number: int, purpose: int) -> np.random.Generator:
        """The source of chance for one purpose of one item."""
        return np.random.default_rng([self.seed, purpose, number, *b"ucs"])


def _drawn_use(rng: np.random.Generator) -> str:
    """Every other building is a home, the others anything else."""
    others = [use for use in PROGRAMMES if use != HOME]
    return HOME if rng.random() < HOMES_SHARE else others[int(rng.integers(len(others)))]


@lru_cache(maxsize=64)
def _proposed(
    recipe: UcsRecipe, number: int, folder: str, content_hash: str
) -> list[tuple[Candidate, QuestionRow]]:
    """Proposals are asked for twice, to choose from and to write down; the second time they are at hand."""
    name = recipe.item_names()[number]
    return propose(number, name, Recording.open(folder), recipe.rng(number, 1))
