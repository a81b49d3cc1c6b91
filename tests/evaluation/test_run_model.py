import json
import shutil
from pathlib import Path

import pytest

from evaluation.loopback import Loopback, by_hash, serving
from evaluation.small_set import make_set
from situ.benchmarks.dataset import Dataset
from situ.errors import BadInput
from situ.evaluation.records.answer import Status
from situ.evaluation.runs.run import Settings
from situ.evaluation.runs.run_folder import Run
from situ.evaluation.runs.summary import summarise

pytest.importorskip("inspect_ai", reason="the extra 'eval' is not installed")
from situ.evaluation.models.run_model import ModelSettings, run_model


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return make_set(tmp_path_factory.mktemp("model") / "set", items=3, copies=2)


@pytest.fixture(scope="module")
def perfect(dataset: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A canned model that knows every answer."""
    folder = tmp_path_factory.mktemp("perfect")
    (folder / "replies.json").write_text(json.dumps({row.text: row.answer for row in dataset.questions}))
    model = ModelSettings("situ-canned/replies", model_args={"file": str(folder / "replies.json")})
    return run_model(dataset, model, Settings(), folder / "run")


def openai(server: Loopback, **more: object) -> ModelSettings:
    return ModelSettings(
        "openai-api/loopback/any",
        base_url=server.url,
        model_args={"api_key": "none"},
        connections=4,
        **more,  # type: ignore[arg-type]
    )


def test_a_canned_model_answers_everything(perfect: Run, dataset: Dataset) -> None:
    assert perfect.card["score"] == 1.0
    assert {record.id for record in perfect.records} == {row.id for row in dataset.questions}


def test_the_record_holds_what_shaped_the_score(perfect: Run) -> None:
    for record in perfect.records:
        assert record.frames == 6
        assert len(record.frames_hash) == len(record.prompt_hash) == 16
        assert record.rule
        assert record.effort.calls == 1
        assert record.effort.output_tokens > 0
    assert len({record.frames_hash for record in perfect.records}) == 3, "one frame list per recording"
    assert len({record.prompt_hash for record in perfect.records}) == len(perfect.records)


def test_logs_hold_no_pictures(perfect: Run, dataset: Dataset) -> None:
    (log,) = (perfect.folder / "inspect").glob("*.eval")
    content = log.read_bytes()
    picture = dataset.recording("000000").jpeg(0)
    assert picture[:200] not in content
    assert log.stat().st_size < 40_000 * len(perfect.records)


def test_nothing_is_lost_to_errors_slowness_and_garbage(dataset: Dataset, tmp_path: Path) -> None:
    answer = by_hash(("4", "5", "before", "after"))
    with serving(Loopback(answer)) as calm:
        expected = run_model(dataset, openai(calm), Settings(), tmp_path / "calm")
    with serving(Loopback(answer, errors=0.1, garbage=0.15, slow=0.1, seed=5)) as server:
        stormy = run_model(dataset, openai(server, retries=5), Settings(), tmp_path / "stormy")
    assert server.faults, "no fault was injected; choose another seed"
    assert stormy.card["score"] == expected.card["score"]
    assert {r.id: r.claim for r in stormy.records} == {r.id: r.claim for r in expected.records}
    assert set(server.asked.values()) == {1}, "a question was answered twice"
    assert calm.images == 6 * len(dataset.questions)


def test_a_model_that_refuses_images_leaves_a_reason_and_can_be_asked_again(
    dataset: Dataset, tmp_path: Path
) -> None:
    answer = by_hash(("4", "before"))
    with serving(Loopback(answer, refuse_images=True)) as server:
        run = run_model(dataset, openai(server, retries=0), Settings(), tmp_path / "run")
        assert {record.status for record in run.records} == {Status.ERROR}
        assert all("takes no images" in record.reason for record in run.records)
        server.refuse_images = False
        again = run_model(dataset, openai(server, ask_failed_again=True), Settings(), tmp_path / "run")
    assert Status.ERROR not in {record.status for record in again.records}
    assert len(again.records) == len(dataset.questions)


def test_an_empty_answer_and_one_in_another_language_are_marked_and_the_run_goes_on(
    dataset: Dataset, tmp_path: Path
) -> None:
    rows = [row for row in dataset.questions if row.task == "ordering"]
    said = ["", "Das kann ich den Bildern nicht entnehmen.", "Vorher, also nehme ich <answer>A</answer>"]
    replies = {row.text: reply for row, reply in zip(rows, said, strict=False)}
    (tmp_path / "replies.json").write_text(json.dumps(replies))
    model = ModelSettings("situ-canned/replies", model_args={"file": str(tmp_path / "replies.json")})
    run = run_model(dataset, model, Settings(protocol="saw"), tmp_path / "run")
    by_id = {record.id: record for record in run.records}
    empty, foreign, tagged = (by_id[row.id] for row in rows[:3])
    assert (empty.status, empty.reason) == (Status.UNREADABLE, "empty")
    assert foreign.status is Status.UNREADABLE
    assert foreign.reply == said[1], "what was said is kept"
    assert tagged.claim == "before"
    assert len(run.records) == len(dataset.questions)


def test_a_missing_recording_does_not_stop_a_model_run(tmp_path: Path) -> None:
    dataset = make_set(tmp_path / "set", items=2)
    shutil.rmtree(tmp_path / "set" / "items" / "000001")
    run = run_model(dataset, ModelSettings("situ-canned/say:4"), Settings(), tmp_path / "run")
    failed = [record for record in run.records if record.status is Status.ERROR]
    assert {record.item for record in failed} == {"000001"}


@pytest.mark.parametrize(
    ("model", "complaint"),
    [
        ("nobody/model", "nobody"),
        ("situ-canned/sing", "say:TEXT"),
        ("openai-api/loopback/any", "LOOPBACK"),
    ],
)
def test_models_that_cannot_be_used_are_named(
    dataset: Dataset, tmp_path: Path, model: str, complaint: str
) -> None:
    with pytest.raises(BadInput, match=complaint):
        run_model(dataset, ModelSettings(model), Settings(), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_judge_marks_every_answer_and_some_of_them_twice(dataset: Dataset, tmp_path: Path) -> None:
    model = ModelSettings("situ-canned/say:4", judge="situ-canned/say:<answer>3</answer>", regraded=0.5)
    run = run_model(dataset, model, Settings(), tmp_path / "run")
    assert {record.mark for record in run.records} == {3}
    twice = [record for record in run.records if record.second_mark is not None]
    assert 0 < len(twice) < len(run.records)
    assert {record.effort.calls for record in twice} == {3}
    stable = summarise(run.protocol, run.records).judge_stability
    assert stable is not None
    assert (stable.value, stable.questions) == (1.0, len(twice))


def test_an_extractor_reads_what_no_rule_can_read(dataset: Dataset, tmp_path: Path) -> None:
    vague = "situ-canned/say:Hard to say, but it came earlier, I would think."
    settings = Settings(protocol="saw")
    alone = run_model(dataset, ModelSettings(vague), settings, tmp_path / "alone")
    assert {record.status for record in alone.records} == {Status.UNREADABLE}
    helped = run_model(
        dataset,
        ModelSettings(vague, extractor="situ-canned/say:<answer>A</answer>"),
        settings,
        tmp_path / "h",
    )
    read = [record for record in helped.records if record.rule == "extractor"]
    assert {record.task for record in read} == {"ordering"}, "a letter is no number"
    assert {record.claim for record in read} == {"before"}
    assert {record.effort.calls for record in helped.records} == {2}


def test_the_published_cascade_draws_lots_only_after_the_extractor(dataset: Dataset, tmp_path: Path) -> None:
    model = ModelSettings("situ-canned/say:hm", extractor="situ-canned/say:<answer>none</answer>")
    run = run_model(dataset, model, Settings(protocol="saw", parser="official"), tmp_path / "run")
    assert {record.rule for record in run.records if record.task == "ordering"} == {"random"}


def test_a_large_run_goes_part_by_part_and_skips_finished_parts(
    dataset: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("situ.evaluation.models.run_model.PART", 5)
    model = ModelSettings("situ-canned/say:4", "blind")
    run = run_model(dataset, model, Settings(), tmp_path / "run")
    assert [record.id for record in run.records] == sorted(row.id for row in dataset.questions)
    parts = sorted(path.name for path in (tmp_path / "run" / "inspect").iterdir())
    assert parts == ["part-0001", "part-0002", "part-0003"]
    answers = tmp_path / "run" / "answers.jsonl"
    kept = answers.read_text().splitlines()[:7]
    answers.write_text("\n".join(kept) + "\n" + kept[0][:40])  # killed while the second part was written
    card = json.loads((tmp_path / "run" / "run.json").read_text())
    (tmp_path / "run" / "run.json").write_text(json.dumps({**card, "complete": False}))
    shutil.rmtree(tmp_path / "run" / "inspect" / "part-0003")
    again = run_model(dataset, model, Settings(), tmp_path / "run")
    assert sorted(r.id for r in again.records) == sorted(row.id for row in dataset.questions)
    assert again.card["calls"] == len(dataset.questions)
