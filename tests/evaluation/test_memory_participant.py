"""The whole path on a small walk: pixels and actions, memory, question programs."""

from pathlib import Path

import pytest

from situ.benchmarks.rem.recipe import RemRecipe
from situ.evaluation.participants.memory import remember_with_hindsight
from situ.recording import Recording
from situ.state import TruthState


@pytest.fixture(scope="module")
def item(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rem") / "item"
    RemRecipe("mini", seed=3).make_item(0, folder)
    return folder


def test_questions_on_the_memory_have_the_answers_of_the_truth(item: Path) -> None:
    recording = Recording.open(item)
    truth, memory = TruthState.of(recording), remember_with_hindsight(recording)
    rows = [row for _, row in RemRecipe("mini", seed=3).propose(0, recording)]
    right = sum(row.question.answer(memory.state()).text == row.answer for row in rows if _clear(row, truth))
    assert rows
    assert right == sum(_clear(row, truth) for row in rows)


def _clear(row: object, truth: TruthState) -> bool:
    """Whether all that the question names was seen clearly."""
    from situ.questions.select import selectors

    names = selectors(row.question)  # type: ignore[attr-defined]
    return all(view.presence == 1.0 for which in names for view in which.select(truth))
