"""Train the arms and write what they can do.

    python -m benchmarks.camo.run --eyes symbols --out DIR [--seeds 1,2,3,4] [--labels 1000,8000,64000]
    python -m benchmarks.camo.run --eyes pixels --out DIR --encoder DIR/encoder.pt
    python -m benchmarks.camo.run --eyes pixels --out DIR --labels 64000,8000:5-8    # seeds 5 to 8 there
    python -m benchmarks.camo.run --pilot --eyes symbols --out DIR     # chooses rate, dropout and steps
    python -m benchmarks.camo.run --tiny --eyes pixels --out DIR       # the whole way in minutes on a CPU

Every group of models (one label count, all arms and seeds) is a line of results.jsonl when it is done; groups
that are there are not trained again. Weights, worlds and batches follow from the seeds alone.
"""

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.camo import words as W
from benchmarks.camo.arms import ARMS, Model, Part, Stack, part_of, results
from benchmarks.camo.clips import Clips, draw_clips
from benchmarks.camo.eyes import Encoder, Frames, pixel_tokens, symbol_tokens, train_encoder
from benchmarks.camo.layouts import Layouts
from benchmarks.camo.paths import Paths

CLIPS_SEED, ENCODER_SEED = 5, 905
FULL = {"train": 131_072, "valid": 4_096, "test": 16_384, "tell": 512}
TINY = {"train": 128, "valid": 64, "test": 64, "tell": 8}
ASKED = "asked.npz"
LONGEST = 64  # tokens of a perfect narrative
PILOT_ARMS = ("questions", "poses")


