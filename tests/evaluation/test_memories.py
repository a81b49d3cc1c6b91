"""Published streams with memories of their videos: what `situ watch` remembers stands in for annotations."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import miniatures
from desk import frame
from situ.benchmarks.dataset import Dataset
from situ.benchmarks.official.layouts import ImportOptions, import_set
from situ.cli.app import app
from situ.errors import BadInput, Refused, Unanswerable
from situ.evaluation.benchmark import protocol_of
from situ.evaluation.models.strategies import find_strategy
from situ.evaluation.models.strategy import Case
from situ.evaluation.participants.memory_cache import Memories, frames_at
from situ.evaluation.participants.nearest_option import bearing_of, nearest_option
from situ.evaluation.records.frames import FramePolicy, PictureStore
from situ.evaluation.runs.run_folder import Run
from situ.language.focus import Decision
from situ.memory import SpatialMemory
from situ.questions.base import Answer
from ucs_set import small_set

pytest.importorskip("inspect_ai", reason="the extra 'eval' is not installed")
runner = CliRunner()
LEFT, BEHIND = (0.0, 2.0, 1.0), (-2.0, 0.1, 1.0)


@pytest.fixture
def streams(tmp_path: Path) -> tuple[Dataset, Path]:
    """Three published streams; in the first and the last a cup is left of the wearer, who then turns."""
    miniatures.ucs(tmp_path / "published")
    options = ImportOptions(None, "", None, None, False, 1, False)
    dataset = import_set("ucs", str(tmp_path / "published"), tmp_path / "set", options).dataset
    folder = tmp_path / "memories"
    folder.mkdir()
    for number in range(3):
        _watched(folder / f"stream{number}.situ", BEHIND if number == 1 else LEFT)
    return dataset, folder


def _watched(path: Path, cup: tuple[float, float, float]) -> None:
    yaw = 180.0 if cup is BEHIND else 90.0
    with SpatialMemory.create(path) as memory:
        for i in range(12):
            looking = i < 5
            memory.observe(frame(0.5 * i, {"cup": [cup]}, yaw=yaw if looking else 0.0))


def call(*arguments: object) -> str:
    result = runner.invoke(app, [str(a) for a in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_grammar_answers_from_memories(streams: tuple[Dataset, Path], tmp_path: Path) -> None:
    dataset, folder = streams
    command = ("eval", dataset.folder, "-p", "ask", "--memories", folder, "-o", tmp_path / "run", "--json")
    call(*command)
    run = Run.open(tmp_path / "run")
    where = {record.id: record for record in run.records if record.id.startswith("q")}
    assert [where[f"q{n}"].claim for n in range(3)] == ["left of me", "behind me", "left of me"]
    assert run.card["memories"]
    (folder / "stream0.situ").unlink()
    _watched(folder / "stream0.situ", BEHIND)
    with pytest.raises(Refused, match="memories"):
        call(*command)


def test_controls_beside_a_participant_with_memories(streams: tuple[Dataset, Path], tmp_path: Path) -> None:
    """Who takes no memories answers as ever; where nobody takes them, or one is missing, nobody answers."""
    dataset, folder = streams
    command = ("eval", dataset.folder, "--memories", folder, "-o", tmp_path / "runs", "--json", "-p")
    with pytest.raises(BadInput, match="random, frequent takes no --memories; these participants do: ask"):
        call(*command, "random,frequent")
    (folder / "stream2.situ").rename(tmp_path / "away.situ")
    with pytest.raises(BadInput, match=r"situ watch stream2\.mp4"):
        call(*command, "random,ask")
    assert not (tmp_path / "runs").exists()
    (tmp_path / "away.situ").rename(folder / "stream2.situ")
    call(*command, "random,ask")
    cards = {name: Run.open(tmp_path / "runs" / f"set-{name}").card["memories"] for name in ("random", "ask")}
    assert cards["ask"]
    assert not cards["random"]


def test_a_memory_that_counts_time_from_elsewhere_is_refused(
    streams: tuple[Dataset, Path], tmp_path: Path
) -> None:
    dataset, folder = streams
    (folder / "stream0.situ").unlink()
    with SpatialMemory.create(folder / "stream0.situ") as memory:
        memory.observe(frame(1.3e9, {"cup": [LEFT]}, yaw=90.0))
    call("eval", dataset.folder, "-p", "ask", "--memories", folder, "-o", tmp_path / "run", "--json")
    told = [record for record in Run.open(tmp_path / "run").records if record.item == "stream0"]
    assert told
    assert {"count time from different moments" in record.reason for record in told} == {True}, told[0].reason


def test_a_model_is_told_what_the_memory_holds(streams: tuple[Dataset, Path]) -> None:
    dataset, folder = streams
    row = next(row for row in dataset.questions if row.id == "q0")
    told: list[object] = []

    async def ask(system: str, parts: list[object], *_: object, **__: object) -> str:
        told.extend(parts)
        return "<answer>A</answer>"

    case = Case(
        row, protocol_of("ucs"), PictureStore(dataset.recording), FramePolicy(), memories=Memories(folder)
    )
    outcome: Any = asyncio.run(find_strategy("memory")(case, ask))  # type: ignore[arg-type]
    text = " ".join(part for part in told if isinstance(part, str))
    assert "cup" in text
    assert "to the left" in text
    shown = [part for part in told if isinstance(part, bytes)]
    assert len(shown) == outcome.frames > 0


def test_frames_are_those_nearest_and_none_from_later(streams: tuple[Dataset, Path]) -> None:
    recording = streams[0].recording("stream0")
    times = recording.path.times.tolist()
    assert frames_at(recording, times, None) == tuple(range(len(times)))
    assert max(times[i] for i in frames_at(recording, [5.0, 0.1], 3.0)) <= 3.0
    assert frames_at(recording, [], None) == ()


@pytest.mark.parametrize("preset", ["ucs-directme", "ucs-graph"])
def test_presets_with_memories_run_on_published_streams(
    streams: tuple[Dataset, Path], tmp_path: Path, preset: str
) -> None:
    dataset, folder = streams
    command = [
        "eval",
        dataset.folder,
        "--preset",
        preset,
        "--model",
        "situ-canned/say:A",
        "-o",
        tmp_path / "run",
    ]
    with pytest.raises(BadInput, match=r"situ watch stream0\.mp4 --into"):
        call(*command)
    (folder / "stream2.situ").rename(tmp_path / "away.situ")
    with pytest.raises(BadInput, match=r"1 of 3 recordings .* stream2"):
        call(*command, "--memories", folder)
    (tmp_path / "away.situ").rename(folder / "stream2.situ")
    (result,) = json.loads(call(*command, "--memories", folder, "--json"))
    assert result["statuses"] == {"answered": len(dataset.questions)}


def test_a_memory_made_of_exact_annotations_is_told_everywhere(
    streams: tuple[Dataset, Path], tmp_path: Path
) -> None:
    asked = ("--model", "situ-canned/say:A", "--limit", 1)
    command = ("eval", small_set().folder, "--preset", "ucs-graph", *asked, "-o", tmp_path / "drawn")
    told = runner.invoke(app, [str(part) for part in command], catch_exceptions=False)
    assert "note: the memories are made of exact annotations" in told.stderr
    assert Run.open(tmp_path / "drawn").card["rests_on"].startswith("exact annotations")
    call("report", tmp_path / "drawn", "--out", tmp_path / "report.md")
    report = (tmp_path / "report.md").read_text()
    assert "`situ-canned/say:A, memory` rests on exact annotations" in report
    assert "memories made of" in report
    dataset, folder = streams
    call(
        *("eval", dataset.folder, "--preset", "ucs-graph", *asked, "-o", tmp_path / "f", "--memories", folder)
    )
    assert Run.open(tmp_path / "f").card["rests_on"] == ""


def test_memories_are_refused_where_nothing_uses_them(streams: tuple[Dataset, Path], tmp_path: Path) -> None:
    dataset, folder = streams
    with pytest.raises(BadInput, match="takes no --memories"):
        call("eval", dataset.folder, "-p", "random", "--memories", folder, "-o", tmp_path / "run")


@pytest.mark.parametrize(
    ("option", "bearing"),
    [("left of me", -90.0), ("to your front-right", 45.0), ("Behind me", 180.0), ("on the table", None),
     ("left or right", None), ("back left", -135.0)],
)  # fmt: skip
def test_directions_in_published_options(option: str, bearing: float | None) -> None:
    assert bearing_of(option) == bearing


@pytest.mark.parametrize(
    ("answer", "options", "found"),
    [
        (Answer("left", 1.0, numbers={"bearing_deg": -80.0}), ("left of me", "behind me"), "left of me"),
        (Answer(3, 1.0), ("2", "4 of them", "7"), None),  # between two
        (Answer(3, 1.0), ("1", "4 of them", "7"), "4 of them"),
        (Answer("kitchen", 1.0), ("In the kitchen", "In the hall"), "In the kitchen"),
        (Answer("kitchen", 1.0), ("In the cellar", "In the hall"), None),
    ],
)
def test_an_answer_is_one_option_or_none(answer: Answer, options: tuple[str, ...], found: str | None) -> None:
    decision = Decision(answer, {}, 0.9)
    if found is not None:
        assert nearest_option(decision, options) == found
    else:
        with pytest.raises(Unanswerable):
            nearest_option(decision, options)


def test_a_memory_that_is_lent_stays_open_while_others_are_asked(streams: tuple[Dataset, Path]) -> None:
    dataset, folder = streams
    memories = Memories(folder)
    names = ["stream0", "stream1", "stream2"]
    recordings = [dataset.recording(name) for name in names]
    with memories.lent(recordings[0], names[0]) as first:
        with memories.lent(recordings[0], names[0]) as again:
            assert again is first
        for recording, name in zip(recordings[1:], names[1:], strict=True):
            assert memories.of(recording, name).state().now > 0.0
        assert first.state().now > 0.0
    memories.of(recordings[1], names[1])
    memories.of(recordings[2], names[2])
    with pytest.raises(BadInput, match="closed"):  # nobody holds it, and two were asked since
        first.state()


def test_memories_are_made_of_other_eyes_and_the_run_says_of_which(tmp_path: Path) -> None:
    dataset, out = small_set(), tmp_path / "run"
    call("eval", dataset.folder, "-p", "ask", "--memories", "detections", "--limit", 3, "-o", out)
    assert "faults of a detector" in Run.open(out).card["rests_on"]
    call("report", out, "--out", tmp_path / "r.md")
    assert "faults of a detector" in (tmp_path / "r.md").read_text()
    assert "network" in Memories(Path("pixels")).rest_on(dataset, dataset.items)
