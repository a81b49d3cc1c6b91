"""Training run: seeded, logged, resumable. A recipe gives the same network up to floating-point noise."""

import json
import os
import pickle
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.train.eyes.augment import mirrored, randomised
from situ.train.eyes.export import export
from situ.train.eyes.look import Score, look_at
from situ.train.eyes.loss import WEIGHTS, Batch, losses
from situ.train.eyes.network import HomeEyes
from situ.train.eyes.recipe import HELD_OUT, TRAINING, EyesRecipe
from situ.train.eyes.store import FrameStore
from situ.train.eyes.stream import rendered

CHECKPOINT, LOG, MODEL, WORLDS = "checkpoint.pt", "log.jsonl", "homes.onnx", "worlds.txt"
LOG_EVERY = 50  # steps
CALIBRATION_FRAMES = 96  # for quantisation
AVERAGE = 0.998  # decay of the exponential moving average of the network, which is the result
RETIME_EVERY = 100  # steps between updates of the clock
_CLIP = 5.0  # largest norm of the gradient
_BY_NAME = ("names.", "rooms.")  # layers with one row per name
Report = Callable[[str, int, int], None]


@dataclass(frozen=True)
class RunOptions:
    """How a run is carried out.

    `device`: "auto" takes a GPU if there is one. `workers`: rendering processes; 0 takes one per core, -1
    renders in this process. `save_every`: steps between checkpoints. `held_out`: worlds for the evaluation.
    `forbidden`: hashes of worlds that must not be used. `begin`: checkpoint of another run to start from.
    `seconds`: duration; the number of steps then follows from the speed, and batches are sampled from the
    worlds that are ready. `compiled`: compile on a GPU.
    """

    device: str = "auto"
    workers: int = 0
    save_every: int = 1000
    held_out: int = 16
    forbidden: frozenset[str] = frozenset()
    begin: Path | None = None
    seconds: float | None = None
    compiled: bool = True


def train_eyes(
    recipe: EyesRecipe,
    out: Path,
    options: RunOptions = RunOptions(),
    report: Report | None = None,
    store: FrameStore | None = None,
) -> dict[str, Any]:
    """Render, train and export. A repeated call resumes from the last checkpoint.

    `store` holds worlds rendered for another run, which are then not rendered again.
    """
    device, workers = options.device, options.workers
    device = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(recipe.seed)
    began = time.perf_counter()
    run = _Run(recipe, out, device, options.compiled and device == "cuda")
    start = run.resume()
    if options.begin is not None and not start:
        run.begin(options.begin)
    workers = workers or max(1, (os.cpu_count() or 2) - (1 if device == "cuda" else 0))
    if store is None:
        store = FrameStore(recipe.worlds, recipe.frames_per_world, device)
        store.fill(
            rendered(
                recipe.seed,
                TRAINING,
                range(recipe.worlds),
                recipe.frames_per_world,
                workers,
                options.forbidden,
            )
        )
    if run.compiled:
        run.warm(store)  # while the first worlds are rendered
    clock = None if options.seconds is None else Clock(began + options.seconds)
    run.waits = clock is None
    store.wait_for(recipe.worlds_at(0))
    step = start
    while step < run.recipe.steps:
        run.step(store, step)
        if clock is not None:
            run.recipe = replace(run.recipe, steps=clock.steps(step, run.recipe.steps))
        if step % LOG_EVERY == LOG_EVERY - 1 or step == run.recipe.steps - 1:
            run.note(step, store, began)
        if step % options.save_every == options.save_every - 1:
            run.save(step + 1)
        step += 1
        if report is not None:
            report("learning", step, run.recipe.steps)
    recipe = run.recipe
    run.save(step)
    (out / WORLDS).write_text("\n".join(store.worlds) + "\n", encoding="utf-8")
    score = _score(run.average, recipe, options.held_out, workers, device) if options.held_out else None
    export(
        run.average,
        out / MODEL,
        {"recipe": asdict(recipe), "worlds": len(store.worlds)},
        _some(store, recipe),
    )
    seconds = time.perf_counter() - began
    frames = len(store.worlds) * recipe.frames_per_world
    return {
        "model": str(out / MODEL),
        "steps": recipe.steps,
        "worlds": len(store.worlds),
        "frames": frames,
        "seconds": round(seconds, 1),
        "seconds_waiting_for_frames": round(store.waited, 1),
        "render_cpu_ms_per_frame": round(1000 * store.cpu_seconds / max(1, frames), 1),
        "held_out": None if score is None else asdict(score),
    }


