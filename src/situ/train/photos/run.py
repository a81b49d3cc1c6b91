"""The run: worlds are rendered by every core while one device learns; it ends by the clock, or is killed.

Every `look_every_s` the averaged network looks at held-out worlds in a style that is never learnt from; the
latest and the best by that measure are kept as files of 16-bit floats, so that a machine that is lost takes
no more than that time with it. The same call goes on from there; it draws worlds that were not seen yet.
"""

import json
import math
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from itertools import chain, count
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from situ.errors import BadFormat, BadInput
from situ.train.photos.augment import Lots, disturbed, spoilt, viewed
from situ.train.photos.backbone import Weights
from situ.train.photos.calibration import calibrate
from situ.train.photos.export import export
from situ.train.photos.look import look_at
from situ.train.photos.loss import WEIGHTS, losses
from situ.train.photos.network import PhotoEyes
from situ.train.photos.recipe import HELD_OUT, SIZES, TRAINING, PhotoRecipe
from situ.train.photos.store import Filling, PhotoStore
from situ.train.photos.stream import Job, Pages, render_photos, rendered_photos

LOG, STATE, MODEL = "log.jsonl", "state.json", "photos.onnx"
LATEST, BEST = "latest", "best"
SAMPLE_WORLDS = 4
LOG_EVERY = 100
AVERAGE = 0.999
_CLIP = 2.0
_DECAY = {"heads": 0.05, "tuned": 0.5}
_BYTES_PER_PIXEL = 4.3  # of a kept frame with its labels
_MOST_OF_MEMORY = 0.55
Report = Callable[[str], None]


def teach(
    recipe: PhotoRecipe,
    weights: Weights | None,
    out: Path,
    device: str = "auto",
    workers: int = 0,
    within: float = math.inf,
    begin: Path | None = None,
    eyes: PhotoEyes | None = None,
    report: Report = print,
) -> dict[str, Any]:
    """Render, learn, look, keep; write the best as ONNX once `recipe.seconds` of learning are over.

    The call ends after `within` seconds by the wall clock even if that leaves learning to be done: the same
    call goes on from `out`. `begin` is the folder of another run, whose network is the first of this one.
    """
    wall = time.perf_counter()
    device = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(recipe.seed)
    torch.set_float32_matmul_precision("high")
    workers = workers or max(1, (os.cpu_count() or 2) - 1)
    eyes = (eyes or PhotoEyes(weights)).to(device)
    run = _Run(recipe, eyes, out, device)
    if not run.resume() and begin is not None:
        load(eyes, begin)
        run.begin()
    frames = 0
    if run.learnt_s < recipe.seconds:
        frames = _learn(run, workers, wall + within, report)
    found = {
        "steps": run.steps, "pictures": run.seen, "frames": frames, "worlds": run.worlds,
        "seconds": round(run.learnt_s, 1), "of_seconds": recipe.seconds, "scores": run.scores, "model": None,
    }  # fmt: skip
    if run.learnt_s >= recipe.seconds:
        load(eyes, out, BEST)
        about = {"recipe": asdict(recipe), "steps": run.steps, "worlds": run.worlds}
        export(eyes, out / MODEL, about, sample_frames(recipe))
        calibrate(out / MODEL, recipe)
        found["model"] = str(out / MODEL)
    return found


def _learn(run: "_Run", workers: int, until: float, report: Report) -> int:
    """Learn until the recipe's time or that of this call is over; how many frames were rendered for it."""
    recipe, device = run.recipe, run.device
    kept = recipe.kept_worlds
    if device == "cuda":
        room = torch.cuda.mem_get_info()[0] * _MOST_OF_MEMORY
        each = recipe.frames_per_world * recipe.width * recipe.height * _BYTES_PER_PIXEL
        kept = min(kept, max(recipe.first_worlds, int(room / each)))
        run.eyes.frozen.to(torch.bfloat16)
        for head in (run.eyes.named, run.eyes.placed):
            head.to(memory_format=torch.channels_last)
    held_pages = Pages(recipe.held_frames, recipe.width, recipe.height)
    store = PhotoStore(kept, recipe.pages, device)
    held = PhotoStore(recipe.held_worlds, held_pages, device)
    jobs = _jobs(recipe, held_pages, run.worlds)
    filling = Filling({TRAINING: store, HELD_OUT: held}, rendered_photos(recipe.seed, jobs, workers))
    try:
        filling.wait_for(held, recipe.held_worlds)
        filling.wait_for(store, recipe.first_worlds)
        report(f"learning begins, {workers} processes render, room for {kept} worlds")
        before, worlds = run.learnt_s, run.worlds
        began = looked = time.perf_counter()
        look_s = 0.0
        while run.learnt_s < recipe.seconds and time.perf_counter() + 2 * look_s < until:
            filling.check()
            run.step(store, run.learnt_s / recipe.seconds)
            now = time.perf_counter()
            run.learnt_s, run.worlds = before + now - began, worlds + store.made
            if run.steps % LOG_EVERY == 0 or run.steps == 20:
                report(run.said(filling))
            if now > looked + recipe.look_every_s:
                report(run.look(held))
                looked = time.perf_counter()
                look_s = looked - now
        report(run.look(held))
    finally:
        filling.close()
    return filling.frames


