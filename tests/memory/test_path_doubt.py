"""The doubt of a path in the answers of a memory: directions, distances and routes are as sure as the way."""

import numpy as np
import pytest

from situ import questions as q
from situ.geometry.path_uncertainty import PathUncertainty
from situ.geometry.pose import camera_pose
from situ.language.answering import ask
from situ.language.focus import decide
from situ.memory import MemoryState, SpatialMemory
from situ.memory.sink import MemorySink
from situ.perception.freespace import FreeSpace
from situ.perception.observation import Observation, ObservedFrame
from situ.questions.select import Selector

MUG, LAMP = Selector.make("mug", {}), Selector.make("lamp", {})
CLEAR = FreeSpace.from_metres(np.full((12, 16), 6.0))  # ranges come from a depth image
WAY = [(float(x), 0.0) for x in range(11)] + [(10.0, float(y)) for y in range(1, 9)]


def walked(
    yaw: float = 0.0, metres: float = 0.0, lost: float = 0.0, doubted: bool = True, scale: float = 0.0
) -> SpatialMemory:
    """An L: past a mug at the start, to a lamp at the end."""
    memory = SpatialMemory.create(":memory:")
    sink = MemorySink(memory)
    for k, (x, y) in enumerate(WAY):
        things = [Observation("mug", (2.0, 1.0, 0.9))] if k < 3 else []
        things += [Observation("lamp", (11.0, 10.0, 1.0))] if k > 14 else []
        facing = 0.0 if k < 11 else 90.0
        sink.observe(
            ObservedFrame(float(k), camera_pose((x, y, 1.6), yaw_deg=facing), tuple(things), free=CLEAR)
        )
    sigma = np.tile([yaw, metres, 0.0], (len(WAY), 1))
    sigma[0] = (0.0, 0.0, scale)
    spans = np.array([[float(len(WAY) - 1), len(WAY) - 1 + lost]]) if lost else None
    doubt = PathUncertainty.of(range(len(WAY)), np.array(WAY), sigma, spans) if doubted else None
    sink.keep({"source": "walk", "scale_from": "depth"}, doubt)
    return memory


def sure(state: MemoryState, question: q.Question) -> float:
    return decide(question, state).confidence


ABOUT_THE_MUG = [q.WhereFromHere(MUG), q.DistanceFromHere(MUG)]
ABOUT_THE_WAY = [q.RouteDirection("start"), q.RouteDirection("end"), q.RouteShape(), q.ReversePlan()]


@pytest.mark.parametrize("question", [*ABOUT_THE_MUG, *ABOUT_THE_WAY], ids=lambda one: one.kind)
def test_answers_are_as_sure_as_the_way(question: q.Question) -> None:
    with walked(doubted=False) as exact, walked(0.002, 0.005) as good, walked(0.3, 1.0) as bad:
        given, well, badly = (sure(m.state(), question) for m in (exact, good, bad))
        assert well == pytest.approx(given, abs=0.1)
        assert badly < min(0.8, well)
        value, right = decide(question, good.state()).answer.value, question.answer(exact.state()).value
        assert value == right or value == pytest.approx(right, abs=0.2)


def test_what_is_in_view_is_sure_however_one_came_here() -> None:
    with walked(0.3, 1.0) as memory:
        assert sure(memory.state(), q.WhereFromHere(LAMP)) > 0.95
        assert sure(memory.state(), q.WhereFromHere(MUG)) < 0.8


def test_units_that_nobody_knows_make_distances_unsure_and_directions_not() -> None:
    """Nearer and farther than another thing stay as sure: all is stretched alike."""
    with walked(scale=0.25) as unknown, walked() as known:
        for which in (MUG, LAMP):
            assert sure(known.state(), q.DistanceFromHere(which)) > 0.9
            assert sure(unknown.state(), q.DistanceFromHere(which)) < 0.75
            assert sure(unknown.state(), q.WhereFromHere(which)) > 0.95
        assert sure(unknown.state(), q.DistanceWalked()) < 0.5 < sure(known.state(), q.DistanceWalked())
        told, plain = (ask(memory.state(), "Where is the mug?") for memory in (unknown, known))
        assert told.value == plain.value
        low, high = told.distance_m or (0.0, 0.0)
        assert told.text.endswith(f"The distance is known only roughly: {low:.1f} m to {high:.1f} m.")
        assert "roughly" not in plain.text


def test_who_stands_where_they_began_is_told_no_distance() -> None:
    with walked(scale=0.25) as unknown:
        here = ask(unknown.state(1.0), "Where did I start?")
        assert here.value == "same location"
        assert here.text
        assert not any(letter.isdigit() for letter in here.text)


def test_two_things_seen_together_lie_as_surely_to_each_other() -> None:
    """What is wrong with the way from the mug to here does not matter between the mug and itself."""
    with walked(0.3, 1.0) as memory, walked(doubted=False) as exact:
        early = memory.state(2.0), exact.state(2.0)
        assert sure(early[0], q.WhereFromHere(MUG)) == pytest.approx(
            sure(early[1], q.WhereFromHere(MUG)), abs=0.05
        )


def test_who_is_lost_is_told_no_direction() -> None:
    with walked(0.002, 0.005, lost=8.0) as memory:
        told = ask(memory.state(), "where is the mug?")
        assert told.value is None
        assert "not sure enough" in told.text
        assert ask(memory.state(), "where is the lamp?").value is None
        # Before they were lost they knew.
        assert ask(memory.state(17.0), "where is the mug?").value == "back left"
        assert decide(q.RouteDirection("end"), memory.state()).confidence < 0.6


def test_the_same_doubt_gives_the_same_odds() -> None:
    with walked(0.1, 0.2) as one, walked(0.1, 0.2) as two:
        for question in (*ABOUT_THE_MUG, *ABOUT_THE_WAY):
            assert decide(question, one.state()).odds == decide(question, two.state()).odds


def test_the_way_back_is_as_sure_as_its_first_turn() -> None:
    with walked(doubted=False) as exact, walked(0.15, 0.1) as bad:
        assert sure(exact.state(), q.WayBack()) == 1.0
        assert ask(exact.state(), "which way did I come?").value
        # The way back begins where the wearer just was: that is sure however far they went before.
        assert sure(bad.state(), q.WayBack()) > 0.8 > sure(bad.state(), q.RouteDirection("end"))
        assert sure(exact.state(), q.DistanceWalked()) == 1.0
