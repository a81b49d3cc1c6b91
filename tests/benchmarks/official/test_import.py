"""Every published layout, in small: import, eval, report and audit, as a lab would."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import digital_twin
import miniatures
from real_data import real_data
from situ.benchmarks.dataset import Dataset
from situ.benchmarks.official.files import SourceFiles
from situ.benchmarks.official.layouts import ImportOptions, import_set
from situ.benchmarks.openeqa import official as openeqa
from situ.benchmarks.rem.official import program_of
from situ.benchmarks.vsi import official as vsi
from situ.cli.app import app
from situ.errors import BadInput, Unanswerable
from situ.evaluation.audit.frames import audit_frames
from situ.evaluation.benchmark import protocol_of
from situ.evaluation.check.run import check_dataset
from situ.evaluation.models.run_model import run_model
from situ.evaluation.models.settings import ModelSettings
from situ.evaluation.records.answer import Status
from situ.evaluation.records.frames import FramePolicy
from situ.evaluation.runs.run import Settings, run_participant
from situ.questions import Compare, Selector, to_program
from situ.train.data_recipe import DataRecipe
from situ.train.make import make_training_set
from situ.train.recipe import TrainRecipe
from situ.train.rows import FROM_SET, read_rows
from situ.train.validation import check_training_set

runner = CliRunner()


def call(*arguments: object, code: int = 0) -> str:
    result = runner.invoke(app, [str(a) for a in arguments], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.stdout


@pytest.mark.parametrize("name", miniatures.LAYOUTS)
def test_the_whole_road(name: str, tmp_path: Path) -> None:
    write, questions, items = miniatures.LAYOUTS[name]
    source = write(tmp_path / "published")
    made = json.loads(call("import", name, source, "--out", tmp_path / "set", "--json"))
    assert (made["questions"], made["items"], made["refused"]) == (questions, items, [])
    out = call("eval", tmp_path / "set", "-p", "random", "-p", "frequent", "-o", tmp_path / "runs", "--json")
    assert [run["name"] for run in json.loads(out)] == ["random", "frequent"]
    call("report", tmp_path / "runs", "--out", tmp_path / "report.html")
    assert "Run card: frequent" in (tmp_path / "report.html").read_text()
    counted = json.loads(call("lab", "describe", tmp_path / "set", "--json"))["statistics"]
    assert ("questions", str(questions)) in [(line["about"], line["value"]) for line in counted]
    dataset = Dataset.open(tmp_path / "set")
    for item in dataset.items:
        recording = dataset.recording(item)
        recording.verify()
        assert recording.has_images
    again = json.loads(call("import", name, source, "--out", tmp_path / "again", "--json"))
    assert again["content_hash"] == made["content_hash"]


def test_questions_of_disjoint_over_a_digital_twin(tmp_path: Path) -> None:
    digital_twin.sequence(tmp_path / "adt" / "home", 0)
    dataset = _imported("disjoint", tmp_path / "adt", tmp_path / "set")
    assert dataset.items == ("home",)
    assert {row.task for row in dataset.questions} >= {"distance", "size_fit"}
    assert check_dataset(dataset).disagreements == ()
    call("eval", tmp_path / "set", "-p", "random,frequent", "-o", tmp_path / "runs", "--json")
    call("report", tmp_path / "runs", "--out", tmp_path / "report.html")
    assert "Run card: frequent" in (tmp_path / "report.html").read_text()


def test_a_glance_in_which_nothing_is_seen_apart_leaves_no_set(tmp_path: Path) -> None:
    source = digital_twin.sequence(tmp_path / "home", 0)
    for picture in sorted(source.glob("rgb_*.jpg"))[1:]:
        picture.unlink()
    with pytest.raises(Unanswerable, match="longer recordings"):
        _imported("disjoint", source, tmp_path / "set")
    assert not (tmp_path / "set").exists()


def test_times_and_evidence_of_a_stream_become_frames(tmp_path: Path) -> None:
    dataset = _imported("ucs", miniatures.ucs(tmp_path / "p"), tmp_path / "set")
    row = next(row for row in dataset.questions if row.id == "q2")
    recording = dataset.recording(row.item)
    shown = FramePolicy.parse("fps:1,recent:64").pick(recording, row)
    assert row.time == 5.0
    assert max(recording.path.times[list(shown)]) <= 5.0  # nothing from after the question
    assert [float(recording.path.times[i]) for i in row.evidence] == [1.0]
    assert row.strata["evidence_age_s"] == 3.5


def test_a_walk_keeps_its_moves_and_poses(tmp_path: Path) -> None:
    dataset = _imported("rem", miniatures.rem(tmp_path / "p"), tmp_path / "set")
    recording = dataset.recording("0001-run")
    assert [frame.action for frame in recording.frames] == [
        "start", "move forward 1 metre", "turn left 15 degrees", "move forward 1 metre",
    ]  # fmt: skip
    assert recording.path.positions[1].tolist() == pytest.approx([-4.0, 0.0, 1.25])
    assert recording.camera.horizontal_fov_deg == pytest.approx(90.0)
    tasks = {row.task: row for row in dataset.questions if row.item == "0001-run"}
    assert set(tasks) == {"counting", "comparison", "left_right", "ordering"}
    assert tasks["comparison"].options == ("red cones", "spheres", "equal")
    assert tasks["counting"].strata["repeats_in_scene"] == 3


@pytest.mark.parametrize(
    ("task", "text", "kind"),
    [
        ("counting", "How many blue objects are there?", "count"),
        ("comparison", "Are there more red cones or spheres?", "compare"),
        (
            "ordering",
            "Did we see the red cone before, after, or at the same time as the blue cuboid?",
            "first_seen_order",
        ),
        ("left_right", "Is the green sphere to the left of the blue cuboid?", "side_in_view"),
        ("counting", "How many unicorns are there?", None),
    ],
)
def test_published_words_become_programs(task: str, text: str, kind: str | None) -> None:
    assert program_of(task, text).get("kind") == kind


def test_what_is_published_has_no_truth_and_no_second_opinion(tmp_path: Path) -> None:
    dataset = _imported("rem", miniatures.rem(tmp_path / "p"), tmp_path / "set")
    run = run_participant(dataset, "truth", Settings(), tmp_path / "run")
    assert {record.status for record in run.records} == {Status.REFUSED}
    with pytest.raises(BadInput, match="publisher's"):
        check_dataset(dataset)


def test_pictures_of_different_sizes_keep_their_shape(tmp_path: Path) -> None:
    dataset = _imported("viewspatial", miniatures.viewspatial(tmp_path / "p"), tmp_path / "set")
    recording = dataset.recording(dataset.items[0])
    assert (recording.camera.width, recording.camera.height) == (48, 48)
    assert dataset.questions[0].answer == "right"


def test_rows_that_break_a_rule_are_refused_and_told(tmp_path: Path) -> None:
    source = miniatures.ucs(tmp_path / "p")
    path = source / "annotations" / "first.json"
    rows = json.loads(path.read_text())
    late = {**rows[0], "qid": "late", "question_timestamps": "00:10:00"}
    gone = {**rows[0], "qid": "gone", "video_uid": "nowhere"}
    twice = {**rows[0], "question": "Where is the other cup?"}
    path.write_text(json.dumps([*rows, late, gone, twice, "no record"]))
    made = json.loads(call("import", "ucs", source, "--out", tmp_path / "set", "--json", code=1))
    broken = {entry["id"]: entry["broke"] for entry in made["refused"]}
    assert "lasts 6 s" in broken["late"]
    assert "nowhere.mp4" in broken["gone"]
    assert "used before" in broken["q0"]
    assert "not an object" in broken["first-7"]
    assert made["questions"] == 6
    assert len((tmp_path / "set" / "refused.jsonl").read_text().splitlines()) == 4


def test_a_table_beside_the_media_is_none_of_the_set(tmp_path: Path) -> None:
    miniatures.video(tmp_path / "media" / "a.mp4")
    good = {"id": "good", "question": "Which?", "options": ["1", "2"], "answer": "1", "video": "a.mp4"}
    table = tmp_path / "media" / "mine.json"
    table.write_text(json.dumps([good, {**good, "id": "bad", "answer": "3"}]))
    (tmp_path / "media" / "another.json").write_text(json.dumps([{**good, "id": "foreign"}]))
    made = import_set("table", str(table), tmp_path / "set", ImportOptions(tmp_path / "media"))
    assert [row.id for row in made.dataset.questions] == ["good"]
    assert [problem.id for problem in made.problems] == ["bad"]
    both = import_set("table", str(tmp_path / "media"), tmp_path / "both", ImportOptions(tmp_path / "media"))
    assert {row.id for row in both.dataset.questions} == {"good", "foreign"}


def test_a_training_set_of_others_becomes_examples(tmp_path: Path) -> None:
    """Tables in the form of Video-R1 hold the key between tags; numbers have no letter to learn."""
    media = tmp_path / "media"
    for seed, name in enumerate(("a.png", "b.png")):
        miniatures.image(media / name, seed)
    rows = [
        {"problem_id": 1, "problem": "Which is nearer?", "options": ["A. lamp", "B. chair"], "path": "a.png",
         "solution": "<answer>B</answer>", "problem_type": "multiple choice"},
        {"problem_id": 2, "problem": "How many chairs?", "path": "b.png", "solution": "<answer>3</answer>",
         "problem_type": "numerical"},
    ]  # fmt: skip
    (tmp_path / "train.json").write_text(json.dumps(rows))
    made = import_set("table", str(tmp_path / "train.json"), tmp_path / "set", ImportOptions(media))
    assert {row.id: row.answer for row in made.dataset.questions} == {"1": "chair", "2": "3"}
    recipe = DataRecipe(rows=6, recordings=(str(made.dataset.folder),))
    make_training_set(recipe, tmp_path / "examples")
    (example,) = [row for row in read_rows(tmp_path / "examples") if FROM_SET in row.about]
    assert example.kind == "image_qa"
    assert f"\n{example.letter}. chair" in example.prompt
    problems = check_training_set(tmp_path / "examples", TrainRecipe())
    assert not [problem for problem in problems if problem.where == example.id]


def test_words_alone_must_be_asked_for(tmp_path: Path) -> None:
    source = miniatures.saw(tmp_path / "p")
    for film in (source / "videos").iterdir():
        film.unlink()
    with pytest.raises(BadInput, match="--media"):
        _imported("saw", source, tmp_path / "set")
    assert not (tmp_path / "set").exists()
    words = _imported("saw", source, tmp_path / "set", words_only=True)
    assert audit_frames(words) == [], "there is nothing to look at"
    with pytest.raises(BadInput, match=r"words alone.*blind"):
        run_model(words, ModelSettings("situ-canned/say:A"), Settings(), tmp_path / "run")
    assert not (tmp_path / "run").exists()
    assert len(words.questions) == 6
    miniatures.video(tmp_path / "elsewhere" / "0_18.mp4")
    some = import_set("saw", str(source), tmp_path / "some", ImportOptions(tmp_path / "elsewhere"))
    assert (len(some.dataset.questions), len(some.problems)) == (1, 5)


def test_a_hub_that_cannot_be_reached_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(BadInput, match="hf download nobody/nothing"):
        _imported("saw", Path("nobody/nothing"), tmp_path / "set")


def test_the_hub_gives_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = pytest.importorskip("huggingface_hub", reason="the extra 'hub' is not installed")
    source = miniatures.saw(tmp_path / "p")
    asked: list[str] = []

    def download(name: str, repo_type: str) -> str:
        asked.append(f"{repo_type} {name}")
        return str(source)

    monkeypatch.setattr(hub, "snapshot_download", download)
    assert len(_imported("saw", Path("ucsbai/SAW-Bench"), tmp_path / "set").questions) == 6
    assert asked == ["dataset ucsbai/SAW-Bench"]


def test_videos_inside_a_table(tmp_path: Path) -> None:
    film = miniatures.video(tmp_path / "film.mp4").read_bytes()
    rows = [
        {"id": n, "question": "Does it pan?", "options": ["yes", "no"], "answer": "yes",
         "video": {"bytes": film, "path": f"{n}.mp4"}}
        for n in range(2)
    ]  # fmt: skip
    (tmp_path / "p").mkdir()
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "p" / "test.parquet")
    dataset = _imported("camerabench", tmp_path / "p", tmp_path / "set")
    assert len(dataset.recording(dataset.items[0])) > 10


@pytest.mark.real
def test_real_files() -> None:
    rooms = vsi.read_official(SourceFiles(real_data("vsi_bench")), words_only=True)
    assert (len(rooms.rows), len(rooms.items), rooms.problems) == (1244 + 47, 90, ())
    assert sum("room" in item.meta for item in rooms.items) == 89
    eqa = openeqa.read_official(SourceFiles(real_data("openeqa")), words_only=True)
    assert (len(eqa.rows), len(eqa.items), eqa.problems) == (1636, 152, ())


def _imported(name: str, source: Path, out: Path, **options: object) -> Dataset:
    made = import_set(name, str(source), out, ImportOptions(**options))  # type: ignore[arg-type]
    assert made.problems == ()
    return made.dataset


@pytest.mark.parametrize(
    "text",
    [
        "Are there more red cones, blue spheres, or equal?",
        "Are there more red cones or blue spheres?",
        "Did we see more red cones or blue spheres, or equal?",
    ],
)
def test_comparisons_of_rem_in_the_words_of_paper_and_code(text: str) -> None:
    assert program_of("comparison", text) == to_program(
        Compare(Selector.make("cone", {"color": "red"}), Selector.make("sphere", {"color": "blue"}))
    )


def test_spar_has_options_levels_and_moves(tmp_path: Path) -> None:
    rows = {
        row.task: row
        for row in _imported("spar", miniatures.spar(tmp_path / "spar"), tmp_path / "s").questions
    }
    relation, move = rows["obj_spatial_relation_oo"], rows["view_change_infer"]
    assert (relation.text, relation.options, relation.answer) == (
        "Where is the sofa?",
        ("left", "right", "behind"),
        "right",
    )
    assert [rows[task].strata["difficulty"] for task in rows] == ["high", "middle", "low", "middle"]
    points = protocol_of("spar").points
    assert points(move, move.answer) == 1.0
    assert points(move, "move_right:0.4,rotate_up:12") == 0.8  # four of five axes
    assert points(move, "I cannot say") == 0.0


def test_columns_with_names_of_their_own(tmp_path: Path) -> None:
    """A column may be called what it likes; --map says what it is."""
    miniatures.image(tmp_path / "bild.png")
    rows = [
        {
            "nr": "7",
            "frage": "Wo ist sie?",
            "auswahl": ["links", "rechts"],
            "loesung": "links",
            "bild": "bild.png",
        }
    ]
    (tmp_path / "fragen.json").write_text(json.dumps(rows))
    named = ["id=nr", "question=frage", "options=auswahl", "answer=loesung", "image=bild"]
    arguments = [word for pair in named for word in ("--map", pair)]
    call(
        "import",
        "table",
        tmp_path / "fragen.json",
        "--media",
        tmp_path,
        "--out",
        tmp_path / "set",
        *arguments,
    )
    (row,) = Dataset.open(tmp_path / "set").questions
    assert (row.id, row.text, row.answer) == ("7", "Wo ist sie?", "links")
    with pytest.raises(BadInput, match="question=frage"):
        call("import", "table", tmp_path / "fragen.json", "--out", tmp_path / "x", "--map", "frage")
