"""Eyes on real film: depth, up, floor, names under clicks, paths, answers, each with the footage it holds on.

    python -m benchmarks.real [--eyes FILE] [--with yolox-nano,fastdepth] [--clips NAME,NAME] [--only depth]

Parts are depth, names, path and answers.
The samples lie in SITU_REAL_DATA (else ../shared/fixtures): an RGB-D walk through an office, worn on the
head, and an RGB-D camera that rolls over a desk, with true poses. `benchmarks/real_clicks.csv` says what 67
pixels of them show, as people call it who looked. `--eyes` is a network of `situ train photos`, by default
the installed one. The truth of
answers is the memory of the clicked things, of sensed depth and true poses; "clicks" are the same things by
pictures alone, which tells what is lost to geometry. Depth is compared between 0.3 and 8 m.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.real_answers import answers, to_compare
from benchmarks.real_clips import CLIPS, clicks, folder, frames_of
from situ.geometry.pose import transform
from situ.geometry.trajectory import umeyama
from situ.perception.models.selection import Chosen, load_models
from situ.perception.photos.eye import PhotoEye
from situ.perception.photos.installed import installed_eyes
from situ.perception.posing import OdometryPoses
from situ.perception.stages import Gauge, InputFrame

EVERY = 3  # frames between two whose depth is compared
NEAREST_M, FARTHEST_M, WITHIN = 0.3, 8.0, 1.25
FLOOR_M = 0.08  # nearer to the lowest level of a clip is floor
Array = NDArray[np.float64]


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
        doubts.append(said.depth_uncertainty.together)
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


# Paths


def path_row(clip: str, chosen: Chosen | None) -> str:
    """Odometry of pictures alone, with depth that is told from them, against the true path."""
    camera, frames = frames_of(clip)
    poses, lost = OdometryPoses(camera), 0
    for frame in frames:
        given = replace(frame, depth=None, T_world_camera=None)
        if chosen is not None:
            assert isinstance(chosen.depth, Gauge)
            given = chosen.depth.gauged(given)
        lost += bool(poses.locate(given).lost)
    poses.finish()
    assert poses.odometry is not None
    known = [i for i, frame in enumerate(frames) if frame.T_world_camera is not None]
    said = poses.odometry.result().path.positions[known]
    true = np.array([f.T_world_camera[:3, 3] for f in frames if f.T_world_camera is not None])
    off = []
    for with_scale in (False, True):
        aligned = umeyama(said, true, with_scale)
        off.append(float(np.sqrt((np.linalg.norm(aligned.points(said) - true, axis=1) ** 2).mean())))
    doubt = 0.0 if poses.doubt is None else float(poses.doubt.sigma[0, 2])
    walked = float(np.linalg.norm(np.diff(true, axis=0), axis=1).sum())
    return (
        f"{walked:.1f} | {off[0]:.2f} | {off[1]:.2f} | {umeyama(said, true, True).scale:.2f} | {doubt:.2f} | "
        f"{lost} of {len(frames)} | {poses.scale_from or 'unknown'}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--eyes", type=Path, default=installed_eyes(), help="a network of `situ train photos`"
    )
    parser.add_argument("--with", dest="beside", default="yolox-nano,fastdepth", help="other models, by name")
    parser.add_argument("--clips", default=",".join(CLIPS))
    parser.add_argument("--only", default="depth,names,path,answers")
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
    if "path" in given.only:
        print("| clip | depth by | walked m | off by m | after one factor | factor | doubt | lost | scale |")
        for clip in there:
            print(f"| {clip} | motion alone | {path_row(clip, None)} |", flush=True)
        for clip, name, chosen in _loaded(there, (*own, *beside)):
            if chosen.depth is not None:
                print(f"| {clip} | {name} | {path_row(clip, chosen)} |", flush=True)
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