class Run:
    """A folder with a log and one line for each finished group of models."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given = given
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.sizes = TINY if given.tiny else FULL
        self.began = time.perf_counter()
        given.out.mkdir(parents=True, exist_ok=True)
        self.file = given.out / "results.jsonl"

    def log(self, text: str) -> None:
        line = f"[{time.perf_counter() - self.began:7.1f}] {text}"
        print(line, flush=True)
        with (self.given.out / "log.txt").open("a") as log:
            log.write(line + "\n")

    def done(self) -> set[str]:
        if not self.file.exists():
            return set()
        return {json.loads(line)["group"] for line in self.file.read_text().splitlines()}

    def write(self, record: dict[str, Any]) -> None:
        with self.file.open("a") as file:
            file.write(json.dumps(record) + "\n")

    def clips(self) -> tuple[Clips, tuple[Paths, Layouts]]:
        """The clips of all parts, and worlds that are in none of them."""
        start = time.perf_counter()
        count = sum(self.sizes[part] for part in ("train", "valid", "test"))
        found = draw_clips(count, CLIPS_SEED, self.device, self.given.pool, self.given.jobs)
        self.log(f"{count} clips drawn in {time.perf_counter() - start:.1f} s")
        return found

    def encoder(self, paths: Paths, layouts: Layouts) -> Encoder:
        """The one in --encoder, or a new one that learns from these worlds and is kept with the results."""
        file = self.given.encoder or self.given.out / "encoder.pt"
        encoder = Encoder().to(self.device).eval().requires_grad_(False)
        if file.exists():
            encoder.load_state_dict(torch.load(file, map_location=self.device))
            return encoder
        start = time.perf_counter()
        frames = Frames(paths, layouts, self.device)
        batch, seconds = (48, 2.0) if self.given.tiny else (1024, self.given.encoder_seconds)
        encoder, trained = train_encoder(frames, len(paths.x), batch, seconds, ENCODER_SEED)
        torch.save(encoder.state_dict(), file)
        self.log(f"encoder in {time.perf_counter() - start:.1f} s, {len(paths.x)} worlds: {trained}")
        return encoder

    def parts(self) -> dict[str, Part]:
        """The three parts of the clips, seen through the chosen eyes."""
        clips, others = self.clips()
        encoder = self.encoder(*others) if self.given.eyes == "pixels" else None
        found, first = {}, 0
        for name in ("train", "valid", "test"):
            some = clips.take(np.arange(first, first + self.sizes[name]))
            first += self.sizes[name]
            start = time.perf_counter()
            if encoder is None:
                seen = symbol_tokens(some, self.device)
            else:
                seen, read = pixel_tokens(encoder, some, self.device)
                self.log(f"{name}: {read}")
                if name == "test" and "eyes" not in self.done():
                    self.write({"group": "eyes", **read})
            found[name] = part_of(some, seen, CLIPS_SEED, self.device)
            if name == "test":
                keep_asked(self.given.out / ASKED, some.take(np.arange(self.sizes["tell"])))
            self.log(f"{name} seen in {time.perf_counter() - start:.1f} s: {tuple(seen.shape)}")
        return found

    def groups(self) -> dict[str, list[Model]]:
        given = self.given
        labels = [labels_of(entry, given.seeds) for entry in given.labels.split(",")]
        if given.pilot:
            grid = [(rate, drop) for rate in (5e-4, 1e-3, 2e-3) for drop in (0.0, 0.1, 0.2)]
            return {
                "pilot": [
                    Model(arm, 1000, count, rate, drop)
                    for arm in PILOT_ARMS for count, _ in labels for rate, drop in grid
                ]
            }  # fmt: skip
        arms = given.arms.split(",")
        return {
            f"{given.eyes} {count} {seeds} {given.arms}": [
                Model(arm, int(seed), count, given.rate, given.drop)
                for arm in arms for seed in seeds.split(",")
            ]
            for count, seeds in labels
        }  # fmt: skip

    def __call__(self) -> None:
        given = self.given
        self.log(f"{given} on {self.device}, torch {torch.__version__}")
        parts = self.parts()
        for group, models in self.groups().items():
            if group in self.done():
                continue
            if time.perf_counter() - self.began > given.seconds:
                self.log(f"no time for {group}")
                continue
            self.train(group, models, parts)

    def train(self, group: str, models: list[Model], parts: dict[str, Part]) -> None:
        given = self.given
        start = time.perf_counter()
        stack = Stack(models, parts["train"], self.device, compiled=self.device == "cuda")
        trained = stack.train(parts["valid"], given.steps, given.batch, given.tell_batch, self.log)
        records, said = results(stack, trained, parts["test"], self.sizes["tell"])
        seconds = time.perf_counter() - start
        name = group.replace(" ", "-").replace(",", "_")
        if len(said):
            np.savez_compressed(given.out / f"said-{name}.npz", said=said.numpy().astype(np.int16))
        memory = torch.cuda.max_memory_allocated() / 2**30 if self.device == "cuda" else 0.0
        self.write(
            {"group": group, "seconds": seconds, "train_seconds": trained["seconds"], "batch": given.batch,
             "tell_batch": given.tell_batch, "peak_gib": memory, "models": records}
        )  # fmt: skip
        self.log(f"{group}: {seconds:.1f} s, {memory:.0f} GiB")
        for r in records:
            f1 = f" motion F1 {r['motion_f1']:.2f}" if "motion_f1" in r else ""
            self.log(f"  {r['arm']:9} {r['labels']:6} seed {r['seed']} rate {r['rate']:g} drop {r['drop']:g} "
                     f"thing {100 * r['thing']:.1f} start {100 * r['start']:.1f}{f1}")  # fmt: skip


def keep_asked(file: Path, clips: Clips) -> None:
    """What the clips that narratives are kept of are asked, the answers, and their perfect narratives."""
    narrated = W.narrate(clips)
    np.savez_compressed(
        file,
        name=clips.layouts.names[np.arange(len(clips.thing)), clips.thing].astype(np.int16),
        sector=clips.thing_sector.astype(np.int16),
        perfect=W.joined(narrated.scene, narrated.camera, LONGEST).astype(np.int16),
        perfect_scene=W.joined(narrated.scene, None, LONGEST).astype(np.int16),
    )


def labels_of(entry: str, seeds: str) -> tuple[int, str]:
    """A label count and its seeds: COUNT with the seeds of all, or COUNT:FIRST-LAST."""
    count, _, own = entry.partition(":")
    if own:
        first, last = (int(seed) for seed in own.split("-"))
        seeds = ",".join(str(seed) for seed in range(first, last + 1))
    return int(count), seeds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--eyes", choices=("symbols", "pixels"), required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", default="1,2,3,4")
    parser.add_argument("--arms", default=",".join(ARMS))
    parser.add_argument("--labels", default="8000,64000,1000")
    parser.add_argument("--steps", type=int, default=3125)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--tell-batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--drop", type=float, default=0.1)
    parser.add_argument("--pool", type=float, default=3.0, help="worlds drawn for each clip kept")
    parser.add_argument("--encoder", type=Path, help="use this encoder, or keep the new one here")
    parser.add_argument("--encoder-seconds", type=float, default=70.0, help="for training the encoder")
    parser.add_argument("--seconds", type=float, default=1e9, help="no further group is begun after this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--pilot", action="store_true")
    parser.add_argument("--tiny", action="store_true")
    Run(parser.parse_args())()


if __name__ == "__main__":
    main()
