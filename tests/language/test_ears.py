"""The ears: what they hear is said again as the frames read it, and no word of meaning gets lost."""

import json
import random
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from situ.language.ears import ASIDE, DOUBTED, EDIT, HELP, KINDS, OUTSIDE, SPECIAL, Ears, Heard, Hearing
from situ.language.ears_network import Network, Pieces, packaged
from situ.language.filling import listed_programs
from situ.language.reading import heard, read
from situ.language.running import program_in_words
from situ.language.tags import HOLES, TAGS, spans
from situ.language.times import Clock
from situ.language.vocabulary import Vocabulary

VOCABULARY = Vocabulary(
    frozenset({"cup", "sofa", "lamp", "chair", "mug"}), frozenset({("color", "red"), ("color", "blue")}),
    None,    frozenset({"kitchen", "office"}), "office",
)  # fmt: skip
CLOCK = Clock(0.0, 900.0)
FILLED = {
    "a": "the red cup", "an": "a cup", "as": "cups", "a0": "cup", "b": "the sofa", "bs": "chairs",
    "b0": "sofa", "p": "the kitchen", "q": "the office", "r": "next to", "m": "taller",
    "x": "biggest", "g": "red", "n": "three",
}  # fmt: skip
SAID = {
    "where": "where is {a}",
    "count_in": "how many {as} are in {p}",
    "list_unreach": "what can i not reach",
}


class Certain:
    """Ears that hear one intent, and the words that they are told to in its holes."""

    licensed = frozenset({("where", "n't", "find")})
    nouns = frozenset({"crowd"})

    def __init__(
        self, intent: str, share: float, words: Mapping[str, str], said: Mapping[str, str] = SAID
    ) -> None:
        self.said, self._intent, self._share, self._words = said, intent, share, words

    def hear(self, words: Sequence[str], kinds: Sequence[int]) -> Hearing:
        names = [*self.said, *SPECIAL]
        shares = np.full(len(names), (1.0 - self._share) / max(1, len(names) - 1), np.float32)
        shares[names.index(self._intent)] = self._share
        tags = np.full((len(words), len(TAGS)), -9.0, np.float32)
        tags[:, 0] = 0.0
        for hole, text in self._words.items():
            parts = text.split()
            at = next(k for k in range(len(words)) if list(words[k : k + len(parts)]) == parts)
            tags[at : at + len(parts), 0] = -9.0
            tags[at : at + len(parts), TAGS.index(f"I{hole}")] = 0.0
            tags[at, TAGS.index(f"I{hole}")], tags[at, TAGS.index(f"B{hole}")] = -9.0, 0.0
        return Hearing(shares, tags)


def program(sentence: str) -> object:
    found = read(sentence, VOCABULARY, CLOCK)
    assert found is not None, sentence
    return found.program


def of(said: str) -> str:
    return " ".join(FILLED[part[1:-1]] if part.startswith("{") else part for part in said.split())


def guessed(sentence: str, ears: Ears) -> Sequence[Heard]:
    return heard(sentence, VOCABULARY, CLOCK, ears=ears).heard


INTENTS = sorted(name for name in packaged().said if name != HELP and not name.startswith(EDIT))


@pytest.mark.parametrize("name", INTENTS)
def test_the_frames_read_the_sentence_of_each_intent(name: str) -> None:
    found = read(of(packaged().said[name]), VOCABULARY, CLOCK)
    assert found is not None
    assert not found.holes
    assert not found.unknown
    assert found.certainty >= 0.7
    for one in listed_programs(found.program):
        assert program_in_words(one)  # for the question back


def test_what_is_heard_is_the_program_of_the_sentence_said_plainly() -> None:
    ears = Certain("count_in", 0.9, {"a": "red cups", "p": "the kitchen"})
    (one,) = guessed("the kitchen , red cups , how big is the crowd of them", ears)
    assert one.program == program("how many red cups are in the kitchen")
    assert one.share == pytest.approx(0.9, abs=0.01)


@pytest.mark.parametrize(
    "word", ["not", "never", "nothing", "or", "except", "all", "both", "only", "two", "7"]
)
def test_a_word_of_meaning_that_the_intent_does_not_say_is_asked_back(word: str) -> None:
    ears = Certain("where", 0.99, {"a": "the cup"})
    plain = guessed("whither went off the cup", ears)
    turned = guessed(f"whither went {word} off the cup", ears)
    assert plain[0].share > 0.9
    assert not turned or turned[0].share <= DOUBTED


def test_words_of_meaning_may_stand_where_the_intent_says_them_or_people_do() -> None:
    assert guessed("things i can not get hold of", Certain("list_unreach", 0.9, {}))[0].share > 0.8
    lost = guessed("i looked and could n't find the cup", Certain("where", 0.9, {"a": "the cup"}))
    assert lost[0].share > 0.8


@pytest.mark.parametrize(
    "rest", ["beside the sofa", "lamp", "in the kitchen", "red", "of the zeppelin", "if it went"]
)
def test_a_name_outside_the_holes_is_never_heard_surely(rest: str) -> None:
    ears = Certain("where", 0.99, {"a": "the cup"})
    found = guessed(f"whither went the cup , {rest}", ears)
    assert not found or found[0].share <= ASIDE


def test_a_second_question_is_not_dropped() -> None:
    ears = Certain("where", 0.99, {"a": "the cup"})
    found = guessed("where off went the cup and how did that come about", ears)
    assert not found or found[0].share <= DOUBTED