def sample_frames(recipe: PhotoRecipe) -> list[tuple[NDArray[np.uint8], float]]:
    """Pictures with their focal lengths, to see how large the network's inner numbers get."""
    found: list[tuple[NDArray[np.uint8], float]] = []
    for number in range(SAMPLE_WORLDS):
        pages = Pages(min(8, recipe.frames_per_world), recipe.width, recipe.height)
        made = render_photos(recipe.seed, TRAINING, number, pages)
        found += [
            (rgb.astype(np.uint8), float(focal))
            for rgb, focal in zip(made["rgb"], made["focal"], strict=True)
        ]
    return found


def _jobs(recipe: PhotoRecipe, held: Pages, first: int) -> Iterator[Job]:
    return chain(
        (Job(HELD_OUT, number, held) for number in range(recipe.held_worlds)),
        (Job(TRAINING, number, recipe.pages) for number in count(first)),
    )


class _Run:
    """What changes from step to step."""

    def __init__(self, recipe: PhotoRecipe, eyes: PhotoEyes, out: Path, device: str) -> None:
        self.recipe, self.eyes, self.out, self.device = recipe, eyes, out, device
        modules = eyes.learning()
        heads = [p for name, m in modules.items() if name != "tuned" for p in m.parameters()]
        tuned = list(modules["tuned"].parameters())
        groups: list[dict[str, Any]] = [
            {"params": p, "rate": rate, "weight_decay": _DECAY[name], "lr": rate}
            for name, p, rate in (("heads", heads, recipe.head_rate), ("tuned", tuned, recipe.tuned_rate))
            if p
        ]
        self.optimiser = torch.optim.AdamW(groups, fused=device == "cuda")
        self._live = [p.data for group in groups for p in group["params"]]
        self._mean = [p.clone() for p in self._live]
        self._groups = groups
        self.steps = self.seen = self.worlds = 0
        self.learnt_s = 0.0
        self.scores: list[dict[str, Any]] = []
        self._sums: dict[str, torch.Tensor] = {}
        self._since = 0
        self._best = -math.inf

    def step(self, store: PhotoStore, done: float) -> None:
        recipe = self.recipe
        rng = np.random.default_rng([recipe.seed, self.steps, *b"photos"])
        lots = Lots(self.device, recipe.seed * 1_000_003 + self.steps)
        (width, height), _ = SIZES[int(rng.choice(len(SIZES), p=[often for _, often in SIZES]))]
        long = max(recipe.width, recipe.height)
        if long < 336:  # tiny runs
            width, height = (14 * max(2, round(side * long / 448 / 14)) for side in (width, height))
        frames = store.draw(recipe.batch_worlds, recipe.batch_frames, rng)
        with torch.no_grad():
            views, surface = viewed(frames, width, height, lots)
            picture = disturbed(views.picture, surface, views.focal, lots)
            views = spoilt(replace(views, picture=picture), lots)
        rate = recipe.share_at(done, self.steps)
        for group in self.optimiser.param_groups:
            group["lr"] = group["rate"] * rate
        self.optimiser.zero_grad(set_to_none=True)
        self.eyes.train()
        with torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
            names, fields, rooms, whole = self.eyes(views.picture, views.focal)
        found = losses(names, fields, rooms, whole, views)
        total = sum(
            (WEIGHTS[name] * value for name, value in found.items()), start=views.picture.new_zeros(())
        )
        total.backward()
        for group in self._groups:
            for p in group["params"]:
                if p.grad is not None:
                    torch.nan_to_num_(p.grad, 0.0, 0.0, 0.0)
            torch.nn.utils.clip_grad_norm_(group["params"], _CLIP)
        self.optimiser.step()
        with torch.no_grad():
            keep = min(AVERAGE, (1 + self.steps) / (10 + self.steps))
            torch._foreach_lerp_(self._mean, self._live, 1 - keep)
        for name, value in {**found, "total": total}.items():
            self._sums[name] = self._sums.get(name, 0.0) + value.detach()
        self.steps, self.seen = self.steps + 1, self.seen + len(views.picture)

    def begin(self) -> None:
        """The network has been replaced: its running mean begins with it."""
        for mean, live in zip(self._mean, self._live, strict=True):
            mean.copy_(live)

    def resume(self) -> bool:
        """Go on from what the folder holds, if it holds a run."""
        file = self.out / STATE
        if not file.is_file():
            return False
        state = json.loads(file.read_text(encoding="utf-8"))
        load(self.eyes, self.out, LATEST)
        self.begin()
        self.steps, self.seen, self.worlds = (int(state[k]) for k in ("steps", "pictures", "worlds"))
        self.learnt_s, self._best = float(state["seconds"]), float(state["best"])
        self._since = self.steps
        return True

    def said(self, filling: Filling) -> str:
        steps = max(1, self.steps - self._since)
        line = {
            "seconds": round(self.learnt_s, 1), "step": self.steps, "pictures": self.seen,
            "frames": filling.frames,
            "cpu_ms_per_frame": round(1000 * filling.cpu_seconds / max(1, filling.frames), 1),
            **{name: round(float(value) / steps, 4) for name, value in self._sums.items()},
        }  # fmt: skip
        self._sums, self._since = {}, self.steps
        return self._write(line)

    def look(self, held: PhotoStore) -> str:
        """Scores of the averaged network; it is kept, as the best one if it is."""
        self._swap()
        try:
            plain, other = (look_at(self.eyes, held, style) for style in (False, True))
            save(self.eyes, self.out, LATEST)
            if other.value > self._best:
                self._best = other.value
                save(self.eyes, self.out, BEST)
        finally:
            self._swap()
        state = {
            "seconds": self.learnt_s, "steps": self.steps, "pictures": self.seen, "worlds": self.worlds,
            "best": self._best,
        }  # fmt: skip
        partial = self.out / f"{STATE}.part"
        partial.write_text(json.dumps(state), encoding="utf-8")
        partial.replace(self.out / STATE)
        line = {
            "seconds": round(self.learnt_s, 1), "step": self.steps, "as_rendered": asdict(plain),
            "other_style": asdict(other), "value": round(other.value, 4),
        }  # fmt: skip
        self.scores.append(line)
        return self._write(line)

    def _swap(self) -> None:
        for a, b in zip(self._live, self._mean, strict=True):
            kept = a.clone()
            a.copy_(b)
            b.copy_(kept)

    def _write(self, line: dict[str, Any]) -> str:
        text = json.dumps(line)
        with (self.out / LOG).open("a", encoding="utf-8") as log:
            log.write(text + "\n")
        return text


