"""The command line as people and scripts use it: real processes, real exit codes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SITU = [sys.executable, "-c", "from situ.cli import main; main()"]


def situ(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*SITU, *arguments], cwd=cwd, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from situ.benchmarks.make import make_dataset
    from situ.benchmarks.rem.recipe import RemRecipe

    out = tmp_path_factory.mktemp("cli") / "set"
    make_dataset(RemRecipe("mini", scale=4 / 18, seed=3, width=120, height=80), out)
    return out


def test_check_audit_and_view_speak_json(folder: Path, tmp_path: Path) -> None:
    checked = json.loads(situ("check", str(folder), "--json", cwd=tmp_path).stdout)
    assert checked["disagreements"] == []
    assert checked["questions"] > 0
    audited = json.loads(situ("audit", str(folder), "--json", cwd=tmp_path).stdout)
    assert {"usual answer", "row order", "boosted trees"} <= {
        attack["attack"] for attack in audited["attacks"]
    }
    viewed = json.loads(situ("view", str(folder), "0", "--out", "p.html", "--json", cwd=tmp_path).stdout)
    assert (tmp_path / viewed["page"]).stat().st_size > 1000


def test_making_says_what_came_out_and_progress_stays_off_stdout(tmp_path: Path) -> None:
    done = situ(
        "make",
        "rem",
        "--variant",
        "mini",
        "--scale",
        "0.06",
        "--jobs",
        "1",
        "--out",
        "s",
        "--json",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["items"] == 1
    again = situ("make", "rem", "--variant", "mini", "--scale", "0.06", "--out", "s", "--json", cwd=tmp_path)
    assert json.loads(again.stdout) == json.loads(done.stdout)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (
            ["make", "rem", "--variant", "maxi", "--out", "x"],
            2,
            "choose one of baseline, mini, single, rotation",
        ),
        (["make", "rem", "--scale", "0", "--out", "x"], 2, "scale must be above 0"),
        (["make", "rem", "--out", "full"], 2, "is not empty"),
        (["check", "full"], 2, "holds no question set"),
        (["audit", "nowhere"], 2, "holds no question set"),
        (["view", "full", "0"], 2, "holds no question set"),
        (["make", "rem"], 2, "--out"),
        (["fly"], 2, "No such command"),
    ],
)
def test_mistakes_get_one_clear_message_and_a_code(
    tmp_path: Path, arguments: list[str], code: int, words: str
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    done = situ(*arguments, cwd=tmp_path)
    assert done.returncode == code
    assert words in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["full"]


def test_help_teaches(tmp_path: Path) -> None:
    assert "Interrupted? Run the same command again" in situ("make", "rem", "--help", cwd=tmp_path).stdout
    assert situ("--version", cwd=tmp_path).stdout.strip().count(".") == 2


def test_a_damaged_set_fails_the_check_with_code_1(folder: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(folder, tmp_path / "set")
    victim = next((tmp_path / "set" / "items").iterdir()) / "frames.parquet"
    victim.write_bytes(victim.read_bytes()[:-40])
    done = situ("check", "set", "--json", cwd=tmp_path)
    assert done.returncode == 1
    assert len(json.loads(done.stdout)["disagreements"]) == 1
