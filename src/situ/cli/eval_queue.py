"""`situ eval --runner …`: participants that answer in parts, on a cluster."""

import sys
from collections.abc import Iterable
from pathlib import Path

from situ.benchmarks.dataset import Dataset
from situ.cli.common import console, print_json
from situ.cli.make_shards import command_of_this_call
from situ.errors import BadInput
from situ.evaluation.runs.job import Settings
from situ.evaluation.runs.parts import Progress, answer_one_part, run_in_parts
from situ.evaluation.runs.run_folder import Run
from situ.tasks import runner_of


class Queue:
    """A runner for the runs of one call, and what it said of those that are not finished yet."""

    def __init__(self, out: Path, runner: str, jobs: int, options: list[str] | None) -> None:
        given = list(options or [])
        if runner == "local" and given:
            raise BadInput("--runner-option is for --runner slurm or ray")
        if runner == "slurm" and not any(option.startswith("folder=") for option in given):
            given.append(f"folder={out.absolute()}.slurm")
        self._runner = runner_of(runner, jobs, given)
        self.notes: dict[str, str] = {}

    def run(
        self, dataset: Dataset, name: str, settings: Settings, folder: Path, tell: Progress
    ) -> Run | None:
        """The finished run; None where its parts are in a queue."""
        command = (*command_of_this_call(sys.argv), "--part", f"{folder.name}:")
        outcome, run = run_in_parts(dataset, name, settings, folder, self._runner, command, tell)
        if outcome.queued:
            self.notes[str(folder)] = f"{outcome.queued} parts: {outcome.note}"
        return run

    def tell(self, as_json: bool) -> None:
        if as_json:
            print_json({"queued": self.notes, "then": "the same command joins what is done"})
            return
        for folder, note in self.notes.items():
            console.print(f"{folder}: {note}", soft_wrap=True)
        console.print("When they are done, the same command joins them and prints the scores.")


def answer_part(part: str, runs: Iterable[tuple[Dataset, str, Path]], settings: Settings) -> None:
    """Answer one part, RUN:NUMBER, of the run whose folder is called so."""
    wanted, _, number = part.rpartition(":")
    if not number.isdigit():
        raise BadInput(f"--part is written RUN:NUMBER, got '{part}'")
    found = [run for run in runs if run[2].name == wanted]
    if not found:
        raise BadInput(f"--part {part}: this call has no such run")
    for dataset, name, folder in found:
        answer_one_part(dataset, name, settings, folder, int(number))
