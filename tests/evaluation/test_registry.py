"""What `inspect eval situ/...` finds."""

import ast
import importlib
from pathlib import Path

import pytest

from evaluation.small_set import make_set
from situ.errors import BadInput

pytest.importorskip("inspect_ai", reason="the extra 'eval' is not installed")
import situ.evaluation.models
from situ.evaluation.models import registry
from situ.evaluation.models.strategy import STRATEGIES
from situ.evaluation.participants.base import PARTICIPANTS
from situ.registry import Registry


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


@pytest.mark.parametrize("parts", [PARTICIPANTS, STRATEGIES], ids=["participants", "strategies"])
def test_names_that_are_told_without_importing_are_those_that_are_registered(
    parts: Registry[object],
) -> None:
    names = list(parts)
    for module in parts._modules:
        importlib.import_module(module)
    assert len(names) == len(set(names)) > 10
    assert set(parts._parts) == set(names), "each is there, and no other"
    assert all(parts.about(name) for name in names)


def test_the_modules_of_models_import_one_another_in_one_direction() -> None:
    """Also those that are imported when a function runs."""
    folder = Path(situ.evaluation.models.__file__).parent
    begin = "situ.evaluation.models"
    needs = {
        path.stem: {
            name
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(begin)
            for name in (
                [node.module.split(".")[3]] if node.module != begin else [one.name for one in node.names]
            )
        }
        for path in folder.glob("*.py")
    }
    while free := {name for name, needed in needs.items() if not needed & needs.keys()}:
        needs = {name: needed for name, needed in needs.items() if name not in free}
    assert not needs, "these need one another"
