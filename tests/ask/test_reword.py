"""A model may reword a sentence; it can neither answer nor put one thing for another."""

import pytest

from situ.ask import Vocabulary
from situ.ask.parse import NotUnderstood
from situ.ask.reword import Interpreter, mentions, prompt
from situ.questions import Selector, WhereFromHere

WORDS = Vocabulary(frozenset({"sofa", "cup", "desk lamp"}), frozenset({("color", "red")}))
ODD = "any idea whereabouts i might find that red cup thingy"


def test_what_the_rules_understand_is_never_sent() -> None:
    def model(asked: str) -> str:
        raise AssertionError("the model was asked")

    asked = Interpreter(model).parse("where is the cup", WORDS)
    assert asked.question == WhereFromHere(Selector.make("cup"))


def test_a_reworded_sentence_is_read_by_the_rules() -> None:
    sent: list[str] = []

    def model(asked: str) -> str:
        sent.append(asked)
        return '"Where is the red cup?"\n(I hope this helps)'

    asked = Interpreter(model).parse(ODD, WORDS)
    assert asked.question == WhereFromHere(Selector.make("cup", {"color": "red"}))
    assert ODD in sent[0]
    assert "desk lamp" in sent[0]


@pytest.mark.parametrize("reply", ["none", "", "The cup is behind you.", "where is the sofa"])
def test_a_reply_that_does_not_fit_leaves_the_sentence_not_understood(reply: str) -> None:
    with pytest.raises(NotUnderstood, match="do not understand"):
        Interpreter(lambda asked: reply).parse(ODD, WORDS)


def test_a_synonym_or_a_fuller_name_counts_as_mentioned() -> None:
    assert mentions("got a couch anywhere", Selector.make("sofa"))
    assert mentions("the lamp on my desk", Selector.make("desk lamp"))
    assert not mentions("the lift", Selector.make("sofa"))
    assert "Things seen so far: none yet" in prompt("?", Vocabulary(frozenset(), frozenset()))
