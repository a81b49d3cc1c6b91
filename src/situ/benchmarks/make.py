"""Making a question set: items in parallel, each committed whole, then questions over all of them.

A recipe is a picklable record. Items depend only on the recipe and their number, so any of them can be
made anywhere, in any order, and made again after a kill.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from situ import __version__
from situ.benchmarks.balance import Candidate
from situ.benchmarks.dataset import (
    Dataset,
    QuestionRow,
    content_sha256,
    read_manifest,
    write_manifest,
    write_rows,
)
from situ.benchmarks.deleting import delete_set
from situ.benchmarks.naming import question_id, shuffled_places
from situ.errors import BadInput, Refused, WorkerDied
from situ.pool import Pool, spread, workers
from situ.recording import Recording
from situ.rendering.renderer import compile_kernels

PUBLISHED = "imported"  # in a recipe's description: the set is published data under its own ids
KEPT_ROWS = 20_000  # proposed rows that one process keeps until it is known which are asked: some 40 MB
Progress = Callable[[str, int, int], None]  # stage, done, total


class Recipe(Protocol):
    """What a benchmark is made of."""

    @property
    def benchmark(self) -> str: ...

    def describe(self) -> dict[str, Any]:
        """Everything that shapes the result, as plain data: two equal descriptions give equal bytes."""
        ...

    def item_names(self) -> Sequence[str]:
        """A name for each item; it must tell nothing about what is asked of it."""
        ...

    def make_item(self, number: int, folder: Path) -> None:
        """Write item `number` as a recording; it must appear whole or not at all."""
        ...

    def propose(self, number: int, recording: Recording) -> list[tuple[Candidate, QuestionRow]]:
        """Every question that could be asked of an item, in a fixed order."""
        ...

    def choose(self, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        """The questions that are asked, balanced over the whole set."""
        ...


def make_dataset(
    recipe: Recipe, out: Path, jobs: int = 1, force: bool = False, progress: Progress | None = None
) -> Dataset:
    """Make a set, or finish one that was interrupted. A finished set is left as it is."""
    report = progress or (lambda stage, done, total: None)
    description = {"benchmark": recipe.benchmark, "recipe": recipe.describe(), "situ": __version__}
    if _prepare(out, description, force):
        return Dataset.open(out)
    names = list(recipe.item_names())
    missing = [i for i, name in enumerate(names) if not (out / "items" / name).is_dir()]
    report("recordings", len(names) - len(missing), len(names))
    if missing and jobs > 1:
        compile_kernels()  # here, so that the workers need not do it each
    with workers(jobs) as pool:
        made = len(names) - len(missing)
        try:
            for _ in spread(pool, _make_item, [(recipe, i, out / "items" / names[i]) for i in missing]):
                made += 1
                report("recordings", made, len(names))
        except WorkerDied as error:
            raise WorkerDied([f"item {names[int(number)]}" for number in error.names]) from error
        hashes, rows_hash, count = _write_questions(recipe, out, names, pool, report)
    content = content_sha256(hashes, rows_hash)
    write_manifest(
        out,
        {**description, "complete": True, "items": hashes, "questions": count, "content_hash": content},
    )
    return Dataset.open(out)


def _prepare(out: Path, description: dict[str, Any], force: bool) -> bool:
    """Make the folder ready; True if the set is already finished."""
    if force and out.exists():
        delete_set(out)
    if out.is_dir() and any(out.iterdir()):
        if not (out / "manifest.json").is_file():
            raise Refused(f"{out} is not empty and holds no question set. Choose another folder.")
        manifest = read_manifest(out)
        if any(manifest.get(key) != value for key, value in description.items()):
            raise Refused(
                f"{out} holds another question set (benchmark, options, seed or version differ). "
                "Choose another folder, or give --force to delete it."
            )
        return bool(manifest.get("complete"))
    try:
        (out / "items").mkdir(parents=True, exist_ok=True)
        write_manifest(out, {**description, "complete": False})
    except OSError as error:
        raise BadInput(f"cannot write to {out}: {error.strerror}. Choose another --out.") from error
    return False


def _write_questions(
    recipe: Recipe, out: Path, names: Sequence[str], pool: Pool, report: Progress
) -> tuple[dict[str, str], str, int]:
    """Two passes: light candidates of all items to choose from, then only the chosen rows in full.

    Where this process makes them itself it keeps what the first pass found, as far as that is little: shards
    are, and a row need not be worked out twice.
    """
    hashes: dict[str, str] = {}
    candidates: list[Candidate] = []
    kept: dict[int, list[QuestionRow]] = {}
    room = KEPT_ROWS if pool.jobs <= 1 else 0
    jobs = [(recipe, i, out / "items" / name, room > 0) for i, name in enumerate(names)]
    for number, (content, found, in_full) in spread(pool, _propose_item, jobs):
        hashes[names[number]] = content
        candidates += found
        if len(in_full) <= room:
            kept[number] = in_full
            room -= len(in_full)
        report("questions", len(hashes), len(names))
    candidates.sort(key=lambda c: (c.item, c.number))
    chosen: dict[int, list[int]] = {}
    for candidate in recipe.choose(candidates):
        chosen.setdefault(candidate.item, []).append(candidate.number)

    here = {item: kept[item] for item in chosen if kept.get(item)}
    wanted = [(*jobs[item][:3], sorted(chosen[item])) for item in sorted(chosen) if item not in here]
    picked = {item: [rows[k] for k in sorted(chosen[item])] for item, rows in here.items()}
    picked.update(spread(pool, _chosen_rows, wanted, in_order=True))
    rows = [row for item in sorted(picked) for row in picked[item]]
    if PUBLISHED in recipe.describe():  # order and ids are the publisher's
        return hashes, write_rows(out / "questions.parquet", rows), len(rows)
    # Neither the order of rows nor their ids may tell which question of which item was chosen when.
    order = shuffled_places(len(rows), {"benchmark": recipe.benchmark, "recipe": recipe.describe()})
    named = (replace(rows[row], id=question_id(place)) for place, row in enumerate(order))
    return hashes, write_rows(out / "questions.parquet", named), len(rows)


def _make_item(job: tuple[Recipe, int, Path]) -> None:
    recipe, number, folder = job
    try:
        recipe.make_item(number, folder)
    except Refused:  # another process was first, or this job was handed out twice
        Recording.open(folder)


def _propose_item(job: tuple[Recipe, int, Path, bool]) -> tuple[str, list[Candidate], list[QuestionRow]]:
    """Content hash, candidates, and with `in_full` their rows."""
    recipe, number, folder, in_full = job
    recording = Recording.open(folder)
    proposed = recipe.propose(number, recording)
    rows = [row for _, row in proposed] if in_full else []
    return recording.content_hash(), [candidate for candidate, _ in proposed], rows


def _chosen_rows(job: tuple[Recipe, int, Path, Sequence[int]]) -> list[QuestionRow]:
    recipe, number, folder, chosen = job
    proposed = recipe.propose(number, Recording.open(folder))
    return [proposed[k][1] for k in chosen]
