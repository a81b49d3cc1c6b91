import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from evaluation.small_set import make_set
from situ.benchmarks.dataset import Dataset, QuestionRow, write_rows
from situ.errors import BadFormat, BadInput, Refused, Unanswerable
from situ.evaluation.participants.ask import about_shown
from situ.evaluation.participants.base import (
    PARTICIPANTS,
    Setting,
    about_frames,
    make_participant,
    participant,
)
from situ.evaluation.records.answer import Reply, Status, read_records
from situ.evaluation.records.frames import FramePolicy
from situ.evaluation.runs.run import Settings, run_participant
from situ.evaluation.runs.run_folder import Run, find_runs, held
from situ.evaluation.runs.summary import analyses, chance_score, summarise
from situ.questions import InViewNow, Selector, UniqueObjects, to_program
from situ.recording import Recording


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return make_set(tmp_path_factory.mktemp("run") / "set", items=4, copies=3)


def test_truth_scores_everything_and_leaves_a_full_record(dataset: Dataset, tmp_path: Path) -> None:
    run = run_participant(dataset, "truth", Settings(), tmp_path / "run")
    assert run.card["score"] == 1.0
    assert run.card["complete"]
    assert {record.id for record in run.records} == {row.id for row in dataset.questions}
    assert all(record.status is Status.ANSWERED and record.frames == 6 for record in run.records)
    assert "mean over the tasks in the set" in run.card["formula"]


def test_truth_sees_only_the_frames_shown(dataset: Dataset, tmp_path: Path) -> None:
    """The first frame shows one cube of four: the count is wrong and the order cannot be told."""
    run = run_participant(dataset, "truth", Settings(frames="first"), tmp_path / "run")
    claims = {record.claim for record in run.records if record.task == "counting"}
    assert claims == {"1"}
    assert all(r.status is Status.REFUSED for r in run.records if r.task == "ordering" and r.item != "000000")


def test_playing_the_frames_twice_changes_nothing(dataset: Dataset, tmp_path: Path) -> None:
    assert run_participant(dataset, "truth", Settings(frames="twice"), tmp_path / "run").card["score"] == 1.0


def test_random_is_reproducible_and_frequent_is_the_majority(dataset: Dataset, tmp_path: Path) -> None:
    one = run_participant(dataset, "random", Settings(seed=3), tmp_path / "a")
    two = run_participant(dataset, "random", Settings(seed=3), tmp_path / "b")
    other = run_participant(dataset, "random", Settings(seed=4), tmp_path / "c")
    assert [r.claim for r in one.records] == [r.claim for r in two.records]
    assert [r.claim for r in one.records] != [r.claim for r in other.records]
    frequent = run_participant(dataset, "frequent", Settings(), tmp_path / "d")
    by_task = {s.name: s.value for s in summarise(frequent.protocol, frequent.records).tasks}
    assert by_task == {"counting": 1.0, "ordering": 0.75}


def test_an_option_that_occurs_once_does_not_give_itself_away(tmp_path: Path) -> None:
    """Every question has options of its own; the right one is the first in three of four recordings."""
    dataset = make_set(tmp_path / "set", items=4, copies=6)
    rows = []
    for row in dataset.questions:
        options = tuple(f"{row.id} {k}" for k in range(3))
        rows.append(replace(row, options=options, answer=options[2 if row.item == "000003" else 0]))
    write_rows(tmp_path / "set" / "questions.parquet", rows)
    run = run_participant(Dataset.open(tmp_path / "set"), "frequent", Settings(), tmp_path / "run")
    assert run.card["score"] == 0.75


def test_truth_numbers_the_frames_of_a_question_as_they_are_shown(tmp_path: Path) -> None:
    """The question is about frames 2 and 4; only these are shown, as the first and the second picture."""
    dataset = make_set(tmp_path / "set", items=1)
    question = UniqueObjects(frames=(2, 4))
    row = replace(
        dataset.questions[0], program=to_program(question), answer="cube", task="list", options=("cube", "x")
    )
    write_rows(tmp_path / "set" / "questions.parquet", [row])
    changed = Dataset.open(tmp_path / "set")
    assert run_participant(changed, "truth", Settings(frames="given"), tmp_path / "a").card["score"] == 1.0
    assert about_frames(row, (4, 0)) == UniqueObjects(frames=(0,))


def test_random_meets_its_expectation(tmp_path: Path) -> None:
    dataset = make_set(tmp_path / "set", items=4, copies=60)
    run = run_participant(dataset, "random", Settings(), tmp_path / "run")
    expected = chance_score(run.protocol, run.records, dataset.questions)
    assert expected == pytest.approx((1 + 1 / 3) / 2)  # counting has one answer in this set
    assert summarise(run.protocol, run.records).overall.interval.holds(expected)


