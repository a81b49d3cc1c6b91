"""What a model sees of each frame, as four tokens: names and places (perception solved), or an encoder's."""

import math
import time
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from benchmarks.camo.clips import CLEAR_SHARE, SLOTS, Clips, looks
from benchmarks.camo.layouts import NAMES, Layouts
from benchmarks.camo.paths import FRAMES, Paths
from benchmarks.camo.raycast import SIDE, Worlds, shares

WIDTH = 256
DRAWN_TOGETHER = 128  # clips
NEAR_DEG = 5.0  # a thing is placed rightly within this


def symbol_tokens(clips: Clips, device: str) -> Tensor:
    """(n, 48, features): name, bearing and distance of the nearest visible things, from left to right."""
    order = np.argsort(np.where(clips.seen, clips.bearing, np.inf), axis=2)[:, :, :SLOTS]
    there = np.take_along_axis(clips.seen, order, axis=2)
    bearing = np.radians(np.take_along_axis(clips.bearing, order, axis=2))
    distance = np.take_along_axis(clips.distance, order, axis=2)
    names = np.take_along_axis(np.repeat(clips.layouts.names[:, None], FRAMES, axis=1), order, axis=2)
    waves = [wave(k * bearing) for k in (1, 2, 4, 8) for wave in (np.sin, np.cos)]
    places = np.stack([np.ones_like(bearing), *waves, bearing, distance / 3, 1 / distance], axis=3)
    shown = torch.from_numpy((places * there[..., None]).astype(np.float32)).to(device)
    named = F.one_hot(torch.from_numpy(np.where(there, names, len(NAMES))).to(device), len(NAMES) + 1)
    tokens = torch.cat([named[..., :-1].bfloat16(), shown.bfloat16()], dim=3)
    return tokens.reshape(len(order), FRAMES * SLOTS, -1)


def pose_features(clips: Clips, device: str) -> Tensor:
    """(n, 12, 8): where each frame was taken, as seen from the last: place, and waves of the heading."""
    paths = clips.paths
    yaw = np.radians(paths.yaw[:, -1:])
    dx, dy = paths.x - paths.x[:, -1:], paths.y - paths.y[:, -1:]
    ahead, right = dx * np.cos(yaw) + dy * np.sin(yaw), dx * np.sin(yaw) - dy * np.cos(yaw)
    turn = np.radians(paths.yaw) - yaw
    waves = [wave(k * turn) for k in (1, 2, 4) for wave in (np.sin, np.cos)]
    features = np.stack([ahead / 2, right / 2, *waves], axis=2).astype(np.float32)
    return torch.from_numpy(features).to(device).bfloat16()