def test_words_in_holes_keep_their_meaning() -> None:
    ears = Certain("where", 0.9, {"a": "the cup that is not red"})
    (one,) = guessed("whither went the cup that is not red", ears)
    assert one.program == program("where is the cup that is not red")


def test_a_time_goes_with_what_is_heard_or_nothing_is_heard() -> None:
    ears = Certain("where", 0.9, {"a": "the cup"})
    (one,) = guessed("whither had gone the cup 5 minutes ago", ears)
    assert one.program == program("where was the cup 5 minutes ago")
    now = Certain("i", 0.9, {"a": "the cup"}, {"i": "can i reach {a}"})
    assert guessed("my hand and the cup", now)
    assert not guessed("my hand and the cup 5 minutes ago", now)


def test_what_nothing_answers_is_not_heard() -> None:
    assert not guessed("whither went the cup", Certain(OUTSIDE, 0.6, {"a": "the cup"}))


def test_spans_fill_each_hole_once_with_words_of_its_own() -> None:
    chance = np.random.default_rng(1)
    for _ in range(200):
        size, wanted = (
            int(chance.integers(1, 12)),
            chance.permutation(list(HOLES))[: int(chance.integers(0, 4))],
        )
        found = spans(chance.normal(size=(size, len(TAGS))).astype(np.float32), list(wanted))
        if found is None:
            assert size < len(wanted)
            continue
        where, fit = found
        assert set(where) == set(wanted)
        assert 0.0 < fit <= 1.0
        taken = [k for start, end in where.values() for k in range(start, end)]
        assert len(taken) == len(set(taken))
        assert all(start < end <= size for start, end in where.values())


def test_spans_are_the_likeliest_of_all() -> None:
    log = np.full((5, len(TAGS)), -5.0, np.float32)
    for k, tag in enumerate(("O", "Bb", "Ib", "O", "Ba")):
        log[k, TAGS.index(tag)] = 0.0
    assert spans(log, ["a", "b"]) == ({"a": (4, 5), "b": (1, 3)}, 1.0)
    assert spans(log, ["a"]) == ({"a": (4, 5)}, 1.0)


# ---------------------------------------------------------------------- networks
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "cup", "where", "##s", "c", "##c"]


def random_network(seed: int = 0) -> Network:
    chance, wide = np.random.default_rng(seed), 6
    shapes = {"word.weight": (len(PIECES), 4), "kind.weight": (len(KINDS), 4),
              "layers.0.weight": (wide, 4, 5), "layers.1.weight": (wide, wide, 5),
              "intent.weight": (len(SAID) + len(SPECIAL), 2 * wide + 4),
              "tag.weight": (len(TAGS), wide)}  # fmt: skip
    about = {"tags": TAGS, "said": SAID, "licensed": [], "nouns": [], "pieces": PIECES, "calm": 1.5}
    stored: dict[str, np.ndarray] = {"known": np.frombuffer(json.dumps(about).encode(), np.uint8)}
    for name, shape in shapes.items():
        stored[f"{name}.q"] = chance.integers(-127, 128, shape).astype(np.int8)
        stored[f"{name}.u"] = np.full((shape[0], *[1] * (len(shape) - 1)), 0.01, np.float32)
        stored[name.replace("weight", "bias")] = chance.normal(size=shape[0]).astype(np.float32)
    return Network.of(stored)


def test_pieces_take_words_apart_and_do_not_know_all() -> None:
    ids, starts = Pieces(PIECES).coded(["where", "cups", "*t", "ü"])
    assert [PIECES[k] for k in ids] == ["[CLS]", "where", "cup", "##s", "[MASK]", "[UNK]", "[SEP]"]
    assert starts == [1, 2, 4, 5]


@pytest.mark.parametrize("words", [["where"], ["where", "cups"] * 8, ["*t"], ["ccc"] * 100])
def test_a_network_says_how_likely_each_intent_and_tag_is(words: list[str]) -> None:
    hearing = random_network().hear(words, [1] * len(words))
    assert hearing.shares.shape == (len(SAID) + len(SPECIAL),)
    assert hearing.shares.sum() == pytest.approx(1.0, abs=1e-5)
    assert np.allclose(np.exp(hearing.tags).sum(axis=1), 1.0, atol=1e-5)
    assert len(hearing.tags) == len(words) or len(words) > 60


def test_any_network_gives_readings_or_nothing_for_any_words() -> None:
    chance = random.Random(2)
    for seed in range(5):
        ears = random_network(seed)
        for _ in range(20):
            words = " ".join(
                chance.choices(["where", "cup", "red", "the", "not", "kitchen", "or", "ü", "c303"], k=6)
            )
            for one in guessed(words, ears):
                assert 0.0 < one.share <= 1.0


def test_the_packaged_ears_hear_what_no_frame_has() -> None:
    ahead = guessed("anything i might trip over up ahead", packaged())
    assert any("'rel': 'front'" in str(one.program) for one in ahead)
    found = guessed("any way of telling the color of the lamp", packaged())
    assert program("what color is the lamp") in [one.program for one in found]
    assert heard("is the cup hot", VOCABULARY, CLOCK).outside > 0.5


def test_two_questions_in_a_sentence_are_parted() -> None:
    found = heard("how many lamps are in the kitchen and where is the nearest cup", VOCABULARY, CLOCK)
    assert found.parts == ["how many lamps are in the kitchen", "where is the nearest cup"]
