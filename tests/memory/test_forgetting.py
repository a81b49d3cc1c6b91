"""What is forgotten on request leaves no byte in the file; everything else is as it was."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from desk import frame
from situ.errors import BadInput
from situ.language import Memory
from situ.memory import Forgetting, MemoryOptions, Observation
from situ.memory.upkeep.inspection import inspect

LOOK = np.linspace(0.123, 0.987, 64).astype(np.float32)
PICTURE = b"picture with a passport " * 20
OTHER_PICTURE = b"picture with no such thing " * 20
LABELS = ("passport", "cup", "lamp", "person", "vase")


def feed(memory: Memory, seconds: range) -> None:
    """A cup and a lamp all the time; a passport, a vase and somebody from 20 to 40 s, in the study."""
    for second in seconds:
        seen = [Observation("cup", (2.0, -0.5, 1.2)), Observation("lamp", (3.0, 0.2, 1.8))]
        private = 20 <= second < 40
        if private:
            seen += [
                Observation("passport", (2.0, 0.8, 1.0), attributes={"holder": "Zbigniew"}, embedding=LOOK),
                Observation("person", (3.5, -1.0, 1.3), attributes={"name": "Wilhelmina"}),
                Observation("vase", (2.5, 1.2, 1.0)),
            ]
        observed = frame(float(second), seen, place="study" if private else "hall")
        memory.observe(replace(observed, thumbnail=PICTURE if private else OTHER_PICTURE))


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    memory = Memory.create(tmp_path / "m.situ", MemoryOptions(chunk_frames=16))
    feed(memory, range(60))
    memory.commit()
    yield memory
    memory.close()


def look_of(memory: Memory) -> bytes:
    """The appearance of the passport as it is stored."""
    number = next(view.id for view in memory.state().objects() if view.category == "passport")
    return memory.working.embeddings[number].tobytes()


def categories(memory: Memory, at: float | None = None) -> list[str]:
    return sorted(view.category for view in memory.state(at).objects())


def bytes_of(memory: Memory) -> bytes:
    folder = Path(memory.path).parent
    return b"".join(file.read_bytes() for file in folder.iterdir() if not file.name.endswith("-shm"))


def others(memory: Memory, without: str) -> list[tuple[object, ...]]:
    state = memory.state(at=memory.now)
    return [
        (view.id, view.category, view.box, view.presence, tuple(state.sightings(view.id)))
        for view in state.objects()
        if view.category != without
    ]


def test_what_is_looked_for_is_there_before(memory: Memory) -> None:
    """The search below finds what is there."""
    look = look_of(memory)
    memory.commit()
    memory.store.fold()
    data = bytes_of(memory)
    for wanted in (b"passport", b"Zbigniew", b"Wilhelmina", b"study", PICTURE, look):
        assert wanted in data


@pytest.mark.parametrize("by", ["thing", "kind", "person"])
def test_a_forgotten_thing_leaves_no_byte(memory: Memory, by: str) -> None:
    number = next(view.id for view in memory.state().objects() if view.category == "passport")
    before, look = others(memory, "passport"), look_of(memory)
    request: dict[str, dict[str, object]] = {
        "thing": {"thing": number}, "kind": {"kind": "Passport"}, "person": {"person": "Zbigniew"},
    }  # fmt: skip
    erased = memory.forget(**request[by])  # type: ignore[arg-type]
    assert (erased.things, erased.complete) == (1, True)
    data = bytes_of(memory)
    for gone in (b"passport", b"Zbigniew", PICTURE, look, look[:32]):
        assert gone not in data
    assert b"Wilhelmina" in data
    assert OTHER_PICTURE in data
    assert others(memory, "passport") == before
    assert "passport" not in categories(memory, 30.0)
    assert inspect(memory) == []
    if by != "person":
        assert "deleted on request" in memory.ask("where is the passport?").text
        assert "deleted on request" in memory.ask("how many passports are there?", at=30.0).text
    assert "lift" in memory.ask("where is the lift?").text
    assert "deleted" not in memory.ask("where is the lift?").text


def test_others_of_a_name_are_still_answered(memory: Memory) -> None:
    for second in range(60, 70):
        memory.observe(
            frame(float(second), {"cup": [(2.0, -0.5, 1.2), (2.5, 1.0, 1.2)], "lamp": [(3.0, 0.2, 1.8)]})
        )
    first, second_cup = (v.id for v in memory.state().objects() if v.category == "cup")
    memory.forget(thing=first)
    assert [v.id for v in memory.state().objects() if v.category == "cup"] == [second_cup]
    assert "deleted" not in memory.ask("where is the cup?").text


@pytest.mark.parametrize("by", ["place", "span"])
def test_a_forgotten_span_leaves_no_byte(memory: Memory, by: str) -> None:
    look = look_of(memory)
    erased = memory.forget(place="study") if by == "place" else memory.forget(start=20.0, stop=39.5)
    assert (erased.things, erased.frames) == (3, 20)
    data = bytes_of(memory)
    for gone in (b"passport", b"Zbigniew", b"Wilhelmina", b"study", b"vase", PICTURE, look):
        assert gone not in data
    assert categories(memory) == categories(memory, 10.0) == ["cup", "lamp"]
    state = memory.state()
    for view in state.objects():
        times = [sighting.time for sighting in state.sightings(view.id)]
        assert [time for time in times if 20.0 <= time < 40.0] == []
        assert len(times) == 40
    assert inspect(memory) == []
    assert "deleted on request" in memory.ask("where is the cup?", at=30.0).text
    assert "deleted on request" in memory.ask("where is the passport?").text
    assert "deleted" not in memory.ask("where is the cup?").text
    assert "deleted" not in memory.ask("where is the cup?", at=10.0).text
    if by == "place":
        assert "deleted on request" in memory.ask("where is the study?").text


def test_what_moved_in_a_forgotten_span_and_was_not_seen_since_is_where_it_was(tmp_path: Path) -> None:
    memory = Memory.create(tmp_path / "m.situ", MemoryOptions(chunk_frames=16))
    for second in range(20):
        memory.observe(frame(float(second), {"cup": [(2.0, -0.5, 1.2)], "lamp": [(3.0, 0.2, 1.8)]}))
    for second in range(20, 40):
        memory.observe(frame(float(second), {"cup": [(2.5, 1.0, 1.2)], "lamp": [(3.0, 0.2, 1.8)]}))
    memory.forget(start=20.0)
    for opened in (memory, Memory.open(tmp_path / "m.situ", read_only=True)):
        cup = next(view for view in opened.state().objects() if view.category == "cup")
        assert cup.box.center == pytest.approx((2.0, -0.5, 1.2), abs=0.05)
    memory.commit()
    assert inspect(memory) == []
    memory.observe(frame(41.0, {"cup": [(2.0, -0.5, 1.2)], "lamp": [(3.0, 0.2, 1.8)]}))
    assert categories(memory) == ["cup", "lamp"]


@pytest.mark.parametrize(
    "span", [{"start": None, "stop": 25.0}, {"start": 35.0}, {"start": -9.0, "stop": 999.0}]
)
def test_the_first_and_the_last_frames_can_be_forgotten_and_the_memory_goes_on(
    memory: Memory, span: dict[str, float]
) -> None:
    path = memory.path
    memory.forget(**span)  # type: ignore[arg-type]
    feed(memory, range(60, 75))
    assert {"cup", "lamp"} <= set(categories(memory))
    memory.commit()
    assert inspect(memory) == []
    assert len(memory.state().path.times) == 15 + sum(
        not (span.get("start") or -1e9) <= second <= span.get("stop", 1e9) for second in range(60)
    )
    memory.commit()
    memory.close()
    with Memory.open(path) as again:
        assert again.frames == 75
        assert "deleted" not in again.ask("where is the cup?").text
        assert inspect(again) == []


def test_a_request_that_means_nothing_changes_nothing(memory: Memory) -> None:
    memory.commit()
    memory.store.fold()
    before = Path(memory.path).read_bytes()
    backwards, two = {"start": 5.0, "stop": 1.0}, {"kind": "cup", "thing": 1}
    for request in ({}, {"thing": 99}, {"kind": "lift"}, {"person": "x"}, {"place": "x"}, backwards, two):
        with pytest.raises(BadInput):
            memory.forget(**request)  # type: ignore[arg-type]
    memory.store.fold()
    assert len(Path(memory.path).read_bytes()) == len(before)
    assert "passport" in categories(memory, 39.0)


def test_beyond_the_horizon_nothing_is_denied(tmp_path: Path) -> None:
    options = MemoryOptions(chunk_frames=8, forgetting=Forgetting(30.0, keep_every=5))
    with Memory.create(tmp_path / "m.situ", options) as memory:
        feed(memory, range(120))
    with Memory.open(tmp_path / "m.situ", read_only=True) as memory:
        for question in ("where is the passport?", "how many cups are there?", "did you see a lamp?"):
            assert "no longer remember" in memory.ask(question, at=30.0).text
        assert "no longer" not in memory.ask("where is the cup?").text
        assert "no longer" not in memory.ask("where is the cup?", at=110.0).text


def test_a_thing_is_forgotten_by_how_it_is_described() -> None:
    memory = Memory.create(":memory:")
    cups = {"blue cup": [(2.0, -0.5, 1.2)], "red cup": [(2.0, 0.8, 1.2)]}
    for second in range(8):
        memory.observe(frame(float(second), cups))
    with pytest.raises(BadInput, match="nothing called 'green cup'"):
        memory.forget(kind="green cup")
    assert memory.forget(kind="blue cups").things == 1
    assert "deleted on request" in memory.ask("where is the blue cup").text
    assert "deleted" not in memory.ask("where is the red cup").text
    for second in range(8, 16):
        memory.observe(frame(float(second), {**cups, "blue cup": [(2.4, -1.5, 1.2)]}))
    assert "deleted" not in memory.ask("where is the blue cup").text  # another one


@pytest.mark.parametrize("by", ["place", "span"])
def test_deleted_time_is_said_to_be_deleted_and_belongs_to_no_visit(memory: Memory, by: str) -> None:
    memory.forget(place="study") if by == "place" else memory.forget(start=20.0, stop=39.5)
    for sentence in ("where was I at 30 s", "where was I 29 seconds ago"):
        told = memory.ask(sentence)
        assert told.value is None
        assert "deleted on request" in told.text
    assert memory.ask("where was I at 10 s").value == "hall"
    assert memory.ask("how often was I in the hall").value == 2
    assert memory.ask("how long was I in the hall").value == pytest.approx(38.0, abs=1.0)  # not 59 in one go
