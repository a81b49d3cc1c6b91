"""The arms of the experiment, trained together, and what they can do with clips they have not seen."""

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from benchmarks.camo import words as W
from benchmarks.camo.clips import Clips, start_asked
from benchmarks.camo.decoder import AdamW, Shape, Weights, block, new_weights, scores, states
from benchmarks.camo.eyes import pose_features
from benchmarks.camo.paths import CLASSES
from benchmarks.camo.words import FIRST
from situ.train.motion_labels import macro_f1, predicted_classes

ARMS = ("camera", "scene", "shuffled", "questions", "poses")  # those with narratives first
TOLD = 3
TEXT = 44
CHECKPOINTS = 8
TOGETHER = 512  # clips that are asked about at the same time


@dataclass(frozen=True)
class Model:
    """One model of a stack."""

    arm: str
    seed: int
    labels: int
    rate: float
    drop: float


@dataclass(frozen=True, eq=False)
class Part:
    """Clips as tensors: what is seen, the poses, the questions, and the narratives of each kind of arm."""

    seen: Tensor
    poses: Tensor
    name: Tensor
    thing: Tensor
    start: Tensor
    start_asked: Tensor
    narratives: Tensor  # (3, n, TEXT), in the order of ARMS
    classes: list[set[str]]

    def __len__(self) -> int:
        return len(self.seen)


def part_of(clips: Clips, seen: Tensor, seed: int, device: str) -> Part:
    narrated = W.narrate(clips)
    # Another clip's camera words: no clip keeps its own.
    n = len(clips.thing)
    order = np.random.default_rng([seed, 73]).permutation(n)
    other = np.empty(n, dtype=np.int64)
    other[order] = np.roll(order, 1)
    rows = (narrated.camera, None, narrated.camera[other])
    narratives = np.stack([W.joined(narrated.scene, camera, TEXT) for camera in rows])
    names = clips.names[np.arange(n), clips.thing]

    def moved(values: Any) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(values)).to(device)

    return Part(
        seen,
        pose_features(clips, device),
        moved(FIRST["name"] + names),
        moved(FIRST["sector"] + clips.thing_sector),
        moved(FIRST["sector"] + clips.start_sector),
        moved(start_asked(clips.start_sector)),
        moved(narratives),
        [{CLASSES[c] for c in row} for row in clips.paths.classes],
    )


