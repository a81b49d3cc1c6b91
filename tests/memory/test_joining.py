"""Another day in the same place: one memory of both, with the doubt of how they lie to each other."""

from pathlib import Path

import numpy as np

from desk import frame
from perception.odometry.cloud import Cloud, map_along, walk
from situ.geometry.path_uncertainty import PathUncertainty
from situ.geometry.pose import inverse, rigid, transform
from situ.memory import SpatialMemory
from situ.memory.file.visual_map import read_map
from situ.memory.sink import MemorySink
from situ.memory.upkeep.joining import join, known_again
from situ.memory.upkeep.provenance import Recorded, recordings, take_up
from situ.perception.observation import Observation

THINGS = {"lamp": (1.0, 2.0, 1.2), "vase": (-2.0, 1.0, 1.0), "chair": (2.5, -1.0, 0.5)}
TRUE = rigid([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], (3.0, -2.0, 0.0))  # T_first_second


def day(path: Path, seed: int, move: np.ndarray | None, cloud: Cloud) -> SpatialMemory:
    """A walk past some things, its world turned and shifted, with what it saw."""
    rng = np.random.default_rng(seed)
    poses = walk(rng)
    back = np.eye(4) if move is None else inverse(move)
    memory = SpatialMemory.create(path)
    take_up(memory, Recorded(path.stem, f"print of {path.stem}", "pixels"), 0.0)
    sink = MemorySink(memory)
    for k, pose in enumerate(poses):
        seen = [
            Observation(name, tuple(transform(back, spot).tolist()), size=(0.2, 0.2, 0.2))
            for name, spot in THINGS.items()
            if (transform(inverse(pose), spot) > [-9, -9, 0.5]).all()
        ]
        told = back @ pose
        shot = frame(float(k), [])
        sink.observe(type(shot)(float(k), told, tuple(seen), thumbnail=b"\xff\xd8\xff picture"))
    sink.remember(map_along(cloud, poses, rng, move))
    ground = np.array([(back @ pose)[:2, 3] for pose in poses])
    drift = np.tile([0.002, 0.005, 0.0], (len(poses), 1))
    drift[0] = 0.0
    sink.keep(
        {"scale_from": "depth", "names": "yes"},
        PathUncertainty.of(list(map(float, range(12))), ground, drift),
    )
    return memory


def test_tomorrow_joins_today(tmp_path: Path) -> None:
    cloud = Cloud(21)
    memory = day(tmp_path / "today.situ", 22, None, cloud)
    other = day(tmp_path / "tomorrow.situ", 23, TRUE, cloud)
    alone = {view.category for view in memory.state().objects()}
    new = {view.category for view in other.state().objects()}
    again = known_again(memory, other)
    assert again is not None
    taken = join(memory, other, again, recordings(other)[0])
    assert [part.name for part in recordings(memory)] == ["today", "tomorrow"]
    assert memory.frames == 24
    assert taken.first_frame == 12
    found = memory.state().objects()
    assert {view.category for view in found} == alone | new
    assert len(found) == len(alone | new)
    for view in found:
        assert np.linalg.norm(np.array(view.box.center) - THINGS[view.category]) < 0.1
    # The doubt of the alignment goes into what is asked across both days, and only from when it was known.
    doubt = memory.history.path_doubt()
    assert doubt is not None
    assert len(doubt.ties)
    spread = [
        doubt.until(memory.now, known).samples(64).turned(memory.now, np.array([0.0])).std()
        for known in (memory.now, memory.now - 0.5)
    ]
    assert 0 < spread[0] < np.radians(3) < np.radians(20) < spread[1]
    # What was interrupted, or asked for twice, changes nothing.
    before = (doubt.to_text(), read_map(memory.store).to_bytes())
    join(memory, other, again, recordings(other)[0])
    assert memory.frames == 24
    assert (memory.history.path_doubt().to_text(), read_map(memory.store).to_bytes()) == before  # type: ignore[union-attr]
    # Forgetting a span deletes what places looked like then.
    first_of_new = taken.time_shift
    memory.forget(start=first_of_new)
    assert (read_map(memory.store).times < first_of_new).all()
    assert len(read_map(memory.store))
    memory.forget(kind=sorted(alone)[0])
    assert len(read_map(memory.store)) < 12
    other.close()
    memory.close()


def test_another_place_is_kept_apart(tmp_path: Path) -> None:
    memory = day(tmp_path / "today.situ", 24, None, Cloud(25))
    other = day(tmp_path / "elsewhere.situ", 26, TRUE, Cloud(27))
    assert known_again(memory, other) is None
    other.close()
    memory.close()
