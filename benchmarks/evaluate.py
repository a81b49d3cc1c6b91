"""The evaluation harness: CPU per question against the bare engine, memory, faults and a kill.

Every measurement runs in a process of its own. SITU_BENCH_QUESTIONS sets the size of the fault test (2,000);
`python -m benchmarks.evaluate faults` runs that one alone.
"""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

sys.path.append(str(Path(__file__).parents[1] / "tests"))  # small sets and a server for tests

from evaluation.loopback import Loopback, by_hash, serving
from evaluation.small_set import make_set, write_recording
from situ.benchmarks.dataset import Dataset
from situ.evaluation.runs.run_folder import Run

ANSWERS = ("4", "5", "before", "after")
CASES = {"text": (0, 400), "8 frames": (8, 200), "64 frames": (64, 60)}  # frames, questions
SIZE = (640, 480)
FAULTS = {"errors": 0.05, "garbage": 0.01, "closed": 0.01}  # shares of the requests


def main() -> None:
    console = Console(width=150)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        console.print(overhead_table(folder))
        console.print(memory_table(folder))
        console.print(fault_table(folder, int(os.environ.get("SITU_BENCH_QUESTIONS", "2000"))))


def overhead_table(folder: Path) -> Table:
    table = Table(title="CPU per question, canned model, one process each; best of 3")
    for name in ("work", "questions", "bare engine, ms", "situ, ms", "ratio"):
        table.add_column(name, justify="left" if name == "work" else "right")
    for case, (frames, questions) in CASES.items():
        dataset = make_work(folder / f"work-{frames}", frames, questions)
        times: dict[str, list[float]] = {"bare": [], "situ": []}
        for number in range(3):
            for who in times:
                run = folder / f"{who}-{frames}-{number}"
                spent = in_process(who, str(dataset), str(frames), str(run))
                times[who].append(1000 * spent["cpu"] / questions)
        bare, ours = min(times["bare"]), min(times["situ"])
        table.add_row(case, str(questions), f"{bare:.1f}", f"{ours:.1f}", f"{ours / bare:.2f}")
    return table


def memory_table(folder: Path) -> Table:
    table = Table(title="Peak memory of a run, canned model, one process each")
    for name in ("questions", "frames each", "bare engine, MB", "situ, MB", "situ's log, MB"):
        table.add_column(name, justify="right")
    for questions, frames in ((1000, 0), (10_000, 0), (300, 8), (1500, 8)):
        dataset = make_work(folder / f"memory-{questions}-{frames}", frames, questions)
        peaks = {}
        for who in ("bare", "situ"):
            run = folder / f"memory-{who}-{questions}-{frames}"
            peaks[who] = in_process(who, str(dataset), str(frames), str(run))["peak_mb"]
        size = sum(log.stat().st_size for log in (run / "inspect").rglob("*.eval"))
        cells = (f"{peaks['bare']:.0f}", f"{peaks['situ']:.0f}", f"{size / 1e6:.1f}")
        table.add_row(str(questions), str(frames), *cells)
    return table


