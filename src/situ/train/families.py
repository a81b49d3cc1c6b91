"""Families of trainable models, and how each processes images.

Qwen2.5-VL cuts frames into patches of 14 pixels, attends in windows, and encodes time in its positions.
Qwen3-VL cuts frames into patches of 16, precedes each step of a video by its time as text, and feeds features
of the vision tower's middle layers to the first layers of the language model.
"""

from dataclasses import dataclass

from situ.errors import BadInput

MERGE, STEP_FRAMES = 2, 2  # patches per side of a token, frames per step of a video


@dataclass(frozen=True)
class Family:
    """A model family. `model_type` and class are those of transformers; `timed`: times of steps are text."""

    model_type: str
    model_class: str
    patch: int
    mean: tuple[float, float, float]
    std: tuple[float, float, float]
    timed: bool
    example: str

    @property
    def cell(self) -> int:
        """Side in pixels of the image region of one token."""
        return self.patch * MERGE

    @property
    def least_pixels(self) -> int:
        return (2 * self.cell) ** 2


QWEN25 = Family(
    "qwen2_5_vl",
    "Qwen2_5_VLForConditionalGeneration",
    14,
    (0.48145466, 0.4578275, 0.40821073),
    (0.26862954, 0.26130258, 0.27577711),
    False,
    "Qwen/Qwen2.5-VL-3B-Instruct",
)
QWEN3 = Family(
    "qwen3_vl",
    "Qwen3VLForConditionalGeneration",
    16,
    (0.5, 0.5, 0.5),
    (0.5, 0.5, 0.5),
    True,
    "Qwen/Qwen3-VL-4B-Instruct",
)
FAMILIES = {family.model_type: family for family in (QWEN25, QWEN3)}


def family_of(model_type: str, name: str = "") -> Family:
    """Family of a model by the type in its configuration."""
    if model_type not in FAMILIES:
        known = " and ".join(f"{family.model_type} ({family.example})" for family in FAMILIES.values())
        raise BadInput(f"'{name or model_type}' is a {model_type} model; supported are {known}")
    return FAMILIES[model_type]
