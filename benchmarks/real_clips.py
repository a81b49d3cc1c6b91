"""The samples of real film, and what pixels of them show, as people call it who looked."""

import csv
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from situ.geometry.camera import Camera
from situ.perception.sources import open_source
from situ.perception.stages import InputFrame

CLIPS = ("hololens_walk", "tum_fr1_rpy_mini")
CLICKS = Path(__file__).with_name("real_clicks.csv")
BUILDING = ("floor", "wall", "ceiling")


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
