"""Making a training set: narratives of clips, questions about pictures, views and tours, in set proportions.

Every world is drawn from the seed and its number, so a set can be made in parallel and made again.
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from situ import __version__
from situ.benchmarks.dataset import Dataset, write_atomically
from situ.recording import Recording
from situ.tasks import Runner, Task, runner_of
from situ.train.balance import balanced
from situ.train.clips import recording_world
from situ.train.data_recipe import PER_WORLD, SHARES, DataRecipe
from situ.train.rows import KINDS, MANIFEST, TrainingRow, write_rows
from situ.train.shards import close_finished, is_made, open_unfinished, shard_of, without_repeats
from situ.train.worlds import Draft, drafts_of_recording, drafts_of_world

SPARE = 1.25  # more worlds than needed, since balancing leaves some clips out
Progress = Callable[[str, int, int], None]


def make_training_set(
    recipe: DataRecipe,
    out: Path,
    jobs: int = 1,
    progress: Progress | None = None,
    runner: Runner | None = None,
    command: Sequence[str] = (),
) -> dict[str, Any]:
    """Write a set and give its manifest. A set that was interrupted goes on with the worlds that are missing.

    Where a runner puts worlds into a queue, `queued` and `note` are all that is given, and the next call
    joins the set. `command` is the command line that makes a world, less its number.
    """
    report = progress or (lambda stage, done, total: None)
    open_unfinished(out, json.dumps(_plain(recipe), sort_keys=True))
    drafts: list[Draft] = []
    for number, name in enumerate(recipe.recordings):  # first: one that cannot be read costs no world
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
    """The examples of a set: narratives balanced by motion, the rest as many as asked for."""
    rng = np.random.default_rng([recipe.seed, 7])
    drafts = [draft for draft in drafts if draft.row.world not in recipe.exclude]
    told = [draft for draft in drafts if draft.row.kind == "narrative"]
    # Users' recordings come first: generated clips fill up what they lack.
    kept = balanced(range(len(told)), [d.row.motions for d in told], [d.small_pan for d in told], rng)[
        : wanted["narrative"]
    ]
    kept = balanced(kept, [told[i].row.motions for i in kept], [told[i].small_pan for i in kept], rng)
    rows = [told[i].row for i in kept]
    for kind in KINDS[1:]:
        rows += [draft.row for draft in drafts if draft.row.kind == kind][: wanted[kind]]
    return [rows[i] for i in rng.permutation(len(rows))]


def worlds_of(folder: Path) -> frozenset[str]:
    """The worlds of a question set or of one recording: what a training set must not show."""
    if (folder / "items").is_dir():
        dataset = Dataset.open(folder)
        return frozenset(recording_world(dataset.recording(item)) for item in dataset.items)
    return frozenset([recording_world(Recording.open(folder))])


def make_world(job: tuple[DataRecipe, int, Path]) -> list[Draft]:
    """The drafts of one world of a set that was begun: as they were committed, or made now."""
    recipe, number, out = job
    return shard_of(out, _world_name(number), partial(drafts_of_world, recipe, number, out))


def _world_name(number: int) -> str:
    return f"w{number:05d}"


def _recording(recipe: DataRecipe, number: int, name: str, out: Path) -> list[Draft]:
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
