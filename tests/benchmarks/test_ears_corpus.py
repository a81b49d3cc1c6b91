"""What the ears are taught on: each pattern fills the holes of its intent; the same seed says the same."""

import re
from pathlib import Path

import numpy as np
import pytest
from benchmarks.ears_corpus import _SAID_AS, intents, licences, patterns, rows, wording_patterns

from situ.language.ears import KINDS, SPECIAL
from situ.language.tags import TAGS

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def holes(text: str) -> set[str]:
    return {_SAID_AS.get(hole, hole) for hole in re.findall(r"\{(\w+)\}", text)} - {"t"}


def test_each_pattern_is_of_a_known_intent_and_most_say_all_of_it() -> None:
    missing = 0
    for pattern in patterns():
        assert pattern.intent in {*intents(), *SPECIAL}
        said = holes(pattern.text) >= holes(intents().get(pattern.intent, ""))
        missing += not said and pattern.kind != "?"  # "which room is that": what is known goes unsaid
    assert missing < len(patterns()) / 50


def test_each_intent_is_said_in_many_ways() -> None:
    ways: dict[str, int] = {}
    for pattern in patterns():
        ways[pattern.intent] = ways.get(pattern.intent, 0) + 2 ** pattern.text.count("(")
    assert {intent: ways[intent] for intent in intents() if ways[intent] < 5} == {}


def test_sentences_hold_each_hole_once_and_are_the_same_again() -> None:
    first, again = list(rows(patterns(), 1, 5, 1)), list(rows(patterns(), 1, 5, 1))
    assert first == again
    for row in first:
        assert len(row.words) == len(row.tags)
        assert set(row.tags) <= set(TAGS)
        begun = [tag[1] for tag in row.tags if tag.startswith("B")]
        if row.intent not in SPECIAL:
            assert len(begun) == len(set(begun))
            assert set(begun) <= {hole[0] for hole in holes(intents()[row.intent])}


def test_files_of_wordings_are_patterns_of_intents() -> None:
    for path in BENCHMARKS.glob("ask_[efst]*.txt"):
        assert len(list(wording_patterns(path))) > 80


def test_words_of_meaning_are_licensed_where_people_say_them() -> None:
    assert ("where", "n't", "find") in licences()
    assert not {
        (intent, word) for intent, word, _ in licences() if intent == "list_reach" and word in ("not", "n't")
    }


def test_a_tiny_network_is_taught_and_heard(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="teaching needs torch")
    from benchmarks.ears_model import Network, taught

    from benchmarks import teach_ears
    from situ.language.ears_network import Network as Ears
    from situ.language.ears_network import Pieces

    some = [(0, row) for row in rows(patterns(), 1, 5, 1)][:64]
    words = sorted({word for _, row in some for word in row.words})
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]
    data = teach_ears.numbered(some, Pieces(pieces), "cpu")
    model = Network(torch.randn(len(pieces), 8), len(KINDS), len(teach_ears.labels()), len(TAGS))
    taught(model, data, 1.0, 1)
    teach_ears.written(model, pieces, 1.0, tmp_path / "ears.npz")
    with np.load(tmp_path / "ears.npz") as stored:
        ears = Ears.of(dict(stored))
    size = int((data.ids[0] != 0).sum())
    with torch.no_grad():
        wants = model(data.ids[:1, :size].long(), data.kinds[:1, :size].long())[0].softmax(1)[0].numpy()
    row = some[0][1]
    assert np.abs(ears.hear(row.words, row.kinds).shares - wants).max() < 0.02
