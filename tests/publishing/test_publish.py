import importlib.util
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from benchmarks.hidden_keys import leaks
from typer.testing import CliRunner

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.make import make_dataset
from situ.benchmarks.rem.recipe import RemRecipe
from situ.cli.app import app
from situ.errors import BadInput, Refused
from situ.evaluation.models.stored_replies import Stored, score_replies
from situ.evaluation.records.frames import FramePolicy
from situ.evaluation.runs.job import Settings
from situ.evaluation.runs.summary import summarise
from situ.publishing.parallel_forms import compare_forms, make_matched
from situ.publishing.public_rows import usual_frames
from situ.publishing.publish import publish


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    recipe = RemRecipe("mini", scale=2 / 18, seed=987654321, width=60, height=40)
    return make_dataset(recipe, tmp_path_factory.mktemp("publish") / "set")


@pytest.fixture(scope="module")
def hidden(made: Dataset) -> Path:
    to = made.folder.parent / "hidden"
    publish(made, to, hide_keys=True)
    return to


@pytest.fixture(scope="module")
def shown(made: Dataset) -> Path:
    to = made.folder.parent / "shown"
    publish(made, to, frames="uniform:3")
    return to


def test_nothing_but_words_and_pictures_is_in_the_public_folder(made: Dataset, hidden: Path) -> None:
    assert list(leaks(made, hidden)) == []


def test_the_search_finds_what_is_told(made: Dataset, hidden: Path, shown: Path, tmp_path: Path) -> None:
    assert "the table has the columns answer" in list(leaks(made, shown))
    row = next(row for row in made.questions if row.program and row.strata)
    thing = next(iter(made.recording(row.item).objects.values()))
    name, value = next(iter(row.strata.items()))
    planted = {
        "the seed": str(made.manifest["recipe"]["seed"]),
        "the program": json.dumps(row.program, sort_keys=True),
        "the stratum": json.dumps({name: value}),
        "the place of": json.dumps(thing.box.center),
        "'T_world'": json.dumps({"T_world": 1}),
    }
    for number, (what, text) in enumerate(planted.items()):
        folder = tmp_path / str(number)
        shutil.copytree(hidden, folder)
        (folder / "notes.txt").write_text(text)
        assert any(one.startswith(what) for one in leaks(made, folder)), what


