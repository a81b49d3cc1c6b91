"""Loss of the network: names, depth, centres, sizes and embeddings, each against exact labels."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from situ.perception.homes.channels import CENTRE_PX, FOCAL, LOOK, NO_ROOM, STRIDE
from situ.train.eyes.labels import CENTER, COLOR, COLUMNS, MATERIAL, NUMBER, PIXELS, SIZE, TURN
from situ.train.eyes.network import parts

WEIGHTS = {
    "name": 1.0, "depth": 2.0, "centre": 1.0, "size": 0.5, "turn": 0.2, "spread": 0.1,
    "color": 0.3, "material": 0.2, "surface": 0.2, "look": 0.3,
    "room": 0.2,
}  # fmt: skip
_SHELL_WEIGHT, _USUAL_CELLS = 0.4, 20.0  # weight of walls and floors; cells of a typical object
_TEMPERATURE, _FEWEST_CELLS = 0.1, 4  # of the contrastive loss; cells of an object in it
_STRIDE_OF_WORLD = 1 << 14  # larger than any object number in a world


@dataclass(frozen=True, eq=False)
class Batch:
    """Frames with labels on one device; `world` identifies frames of the same world."""

    rgb: Tensor  # (n, h, w, 3) bytes
    name: Tensor  # (n, h/4, w/4)
    thing: Tensor
    surface: Tensor
    depth: Tensor
    things: Tensor  # (n, MOST_THINGS, COLUMNS)
    focal: Tensor  # (n,)
    world: Tensor  # (n,)
    room: Tensor  # (n,)


def targets_of(batch: Batch) -> Tensor:
    """Row of the object at each cell (n, h, w, COLUMNS); zeros without an object."""
    none = torch.zeros_like(batch.things[:, :1])
    rows = torch.cat([none, batch.things], dim=1)
    n, h, w = batch.thing.shape
    index = batch.thing.reshape(n, h * w, 1).expand(-1, -1, COLUMNS).long()
    return torch.gather(rows, 1, index).view(n, h, w, COLUMNS)


def rays(batch: Batch) -> Tensor:
    """Ray of each cell (n, h, w, 3) at a depth of one metre."""
    _, h, w = batch.thing.shape
    y, x = torch.meshgrid(
        torch.arange(h, device=batch.rgb.device), torch.arange(w, device=batch.rgb.device), indexing="ij"
    )
    middle = STRIDE // 2 + 0.5  # labels are those of this pixel of a cell
    across = (x * STRIDE + middle - w * STRIDE / 2)[None] / batch.focal[:, None, None]
    down = (y * STRIDE + middle - h * STRIDE / 2)[None] / batch.focal[:, None, None]
    return torch.stack([across, down, torch.ones_like(across)], dim=-1)


def losses(names: Tensor, fields: Tensor, rooms: Tensor, batch: Batch) -> dict[str, Tensor]:
    names, fields = names.float(), fields.float()
    rows, on = targets_of(batch), batch.thing > 0
    per = {part: values.permute(0, 2, 3, 1) for part, values in parts(fields).items()}
    cells = (rows[..., PIXELS] / STRIDE**2).clamp(min=1.0)
    weight = torch.where(on, (_USUAL_CELLS / cells).sqrt().clamp(0.4, 3.0), _SHELL_WEIGHT)
    found = {"name": _mean(F.cross_entropy(names, batch.name.long(), reduction="none"), weight)}
    found["surface"] = F.cross_entropy(per["surface"].permute(0, 3, 1, 2), batch.surface.long())
    metres = batch.depth.float()
    known = metres > 0
    focal = batch.focal[:, None, None]
    true_log = torch.log(metres.clamp(min=0.05) * FOCAL / focal)
    found["depth"] = _mean((per["depth"][..., 0] - true_log).abs(), known.float())
    thing = on & known
    held = thing.float() * weight
    point = rays(batch) * metres[..., None]
    scale = (focal / metres.clamp(min=0.05) / CENTRE_PX)[..., None]
    wanted = (rows[..., CENTER : CENTER + 3] - point) * scale
    extent = torch.exp(rows[..., SIZE : SIZE + 3]).amax(dim=-1, keepdim=True) * scale
    off = (per["centre"] - wanted).abs() / (0.1 + 0.25 * extent)
    found["centre"] = _mean(off.clamp(max=20.0).mean(dim=-1), held)
    found["size"] = _mean((per["size"] - rows[..., SIZE : SIZE + 3]).abs().mean(dim=-1), held)
    longer = (rows[..., SIZE] - rows[..., SIZE + 1]).clamp(0.0, 1.0)
    turned = (per["turn"] - rows[..., TURN : TURN + 2]).abs().mean(dim=-1)
    found["turn"] = _mean(turned, held * longer)
    found["spread"] = _mean(_spread_loss(per, rows, batch, scale), held)
    for part, column in (("color", COLOR), ("material", MATERIAL)):
        target = rows[..., column].long()
        known_part = thing & (target >= 0)
        scores = per[part].permute(0, 3, 1, 2)
        found[part] = _mean(
            F.cross_entropy(scores, target.clamp(min=0), reduction="none"), known_part * weight
        )
    found["look"] = look_loss(per["look"], rows, batch)
    named = (batch.room != NO_ROOM).float()
    target = torch.where(batch.room != NO_ROOM, batch.room, 0).long()
    found["room"] = _mean(F.cross_entropy(rooms.float(), target, reduction="none"), named)
    return found


def _spread_loss(per: dict[str, Tensor], rows: Tensor, batch: Batch, scale: Tensor) -> Tensor:
    """Negative log likelihood of a Laplace distribution over the error of the centre in metres."""
    focal = batch.focal[:, None, None]
    metres = torch.exp(per["depth"][..., 0].detach().clamp(-4, 5)) * focal / FOCAL
    guess = metres[..., None] * rays(batch) + per["centre"].detach() * (CENTRE_PX * metres / focal).unsqueeze(
        -1
    )
    off = (guess - rows[..., CENTER : CENTER + 3]).norm(dim=-1).clamp(max=10.0)
    log_b = per["spread"][..., 0].clamp(-6.0, 3.0)
    return log_b + off * torch.exp(-log_b)


@torch.compiler.disable  # type: ignore[untyped-decorator]
def look_loss(look: Tensor, rows: Tensor, batch: Batch) -> Tensor:
    """Contrastive loss over frames of one world: each object must be nearest to itself in another frame."""
    n = len(look)
    most = batch.things.shape[1] + 1
    slot = (torch.arange(n, device=look.device)[:, None, None] * most + batch.thing.long()).view(-1)
    sums = torch.zeros(n * most, LOOK, device=look.device).index_add_(0, slot, look.reshape(-1, LOOK))
    cells = torch.zeros(n * most, device=look.device).index_add_(
        0, slot, torch.ones_like(slot, dtype=look.dtype)
    )
    number = torch.cat([torch.zeros_like(batch.things[:, :1, NUMBER]), batch.things[..., NUMBER]], 1).view(-1)
    keep = (cells >= _FEWEST_CELLS) & (number > 0)
    if int(keep.sum()) < 2:
        return look.sum() * 0.0
    world = batch.world.long()[:, None].expand(-1, most).reshape(-1)[keep]
    which = world * _STRIDE_OF_WORLD + number[keep].long()  # integers: floats would merge neighbours
    looks = F.normalize(sums[keep], dim=1)
    alike = looks @ looks.T / _TEMPERATURE
    other = ~torch.eye(len(looks), dtype=torch.bool, device=look.device)
    there = (world[:, None] == world[None]) & other
    same = (which[:, None] == which[None]) & other
    log_share = alike - torch.logsumexp(alike.masked_fill(~there, -1e4), dim=1, keepdim=True)
    count = same.sum(dim=1)
    per_thing = -(log_share * same).sum(dim=1) / count.clamp(min=1)
    return _mean(per_thing, (count > 0).float())


def _mean(values: Tensor, weight: Tensor) -> Tensor:
    return (values * weight).sum() / weight.sum().clamp(min=1.0)
