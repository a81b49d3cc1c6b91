"""Recipe of a training set, and selection of clips with balanced motion classes."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, TypeVar

import numpy as np

from situ.errors import BadInput
from situ.train.wording import NARRATIVE_TEMPLATES

# As published: 10,000 narratives, 11,000 questions on single and several views, 9,000 on videos.
SHARES = {"narrative": 10 / 30, "image_qa": 5.5 / 30, "views_qa": 5.5 / 30, "video_qa": 9 / 30}
PER_WORLD = {"narrative": 8, "image_qa": 4, "views_qa": 4, "video_qa": 7}


@dataclass(frozen=True)
class DataRecipe:
    """Number and kinds of examples.

    `recordings` are users' own recordings or question sets; worlds in `exclude` are never used.
    """

    rows: Annotated[int, "Approximate number of examples."] = 300
    seed: Annotated[int, "Same seed, same examples."] = 0
    fps: Annotated[float, "Frames a second of a video."] = 8.0
    max_pixels: Annotated[int, "Most pixels of a frame."] = 16_384
    templates: tuple[str, ...] = NARRATIVE_TEMPLATES
    recordings: tuple[str, ...] = ()
    exclude: frozenset[str] = field(default_factory=frozenset)

    def __post_init__(self) -> None:
        if self.rows < 1 or self.seed < 0:
            raise BadInput(f"rows must be 1 or more and seed 0 or more, got {self.rows} and {self.seed}")
        if not 1 <= self.fps <= 30:
            raise BadInput(f"fps must be between 1 and 30, got {self.fps:g}")


MAX_SHARE = 0.15  # largest share of one class among all motions
SMALL_PANS = 0.05  # largest share of clips with only a small pan
T = TypeVar("T", bound=Hashable)


def balanced(
    clips: Sequence[T], classes: Sequence[Sequence[str]], small: Sequence[bool], rng: np.random.Generator
) -> list[T]:
    """As many clips as the limits allow, in their order. A single clip of a class is always allowed.

    Clips of the most frequent class are removed one by one until no class exceeds its share, starting with
    clips of frequent classes only.
    """
    kept = _without_small_pans(len(clips), small, rng)
    counts = Counter(name for i in kept for name in classes[i])
    order = {i: float(rank) for rank, i in enumerate(rng.permutation(len(clips)))}
    while counts and (frequent := _above(counts)):
        worst = counts.most_common(1)[0][0]
        holders = [i for i in kept if worst in classes[i]]
        # Remove the clip whose loss costs the rare classes least.
        gone = max(holders, key=lambda i: (np.mean([name in frequent for name in classes[i]]), order[i]))
        kept.remove(gone)
        counts.subtract(classes[gone])
        counts += Counter()  # drops classes with count 0
    return [clips[i] for i in sorted(kept)]


def _above(counts: Counter[str]) -> set[str]:
    total = counts.total()
    return {name for name, count in counts.items() if count > max(1.0, MAX_SHARE * total)}


def _without_small_pans(count: int, small: Sequence[bool], rng: np.random.Generator) -> list[int]:
    little = [i for i in range(count) if small[i]]
    others = [i for i in range(count) if not small[i]]
    most = int(SMALL_PANS * len(others) / (1 - SMALL_PANS))
    chosen = rng.permutation(little)[:most].tolist() if little else []
    return sorted([*others, *(int(i) for i in chosen)])
