"""A name is one name however it is spelt, wherever it comes in."""

from pathlib import Path

import pytest

from desk import frame
from situ.english import name_key
from situ.language import Memory
from situ.memory import Observation
from situ.memory.upkeep.corrections import name_object
from situ.questions.rules.wearer import full_name

FRIDGE, CUP = (2.0, -1.0, 1.2), (2.0, 0.5, 1.2)
SPELLINGS = ["Fridge", "FRIDGE", "fridges", " fridge ", "a fridge", "The  Fridges.", "fridge."]


def seen_as(spelling: str, path: str | Path = ":memory:") -> Memory:
    """A fridge that every other frame calls otherwise, in a room that it calls otherwise, too."""
    memory = Memory.create(path)
    for second in range(12):
        plain = second % 2 == 0
        seen = {"fridge" if plain else spelling: [FRIDGE], "cup": [CUP]}
        things = [o for label in seen for o in frame(0.0, {"cup": seen[label]}).observations]
        labelled = [type(o)(label, o.position, size=o.size) for o, label in zip(things, seen, strict=True)]
        memory.observe(frame(float(second), labelled, place="kitchen" if plain else "The Kitchen"))
    return memory


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_all_spellings_of_a_label_are_one_name(spelling: str) -> None:
    memory = seen_as(spelling)
    assert sorted(view.category for view in memory.state().objects()) == ["cup", "fridge"]
    assert [place.tag for place in memory.state().places()] == ["kitchen"]
    told = memory.ask("where is the fridge")
    assert told.confidence > 0.9
    assert memory.ask("how many fridges are there").value == 1


def test_what_was_said_first_is_shown_and_kept_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "m.situ"
    with Memory.create(path) as memory:
        memory.observe(frame(0.0, {"Thermos.": [CUP]}))
    with Memory.open(path) as again:
        for second in range(1, 6):
            again.observe(frame(float(second), {"thermos": [CUP]}))
        (view,) = again.state().objects()
        assert view.category == "Thermos"
        name_object(again, view.id, " the THERMOS ")
        assert [view.category for view in again.state().objects()] == ["Thermos"]
        again.forget(kind="a thermos")
        assert not len(again.state().objects())
        assert "deleted on request" in again.ask("where is the thermos").text


def test_codes_and_letters_are_names_of_their_own() -> None:
    assert len({name_key(name) for name in ["B12", "B12s", "A 12", "12", "gate S", "gate", "a", "the"]}) == 8


def test_facts_of_a_kind_are_no_adjectives() -> None:
    memory = Memory.create(":memory:")
    facts = {"color": "red", "use": "carrying things", "flat_top": "no", "room": "hall"}
    for second in range(6):
        seen = [Observation("basket", CUP, size=(0.2, 0.2, 0.2), attributes=facts)]
        memory.observe(frame(float(second), seen))
    assert full_name(next(iter(memory.state().objects()))) == "red basket"
    for sentence in ("what do you see?", "where is the basket?", "what is the nearest thing?"):
        text = memory.ask(sentence).text
        assert " red basket" in text or "The basket" in text, text
        assert not any(word in text for word in ("carrying", "no ", "hall")), text
