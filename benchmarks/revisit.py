"""Whether a second recording of a place is known again, how well it is placed, and that other places are not.

    python -m benchmarks.revisit --homes 3 --seed 701

Homes are walked twice on different ways; each second day is held against all first days. `odometry` finds the
poses from pictures and depth, `poses` takes the true ones, turned and shifted. Halves of the real samples are
treated in the same way. One line for each pair: views, those that were known again, how far the second day's
views are off (median, worst) from the first day's view in which their surroundings were known again, what the
second day's distances were taken times, and the stated doubt of the whole.
"""

import argparse
import sys
from pathlib import Path as File

import numpy as np

sys.path.append(str(File(__file__).parents[1] / "tests"))  # the samples' readers live beside their tests

import pytest

from benchmarks.odometry import Clip, filmed
from perception.odometry.real_clips import hololens_walk, tum_rpy
from situ.geometry.camera import Camera
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose, inverse
from situ.perception.odometry import RgbdOdometry, RgbOdometry
from situ.perception.odometry.map_alignment import align_maps
from situ.perception.odometry.visual_map import VisualMap, VisualMapBuilder, map_of
from situ.worlds.homes.build import HomeSpec, build_home
from situ.worlds.tours import tour

SIZE, FOV = (320, 240), 70.0
Day = tuple[str, VisualMap, Path, str]  # what place, what it looks like, where it was truly seen from, how


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--homes", type=int, default=3)
    asked.add_argument("--seed", type=int, default=701)
    asked.add_argument("--frames", type=int, default=60, help="of each day in a home")
    asked.add_argument("--fps", type=float, default=1.5, help="10 for odometry")
    asked.add_argument("--odometry", action="store_true", help="find the poses of homes from the pictures")
    given = asked.parse_args()
    first: list[Day] = []
    second: list[Day] = []
    for seed in range(given.seed, given.seed + given.homes):
        for walk, days in ((1, first), (2, second)):
            clip = home_day(seed, walk, given.frames, given.fps)
            seen = looked(clip) if given.odometry else posed(clip)
            days.append((f"home {seed}", seen, clip[2], "odometry" if given.odometry else "poses"))
    told(first, second)
    try:
        samples = (("hololens", hololens_walk()), ("tum rpy", tum_rpy()))
    except pytest.skip.Exception as absent:
        print(f"real samples: {absent}")
        return
    for name, (camera, clip, truth) in samples:
        whole = (camera, clip, truth)
        for how, one, other in (
            ("poses, even and odd frames", clip[::2], clip[1::2]),
            ("odometry, two thirds each", clip[:40], clip[20:]),
            ("odometry, first and second half", clip[:30], clip[30:]),
            ("RGB alone, two thirds each", clip[:40], clip[20:]),
        ):
            days = [
                (name, posed((camera, part, truth), turned=k) if how.startswith("poses")
                 else looked((camera, part, whole[2]), how.startswith("odometry")), truth, how)
                for k, part in enumerate((one, other))
            ]  # fmt: skip
            told(days[:1], days[1:])


def home_day(seed: int, walk: int, frames: int, fps: float) -> Clip:
    """A walk through a home; the same seed is the same home, furnished alike."""
    home = build_home(HomeSpec(rooms=4, objects=50), np.random.default_rng([seed, 77]))
    rng = np.random.default_rng([seed, walk, 78])
    path = tour(home, rng, fps=fps)
    return filmed(home.scene, path, Camera.from_fov(*SIZE, FOV), frames, rng)


def posed(clip: Clip, turned: int = 1) -> VisualMap:
    """What true poses show, in a world of its own."""
    camera, frames, path = clip
    own = inverse(camera_pose((3.0 * turned, -2.0 * turned, 0.0), 63.0 * turned) @ inverse(_LEVEL))
    sights = VisualMapBuilder(camera)
    for moment, rgb, depth in frames:
        sights.look(moment, own @ _at(path, moment), rgb, depth)
    return sights.visual_map


_LEVEL = camera_pose((0.0, 0.0, 0.0), 0.0)


def looked(clip: Clip, with_depth: bool = True) -> VisualMap:
    """What odometry makes of the pictures."""
    camera, frames, _ = clip
    odometry = RgbdOdometry(camera) if with_depth else RgbOdometry(camera)
    for moment, rgb, depth in frames:
        odometry.step(moment, rgb, depth if with_depth else None)
    return map_of(odometry)


def _at(path: Path, moment: float) -> np.ndarray:
    return np.asarray(path.poses[int(np.abs(path.times - moment).argmin())])


def told(first: list[Day], second: list[Day]) -> None:
    for name, old, truth, how in first:
        for other, new, true, _ in second:
            again = align_maps(old, new)
            line = f"{name:9s} {other:9s} {how:32s} views {len(old):3d} {len(new):3d} "
            if again is None:
                print(line + ("kept apart" if name != other else "NOT KNOWN AGAIN"))
                continue
            if name != other:
                print(line + "FALSELY JOINED")
                continue
            off = []
            for number, (view, pose) in enumerate(zip(new.views, again.poses, strict=True)):
                match = min(again.matches, key=lambda one: abs(one.now - number))
                then = old.views[match.then]
                true_motion = inverse(_at(truth, then.time)) @ _at(true, view.time)
                off.append(inverse(true_motion) @ inverse(then.T_world_camera) @ pose)
            metres = np.linalg.norm([error[:3, 3] for error in off], axis=1)
            turns = [np.degrees(np.arccos(np.clip((np.trace(e[:3, :3]) - 1) / 2, -1, 1))) for e in off]
            known = len({match.now for match in again.matches})
            print(
                f"{line}known again {known:3d}, off {np.median(metres):.3f} {metres.max():.3f} m, "
                f"{np.median(turns):.2f} {np.max(turns):.2f} deg, x {again.scale:.2f}; stated "
                f"{again.uncertainty[1]:.3f} m {again.uncertainty[0]:.2f} deg"
            )


if __name__ == "__main__":
    main()
