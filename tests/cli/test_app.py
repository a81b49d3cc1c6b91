"""The command line as people and scripts use it: what it prints where, and its exit codes."""

import io
import json
import shutil
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from situ.benchmarks.make import make_dataset
from situ.benchmarks.rem.recipe import RemRecipe
from situ.cli import main

SITU = [sys.executable, "-c", "from situ.cli import main; main()"]


def situ(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """What a process that is called so would do, in this one: starting one takes longer than most verbs."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    with pytest.MonkeyPatch.context() as patch, chdir(cwd), redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["situ", *arguments])
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    return subprocess.CompletedProcess(["situ", *arguments], code, out.getvalue(), err.getvalue())


def test_a_real_process_says_the_same(tmp_path: Path) -> None:
    wrong = ("make", "rem", "--variant", "maxi", "--out", "x")
    done = subprocess.run([*SITU, *wrong], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    here = situ(*wrong, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", here.stderr)
    assert "choose one of baseline, mini, single, rotation" in done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("cli") / "set"
    make_dataset(RemRecipe("mini", scale=4 / 18, seed=3, width=120, height=80), out)
    return out


def test_check_audit_and_view_speak_json(folder: Path, tmp_path: Path) -> None:
    checked = json.loads(situ("check", str(folder), "--json", cwd=tmp_path).stdout)
    assert checked["disagreements"] == []
    assert checked["questions"] > 0
    audited = json.loads(situ("audit", str(folder), "--json", cwd=tmp_path).stdout)
    assert {"first option", "shortest option"} <= {attack["attack"] for attack in audited["attacks"]}
    viewed = json.loads(situ("view", str(folder), "0", "--out", "p.html", "--json", cwd=tmp_path).stdout)
    assert (tmp_path / viewed["page"]).stat().st_size > 1000


def test_making_says_what_came_out_and_progress_stays_off_stdout(tmp_path: Path) -> None:
    make = ("make", "rem", "--variant", "single", "--scale", "0.003", "--out", "s", "--json")
    done = situ(*make, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["items"] == 1
    again = situ(*make, cwd=tmp_path)
    assert json.loads(again.stdout) == json.loads(done.stdout)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["make", "rem", "--scale", "0", "--out", "x"], 2, "scale must be above 0"),
        (["make", "rem", "--out", "full"], 2, "is not empty"),
        (["check", "full"], 2, "holds no question set"),
        (["audit", "nowhere"], 2, "holds no question set"),
        (["view", "full", "0"], 2, "holds no question set"),
        (["make", "rem"], 2, "--out"),
        (["fly"], 2, "there is no verb 'fly'"),
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
    shutil.copytree(folder, tmp_path / "set")
    victim = next((tmp_path / "set" / "items").iterdir()) / "frames.parquet"
    victim.write_bytes(victim.read_bytes()[:-40])
    done = situ("check", "set", "--json", cwd=tmp_path)
    assert done.returncode == 1
    assert len(json.loads(done.stdout)["disagreements"]) == 1
