import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from situ.benchmarks.rem.cells import LENGTHS
from situ.benchmarks.rem.walks import BOUND_M, PLANNED_TURNS, START, random_walk, rotation_walk
from situ.worlds.actions import ActionWalk, swapped


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(LENGTHS), st.integers(0, 10_000))
def test_walks_have_the_exact_length_and_stay_in_the_field(frames: int, seed: int) -> None:
    walk = random_walk(frames, np.random.default_rng(seed))
    assert len(walk.path()) == frames
    assert all(max(abs(h.x), abs(h.y)) <= BOUND_M for h in walk.headings())
    assert walk.start == START


@pytest.mark.parametrize("frames", [8, 16])
def test_turns_add_up_as_planned_and_the_first_one_goes_either_way(frames: int) -> None:
    walks = [random_walk(frames, np.random.default_rng(seed)).actions for seed in range(400)]
    turned = [sum(action != "forward" for action in actions) for actions in walks]
    # Only a walk that would leave the field turns more than planned.
    assert np.mean([count == PLANNED_TURNS[frames] for count in turned]) > 0.9
    firsts = [next(action for action in actions if action != "forward") for actions in walks]
    assert 0.42 < np.mean([first == "left" for first in firsts]) < 0.58
    assert len(set(walks)) > {8: 40, 16: 200}[frames]  # the original has 4 and 56


def test_short_walks_never_mix_directions_and_cover_all_choices() -> None:
    walks = {random_walk(4, np.random.default_rng(seed)).actions for seed in range(300)}
    assert len(walks) == 13
    assert not any({"left", "right"} <= set(actions) for actions in walks)


def test_a_full_rotation_shows_24_headings_15_degrees_apart() -> None:
    for seed in range(4):
        headings = rotation_walk(np.random.default_rng(seed)).headings()
        assert len({round(h.yaw_deg % 360) for h in headings}) == 24
        assert {(h.x, h.y) for h in headings} == {(0.0, 0.0)}


@given(st.lists(st.sampled_from(["forward", "left", "right"]), max_size=30))
def test_swapping_sides_mirrors_the_path(actions: list[str]) -> None:
    here = ActionWalk(START, tuple(actions)).headings()  # type: ignore[arg-type]
    there = ActionWalk(START, swapped(actions)).headings()  # type: ignore[arg-type]
    assert np.allclose([(h.x, -h.y) for h in here], [(h.x, h.y) for h in there], atol=1e-9)
