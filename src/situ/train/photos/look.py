"""How a network does on worlds that it never saw, as rendered and in a style that is never learnt from."""

from dataclasses import dataclass

import numpy as np
import torch

from situ.perception.photos.channels import STRIDE
from situ.train.eyes.labels import NAME, PIXELS
from situ.train.photos.augment import Lots, Views, in_another_style, viewed
from situ.train.photos.loss import parts
from situ.train.photos.network import PhotoEyes, metres_by
from situ.train.photos.store import PhotoStore

_BATCH = 32
_LEAST_PIXELS = 240
_WITHIN = 1.25
_NEAREST_M, _FARTHEST_M = 0.2, 10.0


@dataclass(frozen=True)
class Score:
    """Shares of cells whose depth is within 25 %, as told and after one factor a picture; the factor's
    quartiles; shares of things of 240 pixels named right; median of degrees by which up is off."""

    within: float
    scaled: float
    scale: tuple[float, float, float]
    named: float
    up_deg: float

    @property
    def value(self) -> float:
        """One number to choose by."""
        return self.within + 0.5 * self.scaled + self.named


@torch.no_grad()  # type: ignore[untyped-decorator]
def look_at(eyes: PhotoEyes, store: PhotoStore, other_style: bool) -> Score:
    eyes.eval()
    width, height = store.pages.width, store.pages.height
    lots = Lots(store.device, 0)
    rows: list[tuple[float, float, float]] = []
    ups: list[float] = []
    right, of = 0, 0
    for start in range(0, store.count, _BATCH):
        frames = store.frames(np.arange(start, min(store.count, start + _BATCH)))
        views, surface = viewed(frames, width, height, lots, still=True)
        picture = views.picture
        if other_style:
            picture = in_another_style(picture, surface, views.focal)
        half = torch.autocast(store.device, torch.bfloat16, enabled=store.device == "cuda")
        with half:
            names, fields, _, whole = eyes(picture, views.focal)
        metres = metres_by(parts(fields)["depth"][..., 0], views.focal, views.long)
        for i in range(len(metres)):
            ok = (views.depth[i] > _NEAREST_M) & (views.depth[i] < _FARTHEST_M)
            if int(ok.sum()) > 50:
                rows.append(_depth(metres[i][ok], views.depth[i][ok]))
        cosine = (whole[:, :3].float() * views.up).sum(-1).clamp(-1, 1)
        ups += torch.rad2deg(torch.acos(cosine)).tolist()
        hits, all_ = _named(names.argmax(1), views)
        right, of = right + hits, of + all_
    table = np.array(rows or [(0.0, 0.0, 1.0)])
    low, mid, high = np.quantile(table[:, 2], (0.25, 0.5, 0.75))
    return Score(
        float(table[:, 0].mean()), float(table[:, 1].mean()), (float(low), float(mid), float(high)),
        right / max(1, of), float(np.median(ups)),
    )  # fmt: skip


def _depth(said: torch.Tensor, true: torch.Tensor) -> tuple[float, float, float]:
    ratio = said / true
    factor = float((true / said).median())

    def within(r: torch.Tensor) -> float:
        return float(((r < _WITHIN) & (r > 1 / _WITHIN)).float().mean())

    return within(ratio), within(ratio * factor), factor


def _named(label: torch.Tensor, views: Views) -> tuple[int, int]:
    """Things of some size whose most frequent name is theirs."""
    right, of = 0, 0
    kinds = int(label.max()) + 1
    for i in range(len(label)):
        count = int(views.thing[i].max()) + 1
        table = torch.bincount((views.thing[i] * kinds + label[i]).flatten(), minlength=count * kinds)
        table = table[: count * kinds].view(count, kinds)
        for row in range(1, count):
            seen, pixels = int(table[row].sum()), float(views.things[i, row - 1, PIXELS])
            if pixels >= _LEAST_PIXELS and seen * STRIDE**2 >= _LEAST_PIXELS / 4:
                right += int(table[row].argmax()) == int(views.things[i, row - 1, NAME])
                of += 1
    return right, of
