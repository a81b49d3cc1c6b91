"""Augmentation by light, lenses and codecs, random per frame, applied on the device."""

import torch
from torch import Tensor
from torch.nn import functional as F

from situ.train.eyes.labels import CENTER, TURN
from situ.train.eyes.loss import Batch

_BLOCK = 8  # pixels: block size of codecs


def mirrored(batch: Batch, which: Tensor) -> Batch:
    """Mirror some frames; left and right are swapped in the labels, too."""

    def flipped(values: Tensor, axis: int) -> Tensor:
        shape = [-1] + [1] * (values.dim() - 1)
        return torch.where(which.view(shape), values.flip(axis), values)

    things = batch.things.clone()
    sign = torch.where(which, -1.0, 1.0)[:, None]
    things[..., CENTER] *= sign
    things[..., TURN + 1] *= sign
    return Batch(
        flipped(batch.rgb, 2), flipped(batch.name, 2), flipped(batch.thing, 2), flipped(batch.surface, 2),
        flipped(batch.depth, 2), things, batch.focal, batch.world, batch.room,
    )  # fmt: skip


def randomised(picture: Tensor, plain: float, generator: torch.Generator) -> Tensor:
    """Images (n, 3, h, w) in 0..1 with random light, blur, noise and compression.

    The share `plain` of them stays unchanged.
    """
    device = picture.device

    def some(of: int, share: float) -> Tensor:
        return torch.randperm(of, device=device, generator=generator)[: round(share * of)]

    which = some(len(picture), 1 - plain)
    n = len(which)

    def lot(low: float, high: float, shape: tuple[int, ...] = (1, 1, 1)) -> Tensor:
        return torch.rand((n, *shape), device=device, generator=generator) * (high - low) + low

    changed = picture[which].clamp(1e-4, 1.0) ** torch.exp(lot(-0.3, 0.3))
    changed = changed * (torch.exp(lot(-0.3, 0.3)) * (1 + lot(-0.06, 0.06, (3, 1, 1)))) + lot(-0.03, 0.03)
    blurred, packed, noisy = some(n, 0.25), some(n, 0.3), some(n, 0.6)
    changed[blurred] = _blurred(changed[blurred])
    changed[packed] = compressed(changed[packed], lot(0.02, 0.12)[packed])
    noise = torch.randn(changed[noisy].shape, device=device, generator=generator)
    changed[noisy] += noise * lot(0.0, 0.035)[noisy]
    found = picture.clone()
    found[which] = changed.clamp_(0.0, 1.0)
    return found


def _blurred(picture: Tensor) -> Tensor:
    return F.avg_pool2d(F.pad(picture, (1, 1, 1, 1), mode="replicate"), 3, 1)


def compressed(picture: Tensor, step: Tensor) -> Tensor:
    """Quantise the cosine transform of pixel blocks, fine detail more coarsely."""
    n, c, h, w = picture.shape
    k = torch.arange(_BLOCK, device=picture.device, dtype=picture.dtype)
    basis = torch.cos((2 * k[None] + 1) * k[:, None] * torch.pi / (2 * _BLOCK)) * (2 / _BLOCK) ** 0.5
    basis[0] /= 2**0.5
    blocks = picture.view(n, c, h // _BLOCK, _BLOCK, w // _BLOCK, _BLOCK).permute(0, 1, 2, 4, 3, 5)
    waves = basis @ blocks @ basis.T
    steps = step.view(n, 1, 1, 1, 1, 1) * (1 + (k[:, None] + k[None]) * 0.6)
    back = basis.T @ (torch.round(waves / steps) * steps) @ basis
    return back.permute(0, 1, 2, 4, 3, 5).reshape(n, c, h, w)
