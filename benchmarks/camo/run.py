"""Train the arms and write what they can do.

    python -m benchmarks.camo.run --eyes symbols --out DIR [--seeds 1,2,3,4] [--labels 1000,8000,64000]
    python -m benchmarks.camo.run --eyes pixels --out DIR --encoder DIR/encoder.pt
    python -m benchmarks.camo.run --eyes pixels --out DIR --labels 64000,8000:5-8    # seeds 5 to 8 there
    python -m benchmarks.camo.run --eyes pixels,symbols --clips homes --out DIR --labels 8000
    python -m benchmarks.camo.run --pilot --eyes symbols --out DIR     # chooses rate, dropout and steps
    python -m benchmarks.camo.run --tiny --eyes pixels --out DIR       # the whole way in minutes on a CPU

Every group of models (one label count, all arms and seeds) is a line of results.jsonl when it is done; groups
that are there are not trained again. Several kinds of eyes have a folder each. Weights, worlds and batches
follow from the seeds alone; of homes, the first ones are taken that are rendered in --render-seconds, so the
same --train-clips with time enough are the same clips on any machine.
"""

import argparse
import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.camo import words as W
from benchmarks.camo.arms import ARMS, Model, Part, Stack, part_of, results
from benchmarks.camo.clips import Clips
from benchmarks.camo.eyes import Encoder, pixel_tokens, symbol_tokens, train_encoder
from benchmarks.camo.solids import PARTS, Solids
from benchmarks.camo.studio import Homes

CLIPS_SEED, ENCODER_SEED, HOMES_SEED = 5, 905, 500
SIZES = {  # of homes: at most; `views` are rows of 12 frames for the encoder
    "solids": {"train": 131_072, "valid": 4_096, "test": 16_384, "tell": 512},
    "homes": {"train": 65_536, "valid": 1_024, "test": 4_096, "tell": 512, "views": 16_384},
}
TINY = {
    "solids": {"train": 128, "valid": 64, "test": 64, "tell": 8},
    "homes": {"train": 16, "valid": 8, "test": 8, "tell": 8, "views": 6},
}
FOR_EVER_S = 1e6
EYES = ("symbols", "pixels")
RESULTS, ASKED = "results.jsonl", "asked.npz"
LONGEST = 64  # tokens of a perfect narrative
PILOT_ARMS = ("questions", "poses")


