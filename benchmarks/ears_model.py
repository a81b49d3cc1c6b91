"""The two networks that hear sentences, and how they are taught. Plain torch; sentences come as numbers.

Encoder: MiniLM-L6 with two heads (what is asked; which words fill which hole). Small: three convolutions over
the same pieces, with vectors of words from the encoder's, taught by the encoder as well.
"""

import itertools
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.nn import functional

UNTAUGHT = -100  # a tag that no loss counts
HEADS = 12
SMALL, WIDE, REACH, DEEP = (
    48,
    112,
    5,
    3,
)  # of the small network: vectors, channels, pieces that one sees, layers
Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Sentences:
    """Pieces (0 behind the end), tags of first pieces, what is asked, and the group of each sentence."""

    ids: torch.Tensor
    tags: torch.Tensor
    meant: torch.Tensor
    group: torch.Tensor

    def of(self, chosen: torch.Tensor) -> "Sentences":
        return Sentences(self.ids[chosen], self.tags[chosen], self.meant[chosen], self.group[chosen])


class Block(nn.Module):
    """One layer of BERT."""

    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.attended, self.done = nn.LayerNorm(width, eps=1e-12), nn.LayerNorm(width, eps=1e-12)
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        n, size, width = x.shape
        q, k, v = (
            part(x).view(n, size, HEADS, width // HEADS).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        scores = q @ k.transpose(2, 3) / math.sqrt(width // HEADS) + there
        mixed = (scores.softmax(-1) @ v).transpose(1, 2).reshape(n, size, width)
        x = self.attended(x + self.drop(self.out(mixed)))
        return self.done(x + self.drop(self.down(functional.gelu(self.up(x)))))


class Encoder(nn.Module):
    """Pieces to what is asked and the tag of each piece."""

    def __init__(
        self, pieces: int, labels: int, tags: int, width: int = 384, layers: int = 6, longest: int = 64
    ) -> None:
        super().__init__()
        self.word = nn.Embedding(pieces, width)
        self.at = nn.Embedding(longest, width)
        self.first = nn.LayerNorm(width, eps=1e-12)
        self.blocks = nn.ModuleList(Block(width, 4 * width) for _ in range(layers))
        self.intent = nn.Linear(width, labels)
        self.tag = nn.Linear(width, tags)
        self.drop = nn.Dropout(0.1)

    def forward(self, ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        mask = (ids != 0).to(self.word.weight.dtype)
        there = (1.0 - mask)[:, None, None, :] * -1e4
        x = self.drop(self.first(self.word(ids) + self.at.weight[: ids.shape[1]]))
        for block in self.blocks:
            x = block(x, there)
        mean = (x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        return self.intent(self.drop(mean)), self.tag(self.drop(x))


class Small(nn.Module):
    """As the encoder, with convolutions: what numpy does in less than a millisecond."""

    def __init__(self, vectors: torch.Tensor, labels: int, tags: int) -> None:
        super().__init__()
        self.word = nn.Embedding.from_pretrained(vectors, freeze=False)
        sizes = [vectors.shape[1], *[WIDE] * DEEP]
        self.layers = nn.ModuleList(
            nn.Conv1d(a, b, REACH, padding=REACH // 2) for a, b in itertools.pairwise(sizes)
        )
        self.intent = nn.Linear(2 * WIDE, labels)
        self.tag = nn.Linear(WIDE, tags)
        self.drop = nn.Dropout(0.15)

    def forward(self, ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        mask = (ids != 0).to(self.word.weight.dtype)[:, None, :]
        x = self.drop(self.word(ids)).transpose(1, 2) * mask
        for k, layer in enumerate(self.layers):
            y = functional.relu(layer(x)) * mask
            x = y if k == 0 else x + y
        most = (x + (mask - 1.0) * 1e4).amax(2)
        mean = x.sum(2) / mask.sum(2)
        return self.intent(self.drop(torch.cat([most, mean], 1))), self.tag(self.drop(x.transpose(1, 2)))


# ---------------------------------------------------------------------- teaching
def taught(
    model: nn.Module,
    given: Sentences,
    epochs: float,
    rate: float,
    seed: int,
    limit_s: float = 1e9,
    teacher: nn.Module | None = None,
    batch: int = 128,
    frozen: tuple[str, ...] = (),
) -> nn.Module:
    """The model after some epochs, by AdamW with a rate that rises and falls; heads learn faster."""
    torch.manual_seed(seed)
    model.train()
    body = [p for name, p in model.named_parameters() if not name.startswith(("intent", "tag", *frozen))]
    heads = [p for name, p in model.named_parameters() if name.startswith(("intent", "tag"))]
    for name, parameter in model.named_parameters():
        parameter.requires_grad = not name.startswith(frozen) if frozen else True
    optimizer = torch.optim.AdamW(
        [{"params": body, "lr": rate}, {"params": heads, "lr": 5 * rate}], weight_decay=0.01
    )
    size = len(given.meant)
    batch = min(batch, size)
    steps = max(1, int(epochs * (size // batch)))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda k: min((k + 1) / (0.06 * steps + 1), max(0.01, 1.0 - k / steps))
    )
    began, done, mean = time.time(), 0, 0.0
    while done < steps and time.time() - began < limit_s:
        order = torch.randperm(size, device=given.ids.device)
        for k in range(0, size - batch + 1, batch):
            if done >= steps or time.time() - began > limit_s:
                break
            some = given.of(order[k : k + batch])
            longest = int((some.ids != 0).sum(1).max())
            ids, tags = some.ids[:, :longest].long(), some.tags[:, :longest].long()
            said, tagged = model(ids)
            loss = functional.cross_entropy(said, some.meant, label_smoothing=0.05)
            loss = loss + functional.cross_entropy(tagged.transpose(1, 2), tags, ignore_index=UNTAUGHT)
            if teacher is not None:
                with torch.no_grad():
                    wants, marks = teacher(ids)
                loss = loss + functional.kl_div(said.log_softmax(1), wants.softmax(1), reduction="batchmean")
                real = (ids != 0).float()
                apart = functional.kl_div(tagged.log_softmax(2), marks.softmax(2), reduction="none").sum(2)
                loss = loss + (apart * real).sum() / real.sum()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            done += 1
            if done % 100 == 0 or done == steps:
                mean = loss.item()
                print(f"step {done} of {steps}: loss {mean:.3f}, {time.time() - began:.0f} s", flush=True)
    return model.eval()


@torch.no_grad()
def heard(model: nn.Module, given: Sentences, batch: int = 512) -> dict[str, np.ndarray]:
    """For each sentence the first choice, its share, and whether all tags are right."""
    found: dict[str, list[np.ndarray]] = {"choice": [], "share": [], "tagged": [], "doubt": []}
    for k in range(0, len(given.meant), batch):
        some = given.of(torch.arange(k, min(k + batch, len(given.meant)), device=given.ids.device))
        said, tagged = model(some.ids.long())
        share, choice = said.softmax(1).max(1)
        tags = some.tags.long()
        counted = tags != UNTAUGHT
        right = ((tagged.argmax(2) == tags) | ~counted).all(1)
        doubt = (tagged.softmax(2).amax(2) + (~counted).float()).clamp(max=1.0).amin(1)
        for name, value in (("choice", choice), ("share", share), ("tagged", right), ("doubt", doubt)):
            found[name].append(value.cpu().numpy())
    return {name: np.concatenate(parts) for name, parts in found.items()}


def told(name: str, model: nn.Module, given: Sentences, outside: int) -> None:
    """What the model hears of each group, in words."""
    one = heard(model, given)
    meant, group = given.meant.cpu().numpy(), given.group.cpu().numpy()
    right, inside = one["choice"] == meant, meant != outside
    for number in np.unique(group):
        here = (group == number) & inside
        if here.sum() == 0:
            continue
        both = right & one["tagged"]
        sure = here & (one["share"] * one["doubt"] > 0.9)
        print(
            f"{name} group {number}: {here.sum()} sentences, frame {100 * right[here].mean():.1f} %, tags "
            f"{100 * one['tagged'][here].mean():.1f} %, both {100 * both[here].mean():.1f} %; above 0.9: "
            f"{100 * sure.sum() / here.sum():.0f} %, of them right {100 * both[sure].mean():.1f} %",
            flush=True,
        )
    none = ~inside
    if none.any():
        print(
            f"{name} outside: {none.sum()}, refused {100 * right[none].mean():.1f} %, taken for a question "
            f"above 0.7: "
            f"{100 * ((one['choice'] != outside) & (one['share'] > 0.7))[none].mean():.1f} %",
            flush=True,
        )


# ---------------------------------------------------------------------- weights as numbers
def base_of(stored: Arrays) -> dict[str, torch.Tensor]:
    """Weights of the encoder's body from whole numbers with a unit for each row."""
    found: dict[str, torch.Tensor] = {}
    for name, value in stored.items():
        if name.endswith(".q"):
            found[name[:-2]] = torch.from_numpy(value.astype(np.float32) * stored[f"{name[:-2]}.u"])
        elif not name.endswith(".u"):
            found[name] = torch.from_numpy(value.astype(np.float32))
    return found


def in_bytes(state: Mapping[str, torch.Tensor]) -> dict[str, np.ndarray]:
    """The opposite: matrices in 8 bits with a unit for each row, the rest as it is."""
    found: dict[str, np.ndarray] = {}
    for name, value in state.items():
        plain = value.detach().cpu().float().numpy()
        if plain.ndim < 2:
            found[name] = plain.astype(np.float32)
            continue
        unit = np.abs(plain).reshape(len(plain), -1).max(1).clip(1e-8) / 127
        shape = (-1,) + (1,) * (plain.ndim - 1)
        found[f"{name}.q"] = np.round(plain / unit.reshape(shape)).astype(np.int8)
        found[f"{name}.u"] = unit.reshape(shape).astype(np.float32)
    return found


def vectors_of(word: torch.Tensor, size: int = SMALL) -> torch.Tensor:
    """The main axes of the encoder's vectors of words, for the small network to begin with."""
    centred = word - word.mean(0)
    _, _, axes = torch.linalg.svd(centred[torch.randperm(len(word))[:4000]], full_matrices=False)
    found = centred @ axes[:size].T
    return found / found.std()
