"""Replies read again, participants on several processes, and scores in the engine's own table."""

import json
from pathlib import Path

import pytest

from evaluation.small_set import make_set
from situ.cli.evaluate import failed_altogether
from situ.errors import BadInput
from situ.evaluation.records.answer import read_records, write_records
from situ.evaluation.runs import processes
from situ.evaluation.runs.rescore import rescore
from situ.evaluation.runs.run import Settings, run_participant
from situ.evaluation.runs.run_folder import Run
from situ.evaluation.runs.summary import summarise

pytest.importorskip("inspect_ai", reason="the extra 'eval' is not installed")
from situ.evaluation.models import registry
from situ.evaluation.models.run_model import run_model
from situ.evaluation.models.settings import ModelSettings


def test_stored_replies_are_read_again_without_asking_anybody(tmp_path: Path) -> None:
    dataset = make_set(tmp_path / "set", items=4)
    (tmp_path / "replies.json").write_text(json.dumps({row.text: row.answer for row in dataset.questions}))
    model = ModelSettings("situ-canned/replies", model_args={"file": str(tmp_path / "replies.json")})
    run = run_model(dataset, model, Settings(), tmp_path / "run")
    assert run.card["score"] == 1.0
    misread = [{**r.to_json(), "claim": "9", "points": 0.0} for r in run.records]
    records = [type(run.records[0]).from_json(data) for data in misread]
    write_records(tmp_path / "run" / "answers.jsonl", records)
    told, changes = rescore(Run.open(tmp_path / "run"), write=False)
    assert len(changes) == len(records)
    assert {record.points for record in told.records} == {0.0}, "a dry run changes nothing"
    again, changes = rescore(Run.open(tmp_path / "run"))
    assert len(changes) == len(records)
    assert again.card["score"] == 1.0
    assert [r.reply for r in again.records] == [r.reply for r in run.records]
    assert rescore(again)[1] == []
    with pytest.raises(BadInput, match="no parser"):
        rescore(again, "fortune-teller")


def test_a_run_whose_set_is_gone_cannot_be_read_again(tmp_path: Path) -> None:
    run = run_participant(make_set(tmp_path / "set", items=1), "random", Settings(), tmp_path / "run")
    (tmp_path / "set").rename(tmp_path / "elsewhere")
    with pytest.raises(BadInput, match="not there any more"):
        rescore(run)


@pytest.mark.slow
def test_several_processes_give_the_same_answers_and_take_a_run_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "SMALL", 0)  # one recording is answered before the others are forked
    dataset = make_set(tmp_path / "set", items=4, copies=2)
    alone = run_participant(dataset, "truth", Settings(), tmp_path / "alone")
    run_participant(dataset, "truth", Settings(limit=5), tmp_path / "two")
    two = run_participant(dataset, "truth", Settings(), tmp_path / "two", jobs=2)

    def told(run: Run) -> list[tuple[str, str | None, float]]:
        return [(record.id, record.claim, record.points) for record in run.records]

    assert told(two) == told(alone)
    assert two.unfinished == ""


def test_the_engines_table_shows_the_same_score_and_interval(tmp_path: Path) -> None:
    from inspect_ai import eval as inspect_eval

    dataset = make_set(tmp_path / "set", items=6, copies=2)
    run = run_model(dataset, ModelSettings("situ-canned/say:before", "blind"), Settings(), tmp_path / "run")
    ours = summarise(run.protocol, run.records).overall
    task = registry.rem(dataset=str(dataset.folder), strategy="blind")
    (log,) = inspect_eval(
        task, model="situ-canned/say:before", log_dir=str(tmp_path / "logs"), display="none"
    )
    assert log.results is not None
    shown = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
    assert ours.interval is not None
    assert shown["score"] == pytest.approx(ours.value)
    assert (shown["low_95"], shown["high_95"]) == pytest.approx(tuple(ours.interval))


def test_if_everything_failed_that_is_the_headline(tmp_path: Path) -> None:
    run = run_participant(make_set(tmp_path / "set", items=1), "random", Settings(), tmp_path / "run")
    assert failed_altogether(run) == ""
    lost = [{**r.to_json(), "status": "error", "reason": "no images"} for r in run.records]
    path = tmp_path / "run" / "answers.jsonl"
    write_records(path, [type(run.records[0]).from_json(data) for data in lost])
    assert len(list(read_records(path))) == len(lost)
    assert failed_altogether(Run.open(tmp_path / "run")) == "every question failed, 2 of 2 with: no images"
