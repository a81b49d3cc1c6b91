"""Worlds of a training set as they are made: one file each, so that a set that was interrupted goes on.

DIR/recipe.json        what the unfinished set is made by; another recipe is refused
DIR/shards/NAME.jsonl  the drafts of one world, written when all its frames are there

Both are gone when the set is complete.
"""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from situ.benchmarks.dataset import write_atomically
from situ.errors import Refused
from situ.train.rows import MANIFEST, MEDIA, TrainingRow
from situ.train.worlds import Draft

RECIPE, SHARDS = "recipe.json", "shards"


def open_unfinished(out: Path, recipe: str) -> None:
    """Make a folder for a set, or go on with one that the same recipe began."""
    begun = out / RECIPE
    if begun.is_file() and not (out / MANIFEST).exists():
        if begun.read_text(encoding="utf-8") != recipe:
            raise Refused(
                f"{out} holds an unfinished set of another recipe. Give the options it was begun with, or "
                "another folder."
            )
    elif out.exists() and any(out.iterdir()):
        raise Refused(f"{out} is not empty. Choose another folder.")
    for folder in (MEDIA, SHARDS):
        (out / folder).mkdir(parents=True, exist_ok=True)
    write_atomically(begun, recipe.encode())


def is_made(out: Path, name: str) -> bool:
    """Whether the drafts of a world are committed."""
    return _file(out, name).is_file()


def _file(out: Path, name: str) -> Path:
    return out / SHARDS / f"{name}.jsonl"


def shard_of(out: Path, name: str, make: Callable[[], Iterable[Draft]]) -> list[Draft]:
    """The drafts of one world: as they were written, or made now."""
    path = _file(out, name)
    if not path.is_file():
        drafts = list(make())
        lines = [
            json.dumps({"row": draft.row.to_json(), "small_pan": draft.small_pan, "seen": _hash(out, draft)})
            for draft in drafts
        ]
        write_atomically(path, "".join(line + "\n" for line in lines).encode())
    return list(_read(path))


def without_repeats(drafts: Iterable[Draft]) -> Iterator[Draft]:
    """Each thing once: one narrative of the same pictures, one answer to the same question about them."""
    known: set[tuple[str, str, str]] = set()
    for draft in drafts:
        asked = "" if draft.row.kind == "narrative" else draft.row.prompt.partition("\n")[0]
        key = draft.row.kind, draft.seen, asked
        if key not in known:
            known.add(key)
            yield draft


def close_finished(out: Path) -> None:
    shutil.rmtree(out / SHARDS)
    (out / RECIPE).unlink()


def _read(path: Path) -> Iterator[Draft]:
    for line in path.read_text(encoding="utf-8").splitlines():
        data = json.loads(line)
        yield Draft(TrainingRow.from_json(data["row"]), data["small_pan"], data["seen"])


def _hash(out: Path, draft: Draft) -> str:
    """A hash of the pictures that an example shows."""
    digest = hashlib.sha256()
    for medium in draft.row.media:
        for name in medium.frames:
            digest.update(hashlib.sha256((out / name).read_bytes()).digest())
    return digest.hexdigest()
