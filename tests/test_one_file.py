"""Parts that join from a single file, named by SITU_PLUGINS: no package, no installation."""

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

import desk
import situ
from other_environment import verbs
from situ import registry
from situ.errors import BadInput
from situ.language.reading import read
from situ.language.vocabulary import Vocabulary
from situ.memory import SpatialMemory

EXAMPLES = Path(__file__).parents[1] / "examples" / "one_file"


@pytest.mark.slow
def test_verbs_take_a_question_kind_and_a_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = photos(tmp_path / "photos")
    with situ.Memory.create(tmp_path / "hall.situ") as memory:
        boxes = [situ.Observation("crate", (3.0, y, 0.5), size=(2.0, 1.0, 1.0)) for y in (-2.0, 2.0)]
        for second in range(4):
            memory.observe(situ.ObservedFrame(float(second), situ.camera_pose((0, 0, 1.6), 0), tuple(boxes)))
    parts = [str(EXAMPLES / name) for name in ("floor_taken.py", "csv_walk.py")]
    monkeypatch.setenv("SITU_PLUGINS", os.pathsep.join(parts))
    told, _, watched = verbs(
        sys.executable,
        [
            ("ask", str(tmp_path / "hall.situ"), "how much floor do the crates take up"),
            ("import", "csv-walk", str(source), "--out", str(tmp_path / "walk")),
            ("watch", str(source), "--into", str(tmp_path / "photos.situ")),
        ],
    )
    assert "square metres" in told
    assert "3 frames (3 new)" in watched
    walk = situ.Recording.open(tmp_path / "walk")
    assert len(walk) == 3
    assert walk.path.times.tolist() == [0.5, 1.5, 2.5]
    assert np.allclose(walk.path.positions[:, 0], [0, 1, 2])


def test_a_participant_of_one_file_answers_a_set(demo_walk: Path) -> None:
    registry._load_file(EXAMPLES / "last_named.py")
    rem = situ.Dataset.open(demo_walk / "demo" / "rem-mini-0")
    score = situ.evaluate(rem, "last-named")
    assert 0.0 < score.overall.value < 1.0
    assert set(score.statuses) <= {"answered", "refused"}  # where the words name no option
    assert sum(score.statuses.values()) == len(rem.questions)


def photos(source: Path) -> Path:
    """Pictures and a table of poses, as the reader takes them."""
    source.mkdir()
    for index in range(3):
        cv2.imwrite(str(source / f"{index}.jpg"), np.full((48, 64, 3), 40 * index, np.uint8))
    rows = [f"{index}.jpg,{index}.5,{index},0,{30 * index}" for index in range(3)]
    (source / "walk.csv").write_text("\n".join(["file,time,x,y,yaw", *rows]))
    return source


def test_a_file_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    broken, missing, taken = tmp_path / "broken_part.py", tmp_path / "no_such_part.py", tmp_path / "json.py"
    broken.write_text("import nothing_of_this_name")
    taken.write_text("")
    with pytest.raises(BadInput, match=r"broken_part\.py, which cannot be imported.*nothing_of_this_name"):
        registry._load_file(broken)
    with pytest.raises(BadInput, match=r"no_such_part\.py, and there is no such file"):
        registry._load_file(missing)
    with pytest.raises(BadInput, match="rename the file"):
        registry._load_file(taken)


def test_every_verb_tells_of_a_file_that_is_not_there(tmp_path: Path) -> None:
    """Even one that would not have needed it: what somebody asked for is not left out in silence."""
    known = dict(os.environ, SITU_PLUGINS=str(tmp_path / "none.py"))
    done = subprocess.run(
        [sys.executable, "-m", "situ", "ask", str(tmp_path / "a.situ"), "where is the lamp"],
        env=known, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "none.py, and there is no such file" in " ".join(done.stderr.split())


def test_a_phrase_of_the_package_does_not_hide_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITU_PLUGINS", str(tmp_path / "none.py"))
    registry.load_files.cache_clear()
    with pytest.raises(BadInput, match="there is no such file"):
        read("where is the lamp", Vocabulary(frozenset({"lamp"}), frozenset()))


def test_a_kind_that_is_a_program_is_asked_like_any_other(tmp_path: Path) -> None:
    walk = tmp_path / "walk.situ"
    with SpatialMemory.create(walk) as memory:
        for second in range(8):
            cones = [(2.0, 0.5, 0.5), (7.0, -0.5, 0.5)]
            memory.observe(desk.frame(float(second), {"cone": cones}))
    known = dict(os.environ, SITU_PLUGINS=str(EXAMPLES / "how_many_within.py"))
    done = subprocess.run(
        [sys.executable, "-m", "situ", "ask", str(walk), "how many cones lie within 4 metres of me"],
        env=known, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "There are 1" in done.stdout
