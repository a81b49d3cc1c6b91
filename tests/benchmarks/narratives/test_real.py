"""VSI-type questions about recordings that were not made here."""

from pathlib import Path

import numpy as np
import pytest

from real_data import real_data
from situ.benchmarks.make import make_dataset
from situ.benchmarks.narratives.check import check_item
from situ.benchmarks.narratives.real import RealNarrativeRecipe
from situ.errors import Unanswerable
from situ.geometry.camera import Camera
from situ.recording import FrameRecord, RecordingWriter
from situ.recording.formats import import_aria


@pytest.mark.real
def test_questions_about_digital_twin_objects(tmp_path: Path) -> None:
    import_aria(real_data("adt_apartment"), tmp_path / "adt", size=128)
    dataset = make_dataset(RealNarrativeRecipe((tmp_path / "adt",)), tmp_path / "set")
    assert {row.task.rsplit("_", 1)[0] for row in dataset.questions} >= {"object_rel", "object_rel_direction"}
    assert len(dataset.questions) >= 10
    assert check_item(dataset.recording("adt"), dataset.questions) == []
    assert str(tmp_path) not in (tmp_path / "set" / "manifest.json").read_text()


def test_a_recording_with_too_few_things_says_so(tmp_path: Path) -> None:
    walk = tmp_path / "walk"
    with RecordingWriter(walk, Camera(64, 48, 50.0, 50.0, 32.0, 24.0), images="none") as writer:
        writer.add_frame(FrameRecord(0, 0.0, np.eye(4), "", ()))
    with pytest.raises(Unanswerable, match="name more objects"):
        make_dataset(RealNarrativeRecipe((walk,)), tmp_path / "set")
