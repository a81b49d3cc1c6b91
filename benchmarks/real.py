"""Eyes on real film: depth, up, floor, names under clicks, answers, each on footage that it is told of.

    python -m benchmarks.real [--eyes FILE] [--with yolox-nano,fastdepth] [--clips NAME,NAME] [--only depth]

The samples lie in SITU_REAL_DATA (else ../shared/fixtures): an RGB-D walk through an office, worn on the
head, and an RGB-D camera that rolls over a desk, with true poses. `benchmarks/real_clicks.csv` says what 67
pixels of them show, as people call it who looked. `--eyes` is a network of `situ train photos`. The truth of
answers is the memory of the clicked things, of sensed depth and true poses. Depth is compared between 0.3
and 8 m.
"""

import argparse
import csv
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import transform
from situ.language.answering import ask
from situ.language.told import Told
from situ.memory import SpatialMemory
from situ.memory.sink import MemorySink, options_for
from situ.perception.models.selection import Chosen, load_models
from situ.perception.photos.eye import PhotoEye
from situ.perception.pipeline import Watch
from situ.perception.plan import WatchPlan, prepare
from situ.perception.sources import open_source
from situ.perception.stages import Gauge, InputFrame

CLIPS = ("hololens_walk", "tum_fr1_rpy_mini")
CLICKS = Path(__file__).with_name("real_clicks.csv")
EVERY = 3  # frames between two whose depth is compared
NEAREST_M, FARTHEST_M, WITHIN = 0.3, 8.0, 1.25
FLOOR_M = 0.08  # nearer to the lowest level of a clip is floor
BUILDING = ("floor", "wall", "ceiling")
ABSENT = ("bed", "piano", "bathtub", "bicycle", "washing machine", "horse", "aquarium", "guitar")
SURE = 0.9
Array = NDArray[np.float64]


def folder() -> Path:
    return Path(
        os.environ.get("SITU_REAL_DATA") or Path(__file__).resolve().parents[1] / "../shared/fixtures"
    )


@dataclass(frozen=True)
class Click:
    """A pixel, and the names that are right for what it shows; the first is what it is asked for by."""

    clip: str
    frame: int
    x: float
    y: float
    names: tuple[str, ...]


@lru_cache
def clicks(clip: str) -> tuple[Click, ...]:
    with CLICKS.open(encoding="utf-8") as rows:
        found = [
            Click(
                row["clip"],
                int(row["frame"]),
                float(row["x"]),
                float(row["y"]),
                tuple(row["names"].split("|")),
            )
            for row in csv.DictReader(rows)
        ]
    return tuple(click for click in found if click.clip == clip)


@lru_cache(maxsize=1)
def frames_of(clip: str) -> tuple[Camera, tuple[InputFrame, ...]]:
    source = open_source(folder() / clip, width=640, fps=30.0, fov_deg=None)
    return source.camera, tuple(source.read(-1))


# Depth


def depth_row(said: Array, true: Array) -> tuple[float, float, float, float, float] | None:
    """Share of pixels within 25 %: as told, after one factor, and of the best constant; that factor; how far
    off they are in the mean, as a share."""
    ok = np.isfinite(true) & (true > NEAREST_M) & (true < FARTHEST_M) & (said > 0)
    if ok.sum() < 500:
        return None
    ratio, there = said[ok] / true[ok], true[ok]
    factor = 1 / float(np.median(ratio))
    levels = np.quantile(there, np.linspace(0.05, 0.95, 19))
    constant = max(within(level / there) for level in levels)
    return within(ratio), within(ratio * factor), constant, factor, float(np.abs(ratio - 1).mean())


def within(ratio: Array) -> float:
    return float(((ratio < WITHIN) & (ratio > 1 / WITHIN)).mean())


