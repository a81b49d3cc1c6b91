"""No sentence that a pattern fits is passed over before it is tried."""

import numpy as np
import pytest

from situ.language.grammar import Pattern
from situ.language.parse import _phrases
from situ.language.phrase_index import PhraseIndex
from situ.language.slots import CLOSED, NUMBERS, closed_words


def said(tokens: list[str], rng: np.random.Generator) -> list[str]:
    """The words of a sentence of a pattern at random, up to a closing bracket; the last tokens come first."""
    parts: list[list[str]] = [[]]
    while tokens and tokens[-1] != ")":
        token = tokens.pop()
        if token == "|":
            parts.append([])
            continue
        if token == "(":
            words = said(tokens, rng)
            tokens.pop()
        elif token.startswith("{"):
            slot = token[1:-1]
            wordings = sorted(closed_words(slot)) if slot in CLOSED else ["two" if slot in NUMBERS else "cup"]
            words = wordings[int(rng.integers(len(wordings)))].split(" ")
        else:
            words = [token]
        if tokens and tokens[-1] == "?":
            tokens.pop()
            words = words if rng.random() < 0.5 else []
        parts[-1] += words
    return parts[int(rng.integers(len(parts)))]


def test_what_a_pattern_fits_holds_a_word_of_each_of_its_groups() -> None:
    rng, fitting, passed_over = np.random.default_rng(4), 0, 0
    patterns = [phrase.pattern for _, phrase in _phrases()]
    for pattern in patterns:
        for _ in range(4):
            words = said(pattern.tokens(), rng)
            if pattern.match(words) is not None:
                fitting += 1
                assert pattern.may_fit({*words}), (pattern.text, words)
        passed_over += not pattern.may_fit({"where", "is", "the", "cup"})
    assert fitting > 3.9 * len(patterns)
    assert passed_over > 0.9 * len(patterns)


@pytest.mark.parametrize("opening", ["where", "what", "is", "how", "cup"])
def test_phrases_are_found_by_their_words_as_if_all_were_looked_at(opening: str) -> None:
    rng, phrases, found = np.random.default_rng(5), _phrases(), 0
    index = PhraseIndex(opening, phrases)
    for _, phrase in phrases[::7]:
        words = frozenset({opening, *said(phrase.pattern.tokens(), rng)})
        begun = (pair for pair in phrases if opening in (pair[1].pattern.openings or {opening}))
        plain = [pair[1].pattern.text for pair in begun if pair[1].pattern.may_fit(words)]
        assert [pair[1].pattern.text for pair in index.fitting(words)] == plain
        found += len(plain)
    assert found > len(phrases) // 7


@pytest.mark.parametrize(
    ("pattern", "sentence", "slots"),
    [
        ("where (is|are) {about}", "where are my keys", {"about": "my keys"}),
        ("(set|set down) {which} (here)?", "set down the cup here", {"which": "down the cup"}),
        ("is it {relation} {anchor}", "is it on top of a box", {"relation": "on top of", "anchor": "a box"}),
        ("is {which} or {other}", "is a or b or c", None),  # a name holds no "or"
        ("(it|) (is {seconds} old|{seconds})", "2.5", {"seconds": "2.5"}),
        ("{which} away?", "a far away", {"which": "a far"}),
        ("{which} away?", "", None),
    ],
)  # fmt: skip
def test_a_slot_takes_as_few_words_as_will_do(
    pattern: str, sentence: str, slots: dict[str, str] | None
) -> None:
    assert Pattern(pattern).match(sentence.split(" ")) == slots