class Run:
    """A folder with a log and one line for each finished group of models."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given = given
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.sizes = dict((TINY if given.tiny else SIZES)[given.clips])
        self.sizes["train"] = given.train_clips or self.sizes["train"]
        self.eyes: list[str] = given.eyes.split(",")
        self.began = time.perf_counter()
        for eyes in self.eyes:
            self.folder(eyes).mkdir(parents=True, exist_ok=True)

    def folder(self, eyes: str) -> Path:
        """Where the results with some kind of eyes are."""
        return Path(self.given.out / eyes if len(self.eyes) > 1 else self.given.out)

    def log(self, text: str) -> None:
        line = f"[{time.perf_counter() - self.began:7.1f}] {text}"
        print(line, flush=True)
        with (self.given.out / "log.txt").open("a") as log:
            log.write(line + "\n")

    def done(self, eyes: str) -> set[str]:
        file = self.folder(eyes) / RESULTS
        if not file.exists():
            return set()
        return {json.loads(line)["group"] for line in file.read_text().splitlines()}

    def write(self, eyes: str, record: dict[str, Any]) -> None:
        with (self.folder(eyes) / RESULTS).open("a") as file:
            file.write(json.dumps(record) + "\n")

    def source(self) -> Solids | Homes:
        given = self.given
        if given.clips == "solids":
            return Solids(self.sizes, CLIPS_SEED, given.jobs, self.device, given.pool, self.log)
        seconds = FOR_EVER_S if given.tiny else given.render_seconds
        return Homes(self.sizes, HOMES_SEED, given.jobs, self.device, seconds, self.log)

    def encoder(self, source: Solids | Homes) -> Encoder:
        """The one in --encoder, or a new one that learns from other worlds and is kept with the results."""
        file = self.given.encoder or self.given.out / "encoder.pt"
        encoder = Encoder().to(self.device).eval().requires_grad_(False)
        if file.exists():
            encoder.load_state_dict(torch.load(file, map_location=self.device))
            return encoder
        frames = source.others()
        start = time.perf_counter()
        batch, seconds = (48, 1.0) if self.given.tiny else (1024, self.given.encoder_seconds)
        encoder, trained = train_encoder(frames, batch, seconds, ENCODER_SEED)
        torch.save(encoder.state_dict(), file)
        self.log(f"encoder in {time.perf_counter() - start:.1f} s, {len(frames)} rows of frames: {trained}")
        return encoder

    def parts(self) -> dict[str, dict[str, Part]]:
        """The three parts of the clips, seen through each kind of eyes."""
        source = self.source()
        encoder = self.encoder(source) if "pixels" in self.eyes else None
        found: dict[str, dict[str, Part]] = {eyes: {} for eyes in self.eyes}
        for name in PARTS:
            clips, frames = source.part(name)
            for eyes in self.eyes:
                start = time.perf_counter()
                if eyes == "symbols" or encoder is None:
                    seen = symbol_tokens(clips, self.device)
                else:
                    seen, read = pixel_tokens(encoder, frames)
                    self.log(f"{name}: {read}")
                    if name == "test" and "eyes" not in self.done(eyes):
                        self.write(eyes, {"group": "eyes", **read, **told_of(source)})
                found[eyes][name] = part_of(clips, seen, CLIPS_SEED, self.device)
                if name == "test":
                    some = clips.take(np.arange(self.sizes["tell"]))
                    keep_asked(self.folder(eyes) / ASKED, some, source.names)
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
            f"{eyes} {count} {seeds} {given.arms}": [
                Model(arm, int(seed), count, given.rate, given.drop)
                for arm in arms for seed in seeds.split(",")
            ]
            for count, seeds in labels for eyes in self.eyes
        }  # fmt: skip

    def __call__(self) -> None:
        given = self.given
        self.log(f"{given} on {self.device}, torch {torch.__version__}")
        parts = self.parts()
        for group, models in self.groups().items():
            eyes = self.eyes[0] if given.pilot else group.split()[0]
            most = max(model.labels for model in models)
            if group in self.done(eyes):
                continue
            if most > len(parts[eyes]["train"]):
                self.log(f"too few clips for {group}: {len(parts[eyes]['train'])}")
                continue
            if time.perf_counter() - self.began > given.seconds:
                self.log(f"no time for {group}")
                continue
            self.train(eyes, group, models, parts[eyes])

    def train(self, eyes: str, group: str, models: list[Model], parts: dict[str, Part]) -> None:
        given = self.given
        start = time.perf_counter()
        stack = Stack(models, parts["train"], self.device, compiled=self.device == "cuda")
        trained = stack.train(parts["valid"], given.steps, given.batch, given.tell_batch, self.log)
        records, said = results(stack, trained, parts["test"], self.sizes["tell"])
        seconds = time.perf_counter() - start
        name = group.replace(" ", "-").replace(",", "_")
        if len(said):
            np.savez_compressed(self.folder(eyes) / f"said-{name}.npz", said=said.numpy().astype(np.int16))
        memory = torch.cuda.max_memory_allocated() / 2**30 if self.device == "cuda" else 0.0
        self.write(
            eyes,
            {"group": group, "seconds": seconds, "train_seconds": trained["seconds"], "batch": given.batch,
             "tell_batch": given.tell_batch, "peak_gib": memory, "models": records},
        )  # fmt: skip
        self.log(f"{group}: {seconds:.1f} s, {memory:.0f} GiB")
        for r in records:
            f1 = f" motion F1 {r['motion_f1']:.2f}" if "motion_f1" in r else ""
            self.log(f"  {r['arm']:9} {r['labels']:6} seed {r['seed']} rate {r['rate']:g} drop {r['drop']:g} "
                     f"thing {100 * r['thing']:.1f} start {100 * r['start']:.1f}{f1}")  # fmt: skip


def told_of(source: Solids | Homes) -> dict[str, Any]:
    """How many homes the clips and the encoder's frames are of."""
    return {"homes": source.used} if isinstance(source, Homes) else {}


def keep_asked(file: Path, clips: Clips, names: tuple[str, ...]) -> None:
    """What the clips that narratives are kept of are asked, the answers, and their perfect narratives."""
    narrated = W.narrate(clips)
    np.savez_compressed(
        file,
        names=np.array(names),
        name=clips.names[np.arange(len(clips.thing)), clips.thing].astype(np.int16),
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


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--eyes", required=True, help="symbols (perception solved), pixels, or both: a,b")
    parser.add_argument("--clips", choices=tuple(SIZES), default="solids")
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
    parser.add_argument("--train-clips", type=int, help="to train on; of homes, at most")
    parser.add_argument("--render-seconds", type=float, default=150.0, help="for rendering homes")
    parser.add_argument("--encoder", type=Path, help="use this encoder, or keep the new one here")
    parser.add_argument("--encoder-seconds", type=float, default=70.0, help="for training the encoder")
    parser.add_argument("--seconds", type=float, default=1e9, help="no further group is begun after this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--pilot", action="store_true")
    parser.add_argument("--tiny", action="store_true")
    given = parser.parse_args(arguments)
    if not set(given.eyes.split(",")) <= set(EYES):
        parser.error(f"--eyes: choose from {', '.join(EYES)}; got '{given.eyes}'")
    Run(given)()


if __name__ == "__main__":
    main()
