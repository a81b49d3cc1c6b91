"""What is put to a language model: the right things, from where one stands, and nothing from later."""

from collections.abc import Iterator

import pytest

from desk import frame
from situ.language.subgraph import best_frames, subgraph
from situ.memory import SpatialMemory
from situ.questions import RouteShape, Selector
from situ.questions.scene.egocentric import CloserToMe, WhereFromHere

THINGS = {"red cup": [(2.0, 0.0, 1.0)], "chair": [(3.0, 2.0, 0.5), (3.0, -2.0, 0.5)]}


@pytest.fixture
def memory() -> Iterator[SpatialMemory]:
    """A cup and two chairs ahead; after ten seconds the wearer turns to the right, then a lamp appears."""
    with SpatialMemory.create(":memory:") as made:
        for second in range(20):
            yaw = 0.0 if second < 10 else -90.0
            lamp = {"lamp": [(0.0, -4.0, 1.2)]} if second >= 15 else {}
            made.observe(frame(float(second), {**THINGS, **lamp}, yaw=yaw))
        yield made


def test_things_are_told_from_where_the_wearer_stands(memory: SpatialMemory) -> None:
    question = WhereFromHere(Selector("cup"))
    before = subgraph(memory.state(5.0), question).text
    after = subgraph(memory.state(12.0), question).text
    assert "red cup #" in before
    cup = {text: next(line for line in text.splitlines() if "red cup #" in line) for text in (before, after)}
    assert "front (" in cup[before]
    assert "left (90° to the left), 2.0 m away" in cup[after]
    assert "last 3 seconds ago" in cup[after]


def test_nothing_from_later_is_told(memory: SpatialMemory) -> None:
    assert "lamp" not in subgraph(memory.state(12.0)).text
    assert "lamp" in subgraph(memory.state(19.0)).text
    assert max(subgraph(memory.state(4.0)).frames) <= 4


def test_what_is_asked_about_comes_first_and_is_shown(memory: SpatialMemory) -> None:
    question = CloserToMe(Selector("chair"), Selector("lamp"))
    found = subgraph(memory.state(), question, most_objects=3)
    by_id = {view.id: view.category for view in memory.state().objects()}
    assert sorted(by_id[i] for i in found.objects) == ["chair", "chair", "lamp"]
    assert "(1 more, farther away)" in found.text
    assert any(frame >= 15 for frame in found.frames), "a frame with the lamp"
    assert any(frame < 10 for frame in found.frames), "a frame with the chairs"


def test_frames_are_shared_out_between_objects(memory: SpatialMemory) -> None:
    state = memory.state()
    assert len(best_frames(state, list(state.objects()), 2)) <= 2
    assert best_frames(state, [], 5) == ()


def test_the_way_and_the_counts_are_told_for_any_question(memory: SpatialMemory) -> None:
    text = subgraph(memory.state(), RouteShape()).text
    assert "2 chair" in text
    assert "at 0.0 s you were same location (0.0 m), facing what is now your left" in text


def test_an_empty_memory_says_so() -> None:
    with SpatialMemory.create(":memory:") as empty:
        assert "not seen anything" in subgraph(empty.state()).text
