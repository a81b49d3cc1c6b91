"""Two recordings of one place, corrections from outside, forgetting, and other formats."""

import json
import math
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from benchmarks.house import Stream

from desk import frame
from memory.test_history import SMALL, said
from situ.errors import BadInput, MissingExtra, Refused
from situ.geometry.pose import camera_pose, inverse, rigid, transform
from situ.memory import (
    Forgetting,
    MemoryOptions,
    SpatialMemory,
    correct_poses,
    merge_all,
    merge_memories,
    replay,
    to_json,
    to_networkx,
    write_glb,
    write_parquet,
    write_ply,
)

DESK = {"cup": [(2.0, -0.5, 1.2)], "lamp": [(3.0, 0.2, 1.8)]}


def desk(path: Path | str, seconds: range, **pose: object) -> SpatialMemory:
    memory = SpatialMemory.create(path)
    for second in seconds:
        memory.observe(frame(float(second), DESK, **pose))  # type: ignore[arg-type]
    memory.commit()
    return memory


def test_a_replayed_memory_says_the_same(tmp_path: Path) -> None:
    memory = SpatialMemory.create(tmp_path / "a.situ")
    for oracle in Stream(SMALL, 41).frames():
        memory.observe(oracle.exact())
    again = SpatialMemory.create(":memory:")
    memory.commit()
    for seen in replay(memory):
        again.observe(seen)
    mine, its = memory.state().objects(), again.state().objects()
    assert [(v.id, v.category) for v in its] == [(v.id, v.category) for v in mine]
    assert all(math.dist(v.box.center, w.box.center) < 0.01 for v, w in zip(mine, its, strict=True))


def test_two_recordings_of_one_place_share_their_objects(tmp_path: Path) -> None:
    desk(tmp_path / "a.situ", range(5)).close()
    # The second recording has its own origin: two metres aside and turned by a quarter.
    T_first_second = rigid([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], (1.0, 2.0, 0.0))
    second = SpatialMemory.create(tmp_path / "b.situ")
    for time in range(5):
        seen = frame(float(time), DESK)
        spots = transform(inverse(T_first_second), [o.position for o in seen.observations])
        moved = tuple(
            replace(o, position=tuple(spot))
            for o, spot in zip(seen.observations, spots.tolist(), strict=True)
        )
        pose = inverse(T_first_second) @ seen.T_world_camera
        second.observe(replace(seen, T_world_camera=pose, observations=moved))
    second.commit()
    second.close()
    merged = merge_memories(tmp_path / "a.situ", tmp_path / "b.situ", tmp_path / "c.situ", T_first_second)
    state = merged.state()
    assert sorted(view.category for view in state.objects()) == ["cup", "lamp"]
    assert all(len(state.sightings(view.id)) == 10 for view in state.objects())
    with pytest.raises(BadInput, match="starts before"):
        merge_memories(tmp_path / "a.situ", tmp_path / "b.situ", tmp_path / "d.situ", time_shift=1.0)


def test_many_recordings_merge_at_once_as_they_do_one_by_one(tmp_path: Path) -> None:
    names = [tmp_path / f"{name}.situ" for name in "abcd"]
    for name in names:
        desk(name, range(5)).close()
    SpatialMemory.create(tmp_path / "empty.situ").close()
    done: list[tuple[int, int]] = []
    whole = tmp_path / "whole.situ"
    merge_all([*names, tmp_path / "empty.situ"], whole, progress=lambda *how: done.append(how)).close()
    so_far = names[0]
    for number, name in enumerate(names[1:]):
        merge_memories(so_far, name, tmp_path / f"{number}.situ").close()
        so_far = tmp_path / f"{number}.situ"
    with SpatialMemory.open(whole) as one, SpatialMemory.open(so_far) as other:
        assert one.frames == other.frames == 20
        told = [[(v.category, tuple(v.box.center)) for v in m.state().objects()] for m in (one, other)]
        assert told[0] == told[1]
        ends = [m.state().sightings(m.state().objects()[0].id)[-1].time for m in (one, other)]
        assert ends[0] == ends[1] == 4 + 3 * 64  # each a minute after the one before
    assert done == [(n, 5) for n in range(1, 6)]
    with pytest.raises(BadInput, match="at least two"):
        merge_all([names[0]], tmp_path / "one.situ")
    with pytest.raises(Refused, match="already there"):
        merge_all(names, whole)
    assert not list(tmp_path.glob("*-new-*"))


