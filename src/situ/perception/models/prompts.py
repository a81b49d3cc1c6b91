"""A list of names as detectors read it: written out once, read once, asked of every picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from situ.perception.models.runtime import torch

_NAMES_AT_ONCE = 40  # names in one sentence; text encoders end at 256 tokens
_LONGEST = 256


@dataclass(frozen=True, eq=False)
class Prompts:
    """Tokens of all prompts, and for each token the number of the name it belongs to (`unnamed` if none)."""

    tokens: dict[str, Any]
    owners: Any
    unnamed: int

    @classmethod
    def sentences(cls, tokenizer: Any, names: Sequence[str], device: str) -> "Prompts":
        """A few sentences "cup. red chair. ..." for all names."""
        t = torch()
        groups = [names[i : i + _NAMES_AT_ONCE] for i in range(0, len(names), _NAMES_AT_ONCE)]
        said = ["".join(f"{name.lower()}. " for name in group).strip() for group in groups]
        tokens = tokenizer(said, return_tensors="pt", padding=True, truncation=True, max_length=_LONGEST)
        owners = t.full(tokens["input_ids"].shape, len(names))
        for row, (sentence, group) in enumerate(zip(said, groups, strict=True)):
            for column, owner in enumerate(token_owners(tokenizer, sentence, group)):
                if owner >= 0:
                    owners[row, column] = row * _NAMES_AT_ONCE + owner
        return cls(_on(tokens, device), owners.to(device), len(names))

    @classmethod
    def each_name(cls, tokenizer: Any, names: Sequence[str], device: str) -> "Prompts":
        """One prompt for each name."""
        said = [f"a photo of a {name}" for name in names]
        tokens = tokenizer(said, return_tensors="pt", padding="max_length", truncation=True, max_length=16)
        return cls(_on(tokens, device), None, len(names))

    @property
    def count(self) -> int:
        return len(self.tokens["input_ids"])

    def asked_of(self, pictures: int) -> dict[str, Any]:
        """All prompts, again for each picture."""
        return {key: value.repeat(pictures, 1) for key, value in self.tokens.items()}

    def best_names(self, scores: Any) -> tuple[Any, Any]:
        """From scores (pictures x prompts, boxes, tokens): each box's best score and the name it is for."""
        pairs, boxes, _ = scores.shape
        owners = self.owners.repeat(pairs // self.count, 1)[:, None].expand(-1, boxes, -1)
        named = owners != self.unnamed
        told = scores[..., : owners.shape[-1]].masked_fill(~named, 0.0)
        best, token = told.max(-1)
        return best, owners.gather(-1, token[..., None])[..., 0].clamp(max=self.unnamed - 1)

    def read_once(self, encoder: Any) -> None:
        """Let a text encoder read the prompts for the first pictures only: they never change."""
        read, kept = encoder.forward, list[Any]()

        def forward(ids: Any, *others: Any, **named: Any) -> Any:
            if not kept:
                first = slice(0, self.count)
                kept.append(read(ids[first], *(other[first] for other in others), **named))
            said = kept[0].last_hidden_state
            return type(kept[0])(last_hidden_state=said.repeat(len(ids) // self.count, 1, 1))

        encoder.forward = forward


def token_owners(tokenizer: Any, prompt: str, names: Sequence[str]) -> list[int]:
    """For each token of a prompt "a. b. c." the number of the name it belongs to; -1 for dots and frames."""
    encoded = tokenizer(prompt, truncation=True, max_length=_LONGEST, return_offsets_mapping=True)
    ends, position = [], 0
    for name in names:
        ends.append((position, position + len(name)))
        position += len(name) + 2
    owners = []
    for start, stop in encoded["offset_mapping"]:
        owner = next((i for i, (a, b) in enumerate(ends) if stop > start and a <= start and stop <= b), -1)
        owners.append(owner)
    return owners


def _on(tokens: Any, device: str) -> dict[str, Any]:
    return {key: value.to(device) for key, value in tokens.items()}
