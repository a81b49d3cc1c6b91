"""Depth Anything 3's own package at its smallest size, with random weights: which way its extrinsics go."""

import contextlib

import numpy as np
import pytest

from perception.models.tiny import torch
from situ.geometry.camera import Camera
from situ.geometry.pose import pose_from_quat_wxyz, transform
from situ.perception.models.views import DepthAnything3

MISSING = "Depth Anything 3 is not installed: pip install depth-anything-3"
api = pytest.importorskip("depth_anything_3.api", reason=MISSING, exc_type=ImportError)

CENTRES = np.array([[0.0, 0.0, 0.0], [0.5, -0.2, 1.0]])
QUATS_XYZW = np.array([[0.0, 0.0, 0.0, 1.0], [0.0, 0.3, 0.1, 0.9486833]])


class KnownCameras(torch.nn.Module):
    """In place of the network's last layer for cameras: places, orientations and fields of view."""

    def forward(self, features):
        fov = np.full((2, 2), 1.0)
        return torch.tensor(np.concatenate([CENTRES, QUATS_XYZW, fov], axis=1), dtype=torch.float32)[None]


@pytest.mark.slow
def test_extrinsics_take_the_world_to_the_camera(monkeypatch) -> None:
    from depth_anything_3.utils.export.glb import _depths_to_world_points_with_colors as their_points

    monkeypatch.setattr(torch, "autocast", lambda *given, **named: contextlib.nullcontext())
    torch.manual_seed(0)
    network = api.DepthAnything3(model_name="da3-small").eval()
    network.model.cam_dec = KnownCameras()
    said = []
    inference = network.inference

    def small(pictures):
        said.append(inference(pictures, process_res=56))
        return said[-1]

    network.inference = small
    rng = np.random.default_rng(0)
    pictures = [rng.integers(0, 255, (42, 56, 3), dtype=np.uint8) for _ in CENTRES]
    found = DepthAnything3("random", model=network).views(pictures)
    for pose, centre, quat in zip(found.T_world_camera, CENTRES, QUATS_XYZW, strict=True):
        assert pose == pytest.approx(pose_from_quat_wxyz(np.roll(quat, 1), centre), abs=1e-5)
    # What the package itself makes of its output: the same points in the world as our poses give.
    (told,) = said
    images = np.zeros((*told.depth.shape, 3), np.uint8)
    points, _ = their_points(told.depth, told.intrinsics, told.extrinsics, images, None, 0.0)
    rows, columns = told.depth.shape[1:]
    pixels = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1).reshape(-1, 2) + 0.5
    mine = []
    for pose, depth, k in zip(found.T_world_camera, found.depth, told.intrinsics, strict=True):
        camera = Camera(columns, rows, k[0, 0], k[1, 1], k[0, 2] + 0.5, k[1, 2] + 0.5)
        mine.append(transform(pose, camera.backproject(pixels, depth.reshape(-1))))
    assert np.concatenate(mine) == pytest.approx(points, abs=1e-3)
