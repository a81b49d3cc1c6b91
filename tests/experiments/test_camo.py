"""The experiment on camera narratives: its clips are what they claim to be, and its models never mix."""

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the experiment needs PyTorch (pip install 'situ[train]')")

from benchmarks.camo import clips as clips_room  # noqa: E402
from benchmarks.camo import raycast  # noqa: E402
from benchmarks.camo import words as W  # noqa: E402
from benchmarks.camo.arms import ARMS, Model, Stack, part_of  # noqa: E402
from benchmarks.camo.clips import Clips, draw_clips, start_asked  # noqa: E402
from benchmarks.camo.eyes import symbol_tokens  # noqa: E402
from benchmarks.camo.layouts import (  # noqa: E402
    COLORS,
    EYE_M,
    NAMES,
    PANEL_SIZE,
    SHAPES,
    THINGS,
    draw_layouts,
)
from benchmarks.camo.paths import CLASSES, FRAMES, draw_paths, polar, sector  # noqa: E402

from situ.geometry.camera import Camera  # noqa: E402
from situ.geometry.heading import SECTORS, Heading  # noqa: E402
from situ.geometry.heading import sector as sector_name  # noqa: E402
from situ.geometry.pose import camera_pose  # noqa: E402
from situ.narrate.narrative import Narrative, Segment  # noqa: E402
from situ.narrate.reasoner import Reasoner  # noqa: E402
from situ.questions import Selector, WhereFromHere  # noqa: E402
from situ.rendering import Renderer  # noqa: E402
from situ.train.motion_labels import predicted_classes  # noqa: E402
from situ.worlds.scene import Material, Part, Scene, SceneObject  # noqa: E402


@pytest.fixture(scope="module")
def clips() -> Any:
    """A few clips; coarse pixels are enough to know what is in view."""
    patch = pytest.MonkeyPatch()
    patch.setattr(raycast, "SIDE", 16)
    patch.setattr(clips_room, "POOL_PART", 512)
    yield draw_clips(64, 3, "cpu", pool=8.0)[0]
    patch.undo()


def scene_of(layouts: Any, row: int) -> Scene:
    """The same world for the renderer."""
    objects = []
    for slot in range(layouts.x.shape[1]):
        size = (float(layouts.size[row, slot]),) * 3 if slot < THINGS else PANEL_SIZE
        shape = SHAPES[slot // 2] if slot < THINGS else "box"
        part = Part(shape, size, (0.0, 0.0, size[2] / 2), Material((0.5, 0.5, 0.5)))  # type: ignore[arg-type]
        place = float(layouts.x[row, slot]), float(layouts.y[row, slot]), 0.0
        objects.append(SceneObject(slot + 1, shape, place, (part,), float(layouts.yaw[row, slot])))
    return Scene(tuple(objects))


def test_ids_agree_with_the_renderer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raycast, "SIDE", 48)
    rng = np.random.default_rng(8)
    paths = draw_paths(4, rng)
    layouts, placed = draw_layouts(paths, rng)
    rows = np.flatnonzero(placed)[:2]
    mine, colors = raycast.Worlds(paths, layouts, "cpu").draw(torch.from_numpy(rows))
    assert colors is not None
    assert colors.shape[-1] == 3
    camera = Camera.from_fov(48, 48, 90.0)
    same, things = [], 0
    for i, row in enumerate(rows):
        renderer = Renderer(scene_of(layouts, int(row)), camera)
        for frame in range(0, FRAMES, 4):
            at = paths.x[row, frame], paths.y[row, frame], EYE_M
            ids, _ = renderer.render_ids(camera_pose(at, paths.yaw[row, frame]))
            same.append((ids == mine[i, frame].numpy()).mean())
            things += len(set(np.unique(ids)) - {0})
    assert things > 8
    assert np.mean(same) > 0.995  # only pixels on an edge may differ


def test_bearings_are_those_of_the_heading_frame() -> None:
    rng = np.random.default_rng(9)
    paths = draw_paths(20, rng)
    x, y = rng.uniform(-5, 5, (20, 3)), rng.uniform(-5, 5, (20, 3))
    bearing, distance = polar(paths, -1, x, y)
    places, _ = sector(bearing)
    for row in range(20):
        here = Heading(paths.x[row, -1], paths.y[row, -1], EYE_M, paths.yaw[row, -1])
        for k in range(3):
            assert bearing[row, k] == pytest.approx(here.bearing_deg((x[row, k], y[row, k])), abs=1e-6)
            assert distance[row, k] == pytest.approx(here.ground_distance((x[row, k], y[row, k])))
            assert SECTORS[places[row, k]] == sector_name(bearing[row, k])


