"""What leaves a queue: public records byte for byte, sets that evaluate, agreement, training scores."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from annotate.films import film, recording, uneven
from situ.annotate.agreement import agreement
from situ.annotate.annotation import Annotation
from situ.annotate.exporting import export_public, export_set, public_files
from situ.annotate.make import make_queue
from situ.annotate.rules import content_hash
from situ.annotate.sources import Media
from situ.annotate.store import Deed, Store
from situ.annotate.training import answer, scores
from situ.benchmarks.dataset import Dataset
from situ.cli.app import app
from situ.errors import BadInput, Refused
from ucs_set import small_set

RECORD = {
    "qid": "walk_1",
    "video_uid": "walk-mcq",
    "question": "Where is the cup relative to you now?",
    "question_chinese": "现在杯子在哪里？",
    "question_timestamps": "00:00:09",
    "options": {"A": "behind you", "B": "to your left", "C": "above you", "D": "to your right", "E": "ahead"},
    "answer_label": "B",
    "answer": "to your left",
    "qtype": "OTHER",
    "category": "Position & Orientation",
    "subcategory": "ego-centric position",
    "task_difficulty": "hard",
    "evidence": "00:00:02-00:00:04",
    "reviewer": {"notes": [1, 2.5, None]},
}


def validate(store: Store) -> None:
    """As if everything had passed the refine page."""
    for stored in store.all():
        item = stored.annotation
        blind = {"of": content_hash(item), "seen_through": False}
        store.set(item.id, {"status": "validated", "label": "good", "blind": blind}, Deed("Ada", "accept"))


@pytest.mark.parametrize("layout", [{"indent": 2, "ensure_ascii": False}, {"indent": 4}, {}])
@pytest.mark.parametrize("end", ["", "\n"])
def test_public_records_come_back_byte_for_byte(tmp_path: Path, layout: dict[str, int], end: str) -> None:
    text = (
        json.dumps([RECORD, {**RECORD, "qid": "walk_2", "question_timestamps": "00:00:11.5"}], **layout) + end
    )  # type: ignore[arg-type]
    (tmp_path / "walk.json").write_text(text, encoding="utf-8")
    store, problems = make_queue([tmp_path / "walk.json"], tmp_path / "q.annotate")
    assert problems == []
    with pytest.raises(BadInput, match="validated"):
        public_files(store)
    validate(store)
    assert public_files(store) == {"walk.json": text.encode()}


def test_only_what_was_edited_differs(tmp_path: Path) -> None:
    (tmp_path / "walk.json").write_text(json.dumps([RECORD], indent=2, ensure_ascii=False), encoding="utf-8")
    store, _ = make_queue([tmp_path / "walk.json"], tmp_path / "q.annotate")
    store.change("walk_1", {"answer": "above you", "time": 9.5}, Deed("Ada"))
    validate(store)
    (found,) = json.loads(public_files(store)["walk.json"])
    expected = {**RECORD, "answer": "above you", "answer_label": "C", "question_timestamps": "00:00:09.5"}
    assert found == expected
    assert list(found) == list(RECORD)


@pytest.mark.parametrize("kind", ["video", "varying", "recording"])
def test_a_record_of_ours_is_imported_and_evaluated_with_the_same_evidence(tmp_path: Path, kind: str) -> None:
    if kind == "recording":
        source = recording(tmp_path / "walk", 240)
    else:
        source = film(tmp_path / "walk.mp4", 240, uneven(240, 7) if kind == "varying" else None)
    store, _ = make_queue([source], tmp_path / "q.annotate")
    times = Media(store).times("walk").tolist()
    asked, spans = times[200], ((times[33], times[71]), (times[90], times[90]))
    options = tuple(RECORD["options"].values())  # type: ignore[attr-defined]
    store.add(
        Annotation("walk-0001", "walk", str(RECORD["question"]), "above you", asked, spans,
                   "Position & Orientation", "ego-centric position", "OTHER", "second", options),
        Deed("Ada"),
    )  # fmt: skip
    validate(store)
    run = CliRunner()
    out, back = tmp_path / "out", tmp_path / "back"
    assert run.invoke(app, ["annotate", "export", str(store.path), "-o", str(out), "--media"]).exit_code == 0
    done = run.invoke(app, ["import", "ucs", str(out), "-o", str(back), "--fps", "1000", "--json"])
    assert done.exit_code == 0, done.output
    (row,) = Dataset.open(back).questions
    assert (row.text, row.options, row.answer) == (RECORD["question"], options, "above you")
    assert row.evidence == (*range(33, 72), 90)
    assert row.time == pytest.approx(asked - times[0], abs=1e-6)
    own = export_set(store, tmp_path / "set")
    assert own.questions[0].evidence == row.evidence
    assert (own.questions[0].text, own.questions[0].options) == (row.text, row.options)
    args = ["eval", str(back), "-p", "random", "-o", str(tmp_path / "run"), "--json"]
    assert run.invoke(app, args).exit_code == 0
    lines = [
        json.loads(line) for line in next((tmp_path / "run").rglob("answers.jsonl")).read_text().splitlines()
    ]
    assert [line["question"] if "question" in line else line["id"] for line in lines] == ["walk-0001"]


def test_files_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "walk.json").write_text(json.dumps([RECORD]))
    store, _ = make_queue([tmp_path / "walk.json"], tmp_path / "q.annotate")
    validate(store)
    export_public(store, tmp_path / "out")
    for kind in ("ucs", "log"):
        target = tmp_path / "out" / ("" if kind == "ucs" else "walk.json")
        done = CliRunner().invoke(
            app, ["annotate", "export", str(store.path), "--out", str(target), "--to", kind]
        )
        assert isinstance(done.exception, Refused)


def test_agreement_counts_last_words_and_not_what_was_undone(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "q.annotate", {})
    store.add_many([Annotation(f"q{i}", "walk") for i in range(6)], "")
    for i in range(6):
        store.set(f"q{i}", {"label": "good"}, Deed("Ada", "accept"))
        store.set(f"q{i}", {"label": "good"}, Deed("Bob", "accept" if i < 3 else "reject", reason="why"))
    found = agreement(store)
    assert found["verdicts"]["items"] == 6
    # Two coders, 6 items, Ada always 1, Bob half: observed 0.5, expected 2*9*3/(12*11)
    assert found["verdicts"]["alpha"] == pytest.approx(1 - 0.5 / (2 * 9 * 3 / (12 * 11)))
    for i in range(3, 6):
        store.undo(f"q{i}", Deed("Bob"))
    assert agreement(store)["verdicts"]["items"] == 3
    done = CliRunner().invoke(app, ["annotate", "agreement", str(store.path), "--json"])
    assert json.loads(done.output)["people"] == ["Ada", "Bob"]


def test_training_scores_the_first_answer_by_the_truth(tmp_path: Path) -> None:
    dataset = small_set()
    store, _ = make_queue([dataset.folder], tmp_path / "q.annotate", training=True)
    rows = {row.id: row for row in dataset.questions}
    for stored in store.all():
        item = stored.annotation
        assert (item.answer, item.spans) == ("", ())
        row = rows[item.id]
        wrong = next((o for o in row.options if o != row.answer), "nothing")
        times = dataset.recording(row.item).path.times
        spans = [[float(times[f]), float(times[f])] for f in row.evidence[:64]]
        good = answer(store, item.id, "careful", {"answer": row.answer, "spans": spans})
        assert good["right"]
        assert good["counted"]
        bad = answer(store, item.id, "careless", {"answer": wrong, "spans": []})
        assert not bad["right"]
        again = answer(store, item.id, "careless", {"answer": row.answer, "spans": spans})
        assert again["right"]
        assert not again["counted"]
    found = {one["person"]: one for one in scores(store)}
    assert found["careful"]["right"] == 1.0
    assert found["careful"]["evidence"] == 1.0
    assert found["careless"]["right"] == 0.0
    assert found["careful"]["interval"][0] > found["careless"]["interval"][1]
    with pytest.raises(BadInput, match="give your name"):
        answer(store, store.all()[0].annotation.id, " ", {"answer": "x", "spans": []})
