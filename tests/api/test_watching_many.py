import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import situ
from situ.api.watching_many import Entry, read_list, watch_many, watch_one
from situ.cli.app import app
from situ.errors import BadInput
from situ.runners.local import LocalRunner


@pytest.fixture
def recordings(demo_walk: Path) -> list[Path]:
    rem = situ.Dataset.open(demo_walk / "demo" / "rem-mini-0")
    return [rem.recording(item).folder for item in rem.items]


def test_memories_are_made_once_and_what_always_fails_is_set_aside(
    recordings: list[Path], tmp_path: Path
) -> None:
    entries = [Entry(path.name, str(path)) for path in recordings] + [
        Entry("gone", str(tmp_path / "gone.mp4"))
    ]
    options = {"eyes": "truth"}
    outcome, found = watch_many(entries, tmp_path / "out", LocalRunner(1), options)
    assert list(outcome.failed) == ["gone"]
    assert (found["done"], found["left"]) == (2, ["gone"])
    memory = tmp_path / "out" / f"{recordings[0].name}.situ"
    before = memory.stat().st_mtime_ns
    for _ in range(3):
        outcome, found = watch_many(entries, tmp_path / "out", LocalRunner(1), options)
    assert memory.stat().st_mtime_ns == before
    assert outcome.failed == {}  # it is not tried any more
    assert "gone.mp4" in found["set_aside"]["gone"]
    assert json.loads((tmp_path / "out" / "report.json").read_text()) == found
    with situ.Memory.open(memory) as opened:
        assert opened is not None


def test_a_recording_whose_process_is_killed_each_time_is_set_aside(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "heavy.tries").write_text("begun\nbegun\nbegun\n")
    _, found = watch_many([Entry("heavy", "x.mp4")], out, LocalRunner(1), {})
    assert found["set_aside"] == {"heavy": "its process was killed each time"}


def test_the_list_is_read_and_its_faults_are_named(tmp_path: Path) -> None:
    file = tmp_path / "list"
    file.write_text("# mine\na/one.mp4\nb/two words.mp4\n")
    assert read_list(file) == [Entry("one", "a/one.mp4"), Entry("two_words", "b/two words.mp4")]
    file.write_text("name,source\nmonday,a/1.mp4\n,b/2.mp4\n")
    assert read_list(file) == [Entry("monday", "a/1.mp4"), Entry("2", "b/2.mp4")]
    for text, message in {
        "": "lists no recording",
        "a/1.mp4\nb/1.mp4\n": "several recordings",
        "name,source\n../x,a.mp4\n": "cannot name",
    }.items():
        file.write_text(text)
        with pytest.raises(BadInput, match=message):
            read_list(file)


def test_the_verb_watches_a_list_and_one_of_it(recordings: list[Path], tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text("".join(f"{path}\n" for path in recordings))
    words = ["watch", str(file), "--into", str(tmp_path / "out"), "--eyes", "truth"]
    one = CliRunner().invoke(app, [*words, "--only", recordings[0].name])
    assert one.exit_code == 0, one.output
    done = CliRunner().invoke(app, [*words, "--jobs", "1", "--json"])
    assert json.loads(done.stdout)["done"] == 2
    watch_one((Entry(recordings[0].name, "nowhere"), tmp_path / "out", {}))  # done already: nothing is opened


def test_what_could_not_be_watched_leaves_no_empty_memory(
    recordings: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> Iterator[object]:
        raise BadInput("the first frame cannot be read")
        yield

    monkeypatch.setattr("situ.api.watching.annotated_frames", broken)
    into = tmp_path / "walk.situ"
    for there_before in (False, True):
        if there_before:
            situ.Memory.create(into).close()
        with pytest.raises(BadInput, match="first frame"):
            situ.watch(recordings[0], into, eyes="truth")
        assert into.exists() == there_before
