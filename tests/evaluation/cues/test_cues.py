from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from typer.testing import CliRunner

from situ.benchmarks.disjoint.recipe import DisjointRecipe, write_tour
from situ.cli.app import app
from situ.errors import BadInput, Unanswerable
from situ.evaluation.cues import CONDITIONS, bird_eye, cues_for_row, full_3d_text, trajectory_text, write_cues
from situ.evaluation.cues.birdseye import BLUE, GREEN, MAGENTA, depth_source
from situ.evaluation.cues.ladder import find_thing, pair_frames, truth_of
from situ.evaluation.cues.marks import RED, mark_pixels, marked_frames
from situ.memory import SpatialMemory
from situ.perception.oracle import oracle_frames
from situ.recording import Recording
from situ.worlds.homes import HomeSpec, build_home
from situ.worlds.tours import tour


@pytest.fixture(scope="module")
def item(tmp_path_factory) -> Recording:
    rng = np.random.default_rng(41)
    home = build_home(HomeSpec(4, 44), rng)
    folder = tmp_path_factory.mktemp("cues") / "item"
    camera = DisjointRecipe(width=160, height=120).camera
    write_tour(folder, home, tour(home, rng, 0.7), camera, 0.7)
    return Recording.open(folder)


@pytest.fixture(scope="module")
def rows(item):
    recipe = DisjointRecipe(scale=0.001, seed=3, width=160, height=120)
    return [row for _, row in recipe.propose(0, item) if row.task == "relationship"]


def near(picture: np.ndarray, color: tuple[int, int, int], slack: int = 40) -> int:
    return int((np.abs(picture.astype(int) - color).max(axis=-1) <= slack).sum())


def test_each_step_of_the_ladder_adds_something(item, rows) -> None:
    cues = {condition: cues_for_row(item, rows[0], condition) for condition in CONDITIONS}
    count = len(rows[0].program["frames"])
    assert [len(cues[c].pictures) for c in CONDITIONS] == [count] * 5
    assert [c for c in CONDITIONS if cues[c].above is not None] == ["bev"]  # a map is no camera picture
    assert any(
        (a != b).any() for a, b in zip(cues["unmarked"].pictures, cues["marked"].pictures, strict=True)
    )
    assert [c for c in CONDITIONS if cues[c].captions] == ["trajectory"]
    x, y, z = item.path.positions[rows[0].program["frames"][-1]]
    assert f"Picture {count}, taken from x={x:.2f}, y={y:.2f}, z={z:.2f}" in cues["trajectory"].captions[-1]
    assert "x=" not in cues["bev"].text + cues["bev"].legend  # the picture from above is the only cue
    assert cues["full3d"].text.count("centre (") == 2  # of the two things alone
    assert cues["full3d"].text.count("heading=") == count
    with pytest.raises(BadInput, match="telepathy"):
        cues_for_row(item, rows[0], "telepathy")


def test_marks_sit_on_the_things_they_mark(item) -> None:
    truth = truth_of(item)
    hits = total = 0
    for view in truth.objects():
        for frame, pixels in mark_pixels(item, truth, [view], range(len(item))).items():
            (x, y) = pixels[0]
            ids = item.ids(frame)
            around = ids[max(0, int(y) - 12) : int(y) + 13, max(0, int(x) - 12) : int(x) + 13]
            total += 1
            hits += view.id in around
    assert hits / total > 0.9


def test_marked_frames_leave_the_recording_alone(item) -> None:
    truth = truth_of(item)
    view = truth.objects()[0]
    frame = truth.sightings(view.id)[0].frame
    (picture,) = marked_frames(item, truth, [view], [frame])
    assert near(picture, RED) > near(item.image(frame), RED)


def _walked(item: Recording, frames: Sequence[int]) -> float:
    return float(np.ptp(item.path.positions[list(frames), :2], axis=0).max())


def test_the_picture_from_above_shows_way_start_and_end(item, rows) -> None:
    truth = truth_of(item)
    # One in which the wearer walks: who turns on the spot leaves no way to draw.
    frames = next(row.program["frames"] for row in rows if _walked(item, row.program["frames"]) > 1.0)
    picture = bird_eye(item, truth, [truth.objects()[0]], frames, 512)
    assert picture.shape == (512, 512, 3)
    for color in (GREEN, BLUE, MAGENTA):
        assert near(picture, color, 10) > 20
    assert near(picture, (250, 250, 250), 3) < 0.97 * 512 * 512  # something was measured


def test_depth_is_drawn_again_from_the_world(item) -> None:
    depth = depth_source(item)(0)
    assert depth.shape == (120, 160)
    assert 0.3 < float(np.median(depth[depth > 0])) < 12


def test_words_give_the_true_places(item) -> None:
    truth = truth_of(item)
    x, y, z = truth.path.positions[2]
    assert f"x={x:.2f}, y={y:.2f}, z={z:.2f}" in trajectory_text(truth, [2])
    seen = {s.frame for v in truth.objects() for s in truth.sightings(v.id)}
    frame = min(seen)
    shown = [v for v in truth.objects() if frame in {s.frame for s in truth.sightings(v.id)}]
    assert full_3d_text(truth, [frame]).count("volume") == len(shown) + 1  # and once in the heading


def test_all_cues_of_a_pair_are_written(item, tmp_path) -> None:
    truth = truth_of(item)
    first, second = next(iter(_pairs_with_frames(truth)))
    frames = pair_frames(truth, find_thing(truth, first), find_thing(truth, second))
    files = write_cues(item, first, second, tmp_path)
    assert {f.name for f in files} >= {"birds_eye.jpg", "trajectory.txt", "full_3d.txt"}
    assert len(files) == len(frames) + 3


def test_unknown_things_are_named(item) -> None:
    with pytest.raises(Unanswerable, match="unicorn"):
        find_thing(truth_of(item), "unicorn")


def test_a_memory_gives_estimated_cues_that_can_be_laid_beside_the_true_ones(item, tmp_path) -> None:
    file = tmp_path / "walk.situ"
    with SpatialMemory.create(file) as memory:
        for frame in oracle_frames(item):
            memory.observe(frame.exact())
    with SpatialMemory.open(file, read_only=True) as memory:
        state = memory.state()
        pair = next(iter(_pairs_with_frames(state)))
        command = ["lab", "cues", str(item.folder), "--pair", *pair, "--memory", str(file), "--out"]
        assert CliRunner().invoke(app, [*command, str(tmp_path / "cues")]).exit_code == 0
        truth = truth_of(item)
        for name in pair:
            apart = np.subtract(find_thing(state, name).box.center, find_thing(truth, name).box.center)
            assert np.linalg.norm(apart) < 0.3
    assert "birds_eye.jpg" in {f.name for f in (tmp_path / "cues").iterdir()}


def _pairs_with_frames(state):
    things = [f"{v.attributes.get('color', '')} {v.category}".strip() for v in state.objects()]
    for first, second in combinations(things, 2):
        try:
            pair_frames(state, find_thing(state, first), find_thing(state, second))
        except Unanswerable:
            continue
        yield first, second
