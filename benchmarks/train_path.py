"""The whole way of `situ train run` with a true architecture and random weights: nothing is downloaded.

    python -m benchmarks.train_path --data SET --out DIR [--steps 50] [--plan "3b;3b --lora 16;2b3"]

Makes the model in a folder as a user would have it, runs the command on it as a process of its own, and
appends to DIR/path.jsonl what came of it: losses of the first and last steps, seconds.
An entry of the plan is a size and options of the command; `3b` is Qwen2.5-VL-3B, `2b3` Qwen3-VL-2B.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import torch

from situ.train.random_model import write_random_model
from situ.train.rows import read_rows
from situ.train.run import LOG

_COMMAND = "import sys; from situ.cli import main; sys.argv[0] = 'situ'; main()"


def run(size: str, options: list[str], data: Path, out: Path, steps: int) -> dict[str, Any]:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    began = time.perf_counter()
    model = out / f"model-{size}"
    if not model.exists():
        texts = (f"{row.prompt} {row.answer}" for row in read_rows(data))
        write_random_model(model, size, texts, device=device)
        if device == "cuda":
            torch.cuda.empty_cache()
    made = time.perf_counter() - began
    folder = out / "-".join(["run", size, *(part.strip("-") for part in options)])
    command = [sys.executable, "-c", _COMMAND, "train", "run", str(data), "--model", str(model)]
    command += ["--out", str(folder), "--max-steps", str(steps), "--save-every", "100000", *options]
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ.copy())
    result: dict[str, Any] = {
        "size": size,
        "options": " ".join(options),
        "exit": done.returncode,
        "model_made_s": round(made, 1),
        "run_s": round(time.perf_counter() - began, 1),
    }
    if done.returncode:
        return {**result, "error": done.stderr[-1500:]}
    lines = [json.loads(line) for line in (folder / LOG).read_text().splitlines()]
    losses = [line["loss"] for line in lines if "loss" in line]
    last = lines[-1]
    files = [path for path in (folder / "model").iterdir() if path.suffix == ".safetensors"]
    return {
        **result,
        "steps": last["step"],
        "first_losses": [round(loss, 3) for loss in losses[:3]],
        "last_losses": [round(loss, 3) for loss in losses[-3:]],
        "train_s": last.get("train_runtime"),
        "saved_gb": round(sum(path.stat().st_size for path in files) / 1e9, 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="a training set (`situ train data`)")
    parser.add_argument("--out", type=Path, required=True, help="for models and runs")
    parser.add_argument("--results", type=Path, help="file to append to; OUT/path.jsonl without it")
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--plan", default="3b;3b --lora 16;2b3", help="SIZE [options]; SIZE [options]; ...")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for entry in given.plan.split(";"):
        size, *options = entry.split()
        found = run(size, options, given.data, given.out, given.steps)
        print(json.dumps(found), flush=True)
        with (given.results or given.out / "path.jsonl").open("a") as file:
            file.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
