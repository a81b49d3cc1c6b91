"""Which observation is of which object, and where the wearer is: one compiled call for a usual frame, and the
long way for one in which things compete, the pose jumped, or something moves."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Matrix
from situ.memory.options.poses import DRIFT
from situ.memory.options.sightings import MATCHING
from situ.memory.tables.offsets import from_offset
from situ.memory.tracker import frame_kernel as kernel
from situ.memory.tracker.association import assign
from situ.memory.tracker.carrying import note_moves, reachable
from situ.memory.tracker.merge_and_split import cosine
from situ.memory.tracker.observation_table import anchor
from situ.memory.tracker.pose_correction import invert
from situ.memory.tracker.pose_recovery import follow_jump, realign
from situ.memory.tracker.working_memory import Mind
from situ.perception.freespace import METRES_OF_CODE
from situ.perception.observation import ObservedFrame

_NO_DEPTH = np.zeros((0, 0), np.uint8)
_NO_LENS = np.zeros(0)
_NO_POINTS = np.zeros((0, 3))
_Matches = tuple[NDArray[np.int32], NDArray[np.int32]]


@dataclass(slots=True)
class Matched:
    """A frame as it was matched and fused."""

    hands: NDArray[np.int32]  # rows that may be in the wearer's hands
    chosen: NDArray[np.int32]  # for each observation its row, -1 if it has none
    how: NDArray[np.int32]
    notes: NDArray[np.float64]  # of each observation: how good a view it is, and its last sighting before
    near: NDArray[np.bool_]  # within reach
    poses: NDArray[np.float64]
    missed: NDArray[np.int32]
    expected: NDArray[np.float64]  # where what may be in the hands would be, if something is held
    flags: int = 0

    @property
    def pose(self) -> Matrix:
        pose: Matrix = self.poses[0]
        return pose

    @property
    def camera_from_world(self) -> Matrix:
        inverse: Matrix = self.poses[1]
        return inverse


def take_in(mind: Mind, frame: ObservedFrame, observed: NDArray[np.void], number: int) -> Matched:
    """Match, correct the pose, fuse what was seen and look for what was not."""
    drift, count, given = mind.drift, len(observed), frame.T_world_camera
    hands = reachable(mind, frame.time)
    match = Matched(
        hands,
        np.empty(count, np.int32),
        np.empty(count, np.int32),
        np.empty((count, 2)),
        np.empty(count, bool),
        np.empty((3, 4, 4)),
        mind.scratch(),
        _in_hands(mind, hands, drift.correction @ given) if mind.holding else _NO_POINTS,
    )
    lens = _NO_LENS if frame.camera is None else mind.lens(frame.camera)
    codes = _NO_DEPTH if frame.free is None else frame.free.codes
    step, room = np.empty(7), 64 + 24 * count
    numbers = (frame.time, number, not mind.embeddings, bool(mind.holding), drift.on, drift.sigma_m,
               max(drift.sigma_rad, DRIFT.least_rad))  # fmt: skip
    while True:
        pairs, costs = mind.candidates(room)
        found, stage, missed, match.flags = kernel.take_in(
            mind.rows,
            mind.tracks.heads,
            observed,
            given,
            drift.correction,
            hands,
            mind.agent_slots(),
            mind.words.key_of,
            mind.motion.table,
            mind.rates,
            mind.limits,
            np.array(numbers, float),
            mind.window.seen,
            mind.window.since,
            lens,
            codes,
            METRES_OF_CODE,
            pairs,
            costs,
            match.chosen,
            match.how,
            match.missed,
            match.notes,
            match.near,
            match.poses,
            step,
        )
        if found <= len(costs):
            break
        room = found
    if stage >= kernel.SHIFTED and drift.on and drift.sigma_m > 0.0:
        drift.adopt(match.poses[2] if step[4] > 0.0 else drift.correction, step.tolist())
    if stage == kernel.ABSORBED:
        match.missed = match.missed[:missed].copy()
        return match
    if stage == kernel.CONTESTED:
        match.chosen, match.how = _assigned(mind, frame, pairs[:found], costs[:found], count)
    _align(mind, frame, observed, match, stage)
    if mind.holding or match.how.any():
        note_moves(mind, observed, match.chosen, match.how, match.pose, frame.time)
    invert(match.pose, match.camera_from_world)
    missed, match.flags = kernel.absorb(
        mind.rows,
        mind.tracks.heads,
        observed,
        match.chosen,
        match.how,
        mind.rates,
        number,
        frame.time,
        mind.limits,
        match.camera_from_world,
        match.pose[:3, 3].copy(),
        lens,
        codes,
        METRES_OF_CODE,
        match.missed,
        match.notes,
        match.near,
        mind.words.key_of,
        mind.motion.table,
    )
    match.missed = match.missed[:missed].copy()
    return match


def _align(mind: Mind, frame: ObservedFrame, observed: NDArray[np.void], match: Matched, stage: int) -> None:
    """Go on with the correction of the pose where the common path left off."""
    drift, given = mind.drift, frame.T_world_camera
    if stage == kernel.MOVING:
        return
    if stage == kernel.SHIFTED:
        match.chosen, match.how = _associate(mind, frame, observed, match)
        return
    if stage == kernel.STRAY:
        jumped = follow_jump(mind, match.pose, frame.time)
    else:
        jumped = drift.on and realign(mind, observed, match.chosen, match.pose, frame.time)
    if jumped:
        match.poses[0] = drift.correction @ given
        match.hands = reachable(mind, frame.time)
        match.expected = _in_hands(mind, match.hands, match.pose)
        match.chosen, match.how = _associate(mind, frame, observed, match)
    bias = mind.options.model_sigma_m
    shift = drift.settle(mind.rows, observed, match.chosen, match.pose[:3, 3].copy(), bias)
    if shift > 0.0:
        match.poses[0] = drift.correction @ given
        if shift > MATCHING.rematch_m:
            match.chosen, match.how = _associate(mind, frame, observed, match)
        else:
            anchor(observed, match.pose)


def _in_hands(mind: Mind, hands: NDArray[np.int32], pose: Matrix) -> NDArray[np.float64]:
    points: NDArray[np.float64] = from_offset(mind.rows["offset"][hands], pose)
    return points


def _associate(mind: Mind, frame: ObservedFrame, observed: NDArray[np.void], match: Matched) -> _Matches:
    """Once more, as the pose is known now."""
    count = len(observed)
    chosen, how = np.empty(count, np.int32), np.empty(count, np.int32)
    agents, room = mind.agent_slots(), 64 + 24 * count
    while True:
        pairs, costs = mind.candidates(room)
        found, contested = kernel.associate(
            mind.rows,
            mind.tracks.heads,
            observed,
            match.pose,
            match.hands,
            _in_hands(mind, match.hands, match.pose),
            agents,
            mind.words.key_of,
            mind.drift.sigma_m**2,
            mind.limits,
            mind.rates,
            frame.time,
            pairs,
            costs,
            chosen,
            how,
        )
        if found <= len(costs):
            break
        room = found
    if contested or mind.embeddings:
        return _assigned(mind, frame, pairs[:found], costs[:found], count)
    return chosen, how


def _assigned(
    mind: Mind, frame: ObservedFrame, pairs: NDArray[np.int32], costs: NDArray[np.float64], count: int
) -> _Matches:
    """The cheapest assignment. Unlike looks make a pair dearer; a cosine of 0.9 is as good as the same."""
    if mind.embeddings:
        for k, (i, slot, _) in enumerate(pairs.tolist()):
            ours, theirs = frame.observations[i].embedding, mind.embeddings.get(int(mind.rows[slot]["id"]))
            if ours is not None and theirs is not None and ours.shape == theirs.shape:
                costs[k] += 20.0 * max(0.0, 0.9 - cosine(ours, theirs))
    return assign(pairs, costs, mind.options.gate, count)
