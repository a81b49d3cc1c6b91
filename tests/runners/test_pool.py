import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from situ.errors import WorkerDied
from situ.pool import spread, workers
from situ.runners.local import LocalRunner
from situ.tasks import Task


def square(job: tuple[Path, int]) -> int:
    return job[1] ** 2


def fragile(job: tuple[Path, int]) -> int:
    """Job 3 kills its process the first time, job 5 each time."""
    folder, number = job
    if number == 5 or (number == 3 and not (folder / "tried").exists()):
        (folder / "tried").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def failing(number: int) -> None:
    if number == 2:
        raise ValueError("two")


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_job_is_done_once_and_in_order_where_asked(tmp_path: Path, jobs: int) -> None:
    wanted = [(tmp_path, number) for number in range(30)]
    with workers(jobs) as pool:
        assert list(spread(pool, square, wanted, in_order=True)) == [(n, n * n) for n in range(30)]
        assert sorted(spread(pool, square, wanted)) == [(n, n * n) for n in range(30)]


def test_a_killed_process_costs_its_jobs_a_second_try_and_what_always_kills_is_named(tmp_path: Path) -> None:
    found: list[tuple[int, int]] = []
    wanted = [(tmp_path, number) for number in range(12)]
    with workers(2) as pool, pytest.raises(WorkerDied, match="worked on 5 was killed three times") as error:
        found.extend(spread(pool, fragile, wanted))
    assert error.value.names == ["5"]
    assert sorted(found) == [(n, n) for n in (0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11)]


def test_workers_end_with_a_driver_that_is_killed() -> None:
    script = (
        "import os, time; from situ.pool import Pool; pool = Pool(1);"
        "pool.submit(abs, -1).result(); print(pool._executor.submit(os.getpid).result(), flush=True);"
        "time.sleep(60)"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    driver = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert driver.stdout is not None
    worker = int(driver.stdout.readline())
    driver.kill()
    driver.wait()
    deadline = time.monotonic() + 60
    while Path(f"/proc/{worker}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{worker}").exists()


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_task_that_fails_is_named_and_the_others_are_done(jobs: int) -> None:
    tasks = [Task(f"t{number}", failing, number, ()) for number in range(4)]
    seen: list[int] = []
    outcome = LocalRunner(jobs).run(tasks, lambda done, total: seen.append(done))
    assert outcome.failed == {"t2": "ValueError: two"}
    assert seen == [1, 2, 3, 4]
