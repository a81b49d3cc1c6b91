"""Runs in parts: any runner, any order, any number of times, and the same run in the end."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from evaluation.small_set import make_set
from queue_stand_in import Queue
from situ.errors import SituError
from situ.evaluation.runs.parts import PARTS, answer_part, run_in_parts
from situ.evaluation.runs.run import Settings, run_participant
from situ.evaluation.runs.run_folder import Run
from situ.runners.local import LocalRunner
from situ.tasks import Outcome, Progress, Task


class Twice:
    """At-least-once delivery, in the wrong order; `dies` are never delivered."""

    def __init__(self, dies: Sequence[int] = ()) -> None:
        self.dies, self.given = dies, 0

    def run(self, tasks: Sequence[Task], progress: Progress) -> Outcome:
        self.given = len(tasks)
        lost = {}
        for task in [*reversed(tasks), *tasks]:
            if task.job.number in self.dies:
                lost[task.name] = "its node was lost"
            else:
                task.work(task.job)
        return Outcome(lost)


def content(run: Run) -> list[dict]:
    return [{k: v for k, v in record.to_json().items() if k != "effort"} for record in run.records]


def test_a_run_in_parts_is_the_run_of_one_process(tmp_path: Path) -> None:
    dataset = make_set(tmp_path / "set", items=4)
    whole = run_participant(dataset, "frequent", Settings(), tmp_path / "whole")
    _, joined = run_in_parts(dataset, "frequent", Settings(), tmp_path / "parts", Twice())
    assert joined is not None
    assert content(joined) == content(whole)
    assert joined.card["score"] == whole.card["score"]
    assert not (tmp_path / "parts" / PARTS).exists()
    _, again = run_in_parts(dataset, "frequent", Settings(), tmp_path / "parts", Twice())
    assert again is not None
    assert content(again) == content(whole)


def test_what_is_committed_is_not_answered_again(tmp_path: Path) -> None:
    dataset, out = make_set(tmp_path / "set", items=4), tmp_path / "run"
    with pytest.raises(SituError, match=r"1 of 4 parts .* part 2: its node was lost"):
        run_in_parts(dataset, "truth", Settings(), out, Twice(dies=[2]))
    rest = Twice()
    _, run = run_in_parts(dataset, "truth", Settings(), out, rest)
    assert rest.given == 1
    assert run is not None
    assert len(run.records) == len(dataset.questions)


def test_a_run_is_taken_further_in_parts(tmp_path: Path) -> None:
    dataset, out = make_set(tmp_path / "set", items=4), tmp_path / "run"
    run_in_parts(dataset, "truth", Settings(limit=3), out, LocalRunner(1))
    _, run = run_in_parts(dataset, "truth", Settings(), out, LocalRunner(1))
    assert run is not None
    assert len(run.records) == len(dataset.questions)


def test_two_sets_by_slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    queue = Queue(tmp_path, monkeypatch)
    make_set(tmp_path / "set", items=2)
    words = ("eval", str(tmp_path / "set"), "-p", "frequent,truth", "--out", str(tmp_path / "runs"))
    asked = (*words, "--runner", "slurm", "--json")
    said = json.loads(queue.situ(*asked).stdout)
    assert len(said["queued"]) == 2
    commands = queue.submitted()
    assert len(commands) == 4
    for command in commands[:3]:
        assert queue.situ(*command).exit_code == 0
    assert "queued" in json.loads(queue.situ(*asked).stdout)  # one run is whole, the other is not
    (left,) = queue.submitted()
    assert left == commands[3]
    assert queue.situ(*left).exit_code == 0
    assert {run["name"] for run in json.loads(queue.situ(*asked).stdout)} == {"frequent", "truth"}
    assert queue.situ(*words, "--part", "runs-nobody:0").exit_code != 0
    assert (
        queue.situ("eval", str(tmp_path / "set"), "-m", "x/y", "--out", "r", "--runner", "ray").exit_code != 0
    )


def test_parts_are_asked_for_by_number(tmp_path: Path) -> None:
    dataset, out = make_set(tmp_path / "set", items=2), tmp_path / "run"
    seen: list[Task] = []

    class Look:
        def run(self, tasks: Sequence[Task], progress: Progress) -> Outcome:
            seen.extend(tasks)
            return Outcome(queued=len(tasks))

    _, run = run_in_parts(dataset, "truth", Settings(), out, Look(), ("situ", "eval", "--part", "run:"))
    assert run is None
    assert [task.command[-1] for task in seen] == ["run:0", "run:1"]
    assert all(task.work is answer_part for task in seen)
