"""A training example as tokens: the chat markup of Qwen models, media opened up, loss on the answer."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from situ.errors import BadInput
from situ.train.rows import PLACEHOLDERS, TrainingRow
from situ.train.vision import Grid, tokens_of

IGNORED = -100
TEXT, IMAGE, VIDEO = 0, 1, 2
PAD_TOKENS = {"image": "<|image_pad|>", "video": "<|video_pad|>"}
SPECIAL_TOKENS = (
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|vision_start|>",
    "<|vision_end|>",
    *PAD_TOKENS.values(),
)
_ANY = re.compile("|".join(PLACEHOLDERS.values()))


@dataclass(frozen=True)
class Tokens:
    """Token ids with the labels to learn (`IGNORED` elsewhere) and what each token stands for."""

    ids: list[int]
    labels: list[int]
    kinds: list[int]


def prompt_markup(prompt: str, kinds: Sequence[str], grids: Sequence[Grid], name: str = "") -> str:
    """Everything up to the answer, with as many pad tokens as each medium has."""
    found = _ANY.findall(prompt)
    wanted = [PLACEHOLDERS[kind] for kind in kinds]
    if found != wanted:
        raise BadInput(
            f"example {name}: the prompt names {found or 'no media'} and the example holds "
            f"{wanted or 'none'}; each medium needs one placeholder, in order"
        )
    pads = iter(
        f"<|vision_start|>{PAD_TOKENS[kind] * tokens_of(grid)}<|vision_end|>"
        for kind, grid in zip(kinds, grids, strict=True)
    )
    said = _ANY.sub(lambda _: next(pads), prompt)
    return f"<|im_start|>user\n{said}<|im_end|>\n<|im_start|>assistant\n"


def kinds_of(ids: Sequence[int], tokenizer: Any) -> list[int]:
    """What each token stands for: text, image or video."""
    image, video = (tokenizer.convert_tokens_to_ids(PAD_TOKENS[kind]) for kind in ("image", "video"))
    return [IMAGE if token == image else VIDEO if token == video else TEXT for token in ids]


def tokens_for(row: TrainingRow, grids: Sequence[Grid], tokenizer: Any) -> Tokens:
    """The whole example; the loss counts on the answer and the mark that ends it."""
    markup = prompt_markup(row.prompt, [medium.kind for medium in row.media], grids, row.id)
    asked = tokenizer.encode(markup, add_special_tokens=False)
    answer = tokenizer.encode(f"{row.answer}<|im_end|>\n", add_special_tokens=False)
    ids = [*asked, *answer]
    return Tokens(ids, [*[IGNORED] * len(asked), *answer], kinds_of(ids, tokenizer))