def gauge(clip: str, chosen: Chosen) -> str:
    _, frames = frames_of(clip)
    stage = chosen.depth
    assert stage is not None
    rows, leans, doubts, refused = [], [], [], 0
    began = time.process_time()
    for frame in frames[::EVERY]:
        blind = replace(frame, depth=None)
        said = stage.gauged(blind) if isinstance(stage, Gauge) else replace(blind, depth=stage.depth(blind))
        assert said.depth is not None
        assert frame.depth is not None
        row = depth_row(said.depth.astype(float), frame.depth.astype(float))
        if row is None:
            refused += 1
            continue
        rows.append(row)
        doubts.append(said.depth_doubt.together)
        up = chosen.eye.glance(frame.rgb).up if isinstance(chosen.eye, PhotoEye) else said.up
        if up is not None and frame.T_world_camera is not None:
            cosine = float(np.clip(up @ frame.T_world_camera[2, :3], -1, 1))
            leans.append(float(np.degrees(np.arccos(cosine))))
    ms = 1000 * (time.process_time() - began) / len(frames[::EVERY])
    if not rows:
        return f"said nothing of any of {refused} frames"
    table = np.array(rows)
    low, mid, high = np.quantile(table[:, 3], (0.25, 0.5, 0.75))
    up = f"{np.median(leans):.1f} deg" if leans else "-"
    return (
        f"{100 * table[:, 0].mean():.1f} | {100 * table[:, 1].mean():.1f} | {100 * table[:, 2].mean():.1f} | "
        f"{table[:, 4].mean():.3f} | {mid:.2f} ({low:.2f}-{high:.2f}) | {np.median(doubts):.2f} | {up} | "
        f"{ms:.0f} | {len(rows)} of {len(rows) + refused}"
    )


def floor_iou(clip: str, eye: PhotoEye) -> float:
    """Of cells: called floor, against those at the clip's lowest level by sensed depth and true poses."""
    camera, frames = frames_of(clip)
    heights = []
    for frame in frames[::EVERY]:
        assert frame.depth is not None
        assert frame.T_world_camera is not None
        points = transform(frame.T_world_camera, camera.points(frame.depth.astype(float)).reshape(-1, 3))
        heights.append(points[:, 2].reshape(frame.depth.shape))
    known = [(f.depth > NEAREST_M) & (f.depth < FARTHEST_M) for f in frames[::EVERY] if f.depth is not None]
    every = np.concatenate([h[k][::50] for h, k in zip(heights, known, strict=True)])
    counts, edges = np.histogram(every, bins=np.arange(every.min(), every.max() + 0.1, 0.05))
    level = edges[np.flatnonzero(counts > 0.03 * counts.sum())[0]] + 0.05
    both, either = 0, 0
    name = eye.network.names.index("floor")
    for frame, height, ok in zip(frames[::EVERY], heights, known, strict=True):
        label = eye.glance(frame.rgb).label
        rows, columns = (
            np.linspace(0, n - 1, m).astype(int) for n, m in zip(height.shape, label.shape, strict=True)
        )
        at = np.ix_(rows, columns)
        true, said = np.abs(height[at] - level) < FLOOR_M, label == name
        both += int((true & said & ok[at]).sum())
        either += int(((true | said) & ok[at]).sum())
    return both / max(1, either)


# Names


def named(clip: str, chosen: Chosen) -> tuple[int, int, int, int]:
    """Clicks whose name is right at first, and among five; those that got any name; all."""
    _, frames = frames_of(clip)
    first = five = any_ = 0
    for click in clicks(clip):
        said = names_at(chosen, frames[click.frame], click.x, click.y)
        any_ += bool(said)
        first += bool(said) and said[0] in click.names
        five += any(name in click.names for name in said[:5])
    return first, five, any_, len(clicks(clip))


