"""The files of the EASI leaderboard, read back as its backends read them."""

import csv
import json
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from situ.benchmarks.make import make_dataset
from situ.benchmarks.rem.recipe import RemRecipe
from situ.cli.app import app
from situ.errors import Refused
from situ.evaluation.models.stored_replies import Stored, score_replies
from situ.evaluation.records.answer import AnswerRecord
from situ.evaluation.runs.job import Settings
from situ.evaluation.runs.run import Run
from situ.evaluation.runs.summary import summarise
from situ.report.easi import write_easi


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("easi")
    recipe = RemRecipe("mini", scale=2 / 18, seed=3, width=60, height=40)
    dataset = make_dataset(recipe, folder / "set")
    replies = {row.id: row.options[0] if row.options else "2 <b>&\x07" for row in dataset.questions}
    return score_replies(dataset, "lab/model 1", Stored(replies, {}), Settings(), folder / "run")


NS = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def test_four_files_tell_what_the_run_told(run: Run, tmp_path: Path) -> None:
    done = CliRunner().invoke(
        app, ["report", str(run.folder), "--to", "easi", "--out", str(tmp_path / "easi")]
    )
    assert done.exit_code == 0, done.output
    files = {path.suffix: path for path in (tmp_path / "easi").iterdir()}
    assert sorted(files) == [".csv", ".json", ".jsonl", ".xlsx"]
    dataset = run.dataset()
    assert dataset is not None
    overall = summarise(run.protocol, run.records, dataset.questions).overall.value

    lines = _sheet(files[".xlsx"])
    head, rows = lines[0], [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]
    assert head[:6] == ["index", "question_type", "task_type", "prediction", "pred_extracted", "answer"]
    _same(rows, run.records)
    with files[".csv"].open(newline="") as opened:
        (told,) = csv.DictReader(opened)
    assert float(told["overall"]) == pytest.approx(100 * overall, abs=1e-3)

    results = json.loads(files[".json"].read_text())
    ((task, scores),) = results["results"].items()
    assert scores["overall,none"] == overall
    assert results["n-samples"][task]["effective"] == len(run.records)
    samples = [json.loads(line) for line in files[".jsonl"].read_text().splitlines()]
    assert [sample["doc_id"] for sample in samples] == list(range(len(run.records)))
    assert [sample["points"] for sample in samples] == [record.points for record in run.records]
    with pytest.raises(Refused):
        write_easi([run], tmp_path / "easi")
    with pytest.raises(Refused, match="same model"):
        write_easi([run, run], tmp_path / "twice")


def _same(rows: list[dict[str, str]], records: tuple[AnswerRecord, ...]) -> None:
    for row, record in zip(rows, records, strict=True):
        assert row["id"] == record.id
        assert row["prediction"] == record.reply.replace("\x07", "")
        number = row["task_type"] == "NA"
        assert float(row["MRA:.5:.95:.05" if number else "hit"]) == record.points
        if not number:
            assert json.loads(row["candidates"])["ABCDEFGH".index(row["answer"])] == record.key


def _sheet(path: Path) -> list[list[str]]:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        for name in archive.namelist():
            ElementTree.fromstring(archive.read(name))
        sheet = ElementTree.fromstring(archive.read("xl/worksheets/sheet1.xml"))
    return [
        ["".join(t.text or "" for t in (*cell.iter(f"{NS}t"), *cell.iter(f"{NS}v"))) for cell in row]
        for row in sheet.iter(f"{NS}row")
    ]
