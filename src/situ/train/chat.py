"""Tokenisation of training examples: chat markup of Qwen models, expanded media, loss on the answer."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from situ.errors import BadInput
from situ.train.families import QWEN25, STEP_FRAMES, Family
from situ.train.rows import PLACEHOLDERS, TrainingRow
from situ.train.vision import Grid, tokens_of

IGNORED = -100  # label without loss, as in PyTorch
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
    """Token ids, labels (`IGNORED` where no loss applies), and the kind of each token."""

    ids: list[int]
    labels: list[int]
    kinds: list[int]


def prompt_markup(
    prompt: str,
    kinds: Sequence[str],
    grids: Sequence[Grid],
    rates: Sequence[float],
    family: Family = QWEN25,
    name: str = "",
) -> str:
    """Prompt up to the answer, with the pad tokens of each medium at its frame rate."""
    found = _ANY.findall(prompt)
    wanted = [PLACEHOLDERS[kind] for kind in kinds]
    if found != wanted:
        raise BadInput(
            f"example {name}: the prompt names {found or 'no media'} and the example holds "
            f"{wanted or 'none'}; each medium needs one placeholder, in order"
        )
    pads = iter(
        _timed_pads(grid, rate) if family.timed and kind == "video" else _pads(kind, grid)
        for kind, grid, rate in zip(kinds, grids, rates, strict=True)
    )
    said = _ANY.sub(lambda _: next(pads), prompt)
    return f"<|im_start|>user\n{said}<|im_end|>\n<|im_start|>assistant\n"


def _pads(kind: str, grid: Grid) -> str:
    return f"<|vision_start|>{PAD_TOKENS[kind] * tokens_of(grid)}<|vision_end|>"


def _timed_pads(grid: Grid, rate: float) -> str:
    """Pad tokens of each step of a video, preceded by the time at its middle as text."""
    steps, *rest = grid
    times = ((STEP_FRAMES * step + (STEP_FRAMES - 1) / 2) / rate for step in range(steps))
    return "".join(f"<{time:.1f} seconds>{_pads('video', (1, rest[0], rest[1]))}" for time in times)


def kinds_of(ids: Sequence[int], tokenizer: Any) -> list[int]:
    """Kind of each token: text, image or video."""
    image, video = (tokenizer.convert_tokens_to_ids(PAD_TOKENS[kind]) for kind in ("image", "video"))
    return [IMAGE if token == image else VIDEO if token == video else TEXT for token in ids]


def tokens_for(
    row: TrainingRow,
    grids: Sequence[Grid],
    tokenizer: Any,
    family: Family = QWEN25,
    most_fps: float = math.inf,
) -> Tokens:
    """The complete example, with videos thinned to `most_fps` and loss on the answer and its end token."""
    shown = [medium.at_most(most_fps) for medium in row.media]
    kinds, rates = [medium.kind for medium in shown], [medium.fps for medium in shown]
    markup = prompt_markup(row.prompt, kinds, grids, rates, family, row.id)
    asked = tokenizer.encode(markup, add_special_tokens=False)
    answer = tokenizer.encode(f"{row.answer}<|im_end|>\n", add_special_tokens=False)
    ids = [*asked, *answer]
    return Tokens(ids, [*[IGNORED] * len(asked), *answer], kinds_of(ids, tokenizer))
