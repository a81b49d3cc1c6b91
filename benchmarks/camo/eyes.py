"""What a model sees of each frame, as four tokens: names and places (perception solved), or an encoder's."""

import math
import time
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from benchmarks.camo.clips import SLOTS, Clips
from benchmarks.camo.frames import Frames, Look
from benchmarks.camo.layouts import NAMES
from benchmarks.camo.paths import FRAMES
from benchmarks.camo.raycast import SIDE, in_chunks

WIDTH = 256
DRAWN_TOGETHER = 85  # clips; as many as in a batch of 1,024 frames, so that nothing is compiled twice
RATE = 1.5e-3
WARM, TRIED = 6, 40  # steps until all is compiled, and until the speed is known
MIRROR = torch.tensor([1.0, -1.0, 1.0]).view(3, 1, 1, 1)  # a mirrored frame's bearings change sides
NEAR_DEG = 5.0  # a thing is placed rightly within this


def symbol_tokens(clips: Clips, device: str) -> Tensor:
    """(n, 48, features): name, bearing and distance of the nearest visible things, from left to right."""
    order = np.argsort(np.where(clips.seen, clips.bearing, np.inf), axis=2)[:, :, :SLOTS]
    there = np.take_along_axis(clips.seen, order, axis=2)
    bearing = np.radians(np.take_along_axis(clips.bearing, order, axis=2))
    distance = np.take_along_axis(clips.distance, order, axis=2)
    names = np.take_along_axis(np.repeat(clips.names[:, None], FRAMES, axis=1), order, axis=2)
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


def _cell(inside: int, outside: int, stride: int) -> list[nn.Module]:
    return [nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside), nn.ReLU(True)]


