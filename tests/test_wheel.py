"""The wheel, as a stranger gets it: installed beside nothing of this checkout, run from another folder."""

import subprocess
import sys
import venv
from pathlib import Path

import pytest

from other_environment import run, verbs

pytest.importorskip("hatchling", reason="the wheel is built with hatchling (the extra `dev`)")
ROOT = Path(__file__).parents[1]
MOST_BYTES = 3.0e6  # seconds over a phone, ears and all; larger networks travel in `situ-eyes`
PIP = ("-m", "pip", "--disable-pip-version-check")


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel. What situ depends on is borrowed from here, and nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    build = ("wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT))
    subprocess.run([sys.executable, *PIP, *build], check=True)
    (wheel,) = folder.glob("situ-*.whl")
    assert wheel.stat().st_size <= MOST_BYTES
    venv.create(folder / "env", with_pip=False)
    own = folder / "env" / "bin" / "python"
    site = next((folder / "env" / "lib").glob("python*/site-packages"))
    install = (
        "install",
        "--quiet",
        "--no-compile",
        "--no-deps",
        "--no-index",
        "--target",
        str(site),
        str(wheel),
    )
    subprocess.run([sys.executable, *PIP, *install], check=True)
    # A line of a .pth file is a folder to look in; .pth files in there, as of this checkout, are not read.
    borrowed = [place for place in sys.path if place.endswith("site-packages")]
    (site / "borrowed.pth").write_text("\n".join(borrowed) + "\n")
    return own


@pytest.mark.slow
def test_a_wheel_works_away_from_the_checkout(python: Path, tmp_path: Path) -> None:
    assert str(ROOT) not in run(str(python), ["-c", "import situ; print(situ.__file__)"], tmp_path)
    assert run(str(python), ["-m", "situ", "--version"], tmp_path).strip()
    small = ["--variant", "mini", "--scale", "0.06", "--size", "480x320"]
    item = tmp_path / "rem" / "items" / "000000"
    example, _, checked, _, presets, _, said = verbs(
        str(python),
        [
            ["ask", "--example", "where is the blue sphere?"],  # the memory travels with the package
            ["make", "rem", *small, "-o", "rem"],
            ["check", "rem"],
            ["view", "rem", "0", "--out", "item.html"],  # brings style and script
            ["lab", "presets"],  # a table that travels with the package
            ["watch", str(item), "--into", "walk.situ"],
            ["ask", "walk.situ", "what is behind me?"],
        ],
        tmp_path,
    )
    assert "The blue sphere is behind you" in example
    assert "0 disagreements" in checked
    assert "rem" in presets
    assert said.strip()
