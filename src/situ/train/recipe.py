"""Fine-tuning recipe with the published defaults."""

from dataclasses import dataclass
from typing import Annotated

from situ.errors import BadInput


@dataclass(frozen=True)
class TrainRecipe:
    """Full fine-tuning of the language model; vision tower and projector are frozen.

    The published batch of 128 is 8 per device, 2 accumulation steps and 8 devices. `lora_rank` above 0 trains
    low-rank adapters instead. `max_pixels` and `fps` determine what the model sees of a video.
    """

    learning_rate: Annotated[float, "Highest learning rate."] = 1e-5
    warmup_ratio: float = 0.1
    epochs: Annotated[float, "How often each example is seen."] = 1.0
    max_steps: Annotated[int, "Stop after so many steps; -1 for whole epochs."] = -1
    batch: Annotated[int, "Examples per device and step."] = 8
    accumulate: Annotated[int, "Steps added up for one update."] = 2
    max_tokens: Annotated[int, "Most tokens of an example."] = 4096
    fps: Annotated[float, "Frames a second of a video."] = 8.0
    max_pixels: Annotated[int, "Most pixels of a frame."] = 16_384
    lora_rank: Annotated[int, "--lora", "Rank of low-rank adapters; 0 trains the language model."] = 0
    seed: Annotated[int, "Order of the examples."] = 0
    save_every: Annotated[int, "Steps between checkpoints."] = 200
    bf16: Annotated[bool, "16-bit arithmetic."] = True
    checkpointing: Annotated[bool, "--checkpointing", "Less memory, more time."] = False
    loaders: Annotated[int, "Processes that read frames."] = 4

    def __post_init__(self) -> None:
        for name, least in (
            ("learning_rate", 0.0),
            ("epochs", 0.0),
            ("batch", 0),
            ("accumulate", 0),
            ("max_tokens", 63),
            ("fps", 0.0),
            ("max_pixels", 28 * 28 - 1),
            ("save_every", 0),
        ):
            if not getattr(self, name) > least:
                raise BadInput(f"{name} must be above {least:g}, got {getattr(self, name)}")
        if self.lora_rank < 0 or not 0 <= self.warmup_ratio < 1:
            raise BadInput(
                f"lora_rank is 0 or more and warmup_ratio between 0 and 1, got {self.lora_rank} and "
                f"{self.warmup_ratio}"
            )
