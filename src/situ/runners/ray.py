"""Runner on a Ray cluster. Ray may run a task twice after a lost node; atomic commits make that safe.

The cluster is that of RAY_ADDRESS, or a local one that listens on loopback only. GPU work runs in actors,
because Ray ends a GPU task's process after the task, so each recording would load its models again.
"""

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from situ.errors import BadInput, MissingExtra
from situ.tasks import RUNNERS, Outcome, Progress, Runner, Task, attempt

TRIES = 4  # after a lost worker or node
AHEAD = 4  # queued tasks per processor of the cluster
NUMBERS = {"num-cpus": 1.0, "num-gpus": 0.0}  # resources per task


class RayRunner:
    def __init__(self, jobs: int, options: Mapping[str, str]) -> None:
        unknown = set(options) - set(NUMBERS)
        if unknown:
            raise BadInput(f"the Ray runner knows the options {', '.join(NUMBERS)}, got {', '.join(unknown)}")
        try:
            asked = {name: float(options.get(name, usual)) for name, usual in NUMBERS.items()}
        except ValueError as error:
            raise BadInput(f"options of the Ray runner are numbers: {error}") from error
        self._jobs, self._cpus, self._gpus = jobs, asked["num-cpus"], asked["num-gpus"]

    def run(self, tasks: Sequence[Task], progress: Progress) -> Outcome:
        ray = _connected(self._jobs)
        crew = self._actors(ray, len(tasks)) if self._gpus else self._tasks(ray)
        failed: dict[str, str] = {}
        left = list(enumerate(tasks))[::-1]
        done = 0
        while done < len(tasks):
            while left and crew.free():
                crew.begin(*left.pop())
            for (number, task), problem in crew.finished():
                if problem is None:  # lost with its process; will be retried
                    left.append((number, task))
                    continue
                if problem:
                    failed[task.name] = problem
                done += 1
                progress(done, len(tasks))
        crew.close()
        return Outcome(failed)

    def _tasks(self, ray: Any) -> "_Tasks":
        remote = ray.remote(attempt).options(
            num_cpus=self._cpus, num_gpus=self._gpus, max_retries=TRIES, scheduling_strategy="SPREAD"
        )
        return _Tasks(ray, remote, max(1, int(AHEAD * ray.cluster_resources().get("CPU", 1))))

    def _actors(self, ray: Any, tasks: int) -> "_Actors":
        remote = ray.remote(_Actor).options(num_cpus=self._cpus, num_gpus=self._gpus)
        there = int(ray.cluster_resources().get("GPU", 0) / self._gpus)
        if not there:
            raise BadInput(f"no node of the Ray cluster has the {self._gpus:g} GPUs that a task asks for")
        return _Actors(ray, remote, min(tasks, there))


class _Tasks:
    """Ray tasks, a few more than processors. Ray retries lost ones."""

    def __init__(self, ray: Any, remote: Any, window: int) -> None:
        self._ray, self._remote, self._window = ray, remote, window
        self._flying: dict[Any, tuple[int, Task]] = {}

    def free(self) -> bool:
        return len(self._flying) < self._window

    def begin(self, number: int, task: Task) -> None:
        self._flying[self._remote.remote((task.work, number, task.job))] = (number, task)

    def finished(self) -> "list[tuple[tuple[int, Task], str | None]]":
        ready = self._ray.wait(list(self._flying), num_returns=1)[0]
        return [(self._flying.pop(one), _result(self._ray, one)) for one in ready]

    def close(self) -> None:
        return


class _Actor:
    """Actor: one process that runs task after task and keeps loaded models."""

    def ready(self) -> str:
        return ""

    def attempt(self, task: tuple[Callable[[Any], object], int, Any]) -> str:
        return attempt(task)


class _Actors:
    """A pool of actors. A lost actor is replaced, and its task is retried by a free one."""

    def __init__(self, ray: Any, remote: Any, count: int) -> None:
        self._ray, self._remote = ray, remote
        self._idle: list[Any] = []
        self._flying: dict[Any, tuple[Any, tuple[int, Task] | None]] = {}
        self._lost: Counter[int] = Counter()
        for _ in range(count):
            self._start_actor()

    def _start_actor(self) -> None:
        """Start an actor; it gets work once it is ready, possibly after a GPU node has joined."""
        actor = self._remote.remote()
        self._flying[actor.ready.remote()] = (actor, None)

    def free(self) -> bool:
        return bool(self._idle)

    def begin(self, number: int, task: Task) -> None:
        actor = self._idle.pop()
        self._flying[actor.attempt.remote((task.work, number, task.job))] = (actor, (number, task))

    def finished(self) -> "list[tuple[tuple[int, Task], str | None]]":
        found: list[tuple[tuple[int, Task], str | None]] = []
        for one in self._ray.wait(list(self._flying), num_returns=1)[0]:
            actor, given = self._flying.pop(one)
            problem: str | None
            try:
                problem = str(self._ray.get(one))
                self._idle.append(actor)
            except self._ray.exceptions.RayError as error:
                self._start_actor()
                if given is None:
                    continue
                self._lost[given[0]] += 1
                lost = self._lost[given[0]]
                problem = None if lost <= TRIES else f"lost {lost} times: {str(error).splitlines()[0]}"
            if given is not None:
                found.append((given, problem))
        return found

    def close(self) -> None:
        """Release the GPUs."""
        for actor in {*self._idle, *(actor for actor, _ in self._flying.values())}:
            self._ray.kill(actor)


def _result(ray: Any, reference: Any) -> str:
    try:
        return str(ray.get(reference))
    except ray.exceptions.RayError as error:
        return f"lost {TRIES + 1} times: {str(error).splitlines()[0]}"


def _connected(jobs: int) -> Any:
    try:
        import ray
    except ImportError as error:
        raise MissingExtra("ray", "running on a Ray cluster") from error
    if not ray.is_initialized():
        address = os.environ.get("RAY_ADDRESS")
        if address:
            ray.init(address=address, log_to_driver=False)
        else:
            ray.init(
                num_cpus=jobs, include_dashboard=False, log_to_driver=False, _node_ip_address="127.0.0.1"
            )
    return ray


@RUNNERS.register("ray", "a Ray cluster (RAY_ADDRESS), or one of this machine; num-cpus, num-gpus of a task")
def ray_runner(jobs: int, options: Mapping[str, str]) -> Runner:
    return RayRunner(jobs, options)
