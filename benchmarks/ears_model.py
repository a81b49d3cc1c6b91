"""The network that hears sentences, and how it is taught. Plain torch; sentences come as numbers.

Each piece of a word has a vector (of potion-base-8M at first) and each kind of word another; convolutions mix
them; one head says what is asked, one which words fill which hole.
"""

import itertools
import json
import struct
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

MOST_UNITS = 42  # of a weight: a fifth less to download than with 127, and as well heard
UNTAUGHT = -100  # a tag that no loss counts
WORD, WIDE, REACH, DILATIONS = 64, 160, 5, (1, 2, 4)
_CALMED = np.linspace(0.5, 3.0, 51)


@dataclass(frozen=True)
class Sentences:
    """Pieces (0 behind the end) with the kinds of their words, tags of first pieces, what is asked, and the
    group of each sentence."""

    ids: torch.Tensor
    kinds: torch.Tensor
    tags: torch.Tensor
    meant: torch.Tensor
    group: torch.Tensor

    def of(self, chosen: torch.Tensor) -> "Sentences":
        parts = (self.ids, self.kinds, self.tags, self.meant, self.group)
        return Sentences(*(part[chosen] for part in parts))


class Network(nn.Module):
    """Pieces and kinds of words to what is asked and the tag of each piece."""

    def __init__(self, vectors: torch.Tensor, kinds: int, labels: int, tags: int) -> None:
        super().__init__()
        self.word = nn.Embedding.from_pretrained(vectors, freeze=False)
        self.kind = nn.Embedding(kinds, vectors.shape[1])
        nn.init.normal_(self.kind.weight, 0.0, 0.5)
        sizes = [vectors.shape[1], *[WIDE] * len(DILATIONS)]
        self.layers = nn.ModuleList(
            nn.Conv1d(a, b, REACH, padding=REACH // 2 * far, dilation=far)
            for (a, b), far in zip(itertools.pairwise(sizes), DILATIONS, strict=True)
        )
        self.intent = nn.Linear(2 * WIDE + vectors.shape[1], labels)
        self.tag = nn.Linear(WIDE, tags)
        self.drop = nn.Dropout(0.15)

    def forward(self, ids: torch.Tensor, kinds: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        mask = (ids != 0).to(self.word.weight.dtype)[:, None, :]
        first = self.drop(self.word(ids) + self.kind(kinds)).transpose(1, 2) * mask
        x = first
        for k, layer in enumerate(self.layers):
            y = functional.relu(layer(x)) * mask
            x = y if k == 0 else x + y
        most = (x + (mask - 1.0) * 1e4).amax(2)
        pooled = torch.cat([most, x.sum(2) / mask.sum(2), first.sum(2) / mask.sum(2)], 1)
        return self.intent(self.drop(pooled)), self.tag(self.drop(x.transpose(1, 2)))


def taught(
    model: Network, given: Sentences, epochs: float, seed: int, rate: float = 2e-3, batch: int = 128
) -> Network:
    """The model after some epochs, by AdamW with a rate that rises and falls."""
    torch.manual_seed(seed)
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01)
    size = len(given.meant)
    batch = min(batch, size)
    steps = max(1, int(epochs * (size // batch)))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda k: min((k + 1) / (0.06 * steps + 1), max(0.01, 1.0 - k / steps))
    )
    began, done = time.time(), 0
    while done < steps:
        order = torch.randperm(size, device=given.ids.device)
        for k in range(0, size - batch + 1, batch):
            some = given.of(order[k : k + batch])
            longest = int((some.ids != 0).sum(1).max())
            said, tagged = model(some.ids[:, :longest].long(), some.kinds[:, :longest].long())
            loss = functional.cross_entropy(said, some.meant, label_smoothing=0.05)
            tags = some.tags[:, :longest].long()
            loss = loss + functional.cross_entropy(tagged.transpose(1, 2), tags, ignore_index=UNTAUGHT)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            done += 1
            if done % 200 == 0 or done == steps:
                print(
                    f"step {done} of {steps}: loss {loss.item():.3f}, {time.time() - began:.0f} s", flush=True
                )
            if done >= steps:
                break
    return model.eval()


@torch.no_grad()
def heard(model: Network, given: Sentences, batch: int = 512) -> dict[str, np.ndarray]:
    """For each sentence the first choice, its share, and whether all tags are right."""
    found: dict[str, list[np.ndarray]] = {"choice": [], "share": [], "tagged": [], "doubt": []}
    for k in range(0, len(given.meant), batch):
        some = given.of(torch.arange(k, min(k + batch, len(given.meant)), device=given.ids.device))
        said, tagged = model(some.ids.long(), some.kinds.long())
        share, choice = said.softmax(1).max(1)
        tags = some.tags.long()
        counted = tags != UNTAUGHT
        right = ((tagged.argmax(2) == tags) | ~counted).all(1)
        doubt = (tagged.softmax(2).amax(2) + (~counted).float()).clamp(max=1.0).amin(1)
        for name, value in (("choice", choice), ("share", share), ("tagged", right), ("doubt", doubt)):
            found[name].append(value.cpu().numpy())
    return {name: np.concatenate(parts) for name, parts in found.items()}


def calm_of(shares: np.ndarray, right: np.ndarray) -> float:
    """By what the logarithms of odds are divided so that a share is how often it is right."""
    odds = np.log(np.clip(shares, 1e-6, 1 - 1e-6) / np.clip(1 - shares, 1e-6, 1))
    loss = []
    for way in _CALMED:
        calmed = np.clip(1 / (1 + np.exp(-odds / way)), 1e-6, 1 - 1e-6)
        loss.append(-np.mean(np.where(right, np.log(calmed), np.log(1 - calmed))))
    return float(_CALMED[int(np.argmin(loss))])


# ---------------------------------------------------------------------- weights as numbers
def vectors_of(folder: Path, pieces: Sequence[str]) -> torch.Tensor:
    """Vectors of pieces: the main axes of potion-base-8M's."""
    raw = (folder / "model.safetensors").read_bytes()
    size = struct.unpack("<Q", raw[:8])[0]
    (entry,) = (value for name, value in json.loads(raw[8 : 8 + size]).items() if name != "__metadata__")
    start, end = (8 + size + offset for offset in entry["data_offsets"])
    table = np.frombuffer(raw[start:end], np.float32).reshape(entry["shape"])
    rows = json.loads((folder / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    chance = np.random.default_rng(1)
    found = np.stack(
        [table[rows[piece]] if piece in rows else chance.normal(0, 0.01, table.shape[1]) for piece in pieces]
    )
    _, _, axes = np.linalg.svd(found - found.mean(0), full_matrices=False)
    small = (found - found.mean(0)) @ axes[:WORD].T
    return torch.from_numpy((small / small.std()).astype(np.float32))


def in_bytes(state: Mapping[str, torch.Tensor]) -> dict[str, np.ndarray]:
    """Matrices in small whole numbers, which compress well, with a unit for each row; the rest as it is."""
    found: dict[str, np.ndarray] = {}
    for name, value in state.items():
        plain = value.detach().cpu().float().numpy()
        if plain.ndim < 2:
            found[name] = plain.astype(np.float32)
            continue
        unit = np.abs(plain).reshape(len(plain), -1).max(1).clip(1e-8) / MOST_UNITS
        shape = (-1,) + (1,) * (plain.ndim - 1)
        found[f"{name}.q"] = np.round(plain / unit.reshape(shape)).astype(np.int8)
        found[f"{name}.u"] = unit.reshape(shape).astype(np.float32)
    return found
