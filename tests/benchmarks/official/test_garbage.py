"""Whatever stands in a foreign record, the reader refuses it or takes it; it never falls over."""

import copy
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import miniatures
from situ.benchmarks.official.files import SourceFiles
from situ.benchmarks.official.layouts import LAYOUTS
from situ.errors import SituError

VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 10**9), st.floats(), st.text(max_size=12), st.just("../../x"),
    st.lists(st.text(max_size=4), max_size=4), st.dictionaries(st.text(max_size=3), st.text(max_size=3)),
    st.lists(st.integers(), max_size=3), st.just("\x00"), st.just("9" * 400),
)  # fmt: skip


def records(name: str, folder: Path) -> list[dict[str, Any]]:
    miniatures.LAYOUTS[name][0](folder)
    table = next(p for p in sorted(folder.rglob("*")) if p.suffix in (".parquet", ".json", ".jsonl", ".csv")
                 and p.stem not in ("dataset_infos", "annotations"))  # fmt: skip
    if table.suffix == ".parquet":
        return [{k: v for k, v in row.items() if k != "image"} for row in pq.read_table(table).to_pylist()]
    if table.suffix == ".csv":
        import csv

        return list(csv.DictReader(table.open()))
    text = table.read_text()
    return json.loads(text) if table.suffix == ".json" else [json.loads(x) for x in text.splitlines()]


@pytest.mark.parametrize("name", ["saw", "ucs", "rem", "vsi", "openeqa", "viewspatial", "camerabench"])
def test_no_record_fells_a_reader(name: str, tmp_path: Path) -> None:
    good = records(name, tmp_path / "p")
    (tmp_path / "q").mkdir()
    if name == "rem":
        good = [{**row, "run_directory": "0000-run"} for row in good]
    read = LAYOUTS[name].read
    assert read is not None

    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def fuzz(data: st.DataObject) -> None:
        rows = copy.deepcopy(good)
        for row in rows[1:]:
            field = data.draw(st.sampled_from(sorted(row)))
            if data.draw(st.booleans()):
                row[field] = data.draw(VALUES)
            else:
                del row[field]
        (tmp_path / "q" / "test.json").write_text(json.dumps(rows))
        try:
            found = read(SourceFiles(tmp_path / "q"), words_only=True)
        except SituError:
            return
        for taken in found.rows:
            assert taken.answer
            assert not taken.options or taken.answer in taken.options
            assert Path(taken.item).name == taken.item
        assert len({taken.id for taken in found.rows}) == len(found.rows)

    fuzz()
