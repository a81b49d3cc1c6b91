"""Generation of a training set: narratives of clips, and questions about images, views and tours.

Every world depends on the seed and its number only, so a set can be generated in parallel and reproduced.
Each world of an unfinished set is stored separately, so that an interrupted set can continue:

DIR/recipe.json        recipe of the unfinished set; another recipe is refused DIR/shards/NAME.jsonl  drafts
of one world, written after all its frames

Both are deleted when the set is complete.
"""

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from situ import __version__
from situ.benchmarks.dataset import Dataset, write_atomically
from situ.errors import Refused
from situ.recording import Recording
from situ.tasks import Runner, Task, runner_of
from situ.train.clips import recording_world
from situ.train.data_recipe import PER_WORLD, SHARES, DataRecipe, balanced
from situ.train.own_questions import drafts_of_set
from situ.train.rows import KINDS, MANIFEST, MEDIA, TrainingRow, write_rows
from situ.train.worlds import Draft, drafts_of_recording, drafts_of_world

SPARE = 1.25  # factor on the number of worlds, since balancing drops some clips
Progress = Callable[[str, int, int], None]


def make_training_set(
    recipe: DataRecipe,
    out: Path,
    jobs: int = 1,
    progress: Progress | None = None,
    runner: Runner | None = None,
    command: Sequence[str] = (),
) -> dict[str, Any]:
    """Write a set and return its manifest. An interrupted set continues with the missing worlds.

    If a runner only queues the worlds, `queued` and `note` are returned, and the next call joins the set.
    `command` is the command line that makes a world, without its number.
    """
    report = progress or (lambda stage, done, total: None)
    open_unfinished(out, json.dumps(_plain(recipe), sort_keys=True))
    drafts: list[Draft] = []
    for number, name in enumerate(recipe.recordings):  # first, so that an unreadable one fails early
        drafts += shard_of(out, f"r{number:05d}", partial(_recording, recipe, number, name, out))
    wanted = {kind: round(recipe.rows * share) for kind, share in SHARES.items()}
    worlds = max(1, *(-(-int(SPARE * wanted[kind]) // PER_WORLD[kind]) for kind in KINDS))
    tasks = [
        Task(f"world {number}", make_world, (recipe, number, out.absolute()), (*command, str(number)))
        for number in range(worlds)
        if not is_made(out, _world_name(number))
    ]
    begun = worlds - len(tasks)
    outcome = (runner or runner_of("local", jobs)).run(
        tasks, lambda done, _: report("worlds", begun + done, worlds)
    )
    outcome.stop_if_failed(worlds, "worlds could not be made")
    if outcome.queued:
        return {"queued": outcome.queued, "note": outcome.note}
    for number in range(worlds):
        drafts += make_world((recipe, number, out))
    rows = choose(list(without_repeats(drafts)), wanted, recipe)
    _drop_unused(out, rows)
    write_rows(out, rows)
    manifest = _manifest(recipe, rows)
    write_atomically(out / MANIFEST, (json.dumps(manifest, indent=1, sort_keys=True) + "\n").encode())
    close_finished(out)
    return manifest


def choose(drafts: Sequence[Draft], wanted: dict[str, int], recipe: DataRecipe) -> list[TrainingRow]:
    """Examples of a set: narratives balanced by motion, others in the requested numbers."""
    rng = np.random.default_rng([recipe.seed, 7])
    drafts = [draft for draft in drafts if draft.row.world not in recipe.exclude]
    clips = [draft for draft in drafts if draft.row.kind == "narrative"]
    # Users' recordings take precedence; generated clips fill the rest.
    kept = balanced(range(len(clips)), [d.row.motions for d in clips], [d.small_pan for d in clips], rng)[
        : wanted["narrative"]
    ]
    kept = balanced(kept, [clips[i].row.motions for i in kept], [clips[i].small_pan for i in kept], rng)
    rows = [clips[i].row for i in kept]
    for kind in KINDS[1:]:
        rows += [draft.row for draft in drafts if draft.row.kind == kind][: wanted[kind]]
    return [rows[i] for i in rng.permutation(len(rows))]


def worlds_of(folder: Path) -> frozenset[str]:
    """Worlds of a question set or a recording, which a training set must not contain."""
    if (folder / "items").is_dir():
        dataset = Dataset.open(folder)
        return frozenset(recording_world(dataset.recording(item)) for item in dataset.items)
    return frozenset([recording_world(Recording.open(folder))])


def make_world(job: tuple[DataRecipe, int, Path]) -> list[Draft]:
    """Drafts of one world of an unfinished set: the stored ones, or new ones."""
    recipe, number, out = job
    return shard_of(out, _world_name(number), partial(drafts_of_world, recipe, number, out))


def _world_name(number: int) -> str:
    return f"w{number:05d}"


def _recording(recipe: DataRecipe, number: int, name: str, out: Path) -> list[Draft]:
    if (Path(name) / "items").is_dir():
        return list(drafts_of_set(Dataset.open(Path(name)), recipe, number, out))
    return drafts_of_recording(Recording.open(name), recipe.fps, recipe.max_pixels, number, out, recipe)


def _plain(recipe: DataRecipe) -> dict[str, Any]:
    return {**asdict(recipe), "exclude": sorted(recipe.exclude), "templates": list(recipe.templates)}


def _drop_unused(out: Path, rows: Sequence[TrainingRow]) -> None:
    used = {name for row in rows for medium in row.media for name in medium.frames}
    for path in (out / "media").rglob("*.jpg"):
        if path.relative_to(out).as_posix() not in used:
            path.unlink()
    for folder in sorted((out / "media").iterdir()):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def _manifest(recipe: DataRecipe, rows: Sequence[TrainingRow]) -> dict[str, Any]:
    plain = {**_plain(recipe), "templates": len(recipe.templates)}
    return {
        "format": "situ-train",
        "situ": __version__,
        "recipe": plain,
        "rows": len(rows),
        "kinds": dict(Counter(row.kind for row in rows)),
        "motions": dict(Counter(name for row in rows for name in row.motions)),
        "letters": dict(Counter(row.letter for row in rows if row.letter)),
        "templates_used": len({row.template for row in rows if row.template >= 0}),
        "worlds": sorted({row.world for row in rows}),
        "excluded_worlds": sorted(recipe.exclude),
    }


RECIPE, SHARDS = "recipe.json", "shards"


def open_unfinished(out: Path, recipe: str) -> None:
    """Create the folder of a set, or open one that was begun with the same recipe."""
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
    """Whether the drafts of a world are complete."""
    return _file(out, name).is_file()


def _file(out: Path, name: str) -> Path:
    return out / SHARDS / f"{name}.jsonl"


def shard_of(out: Path, name: str, make: Callable[[], Iterable[Draft]]) -> list[Draft]:
    """Drafts of one world: stored ones, or new ones."""
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
    """Drafts without duplicates: one narrative per clip, one answer per question about the same images."""
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
    """Hash of the images that an example shows."""
    digest = hashlib.sha256()
    for medium in draft.row.media:
        for name in medium.frames:
            digest.update(hashlib.sha256((out / name).read_bytes()).digest())
    return digest.hexdigest()
