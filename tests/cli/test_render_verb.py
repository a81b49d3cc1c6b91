"""`situ lab render`: the frame that comes out is the one that was recorded, of the world at that moment."""

import ast
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from scenes import solids_scene
from situ.benchmarks.stage import at_box
from situ.cli.app import app
from situ.errors import BadInput, Refused
from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.recording import Event, FrameRecord, ObjectRecord, RecordingWriter
from situ.rendering import Renderer
from situ.worlds.days.people import hand_below

CAMERA = Camera.from_fov(96, 64, 90.0)
POSE = camera_pose((0.0, 0.0, 1.25), 0.0)
WORLD = solids_scene(("red", "cone", 5.0, 0.0), ("blue", "sphere", 6.0, 2.0))


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    """Two frames of a world from which the cone is taken away in between."""
    folder = tmp_path / "walk"
    with RecordingWriter(folder, CAMERA, scene=WORLD, images="none") as writer:
        for thing in WORLD.objects:
            writer.add_object(ObjectRecord(thing.id, thing.category, thing.box, thing.attributes))
        for index in (0, 1):
            writer.add_frame(FrameRecord(index, float(index), POSE, "", ()))
        writer.add_event(Event(0.5, "removed", WORLD.objects[0].id, {}))
    return folder


def situ(*words: str | Path) -> str:
    done = CliRunner().invoke(app, ["lab", "render", *map(str, words)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize(("frame", "objects"), [(0, WORLD.objects), (1, WORLD.objects[1:])])
def test_a_frame_shows_the_world_of_its_moment(walk: Path, tmp_path: Path, frame: int, objects) -> None:  # type: ignore[no-untyped-def]
    out = tmp_path / "frame.png"
    situ(walk, "--frame", str(frame), "--out", out)
    expected = Renderer(WORLD.with_objects(objects), CAMERA).render(POSE).rgb
    assert np.array_equal(cv2.imread(str(out))[:, :, ::-1], expected)


def test_larger_is_the_same_view(walk: Path, tmp_path: Path) -> None:
    situ(walk, "--width", "192", "--out", tmp_path / "large.png")
    large = cv2.imread(str(tmp_path / "large.png"))
    assert large.shape == (128, 192, 3)
    expected = Renderer(WORLD, CAMERA.resized(192, 128)).render(POSE).rgb
    assert np.array_equal(large[:, :, ::-1], expected)


def test_an_export_is_whole_and_overwrites_nothing(walk: Path, tmp_path: Path) -> None:
    folder = tmp_path / "for-blender"
    said = json.loads(situ(walk, "--frame", "1", "--export", folder, "--json"))
    assert said["command"].startswith("blender --background")
    job = json.loads((folder / "job.json").read_text())
    assert {part["id"] for part in job["scenes"][0]} == {WORLD.objects[1].id}
    assert np.allclose(job["views"][0]["pose"], POSE)
    script = ast.parse((folder / "blender_script.py").read_text())
    imported = {name.name for node in script.body if isinstance(node, ast.Import) for name in node.names}
    imported |= {node.module for node in script.body if isinstance(node, ast.ImportFrom) and node.module}
    assert "bpy" in imported
    assert not any(name.startswith("situ") for name in imported)  # it runs where situ is not installed
    with pytest.raises(Refused, match="exists"):
        situ(walk, "--export", folder)


def test_mistakes_are_named(walk: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="frames go from 0 to 1"):
        situ(walk, "--frame", "2")
    with pytest.raises(BadInput, match=r"\.png"):
        situ(walk, "--out", tmp_path / "frame.gif")
    with pytest.raises(BadInput, match="--samples"):
        situ(walk, "--samples", "0")
    with RecordingWriter(tmp_path / "real", CAMERA, images="none") as writer:
        writer.add_frame(FrameRecord(0, 0.0, POSE, "", ()))
    with pytest.raises(BadInput, match="generated"):
        situ(tmp_path / "real")


def test_what_is_carried_lies_in_a_hand(tmp_path: Path) -> None:
    sphere = WORLD.objects[1]
    at = Box((3.0, 0.0, 2.2), sphere.box.size, 0.0)
    box = {"center": list(at.center), "size": list(at.size), "yaw_deg": 0.0}
    with RecordingWriter(tmp_path / "walk", CAMERA, scene=WORLD, images="none") as writer:
        for thing in WORLD.objects:
            writer.add_object(ObjectRecord(thing.id, thing.category, thing.box, thing.attributes))
        writer.add_frame(FrameRecord(0, 0.0, POSE, "", ()))
        writer.add_event(Event(0.0, "moved", sphere.id, {**box, "act": "taken", "by": "wearer"}))
    situ(tmp_path / "walk", "--out", tmp_path / "frame.png")
    held = at_box(sphere, at)
    hand = hand_below(9999, held)
    picture = cv2.imread(str(tmp_path / "frame.png"))[:, :, ::-1]
    drawn, bare = (
        Renderer(WORLD.with_objects((WORLD.objects[0], *things)), CAMERA).render(POSE).rgb
        for things in ((held, hand), (held,))
    )
    assert np.array_equal(picture, drawn)
    assert not np.array_equal(picture, bare)