def save(eyes: PhotoEyes, out: Path, tag: str) -> None:
    """What was learnt, in two files of 16-bit floats: `TAG_heads.npz` and `TAG_tuned.npz`."""
    modules = eyes.learning()
    for part in ("heads", "tuned"):
        chosen = nn.ModuleDict({n: m for n, m in modules.items() if (n == "tuned") == (part == "tuned")})
        arrays = {
            k: v.detach().float().cpu().numpy().astype(np.float16) for k, v in chosen.state_dict().items()
        }
        file = out / f"{tag}_{part}.npz"
        partial = file.with_suffix(".part")
        with partial.open("wb") as data:
            np.savez(data, **arrays)
        partial.replace(file)


def load(eyes: PhotoEyes, folder: Path, tag: str = BEST) -> None:
    """Take over what another run has kept."""
    state: dict[str, torch.Tensor] = {}
    for part in ("heads", "tuned"):
        file = folder / f"{tag}_{part}.npz"
        if not file.is_file():
            raise BadInput(f"there is no {file}; name the folder of a run of `situ train photos`")
        with np.load(file, allow_pickle=False) as kept:
            state |= {name: torch.from_numpy(kept[name].astype(np.float32)) for name in kept.files}
    for name, own in eyes.names.state_dict().items():  # new names come last: those that it has go on
        known = state.get(f"names.{name}", own)
        if len(known) < len(own):
            state[f"names.{name}"] = torch.cat([known, own[len(known) :].to(known)])
    try:
        missing, unknown = eyes.load_state_dict(state, strict=False)
    except RuntimeError as error:
        raise BadFormat(f"{folder} holds another network: {str(error)[:200]}") from error
    wrong = [name for name in missing if not name.startswith("frozen.")] + list(unknown)
    if wrong:
        raise BadFormat(f"{folder} holds another network: it differs in {', '.join(wrong[:4])}")
