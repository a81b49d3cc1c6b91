"""Places in phrases: a flat of two rooms whose names the wearer was told."""

from collections.abc import Iterator

import numpy as np
import pytest

from desk import frame
from scenes import solid_record, state_of
from situ.language import Memory, Vocabulary, ask, verify
from situ.questions.rules.places import Places

KITCHEN, BEDROOM = (0.0, 0.0, 1.5), (8.0, 0.0, 1.5)
FLAT = Vocabulary(
    frozenset({"cup", "lamp", "chair"}),
    frozenset({("colour", "red")}),
    None,
    frozenset({"kitchen", "living room"}),
    "kitchen",
)


@pytest.mark.parametrize(
    "sentence", ["where is the cup in the attic", "what is in the attic", "how many cups are in the attic"]
)
def test_an_unknown_place_is_said_to_be_unknown(flat: Memory, sentence: str) -> None:
    assert "do not know a place called attic" in flat.ask(sentence).text


@pytest.fixture(scope="module")
def flat() -> Iterator[Memory]:
    """A cup and two chairs in the kitchen, a cup and a lamp in the bedroom eight metres on."""
    kitchen = {"red cup": [(2.0, 0.5, 1.0)], "chair": [(1.5, -1.0, 0.5), (2.0, 1.5, 0.5)]}
    bedroom = {"blue cup": [(9.5, 0.0, 1.0)], "lamp": [(9.8, 1.0, 1.2)]}
    with Memory.create(":memory:") as memory:
        for second in range(12):
            sway = (KITCHEN[0], 0.3 * (second % 3), 1.5)
            memory.observe(frame(float(second), kitchen, at=sway, place="kitchen"))
        for second in range(12, 24):
            sway = (BEDROOM[0], 0.3 * (second % 3), 1.5)
            memory.observe(frame(float(second), bedroom, at=sway, place="bedroom"))
        yield memory


@pytest.mark.parametrize(
    ("sentence", "value", "text"),
    [
        ("which room is the lamp in", "bedroom", "The lamp is in the bedroom, seen just now."),
        ("how many chairs are in the kitchen", 2, "2 chairs in the kitchen, as far as I know."),
        ("how many chairs are in the bedroom", 0, "No chairs in the bedroom, as far as I know."),
        ("how many cups are in the bedroom", 1, "1 cup in the bedroom, as far as I know."),
        (
            "what is in the kitchen",
            "a red cup, 2 chairs",
            "In the kitchen: a red cup (behind you, 6.0 m away) and 2 chairs (the nearest behind you, 6.0 m "
            "away).",
        ),
        ("is there a lamp in the kitchen", "no", "No, there is no lamp in the kitchen, as far as I know."),
        ("is the lamp in the bedroom", "yes", "Yes, the lamp is in the bedroom, seen just now."),
        ("which room am I in", "bedroom", "You are in the bedroom."),
    ],
)
def test_the_memory_knows_its_rooms(flat: Memory, sentence: str, value: object, text: str) -> None:
    told = flat.ask(sentence)
    assert told.value == value
    assert told.text == text
    assert told.certificate is not None
    assert verify(told.certificate, flat.state(told.certificate.at, told.certificate.known_at)).holds


def test_the_cup_in_the_kitchen_is_not_the_one_in_the_bedroom(flat: Memory) -> None:
    behind = flat.ask("where is the cup in the kitchen")
    assert behind.value == "back"
    assert behind.distance_m is not None
    assert behind.distance_m[0] > 5.0
    assert flat.ask("where is the cup in the bedroom").value == "front"
    assert flat.ask("where is the kitchen").value == "back"
    assert flat.ask("when did I last see the cup in the kitchen").value == 11.0
    assert flat.ask("when did I last see the cup").value == 23.0
    told = flat.ask("where is the lamp in the kitchen")
    assert told.value is None
    assert "I have not seen a lamp in the kitchen" in told.text


def test_a_place_that_was_entered_later_is_not_known_before(flat: Memory) -> None:
    early = flat.ask("which room am I in", at=5.0)
    assert early.value == "kitchen"
    assert "do not know a place called bedroom" in flat.ask("what is in the bedroom", at=5.0).text


def test_far_from_all_places_is_in_none_of_them(flat: Memory) -> None:
    places = Places.of(flat.state())
    far, near = places.locate([(4.0, 30.0, 1.0), (0.5, 0.5, 1.0)]).place.tolist()
    assert far == -1
    assert places.nodes[near].tag == "kitchen"


def test_a_spot_is_in_the_same_room_whatever_else_is_asked(flat: Memory) -> None:
    x, y = np.meshgrid(np.linspace(-6.0, 16.0, 45), np.linspace(-5.0, 5.0, 31))
    points = np.column_stack([x.ravel(), y.ravel()])  # more than are worked on at once
    together = Places.of(flat.state()).locate(points)
    assert {*together.place.tolist()} == {-1, 0, 1}
    for k in range(0, len(points), 7):
        alone = Places.of(flat.state()).locate(points[k])
        assert alone.place[0] == together.place[k]
        assert alone.margin[0] == together.margin[k]


def test_two_rooms_of_one_name_are_two_rooms() -> None:
    """Bedrooms at both ends of a flat: the one meant is where the wearer is, else the one they left last."""
    with Memory.create(":memory:") as memory:
        for second in range(36):
            x, name = ((0.0, "bedroom"), (10.0, "bedroom"), (20.0, "kitchen"))[second // 12]
            colours = (("red",), ("blue", "green"), ("white",))[second // 12]
            lamps = {f"{colour} lamp": [(x + 1.0, 1.0 - k, 1.0)] for k, colour in enumerate(colours)}
            sway = (x, 0.3 * (second % 3), 1.5)
            memory.observe(frame(float(second), lamps, at=sway, place=name))
        assert len({place.id for place in memory.state().places() if place.tag == "bedroom"}) == 2
        asked = "how many lamps are in the bedroom"
        assert [memory.ask(asked, at=at).value for at in (8.0, 20.0, 35.0)] == [1, 2, 2]
        assert memory.ask("what is in the bedroom", at=35.0).value == "a blue lamp, a green lamp"
        assert memory.ask("is there a lamp in the bedroom").value == "yes"
        way = memory.ask("where is the bedroom")
        assert way.value == "back"
        assert way.certificate is not None
        assert way.certificate.numbers["distance_m"] == pytest.approx(10.0, abs=0.5)


def test_truth_without_places_says_so() -> None:
    truth = state_of([solid_record(1, "red", "cone")], {1: {0: 1.0}})
    assert "not been told the name of any place" in ask(truth, "which room is the cone in").text
    assert "not been told the name of any place" in ask(truth, "what is in the kitchen").text
