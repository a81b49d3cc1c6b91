"""Frames that teach eyes for photographs: the same again from the same numbers, cluttered, near, labelled."""

import numpy as np
import pytest

from situ.errors import BadInput
from situ.perception.photos.channels import NAMES
from situ.train.eyes.filming import FilmedWorld
from situ.train.eyes.labels import CENTER, SIZE
from situ.train.eyes.worlds import build, source_of
from situ.train.photos.clutter import OWN, cluttered, repainted
from situ.train.photos.fittings import fitted
from situ.train.photos.recipe import HELD_OUT, SIZES, TRAINING, PhotoRecipe
from situ.train.photos.stream import Arrays, Pages, render_photos
from situ.train.photos.variants import varied
from situ.train.photos.views import HEIGHT_M, TOPS, Boxes, photographed
from situ.worlds.homes.shell import HEIGHT_M as ROOM_M

PAGES = Pages(3, 112, 84)


@pytest.fixture(scope="module")
def made() -> Arrays:
    return render_photos(3, TRAINING, 1, PAGES)


@pytest.fixture(scope="module")
def home() -> FilmedWorld:
    return build(source_of(3, TRAINING, 5), "homes")


def test_the_same_numbers_give_the_same_frames(made: Arrays) -> None:
    again = render_photos(3, TRAINING, 1, PAGES)
    other = render_photos(3, HELD_OUT, 1, Pages(1, 112, 84))
    assert all(np.array_equal(again[name], made[name]) for name in made)
    assert not np.array_equal(other["rgb"][0], made["rgb"][0])


def test_frames_travel_through_a_file(made: Arrays, tmp_path: object) -> None:
    from pathlib import Path

    file = Path(str(tmp_path)) / "page"
    PAGES.write(made, file)
    back = PAGES.read(file)
    assert all(
        np.array_equal(back[name], made[name]) and back[name].dtype == made[name].dtype for name in made
    )


def test_clutter_lies_on_tops_and_floors_and_has_names(home: FilmedWorld) -> None:
    full = cluttered(home.scene, TOPS, np.random.default_rng(1))
    more = [o for o in full.objects if o not in home.scene.objects]
    heights = [
        o.box.center[2] + o.box.size[2] / 2 for o in home.scene.objects if o.category in (*TOPS, "floor")
    ]
    assert len(more) > 5
    assert full.objects[: len(home.scene.objects)] == home.scene.objects
    for thing in more:
        assert thing.category in NAMES
        assert min(abs(thing.position[2] - height) for height in heights) < 1e-6
    assert set(OWN) <= set(NAMES)


def test_fittings_hang_on_walls_or_stand_on_floors_and_have_names(home: FilmedWorld) -> None:
    rng = np.random.default_rng(4)
    known = {o.id for o in home.scene.objects}
    more = [o for o in fitted(home.scene, rng).objects if o.id not in known]
    assert {"door", "window"} <= {o.category for o in more}
    (x0, y0), (x1, y1) = (
        f([o.box.center[:2] for o in home.scene.objects if o.category == "wall"], axis=0)
        for f in (np.min, np.max)
    )
    for thing in more:
        assert thing.category in NAMES
        x, y, z = thing.box.center
        assert x0 - 8 < x < x1 + 8
        assert y0 - 8 < y < y1 + 8
        assert z - thing.box.size[2] / 2 > -0.15
        assert z < ROOM_M


def test_other_shapes_stand_where_the_things_stood(home: FilmedWorld) -> None:
    kept = frozenset(o.id for o in home.scene.objects[::2])
    other = varied(home.scene, kept, np.random.default_rng(5))
    changed = 0
    for one, two in zip(home.scene.objects, other.objects, strict=True):
        assert (one.id, one.category, one.position, one.yaw_deg) == (
            two.id, two.category, two.position, two.yaw_deg
        )  # fmt: skip
        assert one.id not in kept or one == two
        changed += one.parts != two.parts
    assert changed > 3


def test_paint_changes_looks_alone(home: FilmedWorld) -> None:
    other = repainted(home.scene, 1.0, np.random.default_rng(2))
    for was, now in zip(home.scene.objects, other.objects, strict=True):
        assert now.box == was.box
        assert not now.attributes
    assert any(
        a.parts[0].material != b.parts[0].material
        for a, b in zip(home.scene.objects, other.objects, strict=True)
    )


def test_cameras_are_near_rolled_and_within_reach(home: FilmedWorld) -> None:
    rng = np.random.default_rng(4)
    shots = list(photographed(home, 24, 64, 48, Boxes(), rng))
    heights = np.array([shot.T_world_camera[2, 3] for shot in shots])
    lean = np.degrees(np.arcsin(np.clip([shot.T_world_camera[2, 0] for shot in shots], -1, 1)))
    median = np.array([np.median(shot.frame.depth[shot.frame.depth > 0]) for shot in shots])
    assert heights.min() > HEIGHT_M[0] - 0.2
    assert np.abs(lean).max() > 10
    assert median.min() < 1.2


def test_things_have_rows_that_are_about_where_they_are_seen(made: Arrays) -> None:
    for i in range(PAGES.frames):
        thing, depth = made["thing"][i], made["depth"][i].astype(float)
        rows, columns = np.nonzero((thing > 0) & (depth > 0))
        row = made["things"][i][thing[rows, columns] - 1].astype(float)
        x = (2 * columns + 1.5 - PAGES.width / 2) / made["focal"][i] * depth[rows, columns]
        y = (2 * rows + 1.5 - PAGES.height / 2) / made["focal"][i] * depth[rows, columns]
        away = np.linalg.norm(
            np.stack([x, y, depth[rows, columns]], -1) - row[:, CENTER : CENTER + 3], axis=1
        )
        reach = 0.5 * np.linalg.norm(np.exp(row[:, SIZE : SIZE + 3]), axis=1)
        assert np.quantile(away - reach, 0.95, method="lower") < 0.1 if len(away) else True


@pytest.mark.parametrize(
    "wrong", [{"seconds": 0.0}, {"first_worlds": 9, "kept_worlds": 8}, {"batch_frames": 99}]
)
def test_impossible_recipes_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BadInput):
        PhotoRecipe(**wrong)  # type: ignore[arg-type]


def test_sizes_are_whole_patches_and_their_shares_add_up() -> None:
    assert sum(often for _, often in SIZES) == pytest.approx(1.0)
    assert all(side % 14 == 0 for size, _ in SIZES for side in size)
