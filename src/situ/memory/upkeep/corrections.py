"""Corrections from outside: poses after a loop closure, and identities that a person or a model settles."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.pose import Matrix, inverse, rigid, transform
from situ.memory.file.packing import PoseBlock
from situ.memory.memory import SpatialMemory
from situ.memory.tables.tracks import add_vote
from situ.memory.tables.vocabulary import check_text
from situ.memory.tracker.identity import merge, split_last_stay


def correct_poses(memory: SpatialMemory, poses: Mapping[int, Matrix], going_on: bool = True) -> int:
    """Re-anchor what was seen in some frames to better poses (`T_world_camera` by frame number).

    `going_on`: the poses of frames to come are off by what the last one was; False if they are right.

    Places of objects shift by what their own sightings shift, in proportion to how many of them were
    corrected. What was said before stays on record as what was known then. Returns how many objects moved.
    """
    memory.flush()
    working, history = memory.working, memory.history
    wrong = [frame for frame in poses if not 0 <= frame < working.frames]
    if wrong:
        raise BadInput(f"there is no frame {wrong[0]} to correct; the memory holds 0 to {working.frames - 1}")
    shifts: dict[int, NDArray[np.float64]] = {}
    blocks: dict[int, tuple[PoseBlock, list[int]]] = {}
    for frame in sorted(poses):
        if len(history.frames):
            block = history.frames.block(history.frames.run_of(frame))
            blocks.setdefault(block.first_frame, (block, []))[1].append(frame)
    for block, frames in blocks.values():
        _add_shifts(memory, block, {frame: poses[frame] for frame in frames}, shifts)
    with memory.store.transaction(durable=False) as connection:
        connection.executemany(
            "INSERT OR REPLACE INTO pose_revision VALUES(?, ?, ?)",
            [
                (working.known, frame, np.ascontiguousarray(pose, dtype=float).tobytes())
                for frame, pose in poses.items()
            ],
        )
    moved = _move_objects(memory, shifts)
    last = working.frames - 1
    if going_on and last in poses and working.pose is not None:
        # From here on the given poses are taken to be off by what the last one was.
        delta = poses[last] @ inverse(working.drift.correction @ working.pose)
        yaw = np.arctan2(delta[1, 0] - delta[0, 1], delta[0, 0] + delta[1, 1])
        c, s = np.cos(yaw), np.sin(yaw)
        at = (working.drift.correction @ working.pose)[:3, 3]
        turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        working.drift.correction = rigid(turn, poses[last][:3, 3] - turn @ at) @ working.drift.correction
    elif last in poses:
        working.pose = poses[last]
    memory.commit()
    return moved


def _add_shifts(
    memory: SpatialMemory,
    block: PoseBlock,
    poses: Mapping[int, Matrix],
    shifts: dict[int, NDArray[np.float64]],
) -> None:
    """Sum over an object's corrected sightings: their shift in metres, and their number."""
    seen = memory.history.observations(block.first_frame)
    frames = seen["frame"].astype(np.int64) + block.first_frame
    for frame, pose in poses.items():
        k = int(np.searchsorted(block.frames, frame))
        revised = memory.history.revised_poses(frame, memory.working.known)
        old = revised.get(int(block.frames[k]), block.correction(k) @ block.given_pose(k))
        lines = seen[frames == frame]
        local = lines["in_camera"].astype(float)
        moved = transform(pose, local) - transform(old, local)
        for number, shift in zip(lines["object_id"].tolist(), moved, strict=True):
            shifts.setdefault(number, np.zeros(4))
            shifts[number] += [*shift, 1.0]


def _move_objects(memory: SpatialMemory, shifts: Mapping[int, NDArray[np.float64]]) -> int:
    working, moved = memory.working, 0
    for number, (x, y, z, count) in shifts.items():
        owner = memory.history.owner(number, working.known)
        slot = working.tracks.slot_of.get(owner)
        if slot is None or working.rows[slot]["held"]:
            continue
        row = working.rows[slot]
        share = min(1.0, count / max(1, int(row["hits"])))
        row["position"] += np.array([x, y, z]) / count * share
        working.tracks.move(slot)
        working.publish(slot)
        moved += 1
    return moved


def join_objects(memory: SpatialMemory, elder: int, younger: int) -> None:
    """Two objects are one: the younger's sightings and place go to the elder."""
    first, second = _slot(memory, elder), _slot(memory, younger)
    if first == second:
        raise BadInput(f"object {elder} cannot be joined with itself")
    if not memory.working.rows[first]["published"]:
        memory.working.publish(first)
    merge(memory.working, second, first, True)
    memory.commit()


def part_object(memory: SpatialMemory, object_id: int) -> int:
    """One object was two: what was seen since its last move becomes a new object, whose number is returned.

    The object itself goes back to where it was before that move.
    """
    slot = _slot(memory, object_id)
    row = memory.working.rows[slot]
    if row["stay"] == 0:
        raise BadInput(f"object {object_id} has never moved, so there is nothing to part")
    other = split_last_stay(memory.working, slot, row["previous"].copy())
    memory.working.rows[other]["settled"] = 1
    memory.working.publish(slot)
    memory.working.publish(other)
    memory.commit()
    return int(memory.working.rows[other]["id"])


def name_object(memory: SpatialMemory, object_id: int, label: str) -> None:
    """Somebody says what a thing is: from now on that is its name, whatever detectors called it."""
    check_text("a name", label)
    slot = _slot(memory, object_id)
    row = memory.working.rows[slot]
    weight = 10.0 + 2.0 * float(row["label_weights"].sum())
    add_vote(row["labels"], row["label_weights"], memory.working.words.label(label), weight)
    memory.working.motion.cover(memory.working.words)
    memory.working.publish(slot)
    memory.commit()


def _slot(memory: SpatialMemory, object_id: int) -> int:
    slot = memory.working.tracks.slot_of.get(object_id)
    if slot is None:
        raise BadInput(f"the memory holds no object {object_id} now; `objects` lists those it holds")
    return slot
