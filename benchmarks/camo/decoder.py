"""Many small decoders trained at once: every weight has a leading axis of models, every product is batched.

Small models leave a GPU idle; a stack of them does not. Models never mix: the gradient of one does not depend
on another, which a test checks.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

Weights = dict[str, Tensor]


@dataclass(frozen=True)
class Shape:
    """The size of one model and of what it reads."""

    features: int
    poses: int
    frame_tokens: int
    text_tokens: int
    vocabulary: int
    layers: int = 4
    width: int = 256
    heads: int = 4


def new_weights(shape: Shape, seeds: Sequence[int], device: str) -> Weights:
    """One model for each seed; models of one seed start alike."""
    made = {seed: _one(shape, seed) for seed in dict.fromkeys(seeds)}
    return {
        name: torch.stack([made[seed][name] for seed in seeds]).to(device).requires_grad_()
        for name in made[seeds[0]]
    }


def _one(shape: Shape, seed: int) -> Weights:
    source = torch.Generator().manual_seed(seed)

    def normal(*size: int, scale: float) -> Tensor:
        return torch.randn(*size, generator=source) * scale

    d = shape.width
    weights = {
        "see": normal(shape.features, d, scale=0.3 / math.sqrt(min(shape.features, 64))),
        "pose": normal(shape.poses, d, scale=0.1),
        "place": normal(shape.frame_tokens, d, scale=0.1),
        "text_place": normal(shape.text_tokens, d, scale=0.1),
        "words": normal(shape.vocabulary, d, scale=0.1),
        "norm": torch.ones(1, d),
    }
    for i in range(shape.layers):
        weights |= {
            f"{i}.norm1": torch.ones(1, d),
            f"{i}.qkv": normal(d, 3 * d, scale=1 / math.sqrt(d)),
            f"{i}.out": normal(d, d, scale=1 / math.sqrt(2 * shape.layers * d)),
            f"{i}.norm2": torch.ones(1, d),
            f"{i}.up": normal(d, 4 * d, scale=1 / math.sqrt(d)),
            f"{i}.down": normal(4 * d, d, scale=1 / math.sqrt(8 * shape.layers * d)),
        }
    return weights


def _normed(x: Tensor, gain: Tensor) -> Tensor:
    wide = x.float()
    return (wide * torch.rsqrt(wide.square().mean(dim=-1, keepdim=True) + 1e-6) * gain).to(x.dtype)


def block(
    x: Tensor,
    norm1: Tensor,
    qkv: Tensor,
    out: Tensor,
    norm2: Tensor,
    up: Tensor,
    down: Tensor,
    drop: Tensor | None,
    rows: int,
    heads: int,
) -> Tensor:
    """One causal layer over x (models, rows * tokens, width). `drop` is each model's rate of dropout."""
    m, n, d = x.shape
    length = n // rows
    mixed = torch.bmm(_normed(x, norm1), qkv.to(x.dtype)).view(m * rows, length, 3, heads, d // heads)
    q, k, v = mixed.permute(2, 0, 3, 1, 4)
    seen = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    seen = seen.transpose(1, 2).reshape(m, n, d)
    x = x + _dropped(torch.bmm(seen, out.to(x.dtype)), drop)
    inner = F.gelu(torch.bmm(_normed(x, norm2), up.to(x.dtype)), approximate="tanh")
    return x + _dropped(torch.bmm(inner, down.to(x.dtype)), drop)


def _dropped(x: Tensor, rate: Tensor | None) -> Tensor:
    if rate is None:
        return x
    share = rate.view(-1, 1, 1).to(x.dtype)
    return x * (torch.rand_like(x) >= share) / (1 - share)


def states(
    weights: Weights,
    shape: Shape,
    seen: Tensor,
    poses: Tensor | None,
    text: Tensor,
    drop: Tensor | None = None,
    layer: object = block,
) -> Tensor:
    """The last states (models, rows, tokens of text, width).

    `seen` (models, rows, frame tokens, features); `poses` (models, rows, frames, numbers), zero where a model
    is not told; `text` (models, rows, tokens).
    """
    m, rows, count, _ = seen.shape
    d, tokens = shape.width, text.shape[2]
    dtype = torch.bfloat16 if seen.device.type == "cuda" else torch.float32
    frames = torch.bmm(seen.reshape(m, rows * count, -1).to(dtype), weights["see"].to(dtype))
    frames = frames.view(m, rows, count, d) + weights["place"][:, None].to(dtype)
    if poses is not None:
        told = torch.bmm(poses.reshape(m, -1, shape.poses).to(dtype), weights["pose"].to(dtype))
        each = count // poses.shape[2]
        frames = frames + told.view(m, rows, -1, 1, d).expand(-1, -1, -1, each, -1).reshape(frames.shape)
    offset = torch.arange(m, device=text.device).view(-1, 1, 1) * shape.vocabulary
    said = F.embedding(text + offset, weights["words"].flatten(0, 1)).to(dtype)
    said = said + weights["text_place"][:, None, :tokens].to(dtype)
    x = torch.cat([frames, said], dim=2).view(m, rows * (count + tokens), d)
    for i in range(shape.layers):
        names = ("norm1", "qkv", "out", "norm2", "up", "down")
        x = layer(x, *(weights[f"{i}.{name}"] for name in names), drop, rows, shape.heads)  # type: ignore[operator]
    x = x.view(m, rows, count + tokens, d)[:, :, count:]
    return _normed(x, weights["norm"][:, None])


def scores(weights: Weights, state: Tensor) -> Tensor:
    """Scores over the vocabulary (models, n, words) of states (models, n, width)."""
    return torch.bmm(state, weights["words"].to(state.dtype).transpose(1, 2)).float()


class AdamW:
    """AdamW for stacked models, with a rate and a clipped gradient for each."""

    def __init__(self, weights: Weights, rates: Tensor, decay: float = 0.1) -> None:
        self.weights, self.rates, self.decay, self.step_count = weights, rates, decay, 0
        self.first = {name: torch.zeros_like(value) for name, value in weights.items()}
        self.second = {name: torch.zeros_like(value) for name, value in weights.items()}

    @torch.no_grad()
    def step(self, factor: float) -> Tensor:
        """One update at `factor` times the rates; returns each model's gradient norm."""
        self.step_count += 1
        names = [name for name, value in self.weights.items() if value.grad is not None]
        grads = [self.weights[name].grad.flatten(1) for name in names]  # type: ignore[union-attr]
        norm = torch.stack([g.square().sum(dim=1) for g in grads]).sum(dim=0).sqrt()
        clip = (1.0 / (norm + 1e-6)).clamp_max(1.0)
        late1, late2 = 1 - 0.9**self.step_count, 1 - 0.98**self.step_count
        for name in names:
            value = self.weights[name]
            wide = (-1,) + (1,) * (value.dim() - 1)
            grad = value.grad * clip.view(wide)
            self.first[name].lerp_(grad, 0.1)
            self.second[name].lerp_(grad.square(), 0.02)
            rate = (factor * self.rates).view(wide)
            if "norm" not in name:
                value.mul_(1 - rate * self.decay)
            value.sub_(rate * (self.first[name] / late1) / ((self.second[name] / late2).sqrt() + 1e-8))
            value.grad = None
        return norm
