"""Films before rendering: walks as the protocol asks, changes as told, sizes that fit or do not."""

from collections import Counter
from functools import lru_cache

import numpy as np
import pytest

from situ.benchmarks.saw.check_shapes import best_shape
from situ.benchmarks.saw.film import Film, as_protocol, in_spot
from situ.benchmarks.saw.protocol import VIDEOS, expected_row
from situ.benchmarks.saw.recipe import SawRecipe
from situ.benchmarks.saw.routes import LONGEST_S, SHORTEST_S, draw_seconds
from situ.errors import BadInput
from situ.geometry.oriented import gap_between
from situ.geometry.route import direction_between, route_shape

FPS = 8


@lru_cache(maxsize=64)
def built(part: str, number: int, seed: int = 70) -> Film:
    return SawRecipe(part=part, seed=seed, fps=FPS).build(number)


WALKS = [n for n, shot in enumerate(SawRecipe(part="routes", seed=70).shots) if shot.kind == "route"]
STANDING = [n for n, shot in enumerate(SawRecipe(part="routes", seed=70).shots) if shot.kind == "standing"]


@pytest.mark.parametrize("number", WALKS[::90])
def test_walks_are_as_their_id_says(number: int) -> None:
    shot = SawRecipe(part="routes", seed=70, fps=FPS).shots[number]
    film = built("routes", number)
    (take,) = film.takes
    video, row = VIDEOS[shot.video_id], expected_row(shot.video_id, VIDEOS[shot.video_id])
    assert as_protocol(take.path, shot.video_id, video)
    assert route_shape(take.path).name == video.shape == best_shape(take.path.positions[:, :2])
    assert direction_between(take.path, "start").name == row.start_to_end
    assert direction_between(take.path, "end").name == row.end_to_start
    assert SHORTEST_S <= take.path.times[-1] <= LONGEST_S
    assert film.place.obstacles.distance(take.path.positions[:, :2]).min() > 0.35
    speed = np.linalg.norm(np.diff(take.path.positions[:, :2], axis=0), axis=1) * FPS
    assert speed.max() < 1.7


@pytest.mark.parametrize("number", range(12))
def test_standing_people_stand_where_their_id_says(number: int) -> None:
    shot = SawRecipe(part="standing", seed=70, fps=FPS).shots[number]
    film = built("standing", number)
    spot = VIDEOS[shot.video_id].spot
    assert spot is not None
    path = film.takes[0].path
    assert in_spot(film.place, path, spot)
    assert SHORTEST_S <= path.times[-1] <= LONGEST_S
    assert np.ptp(path.positions[:, :2], axis=0).max() < 0.1


@pytest.mark.parametrize("change", ["moved", "added", "removed", "swapped"])
def test_memory_films_change_one_thing(change: str) -> None:
    shots = SawRecipe(part="memory", seed=70, fps=FPS).shots
    film = built("memory", next(n for n, shot in enumerate(shots) if shot.case == change))
    before, after = ({o.id: o for o in take.scene.objects} for take in film.takes)
    gone, new = set(before) - set(after), set(after) - set(before)
    moved = {i for i in before.keys() & after.keys() if before[i].position != after[i].position}
    expected = {"moved": (0, 0, 1), "added": (0, 1, 0), "removed": (1, 0, 0), "swapped": (0, 0, 2)}
    assert (len(gone), len(new), len(moved)) == expected[change]
    assert film.takes[1].path.times[0] > film.takes[0].path.times[-1]
    claimed = {claim["change"]: set(claim["items"]) for claim in film.notes["claims"]}
    assert gone | new | moved == claimed[change]
    assert film.notes["stayed"] not in set().union(*claimed.values())


def test_every_shape_may_take_every_length() -> None:
    """The number of frames is drawn before anything else: it is the same lot whatever is filmed."""
    recipe = SawRecipe(part="routes", seed=71, fps=2.0)
    for number in (0, WALKS[-1], STANDING[0]):
        (take,) = recipe.build(number).takes
        wanted = draw_seconds(2.0, recipe._rng(number, "length", 0))
        assert len(take.path) == int(wanted * 2.0) + 1


def test_affordance_sizes_tell_nothing() -> None:
    """For every action, what is stated fits about as often as not, whatever its size."""
    fits: Counter[tuple[str, bool]] = Counter()
    for number in range(24):
        film = built("affordance", number)
        boxes = {o.id: o.box for o in film.place.scene.objects}
        for asked in film.notes["asked"]:
            things = [boxes[i] for i in asked["items"]]
            action, size = asked["action"], asked["size"]
            if len(things) == 2:
                spare = gap_between(*things) - size
            elif action == "fit under":
                spare = things[0].bottom - size
            else:
                spare = size - (things[0].bottom if action == "reach" else things[0].top)
            assert abs(spare) >= 0.12
            fits[action, spare > 0] += 1
    assert len(fits) == 12  # six actions, both answers


def test_probe_has_three_cases() -> None:
    recipe = SawRecipe(part="probe", seed=3, fps=FPS)
    shapes = [route_shape(recipe.build(n).takes[0].path).name for n in range(3)]
    assert shapes == ["straight", "straight", "zigzag"]


@pytest.mark.parametrize(
    "wrong", [{"scale": 0.0}, {"seed": -1}, {"part": "some"}, {"fps": 0.5}, {"scale": 1e5}]
)
def test_wrong_recipes_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BadInput):
        SawRecipe(**wrong)  # type: ignore[arg-type]
