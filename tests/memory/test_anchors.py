from pathlib import Path

import numpy as np

from situ.geometry.pose import camera_pose
from situ.memory import Observation, ObservedFrame, SpatialMemory
from situ.memory.reading.places import Anchors
from situ.memory.reading.state import MemoryState
from situ.questions.rules.places import Places


def test_where_the_wearer_walked_later_tells_nothing_about_then() -> None:
    memory = SpatialMemory.create(":memory:")
    for second in range(20):
        place, x = ("kitchen", 0.0) if second < 10 else ("hall", 3.0)
        seen = (Observation("cup", (x + 1.0, 0.0, 1.0)),)
        memory.observe(
            ObservedFrame(float(second), camera_pose((x, 0.0, 1.6), 0.0), observations=seen, place=place)
        )

    def spots_in_the_hall(last: int) -> int:
        state = memory.state(float(last))
        found = Anchors(memory.history, last, float(last), float(last), state.objects())
        return len(found.near(np.array([[3.0, 0.0]]), 0.5).spots)

    assert spots_in_the_hall(9) == 0
    assert spots_in_the_hall(19) > 0


def two_rooms() -> SpatialMemory:
    """A walk through two rooms beside each other, and things all over them."""
    rng, memory = np.random.default_rng(5), SpatialMemory.create(":memory:")
    things = [
        (f"thing {k}", (float(x), float(y), 1.0)) for k, (x, y) in enumerate(rng.uniform(-3, 9, (60, 2)))
    ]
    for second in range(60):
        x, y = 0.1 * second, float(np.sin(second))
        seen = tuple(Observation(name, at) for name, at in things if np.hypot(at[0] - x, at[1] - y) < 4.0)
        place = "kitchen" if x < 3.0 else "hall"
        memory.observe(
            ObservedFrame(float(second), camera_pose((x, y, 1.6), 0.0), observations=seen, place=place)
        )
    return memory


def test_the_last_of_many_objects_is_the_last_of_each() -> None:
    state = two_rooms().state(40.0)
    for view in state.objects():
        seen = state.sightings(view.id)
        assert seen[-1] == list(seen)[-1]


def test_the_place_of_a_point_is_that_of_the_nearest_spot() -> None:
    state = two_rooms().state()
    places, anchors = Places.of(state), state.place_anchors()
    assert anchors is not None
    points = np.random.default_rng(3).uniform(-6, 12, (200, 2))
    known = anchors.near(points, 30.0)
    gaps = np.hypot(*(points[:, None] - known.spots).transpose(2, 0, 1)) + known.doubt_m
    numbers = [node.id for node in state.places()]
    for place, row in zip(places.locate(points).place.tolist(), gaps, strict=True):
        nearest = int(row.argmin())
        assert place == (numbers.index(int(known.places[nearest])) if row[nearest] <= 3.0 else -1)
    assert {*places.locate(points).place.tolist()} == {-1, 0, 1}


def test_who_reads_while_another_writes_knows_from_where_things_were_seen_by_now(tmp_path: Path) -> None:
    """A lamp between two rooms is in the one from which it was seen best since it came there."""

    def watch(writer: SpatialMemory, start: int, place: str, x: float) -> None:
        for second in range(start, start + 12):
            pose = camera_pose((x, 0.0, 1.6), 0.0)
            seen = (Observation("lamp", (2.0, 3.0 if start else 0.0, 1.0)),)
            writer.observe(ObservedFrame(float(second), pose, observations=seen, place=place))
        writer.commit()

    def spots(memory: SpatialMemory) -> list[tuple[float, float, int]]:
        anchors = memory.state().place_anchors()
        assert anchors is not None
        known = anchors.near(np.array([[2.0, 1.5]]), 9.0)
        return [(x, y, k) for (x, y), k in zip(known.spots.tolist(), known.places.tolist(), strict=True)]

    with SpatialMemory.create(tmp_path / "m.situ") as writer:
        watch(writer, 0, "kitchen", 0.0)
        reader = SpatialMemory.open(tmp_path / "m.situ", read_only=True)
        before = spots(reader)
        watch(writer, 60, "hall", 2.5)
        after = spots(reader)
        assert after == spots(SpatialMemory.open(tmp_path / "m.situ", read_only=True)) == spots(writer)
        assert {k for _, _, k in before} < {k for _, _, k in after}
        reader.close()


def test_a_thing_seen_through_a_door_now_and_then_is_in_the_room_it_was_seen_from_mostly() -> None:
    """A bin just behind the door: now and then it is seen from the bedroom, and at no great distance."""

    def state(from_bedroom: int) -> MemoryState:
        memory = SpatialMemory.create(":memory:")
        for second in range(40):
            place, x = ("bedroom", -1.0) if second < from_bedroom else ("kitchen", 1.2)
            seen = (Observation("bin", (0.2, 0.0, 0.3)),)
            pose = camera_pose((x, 0.1 * (second % 5), 1.6), 180.0 if x > 0 else 0.0)
            memory.observe(ObservedFrame(float(second), pose, observations=seen, place=place))
        return memory.state()

    def doubt(seen: MemoryState) -> tuple[str, float]:
        places = Places.of(seen)
        found = places.locate([next(iter(seen.objects())).box.center])
        return places.nodes[int(found.place[0])].tag, float(found.surely[0])

    assert doubt(state(20))[0] == "kitchen"
    assert doubt(state(20))[1] < 0.95, "some have seen it from the other side"
    assert doubt(state(0)) == ("kitchen", 1.0)
