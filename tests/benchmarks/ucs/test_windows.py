"""Answer validity windows: a question before, inside and after the span in which its key is right."""

from pathlib import Path

import pytest

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.ucs.windows import AFTER, BEFORE, INSIDE, recall_of, write_windows
from situ.errors import Refused, Unanswerable
from situ.evaluation.check.run import check_dataset
from situ.state import TruthState


def test_each_question_around_the_span_of_its_answer(small: Dataset, tmp_path: Path) -> None:
    made = write_windows(small, tmp_path / "set")
    assert check_dataset(made).disagreements == ()
    truth = {item: TruthState.of(made.recording(item)) for item in made.items}
    asked = {row.text for row in small.questions}
    places = set()
    for row in made.questions:
        assert row.text in asked
        assert row.time is not None
        start, end, held = (row.strata[name] for name in ("valid_from_s", "valid_to_s", "held"))
        assert isinstance(start, float)
        assert isinstance(end, float)
        place = row.strata["window"]
        places.add(place)
        if place == INSIDE:
            assert (start <= row.time <= end, row.answer) == (True, held)
        else:
            assert row.answer != held
            assert row.time < start if place == BEFORE else row.time >= end
        assert row.strata["recall"] == recall_of(float(row.strata["evidence_age_s"] or 0.0))
        times = truth[row.item].path.times
        for moment, holds in ((start, True), (start - 1.0, False), (end, False)):
            if times[0] <= moment < times[-1]:
                assert (_said(row.question, truth[row.item], moment) == held) == holds, (row.text, moment)
    assert places == {BEFORE, INSIDE, AFTER}
    with pytest.raises(Refused):
        write_windows(small, tmp_path / "set")


def _said(question: object, truth: TruthState, moment: float) -> str | None:
    try:
        return str(question.answer(truth.as_of(moment)).text)  # type: ignore[attr-defined]
    except Unanswerable:
        return None
