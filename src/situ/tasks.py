"""Contract of all runners: a task is done when its result is committed.

A task may be started twice, killed, and restarted elsewhere. It commits its result atomically, and an
existing result counts as success. Runners therefore only guarantee that each task is attempted.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from situ.errors import BadInput, SituError
from situ.registry import Registry

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Task:
    """`work(job)` makes something; `command` does the same for runners of commands."""

    name: str
    work: Callable[[Any], object]
    job: Any
    command: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """Result of a runner. Queued tasks are not finished yet."""

    failed: Mapping[str, str] = field(default_factory=dict)  # name: reason
    queued: int = 0
    note: str = ""  # where to look while they run

    def stop_if_failed(self, of: int, what: str) -> None:
        """Raise with the tasks that failed for good. `what` completes "2 of 9", such as "shards could not be
        made"."""
        if self.failed:
            reasons = "; ".join(f"{name}: {why}" for name, why in list(self.failed.items())[:5])
            raise SituError(
                f"{len(self.failed)} of {of} {what}. {reasons}. All others are kept: repeat the command"
            )


class Runner(Protocol):
    def run(self, tasks: Sequence[Task], progress: Progress) -> Outcome: ...


# Functions of (jobs, options) that return a runner.
RUNNERS: Registry[Callable[[int, Mapping[str, str]], Runner]] = Registry(
    "runner", ["situ.runners.local", "situ.runners.slurm", "situ.runners.ray"]
)


def runner_of(name: str, jobs: int, options: Sequence[str] = ()) -> Runner:
    """A runner by name, with options that were given as KEY=VALUE."""
    pairs = dict(option.partition("=")[::2] for option in options)
    if any("=" not in option for option in options):
        raise BadInput(f"--runner-option takes KEY=VALUE, got '{', '.join(options)}'")
    return RUNNERS.find(name)(jobs, pairs)


def attempt(task: tuple[Callable[[Any], object], int, Any]) -> str:
    """Run a task; returns the error message, or "". A failed task does not stop the others."""
    work, _, job = task
    try:
        work(job)
    except Exception as error:  # reported by name at the end
        return f"{type(error).__name__}: {error}"
    return ""
