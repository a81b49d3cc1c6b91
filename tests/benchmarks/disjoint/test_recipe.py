import json
import shutil
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

from real_data import real_data
from situ.benchmarks.disjoint.check import check_item
from situ.benchmarks.disjoint.overlap import Overlaps
from situ.benchmarks.disjoint.real import RealDisjointRecipe
from situ.benchmarks.disjoint.recipe import DisjointRecipe, write_tour
from situ.benchmarks.disjoint.spans import spans_of, unique_names
from situ.benchmarks.make import make_dataset
from situ.benchmarks.second_look import names_in
from situ.cli.app import app
from situ.errors import BadInput, Unanswerable
from situ.evaluation.cues.ladder import truth_of
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.questions import from_program
from situ.recording import Recording
from situ.recording.formats import import_aria
from situ.worlds.homes import HomeSpec, build_home
from situ.worlds.tours import tour

RECIPE = DisjointRecipe(scale=0.001, seed=3, width=160, height=120)


@pytest.fixture(scope="module")
def item(tmp_path_factory) -> Recording:
    """A small home on film."""
    rng = np.random.default_rng(31)
    home = build_home(HomeSpec(4, 46), rng)
    folder = tmp_path_factory.mktemp("disjoint") / "item"
    write_tour(folder, home, tour(home, rng, 0.7), RECIPE.camera, 0.7)
    return Recording.open(folder)


@pytest.fixture(scope="module")
def proposed(item):
    return RECIPE.propose(0, item)


def test_an_item_offers_fair_questions_of_the_reported_categories(proposed) -> None:
    found = {row.strata["category"] for _, row in proposed}
    assert {"relationship", "distance", "relative size", "description"} <= found
    assert found <= {"relationship", "distance", "relative size", "fit", "description"}
    for _, row in proposed:
        question = from_program(json.loads(json.dumps(row.program)))
        assert row.margin >= question.min_margin
        assert not row.options or row.answer in row.options


def test_pairs_are_never_in_view_together_by_the_masks(item, proposed) -> None:
    named = {(o.attributes.get("color"), o.category): o.id for o in item.objects.values()}
    categories = {o.category: o.id for o in item.objects.values()}
    checked = 0
    for _, row in proposed:
        keys = [k for k in ("thing", "anchor", "first", "second") if k in row.program]
        if len(keys) < 2:
            continue
        ids = []
        for key in keys:
            which = row.program[key]
            color = dict(which["attributes"]).get("color")
            ids.append(named[color, which["category"]] if color else categories[which["category"]])
        for frame in row.program["frames"]:
            assert not set(ids) <= set(np.unique(item.ids(frame)).tolist())
        checked += 1
    assert checked > 10


def test_the_given_frames_can_be_joined(item, proposed) -> None:
    """From the first of them to the last each shows part of what the one before it shows."""
    overlaps, joined = Overlaps(item), 0
    for _, row in proposed:
        if row.task in ("relationship", "distance", "size_fit"):
            frames = row.program["frames"]
            assert all(overlaps.joined(a, b) for a, b in pairwise(frames))
            assert all(overlaps.share(a, b) >= 0.2 for a, b in pairwise(frames))
            ahead = [item.frames[i].T_world_camera[:3, 2] for i in frames]
            turns = [np.degrees(np.arccos(np.clip(a @ b, -1, 1))) for a, b in pairwise(ahead)]
            assert max(turns) < 80.0, "no turn is wider than the view"
            joined += 1
    assert joined > 10


def test_a_frame_shows_all_of_itself_and_nothing_of_what_is_behind_it(item) -> None:
    overlaps = Overlaps(item)
    assert overlaps.share(3, 3) > 0.8  # through a window there is nothing to measure
    headings = [heading.yaw_deg for heading in item.path.headings]
    away = next(j for j in range(len(item)) if abs((headings[j] - headings[3] + 180) % 360 - 180) > 150)
    assert overlaps.share(3, away) < 0.2


