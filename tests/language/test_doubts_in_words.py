"""Things that may be in two places, and rooms: doubt reaches the words, and what is clear is sure."""

from collections.abc import Iterator

import pytest

from desk import frame
from situ.language import Memory

SURE = 0.9
HERE, FAR = (2.0, 0.0, 0.8), (2.0, 6.0, 0.8)


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.create(":memory:") as made:
        yield made


def watch(memory: Memory, start: int, seconds: int, **more: object) -> None:
    for second in range(start, start + seconds):
        memory.observe(frame(float(second), **more))  # type: ignore[arg-type]


def test_a_thing_that_may_be_in_two_places_is_told_with_both(memory: Memory) -> None:
    """Seen in one place, then, after the back was turned, in another: moved unseen, or a second one."""
    watch(memory, 0, 10, things={"cup": [HERE]})
    watch(memory, 10, 5, things={}, yaw=180.0)
    watch(memory, 15, 10, things={"cup": [FAR]}, at=(0.0, 6.0, 1.5))
    told = memory.ask("where is the cup")
    assert told.value == "front"
    assert told.others or told.confidence < SURE
    moved = memory.ask("has the cup been moved")
    assert moved.confidence < SURE


def test_one_place_all_along_is_sure(memory: Memory) -> None:
    watch(memory, 0, 25, things={"cup": [HERE]})
    assert memory.ask("where is the cup").confidence >= SURE
    assert not memory.ask("where is the cup").others


def test_a_thing_deep_in_a_room_is_surely_in_it(memory: Memory) -> None:
    for second in range(40):
        x = -3.0 + 6.0 * second / 39
        place = "kitchen" if x < 0 else "hallway"
        memory.observe(
            frame(float(second), {"cup": [(-2.5, 1.5, 0.8)]}, at=(x, 0.0, 1.5), yaw=90.0, place=place)
        )
    told = memory.ask("which room is the cup in")
    assert told.value == "kitchen"
    assert told.confidence >= SURE
