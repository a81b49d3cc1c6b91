import pytest
from hypothesis import given
from hypothesis import strategies as st

from situ.errors import BadInput
from situ.evaluate.captions import (
    METRICS,
    _derangement,
    cb_meteor_like,
    cb_wordset_f1,
    score_captions,
)

pytest.importorskip("nltk", reason="the extra 'metrics' is not installed")
pytest.importorskip("rouge_score", reason="the extra 'metrics' is not installed")
MOVES = (
    "The camera pans left across the kitchen and then tilts down.",
    "A slow dolly forward follows the man through the doorway.",
    "The shot stays fixed while cars pass from right to left.",
    "Handheld, the camera trucks right along the shelf of books.",
)


@pytest.mark.parametrize("name", sorted(METRICS))
def test_the_reference_itself_scores_best_and_other_words_score_least(name: str) -> None:
    metric = METRICS[name][0]
    assert metric(MOVES[0], MOVES[0]) > 0.99
    assert metric(MOVES[0], "zzz qqq") < 0.05
    assert metric(MOVES[0], "") == 0


@given(st.text(alphabet="abc d", max_size=20), st.text(alphabet="abc d", max_size=20))
def test_word_metrics_are_symmetric_shares(one: str, two: str) -> None:
    for metric in (cb_wordset_f1, cb_meteor_like):
        assert 0 <= metric(one, two) <= 1
        assert metric(one, two) == pytest.approx(metric(two, one))


def test_word_order_matters_to_pairs_only() -> None:
    assert cb_wordset_f1("pan left slowly", "slowly left pan") == 1
    assert cb_meteor_like("pan left slowly", "slowly left pan") == 0.5


def test_good_captions_beat_both_controls_and_a_constant_one_does_not() -> None:
    good = score_captions(MOVES, [caption.replace("camera", "view") for caption in MOVES])
    assert all(score.beats_controls for score in good)
    constant = score_captions(MOVES, ["The camera moves."] * 4, constant="The camera moves.")
    assert not any(score.beats_controls for score in constant)


@given(st.integers(2, 40), st.integers(0, 5))
def test_shuffled_references_are_never_ones_own(count: int, seed: int) -> None:
    order = _derangement(count, seed)
    assert sorted(order) == list(range(count))
    assert all(place != other for place, other in enumerate(order))


def test_bad_input_is_named() -> None:
    with pytest.raises(BadInput, match="2 captions for 1 references"):
        score_captions(["a"], ["b", "c"])
    with pytest.raises(BadInput, match="unknown metric 'spice'"):
        score_captions(["a"], ["b"], ["spice"])
