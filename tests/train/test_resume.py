"""A run's folder tells whether it is finished, goes on, or holds another run."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from situ.errors import Refused
from situ.train.recipe import TrainRecipe
from situ.train.run import begin, earlier_result, finish, settings_of

RESULT = {"steps": 4, "loss": 1.5}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A finished run's folder, beside the set and the model that it was made with."""
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "rows.jsonl").write_text("{}\n")
    (tmp_path / "base").mkdir()
    folder = tmp_path / "out"
    begin(folder, settings(folder))
    (folder / "model").mkdir()
    (folder / "model" / "weights.bin").write_bytes(b"12345678")
    finish(folder, RESULT)
    return folder


def settings(out: Path, arm: str = "camera", **changed: Any) -> dict[str, Any]:
    recipe = replace(TrainRecipe(), **changed)
    return settings_of(out.parent / "set", str(out.parent / "base"), recipe, arm)


def checkpoint(out: Path) -> None:
    (out / "checkpoints" / "checkpoint-2").mkdir(parents=True)
    (out / "checkpoints" / "checkpoint-2" / "trainer_state.json").write_text("{}")


def test_a_finished_run_is_known_however_fast_it_would_be_made(out: Path) -> None:
    assert earlier_result(out, settings(out)) == RESULT
    assert earlier_result(out, settings(out, loaders=0, save_every=7, checkpointing=True)) == RESULT


@pytest.mark.parametrize("damage", ["lost", "cut", "record", "begun again"])
def test_a_model_that_is_not_whole_is_trained(out: Path, damage: str) -> None:
    weights = out / "model" / "weights.bin"
    if damage == "lost":
        weights.unlink()
    elif damage == "cut":
        weights.write_bytes(b"1234")
    elif damage == "record":
        (out / "finished.json").write_text('{"result": {"steps"')
    else:
        begin(out, settings(out))
    assert earlier_result(out, settings(out)) is None


@pytest.mark.parametrize("finished", [True, False])
def test_another_run_is_refused_while_there_is_something_to_lose(out: Path, finished: bool) -> None:
    if not finished:
        (out / "finished.json").unlink()
        checkpoint(out)
    with pytest.raises(Refused, match=r"arm camera \(given: scene\)"):
        earlier_result(out, settings(out, arm="scene"))
    with pytest.raises(Refused, match="max_steps"):
        earlier_result(out, settings(out, max_steps=9))
    (out.parent / "set" / "rows.jsonl").write_text("{} \n")
    with pytest.raises(Refused, match="training set"):
        earlier_result(out, settings(out))


def test_a_run_that_came_to_nothing_may_be_another(out: Path) -> None:
    (out / "finished.json").unlink()
    assert earlier_result(out, settings(out, arm="scene")) is None


def test_a_checkpoint_without_settings_goes_on(out: Path) -> None:
    """As an earlier version left it."""
    (out / "finished.json").unlink()
    (out / "settings.json").unlink()
    checkpoint(out)
    assert earlier_result(out, settings(out)) is None
