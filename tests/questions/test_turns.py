"""Turns on foot: what a way looks like in a guide's words, turned, mirrored and with a restless head."""

from itertools import product

import numpy as np
import pytest

from situ import questions as q
from situ.errors import Unanswerable
from situ.geometry.box import Box, ground_gaps
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.questions.walk.journey import gaps_along
from situ.questions.walk.turns import turns_of
from situ.recording import Event, ObjectRecord
from situ.state import Sighting, TruthState

STEP = {"left": 90.0, "right": -90.0}
SWAP = {"left": "right", "right": "left"}


def way(turns: tuple[str, ...], yaw: float = 20.0, leg: int = 5) -> np.ndarray:
    """Ground points a metre apart: straight stretches with turns between them."""
    points = [np.zeros(2)]
    for turn in (*turns, ""):
        for _ in range(leg):
            points.append(points[-1] + (np.cos(np.radians(yaw)), np.sin(np.radians(yaw))))
        yaw += STEP.get(turn, 0.0)
    return np.array(points)


def world(
    ground: np.ndarray,
    head_deg: float = 0.0,
    rng: np.random.Generator | None = None,
    came: np.ndarray | None = None,
) -> TruthState:
    """A cup is put down at 5 s, then the way is walked, one point a second. `came` are points before that."""
    looks = np.zeros(len(ground)) if rng is None else rng.uniform(-60, 60, len(ground))
    places = np.concatenate([np.repeat(ground[:1], 6, axis=0), ground[1:]])
    if came is not None:
        places[: len(came)] += came
    angles = [head_deg] * 6 + (looks[1:] + head_deg).tolist()
    poses = np.stack([camera_pose((*p, 1.6), a) for p, a in zip(places, angles, strict=True)])
    cup = ObjectRecord(1, "cup", Box((0.5, 0.5, 0.8), (0.1, 0.1, 0.1)), {})
    data = {"size": [0.1, 0.1, 0.1], "by": "wearer"}
    moves = [
        Event(2.0, "moved", 1, {**data, "center": [0.2, 0.2, 1.3], "act": "taken"}),
        Event(5.0, "moved", 1, {**data, "center": [-0.6, 0.3, 0.8], "act": "put"}),
    ]
    seen = {1: [Sighting(t, float(t)) for t in range(len(poses))]}
    return TruthState(Path(np.arange(len(poses), dtype=float), poses), {1: cup}, seen, moves)


QUESTION = q.TurnsAfter(q.Selector("cup"), 15.0)


@pytest.mark.parametrize("turns", list(product(STEP, repeat=2)))
@pytest.mark.parametrize("yaw", [0.0, 77.0, 203.0])
def test_the_words_are_those_of_the_way_whichever_way_the_world_is_turned(turns, yaw: float) -> None:
    assert QUESTION.answer(world(way(turns, yaw))).value == ", then ".join(turns)
    mirror = way(turns, yaw) * (1.0, -1.0)
    assert QUESTION.answer(world(mirror)).value == ", then ".join(SWAP[turn] for turn in turns)


def test_where_the_head_looks_does_not_count() -> None:
    ground = way(("left", "right"))
    restless = world(ground, 30.0, np.random.default_rng(1))
    assert QUESTION.answer(restless).value == QUESTION.answer(world(ground)).value


def test_swaying_is_no_turn_and_a_straight_way_has_none() -> None:
    rng = np.random.default_rng(0)
    ground = way(("left", "right"))
    assert [round(t) for t in turns_of(ground)] == [-90, 90]
    swaying = turns_of(ground + rng.normal(0, 0.06, ground.shape))
    assert [round(t / 90) for t in swaying] == [-1, 1]
    with pytest.raises(Unanswerable, match="fewer than two turns"):
        QUESTION.answer(world(way((), leg=16)))


@pytest.mark.parametrize("ahead", [0.5, 3.0])
def test_there_and_back_and_there_again_is_two_turns_wherever_it_ends(ahead: float) -> None:
    line = np.concatenate([np.arange(0, 3, 0.5), np.arange(3, 1, -0.5), np.arange(1, 2 + ahead, 0.5)])
    turns = turns_of(np.column_stack([line, np.zeros(len(line))]))
    assert [abs(round(turn)) for turn in turns] == [180, 180]


@pytest.mark.parametrize("turns", list(product(STEP, repeat=2)))
@pytest.mark.parametrize("from_deg", [0.0, 90.0, 200.0, 290.0])
def test_how_the_wearer_came_to_where_a_thing_was_put_is_no_turn(turns, from_deg: float) -> None:
    step = np.array([np.cos(np.radians(from_deg)), np.sin(np.radians(from_deg))])
    answer = QUESTION.answer(world(way(turns), came=np.outer((4.0, 2.5, 1.0), step)))
    assert answer.value == ", then ".join(turns)
    assert answer.margin > QUESTION.min_margin


def test_boxes_along_a_way_are_as_near_as_the_nearest_of_them_turned_or_not() -> None:
    rng = np.random.default_rng(8)
    ground = rng.uniform(-3, 3, (30, 2))
    boxes = [
        Box((*rng.uniform(-3, 3, 2), 0.5), (*rng.uniform(0.1, 1, 2), 1.0), yaw)  # type: ignore[arg-type]
        for yaw in (0.0, 0.0, 30.0, 0.0, -75.0)
    ]
    plain = ground_gaps(boxes, ground).min(axis=0)
    assert gaps_along(ground, boxes) == pytest.approx(plain)
    assert gaps_along(ground, boxes[:2]) == pytest.approx(ground_gaps(boxes[:2], ground).min(axis=0))
    assert (gaps_along(ground, []) > 10.0).all(), "of nothing one is far"
