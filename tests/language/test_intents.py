"""What was learnt from examples: names do not matter to it, and no name is ever taken for another."""

import numpy as np
import pytest
from benchmarks.ask_corpus import wordings
from benchmarks.ask_intents import COLOURS, FILES, NOW, ROOMS, THINGS, drawn, filled, same, vocabulary_of

from situ import questions as q
from situ.errors import Unanswerable
from situ.language.intents import classifier, features_of, readings
from situ.language.kind import KINDS
from situ.language.parse import Clock, NotUnderstood, heard, parse
from situ.questions.select import Selector

CLOCK = Clock(0.0, NOW)
HOME = vocabulary_of("kitchen")
LAMP = Selector.make("lamp")
UNHEARD = ("xylophone", "harpoon", "canoe", "zebra")
# Sentences that neither a phrase nor a cue reads.
SAID = [
    ("I could have sworn I left the lamp right here", q.WhereFromHere(LAMP)),
    ("last sighting of lamp?", q.SeenWhen(LAMP)),
    ("where did I come from just now, which room", q.PlaceBefore()),
    ("how do I retrace my steps to the start", q.WayBack()),
    ("is this my first time in this spot", q.BeenHere()),
]


@pytest.mark.parametrize(("sentence", "question"), SAID, ids=[sentence for sentence, _ in SAID])
def test_a_sentence_without_phrase_or_cue_is_read_as_those_like_it(sentence: str, question: object) -> None:
    asked = parse(sentence, HOME, CLOCK)
    assert asked.question == question
    assert asked.certainty < 1.0


@pytest.mark.parametrize("sentence", ["last sighting of {}?", "I could have sworn I left the {} right here"])
def test_another_name_is_another_thing_of_the_same_question(sentence: str) -> None:
    one = parse(sentence.format("lamp"), HOME, CLOCK)
    for name in ("guitar", "kettle", "alarm clock"):
        other = parse(sentence.format(name), HOME, CLOCK)
        assert other.question.kind == one.question.kind
        assert other.certainty == pytest.approx(one.certainty)
        assert other.question.which == Selector.make(name)  # type: ignore[attr-defined]


def test_a_name_nobody_has_heard_never_turns_into_another_thing() -> None:
    rng = np.random.default_rng(5)
    lines = [line for path in FILES for some in wordings(path).values() for line in some if "{a}" in line]
    taken = 0
    for i, line in enumerate(lines[::17]):
        slots = drawn(rng)
        sentence = filled(line.replace("{a}", UNHEARD[i % len(UNHEARD)]), slots, rng)
        try:
            parse(sentence, vocabulary_of(slots.p), CLOCK)
        except Unanswerable:
            continue
        taken += 1
    assert taken <= 1


def test_a_word_alone_and_words_of_no_question_are_not_understood() -> None:
    for sentence in ("where", "help", "lorem ipsum dolor sit amet"):
        with pytest.raises(NotUnderstood):
            parse(sentence, HOME, CLOCK)


def test_every_intent_is_a_kind_that_can_be_asked() -> None:
    for intent in classifier().intents:
        assert intent.kind == "outside" or intent.kind in KINDS


def test_shares_of_readings_make_no_more_than_a_whole() -> None:
    named, reader = heard("so the lamp, how big would that be", HOME, CLOCK)
    found = readings(named, reader)
    assert found
    assert sum(share for share, *_ in found) <= 1.0 + 1e-6
    assert found == sorted(found, key=lambda one: -one[0])
    assert "<thing>" in features_of(named, reader.when)


def test_two_questions_differ_by_more_than_a_rounded_moment() -> None:
    assert same(q.WhereWasI(100.0), q.WhereWasI(100.4))
    assert not same(q.WhereWasI(100.0), q.WhereWasI(160.0))
    assert not same(q.ContentsOf(ROOMS[0]), q.ContentsOf(ROOMS[1]))
    assert not set(UNHEARD) & {*THINGS, *COLOURS}
