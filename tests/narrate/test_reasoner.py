"""What can be worked out from a narrative alone."""

from pathlib import Path

import numpy as np
import pytest

from situ.benchmarks.make import make_dataset
from situ.benchmarks.narratives.candidates import DIRECTION, ROUTE
from situ.benchmarks.narratives.recipe import NarrativeRecipe
from situ.errors import Unanswerable
from situ.narrate.narrative import Narrative, Segment
from situ.narrate.oracle import oracle_narrative
from situ.narrate.reasoner import Reasoner
from situ.narrate.scene_words import Mention
from situ.questions import RelativeDirection, RoomSize, Selector

ROUNDED = (0.5, 0.5, 0.5)


def told(*mentions: tuple[int, str, float, float]) -> str:
    parts = [
        f"In frame {frame}: {Mention(frame, name, far, bearing, ROUNDED, 0.0, 0.0).text}."
        for frame, name, far, bearing in mentions
    ]
    return " ".join(parts)


def test_a_turn_between_two_views_is_followed() -> None:
    """The sofa was ahead, then the camera turned right by 90 degrees and the lamp was ahead."""
    scene = told((1, "sofa", 2.0, 0.0), (9, "lamp", 2.0, 0.0), (9, "bed", 4.0, 0.0))
    camera = (
        "Frames 1-9: it pans right by about 90 degrees. In all it ends 0.0 m ahead and 0.0 m right, "
        "turned 90 degrees right."
    )
    question = RelativeDirection(Selector("lamp"), Selector("bed"), Selector("sofa"), "easy")
    full = Reasoner(Narrative((Segment(1, 1, 9, scene, camera),)).text)
    assert full.answer(question) == "left"
    assert full.knows(question)


def test_two_views_that_share_two_things_fit_without_camera_words() -> None:
    scene = told(
        (1, "sofa", 2.0, 0.0),
        (1, "table", 2.0, 60.0),
        (1, "lamp", 3.0, -40.0),
        (9, "sofa", 2.0, -60.0),
        (9, "table", 2.0, 0.0),
        (9, "bed", 3.0, 40.0),
    )
    state = Reasoner(Narrative((Segment(1, 1, 9, scene),))).state
    assert state.headings[9].yaw_deg == pytest.approx(-60.0, abs=1.0)
    assert {view.category for view in state.objects()} == {"sofa", "table", "lamp", "bed"}


def test_what_is_not_told_is_guessed_the_same_way_each_time() -> None:
    reasoner = Reasoner(Narrative((Segment(1, 1, 2, "Nothing that can be named."),)))
    question = RelativeDirection(Selector("lamp"), Selector("bed"), Selector("sofa"), "hard")
    assert not reasoner.knows(question)
    assert reasoner.answer(question) == reasoner.answer(question) in question.options
    with pytest.raises(Unanswerable, match="no options"):
        reasoner.answer(RoomSize())


@pytest.fixture(scope="module")
def tours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("narratives") / "set"
    recipe = NarrativeRecipe(scale=0.04, seed=41, width=160, height=120, pictures=False)
    make_dataset(recipe, folder)
    return folder


def test_perfect_narratives_answer_nearly_everything(tours: Path) -> None:
    recipe = NarrativeRecipe(scale=0.04, seed=41, width=160, height=120, pictures=False)
    right: dict[str, list[bool]] = {"full": [], "scene": []}
    from situ.benchmarks.dataset import Dataset

    for number, item in enumerate(Dataset.open(tours).items):
        recording = Dataset.open(tours).recording(item)
        narrative = oracle_narrative(recording)
        readers = {"full": Reasoner(narrative.text), "scene": Reasoner(narrative.scene_only.text)}
        rows = [row for _, row in recipe.propose(number, recording)]
        for name, reader in readers.items():
            asked = rows if name == "full" else [r for r in rows if r.task in (*DIRECTION.values(), ROUTE)]
            right[name] += [reader.answer(row.question, row.options) == row.answer for row in asked]
    assert len(right["full"]) > 100
    assert np.mean(right["full"]) >= 0.9
    assert np.mean(right["scene"]) <= 0.7
