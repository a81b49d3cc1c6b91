"""The audit must see planted leaks and stay silent where there are none."""

import numpy as np
import pytest

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.rem.names import BY_TYPE
from situ.evaluation.audit import AttackResult, audit_rows, chance
from situ.questions import Count, FirstSeenOrder, SideInView, to_program


def _side_rows(count: int, leak: bool, seed: int = 0) -> list[QuestionRow]:
    rng = np.random.default_rng(seed)
    rows = []
    fair = rng.random(count) < 0.5
    for i in range(count):
        a, b = (BY_TYPE[j] for j in rng.choice(len(BY_TYPE), 2, replace=False))
        left = a.singular < b.singular if leak else fair[i]
        question = SideInView(a, b)
        rows.append(
            _row(i, "left_right", question.text, question.options, "left" if left else "right", question)
        )
    return rows


def _row(
    i: int, task: str, text: str, options: tuple[str, ...], answer: str, question: object
) -> QuestionRow:
    program = to_program(question)  # type: ignore[arg-type]
    return QuestionRow(str(i), f"{i // 5:06d}", task, text, options, answer, program, 1.0, ())


def _by_attack(results: list[AttackResult]) -> dict[str, AttackResult]:
    return {result.attack: result for result in results}


def test_an_alphabetical_leak_is_found_by_that_attack() -> None:
    found = _by_attack(audit_rows(_side_rows(300, leak=True)))
    assert found["alphabetical"].accuracy > 0.95
    assert found["alphabetical"].leaks
    assert not found["usual answer"].leaks


def test_a_fair_set_shows_no_leak_on_most_seeds() -> None:
    flagged = [r for seed in range(2) for r in audit_rows(_side_rows(300, leak=False, seed=seed)) if r.leaks]
    assert flagged == []


def test_a_wording_leak_is_found() -> None:
    rng = np.random.default_rng(3)
    rows = []
    for i in range(300):
        a, b = (BY_TYPE[j] for j in rng.choice(len(BY_TYPE), 2, replace=False))
        question = FirstSeenOrder(a, b)
        answer = str(rng.choice(question.options))
        joint = "same time as" if answer == "same time" else "at the same time as"
        text = f"Was the {a.singular} seen before, after, or {joint} the {b.singular}?"
        rows.append(_row(i, "ordering", text, question.options, answer, question))
    found = _by_attack(audit_rows(rows))
    assert found["wording"].leaks
    assert found["text classifier"].leaks
    assert not found["alphabetical"].leaks


def test_a_word_that_gives_the_answer_away_is_found_by_the_classifier_alone() -> None:
    rng = np.random.default_rng(4)
    rows = []
    for i in range(300):
        which = BY_TYPE[int(rng.integers(len(BY_TYPE)))]
        answer = "4" if dict(which.attributes)["color"] == "red" else str(rng.integers(0, 4))
        rows.append(_row(i, "counting", Count(which).text, (), answer, Count(which)))
    found = _by_attack(audit_rows(rows))
    assert found["text classifier"].accuracy > found["usual answer"].accuracy + 0.03


def test_chance_is_one_over_the_options_or_the_commonest_number() -> None:
    assert chance(_side_rows(10, leak=False)) == 0.5
    numbers = [_row(i, "counting", "?", (), "1" if i < 3 else str(i), Count(BY_TYPE[0])) for i in range(10)]
    assert chance(numbers) == pytest.approx(0.3)


def test_questions_of_one_recording_never_train_the_guess_for_it() -> None:
    """Every question of an item has the item's own answer: a fair audit cannot learn it."""
    rows = _side_rows(200, leak=False, seed=5)
    same = [rows[i // 5 * 5].answer for i in range(len(rows))]
    from dataclasses import replace

    clustered = [
        replace(row, answer=answer, text=f"{row.text} {row.item}")
        for row, answer in zip(rows, same, strict=True)
    ]
    assert not _by_attack(audit_rows(clustered))["text classifier"].accuracy > 0.75
