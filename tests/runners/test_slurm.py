"""SLURM by a stand-in for `sbatch` that runs the array at once, task by task."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from situ.cli.app import app
from situ.errors import BadInput, SituError
from situ.runners.slurm import SlurmRunner
from situ.tasks import Task, runner_of

SBATCH = """#!{python}
import os, re, subprocess, sys
script, folder = sys.argv[-1], os.environ["STAND_IN"]
number = len(os.listdir(folder)) + 1
open(os.path.join(folder, str(number)), "w").write("\\n".join(sys.argv))
first, last = re.search(r"--array=(\\d+)-(\\d+)", " ".join(sys.argv)).groups()
assert int(last) < 3, "past MaxArraySize"
offset = re.search(r"SITU_OFFSET=(\\d+)", " ".join(sys.argv)).group(1)
log = re.search(r"#SBATCH --output=(.*)", open(script).read()).group(1)
for task in range(int(first), int(last) + 1):
    about = dict(os.environ, SLURM_ARRAY_TASK_ID=str(task), SITU_OFFSET=offset)
    with open(log.replace("%A", str(number)).replace("%a", str(task)), "a") as out:
        subprocess.run(["bash", script], env=about, stdout=out, stderr=out)
print(number)
"""
SCONTROL = "#!/bin/sh\necho 'MaxArraySize            = 4'\n"


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, text in {"sbatch": SBATCH.format(python=sys.executable), "scontrol": SCONTROL}.items():
        (programs / name).write_text(text)
        (programs / name).chmod(stat.S_IRWXU)
    (tmp_path / "submitted").mkdir()
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("STAND_IN", str(tmp_path / "submitted"))
    return tmp_path / "submitted"


def touching(folder: Path, count: int) -> list[Task]:
    return [Task(f"t{i}", print, i, ("touch", str(folder / f"made by {i}"))) for i in range(count)]


def test_arrays_are_split_and_each_task_runs_several_commands(cluster: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    runner = SlurmRunner({"per-task": "2", "folder": str(tmp_path / "jobs"), "time": "1:00:00"})
    outcome = runner.run(touching(out, 9), lambda done, total: None)
    assert outcome.queued == 9
    assert len(list(cluster.iterdir())) == 2  # five array tasks, at most three in an array
    assert sorted(path.name for path in out.iterdir()) == [f"made by {i}" for i in range(9)]
    (script,) = (tmp_path / "jobs").glob("*/array.sh")
    assert "#SBATCH --time=1:00:00" in script.read_text()
    assert str(script.parent / "logs") in outcome.note


def test_a_command_that_fails_is_tried_three_times_and_named(cluster: Path, tmp_path: Path) -> None:
    line = f"echo x >> {tmp_path}/tries; false"
    runner = SlurmRunner({"folder": str(tmp_path / "jobs")})
    runner.run([Task("t", print, 0, ("bash", "-c", line))], lambda done, total: None)
    assert (tmp_path / "tries").read_text() == "x\n" * 3
    (log,) = (tmp_path / "jobs").glob("*/logs/*.log")
    assert "gave up" in log.read_text()


def test_a_refusal_of_sbatch_is_told(cluster: Path, tmp_path: Path) -> None:
    sbatch = tmp_path / "bin" / "sbatch"
    sbatch.write_text("#!/bin/sh\necho 'invalid partition' >&2; exit 1\n")
    with pytest.raises(SituError, match="invalid partition"):
        SlurmRunner({"folder": str(tmp_path / "jobs")}).run(touching(tmp_path, 1), lambda done, total: None)


def test_options_that_cannot_be_are_refused() -> None:
    for bad in ("Partition=x", "time=1\n#SBATCH --wrap=rm", "per-task=0", "per-task=x"):
        with pytest.raises(BadInput):
            runner_of("slurm", 1, [bad])
    with pytest.raises(BadInput, match="KEY=VALUE"):
        runner_of("slurm", 1, ["partition"])
    with pytest.raises(BadInput, match="unknown runner 'slrum'"):
        runner_of("slrum", 1, [])


def test_shards_of_a_set_by_slurm_are_those_of_this_machine(
    cluster: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def situ(*words: str) -> dict[str, object]:
        done = CliRunner().invoke(app, [*words, "--json"], catch_exceptions=False)
        return dict(json.loads(done.stdout))

    make = ("make", "rem", "--variant", "single", "--scale", "0.0058", "--shards", "2", "--jobs", "1")
    slurm = (*make, "--out", "theirs", "--runner", "slurm", "--runner-option", "per-task=2", "--json")
    # A process of its own, as its tasks are told to run the same command.
    submitted = subprocess.run([sys.executable, "-m", "situ", *slurm], capture_output=True, check=True)
    assert json.loads(submitted.stdout)["queued"] == 2
    theirs = situ("make", "gather", "theirs")
    ours = situ(*make, "--out", "ours")
    assert theirs["content_hash"] == ours["content_hash"]
    assert situ("check", "ours")["disagreements"] == []
