"""Two questions in one sentence."""

import pytest

from situ.language.conjunctions import taken_apart
from situ.language.vocabulary import Vocabulary

HOME = Vocabulary(
    frozenset({"cup", "desk", "floor lamp"}), frozenset({("color", "red")}), places=frozenset({"kitchen"})
)


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("Where's my red cup and the lamp?", ["Where's my red cup", "Where's the lamp?"]),
        ("What is behind me, and how far is the desk?", ["What is behind me", "how far is the desk?"]),
        (
            "How often was I in the kitchen and when was it?",
            ["How often was I in the kitchen", "when was it?"],
        ),
    ],
)
def test_a_sentence_is_taken_apart_at_what_joins_it(sentence: str, parts: list[str]) -> None:
    assert parts in list(taken_apart(sentence, HOME))


@pytest.mark.parametrize("sentence", ["where is the cup", "where is the cup and saucer", "salt and pepper"])
def test_what_is_not_two_questions_stays_whole(sentence: str) -> None:
    assert not list(taken_apart(sentence, HOME))
