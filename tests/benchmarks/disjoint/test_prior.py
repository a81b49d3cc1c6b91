import numpy as np

from situ.benchmarks.balance import Candidate
from situ.benchmarks.disjoint.prior import MOST_GROUPS, guess_groups


def leaning(count: int) -> tuple[list[Candidate], list[tuple[str, str]]]:
    """A bed is nearly always larger than a cup; chairs and stools are anybody's guess."""
    rng = np.random.default_rng(0)
    pairs = [("bed", "cup") if rng.random() < 0.5 else ("chair", "stool") for _ in range(count)]
    labels = [str(int(rng.random() < (0.97 if pair[0] == "bed" else 0.5))) for pair in pairs]
    return [Candidate(i, 0, "t", "s", label) for i, label in enumerate(labels)], pairs


def test_words_that_give_the_answer_away_are_a_group_of_their_own() -> None:
    candidates, pairs = leaning(2000)
    groups = guess_groups(candidates, pairs)
    telling = {g for g, pair in zip(groups, pairs, strict=True) if pair[0] == "bed"}
    open_ = {g for g, pair in zip(groups, pairs, strict=True) if pair[0] == "chair"}
    assert not telling & open_
    assert max(groups) < MOST_GROUPS


def test_a_few_candidates_are_not_told_apart() -> None:
    candidates, pairs = leaning(30)
    assert set(guess_groups(candidates, pairs)) == {0}
    assert guess_groups([], []) == []