class Stack:
    """Models in lockstep on one device. Those whose arm has narratives come first."""

    def __init__(self, models: list[Model], train: Part, device: str, compiled: bool) -> None:
        models = sorted(models, key=lambda m: ARMS.index(m.arm))
        self.models, self.train_part, self.device = models, train, device
        self.tellers = sum(ARMS.index(model.arm) < TOLD for model in models)
        self.shape = Shape(
            train.seen.shape[2], train.poses.shape[2], train.seen.shape[1], TEXT, len(W.VOCABULARY)
        )
        self.weights: Weights = new_weights(self.shape, [m.seed for m in models], device)
        self.poses_on = torch.tensor([m.arm == "poses" for m in models], device=device)
        self.drop = torch.tensor([m.drop for m in models], device=device)
        self.kinds = torch.tensor([ARMS.index(m.arm) for m in models], device=device)
        self.layer = torch.compile(block, dynamic=False) if compiled else block
        self.loss_of = torch.compile(_losses, dynamic=False) if compiled else _losses

    def train(self, valid: Part, steps: int, batch: int, tell_batch: int, log: Any = None) -> dict[str, Any]:
        """Train all; keep the weights that were best on `valid` for each model."""
        rates = torch.tensor([m.rate for m in self.models], device=self.device)
        optimizer = AdamW(self.weights, rates)
        seeds = sorted({m.seed for m in self.models})
        sources = {seed: np.random.default_rng([seed, 74]) for seed in seeds}
        marks = {round(steps * (i + 1) / CHECKPOINTS) for i in range(CHECKPOINTS)}
        curves: list[dict[str, Any]] = []
        best = torch.full((len(self.models),), -1.0, device=self.device)
        kept = {name: value.detach().clone() for name, value in self.weights.items()}
        best_step = torch.zeros(len(self.models), dtype=torch.long)
        start = time.perf_counter()
        for step in range(1, steps + 1):
            # Models of one seed and label count see the same questions, whatever their arm.
            luck = {seed: source.random(batch + tell_batch) for seed, source in sources.items()}
            asked = np.stack([luck[m.seed][:batch] * m.labels for m in self.models]).astype(np.int64)
            order = np.stack([luck[m.seed][batch:] for m in self.models[: self.tellers]] or [np.empty(0)])
            loss = self.question_loss(asked)
            if self.tellers:
                loss = loss + self.narrative_loss((order * len(self.train_part)).astype(np.int64))
            loss.backward()
            warm = min(1.0, step / (0.04 * steps))
            optimizer.step(warm * (0.505 + 0.495 * math.cos(math.pi * step / steps)))
            if step in marks:
                right = self.answers(valid)
                shares = [_share(r, valid) for r in right]
                better = torch.tensor([s[0] for s in shares], device=self.device) > best
                for name, value in self.weights.items():
                    wide = better.view(-1, *([1] * (value.dim() - 1)))
                    kept[name] = torch.where(wide, value.detach(), kept[name])
                best = torch.where(better, torch.tensor([s[0] for s in shares], device=self.device), best)
                best_step[better.cpu()] = step
                curves.append({"step": step, "loss": float(loss.detach()), "valid": shares})
                if log:
                    log(f"step {step}/{steps} {time.perf_counter() - start:.1f}s " + " ".join(
                        f"{m.arm[:4]}{m.labels // 1000}k.{m.seed}:{100 * s[0]:.1f}/{100 * s[1]:.1f}"
                        for m, s in zip(self.models, shares, strict=True)))  # fmt: skip
        self.weights = kept
        seconds = time.perf_counter() - start
        return {"seconds": seconds, "steps": steps, "curves": curves, "best_step": best_step.tolist()}

    def question_loss(self, rows: np.ndarray[Any, Any]) -> Tensor:
        part, at = self.train_part, torch.from_numpy(rows).to(self.device)
        state = states(
            self.weights, self.shape, part.seen[at], self._poses(part, at), _asked(part.name[at]), self.drop,
            self.layer,
        )  # fmt: skip
        both = state[:, :, 1:3].flatten(1, 2)
        wanted = torch.stack(
            [part.thing[at], torch.where(part.start_asked[at], part.start[at], W.PAD)], dim=2
        )
        loss: Tensor = self.loss_of(self.weights["words"], both, wanted.flatten(1, 2))
        return loss.sum()

    def narrative_loss(self, rows: np.ndarray[Any, Any]) -> Tensor:
        part, at = self.train_part, torch.from_numpy(rows).to(self.device)
        text = part.narratives[self.kinds[: self.tellers, None], at]
        few = {name: value[: self.tellers] for name, value in self.weights.items()}
        state = states(
            few, self.shape, part.seen[at], None, text[:, :, :-1], self.drop[: self.tellers], self.layer
        )
        loss: Tensor = self.loss_of(few["words"], state.flatten(1, 2), text[:, :, 1:].flatten(1, 2))
        return loss.sum()

    def _poses(self, part: Part, at: Tensor) -> Tensor:
        return part.poses[at] * self.poses_on.view(-1, 1, 1, 1)

    @torch.no_grad()
    def answers(self, part: Part) -> list[tuple[Tensor, Tensor]]:
        """For each model, whether each clip's thing and start are found; sectors compete with each other."""
        first = FIRST["sector"]
        found = []
        for at in torch.arange(len(part), device=self.device).split(TOGETHER):
            rows = at.expand(len(self.models), -1)
            state = states(
                self.weights, self.shape, part.seen[rows], self._poses(part, rows), _asked(part.name[rows])
            )
            best = scores(self.weights, state[:, :, 1:3].flatten(1, 2))[..., first : first + 8].argmax(dim=2)
            best = best.view(len(self.models), -1, 2) + first
            found.append(torch.stack([best[..., 0] == part.thing[at], best[..., 1] == part.start[at]], dim=2))
        whole = torch.cat(found, dim=1).cpu()
        return [(right[:, 0], right[:, 1]) for right in whole]

    @torch.no_grad()
    def narratives(self, part: Part, count: int) -> Tensor:
        """Greedy narratives (tellers, count, TEXT) of the first clips."""
        few = {name: value[: self.tellers] for name, value in self.weights.items()}
        text = torch.full((self.tellers, count, TEXT), W.PAD, device=self.device)
        text[:, :, 0] = W.TELL
        seen = part.seen[:count].expand(self.tellers, -1, -1, -1)
        for place in range(TEXT - 1):
            state = states(few, self.shape, seen, None, text[:, :, : place + 1])
            text[:, :, place + 1] = scores(few, state[:, :, place]).argmax(dim=2)
        return text.cpu()


