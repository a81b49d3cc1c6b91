"""Sets in Blender's pictures: everything but the colours is what it was."""

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from situ.benchmarks import redraw
from situ.benchmarks.dataset import Dataset
from situ.benchmarks.make import make_dataset
from situ.benchmarks.redraw import drawn_by, worlds_of
from situ.benchmarks.rem.recipe import RemRecipe
from situ.benchmarks.ucs.recipe import UcsRecipe
from situ.errors import BadInput
from situ.evaluation.check.pictures import picture_problems
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix
from situ.recording import Recording
from situ.rendering import Renderer
from situ.worlds.scene import Scene

REM = RemRecipe("mini", False, 0.06, 3, width=96, height=72)


def by_ourselves(
    scenes: Sequence[Scene], camera: Camera, views: Sequence[tuple[int, Matrix]], samples: int
) -> Iterator[np.ndarray]:
    """What stands in for Blender: the default renderer, in dark."""
    for number, pose in views:
        yield Renderer(scenes[number], camera).render(pose).rgb // 2


def _asked(dataset: Dataset) -> list[tuple[object, ...]]:
    """All but ids and order, which are drawn by lot for each set."""
    return sorted(
        (r.item, r.text, r.options, r.answer, str(r.program), r.evidence) for r in dataset.questions
    )


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redraw, "colors_with_blender", by_ourselves)
    monkeypatch.setattr(redraw, "need_blender", lambda: None)


def test_questions_masks_and_poses_stay_and_pictures_change(stand_in: None, tmp_path: Path) -> None:
    ours = make_dataset(REM, tmp_path / "ours")
    theirs = make_dataset(drawn_by("blender", 4, REM), tmp_path / "theirs")
    assert _asked(theirs) == _asked(ours)
    assert theirs.items == ours.items
    assert theirs.manifest["recipe"] == {**ours.manifest["recipe"], "renderer": "blender", "samples": 4}
    first, second = ours.recording(ours.items[0]), theirs.recording(theirs.items[0])
    assert [frame.visible for frame in second.frames] == [frame.visible for frame in first.frames]
    assert np.array_equal(second.path.poses, first.path.poses)
    assert np.array_equal(second.ids(2), first.ids(2))
    assert second.meta["renderer"] == "blender"
    dark = second.image(2).astype(int) - first.image(2) // 2
    assert np.abs(dark).mean() < 4  # the same view, drawn otherwise
    assert picture_problems(second) == []


def test_a_world_that_changes_is_drawn_as_it_was_at_each_moment(tmp_path: Path) -> None:
    recipe = UcsRecipe(0.001, 20, 96, 72, hours=0.05, pixels=True, questions=8)
    recipe.make_item(0, tmp_path / "day")
    day = Recording.open(tmp_path / "day")
    scenes, views = worlds_of(day)
    assert len(views) == len(day)
    assert len(scenes) > 2
    for index in (5, len(day) // 2, len(day) - 1):
        number, pose = views[index]
        ids, _ = Renderer(scenes[number], day.camera).render_ids(pose)
        known = np.where(ids > 60000, 0, ids)  # the hand is no thing
        assert np.mean(known == day.ids(index)) > 0.999


def test_what_cannot_be_drawn_is_refused_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadInput, match="situ, blender"):
        drawn_by("povray", 4, REM)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("SITU_BLENDER", raising=False)
    with pytest.raises(BadInput, match="pip install bpy"):
        drawn_by("blender", 4, REM)


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which(os.environ.get("SITU_BLENDER", "blender")) is None, reason="no Blender is installed"
)
def test_a_set_in_traced_light(tmp_path: Path) -> None:
    dataset = make_dataset(drawn_by("blender", 2, REM), tmp_path / "set")
    shown = dataset.recording(dataset.items[0]).image(0)
    assert shown.std() > 5
