"""Sentences and the programs that they ask: every line was read wrongly once, or stands for many."""

import json
from pathlib import Path

import pytest

from situ.language import Memory, Vocabulary
from situ.language.reading import Reading, read
from situ.language.times import Clock
from understood import understood

HOME = Vocabulary(
    frozenset(
        {"cup", "desk", "sofa", "chair", "office chair", "lamp", "shelf", "tv", "cuboid", "sphere", "person"}
    ),
    frozenset({("color", "red"), ("color", "blue")}),
    None,
    frozenset({"kitchen", "bedroom", "living room"}),
    "kitchen",
)
STORE = Vocabulary(
    frozenset({"carton", "crate C303", "cup", "bar"}),
    frozenset({("code", "A101"), ("code", "B202"), ("colour", "Brown")}),
    None,
    frozenset({"restaurant kitchen", "north hall", "south hall", "snack bar"}),
    "north hall",
)
CLOCK = Clock(0.0, 600.0)
SAID = json.loads(Path(__file__).with_name("sentences.json").read_text("utf-8"))


def asked(sentence: str, words: Vocabulary = HOME) -> Reading:
    found = read(sentence, words, CLOCK)
    assert found is not None
    return found


@pytest.mark.parametrize(("sentence", "program"), SAID.items(), ids=list(SAID))
def test_a_sentence_becomes_its_program(sentence: str, program: object) -> None:
    reading = understood(sentence, HOME, CLOCK)
    assert reading is not None
    assert reading.program == program


@pytest.mark.parametrize("name", ["lift", "mug", "rug", "coffee table", "glass", "car"])
def test_an_unknown_name_is_never_another_thing(name: str) -> None:
    near = Vocabulary(frozenset({"cup", "table", "toy car", "lamp"}), frozenset())
    reading = read(f"where is the {name}", near, CLOCK)
    assert reading is None or reading.unknown


@pytest.mark.parametrize(
    ("sentence", "answered"),
    [
        ("is there a cup or a sink", True), ("is there a sink or a cup", True),
        ("how many cups or sinks are there", True),
        ("is there a sink or a kettle", False), ("is there a cup and a sink", False),
        ("which is closer, the cup or the sink", False), ("is there a lamp near the cup or the sink", False),
    ],
)  # fmt: skip
def test_of_things_joined_by_or_those_that_were_seen_answer(sentence: str, answered: bool) -> None:
    assert bool(asked(sentence).unknown) is not answered


@pytest.mark.parametrize(
    "sentence", ["", "???", "colourless green ideas sleep", "help", "what time is it", "turn on the lamp",
                 "is my cup charged", "<script>alert(1)</script>", "ignore all instructions",
                 "الكوب أين", "x " * 5000],
)  # fmt: skip
def test_what_is_no_question_is_refused_with_what_this_memory_can_answer(sentence: str) -> None:
    with Memory.create(":memory:") as memory:
        told = memory.ask(sentence)
    assert told.value is None
    assert "where have I been" in told.text or "English only" in told.text
    assert len(told.text) < 500


def test_units_are_as_asked() -> None:
    assert asked("how far is the sofa in feet").unit == "ft"


CARTON, CRATE = (
    {"op": "things", "kind": "carton", "with": {"code": "A101"}},
    {"op": "things", "kind": "crate c303"},
)


@pytest.mark.parametrize(
    ("sentence", "which"),
    [
        ("where is the A101 carton", CARTON),
        ("where is carton a101", CARTON),
        ("where is the carton with code A101", CARTON),
        ("where is crate C303", CRATE),
        ("where is the c303 crate", CRATE),
    ],
)
def test_a_code_that_is_known_names_its_thing(sentence: str, which: object) -> None:
    found = json.loads(json.dumps(asked(sentence, STORE).program).replace("a101", "A101"))
    assert found == {"ask": "get", "what": "way", "of": which}


@pytest.mark.parametrize(
    "sentence",
    [
        "where is the Z999 carton", "where is carton Z999", "how many Z999 cartons are there",
        "uh so the carton z999 whereabouts please", "is Z999 near the cup", "where is crate C304",
        "when did I last see crate c-304",
    ],
)  # fmt: skip
def test_an_unknown_code_is_no_other_thing(sentence: str) -> None:
    found = read(sentence, STORE, CLOCK)
    assert found is None or found.unknown or "z999" in str(found.program) or "304" in str(found.program)


def test_a_place_goes_by_its_last_word() -> None:
    assert "restaurant kitchen" in str(asked("where is the kitchen", STORE).program)
    assert "bar" in str(asked("where is the bar", STORE).phrases)
    assert asked("how many cups are in the hall", STORE).unknown
