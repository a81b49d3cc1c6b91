import json

import pytest

from evaluation.small_set import make_set
from real_data import real_data
from situ.errors import BadInput
from situ.evaluation.models.extract import judge_words
from situ.evaluation.models.stages import STAGES
from situ.evaluation.replies.number import read_mark
from situ.evaluation.stats.llm_match import distribution, llm_match, stability


@pytest.mark.real
@pytest.mark.parametrize(("system", "published"), [("blind-gpt4", 36.16), ("llava-next", 40.85)])
def test_judged_answers_give_the_published_score(system: str, published: float) -> None:
    path = real_data("openeqa") / f"{system}-predictions-metrics.json"
    marks = json.loads(path.read_text(encoding="utf-8")).values()
    result = llm_match(marks)
    assert round(result.score, 2) == published
    assert (result.graded, result.ungraded) == (1636, 0)


def test_what_the_judge_did_not_grade_is_handled_as_asked_and_counted() -> None:
    marks = [5, 1, -1, 5]
    assert llm_match(marks, "drop").score == pytest.approx(100 * 2 / 3)
    assert llm_match(marks, "zero").score == pytest.approx(50)
    assert llm_match(marks, "raw").score == pytest.approx(100 * (1 + 0 - 0.5 + 1) / 4)
    assert {rule: llm_match(marks, rule).ungraded for rule in ("drop", "zero", "raw")} == {
        "drop": 1, "zero": 1, "raw": 1,
    }  # fmt: skip
    assert distribution(marks) == {-1: 1, 1: 1, 5: 2}
    with pytest.raises(BadInput, match="raw, zero, drop"):
        llm_match(marks, "mean")
    assert llm_match([]).score == 0


@pytest.mark.parametrize(
    ("reply", "mark"),
    [
        ("<answer>4</answer>", 4),
        ("5", 5),
        ("Mark: 3", 3),
        ("between 2 and 3", -1),
        ("7", -1),
        ("2.5", -1),
        ("", -1),
    ],
)
def test_marks(reply: str, mark: int) -> None:
    assert read_mark(reply) == mark


def test_the_judge_sees_question_key_and_answer(tmp_path: object) -> None:
    row = make_set(tmp_path, items=1).questions[0]  # type: ignore[arg-type]
    _, text = judge_words(STAGES["judge"], row, "I say four")
    assert all(part in text for part in (row.text, row.answer, "I say four"))


def test_stability_is_the_share_of_equal_marks() -> None:
    assert stability([1, 2, 5, 5], [1, 3, 5, 5]) == 0.75
    with pytest.raises(BadInput):
        stability([1], [])
