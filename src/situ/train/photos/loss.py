"""What the network is taught: each answer against the exact label, each doubt against its own error."""

import torch
from torch import Tensor
from torch.nn import functional as F

from situ.perception.homes.channels import NO_ROOM, SHELL
from situ.perception.photos.channels import CENTRE_PX, FIELDS, FOCAL, LONG, STRIDE
from situ.train.eyes.labels import CENTER, COLOR, COLUMNS, MATERIAL, PIXELS, SIZE, TURN
from situ.train.eyes.loss import look_loss
from situ.train.photos.augment import Views

WEIGHTS = {
    "name": 1.0, "depth": 2.0, "shape": 1.0, "slope": 0.5, "doubt": 0.2, "scale": 0.1, "up": 1.0,
    "up_doubt": 0.05, "centre": 0.7, "size": 0.4, "turn": 0.15, "spread": 0.1, "color": 0.15,
    "material": 0.1, "look": 0.15, "room": 0.1, "readable": 0.3,
}  # fmt: skip
NEAREST_M, FARTHEST_M = 0.1, 30.0
_USUAL_CELLS, _SHELL_WEIGHT = 20.0, 0.5
_LEAST_DOUBT, _MOST_DOUBT = -5.0, 2.0  # logs


def parts(fields: Tensor) -> dict[str, Tensor]:
    """All fields (n, h, w, c) by name; the look has length one."""
    split = fields.float().split(list(FIELDS.values()), dim=1)
    found = {name: values.permute(0, 2, 3, 1) for name, values in zip(FIELDS, split, strict=True)}
    found["look"] = F.normalize(found["look"], dim=-1)
    return found


def losses(names: Tensor, fields: Tensor, rooms: Tensor, whole: Tensor, views: Views) -> dict[str, Tensor]:
    whole = whole.float()
    per, readable = parts(fields), views.readable
    seen = readable[:, None, None] * (views.name >= 0)
    rows = _rows_of(views)
    on = (views.thing > 0).float() * seen
    cells = (rows[..., PIXELS] / STRIDE**2).clamp(min=1.0)
    weight = torch.where(on > 0, (_USUAL_CELLS / cells).sqrt().clamp(0.5, 3.0), _SHELL_WEIGHT) * seen
    label = views.name.clamp(min=0)
    entropy = F.cross_entropy(names.float(), label, reduction="none")
    # What is neither a thing that has a row nor a part of the building is too small to be told.
    told = (views.thing > 0) | (label < len(SHELL))
    found = {"name": _mean(entropy, weight * told), **_depth(per, whole, views, seen)}
    off = (whole[:, :3] - views.up).norm(dim=-1)
    doubt = whole[:, 3].clamp(_LEAST_DOUBT, _MOST_DOUBT)
    found["up"] = _mean(off, readable)
    found["up_doubt"] = _mean(doubt + off.detach() * torch.exp(-doubt), readable)
    found |= _things(per, rows, views, on, weight)
    indoors = (views.room != NO_ROOM).float() * readable
    room = torch.where(views.room != NO_ROOM, views.room, 0).long()
    found["room"] = _mean(F.cross_entropy(rooms.float(), room, reduction="none"), indoors)
    found["readable"] = F.binary_cross_entropy_with_logits(whole[:, 5], readable)
    return found


def _depth(per: dict[str, Tensor], whole: Tensor, views: Views, seen: Tensor) -> dict[str, Tensor]:
    """Depth as such, after one factor a picture, and from cell to cell; with its doubts."""
    ok = ((views.depth > NEAREST_M) & (views.depth < FARTHEST_M)).float() * seen
    lens = (views.focal * LONG / views.long / FOCAL)[:, None, None]
    true = torch.log(views.depth.clamp(NEAREST_M, FARTHEST_M) / lens)
    off = (per["depth"][..., 0] - true) * ok
    count = ok.sum((1, 2)).clamp(min=1)
    factor = off.sum((1, 2)) / count
    shape = ((((off - factor[:, None, None]) * ok) ** 2).sum((1, 2)) / count + 1e-4).sqrt()
    there = (ok.sum((1, 2)) > 20).float()
    slope = off.new_zeros(())
    for k in (1, 4):
        for axis in (1, 2):
            long = off.shape[axis]
            a, b = off.narrow(axis, k, long - k), off.narrow(axis, 0, long - k)
            both = ok.narrow(axis, k, long - k) * ok.narrow(axis, 0, long - k)
            slope = slope + _mean((a - b).abs(), both)
    doubt = per["doubt"][..., 0].clamp(_LEAST_DOUBT, _MOST_DOUBT)
    scale = whole[:, 4].clamp(_LEAST_DOUBT, _MOST_DOUBT)
    return {
        "depth": _mean(off.abs(), ok), "shape": _mean(shape, there), "slope": slope,
        "doubt": _mean(doubt + off.detach().abs() * torch.exp(-doubt), ok),
        "scale": _mean(scale + factor.detach().abs() * torch.exp(-scale), there),
    }  # fmt: skip