class Encoder(nn.Module):
    """A frame of 64 x 64 px as four tokens, one for each quarter of its width."""

    def __init__(self) -> None:
        super().__init__()
        self.cells = nn.Sequential(
            nn.Conv2d(3, 48, 3, 2, 1), nn.GELU(),
            nn.Conv2d(48, 96, 3, 2, 1), nn.GroupNorm(8, 96), nn.GELU(),
            nn.Conv2d(96, 192, 3, 2, 1), nn.GroupNorm(8, 192), nn.GELU(),
            nn.Conv2d(192, 192, 3, 1, 1), nn.GroupNorm(8, 192), nn.GELU(),
        )  # fmt: skip
        per_token = 192 * (SIDE // 8) * (SIDE // 8 // SLOTS)
        self.token = nn.Sequential(nn.Linear(per_token, WIDTH), nn.GELU(), nn.Linear(WIDTH, WIDTH))
        self.norm = nn.LayerNorm(WIDTH, elementwise_affine=False)
        self.read = nn.Linear(WIDTH, 3 * len(NAMES))  # there or not, bearing, distance of each name

    def forward(self, images: Tensor) -> Tensor:
        """Tokens (n, 4, WIDTH) of images (n, 64, 64, 3) in bytes."""
        pixels = (images.permute(0, 3, 1, 2).to(torch.bfloat16) / 127.5 - 1).contiguous(
            memory_format=torch.channels_last
        )
        cells = self.cells(pixels)
        n, channels, rows, columns = cells.shape
        parts = cells.reshape(n, channels, rows, SLOTS, columns // SLOTS).permute(0, 3, 1, 2, 4)
        tokens: Tensor = self.norm(self.token(parts.reshape(n, SLOTS, -1)).float())
        return tokens

    def readings(self, tokens: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Presence (logit), bearing in degrees and log distance, each (n, 4, 24)."""
        there, bearing, distance = self.read(tokens.float()).chunk(3, dim=2)
        middle = torch.tensor([math.degrees(math.atan((c - 1.5) / 2)) for c in range(SLOTS)])
        return there, middle.to(bearing)[:, None] + 10 * bearing, distance


class Frames:
    """Single frames with what they show: ids and colours cast from worlds."""

    def __init__(self, paths: Paths, layouts: Layouts, device: str) -> None:
        self.bearing, self.distance = looks(paths, layouts)
        self.worlds = Worlds(paths, layouts, device)
        self.names = torch.from_numpy(layouts.names).to(device)
        self.device = device

    def cast(self, numbers: Tensor) -> tuple[Tensor, Tensor]:
        """Images (n * 12, 64, 64, 3) and shares (n * 12, 8)."""
        ids, colors = self.worlds.draw(numbers)
        assert colors is not None
        return colors.flatten(0, 1), shares(ids).flatten(0, 1)

    def targets(self, numbers: Tensor, cover: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Whether each name is in each quarter (nan: hardly visible), bearing, log distance; the names."""
        rows = numbers.cpu().numpy()
        bearing = torch.from_numpy(self.bearing[rows]).float().to(self.device).flatten(0, 1)
        distance = torch.from_numpy(self.distance[rows]).float().to(self.device).flatten(0, 1)
        names = self.names[numbers].repeat_interleave(FRAMES, dim=0)
        at = 0.5 + 0.5 * torch.tan(torch.deg2rad(bearing.clamp(-44.9, 44.9)))
        column = (at * SLOTS).long().clamp(0, SLOTS - 1)
        place = column * len(NAMES) + names
        there = torch.where(cover >= CLEAR_SHARE, 1.0, torch.where(cover > 0, math.nan, 0.0))
        flat = torch.zeros(3, len(names), SLOTS * len(NAMES), device=self.device)
        for row, values in zip(flat, (there, bearing, torch.log(distance)), strict=True):
            row.scatter_(1, place, values)
        shaped = flat.reshape(3, -1, SLOTS, len(NAMES))
        return shaped[0], shaped[1], shaped[2], names


def train_encoder(
    frames: Frames, clips: int, passes: int, batch: int, seed: int
) -> tuple[Encoder, dict[str, Any]]:
    """Learn to name and place visible things in the frames of `clips` worlds, drawn once."""
    torch.manual_seed(seed)
    device = frames.device
    encoder = Encoder().to(device)
    images, wanted = [], []
    for numbers in torch.arange(clips, device=device).split(DRAWN_TOGETHER):
        drawn, cover = frames.cast(numbers)
        images.append(drawn)
        wanted.append(torch.stack(frames.targets(numbers, cover)[:3]).to(torch.bfloat16))
    pictures, targets = torch.cat(images), torch.cat(wanted, dim=1)
    steps = max(1, passes // batch)
    optimizer = torch.optim.AdamW(encoder.parameters(), lr=2e-3, weight_decay=0.02, betas=(0.9, 0.98))
    losses = []
    start = time.perf_counter()
    for step in range(steps):
        rate = 2e-3 * min(1.0, (step + 1) / (0.05 * steps)) * (0.5 + 0.5 * math.cos(math.pi * step / steps))
        for group in optimizer.param_groups:
            group["lr"] = rate
        chosen = torch.randint(len(pictures), (batch,), device=device)
        loss = _encoder_loss(encoder, pictures[chosen], targets[:, chosen].float())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
        optimizer.step()
        if step % max(1, steps // 10) == 0 or step == steps - 1:
            losses.append(round(float(loss.detach()), 4))
    seconds = time.perf_counter() - start
    return encoder.eval().requires_grad_(False), {"seconds": seconds, "losses": losses, "steps": steps}


def _encoder_loss(encoder: Encoder, images: Tensor, targets: Tensor) -> Tensor:
    with torch.autocast(images.device.type, dtype=torch.bfloat16):
        tokens = encoder(images)
    there, bearing, distance = encoder.readings(tokens)
    known = ~torch.isnan(targets[0])
    named = F.binary_cross_entropy_with_logits(there[known], targets[0][known], reduction="sum")
    seen = targets[0] == 1
    placed = F.smooth_l1_loss(bearing[seen] / 10, targets[1][seen] / 10, reduction="sum", beta=0.1)
    far = F.smooth_l1_loss(distance[seen], targets[2][seen], reduction="sum", beta=0.1)
    return (named + placed + far) / len(images)


@torch.no_grad()
def pixel_tokens(encoder: Encoder, clips: Clips, device: str) -> tuple[Tensor, dict[str, float]]:
    """Frozen tokens (n, 48, WIDTH) of all clips, and how well visible things are named and placed in them."""
    frames = Frames(clips.paths, clips.layouts, device)
    found = []
    right = near = visible = said = true = 0.0
    for numbers in torch.arange(len(clips.thing), device=device).split(DRAWN_TOGETHER):
        images, cover = frames.cast(numbers)
        with torch.autocast(device, dtype=torch.bfloat16):
            tokens = encoder(images)
        found.append(tokens.bfloat16().reshape(len(numbers), FRAMES * SLOTS, WIDTH))
        there, bearing, _ = encoder.readings(tokens)
        truth, angle, _, names = frames.targets(numbers, cover)
        best, column = there.max(dim=1)
        placed = bearing.gather(1, column[:, None]).squeeze(1)
        clear = torch.nan_to_num(truth).amax(dim=1) == 1
        where = torch.where(torch.nan_to_num(truth) == 1, angle, -1e9).amax(dim=1)
        good = clear & (best > 0)
        visible += float(clear.sum())
        near += float(good.sum())
        right += float((good & ((placed - where).abs() <= NEAR_DEG)).sum())
        anywhere = torch.zeros_like(best).scatter_(1, names, (cover > 0).float()) > 0
        said += float((best > 0).sum())
        true += float(((best > 0) & anywhere).sum())
    scores = {"things": visible, "named": near / visible, "named_and_placed": right / visible}
    return torch.cat(found), {**scores, "precision": true / max(1.0, said)}