class Clock:
    """Number of steps until a time, from the speed of the last ones."""

    def __init__(self, end: float) -> None:
        self._end = end
        self._last: tuple[int, float] | None = None

    def steps(self, step: int, planned: int) -> int:
        """Total number of steps, updated now and then; after the end this step is the last."""
        now = time.perf_counter()
        if now >= self._end:
            return step + 1
        if self._last is None or step - self._last[0] < RETIME_EVERY:
            self._last = self._last or (step, now)
            return planned
        each = (now - self._last[1]) / (step - self._last[0])
        self._last = step, now
        return step + 1 + max(1, int((self._end - now) / each))


def _some(store: FrameStore, recipe: EyesRecipe) -> NDArray[np.uint8]:
    """Frames of many worlds, to calibrate the quantisation."""
    count = len(store.worlds) * recipe.frames_per_world
    numbers = np.linspace(0, count - 1, min(CALIBRATION_FRAMES, count)).astype(int)
    found: NDArray[np.uint8] = store.frames(numbers).rgb.cpu().numpy()
    return found


def _score(eyes: HomeEyes, recipe: EyesRecipe, worlds: int, workers: int, device: str) -> Score:
    store = FrameStore(worlds, recipe.frames_per_world, device)
    store.fill(rendered(recipe.seed, HELD_OUT, range(worlds), recipe.frames_per_world, workers))
    store.wait_for(worlds)
    found: Score = look_at(eyes, store, worlds * recipe.frames_per_world, device)
    return found


