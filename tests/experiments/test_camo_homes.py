"""The experiment on camera narratives in homes: clips are what they claim to be, and can be learnt from."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the experiment needs PyTorch (pip install 'situ[train]')")

from benchmarks.camo import eyes, filming, frames, homes, read, run, studio  # noqa: E402
from benchmarks.camo import words as W  # noqa: E402
from benchmarks.camo.clips import Clips, nearest  # noqa: E402
from benchmarks.camo.filming import Filmed, film_clips, film_views  # noqa: E402
from benchmarks.camo.homes import CLEARLY, GONE, KINDS, Set  # noqa: E402
from benchmarks.camo.layouts import EYE_M, NAMES, THINGS  # noqa: E402

from situ.geometry.heading import SECTORS, Heading  # noqa: E402
from situ.geometry.heading import sector as sector_name  # noqa: E402

SEED, NUMBER = 1, 5  # a home with clips for every sector


@pytest.fixture(scope="module", autouse=True)
def small() -> Any:
    """Coarse pictures and fewer of everything."""
    patch = pytest.MonkeyPatch()
    for module in (homes, filming, eyes):
        patch.setattr(module, "SIDE", 32)
    patch.setattr(homes, "POOL", 8000)
    patch.setattr(filming, "EACH", 1)
    patch.setattr(filming, "VIEWS", 1)
    homes.path_pool.cache_clear()
    yield
    patch.undo()
    homes.path_pool.cache_clear()


@pytest.fixture(scope="module")
def place() -> Set:
    return Set(np.random.default_rng([SEED, NUMBER, filming.HOME_SEED]))


@pytest.fixture(scope="module")
def filmed() -> Filmed:
    found = film_clips(SEED, NUMBER)
    assert found is not None
    return found


def test_as_many_kinds_as_solids_have_names() -> None:
    assert len(set(KINDS)) == len(NAMES)


def test_each_sector_is_asked_for_and_the_thing_was_seen_and_is_gone(filmed: Filmed) -> None:
    assert sorted(filmed.thing_sector) == list(range(8))
    rows = np.arange(len(filmed.thing))
    seen = filmed.sight[rows, :, filmed.thing]
    assert ((seen == CLEARLY).sum(axis=1) >= filming.LEAST_FRAMES).all()
    assert (seen[:, -1] == GONE).all()


def test_names_are_of_kinds_that_the_home_has_once_and_bearings_are_theirs(
    filmed: Filmed, place: Set
) -> None:
    things = [thing.category for thing in place.home.objects]
    for row in range(len(filmed.thing)):
        assert len(set(filmed.names[row].tolist())) == THINGS
        assert all(things.count(KINDS[name]) == 1 for name in filmed.names[row])
        name = KINDS[filmed.names[row, filmed.thing[row]]]
        at = next(thing.box.center for thing in place.home.objects if thing.category == name)
        paths = filmed.paths
        here = Heading(paths.x[row, -1], paths.y[row, -1], EYE_M, paths.yaw[row, -1])
        assert sector_name(here.bearing_deg(at[:2])) == SECTORS[filmed.thing_sector[row]]
        start = here.bearing_deg((paths.x[row, 0], paths.y[row, 0]))
        assert sector_name(start) == SECTORS[filmed.start_sector[row]]


def test_the_camera_passes_through_nothing(filmed: Filmed, place: Set) -> None:
    for x, y in zip(filmed.paths.x, filmed.paths.y, strict=True):
        for share in np.linspace(0, 1, 7):
            for at in zip(
                x[:-1] * (1 - share) + x[1:] * share, y[:-1] * (1 - share) + y[1:] * share, strict=True
            ):
                row, column = place.home.floor.cell(*at)
                around = place.home.floor.free[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
                assert around.any()  # a cell's middle may be free where its corner is not


def test_the_reader_finds_the_answers_in_the_narratives(filmed: Filmed) -> None:
    seen = nearest(filmed.sight == CLEARLY, filmed.distance)
    answers = filmed.thing, filmed.thing_sector, filmed.start_sector
    clips = Clips(filmed.paths, filmed.names, filmed.bearing, filmed.distance, seen, *answers)
    narrated = W.narrate(clips)
    names = filmed.names[np.arange(len(filmed.thing)), filmed.thing]
    told = read.share_right(W.joined(narrated.scene, narrated.camera, 64), names, filmed.thing_sector, KINDS)
    blind = read.share_right(W.joined(narrated.scene, None, 64), names, filmed.thing_sector, KINDS)
    assert told >= 0.7  # amounts are rounded
    assert blind <= 0.4


def test_views_say_what_they_show() -> None:
    views = film_views(SEED, NUMBER)
    assert views is not None
    assert (views.sight == CLEARLY).any()
    look = frames.KeptFrames(
        torch.from_numpy(views.images), views.sight, views.names, views.bearing, views.distance, varied=True
    ).show(torch.tensor([0]))
    wanted = eyes.targets(look)[0]
    assert float((wanted == 1).sum()) == (views.sight == CLEARLY).sum()
    assert look.images.shape == (12, 32, 32, 3)


def test_the_whole_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(run.TINY, "homes", {"train": 8, "valid": 8, "test": 8, "tell": 1, "views": 1})
    monkeypatch.setattr(eyes, "TRIED", 8)
    monkeypatch.setattr(eyes, "DRAWN_TOGETHER", 8)
    monkeypatch.setattr(studio, "LEAST", {})
    options = "--tiny --clips homes --eyes pixels,symbols --seeds 1 --labels 8,64 --steps 1 --jobs 1"
    run.main(
        [
            *options.split(),
            "--arms",
            "camera,poses",
            "--batch",
            "2",
            "--tell-batch",
            "2",
            "--out",
            str(tmp_path),
        ]
    )
    for kind in ("pixels", "symbols"):
        lines = [json.loads(line) for line in (tmp_path / kind / "results.jsonl").read_text().splitlines()]
        groups = [line for line in lines if line["group"] != "eyes"]
        assert [line["group"].split()[:2] for line in groups] == [[kind, "8"]]  # 64 are more than there are
        assert {model["arm"] for model in groups[0]["models"]} == {"camera", "poses"}
        assert [line["homes"]["train"] >= 1 for line in lines if line["group"] == "eyes"] == (
            [True] if kind == "pixels" else []
        )
    assert any("perfect" in line for line in read.scores_of(tmp_path / "pixels"))
