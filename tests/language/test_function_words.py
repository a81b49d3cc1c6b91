"""Words that turn a meaning round are used or refused, however a sentence is read, and never respelt."""

import pytest

from situ import questions as q
from situ.language import Vocabulary
from situ.language.function_words import FUNCTION_WORDS
from situ.language.parse import LeftOut, OutsideMemory, grammar_words, parse
from situ.language.spelling import corrections, second_guesses
from situ.language.vocabulary import NotSeen

THINGS = ("fridge", "sink", "cup", "phone", "box", "chair", "umbrella", "no entry sign")
FLAT = Vocabulary(
    frozenset(THINGS), frozenset({("color", "red")}), None, frozenset({"kitchen", "hall"}), "kitchen"
)
CUP = q.Selector.make("cup")


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("what can't I reach", "not"),
        ("which boxes are not red", "not"),
        ("which rooms have I not been to", "not"),
        ("what is not in the kitchen", "not"),
        ("which cup have I never moved", "never"),
        ("is there no cup", "no"),
        ("how many cups did nobody move", "nobody"),
        ("what is neither in front of me nor behind me", "neither"),
        ("what is in the kitchen except the cup", "except"),
        ("take me anywhere but the kitchen", "but"),
        ("is there a fridge or a sink", "or"),
        ("where is the phone or the cup", "or"),
        ("uh the phone or the cup, any idea where", "or"),
        ("are all chairs red", "all"),
        ("is every chair in the kitchen", "every"),
        ("can I reach both cups", "both"),
        ("are most of the chairs in the kitchen", "most"),
        ("are there only two cups", "only"),
        ("not the phone, the cup: where is it", "not"),
    ],
)
def test_a_word_that_no_reading_uses_is_refused_by_name(sentence: str, word: str) -> None:
    with pytest.raises(LeftOut, match=f"do not understand what '{word}' changes"):
        parse(sentence, FLAT)


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("isn't the cup in the kitchen", q.IsIn("kitchen", CUP)),
        ("the cup is in the kitchen, isn't it", q.IsIn("kitchen", CUP)),
        ("didn't I leave the cup in the kitchen", q.IsIn("kitchen", CUP)),
        ("I can't find my cup", q.WhereFromHere(CUP)),
        ("where are all the cups", q.AllOf(CUP)),
        ("how many cups are there in all", q.CountNow(CUP)),
        ("which is closer, the cup or the sink", q.CloserToMe(CUP, q.Selector.make("sink"))),
        ("is the cup on my left or on my right", q.SideOfMe(CUP)),
        ("where is the no entry sign", q.WhereFromHere(q.Selector.make("no entry sign"))),
    ],
)
def test_a_word_that_a_reading_uses_is_answered(sentence: str, question: q.base.Question) -> None:
    assert parse(sentence, FLAT).question == question


def test_function_words_are_never_respelt() -> None:
    names = frozenset({"nog", "ore", "nit", "moth", "hall"})  # each a slip away from some
    for word in sorted(FUNCTION_WORDS):
        assert corrections(f"what {word} cup", grammar_words(), names) == [f"what {word} cup"]
        for guess in second_guesses(f"xx {word} yy", grammar_words(), names):
            assert guess.split(" ")[1] == word
    assert not any(
        "not" in guess.split(" ") for guess in second_guesses("nit here", grammar_words(), FLAT.words)
    )


def test_names_of_things_are_never_out_of_scope() -> None:
    assert parse("where is my umbrella", FLAT).question == q.WhereFromHere(q.Selector.make("umbrella"))
    for name in ("kettle", "coat", "tablet", "calendar", "medicine", "battery"):
        with pytest.raises(NotSeen):
            parse(f"where did I put my {name}", FLAT)
    with pytest.raises(OutsideMemory):
        parse("will it rain later", FLAT)
