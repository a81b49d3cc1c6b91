"""Thousands of recordings into memories, one each: resumable, with what always fails set aside and named.

OUT/NAME.situ     the memory of a recording
OUT/NAME.json     what became of it; there when it is done
OUT/NAME.tries    one line for each time it was begun or failed; gone when it is done
OUT/report.json   all of them
"""

import csv
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from situ.api.watching import watch
from situ.benchmarks.dataset import write_atomically
from situ.errors import BadInput, SituError
from situ.private_files import make_private_folder
from situ.recording.remote import fetched
from situ.tasks import Outcome, Progress, Runner, Task
from situ.text_files import read_text

TRIES = 3  # times that a recording is begun before it is set aside
_BEGUN = "begun"


@dataclass(frozen=True)
class Entry:
    """A line of the list: where a recording lies, and the name of its memory."""

    name: str
    source: str


def read_list(file: Path) -> list[Entry]:
    """A path a line, or CSV with a column `source` and, where wanted, `name`. Names must differ."""
    lines = [line for line in read_text(file).splitlines() if line.strip()]
    if lines and "source" in next(csv.reader(lines[:1])):
        rows = list(csv.DictReader(lines))
        entries = [Entry(row.get("name") or _name(row["source"]), row["source"]) for row in rows]
    else:
        entries = [Entry(_name(line.strip()), line.strip()) for line in lines if not line.startswith("#")]
    if not entries:
        raise BadInput(f"{file} lists no recording")
    names = [entry.name for entry in entries]
    double = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if double:
        raise BadInput(f"{file}: several recordings would be called {double[0]}; give CSV with name,source")
    bad = [name for name in names if not re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,150}", name)]
    if bad:
        raise BadInput(f"{file}: '{bad[0]}' cannot name a memory; give CSV with name,source")
    return entries


def _name(source: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "_", Path(source).stem).strip(".") or "recording"


def watch_many(
    entries: Sequence[Entry],
    out: Path,
    runner: Runner,
    options: Mapping[str, Any],
    command: Sequence[str] = (),
    progress: Progress | None = None,
) -> tuple[Outcome, dict[str, Any]]:
    """Watch what is neither done nor set aside; the outcome, and the report over all."""
    make_private_folder(out)
    tasks = [
        Task(entry.name, watch_one, (entry, out, dict(options)), (*command, "--only", entry.name))
        for entry in entries
        if not (out / f"{entry.name}.json").is_file() and _tries(out, entry.name) < TRIES
    ]
    outcome = runner.run(tasks, progress or (lambda done, total: None))
    found = report(entries, out)
    write_atomically(out / "report.json", (json.dumps(found, indent=1) + "\n").encode())
    return outcome, found


def watch_one(job: tuple[Entry, Path, dict[str, Any]]) -> None:
    """Watch one recording; a memory that was begun is gone on with."""
    entry, out, options = job
    done, tries = out / f"{entry.name}.json", out / f"{entry.name}.tries"
    if done.is_file():
        return
    with tries.open("a", encoding="utf-8") as file:  # before the work: a kill leaves no other trace
        file.write(f"{_BEGUN}\n")
    try:
        with fetched(entry.source) as source:
            watched = watch(source, out / f"{entry.name}.situ", **options)
        if watched.fault:
            raise SituError(watched.fault)
    except SituError as error:
        with tries.open("a", encoding="utf-8") as file:
            file.write(f"{error}\n")
        raise
    text = json.dumps({**asdict(watched), "source": entry.source}, default=str)
    write_atomically(done, (text + "\n").encode())
    tries.unlink()


def _tries(out: Path, name: str) -> int:
    return sum(line == _BEGUN for line in _trace(out, name))


def _trace(out: Path, name: str) -> list[str]:
    file = out / f"{name}.tries"
    return file.read_text(encoding="utf-8").splitlines() if file.is_file() else []


def report(entries: Sequence[Entry], out: Path) -> dict[str, Any]:
    """What is done, what is left, and what was set aside and why."""
    done, left, aside, frames, objects = [], [], {}, 0, 0
    for entry in entries:
        file = out / f"{entry.name}.json"
        if file.is_file():
            said = json.loads(file.read_text(encoding="utf-8"))
            frames, objects = frames + said["frames"], objects + said["objects"]
            done.append(entry.name)
        elif _tries(out, entry.name) >= TRIES:
            reasons = [line for line in _trace(out, entry.name) if line != _BEGUN]
            aside[entry.name] = reasons[-1] if reasons else "its process was killed each time"
        else:
            left.append(entry.name)
    return {"done": len(done), "left": left, "set_aside": aside, "frames": frames, "objects": objects}
