"""The numbers of a run that teaches eyes for photographs."""

import math
from dataclasses import dataclass

from situ.errors import BadInput
from situ.perception.photos.channels import PATCH
from situ.train.photos.stream import Pages

TRAINING, HELD_OUT = 0, 1


@dataclass(frozen=True)
class PhotoRecipe:
    """The same seed gives the same worlds, pictures and order of chance; how many of them are learnt from
    follows from the speed of the machine, since the run ends by the clock."""

    seconds: float = 1500.0  # of learning
    width: int = 448
    height: int = 336
    frames_per_world: int = 40
    kept_worlds: int = 2200  # on the device, the latest ones
    first_worlds: int = 120  # that must be there before learning begins
    batch_worlds: int = 24
    batch_frames: int = 4
    head_rate: float = 6e-4
    tuned_rate: float = 1.2e-5  # of the backbone's last blocks: faster ones forget photographs
    held_worlds: int = 16
    held_frames: int = 12
    look_every_s: float = 45.0  # between looks at what is held out, and checkpoints
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("frames_per_world", "kept_worlds", "first_worlds", "batch_worlds", "batch_frames"):
            if getattr(self, name) < 1:
                raise BadInput(f"{name} must be 1 or more, got {getattr(self, name)}")
        if self.batch_frames > self.frames_per_world:
            raise BadInput(
                f"a batch takes {self.batch_frames} of the {self.frames_per_world} frames of a world"
            )
        if self.first_worlds > self.kept_worlds:
            raise BadInput(f"{self.first_worlds} worlds are waited for, and only {self.kept_worlds} kept")
        if self.seconds <= 0:
            raise BadInput(f"a run takes some seconds, got {self.seconds}")

    @property
    def pages(self) -> Pages:
        return Pages(self.frames_per_world, self.width, self.height)

    def share_at(self, done: float, step: int) -> float:
        """Of the highest rate, when so much of the time is over: a short rise, then down along a cosine."""
        return min(1.0, (step + 1) / 150) * (0.5 * (1 + math.cos(math.pi * min(1.0, done))) + 0.003)


def _size(long: int, aspect: float, upright: bool) -> tuple[int, int]:
    short = PATCH * round(long * aspect / PATCH)
    return (short, long) if upright else (long, short)


# Width and height of the pictures that are learnt from, and how often each of them is.
SIZES: tuple[tuple[tuple[int, int], float], ...] = tuple(
    (_size(long, aspect, upright), often / 4)
    for long in (336, 392, 448, 504)
    for aspect, upright, often in (
        (3 / 4, False, 0.5),
        (2 / 3, False, 0.2),
        (9 / 16, False, 0.15),
        (3 / 4, True, 0.15),
    )
)
