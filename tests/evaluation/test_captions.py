import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from situ.cli.app import app
from situ.errors import BadInput
from situ.evaluation.captions.scores import (
    METRICS,
    _derangement,
    cb_meteor_like,
    cb_wordset_f1,
    cider,
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
    others = list(MOVES[1:])
    same, wrong, empty = (metric(MOVES, [text, *others])[0] for text in (MOVES[0], "zzz qqq", ""))
    assert same > 0.99
    assert wrong < 0.05
    assert empty == 0


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


REFERENCES = [
    "the camera pans left past a red door",
    "the camera dollies forward through a hall",
    "the camera tilts up along a tower",
    "the camera stays still before a window",
]


def test_cider_weighs_what_sets_a_caption_apart() -> None:
    exact, vague, wrong = (
        cider(REFERENCES, [text, *REFERENCES[1:]])[0]
        for text in (REFERENCES[0], "the camera a the camera a door", REFERENCES[1])
    )
    assert exact == pytest.approx(10.0)
    assert exact > vague > 0
    assert wrong < 1.0
    assert cider(REFERENCES, ["", *REFERENCES[1:]])[0] == 0.0
    assert cider(REFERENCES, REFERENCES) == cider(REFERENCES[::-1], REFERENCES[::-1])[::-1]


def test_the_verb_reads_files_and_needs_every_caption(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text(json.dumps({f"v{i}": text for i, text in enumerate(REFERENCES)}))
    rows = [{"id": f"v{i}", "caption": text} for i, text in enumerate(REFERENCES)]
    (tmp_path / "p.jsonl").write_text("\n".join(map(json.dumps, rows)))
    command = [
        "lab",
        "captions",
        str(tmp_path / "r.json"),
        str(tmp_path / "p.jsonl"),
        "--metric",
        "cider_d",
        "--json",
    ]
    result = CliRunner().invoke(app, command, catch_exceptions=False)
    assert result.exit_code == 0
    (found,) = json.loads(result.stdout)["metrics"]
    assert found["score"] == pytest.approx(10.0)
    assert found["beats"]
    (tmp_path / "p.jsonl").write_text(json.dumps(rows[0]))
    with pytest.raises(BadInput, match="3 of 4 references"):
        CliRunner().invoke(app, command, catch_exceptions=False)