class Encoder(nn.Module):
    """A frame as four tokens, one for each quarter of its width.

    Rows are pooled, so that a thing is known wherever it is; two more channels tell where a pixel is.
    """

    def __init__(self) -> None:
        super().__init__()
        layers = ((5, 48, 2), (48, 96, 2), (96, 96, 1), (96, 192, 2), (192, 192, 1), (192, 256, 1))
        self.cells = nn.Sequential(*(part for layer in layers for part in _cell(*layer)))
        per_token = 2 * 256 * (SIDE // 8 // SLOTS)
        self.token = nn.Sequential(nn.Linear(per_token, WIDTH), nn.GELU(), nn.Linear(WIDTH, WIDTH))
        self.norm = nn.LayerNorm(WIDTH, elementwise_affine=False)
        self.read = nn.Linear(WIDTH, 3 * len(NAMES))  # there or not, bearing, distance of each name

    def forward(self, images: Tensor) -> Tensor:
        """Tokens (n, 4, WIDTH) of images (n, side, side, 3) in bytes."""
        n, side, _, _ = images.shape
        pixels = images.permute(0, 3, 1, 2).to(torch.bfloat16) / 127.5 - 1
        ramp = torch.linspace(-1, 1, side, device=images.device, dtype=torch.bfloat16)
        where = torch.stack([ramp.expand(side, side), ramp[:, None].expand(side, side)])
        pixels = torch.cat([pixels, where.expand(n, -1, -1, -1)], dim=1)
        cells = self.cells(pixels.contiguous(memory_format=torch.channels_last))
        most = F.max_pool2d(cells, (cells.shape[2], 1)).squeeze(2)
        pooled = torch.cat([most, cells.mean(dim=2)], dim=1)  # n, channels, columns
        parts = pooled.reshape(n, pooled.shape[1], SLOTS, -1).transpose(1, 2)
        tokens: Tensor = self.norm(self.token(parts.reshape(n, SLOTS, -1)).float())
        return tokens

    def readings(self, tokens: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Presence (logit), bearing in degrees and log distance, each (n, 4, 24)."""
        there, bearing, distance = self.read(tokens.float()).chunk(3, dim=2)
        middle = torch.tensor([math.degrees(math.atan((c - 1.5) / 2)) for c in range(SLOTS)])
        return there, middle.to(bearing)[:, None] + 10 * bearing, distance


def targets(look: Look) -> Tensor:
    """(3, frames, 4, names): whether a name is in a quarter (nan: hardly visible), bearing, log distance."""
    at = 0.5 + 0.5 * torch.tan(torch.deg2rad(look.bearing.clamp(-44.9, 44.9)))
    column = (at * SLOTS).long().clamp(0, SLOTS - 1)
    place = column * len(NAMES) + look.names
    flat = torch.zeros(3, len(look.names), SLOTS * len(NAMES), device=look.names.device)
    for row, values in zip(flat, (look.there, look.bearing, torch.log(look.distance)), strict=True):
        row.scatter_(1, place, values)
    return flat.reshape(3, -1, SLOTS, len(NAMES))


def train_encoder(frames: Frames, batch: int, seconds: float, seed: int) -> tuple[Encoder, dict[str, Any]]:
    """Learn to name and place visible things, in as many steps as `seconds` allow; half of them mirrored."""
    torch.manual_seed(seed)
    torch.set_float32_matmul_precision("high")
    device = frames.device
    encoder = Encoder().to(device)
    optimizer = torch.optim.AdamW(encoder.parameters(), lr=RATE, weight_decay=0.02, betas=(0.9, 0.98))
    each = batch // FRAMES
    steps = TRIED
    losses: list[float] = []
    start = time.perf_counter()
    step = 0
    while step < steps:
        if step == WARM:
            losses, start = [float(loss.detach())], time.perf_counter()  # noqa: F821 (there is a step before)
        if step == TRIED - 1:
            if not math.isfinite(float(loss.detach())):  # noqa: F821
                raise ValueError(f"the encoder's loss is {float(loss.detach())} after {step} steps")  # noqa: F821
            steps = TRIED + int(seconds * (TRIED - 1 - WARM) / (time.perf_counter() - start))
        warm = min(1.0, (step + 1) / 100)
        for group in optimizer.param_groups:
            done = step / steps if steps > TRIED else 0.0
            group["lr"] = RATE * warm * (0.5 + 0.5 * math.cos(math.pi * done))
        look = frames.show(torch.randint(len(frames), (each,), device=device))
        images, wanted = look.images, targets(look)
        if step % 2:
            images, wanted = images.flip(2), wanted.flip(2) * MIRROR.to(device)
        loss = _encoder_loss(encoder, images, wanted)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
        optimizer.step()
        step += 1
        if steps > TRIED and step % (steps // 10) == 0:
            losses.append(round(float(loss.detach()), 4))
    took = time.perf_counter() - start
    scores = {"seconds": took, "steps": steps, "frames": steps * each * FRAMES, "losses": losses}
    return encoder.eval().requires_grad_(False), scores


def _encoder_loss(encoder: Encoder, images: Tensor, targets: Tensor) -> Tensor:
    with torch.autocast(images.device.type, dtype=torch.bfloat16):
        tokens = encoder(images)
    there, bearing, distance = encoder.readings(tokens)
    known = ~torch.isnan(targets[0])
    wanted = torch.where(known, targets[0], 0.0)
    named = F.binary_cross_entropy_with_logits(there, wanted, weight=known.float(), reduction="sum")
    seen = (wanted == 1).float()
    placed = F.smooth_l1_loss(bearing / 10 * seen, targets[1] / 10 * seen, reduction="sum", beta=0.1)
    far = F.smooth_l1_loss(distance * seen, targets[2] * seen, reduction="sum", beta=0.1)
    return (named + placed + far) / len(images)


@torch.no_grad()
def pixel_tokens(encoder: Encoder, frames: Frames) -> tuple[Tensor, dict[str, float]]:
    """Frozen tokens (n, 48, WIDTH) of all clips, and how well visible things are named and placed in them."""
    found = []
    right = near = visible = said = true = 0.0
    for numbers, meant in in_chunks(len(frames), DRAWN_TOGETHER, frames.device):
        look = Look(*(values[: meant * FRAMES] for values in frames.show(numbers)))
        with torch.autocast(frames.device, dtype=torch.bfloat16):
            tokens = encoder(look.images)
        found.append(tokens.bfloat16().reshape(meant, FRAMES * SLOTS, WIDTH))
        there, bearing, _ = encoder.readings(tokens)
        truth, angle, _ = targets(look)
        best, column = there.max(dim=1)
        placed = bearing.gather(1, column[:, None]).squeeze(1)
        clear = torch.nan_to_num(truth).amax(dim=1) == 1
        where = torch.where(torch.nan_to_num(truth) == 1, angle, -1e9).amax(dim=1)
        good = clear & (best > 0)
        visible += float(clear.sum())
        near += float(good.sum())
        right += float((good & ((placed - where).abs() <= NEAR_DEG)).sum())
        anywhere = torch.zeros_like(best).scatter_(1, look.names, (look.there != 0).float()) > 0
        said += float((best > 0).sum())
        true += float(((best > 0) & anywhere).sum())
    scores = {"things": visible, "named": near / visible, "named_and_placed": right / visible}
    return torch.cat(found), {**scores, "precision": true / max(1.0, said)}
