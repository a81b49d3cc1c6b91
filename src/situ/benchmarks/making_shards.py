"""Making all shards of a set that are missing, wherever a runner runs them, and joining them at the end."""

from collections.abc import Callable, Sequence
from pathlib import Path

from situ.benchmarks.gather import Gathered, gather
from situ.benchmarks.make import Recipe
from situ.benchmarks.remote import begin_remote, gather_remote, make_remote_shard, missing_remote
from situ.benchmarks.shards import begin_shards, make_shard, missing_shards, shard_name
from situ.rendering.renderer import compile_kernels
from situ.stores import url_of
from situ.tasks import Outcome, Runner, Task

Progress = Callable[[str, int, int], None]


def make_shards(
    recipe: Recipe,
    out: Path,
    count: int,
    runner: Runner,
    command: Sequence[str] = (),
    progress: Progress | None = None,
) -> tuple[Outcome, Gathered | None]:
    """Make what is missing; the joined set, unless some shards are still in a queue.

    `command` is the command line that makes a shard, less the shard's number.
    """
    report = progress or (lambda stage, done, total: None)
    url = url_of(out)
    if url:
        begin_remote(recipe, url, count)
    else:
        begin_shards(recipe, out, count)
    missing = missing_remote(url, count) if url else missing_shards(out, count)
    if missing:
        compile_kernels()  # here, so that the workers need not do it each
    tasks = [
        Task(f"shard {shard_name(n)}", make_one, (recipe, out, n, count), (*command, "--shard", str(n)))
        for n in missing
    ]
    outcome = runner.run(tasks, lambda done, total: report("shards made", done, total))
    outcome.stop_if_failed(len(tasks), "shards could not be made")
    if outcome.queued:
        return outcome, None
    return outcome, gather_remote(url) if url else gather(out, progress)


def make_one(job: tuple[Recipe, Path, int, int]) -> None:
    recipe, out, number, count = job
    if url := url_of(out):
        make_remote_shard(recipe, url, number, count)
    else:
        make_shard(recipe, out, number, count)
