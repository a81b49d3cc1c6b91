"""Frames to learn from: the same again from the same numbers, never a world of a question set."""

import numpy as np
import pytest

from situ.benchmarks.rem.scenes import COLORS as SOLID_COLORS
from situ.benchmarks.rem.scenes import SHAPES
from situ.benchmarks.saw.affordance_film import RANGES, _props
from situ.errors import BadInput
from situ.perception.homes.channels import COLORED, PLACES
from situ.perception.homes.channels import COLORS as EYE_COLORS
from situ.train.eyes.filming import film
from situ.train.eyes.labels import FAR_M, labels_of
from situ.train.eyes.recipe import HELD_OUT, TRAINING, EyesRecipe
from situ.train.eyes.stream import WorldFrames, render_world, rendered
from situ.train.eyes.worlds import build, source_of
from situ.worlds.places import FLOORS, make_place
from situ.worlds.props.items import ITEMS
from situ.worlds.props.shapes import COLORS


@pytest.fixture(scope="module")
def made() -> WorldFrames:
    return render_world(5, TRAINING, 1, 2)


def test_the_same_numbers_give_the_same_frames(made: WorldFrames) -> None:
    again = render_world(5, TRAINING, 1, 2)
    assert again.world == made.world
    for name in ("rgb", "name", "thing", "surface", "depth", "things", "room"):
        assert np.array_equal(getattr(again, name), getattr(made, name)), name


def test_held_out_worlds_are_others(made: WorldFrames) -> None:
    assert render_world(5, HELD_OUT, 1, 1).world != made.world


def test_a_world_of_a_question_set_is_replaced(made: WorldFrames) -> None:
    (other,) = rendered(5, TRAINING, range(1, 2), 1, 0, frozenset([made.world]))
    assert other.world != made.world
    assert other.number != made.number


def test_batches_are_drawn_from_ever_more_worlds() -> None:
    recipe = EyesRecipe(worlds=300, steps=1000, first_worlds=20)
    drawn = [recipe.worlds_at(step) for step in range(1000)]
    assert drawn == sorted(drawn)
    assert drawn[0] == 20
    assert drawn[850] == drawn[-1] == 300
    rates = [recipe.rate_at(step) for step in range(1000)]
    assert max(rates) == pytest.approx(recipe.learning_rate)
    assert rates[-1] < 0.01 * recipe.learning_rate


@pytest.mark.parametrize("wrong", [{"worlds": 0}, {"steps": -1}, {"batch_frames": 9, "frames_per_world": 8}])
def test_impossible_recipes_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(BadInput):
        EyesRecipe(**wrong)


@pytest.mark.parametrize("of", ["places", "fields"])
def test_what_lies_in_other_worlds_has_a_name_and_a_depth(of: str) -> None:
    rng = source_of(6, TRAINING, 3)
    world = build(rng, of)
    named = {thing.category for thing in world.scene.objects if thing.attributes}
    assert named <= set(COLORED)
    assert of != "places" or world.scene.objects[0].category in (*PLACES, "lawn")
    for shot in film(world, 2, rng):
        depth = labels_of(shot).depth
        assert np.isfinite(depth).all()
        assert depth.max() < FAR_M


def test_every_floor_has_the_name_by_which_it_is_asked_for() -> None:
    for layout, name in list(FLOORS.items())[::4]:
        assert make_place(layout, np.random.default_rng(1)).name == name


def test_everything_that_is_asked_about_in_places_is_taught() -> None:
    asked = {
        prop.category for action in RANGES for prop in _props(action, 1.0, list(COLORS)[:3]) if prop.color
    }
    assert {*asked, *ITEMS, *SHAPES} <= set(COLORED)
    assert {*COLORS, *SOLID_COLORS} <= set(EYE_COLORS)