def test_the_two_sides_of_a_wall_are_not_shared() -> None:
    """Two cameras look along a wall of 10 cm, one on either side of it, and each sees it at its side."""
    camera = Camera.from_fov(48, 36, 80.0)

    def depth(index: int) -> np.ndarray:
        sideways = camera.points(np.ones((36, 48)))[..., 0] * (1, -1)[index]  # towards the wall
        with np.errstate(divide="ignore"):
            return np.minimum(6.0, np.where(sideways > 0, 0.95 / np.maximum(sideways, 1e-9), 6.0))

    poses = [camera_pose((0.0, y, 1.5), 0.0) for y in (1.0, -1.0)]
    frames = [SimpleNamespace(T_world_camera=pose) for pose in poses]
    sides = SimpleNamespace(camera=camera, scene=None, has_depth=True, depth=depth, frames=frames)
    overlaps = Overlaps(sides)
    assert overlaps.share(0, 0) > 0.9
    assert overlaps.share(0, 1) < 0.05
    assert overlaps.share(1, 0) < 0.05


def test_the_second_opinion_agrees_with_every_key(item, proposed) -> None:
    assert check_item(item, [row for _, row in proposed]) == []


def test_the_second_opinion_notices_wrong_keys_and_shared_frames(item, proposed) -> None:
    row = next(row for _, row in proposed if row.strata["template"] == "side")
    wrong = replace(row, answer="left" if row.answer == "right" else "right")
    assert len(check_item(item, [wrong])) == 1
    spans = spans_of(item)
    together = next(
        (a, b, f)
        for a in item.objects
        for b in item.objects
        if a != b
        for f in sorted(spans.any(a) & spans.any(b))[:1]
    )
    shown = replace(row, program={**row.program, "frames": [*row.program["frames"], together[2]]})
    assert isinstance(check_item(item, [shown]), list)


def test_a_function_may_be_asked_openly_as_published(item) -> None:
    rows = [row for _, row in replace(RECIPE, compat=True).propose(0, item)]
    asked = [row for row in rows if row.task == "description_use"]
    assert asked
    assert all(not row.options and row.answer in row.question.answer(truth_of(item)).text for row in asked)
    assert check_item(item, asked) == []


def test_questions_are_the_same_every_time(item, proposed) -> None:
    again = RECIPE.propose(0, item)
    assert [row for _, row in again] == [row for _, row in proposed]


def test_choice_is_balanced_and_within_the_published_numbers(proposed) -> None:
    chosen = RECIPE.choose([candidate for candidate, _ in proposed])
    assert 0 < len(chosen) <= round(5399 * len(RECIPE.item_names()) / 1668)
    assert len(DisjointRecipe().item_names()) == 1668


def test_bad_options_are_refused() -> None:
    with pytest.raises(BadInput, match="scale"):
        DisjointRecipe(scale=0)
    with pytest.raises(BadInput, match="seed"):
        DisjointRecipe(seed=-1)


@pytest.mark.real
def test_questions_about_a_real_walk_with_annotated_things(tmp_path) -> None:
    rows = [
        f"thing {i},{frame},{x},180"
        for i, (frame, x) in enumerate((f, x) for f in range(0, 60, 10) for x in (120, 270, 420))
    ]
    (tmp_path / "things.csv").write_text("label,frame,x,y\n" + "\n".join(rows) + "\n")
    source, walk, out = real_data("hololens_walk"), tmp_path / "walk", tmp_path / "set"
    command = [
        "import",
        "hololens",
        str(source),
        "--out",
        str(walk),
        "--things",
        str(tmp_path / "things.csv"),
    ]
    assert CliRunner().invoke(app, command).exit_code == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["things.csv", "walk"]
    dataset = make_dataset(RealDisjointRecipe((walk,)), out)
    assert len(dataset.questions) >= 6
    assert check_item(dataset.recording("walk"), dataset.questions) == []
    assert str(tmp_path) not in (out / "manifest.json").read_text()


