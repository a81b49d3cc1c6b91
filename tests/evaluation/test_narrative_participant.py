from pathlib import Path

from situ.benchmarks.make import make_dataset
from situ.benchmarks.narratives.recipe import NarrativeRecipe
from situ.cli import evaluate  # noqa: F401  (registers every participant)
from situ.evaluation.participants.base import applicable
from situ.evaluation.runs.run import Settings, run_participant


def test_words_about_the_camera_are_what_decides_directions(tmp_path: Path) -> None:
    recipe = NarrativeRecipe(scale=0.02, seed=5, width=160, height=120, pictures=False)
    dataset = make_dataset(recipe, tmp_path / "set")
    assert {"narrative", "scene-narrative"} <= set(applicable(dataset))
    right = {}
    for who in ("narrative", "scene-narrative"):
        run = run_participant(dataset, who, Settings(), tmp_path / who)
        asked = [r.points for r in run.records if "direction" in r.task or "route" in r.task]
        right[who] = sum(asked) / len(asked)
    assert right["narrative"] > 0.9
    assert right["scene-narrative"] < right["narrative"] - 0.2