def _things(
    per: dict[str, Tensor], rows: Tensor, views: Views, on: Tensor, weight: Tensor
) -> dict[str, Tensor]:
    focal = views.focal[:, None, None]
    metres = views.depth.clamp(min=0.05)
    held = on * (views.depth > NEAREST_M) * weight
    rays = _rays(views)
    scale = (focal / metres / CENTRE_PX)[..., None]
    wanted = (rows[..., CENTER : CENTER + 3] - rays * metres[..., None]) * scale
    extent = torch.exp(rows[..., SIZE : SIZE + 3]).amax(dim=-1, keepdim=True) * scale
    off = (per["centre"] - wanted).abs() / (0.1 + 0.25 * extent)
    found = {"centre": _mean(off.clamp(max=20.0).mean(dim=-1), held)}
    found["size"] = _mean((per["size"] - rows[..., SIZE : SIZE + 3]).abs().mean(dim=-1), held)
    longer = (rows[..., SIZE] - rows[..., SIZE + 1]).clamp(0.0, 1.0)
    found["turn"] = _mean((per["turn"] - rows[..., TURN : TURN + 2]).abs().mean(dim=-1), held * longer)
    lens = focal * LONG / views.long / FOCAL
    said = torch.exp(per["depth"][..., 0].detach().clamp(-4, 5)) * lens
    guess = said[..., None] * rays + per["centre"].detach() * (CENTRE_PX * said / focal)[..., None]
    away = (guess - rows[..., CENTER : CENTER + 3]).norm(dim=-1).clamp(max=10.0)
    log_b = per["spread"][..., 0].clamp(-6.0, 3.0)
    found["spread"] = _mean(log_b + away * torch.exp(-log_b), held)
    for part, column in (("color", COLOR), ("material", MATERIAL)):
        target = rows[..., column].long()
        scores = per[part].permute(0, 3, 1, 2)
        entropy = F.cross_entropy(scores, target.clamp(min=0), reduction="none")
        found[part] = _mean(entropy, held * (target >= 0))
    shown = views.thing * (on > 0)
    found["look"] = look_loss(per["look"], rows, _Shown(views.things, shown, views.world))
    return found


class _Shown:
    """What `look_loss` asks of a batch."""

    def __init__(self, things: Tensor, thing: Tensor, world: Tensor) -> None:
        self.things, self.thing, self.world = things, thing, world


def _rows_of(views: Views) -> Tensor:
    """The row of its thing for each cell (n, h, w, COLUMNS); zeros where there is none."""
    rows = torch.cat([torch.zeros_like(views.things[:, :1]), views.things], dim=1)
    n, h, w = views.thing.shape
    index = views.thing.reshape(n, h * w, 1).expand(-1, -1, COLUMNS)
    return torch.gather(rows, 1, index).view(n, h, w, COLUMNS)


def _rays(views: Views) -> Tensor:
    """The ray of each cell (n, h, w, 3), one metre deep."""
    _, h, w = views.thing.shape
    y, x = torch.meshgrid(
        (torch.arange(h, device=views.depth.device) + 0.5) * STRIDE - h * STRIDE / 2,
        (torch.arange(w, device=views.depth.device) + 0.5) * STRIDE - w * STRIDE / 2,
        indexing="ij",
    )
    focal = views.focal[:, None, None]
    across, down = x[None] / focal, y[None] / focal
    return torch.stack([across, down, torch.ones_like(across)], dim=-1)


def _mean(values: Tensor, weight: Tensor) -> Tensor:
    return (values * weight).sum() / weight.sum().clamp(min=1.0)
