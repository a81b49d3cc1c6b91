"""Codes tell one thing from all others; places go by their last word where one alone has it."""

import pytest

from situ import questions as q
from situ.language import Vocabulary
from situ.language.parse import parse
from situ.language.vocabulary import Ambiguous, NotSeen

STORE = Vocabulary(
    frozenset({"carton", "crate C303", "cup", "bar"}),
    frozenset({("code", "A101"), ("code", "B202"), ("colour", "Brown")}),
    None,
    frozenset({"restaurant kitchen", "north hall", "south hall", "snack bar"}),
    "north hall",
)
A101, C303 = q.Selector.make("carton", {"code": "A101"}), q.Selector.make("crate C303")


@pytest.mark.parametrize(
    ("sentence", "which"),
    [
        ("where is the A101 carton", A101),
        ("where is carton a101", A101),
        ("where is the carton with code A101", A101),
        ("where is crate C303", C303),
        ("where is the c303 crate", C303),
        ("where is the brown carton", q.Selector.make("carton", {"colour": "Brown"})),
    ],
)
def test_a_code_that_is_known_names_its_thing(sentence: str, which: q.Selector) -> None:
    assert parse(sentence, STORE).question == q.WhereFromHere(which)


@pytest.mark.parametrize(
    "sentence",
    [
        "where is the Z999 carton",
        "where is carton Z999",
        "how many Z999 cartons are there",
        "uh so the carton z999 whereabouts please",
        "show me carton number 7",
        "where is the cup 12",
        "is Z999 near the cup",
        "where is crate C304",
        "when did I last see crate c-304",
    ],
)
def test_an_unknown_code_is_no_other_thing(sentence: str) -> None:
    with pytest.raises(NotSeen):
        parse(sentence, STORE)


def test_a_place_goes_by_its_last_word() -> None:
    assert parse("where is the kitchen", STORE).question == q.WayToPlace("restaurant kitchen")
    found = parse("how many cups are in the kitchen", STORE).question
    assert found == q.CountInPlace("restaurant kitchen", q.Selector.make("cup"))
    assert parse("where is the bar", STORE).question == q.WhereFromHere(q.Selector.make("bar"))
    with pytest.raises(Ambiguous, match="north hall and a south hall"):
        parse("how many cups are in the hall", STORE)
