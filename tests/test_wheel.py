"""The wheel, as a stranger gets it: installed beside nothing of this checkout, run from another folder."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

pytest.importorskip("hatchling", reason="the wheel is built with hatchling (the extra `dev`)")
ROOT = Path(__file__).parents[1]
PIP = ("-m", "pip", "--disable-pip-version-check")


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel. What situ depends on is borrowed from here, and nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    build = ("wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT))
    subprocess.run([sys.executable, *PIP, *build], check=True)
    (wheel,) = folder.glob("situ-*.whl")
    venv.create(folder / "env", with_pip=False)
    own = folder / "env" / "bin" / "python"
    site = next((folder / "env" / "lib").glob("python*/site-packages"))
    install = ("install", "--quiet", "--no-deps", "--no-index", "--target", str(site), str(wheel))
    subprocess.run([sys.executable, *PIP, *install], check=True)
    # A line of a .pth file is a folder to look in; .pth files in there, as of this checkout, are not read.
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return own


def run(python: Path, folder: Path, *words: str) -> str:
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run([str(python), *words], cwd=folder, env=plain, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_wheel_works_away_from_the_checkout(python: Path, tmp_path: Path) -> None:
    where = run(python, tmp_path, "-c", "import situ; print(situ.__file__)")
    assert str(ROOT) not in where
    assert run(python, tmp_path, "-m", "situ", "--version").strip()
    run(python, tmp_path, "-m", "situ", "make", "rem", "--variant", "mini", "--scale", "0.06", "-o", "rem")
    assert "0 disagreements" in run(python, tmp_path, "-m", "situ", "check", "rem")
    run(python, tmp_path, "-m", "situ", "view", "rem", "0", "--out", "item.html")  # brings style and script
    assert "rem" in run(python, tmp_path, "-m", "situ", "presets")  # a table that travels with the package
    item = next((tmp_path / "rem" / "items").iterdir())
    run(python, tmp_path, "-m", "situ", "watch", str(item), "--into", "walk.situ")
    assert run(python, tmp_path, "-m", "situ", "ask", "walk.situ", "what is behind me?").strip()
