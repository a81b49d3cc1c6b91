"""Parameters of a training run: a recipe determines worlds, batches and schedule."""

import math
from dataclasses import dataclass
from typing import Annotated

from situ.errors import BadInput

# shares of unaugmented frames: at first, at last, and when it rises
PLAIN, LAST_PLAIN, CALM_AT = 0.35, 0.7, 0.7
TRAINING, HELD_OUT = 0, 1  # splits of worlds: for training, and for evaluation


@dataclass(frozen=True)
class EyesRecipe:
    """`worlds` are rendered in order while the network trains on those that are ready.

    Step `k` samples from the first `worlds_at(k)` worlds and waits for them, so the result does not depend on
    the speed of rendering.
    """

    worlds: Annotated[int, "Homes, days, places and fields to learn from."] = 2000
    frames_per_world: Annotated[int, "--frames", "Frames rendered of each."] = 56
    steps: Annotated[int, "Batches to learn from."] = 6000
    batch_worlds: Annotated[int, "Worlds in a batch."] = 64
    batch_frames: Annotated[int, "Frames of each of them."] = 4
    first_worlds: int = 64
    full_at: float = 0.85  # share of the steps after which all worlds are sampled
    learning_rate: Annotated[float, "Highest learning rate."] = 2e-3
    weight_decay: float = 0.02
    width: Annotated[float, "Channels of the network against the usual ones."] = 1.0
    randomise: Annotated[bool, "Other light, blur, noise and compression for each frame."] = True
    seed: Annotated[int, "Same seed, same worlds and batches."] = 0

    def __post_init__(self) -> None:
        for name in ("worlds", "frames_per_world", "steps", "batch_worlds", "batch_frames", "first_worlds"):
            if getattr(self, name) < 1:
                raise BadInput(f"{name} must be 1 or more, got {getattr(self, name)}")
        if self.batch_frames > self.frames_per_world:
            raise BadInput(
                f"a batch takes {self.batch_frames} frames of a world that has {self.frames_per_world}"
            )

    def worlds_at(self, step: int) -> int:
        """Number of worlds that the batch of a step is sampled from."""
        share = min(1.0, step / max(1.0, self.full_at * self.steps))
        first = min(self.first_worlds, self.worlds)
        return first + int(share * (self.worlds - first))

    def rate_at(self, step: int) -> float:
        """Learning rate: a short warm-up, then cosine decay to zero."""
        rise = max(1, self.steps // 20)
        if step < rise:
            return self.learning_rate * (step + 1) / rise
        return self.learning_rate * 0.5 * (1 + math.cos(math.pi * (step - rise) / max(1, self.steps - rise)))

    def plain_at(self, step: int) -> float:
        """Share of unaugmented frames at a step, higher towards the end."""
        calm = max(0.0, (step / self.steps - CALM_AT) / (1 - CALM_AT))
        return PLAIN + (LAST_PLAIN - PLAIN) * calm if self.randomise else 1.0