class _Run:
    """State of the training run."""

    def __init__(self, recipe: EyesRecipe, out: Path, device: str, compiled: bool = False) -> None:
        self.recipe, self.out, self.device, self.compiled = recipe, out, device, compiled
        self.waits = True  # wait for the worlds that are due, instead of using those that are ready
        self._given = asdict(recipe)  # the clock may change the number of steps
        self.eyes = HomeEyes(recipe.width).to(device)
        self.average = HomeEyes(recipe.width).to(device)
        self.average.load_state_dict(self.eyes.state_dict())
        if device == "cuda":
            self.eyes = self.eyes.to(memory_format=torch.channels_last)
            torch.backends.cudnn.benchmark = True
        # Compiled, the operations between convolutions are fused into one pass over memory.
        self._answers = torch.compile(self.eyes) if compiled else self.eyes
        self._losses = torch.compile(losses) if compiled else losses
        self.optimiser = torch.optim.AdamW(
            self.eyes.parameters(), weight_decay=recipe.weight_decay, fused=device == "cuda"
        )
        self.lots = torch.Generator(device)
        self._sums: dict[str, torch.Tensor] = {}
        self._seen, self._since = 0, time.perf_counter()

    def resume(self) -> int:
        """Load the last checkpoint; the step to continue with."""
        file = self.out / CHECKPOINT
        if not file.exists():
            return 0
        state = torch.load(file, map_location=self.device, weights_only=True)
        if state["recipe"] != self._given:
            raise BadInput(
                f"{file} was made by another recipe; give the options that it was made with, or another --out"
            )
        self.eyes.load_state_dict(state["eyes"])
        self.average.load_state_dict(state["average"])
        self.optimiser.load_state_dict(state["optimiser"])
        return int(state["step"])

    def begin(self, file: Path) -> None:
        """Load the network of another run, without its step and learning rates.

        It may have fewer names, since new ones are appended: its weights of the others are kept.
        """
        try:
            state = torch.load(file, map_location=self.device, weights_only=True)["average"]
            own = self.eyes.state_dict()
            for key in [key for key in state if key.startswith(_BY_NAME)]:
                grown = own[key].clone()
                grown[: len(state[key])] = state[key]
                state[key] = grown
            self.eyes.load_state_dict(state)
        except (OSError, RuntimeError, KeyError, pickle.UnpicklingError) as error:
            raise BadInput(f"{file} holds no network of this size to begin with: {error}") from error
        self.average.load_state_dict(self.eyes.state_dict())

    def warm(self, store: FrameStore) -> None:
        """Compile with blank images; nothing is learnt."""
        kept = {name: value.clone() for name, value in self.eyes.state_dict().items()}
        self._learn(store.nothing(self.recipe.batch_worlds * self.recipe.batch_frames), 0)
        self.optimiser.zero_grad(set_to_none=True)
        self.eyes.load_state_dict(kept)

    def save(self, step: int) -> None:
        state = {
            "recipe": self._given, "step": step, "eyes": self.eyes.state_dict(),
            "average": self.average.state_dict(), "optimiser": self.optimiser.state_dict(),
        }  # fmt: skip
        part = self.out / f"{CHECKPOINT}.part"
        torch.save(state, part)
        part.replace(self.out / CHECKPOINT)

    def step(self, store: FrameStore, step: int) -> None:
        recipe = self.recipe
        rng = np.random.default_rng([recipe.seed, step, *b"batch"])
        worlds = recipe.worlds_at(step)
        if not self.waits:
            worlds = min(recipe.worlds, max(len(store.worlds), recipe.worlds_at(0)))
        batch = store.draw(worlds, recipe.batch_worlds, recipe.batch_frames, rng)
        self.lots.manual_seed(recipe.seed * 1_000_003 + step)
        which = torch.rand(len(batch.rgb), device=self.device, generator=self.lots) < 0.5
        batch = mirrored(batch, which)
        for group in self.optimiser.param_groups:
            group["lr"] = recipe.rate_at(step)
        self.optimiser.zero_grad(set_to_none=True)
        found = self._learn(batch, step)
        torch.nn.utils.clip_grad_norm_(self.eyes.parameters(), _CLIP)
        self.optimiser.step()
        self._follow(step)
        for name, value in found.items():
            self._sums[name] = self._sums.get(name, torch.zeros((), device=self.device)) + value.detach()
        self._seen += len(batch.rgb)

    def _learn(self, batch: Batch, step: int) -> dict[str, torch.Tensor]:
        """Losses of a batch, with gradients."""
        picture = self._picture(batch, step)
        half = torch.autocast("cuda", torch.bfloat16) if self.device == "cuda" else nullcontext()
        self.eyes.train()
        with half:
            names, fields, rooms = self._answers(picture)
        found: dict[str, torch.Tensor] = self._losses(names, fields, rooms, batch)
        total = sum((WEIGHTS[name] * value for name, value in found.items()), start=picture.new_zeros(()))
        total.backward()
        return {**found, "total": total}

    def _picture(self, batch: Batch, step: int) -> torch.Tensor:
        picture = batch.rgb.permute(0, 3, 1, 2).float() / 255.0
        if self.recipe.randomise:
            picture = randomised(picture, self.recipe.plain_at(step), self.lots)
        return picture.contiguous(memory_format=torch.channels_last)

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def _follow(self, step: int) -> None:
        """Update the moving average, with a short memory at first."""
        keep = min(AVERAGE, (step + 1) / (step + 10))
        pairs = zip(self.average.state_dict().values(), self.eyes.state_dict().values(), strict=True)
        mine, theirs = zip(*((a, b) for a, b in pairs if a.dtype.is_floating_point), strict=True)
        torch._foreach_lerp_(list(mine), list(theirs), 1 - keep)

    def note(self, step: int, store: FrameStore, began: float) -> None:
        """Log mean losses since the last line, and both speeds."""
        steps = (step % LOG_EVERY) + 1
        now = time.perf_counter()
        line = {
            "step": step + 1,
            **{name: round(float(value) / steps, 4) for name, value in self._sums.items()},
            "images_per_second": round(self._seen / (now - self._since), 1),
            "worlds": len(store.worlds),
            "frames_rendered_per_second": round(
                len(store.worlds) * self.recipe.frames_per_world / (now - began), 1
            ),
            "waited": round(store.waited, 1),
            "seconds": round(now - began, 1),
        }
        with (self.out / LOG).open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")
        self._sums, self._seen, self._since = {}, 0, now
