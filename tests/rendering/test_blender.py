"""Cycles sees the same scene: instance masks of the two renderers agree."""

import importlib.util
import json
import shutil

import numpy as np
import pytest

from rendering.worlds import SHAPES, random_scene, single
from situ.errors import MissingExtra
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.rendering import Renderer, blender
from situ.rendering.blender import render_with_blender

HAS_BLENDER = importlib.util.find_spec("bpy") is not None or shutil.which("blender") is not None


@pytest.mark.slow
@pytest.mark.skipif(not HAS_BLENDER, reason="neither the bpy module nor a blender program is installed")
def test_cycles_agrees_on_ids_and_depth() -> None:
    scene, camera = random_scene(8), Camera.from_fov(320, 240, 80.0)
    pose = camera_pose((-1.0, 0.2, 1.5), 4.0, -6.0, 3.0)
    theirs, ours = render_with_blender(scene, camera, pose, samples=2), Renderer(scene, camera).render(pose)
    assert np.mean(theirs.ids == ours.ids) >= 0.99
    near = (theirs.ids == ours.ids) & (ours.depth > 0) & (ours.depth < 50)
    error = np.abs(theirs.depth - ours.depth)[near] / ours.depth[near]
    assert np.median(error) < 1e-3
    assert theirs.rgb.shape == ours.rgb.shape
    brightness = [np.corrcoef(theirs.rgb[..., c].ravel(), ours.rgb[..., c].ravel())[0, 1] for c in range(3)]
    assert min(brightness) > 0.5  # the same picture, however different the light


def test_without_blender_the_install_line_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(MissingExtra, match=r"situ\[blender\]"):
        render_with_blender(single("box"), Camera.from_fov(8, 6, 90.0), camera_pose((0, 0, 1), 0.0))


@pytest.mark.parametrize("shape", SHAPES)
def test_job_is_plain_data_with_one_pose_per_part(shape: str) -> None:
    pose = camera_pose((0, 0, 1), 0.0)
    job = blender._job([single(shape)], Camera.from_fov(8, 6, 90.0), [(0, pose)], 4, passes=True)
    (parts,) = job["scenes"]
    assert [p["shape"] for p in parts] == [shape]
    assert np.allclose(np.array(parts[0]["pose"])[:3, 3], [4.0, 0.0, 0.5])
    assert json.loads(json.dumps(job)) == json.loads(json.dumps(job))  # nothing but JSON
    assert job["views"] == [{"scene": 0, "pose": pose.tolist()}]
