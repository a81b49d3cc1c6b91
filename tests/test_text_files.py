from collections.abc import Callable
from pathlib import Path

import pytest

from situ.errors import BadFormat, BadInput
from situ.perception.given_inputs import read_detections
from situ.perception.imu import read_imu
from situ.perception.renaming import read_names
from situ.recording.formats.hand_labels import read_annotations
from situ.text_files import read_table, read_text

LATIN = "label,frame,x,y\ncup,1,2,3\ncafé,1,2,3\n".encode("latin-1")


@pytest.mark.parametrize(
    "read", [read_text, read_table, read_annotations, read_names, read_imu, read_detections]
)
def test_text_that_is_not_utf8_is_told_with_its_line(read: Callable[[Path], object], tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_bytes(LATIN)
    with pytest.raises(BadFormat, match=r"labels\.csv, line 3: byte 0xe9 is not UTF-8; save"):
        read(file)
    with pytest.raises(BadInput, match="cannot be read: Is a directory"):
        read(tmp_path)


def test_the_mark_of_a_spreadsheet_is_no_part_of_the_first_name(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('label,frame,x,y\r\n"a ""red""\ncup",1,2,3\r\n', encoding="utf-8-sig")
    (row,) = read_table(tmp_path / "t.csv")
    assert row == {"label": 'a "red"\ncup', "frame": "1", "x": "2", "y": "3"}
    (tmp_path / "t.csv").write_text('a\n"never closed')
    with pytest.raises(BadFormat, match="no table of comma-separated values"):
        read_table(tmp_path / "t.csv", strict=True)
