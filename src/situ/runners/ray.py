"""Tasks on a Ray cluster. Ray starts a task again when its node is lost, perhaps twice: commits make it safe.

The cluster is the one that RAY_ADDRESS names, or one of this machine's own, which listens on loopback alone.
"""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from situ.errors import BadInput, MissingExtra
from situ.runners.task import RUNNERS, Outcome, Progress, Runner, Task, attempt

TRIES = 4  # after a lost worker or node
AHEAD = 4  # tasks that wait, for each processor of the cluster
NUMBERS = {"num-cpus": 1.0, "num-gpus": 0.0}  # what a task asks for


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
        remote = ray.remote(attempt).options(
            num_cpus=self._cpus, num_gpus=self._gpus, max_retries=TRIES, scheduling_strategy="SPREAD"
        )
        window = max(1, int(AHEAD * ray.cluster_resources().get("CPU", 1)))
        failed: dict[str, str] = {}
        flying: dict[Any, Task] = {}
        left, done = list(enumerate(tasks))[::-1], 0
        while left or flying:
            while left and len(flying) < window:
                number, task = left.pop()
                flying[remote.remote((task.work, number, task.job))] = task
            for ready in ray.wait(list(flying), num_returns=1)[0]:
                task = flying.pop(ready)
                problem = _result(ray, ready)
                if problem:
                    failed[task.name] = problem
                done += 1
                progress(done, len(tasks))
        return Outcome(failed)


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
