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


def losses(
    training_set: Path, model: Path, out: Path, processes: int, batch: int, accumulate: int
) -> list[float]:
    starter = out.parent / "start.py"
    starter.write_text("from situ.cli import main\n\nmain()\n")
    launch = [sys.executable]
    if processes > 1:
        launch += ["-m", "torch.distributed.run", "--standalone", "--nproc_per_node", str(processes)]
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
    one = losses(training_set, model, tmp_path / "one", 1, 4, 1)
    two = losses(training_set, model, tmp_path / "two", 2, 2, 1)
    added = losses(training_set, model, tmp_path / "added", 1, 2, 2)
    assert len(one) == 2
    assert two == pytest.approx(one, rel=1e-4)
    assert added == pytest.approx(one, rel=1e-4)
