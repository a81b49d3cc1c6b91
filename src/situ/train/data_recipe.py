"""What a training set is made of."""

from dataclasses import dataclass, field
from typing import Annotated

from situ.errors import BadInput
from situ.train.templates import NARRATIVE_TEMPLATES

# As published: 10,000 narratives, 11,000 questions on single and several views, 9,000 on videos.
SHARES = {"narrative": 10 / 30, "image_qa": 5.5 / 30, "views_qa": 5.5 / 30, "video_qa": 9 / 30}
PER_WORLD = {"narrative": 8, "image_qa": 4, "views_qa": 4, "video_qa": 7}


@dataclass(frozen=True)
class DataRecipe:
    """How many examples, of what, seen how. `recordings` are users' own; worlds in `exclude` never appear."""

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