def test_grading_by_the_private_folder_gives_the_same_score(made: Dataset, hidden: Path) -> None:
    replies = {row.id: row.options[0] if row.options else "2" for row in made.questions}
    run = score_replies(made, "x", Stored(replies, {}), Settings(), made.folder.parent / "run")
    expected = summarise(run.protocol, run.records, made.questions).overall
    file = made.folder.parent / "replies.json"
    file.write_text(json.dumps(replies))
    graded = made.folder.parent / "graded"
    private = str(hidden.with_name("hidden.private"))
    done = CliRunner().invoke(app, ["score", private, str(file), "--out", str(graded), "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)["overall"]
    assert (found["value"], found["questions"]) == (expected.value, expected.questions)


@pytest.mark.parametrize("benchmark", ["rem", "saw", "disjoint", "ucs", "sns", "vsi"])
def test_every_benchmark_has_frames_to_publish(benchmark: str, tmp_path: Path) -> None:
    policy = FramePolicy.parse(usual_frames(Dataset(tmp_path, {"benchmark": benchmark})))
    assert policy.steps[-1] == ("uniform", 32.0)


def test_nothing_is_overwritten_and_keys_do_not_lie_in_public(
    made: Dataset, hidden: Path, tmp_path: Path
) -> None:
    with pytest.raises(Refused):
        publish(made, hidden, hide_keys=True, private=tmp_path / "keys")
    with pytest.raises(BadInput, match="inside the public folder"):
        publish(made, tmp_path / "new", hide_keys=True, private=tmp_path / "new" / "keys")
    assert list(tmp_path.iterdir()) == []


def test_hugging_face_shows_the_pictures(shown: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    pytest.importorskip("PIL")
    rows = datasets.load_dataset(str(shown), split="test", cache_dir=str(tmp_path))
    assert rows[0]["frames"][0].size == (60, 40)
    assert len(rows[0]["frames"]) <= 3
    assert rows[0]["answer"]


def test_croissant_is_valid_and_its_records_are_read(shown: Path) -> None:
    croissant = pytest.importorskip("mlcroissant")
    opened = croissant.Dataset(str(shown / "croissant.json"))
    assert not opened.metadata.ctx.issues.errors
    first = next(iter(opened.records("questions")))
    assert first["questions/id"]


def test_the_task_of_lmms_eval_scores_as_situ_does(made: Dataset, shown: Path) -> None:
    where = shown / "lmms_eval" / "utils.py"
    spec = importlib.util.spec_from_file_location("situ_task_utils", where)
    assert spec is not None
    assert spec.loader is not None
    utils = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(utils)
    for doc in pq.ParquetFile(shown / "data" / "test.parquet").read().to_pylist():
        assert utils.process_results(doc, [doc["answer"]]) == {"points": 1.0}
        assert utils.process_results(doc, [f"<answer>{doc['answer']}</answer>"]) == {"points": 1.0}
        assert utils.process_results(doc, ["no idea"]) == {"points": 0.0}
        assert doc["question"] in utils.doc_to_text(doc)
    (yaml,) = shown.glob("lmms_eval/*.yaml")
    assert f"--tasks {yaml.stem} " in (shown / "README.md").read_text()
    assert "process_results: !function utils.process_results" in yaml.read_text()


def test_lmms_eval_itself_gives_the_score_that_situ_gives(
    made: Dataset, shown: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = pytest.importorskip("lmms_eval.tasks")
    from lmms_eval.api.model import lmms
    from lmms_eval.evaluator import simple_evaluate

    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.chdir(shown / "lmms_eval")  # as the card says
    said: dict[str, str] = {}

    class First(lmms):
        def generate_until(self, requests):
            for request in requests:
                _, _, pictures_of, number, task, split = request.args
                doc = self.task_dict[task][split][number]
                assert pictures_of(doc)[0].size == (60, 40)
                said[doc["id"]] = doc["options"][0] if doc["options"] else "2"
                yield said[doc["id"]]

        def loglikelihood(self, requests): ...

        def generate_until_multi_round(self, requests): ...

    manager = tasks.TaskManager(include_path=str(shown / "lmms_eval"), include_defaults=False)
    found = simple_evaluate(model=First(), tasks=manager.all_tasks, task_manager=manager, batch_size=1)
    run = score_replies(made, "x", Stored(said, {}), Settings(), tmp_path / "run")
    expected = summarise(run.protocol, run.records, made.questions).overall
    assert [one["points,none"] for one in found["results"].values()] == [expected.value]


def test_the_table_of_vlmevalkit_has_letters_for_keys(shown: Path) -> None:
    import csv
    import sys

    csv.field_size_limit(sys.maxsize)
    (file,) = shown.glob("vlmevalkit/*.tsv")
    with file.open(newline="") as opened:
        rows = list(csv.DictReader(opened, delimiter="\t"))
    table = {row["id"]: row for row in pq.ParquetFile(shown / "data" / "test.parquet").read().to_pylist()}
    assert len(rows) == sum(2 <= len(row["options"]) <= 8 for row in table.values())
    for row in rows:
        assert row[row["answer"]] == table[row["id"]]["answer"]


def test_a_second_form_has_the_same_mix_in_other_worlds(made: Dataset) -> None:
    out = made.folder.parent / "second"
    done = CliRunner().invoke(app, ["make", "match", str(made.folder), "--out", str(out), "--json"])
    told, second = json.loads(done.stdout), Dataset.open(out)
    assert done.exit_code == 0, told
    assert second.manifest["recipe"]["seed"] > 2**32  # nobody guesses it
    assert len(second.items) == len(made.items)
    assert not set(second.manifest["items"].values()) & set(made.manifest["items"].values())
    assert {t["task"] for t in told["tasks"]} == {row.task for row in made.questions}
    with pytest.raises(BadInput, match="would repeat its worlds"):
        make_matched(made, out.with_name("third"), seed=987654321)


def test_forms_whose_margins_differ_are_not_alike(made: Dataset) -> None:
    rows = [replace(row, margin=1.0 + i % 50) for i, row in enumerate(list(made.questions) * 20)]
    assert all(one.alike for one in compare_forms(rows, rows[::2]))
    harder = [replace(row, margin=row.margin / 4) for row in rows]
    assert not any(one.alike for one in compare_forms(rows, harder))
