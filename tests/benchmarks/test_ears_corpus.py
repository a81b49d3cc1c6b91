"""What the ears are taught on: each pattern fills the holes of its intent; the same seed says the same."""

import re
from pathlib import Path

import pytest
from benchmarks.ears_corpus import _SAID_AS, OUTSIDE, intents, licences, patterns, rows, wording_patterns

from situ.language.ears import TAGS

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def holes(text: str) -> set[str]:
    return {_SAID_AS.get(hole, hole) for hole in re.findall(r"\{(\w+)\}", text)} - {"t"}


def test_each_pattern_has_the_holes_of_its_intent() -> None:
    for pattern in patterns():
        if pattern.intent != OUTSIDE:
            assert holes(pattern.text) == holes(intents()[pattern.intent]), pattern


def test_each_intent_is_said_in_many_ways() -> None:
    ways: dict[str, int] = {}
    for pattern in patterns():
        ways[pattern.intent] = ways.get(pattern.intent, 0) + 2 ** pattern.text.count("(")
    assert {intent: ways[intent] for intent in intents() if ways[intent] < 7} == {}


def test_sentences_hold_each_hole_once_and_are_the_same_again() -> None:
    first, again = list(rows(patterns(), 1, 5, 1)), list(rows(patterns(), 1, 5, 1))
    assert first == again
    for row in first:
        assert len(row.words) == len(row.tags)
        assert set(row.tags) <= set(TAGS)
        begun = [tag[1] for tag in row.tags if tag.startswith("B")]
        assert len(begun) == len(set(begun))
        if row.intent != OUTSIDE:
            assert set(begun) == {hole[0] for hole in holes(intents()[row.intent])}


def test_files_of_wordings_are_patterns_of_intents() -> None:
    for path in BENCHMARKS.glob("ask_[efst]*.txt"):
        assert len(list(wording_patterns(path))) > 80


def test_words_of_meaning_are_licensed_where_people_say_them() -> None:
    assert ("where", "n't", "find") in licences()
    assert not {
        (intent, word) for intent, word, _ in licences() if intent == "list_reach" and word in ("not", "n't")
    }


def test_a_tiny_network_is_taught_and_heard() -> None:
    torch = pytest.importorskip("torch", reason="teaching needs torch")
    from benchmarks.ears_model import Encoder, Small, in_bytes, taught

    from benchmarks import teach_ears
    from situ.language.ears_networks import Convolved, Pieces

    some = [(0, row) for row in rows(patterns(), 1, 5, 1)][:64]
    pieces = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[unused1]",
        *sorted({w for _, row in some for w in row.words}),
    ]
    data = teach_ears.numbered(some, Pieces(pieces), "cpu")
    encoder = Encoder(len(pieces), len(teach_ears.labels()), len(TAGS), width=24, layers=1)
    taught(encoder, data, 1.0, 1e-3, 1)
    small = Small(torch.randn(len(pieces), 8), len(teach_ears.labels()), len(TAGS))
    taught(small, data, 1.0, 1e-3, 1, teacher=encoder)
    stored = in_bytes(small.state_dict())
    import numpy as np

    about = teach_ears.known(pieces, 1.0).encode()
    ears = Convolved.of({"known": np.frombuffer(about, np.uint8), **stored})
    row = some[0][1]
    hearing = ears.hear(row.words)
    with torch.no_grad():
        ids = torch.tensor([Pieces(pieces).coded(row.words)[0]])
        wants = small.eval()(ids)[0].softmax(1)[0].numpy()
    assert np.abs(hearing.shares - wants).max() < 0.02
