"""A Qwen2.5-VL of any size with random weights, and a tokenizer trained on given texts: nothing to download.

`tiny` is for tests and dry runs; `3b` has the published architecture of Qwen2.5-VL-3B.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from situ.errors import BadInput, MissingExtra
from situ.train.chat import SPECIAL_TOKENS


@dataclass(frozen=True)
class Size:
    """The figures that shape a model."""

    hidden: int
    inner: int
    layers: int
    heads: int
    key_heads: int
    vision_hidden: int
    vision_inner: int
    vision_layers: int
    vision_heads: int
    whole_frame_layers: tuple[int, ...]
    vocabulary: int
    rope_sections: tuple[int, int, int]


SIZES = {
    "tiny": Size(64, 128, 2, 4, 2, 32, 64, 2, 2, (1,), 2048, (2, 3, 3)),
    "small": Size(512, 1536, 8, 8, 4, 256, 768, 6, 4, (2, 5), 4096, (8, 12, 12)),
    "3b": Size(2048, 11008, 36, 16, 2, 1280, 3420, 32, 16, (7, 15, 23, 31), 151_936, (16, 24, 24)),
}


def random_config(size: str, tokenizer: Any) -> Any:
    """The configuration of a model whose special tokens are the tokenizer's."""
    if size not in SIZES:
        raise BadInput(f"unknown size '{size}'; choose one of {', '.join(SIZES)}")
    try:
        from transformers import Qwen2_5_VLConfig
    except ModuleNotFoundError as error:
        raise MissingExtra("train", "a random model") from error
    s = SIZES[size]
    ids = {name: tokenizer.convert_tokens_to_ids(name) for name in SPECIAL_TOKENS}
    rope = {"rope_type": "default", "mrope_section": list(s.rope_sections), "rope_theta": 1_000_000.0}
    text = {
        "vocab_size": s.vocabulary,
        "hidden_size": s.hidden,
        "intermediate_size": s.inner,
        "num_hidden_layers": s.layers,
        "num_attention_heads": s.heads,
        "num_key_value_heads": s.key_heads,
        "max_window_layers": s.layers,
        "rms_norm_eps": 1e-6,
        "tie_word_embeddings": True,
        "rope_parameters": rope,
        "bos_token_id": ids["<|endoftext|>"],
        "eos_token_id": ids["<|im_end|>"],
        "pad_token_id": ids["<|endoftext|>"],
    }
    vision = {
        "depth": s.vision_layers,
        "hidden_size": s.vision_hidden,
        "intermediate_size": s.vision_inner,
        "num_heads": s.vision_heads,
        "out_hidden_size": s.hidden,
        "fullatt_block_indexes": list(s.whole_frame_layers),
        "tokens_per_second": 2,
    }
    return Qwen2_5_VLConfig(
        text_config=text,
        vision_config=vision,
        tie_word_embeddings=True,
        image_token_id=ids["<|image_pad|>"],
        video_token_id=ids["<|video_pad|>"],
        vision_start_token_id=ids["<|vision_start|>"],
        vision_end_token_id=ids["<|vision_end|>"],
    )


def train_tokenizer(texts: Iterable[str], vocabulary: int = 2048) -> Any:
    """A byte-level tokenizer with the special tokens of Qwen models, learnt from texts."""
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


def write_random_model(folder: Path, size: str, texts: Iterable[str], seed: int = 0) -> Path:
    """A model and its tokenizer in a folder, as `from_pretrained` expects them."""
    tokenizer = train_tokenizer(texts, min(2048, SIZES[size].vocabulary) if size in SIZES else 2048)
    config = random_config(size, tokenizer)
    import torch
    from transformers import Qwen2_5_VLForConditionalGeneration

    torch.manual_seed(seed)
    model = Qwen2_5_VLForConditionalGeneration(config)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
