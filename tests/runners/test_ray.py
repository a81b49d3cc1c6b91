"""Ray for real, where it is installed: a node is killed in the middle, and the set is the same."""

from pathlib import Path

import pytest
from benchmarks.scale import SmallestRecipe

from situ.benchmarks.making_shards import make_shards
from situ.errors import BadInput, MissingExtra
from situ.runners.local import LocalRunner
from situ.runners.ray import RayRunner
from situ.tasks import Task, runner_of

RECIPE = SmallestRecipe(0.12, 3)


def test_options_that_cannot_be_are_refused() -> None:
    for bad in ("num-cpus=many", "cpus=1"):
        with pytest.raises(BadInput):
            runner_of("ray", 1, [bad])


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"situ\[ray\]"):
        RayRunner(1, {}).run([], lambda done, total: None)


def test_a_killed_node_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    import ray
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    second = cluster.add_node(num_cpus=1)
    monkeypatch.setenv("RAY_ADDRESS", cluster.address)
    try:
        killed: list[int] = []

        def progress(stage: str, done: int, total: int) -> None:
            if stage == "shards made" and done == 3 and not killed:
                killed.append(done)
                cluster.remove_node(second, allow_graceful=False)

        _, theirs = make_shards(RECIPE, tmp_path / "theirs", 12, RayRunner(2, {}), (), progress)
    finally:
        ray.shutdown()
        cluster.shutdown()
    _, ours = make_shards(RECIPE, tmp_path / "ours", 12, LocalRunner(1))
    assert killed
    assert theirs is not None
    assert ours is not None
    assert theirs.dataset.manifest == ours.dataset.manifest


def note_who(job: tuple[Path, int, float]) -> None:
    """What is loaded in a process stays there while it does task after task."""
    import os
    import sys
    import time
    from types import ModuleType

    folder, number, takes = job
    loaded = sys.modules.setdefault("loaded_models", ModuleType("loaded_models"))
    times = loaded.__dict__["times"] = getattr(loaded, "times", 0) + 1
    time.sleep(takes)
    (folder / f"{number}.{os.getpid()}.{times}").touch()


def test_work_on_gpus_is_done_by_processes_that_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    import ray
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    cluster = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 2, "num_gpus": 1, "include_dashboard": False}
    )
    second = cluster.add_node(num_cpus=1, num_gpus=1)
    monkeypatch.setenv("RAY_ADDRESS", cluster.address)
    tasks = [Task(f"t{n}", note_who, (tmp_path, n, 0.5), ()) for n in range(12)]
    try:
        killed: list[int] = []

        def progress(done: int, total: int) -> None:
            if done == 4 and not killed:
                killed.append(done)
                cluster.remove_node(second, allow_graceful=False)

        outcome = RayRunner(1, {"num-gpus": "1"}).run(tasks, progress)
        with pytest.raises(BadInput, match="no node of the Ray cluster has the 9 GPUs"):
            RayRunner(1, {"num-gpus": "9"}).run(tasks, progress)
    finally:
        ray.shutdown()
        cluster.shutdown()
    assert (outcome.failed, killed) == ({}, [4])
    made = [path.name.split(".") for path in tmp_path.iterdir()]
    assert {int(number) for number, _, _ in made} == set(range(12))
    assert len({who for _, who, _ in made}) <= 3  # two actors, and perhaps one that replaced the lost one
    assert max(int(times) for _, _, times in made) > 4
