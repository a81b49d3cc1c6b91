"""Eyes whose scores are chances: a name is believed as far as these and the number of views say."""

from collections.abc import Iterator

import pytest

from perception.tabletop import CAMERA, view
from situ.language.answering import ask
from situ.memory import SpatialMemory
from situ.memory.reading.worlds import BelievedWorlds
from situ.memory.sink import MemorySink
from situ.perception.detection_eye import DetectedThings
from situ.perception.detections import Detections
from situ.perception.pipeline import Stages, Watch
from situ.perception.posing import GivenPoses
from situ.perception.sources import Source
from situ.perception.stages import InputFrame, calibrated


class Sees:
    """A detector that sees one cup in every look, as surely as it is told to."""

    known_names = frozenset({"cup", "bowl"})

    def __init__(self, score: float) -> None:
        self.score = score

    def detect(self, rgb: object) -> Detections:
        return Detections(("cup",), (self.score,), [[100.0, 80.0, 160.0, 140.0]])


class Calibrated(DetectedThings):
    calibrated = True


def watched(eye: DetectedThings, looks: int) -> SpatialMemory:
    def read(after: int) -> Iterator[InputFrame]:
        for i in range(after + 1, looks):
            rgb, depth, pose = view((0.3, 0.2, 1.6), 0.0, -25.0, seed=i)
            yield InputFrame(i, i / 2, rgb, depth, pose)

    memory = SpatialMemory.create(":memory:")
    source = Source("table", CAMERA, read, True, True, (CAMERA.width, CAMERA.height), looks)
    Watch(source, Stages(GivenPoses(), (eye,)), MemorySink(memory)).run()
    return memory


def chance_of_cup(score: float, looks: int) -> float:
    state = watched(Calibrated(Sees(score)), looks).state()  # a table does not keep its state
    return float(BelievedWorlds(state)._name_chances("cup").max())


def test_a_name_is_as_likely_as_its_scores_and_views_say() -> None:
    one, few, many = (chance_of_cup(0.4, looks) for looks in (1, 4, 12))
    assert one == pytest.approx(0.4, abs=0.02)
    assert one < few < many < 0.8
    assert few < chance_of_cup(0.8, 4) < 0.95 + 1e-9


def test_other_detectors_are_believed_as_before() -> None:
    plain, told = watched(DetectedThings(Sees(0.4)), 8), watched(Calibrated(Sees(0.4)), 8)
    assert not plain.state().calibrated
    assert told.state().calibrated
    assert ask(plain.state(), "is there a cup?").confidence > 0.9
    assert ask(told.state(), "is there a cup?").confidence < 0.8
    assert not calibrated((Calibrated(Sees(0.4)), DetectedThings(Sees(0.4))))
    assert not calibrated(())


def test_what_was_not_surely_seen_is_not_denied() -> None:
    told = ask(watched(Calibrated(Sees(0.2)), 6).state(), "is there a cup?")
    assert told.value is None
    assert told.text.startswith("I have not seen")