def names_at(chosen: Chosen, frame: InputFrame, x: float, y: float) -> list[str]:
    """What eyes call a pixel, the likeliest first: of detectors the smallest box around it."""
    if isinstance(chosen.eye, PhotoEye):
        glance, names = chosen.eye.glance(frame.rgb), chosen.eye.network.names
        rows, columns = glance.label.shape
        row, column = int(y / frame.rgb.shape[0] * rows), int(x / frame.rgb.shape[1] * columns)
        return [names[int(k)] for k in glance.five[row, column]]
    assert chosen.detector is not None
    found = chosen.detector.detect(frame.rgb)
    around = []
    for label, (left, top, right, bottom) in zip(found.labels, found.boxes_xyxy, strict=True):
        if left <= x <= right and top <= y <= bottom:
            around.append(((right - left) * (bottom - top), label))
    return [label for _, label in sorted(around)]


# Answers


def remembered(
    clip: str, models: tuple[str, ...], alone: bool, labels: Path | None, file: Path
) -> SpatialMemory:
    """A clip watched: by pictures alone, or with sensed depth and true poses; with models or clicks."""
    plan = WatchPlan(folder() / clip, fps=None, models=models, labels=labels, estimate_poses=alone)
    source, stages = prepare(plan)
    if alone:
        read = source.read
        bare = lambda after: (replace(f, depth=None, T_world_camera=None) for f in read(after))  # noqa: E731
        source = replace(source, read=bare, has_depth=False, has_poses=False)
    memory = SpatialMemory.create(file, options_for(stages.poses.scale_from))
    Watch(source, stages, MemorySink(memory), look_at_end=True).run()
    return memory


def questions(clip: str) -> Iterator[tuple[str, str]]:
    """What somebody would ask of a clip, and what kind of question that is."""
    names = sorted({c.names[0] for c in clicks(clip)} - set(BUILDING))
    for name in names:
        yield "where", f"where is the {name}?"
        yield "how far", f"how far is the {name}?"
        yield "is there", f"is there a {name}?"
    for a, b in zip(names[::2], names[1::2], strict=False):
        yield "which is closer", f"which is closer, the {a} or the {b}?"
    for name in ABSENT:
        yield "is there none", f"is there a {name}?"


def judged(kind: str, said: Told, true: Told) -> bool | None:
    """Whether an answer is right; None where the truth has none, or the system declines."""
    if said.value is None:
        return None
    if kind == "is there none":
        return said.value in (False, "no")
    if kind == "is there":
        return said.value in (True, "yes")
    if kind == "how far":
        if said.distance_m is None or true.distance_m is None or not said.scale_known:
            return None
        a, b = (sum(t.distance_m or (0, 0)) / 2 for t in (said, true))
        return within(np.array([a / max(1e-6, b)])) == 1.0
    return bool(said.value == true.value)


@dataclass
class Tally:
    """Answers of one memory to the questions of a clip."""

    right: int = 0
    wrong: int = 0
    declined: int = 0
    sure: int = 0  # stated with 0.9 or more
    sure_wrong: int = 0
    distances: int = 0
    told: int = 0  # of them
    good: int = 0  # within 25 %

    def add(self, kind: str, said: Told, verdict: bool | None) -> None:
        self.right += verdict is True
        self.wrong += verdict is False
        self.declined += verdict is None
        if said.value is not None and said.confidence >= SURE:
            self.sure, self.sure_wrong = self.sure + 1, self.sure_wrong + (verdict is False)
        if kind == "how far":
            self.distances += 1
            self.told, self.good = self.told + (verdict is not None), self.good + (verdict is True)

    def __str__(self) -> str:
        count = max(1, self.right + self.wrong + self.declined)
        shares = " | ".join(f"{100 * n / count:.0f}" for n in (self.right, self.wrong, self.declined))
        return (
            f"{count} | {shares} | {self.sure_wrong} of {self.sure} | "
            f"{self.told} of {self.distances}, {self.good} right"
        )


System = tuple[str, tuple[str, ...], bool]  # its name, its models, whether it has pictures alone