def fault_table(folder: Path, questions: int) -> Table:
    table = Table(title=f"{questions} questions against a loopback server")
    for name in ("run", "score %", "answered or marked", "good replies", "asked twice", "faults", "s"):
        table.add_column(name, justify="left" if name in ("run", "faults") else "right")
    make_set(folder / "set", items=10, copies=questions // 20)
    for name, faults in (("calm", {}), ("faults", FAULTS)):
        with serving(Loopback(by_hash(ANSWERS), **faults)) as server:
            start = time.perf_counter()
            subprocess.run(_command(server, folder, name), check=True, capture_output=True)
            table.add_row(*_result(name, server, folder, time.perf_counter() - start))
    with serving(Loopback(by_hash(ANSWERS), delay=0.02, **FAULTS)) as server:
        start = time.perf_counter()
        command = _command(server, folder, "faults, killed half-way")
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while sum(server.asked.values()) < questions // 2:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        subprocess.run(command, check=True, capture_output=True)
        table.add_row(*_result("faults, killed half-way", server, folder, time.perf_counter() - start))
    return table


def _command(server: Loopback, folder: Path, name: str) -> list[str]:
    code = "from situ.cli import main; main()"
    return [
        sys.executable, "-c", code, "eval", str(folder / "set"), "--model", "openai-api/loopback/any",
        "--base-url", server.url, "--model-arg", "api_key=none", "--connections", "20", "--frames", "first",
        "--retries", "5", "--out", str(_run(folder, name)), "--json",
    ]  # fmt: skip


def _run(folder: Path, name: str) -> Path:
    return folder / f"run-{name.replace(' ', '-')}"


def _result(name: str, server: Loopback, folder: Path, seconds: float) -> list[str]:
    run = Run.open(_run(folder, name))
    twice = sum(count - 1 for count in server.asked.values())
    faults = ", ".join(f"{n} × {fault}" for fault, n in sorted(server.faults.items())) or "none"
    return [
        name, f"{100 * run.card['score']:.2f}", str(len(run.records)), str(sum(server.asked.values())),
        str(twice), faults, f"{seconds:.0f}",
    ]  # fmt: skip


def make_work(folder: Path, frames: int, questions: int) -> Path:
    """A set of five recordings with pictures of a real size."""
    make_set(folder, items=5, copies=questions // 10)
    for number in range(5):
        item = folder / "items" / f"{number:06d}"
        shutil.rmtree(item)
        write_recording(item, number, frames=max(frames, 1), size=SIZE)
    return folder


def in_process(who: str, *arguments: str) -> dict[str, Any]:
    """Run one of the jobs below in a fresh process; gives its CPU seconds and its peak memory."""
    command = [sys.executable, "-m", "benchmarks.evaluate", who, *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    result: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return result


def bare(dataset: Path, frames: int, out: Path) -> None:
    """The engine alone: pictures as files in the samples, a plain scorer, the same model and settings."""
    from inspect_ai import Task, eval_set
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ContentImage, ContentText
    from inspect_ai.scorer import match
    from inspect_ai.solver import generate

    import situ.evaluation.models.registry  # noqa: F401  (the canned model)

    opened = Dataset.open(dataset)
    files: dict[str, list[str]] = {}
    for item in opened.items:
        recording = opened.recording(item)
        files[item] = [str(out.parent / f"{out.name}-{item}-{i}.jpg") for i in range(frames)]
        for i, path in enumerate(files[item]):
            Path(path).write_bytes(recording.jpeg(i))
    pictures = {item: [ContentImage(image=path) for path in paths] for item, paths in files.items()}
    samples = [
        Sample(
            id=row.id,
            target=row.answer,
            input=[
                ChatMessageSystem(content="Answer from the pictures."),
                ChatMessageUser(content=[*pictures[row.item], ContentText(text=row.text)]),
            ],
        )
        for row in sorted(opened.questions, key=lambda row: row.id)
    ]
    task = Task(dataset=MemoryDataset(samples), solver=generate(), scorer=match(), name="bare")
    eval_set(
        task, log_dir=str(out), model="situ-canned/say:4", retry_attempts=0, retry_immediate=False,
        log_images=False, log_model_api=False, log_buffer=10, fail_on_error=False, retry_on_error=2,
        display="none", score_display=False, ctl_server=False, temperature=0.0,
    )  # fmt: skip


def situ(dataset: Path, frames: int, out: Path) -> None:
    from situ.evaluation.models.run_model import ModelSettings, run_model
    from situ.evaluation.runs.run import Settings

    model = ModelSettings("situ-canned/say:4", "direct" if frames else "blind")
    run_model(Dataset.open(dataset), model, Settings(), out)


def job() -> None:
    if sys.argv[1:] == ["faults"]:
        with tempfile.TemporaryDirectory() as place:
            questions = int(os.environ.get("SITU_BENCH_QUESTIONS", "2000"))
            Console(width=150).print(fault_table(Path(place), questions))
        return
    who, dataset, frames, out = sys.argv[1:]
    {"bare": bare, "situ": situ}[who](Path(dataset), int(frames), Path(out))
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({"cpu": used.ru_utime + used.ru_stime, "peak_mb": used.ru_maxrss / 1024}))


if __name__ == "__main__":
    job()
