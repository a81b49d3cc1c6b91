"""A package adds a benchmark, a question kind, a reader and a detector, and all verbs take them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from other_environment import verbs
from situ import Recording

EXAMPLE = Path(__file__).parents[1] / "examples" / "plugin"
pytest.importorskip("hatchling", reason="the example is built with hatchling (the extra `dev`)")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the example is installed: outside this environment, on the path of the commands below."""
    folder = tmp_path_factory.mktemp("site")
    install = ("-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index")
    subprocess.run(
        [sys.executable, *install, "--disable-pip-version-check", "--target", str(folder), str(EXAMPLE)],
        check=True,
    )
    return folder


@pytest.mark.slow
def test_every_verb_takes_what_a_plugin_brings(site: Path, tmp_path: Path) -> None:
    made, runs, memory = str(tmp_path / "set"), str(tmp_path / "runs"), str(tmp_path / "room.situ")
    small = ("--scale", "0.04", "--seed", "5", "--jobs", "1", "--width", "160")
    asked = ("eval", made, "-p", "truth", "-p", "random", "--out", runs, "--report", f"{runs}.html", "--json")
    item, turned = f"{made}/items/00000", str(tmp_path / "turned")
    summary, checked, audited, scores, table, _, told, lamps, counted, _ = verbs(
        sys.executable,
        [
            ("make", "tallest", "--out", made, *small, "--json"),
            ("check", made),
            ("audit", made),
            asked,
            ("report", runs, "--to", "markdown", "-o", "-"),
            ("watch", item, "--into", memory),
            ("ask", memory, "what is the tallest thing?", "--json"),
            ("watch", item, "--into", f"{tmp_path}/l.situ", "--models", "brightest", "--json"),
            ("ask", f"{tmp_path}/l.situ", "how many lamps are there?"),
            ("import", "turntable", str(turntable(tmp_path / "turn")), "--out", turned),
        ],
        site=site,
    )
    assert json.loads(summary)["items"] == 4
    assert json.loads(summary)["questions"]["tallest"] >= 4
    assert "0 disagreements" in checked
    assert audited
    truth, guesses = json.loads(scores)
    assert truth["overall"]["value"] == 1.0 > guesses["overall"]["value"]
    assert "Tallest" in Path(f"{runs}.html").read_text(encoding="utf-8")
    assert "tallest" in table.lower()

    assert json.loads(told)["value"] in {o["category"] for o in _objects(Path(item))}
    assert "reaches highest" in json.loads(told)["text"]
    assert json.loads(lamps)["eyes"] == "pixels"
    assert "lamp" in counted
    recording = Recording.open(turned)
    assert (len(recording), recording.camera.width) == (3, 64)


def turntable(source: Path) -> Path:
    """Pictures as the reader of the plugin takes them."""
    source.mkdir()
    for index in range(3):
        cv2.imwrite(str(source / f"{index}.jpg"), np.full((48, 64, 3), 60 * index, np.uint8))
    (source / "turntable.json").write_text('{"pictures": 3, "fov_deg": 60, "eye_height_m": 1.5}')
    return source


def test_a_broken_plugin_is_named_and_left_out(tmp_path: Path) -> None:
    info = tmp_path / "broken-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[situ.plugins]\nbroken = no_such_module\n")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-m", "situ", "make", "--help"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.returncode == 0
    assert "the plugin 'broken' (no_such_module) is left out" in done.stderr


def _objects(item: Path) -> list[dict[str, str]]:
    import pyarrow.parquet as pq

    return pq.read_table(item / "objects.parquet").to_pylist()
