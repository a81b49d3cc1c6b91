"""Generation with a model: prompts with media, scores of the next token, and answers token by token."""

from collections.abc import Sequence
from typing import Any

from situ.train.chat import kinds_of, prompt_markup
from situ.train.families import STEP_FRAMES, family_of
from situ.train.vision import Grid, normalised

Media = Sequence[tuple[str, Any, Grid]]  # kind, patches, grid
_NAMES = {
    "video": ("pixel_values_videos", "video_grid_thw"),
    "image": ("pixel_values", "image_grid_thw"),
}


def inputs_for(model: Any, tokenizer: Any, prompt: str, media: Media, fps: float) -> dict[str, Any]:
    """Model inputs for one prompt."""
    import numpy as np
    import torch

    inner = model.get_base_model() if hasattr(model, "get_base_model") else model
    device = next(inner.parameters()).device
    family = family_of(inner.config.model_type)
    kinds, grids = [kind for kind, _, _ in media], [grid for _, _, grid in media]
    markup = prompt_markup(prompt, kinds, grids, [fps] * len(media), family)
    ids = tokenizer.encode(markup, add_special_tokens=False)
    batch: dict[str, Any] = {
        "input_ids": torch.tensor([ids], device=device),
        "attention_mask": torch.ones(1, len(ids), dtype=torch.long, device=device),
        "mm_token_type_ids": torch.tensor([kinds_of(ids, tokenizer)], device=device),
    }
    for kind, (pixels, layout) in _NAMES.items():
        some = [(patches, grid) for found, patches, grid in media if found == kind]
        if some:
            joined = torch.from_numpy(np.concatenate([patches for patches, _ in some])).to(device)
            batch[pixels] = normalised(joined, inner.model.visual.dtype, family)
            batch[layout] = torch.tensor([grid for _, grid in some], device=device)
            if kind == "video" and not family.timed:
                batch["second_per_grid_ts"] = torch.full((len(some),), STEP_FRAMES / fps, device=device)
    return batch


def next_scores(
    model: Any, tokenizer: Any, prompt: str, media: Media, fps: float, words: Sequence[str]
) -> Any:
    """Scores of some single-token words as the first word of the answer."""
    batch = inputs_for(model, tokenizer, prompt, media, fps)
    scores = model(**batch, logits_to_keep=1).logits[0, -1]
    return scores[[tokenizer.encode(word, add_special_tokens=False)[0] for word in words]].float()


def say(model: Any, tokenizer: Any, prompt: str, media: Media, fps: float, most: int) -> str:
    """The model's answer by greedy decoding."""
    batch = inputs_for(model, tokenizer, prompt, media, fps)
    stop = tokenizer.convert_tokens_to_ids("<|im_end|>")
    made = model.generate(**batch, max_new_tokens=most, do_sample=False, eos_token_id=stop, pad_token_id=stop)
    return str(tokenizer.decode(made[0, batch["input_ids"].shape[1] :], skip_special_tokens=True)).strip()
