"""What a fine-tuning run left in its folder: whether it is finished, goes on, or was another one.

OUT/settings.json   what the run was begun with, as far as it decides what is learnt
OUT/finished.json   what came of it, with the sizes of its model's files; written last
"""

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from situ.benchmarks.dataset import write_atomically
from situ.errors import Refused
from situ.train.recipe import TrainRecipe
from situ.train.rows import ROWS

SETTINGS, FINISHED, MODEL, CHECKPOINTS = "settings.json", "finished.json", "model", "checkpoints"
FREE = ("save_every", "loaders", "checkpointing")  # of a recipe: the same is learnt whatever they are


def settings_of(data: Path, model: str, recipe: TrainRecipe, arm: str) -> dict[str, Any]:
    """Everything that decides what a run learns."""
    with (data / ROWS).open("rb") as file:
        examples = hashlib.file_digest(file, "sha256").hexdigest()
    name = str(Path(model).resolve()) if Path(model).is_dir() else model
    chosen = {key: value for key, value in asdict(recipe).items() if key not in FREE}
    return {"training set": examples, "model": name, "arm": arm, **chosen}


def earlier_result(out: Path, settings: dict[str, Any]) -> dict[str, Any] | None:
    """What a finished run gave; None where there is something to train. Another run's folder is refused."""
    finished = _finished(out)
    if finished is None and last_checkpoint(out) is None:
        return None
    begun = _read(out / SETTINGS)
    if begun is not None:
        other = sorted(key for key in begun.keys() | settings.keys() if begun.get(key) != settings.get(key))
        if other:
            was = ", ".join(f"{key} {begun.get(key)} (given: {settings.get(key)})" for key in other)
            raise Refused(
                f"{out} holds a run of other settings: {was}. Give those of the run to go on with it, or "
                "another folder."
            )
    return finished


def begin(out: Path, settings: dict[str, Any]) -> None:
    """Note what the run is; a result that was there is no longer one."""
    out.mkdir(parents=True, exist_ok=True)
    (out / FINISHED).unlink(missing_ok=True)
    write_atomically(out / SETTINGS, (json.dumps(settings, indent=1) + "\n").encode())


def finish(out: Path, result: dict[str, Any]) -> None:
    """Note that the model is saved, whole, and what came of the run."""
    files = sorted(path for path in (out / MODEL).rglob("*") if path.is_file())
    sizes = {path.relative_to(out).as_posix(): path.stat().st_size for path in files}
    write_atomically(
        out / FINISHED, (json.dumps({"result": result, "files": sizes}, indent=1) + "\n").encode()
    )


def last_checkpoint(out: Path) -> str | None:
    found = sorted((out / CHECKPOINTS).glob("checkpoint-*"), key=lambda path: int(path.name.split("-")[1]))
    # A checkpoint without the trainer's state was being written when the run ended.
    whole = [path for path in found if (path / "trainer_state.json").is_file()]
    return str(whole[-1]) if whole else None


def _finished(out: Path) -> dict[str, Any] | None:
    record = _read(out / FINISHED)
    if record is None or not record.get("files"):
        return None
    sizes = {name: (out / name).stat().st_size if (out / name).is_file() else -1 for name in record["files"]}
    return dict(record["result"]) if sizes == record["files"] else None


def _read(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None
