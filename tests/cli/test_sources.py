"""A memory knows which recording it is of; forgetting and verifying from the command line."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from desk import frame
from situ.benchmarks.rem.recipe import RemRecipe
from situ.cli.app import app
from situ.cli.common import seconds_of
from situ.errors import BadInput, Refused
from situ.memory import Observation, SpatialMemory
from situ.memory.upkeep.alignment import alignment_of, check_alignment
from situ.perception.blur import BoxBlur
from situ.recording.fingerprint import fingerprint

RUN = CliRunner()


def run(*arguments: object) -> dict[str, object]:
    done = RUN.invoke(app, [*(str(a) for a in arguments), "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    found: dict[str, object] = json.loads(done.output)
    return found


def watched(item: Path, memory: Path, *more: str) -> dict[str, object]:
    return run("watch", item, "--into", memory, "--eyes", "truth", *more)


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("sources")
    recipe = RemRecipe("mini", seed=4, width=480, height=320)
    for number in range(2):
        recipe.make_item(number, folder / f"item{number}")
    return folder / "item0", folder / "item1"


def test_going_on_is_automatic_and_joining_is_asked_for(items: tuple[Path, Path], tmp_path: Path) -> None:
    first, second = items
    memory = tmp_path / "m.situ"
    frames = watched(first, memory)["frames"]
    assert watched(first, memory)["new_frames"] == 0
    before = memory.read_bytes()
    with pytest.raises(Refused, match="is a memory of item0, not of item1"):
        watched(second, memory)
    with pytest.raises(BadInput, match="does not know what its places look like"):
        watched(second, memory, "--append")
    with pytest.raises(Refused, match="--eyes truth, not solids"):
        run("watch", first, "--into", memory, "--eyes", "solids")
    assert memory.read_bytes() == before
    joined = watched(second, memory, "--append", "--align", "10,0,90")
    assert joined["frames"] == 2 * int(str(frames))
    assert watched(second, memory, "--append", "--align", "10,0,90")["new_frames"] == 0
    assert watched(second, memory)["new_frames"] == 0
    with pytest.raises(Refused, match="before"):
        watched(first, memory)
    assert run("memory", "verify", memory)["sound"]


def test_what_joins_lies_where_it_is_said_to(items: tuple[Path, Path], tmp_path: Path) -> None:
    first, second = items
    watched(second, tmp_path / "alone.situ")
    watched(first, tmp_path / "both.situ")
    watched(second, tmp_path / "both.situ", "--append", "--align", "100,0,90")
    with SpatialMemory.open(tmp_path / "alone.situ", read_only=True) as memory:
        alone = [view.box.center for view in memory.state().objects()]
    with SpatialMemory.open(tmp_path / "both.situ", read_only=True) as memory:
        both = [view.box.center for view in memory.state().objects()]
    for x, y, z in alone:
        assert min(np.hypot(100 - y - u, x - v) + abs(z - w) for u, v, w in both) < 0.2


def test_a_recording_is_known_by_its_content(items: tuple[Path, Path], tmp_path: Path) -> None:
    first, second = items
    assert fingerprint(first) != fingerprint(second)
    moved = tmp_path / "elsewhere"
    first.rename(moved)
    try:
        known = fingerprint(moved)
    finally:
        moved.rename(first)
    assert fingerprint(first) == known
    video = tmp_path / "a.mp4"
    for size in (10, 5_000_000):
        video.write_bytes(b"a" * size)
        before = fingerprint(video)
        video.write_bytes(b"a" * (size - 1) + b"b")
        assert fingerprint(video) != before


@pytest.mark.parametrize("text", ["", "1,2", "1,2,x", "nan,0,0", "1,2,3,4", "inf,0,0"])
def test_an_alignment_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        alignment_of(text)


def test_an_alignment_keeps_up_up() -> None:
    assert (alignment_of("same") == np.eye(4)).all()
    tilted = np.eye(4)
    tilted[[1, 2]] = tilted[[2, 1]] * [[1], [-1]]
    with pytest.raises(BadInput, match="up"):
        check_alignment(tilted)


def test_forgetting_from_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "m.situ"
    with SpatialMemory.create(path) as memory:
        for second in range(10):
            memory.observe(frame(float(second), {"passport": [(2.0, 0.0, 1.0)], "cup": [(2.0, 0.8, 1.0)]}))
    assert run("memory", "forget", path, "--kind", "passport") == {
        "things": 1, "frames": 0, "pictures": 0, "complete": True,
    }  # fmt: skip
    assert b"passport" not in path.read_bytes()
    assert "deleted on request" in str(run("ask", path, "where is the passport?")["text"])
    with pytest.raises(BadInput, match="say one thing"):
        run("memory", "forget", path)
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    damaged = RUN.invoke(app, ["memory", "verify", str(path)])
    assert damaged.exit_code == 1
    assert "seal" in damaged.output


def test_lengths_of_time() -> None:
    assert [seconds_of(text) for text in ("90s", "15m", "12h", "30d", "2w")] == [
        90,
        900,
        43200,
        2592000,
        1209600,
    ]
    for text in ("", "d", "-1d", "nand", "30", "30y", "infd"):
        with pytest.raises(BadInput):
            seconds_of(text)


def test_what_must_not_be_shown_is_not() -> None:
    rng = np.random.default_rng(0)
    picture = rng.integers(0, 255, (120, 160, 3), dtype=np.uint8)
    person = Observation("Person", (2.0, 0.0, 1.0), box2d=(40.0, 30.0, 80.0, 90.0))
    cup = Observation("cup", (2.0, 0.0, 1.0), box2d=(100.0, 30.0, 120.0, 50.0))
    blurred = BoxBlur(["person"]).blur(picture, [person, cup])
    assert np.ptp(blurred[30:90, 40:80].astype(int), axis=(0, 1)).max() < 60
    assert (blurred[:, 90:] == picture[:, 90:]).all()
    whole = BoxBlur(["person"]).blur(picture, [Observation("person", (2.0, 0.0, 1.0))])
    assert np.ptp(whole.astype(int), axis=(0, 1)).max() < 60
    assert BoxBlur(["face"]).blur(picture, [person]) is picture
    with pytest.raises(BadInput):
        BoxBlur([" "])