@pytest.mark.real
def test_a_glance_without_separate_views_says_so(tmp_path) -> None:
    import_aria(real_data("adt_apartment"), tmp_path / "adt", size=128)
    with pytest.raises(Unanswerable, match="objects"):
        make_dataset(RealDisjointRecipe((tmp_path / "adt",)), tmp_path / "set")


@pytest.mark.real
def test_questions_about_digital_twin_objects_that_are_seen_apart(tmp_path) -> None:
    shutil.copytree(real_data("adt_apartment"), tmp_path / "adt")
    file = tmp_path / "adt/2d_bounding_box.csv"
    header, *lines = file.read_text().splitlines()
    times = sorted({line.split(",")[2] for line in lines})
    # Let the wearer look away: every other object is in the first frame only, the rest in the third only.
    kept = [line for line in lines if line.split(",")[2] == times[2 * (int(line.split(",")[1]) % 2)]]
    file.write_text("\n".join([header, *kept]) + "\n")
    import_aria(tmp_path / "adt", tmp_path / "out", size=128)
    dataset = make_dataset(RealDisjointRecipe((tmp_path / "out",), scale=0.75), tmp_path / "set")
    assert {row.task for row in dataset.questions} >= {"relationship", "distance"}
    assert check_item(dataset.recording("out"), dataset.questions) == []


def test_real_recordings_need_names_of_their_own(tmp_path) -> None:
    with pytest.raises(BadInput, match="names"):
        RealDisjointRecipe((tmp_path / "a" / "walk", tmp_path / "b" / "walk"))
    with pytest.raises(BadInput, match="no recordings"):
        RealDisjointRecipe(())


def test_sizes_are_asked_only_of_things_that_some_frame_shows_from_end_to_end(item, proposed) -> None:
    sizes = [row for _, row in proposed if row.task == "size_fit"]
    assert sizes
    named = {(o.attributes.get("color"), o.category): o.id for o in item.objects.values()}
    categories = {o.category: o.id for o in item.objects.values()}
    for row in sizes:
        for which in (row.question.first, row.question.second):
            color = dict(which.attributes).get("color")
            thing = named[color, which.category] if color else categories[which.category]
            masks = [item.ids(frame) == thing for frame in row.program["frames"]]
            edges = [m[0].any() or m[-1].any() or m[:, 0].any() or m[:, -1].any() for m in masks]
            assert any(m.any() and not edge for m, edge in zip(masks, edges, strict=True))
    cut = replace(sizes[0], program={**sizes[0].program, "frames": sizes[0].program["frames"][:1]})
    assert check_item(item, [cut])


def test_no_thing_is_named_by_words_that_another_answers_to() -> None:
    """A floor vase is a vase, too; an orange vase beside a red floor vase is the orange one."""
    kinds = [
        ("vase", "orange"),
        ("floor vase", "red"),
        ("bed", "blue"),
        ("pet bed", "blue"),
        ("stool", "red"),
    ]
    things = {i: SimpleNamespace(id=i, category=k, attributes={"color": c}) for i, (k, c) in enumerate(kinds)}
    named = unique_names(SimpleNamespace(objects=lambda: list(things.values())))
    assert {i: which.singular for i, which in named.items()} == {
        0: "orange vase",
        1: "floor vase",
        3: "pet bed",
        4: "stool",
    }
    recording = SimpleNamespace(
        objects=things, meta={"visibility": {"clear_share": 0.1, "unseen_share": 0.1}}
    )
    shown = [dict.fromkeys(things, 1.0)]
    for words, meant in (
        ("the vase", []),
        ("the orange vase", [("orange vase", 0)]),
        ("the blue bed", []),
        ("the pet bed", [("pet bed", 3)]),
    ):
        assert names_in(recording, shown, f"Is {words} large?") == meant
