"""Cycles sees the same scene: instance masks of the two renderers agree."""

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from rendering.worlds import SHAPES, random_scene, single
from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.rendering import Renderer, blender
from situ.rendering.blender import render_with_blender

HAS_BLENDER = shutil.which(os.environ.get("SITU_BLENDER", "blender")) is not None


@pytest.mark.slow
@pytest.mark.skipif(not HAS_BLENDER, reason="no Blender: see SITU_BLENDER in docs/formats.md")
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


@pytest.mark.parametrize("named", [None, "no-such-program"])
def test_without_blender_the_install_line_is_given(
    named: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("SITU_BLENDER", raising=False)
    if named:
        monkeypatch.setenv("SITU_BLENDER", named)
    with pytest.raises(BadInput, match="pip install bpy"):
        render_with_blender(single("box"), Camera.from_fov(8, 6, 90.0), camera_pose((0, 0, 1), 0.0))


def test_a_python_or_a_program_may_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("python3.11", "blender-5"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("SITU_BLENDER", str(tmp_path / "python3.11"))
    assert blender._command()[0] == str(tmp_path / "python3.11")
    assert "--background" not in blender._command()
    monkeypatch.setenv("SITU_BLENDER", str(tmp_path / "blender-5"))
    assert "--background" in blender._command()


@pytest.mark.parametrize("shape", SHAPES)
def test_job_is_plain_data_with_one_pose_per_part(shape: str) -> None:
    pose = camera_pose((0, 0, 1), 0.0)
    job = blender._job([single(shape)], Camera.from_fov(8, 6, 90.0), [(0, pose)], 4, passes=True)
    (parts,) = job["scenes"]
    assert [p["shape"] for p in parts] == [shape]
    assert np.allclose(np.array(parts[0]["pose"])[:3, 3], [4.0, 0.0, 0.5])
    assert json.loads(json.dumps(job)) == json.loads(json.dumps(job))  # nothing but JSON
    assert job["views"] == [{"scene": 0, "pose": pose.tolist()}]
