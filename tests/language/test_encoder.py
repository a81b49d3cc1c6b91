"""An encoder suggests names; an unknown name stays unknown."""

import pytest

from situ.language import Vocabulary
from situ.language.encoder import SentenceEncoder
from situ.language.vocabulary import NotSeen


class Fake:
    """Two directions: seats, and everything else."""

    def encode(self, texts: list[str]) -> list[list[float]]:
        return [[3.0, 0.1] if text in ("armchair", "sofa", "stool") else [0.0, 2.0] for text in texts]


def test_names_alike_are_suggested_and_not_taken() -> None:
    words = Vocabulary(frozenset({"sofa", "cup"}), frozenset(), SentenceEncoder(loaded=Fake()))
    with pytest.raises(NotSeen, match=r"not seen an armchair; I have seen a sofa$"):
        words.select("the armchair")
    with pytest.raises(NotSeen, match=r"not seen a lift; I have seen a cup$"):
        words.select("the lift")


def test_likeness_is_a_cosine_between_nought_and_one() -> None:
    scores = SentenceEncoder(loaded=Fake()).likeness("stool", ["sofa", "cup"])
    assert scores["sofa"] == pytest.approx(1.0)
    assert 0.0 <= scores["cup"] < 0.1
    assert SentenceEncoder(loaded=Fake()).likeness("stool", []) == {}
