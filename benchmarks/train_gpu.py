"""The fine-tuning recipe on one GPU with the true Qwen2.5-VL-3B architecture, randomly initialised.

    python -m benchmarks.train_gpu --data DIR [--size 3b] [--steps 12] [--out FILE.json]

DIR is a training set (`situ train data`). Nothing is downloaded: weights are random, the tokenizer is learnt
from the set's texts. For each variant: whether it fits, examples and tokens per second, utilisation of the
GPU's arithmetic (needed operations over the data sheet's peak), peak memory, and where the time goes.
"""

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

VARIANTS: dict[str, dict[str, Any]] = {
    "recipe": {},
    "compiled": {"compiled": True},
    "compiled, batch 16": {"compiled": True, "batch": 16},
    "compiled, batch 16 in one": {"compiled": True, "batch": 16, "accumulate": 1},
    "compiled, batch 32 in one": {"compiled": True, "batch": 32, "accumulate": 1},
    "compiled, batch 40 in one": {"compiled": True, "batch": 40, "accumulate": 1},
    "compiled, batch 32, checkpointing": {
        "compiled": True,
        "batch": 32,
        "accumulate": 1,
        "checkpointing": True,
    },
}


def measure(
    folder: Path, size: str, steps: int, device: str, names: list[str], profile: str = ""
) -> list[dict[str, Any]]:
    import torch
    from transformers import Qwen2_5_VLForConditionalGeneration

    from situ.train.flops import BF16_FLOPS
    from situ.train.model import prepare
    from situ.train.random_model import random_config, train_tokenizer
    from situ.train.recipe import TrainRecipe
    from situ.train.rows import read_rows

    rows = list(read_rows(folder))
    rows *= -(-64 // len(rows))  # a small set is seen several times
    tokenizer = train_tokenizer((f"{row.prompt} {row.answer}" for row in rows), 2048)
    results = []
    for name in names:
        config = random_config(size, tokenizer)  # a model marks its configuration, so each gets its own
        options = dict(VARIANTS[name])
        compiled = bool(options.pop("compiled", False))
        recipe = replace(TrainRecipe(), bf16=device == "cuda", **options)
        torch.manual_seed(0)
        with torch.device(device):
            model = Qwen2_5_VLForConditionalGeneration(config)
        model.train()
        model = prepare(model, recipe, compiled)
        peak = next((flops for key, flops in BF16_FLOPS.items() if key in _device_name(device)), 0.0)
        try:
            result = _run(model, config, rows, folder, tokenizer, recipe, steps, device, peak, profile)
        except torch.OutOfMemoryError as error:
            result = {"fits": False, "error": str(error)[:200]}
        except Exception as error:  # a variant that fails must not hide the others
            result = {"failed": f"{type(error).__name__}: {error}"[:600]}
        results.append({"variant": name, **result})
        print(json.dumps(results[-1]), flush=True)
        del model
        if device == "cuda":
            torch.cuda.empty_cache()
        if compiled:
            torch._dynamo.reset()
    return results


def _run(
    model: Any, config: Any, rows: list[Any], folder: Path, tokenizer: Any, recipe: Any, steps: int,
    device: str, peak: float, profile: str,
) -> dict[str, Any]:  # fmt: skip
    import torch

    from situ.train.flops import needed_flops
    from situ.train.model import batch_loss

    trained = [weight for weight in model.parameters() if weight.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=recipe.learning_rate, fused=device == "cuda")
    if device == "cuda":
        torch.cuda.reset_peak_memory_stats()
    batches = _batches(rows, folder, tokenizer, recipe)
    warm = 1 + (2 if steps > 4 else 0)
    clock = Clock(device)
    seen = {"tokens": 0, "examples": 0, "flops": 0.0, "learnt": 0, "patches": 0, "waited": 0.0}
    losses: list[float] = []
    start = time.perf_counter()
    for step in range(warm + steps):
        if step == warm:
            clock.reset()
            start = time.perf_counter()
        optimizer.zero_grad(set_to_none=True)
        for _ in range(recipe.accumulate):
            asked = time.perf_counter()
            batch = next(batches)
            waited = time.perf_counter() - asked
            if step >= warm:
                _count(seen, batch, config, needed_flops, waited)
            batch = {key: _moved(value, device) for key, value in batch.items()}
            with torch.autocast(device, dtype=torch.bfloat16, enabled=recipe.bf16), clock.part("forward"):
                loss = batch_loss(model, batch) / recipe.accumulate
            with clock.part("backward"):
                loss.backward()
        with clock.part("optimizer"):
            torch.nn.utils.clip_grad_norm_(trained, 1.0)
            optimizer.step()
        losses.append(float(loss.detach()) * recipe.accumulate)
    seconds = clock.seconds_since(start)
    result = {
        "fits": True,
        "trained_weights": sum(weight.numel() for weight in trained),
        "batch": recipe.batch,
        "accumulate": recipe.accumulate,
        "seconds_per_step": seconds / steps,
        "examples_per_s": seen["examples"] / seconds,
        "tokens_per_s": seen["tokens"] / seconds,
        "learnt_tokens_per_s": seen["learnt"] / seconds,
        "patches_per_s": seen["patches"] / seconds,
        "tokens_per_batch": seen["tokens"] / steps / recipe.accumulate,
        "tflops": seen["flops"] / seconds / 1e12,
        "mfu": seen["flops"] / seconds / peak if peak else None,
        "waited_for_loader_share": seen["waited"] / seconds,
        "parts_share": clock.shares(seconds),
        "first_loss": losses[0],
        "last_loss": losses[-1],
    }
    if device == "cuda":
        result["peak_memory_gb"] = torch.cuda.max_memory_allocated() / 1e9
    if profile:
        result["profile"] = _profile(model, next(batches), device, recipe)
    return result


def measure_trl(folder: Path, size: str, steps: int, device: str) -> dict[str, Any]:
    """The same through TRL's trainer, as `situ train run --compile --batch 32 --accumulate 1` does."""
    import torch
    from transformers import Qwen2_5_VLForConditionalGeneration, TrainerCallback

    from situ.train.flops import BF16_FLOPS, needed_flops
    from situ.train.model import prepare
    from situ.train.random_model import random_config, train_tokenizer
    from situ.train.recipe import TrainRecipe
    from situ.train.rows import read_rows
    from situ.train.run import trainer_for

    rows = list(read_rows(folder))
    tokenizer = train_tokenizer((f"{row.prompt} {row.answer}" for row in rows), 2048)
    config = random_config(size, tokenizer)
    cuda = device == "cuda"
    batch = 32 if cuda else 2
    warm = 4 if cuda else 1
    recipe = TrainRecipe(
        bf16=cuda, batch=batch, accumulate=1, max_steps=warm + steps, loaders=12 if cuda else 0
    )
    with torch.device(device):
        model = prepare(Qwen2_5_VLForConditionalGeneration(config).train(), recipe, compiled=cuda)
    trainer = trainer_for(model, tokenizer, folder, rows, Path(tempfile.mkdtemp()), recipe)
    trainer.args.save_strategy = "no"
    seen = {"tokens": 0, "examples": 0, "flops": 0.0, "learnt": 0, "patches": 0, "waited": 0.0}
    marks: list[float] = []
    plain = trainer.compute_loss

    def counted(model: Any, inputs: Any, **options: Any) -> Any:
        if len(marks) >= warm:
            _count(seen, inputs, config, needed_flops, 0.0)
        return plain(model, inputs, **options)

    class Watch(TrainerCallback):
        def on_step_end(self, *_: Any, **__: Any) -> None:
            if cuda:
                torch.cuda.synchronize()
            marks.append(time.perf_counter())

    trainer.compute_loss = counted
    trainer.add_callback(Watch())
    trainer.train()
    seconds = marks[-1] - marks[warm - 1]
    peak = next((flops for key, flops in BF16_FLOPS.items() if key in _device_name(device)), 0.0)
    return {
        "variant": "TRL, batch 32 in one",
        "seconds_per_step": seconds / steps,
        "examples_per_s": seen["examples"] / seconds,
        "tokens_per_s": seen["tokens"] / seconds,
        "mfu": seen["flops"] / seconds / peak if peak else None,
        "losses": [entry["loss"] for entry in trainer.state.log_history if "loss" in entry],
        "peak_memory_gb": torch.cuda.max_memory_allocated() / 1e9 if cuda else None,
    }


def stand_in(folder: Path, examples: int = 256) -> Path:
    """A set of about the right shape where none is given: noise for frames, made-up words for answers."""
    import cv2
    import numpy as np

    from situ.narrate.motions import CLASSES
    from situ.train.rows import Medium, TrainingRow, write_rows

    rng = np.random.default_rng(0)
    (folder / "media").mkdir(parents=True, exist_ok=True)
    rows = []
    for number in range(examples):
        told = number % 3 == 0
        names = []
        for i in range(int(rng.integers(40, 65))):
            names.append(f"media/{number:05d}_{i:03d}.jpg")
            noise = rng.integers(0, 255, (14, 20, 3), dtype=np.uint8)
            cv2.imwrite(str(folder / names[-1]), cv2.resize(noise, (140, 112)))
        answer = " ".join(
            f"The camera does a {rng.choice(CLASSES)} by {rng.integers(90)} degrees." for _ in range(14)
        )
        rows.append(
            TrainingRow(
                f"{number}",
                "narrative",
                (Medium("video", tuple(names), 140, 112, 8.0),),
                "<video>Describe what the camera does in this video, and what can be seen.",
                answer if told else answer[:40],
                "stand-in",
            )
        )
    write_rows(folder, rows)
    return folder


def _count(seen: dict[str, Any], batch: dict[str, Any], config: Any, needed: Any, waited: float) -> None:
    ends = batch["pack_ends"].tolist()
    lengths = [b - a for a, b in pairwise(ends)]
    learnt = len(batch["learnt"])
    patches = len(batch["patches"]) if "patches" in batch else 0
    seen["tokens"] += sum(lengths)
    seen["examples"] += len(lengths)
    seen["learnt"] += learnt
    seen["patches"] += patches
    seen["waited"] += waited
    seen["flops"] += needed(config, lengths, learnt, patches)


def _batches(rows: list[Any], folder: Path, tokenizer: Any, recipe: Any) -> Iterator[dict[str, Any]]:
    import torch
    from torch.utils.data import DataLoader

    from situ.train.collate import Collator

    loader = DataLoader(
        rows,
        batch_size=recipe.batch,
        shuffle=True,
        drop_last=True,
        num_workers=min(12, os.cpu_count() or 1) if len(rows) > 64 else 0,
        collate_fn=Collator(folder, tokenizer, recipe, 2.0),
        pin_memory=torch.cuda.is_available(),
        persistent_workers=len(rows) > 64,
        prefetch_factor=4 if len(rows) > 64 else None,
    )
    while True:
        yield from loader


def _moved(value: Any, device: str) -> Any:
    return value.to(device, non_blocking=True) if hasattr(value, "to") else value


def _profile(model: Any, batch: dict[str, Any], device: str, recipe: Any) -> list[dict[str, Any]]:
    """The kernels that take most of one forward and backward pass."""
    import torch
    from torch.profiler import ProfilerActivity
    from torch.profiler import profile as profiled

    from situ.train.model import batch_loss

    batch = {key: _moved(value, device) for key, value in batch.items()}
    with profiled(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as found:
        with torch.autocast(device, dtype=torch.bfloat16, enabled=recipe.bf16):
            batch_loss(model, batch).backward()
        torch.cuda.synchronize()
    table = sorted(found.key_averages(), key=lambda event: -event.self_device_time_total)
    return [
        {"kernel": event.key[:90], "ms": event.self_device_time_total / 1000, "calls": event.count}
        for event in table[:18]
    ]


class Clock:
    """Seconds of the parts of a step, by the device's own events where there are any."""

    def __init__(self, device: str) -> None:
        self.device = device
        self.reset()

    def reset(self) -> None:
        self._marks: dict[str, list[Any]] = {}

    def part(self, name: str) -> "_Part":
        return _Part(self, name)

    def seconds_since(self, start: float) -> float:
        if self.device == "cuda":
            import torch

            torch.cuda.synchronize()
        return time.perf_counter() - start

    def shares(self, seconds: float) -> dict[str, float]:
        if self.device == "cuda":
            sums = {name: sum(a.elapsed_time(b) for a, b in m) / 1000 for name, m in self._marks.items()}
        else:
            sums = {name: sum(b - a for a, b in m) for name, m in self._marks.items()}
        return {name: value / seconds for name, value in sums.items()}


class _Part:
    def __init__(self, clock: Clock, name: str) -> None:
        self.clock, self.name = clock, name

    def _now(self) -> Any:
        if self.clock.device != "cuda":
            return time.perf_counter()
        import torch

        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def __enter__(self) -> None:
        self.start = self._now()

    def __exit__(self, *_: object) -> None:
        self.clock._marks.setdefault(self.name, []).append((self.start, self._now()))


def _device_name(device: str) -> str:
    import torch

    return torch.cuda.get_device_name() if device == "cuda" else "CPU"


def run() -> None:
    import torch

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="a training set; without one, noise of the same shape")
    parser.add_argument("--size", default="3b")
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--variants", default=",".join(VARIANTS).replace(", ", "_"))
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--trl", action="store_true", help="measure TRL's trainer too")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    names = [name.replace("_", ", ") for name in given.variants.split(",") if name]
    print(_device_name(device), torch.__version__, flush=True)
    folder = given.data or stand_in(Path(tempfile.mkdtemp()))
    results = measure(folder, given.size, given.steps, device, names, given.profile)
    if given.trl:
        results.append(measure_trl(folder, given.size, given.steps, device))
        print(json.dumps(results[-1]), flush=True)
    if given.out:
        given.out.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    run()
