"""Runner on processes of this machine."""

from collections.abc import Mapping, Sequence

from situ.errors import BadInput, WorkerDied
from situ.pool import spread, workers
from situ.tasks import RUNNERS, Outcome, Progress, Runner, Task, attempt


class LocalRunner:
    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    def run(self, tasks: Sequence[Task], progress: Progress) -> Outcome:
        failed: dict[str, str] = {}
        with workers(self._jobs) as pool:
            jobs = [(task.work, number, task.job) for number, task in enumerate(tasks)]
            try:
                for done, (number, problem) in enumerate(spread(pool, attempt, jobs), 1):
                    if problem:
                        failed[tasks[number].name] = problem
                    progress(done, len(tasks))
            except WorkerDied as error:
                for name in error.names:
                    failed[tasks[int(name)].name] = "its process was killed three times (out of memory?)"
        return Outcome(failed)


@RUNNERS.register("local", "processes of this machine")
def local_runner(jobs: int, options: Mapping[str, str]) -> Runner:
    if options:
        raise BadInput(f"the local runner takes no --runner-option, got {', '.join(options)}")
    return LocalRunner(jobs)
