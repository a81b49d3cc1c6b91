"""Your names for a detector's words."""

from pathlib import Path

import numpy as np
import pytest

from situ.errors import BadFormat, BadInput
from situ.perception.detections import Detections
from situ.perception.plan import WatchPlan, prepare
from situ.perception.renaming import RenamingDetector, read_names

TABLE = "word,name,trust\nCouch, sofa ,\ntv,television,0.5\nbird,,\n"
FOUND = Detections(
    ("bird", "couch", "tv", "cup"), (0.9, 0.8, 0.6, 0.4), np.arange(16.0).reshape(4, 4),
    np.eye(4, dtype=bool).reshape(4, 2, 2), (7, 8, 9, 10), np.eye(4, dtype=np.float32),
)  # fmt: skip


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "names.csv"
    file.write_text(TABLE, encoding="utf-8-sig")  # as spreadsheets write it
    return file


def test_words_become_names_and_all_that_belongs_to_them_stays_with_them(table: Path) -> None:
    meant = read_names(table).of(FOUND)
    assert meant.labels == ("sofa", "television", "cup")
    assert meant.scores == pytest.approx((0.8, 0.3, 0.4))
    for name in ("boxes_xyxy", "masks", "embeddings"):
        assert np.array_equal(getattr(meant, name), getattr(FOUND, name)[1:])
    assert meant.track_ids == (8, 9, 10)
    again = read_names(table).of(Detections.none())
    assert len(again) == 0


def test_a_detector_speaks_them_and_is_told_what_comes(table: Path) -> None:
    class Words:
        told = 0

        def prepare(self, pictures: list) -> None:
            self.told += len(pictures)

        def detect(self, rgb: np.ndarray) -> Detections:
            return FOUND

    words, picture = Words(), np.zeros((2, 2, 3), np.uint8)
    detector = RenamingDetector(words, read_names(table))
    detector.prepare([picture, picture])
    assert words.told == 2
    assert "sofa" in detector.detect(picture).labels


@pytest.mark.parametrize(
    "text",
    ["", "word,name\n", "a,b\nx,y\n", "word,name,trust\ncup,mug,2\n", "word,name,trust\ncup,mug,much\n"],
)
def test_what_is_no_table_of_names_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "names.csv"
    file.write_text(text)
    with pytest.raises(BadFormat, match="word,name"):
        read_names(file)


def test_names_without_a_detector_are_refused(table: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="--detections"):
        prepare(WatchPlan(tmp_path, names=table))
    with pytest.raises(BadInput, match="cannot be read"):
        read_names(tmp_path / "missing.csv")