def test_a_corrected_pose_takes_its_sightings_along() -> None:
    memory = desk(":memory:", range(4))
    before = memory.state()
    shift = rigid(np.eye(3), (0.0, 0.3, 0.0))
    assert correct_poses(memory, {k: shift @ before.path.pose_at(float(k)) for k in range(4)}) == 2
    state = memory.state()
    assert state.path.pose_at(2.0)[1, 3] == pytest.approx(0.3)
    cup = next(view for view in state.objects() if view.category == "cup")
    assert cup.box.center[1] == pytest.approx(-0.2, abs=0.02)
    memory.observe(frame(4.0, DESK))  # the next given pose is off by as much
    cup = next(view for view in memory.state().objects() if view.category == "cup")
    assert cup.box.center[1] == pytest.approx(-0.2, abs=0.02)
    assert len(memory.state().objects()) == 2
    with pytest.raises(BadInput, match="no frame 99"):
        correct_poses(memory, {99: camera_pose((0, 0, 0), 0.0)})


def test_forgetting_bounds_the_file_and_keeps_what_is_known(tmp_path: Path) -> None:
    rule = MemoryOptions(chunk_frames=32, forgetting=Forgetting(60.0, keep_every=20))
    kept, whole = (
        SpatialMemory.create(tmp_path / "a.situ", rule),
        SpatialMemory.create(tmp_path / "b.situ", MemoryOptions(chunk_frames=32)),
    )
    for oracle in Stream(SMALL, 42).frames():
        kept.observe(oracle.exact())
        whole.observe(oracle.exact())
    kept.commit()
    whole.commit()
    count = "SELECT sum(frames), sum(observations) FROM chunk"
    frames, seen = kept.history.connection.execute(count).fetchone()
    all_frames, all_seen = whole.history.connection.execute(count).fetchone()
    assert frames < 0.8 * all_frames
    assert seen < 0.35 * all_seen
    now, full = kept.state(), whole.state()
    assert [(v.id, v.box, v.here) for v in now.objects()] == [(v.id, v.box, v.here) for v in full.objects()]
    for view in now.objects():
        assert now.sightings(view.id)[0] == full.sightings(view.id)[0]
        assert now.sightings(view.id)[-1] == full.sightings(view.id)[-1]
        assert now.keyframes(view.id) == full.keyframes(view.id)
    kept.close()
    assert len(said(SpatialMemory.open(tmp_path / "a.situ").state())) == len(full.objects())


def test_other_formats_hold_every_object(tmp_path: Path) -> None:
    memory = desk(":memory:", range(4), place="kitchen")
    state = memory.state()
    plain = json.loads(json.dumps(to_json(state)))
    assert [(o["category"], o["seen_count"] > 0) for o in plain["objects"]] == [("cup", True), ("lamp", True)]
    assert plain["places"][0]["tag"] == "kitchen"
    write_parquet(state, tmp_path / "m.parquet")
    assert pq.read_table(tmp_path / "m.parquet").column("category").to_pylist() == ["cup", "lamp"]
    write_ply(state, tmp_path / "m.ply")
    assert b"element vertex 2\n" in (tmp_path / "m.ply").read_bytes()
    write_glb(state, tmp_path / "m.glb")
    data = (tmp_path / "m.glb").read_bytes()
    magic, _, total, length, _ = struct.unpack_from("<4sIIII", data)
    assert (magic, total) == (b"glTF", len(data))
    document = json.loads(data[20 : 20 + length])
    assert [node["name"].split()[0] for node in document["nodes"]] == ["cup", "lamp"]
    x, y, z = document["nodes"][0]["translation"]
    assert math.dist((x, -z, y), state.objects()[0].box.center) < 1e-6


def test_the_graph_needs_its_extra_or_holds_every_node() -> None:
    state = desk(":memory:", range(4), place="kitchen").state()
    try:
        import networkx  # noqa: F401
    except ImportError:
        with pytest.raises(MissingExtra, match=r"situ\[graph\]"):
            to_networkx(state)
        return
    graph = to_networkx(state)
    assert {kind for kind, _ in graph.nodes} == {"object", "place"}
    assert graph.number_of_nodes() == 3
