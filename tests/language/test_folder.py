"""One sentence to many memories of one wearer."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import situ
from situ.cli.app import app
from situ.errors import BadInput
from situ.language.folder import ask_folder, memories_in


def remember(path: Path, thing: str, place: tuple[float, float, float], start: float = 0.0) -> None:
    with situ.Memory.create(path) as memory:
        for second in range(4):
            pose = situ.camera_pose((0, 0, 1.6), yaw_deg=0)
            seen = situ.Observation(thing, place)
            memory.observe(situ.ObservedFrame(start + second, pose, (seen,)))


@pytest.fixture
def days(tmp_path: Path) -> Path:
    remember(tmp_path / "a.situ", "kettle", (2.0, 0.0, 1.0), start=1.7e9 + 86400)
    remember(tmp_path / "b.situ", "kettle", (0.3, 2.0, 1.0), start=1.7e9)
    remember(tmp_path / "c.situ", "umbrella", (2.0, 0.0, 1.0), start=1.7e9 + 2 * 86400)
    return tmp_path


def test_the_latest_that_knows_tells(days: Path) -> None:
    found = ask_folder(memories_in(days), "where is the kettle?")
    assert [one.name for one in found.answers] == ["c", "a", "b"]
    assert found.latest is not None
    assert (found.latest.name, found.latest.told.value) == ("a", "front")
    assert found.answers[0].told.abstained
    assert ask_folder(memories_in(days), "where is the umbrella?").latest.name == "c"  # type: ignore[union-attr]
    assert ask_folder(memories_in(days), "where is the trumpet?").latest is None


def test_clocks_that_begin_at_nought_say_nothing_about_the_order(tmp_path: Path) -> None:
    remember(tmp_path / "1.situ", "kettle", (2.0, 0.0, 1.0), start=50.0)
    remember(tmp_path / "2.situ", "kettle", (2.0, 0.0, 1.0))
    assert [one.name for one in ask_folder(memories_in(tmp_path), "where is the kettle?").answers] == [
        "2",
        "1",
    ]


def test_a_damaged_memory_does_not_stop_the_others(days: Path) -> None:
    (days / "d.situ").write_bytes(b"not a memory")
    found = ask_folder(memories_in(days), "where is the kettle?")
    assert set(found.unreadable) == {"d.situ"}
    assert len(found.answers) == 3


def test_by_the_command_line(days: Path, tmp_path: Path) -> None:
    said = CliRunner().invoke(app, ["ask", str(days), "where is the kettle?"])
    assert said.exit_code == 0
    assert said.stdout.splitlines()[0].startswith("a: The kettle is")
    data = json.loads(CliRunner().invoke(app, ["ask", str(days), "where is the kettle?", "--json"]).stdout)
    assert (data["latest"], [one["memory"] for one in data["answers"]]) == ("a", ["c", "a", "b"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match="situ watch LIST"):
        memories_in(tmp_path / "empty")