def _asked(name: Tensor) -> Tensor:
    return torch.stack([torch.full_like(name, W.WHERE), name, torch.full_like(name, W.BACK)], dim=2)


def _losses(words: Tensor, state: Tensor, wanted: Tensor) -> Tensor:
    """Mean cross-entropy of each model over what is not PAD."""
    logits = torch.bmm(state, words.to(state.dtype).transpose(1, 2)).float()
    each = F.cross_entropy(logits.flatten(0, 1), wanted.flatten(), ignore_index=W.PAD, reduction="none")
    return each.view(len(state), -1).sum(dim=1) / (wanted != W.PAD).sum(dim=1).clamp_min(1)


def _share(right: tuple[Tensor, Tensor], part: Part) -> tuple[float, float]:
    asked = part.start_asked.cpu()
    return float(right[0].float().mean()), float(right[1][asked].float().mean())


def results(
    stack: Stack, trained: dict[str, Any], test: Part, tell: int
) -> tuple[list[dict[str, Any]], Tensor]:
    """One record for each model, and the narratives of the first `tell` test clips."""
    said = stack.narratives(test, tell) if stack.tellers else torch.zeros(0, 0, TEXT)
    records = []
    for i, (model, right) in enumerate(zip(stack.models, stack.answers(test), strict=True)):
        thing, start = _share(right, test)
        record = {
            "arm": model.arm, "seed": model.seed, "labels": model.labels, "rate": model.rate,
            "drop": model.drop, "steps": trained["steps"], "best_step": trained["best_step"][i],
            "thing": thing, "start": start,
            "curve": [[c["step"], *c["valid"][i]] for c in trained["curves"]],
        }  # fmt: skip
        if i < stack.tellers:
            record |= _told_scores(said[i].tolist(), test.classes[:tell], test.narratives[0, :tell].tolist())
        records.append(record)
    return records, said


def _told_scores(said: list[list[int]], classes: list[set[str]], truth: list[list[int]]) -> dict[str, float]:
    """Motion words by macro F1; the net turn told within 15 degrees, where it is told."""
    named = [predicted_classes(W.text_of(row[1:])[1]) for row in said]
    low, high = FIRST["turned"], FIRST["turned"] + len(W.GROUPS["turned"])
    turns = []
    for row, true in zip(said, truth, strict=True):
        mine, right = ([t - low for t in tokens if low <= t < high] for tokens in (row, true))
        gap = abs(mine[0] - right[0]) % 72 if mine else 72
        turns.append(min(gap, 72 - gap) <= 3 and bool(mine))
    return {"motion_f1": macro_f1(named, classes), "turn_within_15": float(np.mean(turns))}
