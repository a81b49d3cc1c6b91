"""What no eye of a watch could have named is not denied."""

from collections.abc import Iterator

import pytest

from perception.tabletop import CAMERA, view
from situ.language.answering import ask
from situ.memory import SpatialMemory
from situ.memory.sink import MemorySink
from situ.perception.detection_eye import DetectedThings
from situ.perception.detections import Detections
from situ.perception.pipeline import Stages, Watch
from situ.perception.posing import GivenPoses
from situ.perception.sources import Source
from situ.perception.stages import InputFrame


class Knows:
    """A detector of a few names that sees a cup."""

    def __init__(self, *names: str) -> None:
        self.known_names = frozenset(names)

    def detect(self, rgb: object) -> Detections:
        return Detections(("cup",), (0.9,), [[100.0, 80.0, 160.0, 140.0]])


def _watched(*names: str) -> SpatialMemory:
    def read(after: int) -> Iterator[InputFrame]:
        for i in range(after + 1, 4):
            rgb, depth, pose = view((0.3, 0.2, 1.6), 0.0, -25.0, seed=i)
            yield InputFrame(i, i / 2, rgb, depth, pose)

    memory = SpatialMemory.create(":memory:")
    source = Source("table", CAMERA, read, True, True, (CAMERA.width, CAMERA.height), 4)
    Watch(source, Stages(GivenPoses(), (DetectedThings(Knows(*names)),)), MemorySink(memory)).run()
    return memory


@pytest.mark.parametrize(
    "sentence", ["is there a fireplace?", "where is the fireplace?", "how many fireplaces are there?"]
)
def test_a_name_that_no_eye_knows_is_neither_denied_nor_counted(sentence: str) -> None:
    told = ask(_watched("cup", "couch").state(), sentence)
    assert told.value is None
    assert "not know what a fireplace looks like" in told.text


def test_names_that_eyes_know_by_another_word_are_denied() -> None:
    state = _watched("cup", "couch").state()
    for sentence in ("is there a couch?", "is there a sofa?"):
        assert "looks like" not in ask(state, sentence).text
    assert ask(state, "is there a cup?").value in (True, "yes")


def test_eyes_that_may_tell_any_name_deny_as_before() -> None:
    assert "looks like" not in ask(_watched().state(), "is there a fireplace?").text