def test_an_interrupted_run_goes_on(dataset: Dataset, tmp_path: Path) -> None:
    whole = run_participant(dataset, "random", Settings(), tmp_path / "whole")
    shutil.copytree(tmp_path / "whole", tmp_path / "cut")
    answers = tmp_path / "cut" / "answers.jsonl"
    text = answers.read_text()
    answers.write_text(text[: len(text) // 2])  # ends in the middle of a line
    card = json.loads((tmp_path / "cut" / "run.json").read_text())
    (tmp_path / "cut" / "run.json").write_text(json.dumps({**card, "complete": False}))
    again = run_participant(dataset, "random", Settings(), tmp_path / "cut")
    assert {(r.id, r.claim) for r in again.records} == {(r.id, r.claim) for r in whole.records}
    assert len(again.records) == len(whole.records)


def test_a_finished_run_is_not_run_again(dataset: Dataset, tmp_path: Path) -> None:
    run_participant(dataset, "truth", Settings(), tmp_path / "run")
    before = (tmp_path / "run" / "answers.jsonl").stat().st_mtime_ns
    run_participant(dataset, "truth", Settings(), tmp_path / "run")
    assert (tmp_path / "run" / "answers.jsonl").stat().st_mtime_ns == before


def test_a_folder_of_another_run_or_of_something_else_is_left_alone(dataset: Dataset, tmp_path: Path) -> None:
    run_participant(dataset, "truth", Settings(), tmp_path / "run")
    with pytest.raises(Refused, match="its who is 'truth'"):
        run_participant(dataset, "random", Settings(), tmp_path / "run")
    other = make_set(tmp_path / "other", items=2)
    with pytest.raises(Refused, match="its dataset hash"):
        run_participant(other, "truth", Settings(), tmp_path / "run")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("x")
    with pytest.raises(Refused, match="not empty"):
        run_participant(dataset, "truth", Settings(), tmp_path / "mine")


def test_a_missing_recording_costs_its_own_questions_only(tmp_path: Path) -> None:
    dataset = make_set(tmp_path / "set", items=3)
    shutil.rmtree(tmp_path / "set" / "items" / "000001")
    run = run_participant(dataset, "truth", Settings(), tmp_path / "run")
    lost = [record for record in run.records if record.status is Status.ERROR]
    assert {record.item for record in lost} == {"000001"}
    assert all("000001" in record.reason for record in lost)
    assert summarise(run.protocol, run.records).overall.value == pytest.approx(2 / 3)


def test_participants_join_by_name_and_may_abstain(dataset: Dataset, tmp_path: Path) -> None:
    class Shy:
        def answer(self, recording: Recording, row: QuestionRow) -> Reply:
            raise Unanswerable("too shy")

    participant("shy-for-test", "never answers")(lambda setting: Shy())
    assert "shy-for-test" in PARTICIPANTS
    run = run_participant(dataset, "shy-for-test", Settings(), tmp_path / "run")
    assert {record.status for record in run.records} == {Status.REFUSED}
    assert {record.reason for record in run.records} == {"too shy"}
    with pytest.raises(ValueError, match="share the name"):
        participant("shy-for-test", "again")(lambda setting: Shy())


def test_unknown_names_are_answered_with_the_known_ones(dataset: Dataset, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"known are.*truth"):
        make_participant("oracle", Setting(dataset, FramePolicy()))
    with pytest.raises(BadInput, match="no parser 'lucky'"):
        run_participant(dataset, "truth", Settings(parser="lucky"), tmp_path / "run")
    with pytest.raises(BadInput, match="unknown benchmark"):
        run_participant(dataset, "truth", Settings(protocol="x"), tmp_path / "run")


def test_two_processes_never_answer_into_one_folder(dataset: Dataset, tmp_path: Path) -> None:
    run_participant(dataset, "random", Settings(limit=1), tmp_path / "run")
    with held(tmp_path / "run"), pytest.raises(Refused, match="another process is answering"):
        run_participant(dataset, "random", Settings(), tmp_path / "run")
    run = run_participant(dataset, "random", Settings(), tmp_path / "run")
    assert len(run.records) == len(dataset.questions)


def test_runs_are_found_in_a_folder_of_runs(dataset: Dataset, tmp_path: Path) -> None:
    for name in ("truth", "random"):
        run_participant(dataset, name, Settings(), tmp_path / name)
    assert [run.name for run in find_runs([tmp_path])] == ["random", "truth"]
    with pytest.raises(BadInput, match="not a run"):
        Run.open(tmp_path)
    with pytest.raises(BadInput, match="no folder"):
        find_runs([tmp_path / "nowhere"])
    (tmp_path / "random" / "answers.jsonl").write_text("")
    assert [run.unfinished for run in find_runs([tmp_path])] == [
        f"unfinished: 0 of {len(dataset.questions)} questions",
        "",
    ]
    with pytest.raises(BadInput, match="no answers yet"):
        Run.open(tmp_path / "random")


def test_a_damaged_record_is_named(tmp_path: Path) -> None:
    (tmp_path / "answers.jsonl").write_text('{"id": 1}\n{}\n')
    with pytest.raises(BadFormat, match="line 1"):
        list(read_records(tmp_path / "answers.jsonl"))


def test_analyses_cut_by_stratum(dataset: Dataset, tmp_path: Path) -> None:
    run = run_participant(dataset, "truth", Settings(frames="first"), tmp_path / "run")
    cut = {strata.title: strata for strata in analyses(run.protocol, run.records)}
    assert "frames" not in cut, "one value is no analysis"
    leaning = {t.name: t.value for t in summarise(run.protocol, run.records).tendencies}
    assert leaning["counting, truth ≥ 2: said too few"] == 1.0


def test_words_about_these_frames_are_about_the_frames_shown(dataset: Dataset) -> None:
    row = replace(dataset.questions[0], program={"kind": "unique_objects", "frames": [2, 5]})
    assert about_shown(UniqueObjects(), row) == UniqueObjects((2, 5))
    assert about_shown(UniqueObjects(), replace(row, program={})) == UniqueObjects()
    assert about_shown(InViewNow(Selector.make("cup")), row) == InViewNow(Selector.make("cup"))
