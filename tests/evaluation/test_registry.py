"""What `inspect eval situ/...` finds."""

from pathlib import Path

import pytest

from evaluation.small_set import make_set
from situ.errors import BadInput

pytest.importorskip("inspect_ai", reason="the extra 'eval' is not installed")
from situ.evaluation.models import registry


def test_a_benchmark_is_a_task_with_all_its_questions(tmp_path: Path) -> None:
    dataset = make_set(tmp_path / "set", items=2)
    task = registry.rem(dataset=str(dataset.folder), frames="first")
    assert sorted(str(sample.id) for sample in task.dataset) == sorted(row.id for row in dataset.questions)
    choices = sum(bool(row.options) for row in dataset.questions)
    assert 0 < len(registry.sns(dataset=str(dataset.folder)).dataset) == choices, "SNS asks choices only"


def test_a_set_of_another_benchmark_is_refused(tmp_path: Path) -> None:
    make_set(tmp_path / "set", items=1)
    with pytest.raises(BadInput, match="use situ/rem"):
        registry.saw(dataset=str(tmp_path / "set"))


def test_the_entry_point_leads_here() -> None:
    from importlib.metadata import entry_points

    (found,) = [point for point in entry_points(group="inspect_ai") if point.name == "situ"]
    assert found.load() is registry
