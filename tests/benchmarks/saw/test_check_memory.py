"""The second opinion about what changed between two clips, on masks that are painted by hand."""

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from situ.benchmarks.saw.check_memory import changes_seen
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.recording import Recording

CAMERA = Camera.from_fov(160, 120, 80.0)
EYES_M, TALL_M, WIDE_M = 1.6, 1.2, 0.4
ITEM = 7
Spot = tuple[float, float]  # bearing in degrees and metres
NEAR, FAR = 1.3, 4.0  # the foot of the near one is below every picture


def _ids(heading: float, spot: Spot | None) -> np.ndarray:
    """An upright board at a spot, as who stands in the middle sees it."""
    ids = np.zeros((CAMERA.height, CAMERA.width), np.int32)
    if spot is None:
        return ids
    left = np.radians(spot[0] - heading)
    ahead, aside = spot[1] * np.cos(left), -spot[1] * np.sin(left)
    if ahead < 0.3:
        return ids
    edges = [(aside + s * WIDE_M / 2) / ahead * CAMERA.fx + CAMERA.cx for s in (-1, 1)]
    ends = [(EYES_M - z) / ahead * CAMERA.fy + CAMERA.cy for z in (TALL_M, 0.0)]
    left_px, right_px = np.clip(np.round(edges), 0, CAMERA.width).astype(int)
    top, bottom = np.clip(np.round(ends), 0, CAMERA.height).astype(int)
    ids[top:bottom, left_px:right_px] = ITEM
    return ids


def _recording(before: Spot | None, after: Spot | None, *clips: tuple[float, ...]) -> Recording:
    """Two clips, each of some headings."""
    shown = [(h, spot) for spot, headings in zip((before, after), clips, strict=True) for h in headings]
    poses = [camera_pose([0.0, 0.0, EYES_M], h, 0.0) for h, _ in shown]
    fake = SimpleNamespace(
        meta={"split": float(len(clips[0]))},
        path=SimpleNamespace(times=np.arange(float(len(shown)))),
        fps=1.0,
        camera=CAMERA,
        objects={ITEM: SimpleNamespace(attributes={"color": "red"})},
        frames=[SimpleNamespace(T_world_camera=pose) for pose in poses],
        ids=lambda i: _ids(*shown[i]),
    )
    return cast(Recording, fake)


@pytest.mark.parametrize("metres", [NEAR, FAR])
@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        (None, 10.0, "added"),
        (10.0, None, "removed"),
        (10.0, 10.0, None),
        (-10.0, 15.0, "moved"),
        (None, 100.0, None),  # nobody looks there
    ],
)
def test_changes_are_seen_with_and_without_a_foot(
    metres: float, before: float | None, after: float | None, change: str | None
) -> None:
    spots = [None if bearing is None else (bearing, metres) for bearing in (before, after)]
    recording = _recording(*spots, (-15.0, 0.0, 15.0), (-15.0, 0.0, 15.0))
    assert changes_seen(recording).get(ITEM) == change


@pytest.mark.parametrize("metres", [NEAR, FAR])
def test_what_the_first_clip_did_not_look_at_is_not_new(metres: float) -> None:
    there = (40.0, metres)
    assert changes_seen(_recording(there, there, (-60.0, -50.0), (30.0, 45.0))) == {}
    assert changes_seen(_recording(None, there, (30.0, 45.0), (30.0, 45.0))) == {ITEM: "added"}
