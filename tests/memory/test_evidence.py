"""How much evidence it takes: for a move, for a name, for a drift."""

import math

import numpy as np

from desk import frame, thing
from situ.memory import SpatialMemory
from situ.memory.tables.motion import MOTION
from situ.memory.tables.rates import (
    RANGES,
    count_first_sighting,
    count_look,
    fresh_rates,
    p_detect_now,
    p_first_sighting,
    range_bin,
)


def counted(memory: SpatialMemory, label: str) -> int:
    return sum(view.presence > 0.5 for view in memory.state().objects().of_category(label))


def test_vague_places_do_not_swallow_things_with_other_names() -> None:
    rng = np.random.default_rng(0)
    memory = SpatialMemory.create(":memory:")
    spots = {f"thing{k}": (2.0, 0.5 * k - 1.0, 1.0) for k in range(5)}
    for second in range(40):
        seen = []
        for name, (x, y, z) in spots.items():
            dx, dy = rng.normal(0.0, 0.4, 2).tolist()
            seen.append(thing(name, (x + dx, y + dy, z), sigma_m=0.4))
        memory.observe(frame(float(second), seen))
    assert {name: counted(memory, name) for name in spots} == dict.fromkeys(spots, 1)


def test_what_was_parted_keeps_its_own_name_and_doubt() -> None:
    memory = SpatialMemory.create(":memory:")
    time = 0.0

    def feed(count: int, things: dict[str, list[tuple[float, float, float]]], yaw: float) -> None:
        nonlocal time
        for _ in range(count):
            memory.observe(frame(time, things, yaw=yaw))
            time += 1.0

    home, away = (2.0, 0.0, 1.0), (-2.0, 0.0, 1.0)
    feed(8, {"cup": [home]}, 0.0)
    feed(6, {}, 180.0)  # the other side is empty
    feed(2, {"cup": [away]}, 180.0)  # the cup seems to have moved there, ...
    feed(3, {"cup": [home]}, 0.0)  # ... but it never did,
    feed(12, {}, 180.0)  # and there is nothing after all
    views = {round(view.box.center[0]): view for view in memory.state().objects()}
    assert views[2].id == 1
    assert views[2].here > 0.9
    assert -2 not in views or views[-2].here < 0.2


def walked_past(scale: float) -> SpatialMemory:
    """Three steps to and fro before some things, with depth that is off by a factor."""
    memory = SpatialMemory.create(":memory:")
    spots = {f"thing{k}": np.array([5.0, 0.8 * k - 1.6, 1.0]) for k in range(5)}
    for second in range(40):
        eye = np.array([0.5 * (3 - abs(second % 6 - 3)), 0.0, 1.5])
        seen = []
        for name, spot in spots.items():
            x, y, z = (eye + scale * (spot - eye)).tolist()
            seen.append(thing(name, (x, y, z)))
        memory.observe(frame(float(second), seen, at=(float(eye[0]), 0.0, 1.5)))
    return memory


def test_depth_that_is_off_shows_in_the_doubt_along_the_line_of_sight() -> None:
    doubts = {}
    for scale in (0.87, 1.0, 1.15):
        (view,) = walked_past(scale).state().objects().of_category("thing2")
        doubts[scale] = math.sqrt(view.covariance[0][0])
        assert math.sqrt(view.covariance[1][1]) < 0.15  # across it little is in doubt
    assert doubts[1.0] < 0.1
    assert min(doubts[0.87], doubts[1.15]) > 0.2


def test_what_is_overlooked_is_learned_by_how_small_it_looks() -> None:
    rates, cup, wardrobe = fresh_rates(21600.0), np.full(3, 0.1), np.full(3, 1.5)
    misses = np.zeros(RANGES, np.int32)
    misses[range_bin(3.0, cup)] = 40  # across a room, before it was found up close
    count_look(rates[0], 0.8, cup, misses)
    assert p_detect_now(rates, 3.0, cup) < 0.1
    assert min(p_detect_now(rates, 0.8, cup), p_detect_now(rates, 3.0, wardrobe)) > 0.9


def test_what_a_score_is_worth_is_learned() -> None:
    rates, name = fresh_rates(21600.0), np.zeros(1, MOTION)[0]
    for _ in range(20):
        count_first_sighting(rates[0], name, 0.4, False)
        count_first_sighting(rates[0], name, 0.9, True)
        name["confirmed"] = name["refuted"] = 0.0  # what the name is worth is another matter
    assert p_first_sighting(rates, name, 0.4) < 0.5
    assert p_first_sighting(rates, name, 0.9) > 0.9
