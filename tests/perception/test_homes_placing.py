"""Pictures placed by what is seen: an empty room with an alcove, as a faultless network says it."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from perception.homes_glance import MEANING
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose, yaw_deg
from situ.perception.homes.channels import NAMES
from situ.perception.homes.network import Glance
from situ.perception.homes.placing import HomesPoses
from situ.perception.homes.sight import USUAL_UP, head_axes, run_of, sight_of
from situ.perception.stages import InputFrame

CAMERA = Camera.from_fov(320, 240, 95)
EYES_M, PITCH_DEG = 1.6, -10.0
# A room of 6 by 4 m with an alcove, as boxes of walls over the ground: low x, low y, high x, high y.
WALLS = ((-3.2, -2.2, -3.0, 2.2), (3.0, -2.2, 3.2, 2.2), (-3.0, -2.2, 3.0, -2.0), (-3.0, 2.0, 3.0, 2.2),
         (1.6, 1.0, 3.0, 2.0))  # fmt: skip


def _picture(x: float, y: float, yaw: float, pitch: float = PITCH_DEG) -> tuple[Glance, Any]:
    """What a faultless network says of an empty room, and a picture of it: every wall has its own colour."""
    pose = camera_pose([x, y, EYES_M], yaw, pitch)
    rows, columns = np.mgrid[0:60, 0:80]
    rays = np.stack(
        [(columns * 4 + 2.5 - CAMERA.cx) / CAMERA.fx, (rows * 4 + 2.5 - CAMERA.cy) / CAMERA.fy,
         np.ones_like(rows, dtype=float)], axis=-1)  # fmt: skip
    ways = rays @ pose[:3, :3].T
    depth = np.where(ways[..., 2] < 0, -EYES_M / np.minimum(ways[..., 2], -1e-9), np.inf)
    name = np.where(np.isfinite(depth), NAMES.index("floor"), NAMES.index("ceiling"))
    color = np.full((60, 80), 90)
    depth = np.minimum(depth, np.where(ways[..., 2] > 0, 1.0 / np.maximum(ways[..., 2], 1e-9), np.inf))
    for number, (x0, y0, x1, y1) in enumerate(WALLS):
        with np.errstate(divide="ignore", invalid="ignore"):
            near = [
                np.sort(np.stack([(low - at) / way, (high - at) / way]), axis=0)
                for low, high, at, way in ((x0, x1, x, ways[..., 0]), (y0, y1, y, ways[..., 1]))
            ]
        enter, leave = np.maximum(near[0][0], near[1][0]), np.minimum(near[0][1], near[1][1])
        hit = (enter < leave) & (enter > 0) & (enter < depth)
        depth, color = np.where(hit, enter, depth), np.where(hit, 30 + 45 * number, color)
        name = np.where(hit, NAMES.index("wall"), name)
    sure = np.ones((60, 80), np.float32)
    points = (rays * depth[..., None]).astype(np.float32)
    glance = Glance(name.astype(np.int32), sure, {}, depth.astype(np.float32), points, points,
                    (depth / CAMERA.fx).astype(np.float32), np.ones(1, np.float32))  # fmt: skip
    grain = np.add.outer(np.arange(60) % 3, np.arange(80) % 5)
    rgb = np.repeat(np.repeat((color + grain)[..., None], 4, axis=0), 4, axis=1).repeat(3, axis=2)
    return glance, rgb.astype(np.uint8)


class _Eye:
    """Says what was drawn."""

    network = SimpleNamespace(names=NAMES, shell=MEANING.shell, colored=MEANING.colored)

    def glance(self, rgb: Any) -> Glance:
        return self.said

    said: Glance


def _placed(walk: list[tuple[float, float, float]], monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    monkeypatch.setattr("situ.perception.homes.placing.instances", lambda glance, network: [])
    eye = _Eye()
    poses = HomesPoses(eye, CAMERA)  # type: ignore[arg-type]
    found = []
    for number, (x, y, yaw) in enumerate(walk):
        eye.said, rgb = _picture(x, y, yaw)
        found.append(poses.locate(InputFrame(number, float(number), rgb)))
    return found


@pytest.mark.parametrize("yaw", [0.0, 17.0, -33.0, 80.0])
def test_walls_tell_the_heading_but_for_quarter_turns(yaw: float) -> None:
    glance, rgb = _picture(-1.0, 0.3, yaw)
    sight, _ = sight_of(glance, [], rgb, _Eye.network, USUAL_UP, EYES_M)  # type: ignore[arg-type]
    assert sight.quarter is not None
    assert (np.degrees(sight.quarter) - yaw + 45) % 90 - 45 == pytest.approx(0.0, abs=1.5)
    assert sight.eyes_m == pytest.approx(EYES_M, abs=0.02)
    assert run_of(sight.walls[:10], None) is None


def test_up_comes_from_the_floor() -> None:
    glance, rgb = _picture(0.0, 0.0, 30.0)
    _, up = sight_of(glance, [], rgb, _Eye.network, USUAL_UP, EYES_M)  # type: ignore[arg-type]
    assert np.degrees(np.arcsin(up[2])) == pytest.approx(PITCH_DEG, abs=0.5)
    assert np.allclose(head_axes(up) @ head_axes(up).T, np.eye(3))


def test_a_walk_with_wide_turns_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    walk = [(-1.0, 0.0, 10.0), (-1.0, 0.0, 60.0), (-0.6, 0.2, 20.0), (0.2, 0.2, 0.0), (0.2, 0.2, -55.0)]
    found = _placed(walk, monkeypatch)
    assert not any(posed.lost for posed in found)
    first = found[0].T_world_camera
    turn = walk[0][2] - yaw_deg(first)
    for (x, y, yaw), posed in zip(walk, found, strict=True):
        pose = posed.T_world_camera
        assert (yaw_deg(pose) + turn - yaw + 180) % 360 - 180 == pytest.approx(0.0, abs=2.5)
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        east, north = pose[:2, 3]
        assert c * east - s * north == pytest.approx(x - walk[0][0], abs=0.15)
        assert s * east + c * north == pytest.approx(y - walk[0][1], abs=0.15)


def test_what_shows_nothing_upright_is_lost_and_not_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("situ.perception.homes.placing.instances", lambda glance, network: [])
    eye = _Eye()
    eye.said, rgb = _picture(0.0, 0.0, 0.0)
    eye.said.label[:] = NAMES.index("other")
    posed = HomesPoses(eye, CAMERA).locate(InputFrame(0, 0.0, rgb))  # type: ignore[arg-type]
    assert "no walls" in posed.lost