def test_paths_turn_as_far_as_planned() -> None:
    paths = draw_paths(200, np.random.default_rng(1))
    net = np.abs(paths.yaw[:, -1] - paths.yaw[:, 0])
    assert net.min() >= 60.0
    assert net.max() <= 180.0
    assert (paths.lengths.sum(axis=1) == FRAMES - 1).all()
    assert (paths.classes[:, 1:] // 2 != paths.classes[:, :-1] // 2).all()


def test_answers_are_exactly_balanced_and_out_of_view(clips: Clips) -> None:
    assert np.bincount(clips.thing_sector, minlength=8).tolist() == [8] * 8
    assert np.bincount(clips.thing_sector[:16], minlength=8).tolist() == [2] * 8  # any first part is, too
    rows = np.arange(len(clips.thing))
    assert clips.seen[rows, :, clips.thing].any(axis=1).all()
    assert not clips.seen[rows, -1, clips.thing].any()
    start = np.array([0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 7])
    assert np.bincount(start[start_asked(start)]).tolist() == [1] * 8


def test_the_reader_finds_the_answers_in_the_narratives(clips: Clips) -> None:
    """The tokens hold what the questions need: joined to text they are read by the built-in reader."""
    narrated = W.narrate(clips)
    tokens = W.joined(narrated.scene, narrated.camera, 64)
    right = asked = 0
    for row in range(len(tokens)):
        scene, camera = W.text_of(tokens[row, 1:].tolist())
        assert predicted_classes(camera) == {CLASSES[c] for c in clips.paths.classes[row]}
        color, shape = NAMES[clips.names[row, clips.thing[row]]].split()
        if f"{color} {shape}" not in scene:
            continue  # not among the nearest, which are told
        question = WhereFromHere(Selector.make(shape, {"color": color}))
        reader = Reasoner(Narrative((Segment(1, 1, FRAMES, scene, camera),)))
        asked += 1
        right += reader.answer(question) == SECTORS[clips.thing_sector[row]]
    assert asked > 40
    assert right / asked > 0.85  # amounts are rounded, so some cases near a border are lost


def test_shuffled_narratives_keep_the_scene_and_change_the_camera(clips: Clips) -> None:
    part = part_of(clips, symbol_tokens(clips, "cpu"), 5, "cpu")
    camera, scene, shuffled = (
        [W.text_of(row[1:].tolist()) for row in part.narratives[ARMS.index(arm)]] for arm in ARMS[:3]
    )
    assert [s for s, _ in camera] == [s for s, _ in scene] == [s for s, _ in shuffled]
    assert {c for _, c in scene} == {""}
    assert all(a != b for (_, a), (_, b) in zip(camera, shuffled, strict=True))
    assert sorted(c for _, c in camera) == sorted(c for _, c in shuffled)


def test_a_model_learns_the_same_alone_as_in_a_stack(clips: Clips) -> None:
    part = part_of(clips, symbol_tokens(clips, "cpu"), 5, "cpu")
    models = [Model(arm, seed, 32, 1e-3, 0.0) for arm in ("camera", "questions", "poses") for seed in (1, 2)]
    together = Stack(models, part, "cpu", compiled=False)
    together.train(part, 3, 4, 4)
    for place in (0, 3, 5):
        alone = Stack([together.models[place]], part, "cpu", compiled=False)
        alone.train(part, 3, 4, 4)
        for name, value in alone.weights.items():
            assert torch.allclose(value[0], together.weights[name][place], atol=2e-4), name


def test_only_the_poses_arm_sees_poses(clips: Clips) -> None:
    part = part_of(clips, symbol_tokens(clips, "cpu"), 5, "cpu")
    models = [Model(arm, 1, 32, 1e-3, 0.0) for arm in ("questions", "poses")]
    stack = Stack(models, part, "cpu", compiled=False)
    at = torch.arange(4).expand(2, -1)
    told = stack._poses(part, at)
    assert not told[0].any()
    assert told[1].any()


def test_colors_are_the_things_own() -> None:
    """A thing's name says its colour: what is drawn at its pixels has that hue."""
    rng = np.random.default_rng(4)
    paths = draw_paths(6, rng)
    layouts, placed = draw_layouts(paths, rng)
    rows = np.flatnonzero(placed)[:2]
    ids, colors = raycast.Worlds(paths, layouts, "cpu").draw(torch.from_numpy(rows))
    assert colors is not None
    checked = 0
    for i, row in enumerate(rows):
        for slot in range(THINGS):
            pixels = colors[i][ids[i] == slot + 1].double().numpy()
            if len(pixels) < 20:
                continue
            linear = (pixels / 255.0) ** 2.2
            paint = np.array(list(COLORS.values())[layouts.names[row, slot] % len(COLORS)])
            mean = linear.mean(axis=0)
            assert np.dot(mean, paint) / np.linalg.norm(mean) / np.linalg.norm(paint) > 0.99
            checked += 1
    assert checked >= 4
