"""A batch spread over two processes, or over two steps, gives the losses of the whole batch in one."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from situ.train.rows import read_rows

pytestmark = pytest.mark.slow
pytest.importorskip("torch", reason="fine-tuning needs PyTorch; install situ[train]")
pytest.importorskip("trl", reason="fine-tuning needs TRL; install situ[train]")
pytest.importorskip("accelerate", reason="several processes need accelerate; install situ[train]")

from situ.train.random_model import write_random_model  # noqa: E402

OPTIONS = "--no-bf16 --max-steps 2 --save-every 2 --loaders 0 --learning-rate 0.003 --max-pixels 3136"


TWO = "--num_processes 2 --num_machines 1 --mixed_precision no --dynamo_backend no"


def losses(
    training_set: Path, model: Path, out: Path, launcher: str, batch: int, accumulate: int
) -> list[float]:
    """The losses of a run, started plainly or by `accelerate launch` with these options."""
    starter = out.parent / "start.py"
    starter.write_text("from situ.cli import main\n\nmain()\n")
    launch = [sys.executable]
    if launcher:
        launch += ["-m", "accelerate.commands.launch", *launcher.split(), *TWO.split()]
    command = ["train", "run", str(training_set), "--model", str(model), "--out", str(out)]
    command += ["--batch", str(batch), "--accumulate", str(accumulate), *OPTIONS.split()]
    done = subprocess.run(
        [*launch, str(starter), *command],
        capture_output=True, text=True, timeout=600, check=False, env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    lines = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    return [line["loss"] for line in lines if "loss" in line]


def test_a_batch_in_parts_is_learnt_as_a_whole(training_set: Path, tmp_path: Path) -> None:
    texts = [f"{row.prompt} {row.answer}" for row in read_rows(training_set)]
    model = write_random_model(tmp_path / "model", "tiny", texts)
    one = losses(training_set, model, tmp_path / "one", "", 4, 1)
    two = losses(training_set, model, tmp_path / "two", "--multi_gpu", 2, 1)
    added = losses(training_set, model, tmp_path / "added", "", 2, 2)
    assert len(one) == 2
    assert two == pytest.approx(one, rel=1e-4)
    assert added == pytest.approx(one, rel=1e-4)


def test_a_batch_in_parts_is_learnt_as_a_whole_with_zero_2(training_set: Path, tmp_path: Path) -> None:
    pytest.importorskip("deepspeed", reason="ZeRO needs DeepSpeed, which compiles for some minutes at first")
    texts = [f"{row.prompt} {row.answer}" for row in read_rows(training_set)]
    model = write_random_model(tmp_path / "model", "tiny", texts)
    one = losses(training_set, model, tmp_path / "one", "", 4, 1)
    two = losses(training_set, model, tmp_path / "two", "--use_deepspeed --zero_stage 2", 2, 1)
    assert two == pytest.approx(one, rel=1e-4)