def answers(clip: str, systems: Sequence[System]) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as scratch:
        labels = Path(scratch) / "clicks.csv"
        rows = [f"{c.names[0]},{c.frame},{c.x:g},{c.y:g}" for c in clicks(clip) if c.names[0] not in BUILDING]
        labels.write_text("label,frame,x,y\n" + "\n".join(rows) + "\n", encoding="utf-8")
        truth = remembered(clip, (), False, labels, Path(scratch) / "truth.situ")
        asked = [(kind, sentence, ask(truth.state(), sentence)) for kind, sentence in questions(clip)]
        asked = [one for one in asked if one[0].startswith("is there") or one[2].value is not None]
        for number, (name, models, alone) in enumerate(systems):
            began, tally = time.perf_counter(), Tally()
            memory = remembered(clip, models, alone, None, Path(scratch) / f"{number}.situ")
            for kind, sentence, true in asked:
                said = ask(memory.state(), sentence)
                tally.add(kind, said, judged(kind, said, true))
            yield f"| {clip} | {name} | {tally} | {time.perf_counter() - began:.0f} |"


def to_compare(own: Sequence[str], beside: tuple[str, ...]) -> list[System]:
    """Own eyes and detectors, by pictures alone and with what a depth camera and true poses give."""
    detectors = tuple(name for name in beside if name != "fastdepth")
    found: list[System] = []
    for name in own:
        found += [(f"{Path(name).name}, pictures alone", (name,), True),
                  (f"{Path(name).name}, sensed depth, true poses", (name,), False)]  # fmt: skip
    if beside:
        found.append(("+".join(beside) + ", pictures alone", beside, True))
    if detectors:
        found.append(("+".join(detectors) + ", sensed depth, true poses", detectors, False))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--eyes", type=Path, help="a network of `situ train photos`")
    parser.add_argument("--with", dest="beside", default="yolox-nano,fastdepth", help="other models, by name")
    parser.add_argument("--clips", default=",".join(CLIPS))
    parser.add_argument("--only", default="depth,names,answers")
    given = parser.parse_args([] if __name__ != "__main__" else None)
    beside = tuple(name for name in given.beside.split(",") if name)
    own = [str(given.eyes)] if given.eyes else []
    there = [clip for clip in given.clips.split(",") if (folder() / clip).is_dir()]
    if not there:
        print(f"none of the samples is in {folder()}: set SITU_REAL_DATA")
        return
    if "depth" in given.only:
        print("| clip | eyes | within 25 % | scaled | constant | abs.rel | scale (quartiles) | told doubt "
              "| up off by | CPU-ms | frames |")  # fmt: skip
        for clip, name, chosen in _loaded(there, (*own, *beside)):
            if chosen.depth is not None:
                print(f"| {clip} | {name} | {gauge(clip, chosen)} |", flush=True)
    if "names" in given.only:
        print("| clip | eyes | clicks | first right | among five | named at all | floor IoU |")
        for clip, name, chosen in _loaded(there, (*own, *beside)):
            if chosen.eye is not None or chosen.detector is not None:
                first, five, any_, count = named(clip, chosen)
                floor = f"{floor_iou(clip, chosen.eye):.2f}" if isinstance(chosen.eye, PhotoEye) else "-"
                print(f"| {clip} | {name} | {count} | {first} | {five} | {any_} | {floor} |", flush=True)
    if "answers" in given.only:
        print("| clip | eyes | questions | right % | wrong % | declined % | wrong of those >= 0.9 "
              "| distances told | seconds |")  # fmt: skip
        for clip in there:
            for line in answers(clip, to_compare(own, beside)):
                print(line, flush=True)


def _loaded(clips: Sequence[str], models: Sequence[str]) -> Iterator[tuple[str, str, Chosen]]:
    for clip in clips:
        for model in models:
            yield clip, Path(model).name, load_models((model,), camera=frames_of(clip)[0])


if __name__ == "__main__":
    main()
