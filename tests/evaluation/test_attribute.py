"""Root causes: every failure gets one cause, and a single injected fault is named."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from situ.benchmarks.dataset import Dataset
from situ.errors import BadInput, Unanswerable
from situ.evaluation.attribution.attribute import attribute_run
from situ.evaluation.participants.base import applicable
from situ.evaluation.participants.last_known import LastKnown, must_answer
from situ.evaluation.participants.simulated import FAULTS
from situ.evaluation.participants.stages import (
    POSE,
    REASONING,
    RETRIEVAL,
    STAGES,
    Faults,
    StagedMemory,
)
from situ.evaluation.runs.run import Settings, run_participant
from situ.perception.oracle import Noise
from situ.questions.base import Answer, Selector
from situ.state import TruthState
from situ.state.sightings import in_frames
from ucs_set import small_set


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    return small_set()


@pytest.mark.parametrize(
    ("who", "cause"), [("memory-overlooking", RETRIEVAL), ("memory-misjudging", REASONING)]
)
def test_a_single_fault_is_named(dataset: Dataset, tmp_path: Path, who: str, cause: str) -> None:
    run = run_participant(dataset, who, Settings(limit=14), tmp_path / who)
    found = attribute_run(run)
    assert found.failures
    assert sum(found.shares().values()) == pytest.approx(100.0)
    assert found.shares()[cause] >= 75.0  # an exact memory is wrong once in a while, too


def test_with_every_stage_true_every_answer_is_right(dataset: Dataset) -> None:
    bad = Faults(Noise(miss=0.6, drift=0.1, drift_yaw_deg=3.0), overlook=0.5, misjudge=0.5)
    memory = StagedMemory(bad)
    recording = dataset.recording(dataset.items[0])
    for row in dataset.questions:
        assert memory.answer(recording, row, STAGES) == row.answer


def test_true_poses_undo_the_drift(dataset: Dataset) -> None:
    drifting = StagedMemory(Faults(Noise(drift=0.2, drift_yaw_deg=6.0)))
    recording = dataset.recording(dataset.items[0])
    here = [row for row in dataset.questions if row.task == "ego-centric position"]
    assert all(drifting.answer(recording, row, (POSE,)) == row.answer for row in here)


def test_who_must_answer_still_knows_what_was_moved_and_where_the_wearer_was(dataset: Dataset) -> None:
    truth = TruthState.of(dataset.recording(dataset.items[0]))
    moved = truth.moved_since(-math.inf)
    assert moved
    assert LastKnown(truth).moved_since(-math.inf) == moved
    assert LastKnown(truth).stays(moved[0]) == truth.stays(moved[0])
    assert list(LastKnown(truth).visits()) == list(truth.visits())


def test_who_must_answer_takes_the_frame_that_looks_most_towards_a_thing_where_none_showed_it(
    dataset: Dataset,
) -> None:
    truth = TruthState.of(dataset.recording(dataset.items[0]))
    view = next(view for view in truth.objects() if 0 < len(truth.sightings(view.id)) < len(truth.path) - 3)
    shown = {sighting.frame for sighting in truth.sightings(view.id)}
    others = [frame for frame in range(len(truth.path)) if frame not in shown]
    seen = LastKnown(truth).sightings(view.id)
    assert in_frames(seen, sorted(shown)) == in_frames(truth.sightings(view.id), sorted(shown))
    (faced,) = in_frames(seen, others)
    turns = [abs(truth.path.headings[frame].bearing_deg(view.box.center)) for frame in others]
    assert turns[others.index(faced.frame)] == min(turns)
    assert faced.clarity < 1.0
    assert not in_frames(seen, [len(truth.path) + 7])


@dataclass(frozen=True)
class _OfWhatWasMoved:
    """Asks about the first thing of a name, which must have been moved."""

    which: Selector
    kind: ClassVar[str] = "of_what_was_moved"

    def answer(self, state: TruthState) -> Answer:
        first = next(view for view in state.objects() if view.category == self.which.category)
        if not state.stays(first.id)[1:]:
            raise Unanswerable(f"thing {first.id} was not moved")
        return Answer(str(first.id), 1.0)


def test_who_must_answer_takes_the_namesake_of_which_what_is_asked_is_true(dataset: Dataset) -> None:
    truth = TruthState.of(dataset.recording(dataset.items[0]))
    question: Any = _OfWhatWasMoved(Selector("bottle"))
    with pytest.raises(Unanswerable):
        question.answer(LastKnown(truth))
    (moved,) = set(truth.moved_since(-math.inf)) & {v.id for v in truth.objects() if v.category == "bottle"}
    assert must_answer(question, (), truth) == str(moved)


def test_runs_without_stages_are_refused(dataset: Dataset, tmp_path: Path) -> None:
    run = run_participant(dataset, "random", Settings(limit=3), tmp_path / "random")
    with pytest.raises(BadInput, match="memory-noisy"):
        attribute_run(run)


def test_the_exact_memory_has_no_faults() -> None:
    assert FAULTS["memory-oracle"][0] == Faults()
    with pytest.raises(BadInput):
        Faults(overlook=2.0)


def test_everybody_who_is_asked_includes_the_memory_exact_and_noisy(dataset: Dataset) -> None:
    found = applicable(dataset)
    assert {"truth", "memory-oracle", "memory-noisy"} <= set(found)
    assert "memory-drifting" not in found
