"""Qwen models of any size with random weights, and tokenizers trained on given texts, without downloads.

`tiny` and `tiny3` are for tests; `3b` has the published architecture of Qwen2.5-VL-3B, `2b3` that of
Qwen3-VL-2B.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from situ.errors import BadInput, MissingExtra
from situ.train.chat import SPECIAL_TOKENS
from situ.train.families import QWEN3, QWEN25, Family


@dataclass(frozen=True)
class Size:
    """Dimensions of a model."""

    hidden: int
    inner: int
    layers: int
    heads: int
    key_heads: int
    vision_hidden: int
    vision_inner: int
    vision_layers: int
    vision_heads: int
    # of the vision tower: with full attention, or whose features are passed on
    picked_layers: tuple[int, ...]
    vocabulary: int
    rope_sections: tuple[int, int, int]
    family: Family = QWEN25
    head: int = 0  # head size, if it does not follow from the other dimensions


SIZES = {
    "tiny": Size(64, 128, 2, 4, 2, 32, 64, 2, 2, (1,), 2048, (2, 3, 3)),
    "small": Size(512, 1536, 8, 8, 4, 256, 768, 6, 4, (2, 5), 4096, (8, 12, 12)),
    "3b": Size(2048, 11008, 36, 16, 2, 1280, 3420, 32, 16, (7, 15, 23, 31), 151_936, (16, 24, 24)),
    "tiny3": Size(64, 128, 3, 4, 2, 32, 64, 3, 2, (0, 1), 2048, (4, 2, 2), QWEN3, 16),
    "2b3": Size(2048, 6144, 28, 16, 8, 1024, 4096, 24, 16, (5, 11, 17), 151_936, (24, 20, 20), QWEN3, 128),
}


def random_config(size: str, tokenizer: Any) -> Any:
    """Configuration of a model with the tokenizer's special tokens."""
    if size not in SIZES:
        raise BadInput(f"unknown size '{size}'; choose one of {', '.join(SIZES)}")
    try:
        import transformers
    except ModuleNotFoundError as error:
        raise MissingExtra("train", "a random model") from error
    s = SIZES[size]
    ids = {name: tokenizer.convert_tokens_to_ids(name) for name in SPECIAL_TOKENS}
    kind = transformers.Qwen3VLConfig if s.family.timed else transformers.Qwen2_5_VLConfig
    return kind(
        text_config=_text(s, ids),
        vision_config=_vision(s),
        tie_word_embeddings=True,
        image_token_id=ids["<|image_pad|>"],
        video_token_id=ids["<|video_pad|>"],
        vision_start_token_id=ids["<|vision_start|>"],
        vision_end_token_id=ids["<|vision_end|>"],
    )


def _text(s: Size, ids: dict[str, int]) -> dict[str, Any]:
    rope = {"rope_type": "default", "mrope_section": list(s.rope_sections), "rope_theta": 1_000_000.0}
    found: dict[str, Any] = {
        "vocab_size": s.vocabulary,
        "hidden_size": s.hidden,
        "intermediate_size": s.inner,
        "num_hidden_layers": s.layers,
        "num_attention_heads": s.heads,
        "num_key_value_heads": s.key_heads,
        "rms_norm_eps": 1e-6,
        "tie_word_embeddings": True,
        "rope_parameters": rope,
        "bos_token_id": ids["<|endoftext|>"],
        "eos_token_id": ids["<|im_end|>"],
        "pad_token_id": ids["<|endoftext|>"],
    }
    if s.family.timed:
        rope["mrope_interleaved"] = True
        return found | {"head_dim": s.head}
    return found | {"max_window_layers": s.layers}


def _vision(s: Size) -> dict[str, Any]:
    found = {
        "depth": s.vision_layers,
        "hidden_size": s.vision_hidden,
        "intermediate_size": s.vision_inner,
        "num_heads": s.vision_heads,
        "out_hidden_size": s.hidden,
    }
    if s.family.timed:
        return found | {"deepstack_visual_indexes": list(s.picked_layers)}
    return found | {"fullatt_block_indexes": list(s.picked_layers), "tokens_per_second": 2}


def train_tokenizer(texts: Iterable[str], vocabulary: int = 2048) -> Any:
    """A byte-level tokenizer with the special tokens of Qwen models, trained on texts."""
    try:
        from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
        from transformers import PreTrainedTokenizerFast
    except ModuleNotFoundError as error:
        raise MissingExtra("train", "a tokenizer") from error
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=list(SPECIAL_TOKENS),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>"
    )


def write_random_model(
    folder: Path, size: str, texts: Iterable[str], seed: int = 0, device: str = "cpu"
) -> Path:
    """Write a model and its tokenizer for `from_pretrained`; on a GPU in 16 bits."""
    tokenizer = train_tokenizer(texts, min(2048, SIZES[size].vocabulary) if size in SIZES else 2048)
    config = random_config(size, tokenizer)
    import torch
    import transformers

    torch.manual_seed(seed)
    with torch.device(device):
        model = getattr(transformers, SIZES[size].family.model_class)(config)
    if device != "cpu":
        model.to(torch.bfloat16)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
