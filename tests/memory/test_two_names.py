"""A thing that the eyes call now this, now that, is one; two things are two, whatever they are called."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desk import frame
from situ.memory import SpatialMemory
from situ.perception import Observation

SPOT = (2.0, 0.0, 1.0)


def with_a_use(label: str, use: str, top: str, look: tuple[float, ...]) -> list[Observation]:
    """A thing with attributes that go with its name, as eyes know them, and a look that does not."""
    told, size = {"use": use, "flat_top": top}, (0.2, 0.2, 0.05)
    return [Observation(label, SPOT, size=size, attributes=told, embedding=np.array(look, np.float32))]


def watched(calls: list, **view: float) -> SpatialMemory:
    """What a wearer who stands still is told of, a look of three seconds each, with a glance away between."""
    memory, time = SpatialMemory.create(":memory:"), 0.0
    for things in calls:
        for _ in range(3):
            memory.observe(frame(time, things, **view))  # type: ignore[arg-type]
            time += 1.0
        memory.observe(frame(time + 4.0, {}, yaw=180.0))
        time += 10.0
    return memory


def things_in(memory: SpatialMemory) -> list[str]:
    return sorted(view.category for view in memory.state().objects() if view.presence > 0.5)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.booleans(), min_size=3, max_size=9))
def test_one_thing_under_two_names_is_one_once_the_first_is_heard_again(as_book: list[bool]) -> None:
    """However often it is called which; the name that was heard more often is its name."""
    names = ["book" if book else "plate" for book in [True, False, *as_book]]
    if "book" not in names[2:]:
        names.append("book")
    memory = watched([{name: [SPOT]} for name in names])
    found = things_in(memory)
    assert len(found) == 1, names
    if names.count("book") != names.count("plate"):
        assert found == [max(("book", "plate"), key=names.count)]
    state = memory.state()
    (thing,) = (view for view in state.objects() if view.presence > 0.5)
    assert len(state.sightings(thing.id)) == 3 * len(names)  # nothing that was seen is lost


@pytest.mark.parametrize(("second_look", "count"), [((1.0, 0.1), 1), ((0.0, 1.0), 2)])
def test_names_that_bring_other_attributes_are_of_one_thing_if_it_looks_the_same(
    second_look: tuple[float, ...], count: int
) -> None:
    """Where no depth tells that the one is not there while the other is."""
    book = with_a_use("book", "reading", "yes", (1.0, 0.0))
    plate = with_a_use("plate", "eating", "no", second_look)
    assert len(things_in(watched([book, plate], wall=1.0))) == 2  # one was put there in place of the other
    assert len(things_in(watched([book, plate, book], wall=1.0))) == count


@pytest.mark.parametrize("apart_m", [0.3, 0.5])
def test_two_things_that_are_never_in_one_picture_are_two(apart_m: float) -> None:
    beside = (SPOT[0], SPOT[1] + apart_m, SPOT[2])
    memory = watched([{"book": [SPOT]}, {"plate": [beside]}] * 3)
    assert things_in(memory) == ["book", "plate"]


def test_two_things_that_were_in_one_picture_are_two() -> None:
    on_top = (SPOT[0], SPOT[1], SPOT[2] + 0.06)
    both = {"laptop": [SPOT], "plate": [on_top]}
    memory = watched([both, {"laptop": [SPOT]}, {"plate": [on_top]}, {"laptop": [SPOT]}, both])
    assert things_in(memory) == ["laptop", "plate"]


def test_what_was_said_before_stays_as_it_was() -> None:
    memory = watched([{"book": [SPOT]}, {"plate": [SPOT]}])
    before = memory.state().now
    told = [(view.id, view.category) for view in memory.state().objects()]
    time = before + 10.0
    for _ in range(3):
        memory.observe(frame(time, {"book": [SPOT]}))
        time += 1.0
    assert [(view.id, view.category) for view in memory.state(before).objects()] == told
    assert len(things_in(memory)) == 1
    assert np.isfinite(memory.state().objects()[0].box.center).all()
