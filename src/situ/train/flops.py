"""Required arithmetic of a training step, from the architecture."""

from collections.abc import Sequence
from typing import Any

BF16_FLOPS = {"H200": 989e12, "H100": 989e12, "A100": 312e12}  # dense, from the vendor's data sheets
FORWARD, TRAINED = 2, 6  # operations per weight and token: forward pass, and with both gradients


def needed_flops(config: Any, lengths: Sequence[int], learnt: int, patches: int) -> float:
    """Operations of one step with these example lengths, trained tokens and vision patches.

    The frozen vision tower runs forward only, and vocabulary scores are needed for trained tokens only.
    Recomputation (checkpointing) and padding do not count, so they lower the utilisation.
    """
    text, vision = config.text_config, config.vision_config
    size = text.hidden_size
    keys = size // text.num_attention_heads * text.num_key_value_heads
    weights = text.num_hidden_layers * (2 * size * size + 2 * size * keys + 3 * size * text.intermediate_size)
    # Scores and weighted sums take 2 operations each per pair of tokens; causal attention needs half of the
    # pairs.
    attention = text.num_hidden_layers * sum(2 * n * n * size for n in lengths) * (TRAINED / FORWARD)
    tower = vision.depth * (4 * vision.hidden_size**2 + 3 * vision.hidden_size * vision.intermediate_size)
    merged = vision.hidden_size * vision.spatial_merge_size**2
    projector = (merged * merged + merged * vision.out_hidden_size) / vision.spatial_merge_size**2
    return float(
        TRAINED * (weights * sum(lengths) + size * text.vocab_size * learnt)
        + attention
        + FORWARD * (tower + projector) * patches
    )
