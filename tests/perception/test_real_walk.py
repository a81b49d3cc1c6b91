"""The real walk: a few clicks, the path from pictures and depth alone, and questions at its end."""

import re

import numpy as np
import pytest

from real_data import real_data
from situ.geometry.heading import Heading, sector
from situ.language import Memory
from situ.memory.sink import MemorySink
from situ.perception.pipeline import Watch
from situ.perception.plan import WatchPlan, prepare

WORDS = {"right": "to your right", "front right": "ahead to your right"}
CLICKS = "label,frame,x,y\ncardboard box,4,205,265\npaper cup,24,345,180\nfruit basket,44,210,140\n"


def asked_at_the_end(tmp_path, estimate: bool):
    """Bearing, distance and answer for each thing, at the end of the walk."""
    (tmp_path / "clicks.csv").write_text(CLICKS)
    plan = WatchPlan(
        real_data("hololens_walk"),
        fps=10.0,
        pose_fps=30.0,
        estimate_poses=estimate,
        labels=tmp_path / "clicks.csv",
    )
    source, stages = prepare(plan)
    with Memory.create(":memory:") as memory:
        Watch(source, stages, MemorySink(memory), plan.fps).run()
        state = memory.state()
        here, found = Heading.of(state.pose), {}
        for thing in state.objects():
            if thing.category != "object":
                told = memory.ask(f"where is the {thing.category} from here?")
                centre = thing.box.center
                said = re.search(r"is ([a-z ]+), [\d.]+ m away", told.text)  # or guessed
                assert said is not None, told.text
                found[thing.category] = (here.bearing_deg(centre), here.ground_distance(centre), said[1])
        return found


@pytest.mark.real
@pytest.mark.slow
def test_answers_at_the_end_are_those_of_the_true_poses(tmp_path) -> None:
    true, mine = (asked_at_the_end(tmp_path, estimate) for estimate in (False, True))
    assert set(true) == set(mine) == {"cardboard box", "paper cup", "fruit basket"}
    for name, (bearing, distance, answer) in true.items():
        assert answer == mine[name][2] == WORDS[sector(bearing)]
        assert abs(bearing - mine[name][0]) < 6.0
        assert abs(distance - mine[name][1]) < 0.08 * distance
    # What the pictures show: all of it lies to the right of the last view, the box farthest round.
    assert true["cardboard box"][0] > true["paper cup"][0] > 0
    assert np.isclose(true["cardboard box"][1], 5.6, atol=0.3)
