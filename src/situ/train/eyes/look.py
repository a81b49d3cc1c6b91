"""Quick evaluation of a network on unseen worlds, with true masks."""

from dataclasses import dataclass

import numpy as np
import torch

from situ.perception.homes.channels import FOCAL, NAMES, NO_ROOM
from situ.train.eyes.labels import NAME, PIXELS
from situ.train.eyes.network import HomeEyes, parts
from situ.train.eyes.store import FrameStore

_BATCH = 64  # frames


@dataclass(frozen=True)
class Score:
    """Shares of correctly named cells, objects (by most of their cells) and rooms, and the median depth
    error."""

    cells: float
    things_240: float
    things_100: float
    depth: float
    rooms: float
    confused: tuple[tuple[str, str, int], ...]


@torch.no_grad()  # type: ignore[untyped-decorator]
def look_at(eyes: HomeEyes, store: FrameStore, frames: int, device: str) -> Score:
    eyes.eval()
    right: list[float] = []
    depth: list[float] = []
    inside: list[float] = []
    named = {240: [0, 0], 100: [0, 0]}
    confused: dict[tuple[str, str], int] = {}
    for start in range(0, frames, _BATCH):
        batch = store.frames(np.arange(start, min(frames, start + _BATCH)))
        names, fields, rooms = eyes(batch.rgb.permute(0, 3, 1, 2).float() / 255.0)
        label = names.argmax(dim=1)
        right.append(float((label == batch.name).float().mean()))
        indoors = batch.room != NO_ROOM
        inside += (rooms.argmax(dim=1) == batch.room)[indoors].float().tolist()
        metres = torch.exp(parts(fields)["depth"][:, 0]) * batch.focal[:, None, None] / FOCAL
        true = batch.depth.float()
        known = true > 0
        depth.append(float(((metres - true).abs() / true.clamp(min=0.05))[known].median()))
        for i in range(len(label)):
            _count(label[i].cpu(), batch.thing[i].cpu(), batch.things[i].cpu(), named, confused)
    worst = sorted(confused.items(), key=lambda item: -item[1])[:20]
    share = {least: hits / max(1, of) for least, (hits, of) in named.items()}
    pairs = tuple((true, said, count) for (true, said), count in worst)
    return Score(
        float(np.mean(right)),
        share[240],
        share[100],
        float(np.mean(depth)),
        float(np.mean(inside or [0.0])),
        pairs,
    )


def _count(
    label: torch.Tensor,
    thing: torch.Tensor,
    things: torch.Tensor,
    named: dict[int, list[int]],
    confused: dict[tuple[str, str], int],
) -> None:
    for row in range(int(thing.max())):
        pixels = float(things[row, PIXELS])
        mine = label[thing == row + 1]
        if pixels < 100 or not len(mine):
            continue
        true, said = int(things[row, NAME]), int(torch.bincount(mine.long()).argmax())
        for least, counts in named.items():
            if pixels >= least:
                counts[0] += said == true
                counts[1] += 1
        if said != true and pixels >= 240:
            pair = NAMES[true], NAMES[said]
            confused[pair] = confused.get(pair, 0) + 1
