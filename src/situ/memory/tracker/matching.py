"""Which observation is of which object, and where the wearer is: one compiled call for a usual frame, and the
long way for one in which things compete, the pose jumped, or something moves."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Matrix
from situ.memory.options.looks import LOOKING
from situ.memory.options.sightings import MATCHING
from situ.memory.tables.offsets import from_offset
from situ.memory.tracker import frame_end
from situ.memory.tracker import frame_kernel as kernel
from situ.memory.tracker.association import assign
from situ.memory.tracker.carrying import note_moves, reachable
from situ.memory.tracker.duplicates import slack_of
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


@dataclass(slots=True)
class Matched:
    """A frame as it was matched and fused."""

    hands: NDArray[np.int32]  # rows that may be in the wearer's hands
    expected: NDArray[np.float64]  # and where they would be, if something is held
    chosen: NDArray[np.int32]  # for each observation its row, -1 if it has none
    how: NDArray[np.int32]
    notes: NDArray[np.float64]  # of each observation: how good a view it is, and its last sighting before
    near: NDArray[np.bool_]  # within reach
    poses: NDArray[np.float64]
    missed: NDArray[np.int32]
    flags: int = 0
    codes: NDArray[np.uint8] = field(default_factory=lambda: _NO_DEPTH)
    finished: list[int] | None = None  # what `finish` found out, once a frame came so far

    @property
    def pose(self) -> Matrix:
        pose: Matrix = self.poses[0]
        return pose

    @property
    def camera_from_world(self) -> Matrix:
        inverse: Matrix = self.poses[1]
        return inverse


def take_in(
    mind: Mind, frame: ObservedFrame, observed: NDArray[np.void], number: int, seconds: float
) -> Matched:
    """Match, correct the pose, fuse what was seen and look for what was not; as far as nothing has to be
    decided, to the end. `seconds` have passed since the frame before."""
    drift, count, log, window = mind.drift, len(observed), mind.journal.frames, mind.window
    rows, said, given, time = mind.rows, mind.journal.said, mind.pose, float(frame.time)
    assert given is not None
    hands, holding = reachable(mind, frame.time), bool(mind.holding)
    lens = _NO_LENS if frame.camera is None else mind.lens(frame.camera)
    codes = _NO_DEPTH if frame.free is None else _as_far_as_told(mind, frame.free.codes, observed)
    chosen, how, notes, near, poses, out, jumped = tables = mind.tables(count)
    expected = _in_hands(mind, hands, drift.correction @ given) if holding else _NO_POINTS
    match = Matched(hands, expected, chosen, how, notes, near, poses, mind.scratch(), codes=codes)
    walked = (drift.state, drift.correction, window.seen, window.since, window.pace, mind.steps)
    eyes, room, agents = (lens, codes, METRES_OF_CODE), 64 + 24 * count, mind.agent_slots()
    numbers = _numbers(mind, frame, number, seconds)
    touched = mind.touched(2 * len(rows) + count + len(hands))
    mind.noted.make_room(len(mind.pair_scratch))
    said.make_room(count)
    log.make_room()
    while True:
        pairs, costs = mind.candidates(room)
        kernel.take_in(
            mind.known_tables,
            walked,
            eyes,
            mind.views.tables,
            (pairs, costs, match.missed, touched, mind.pair_scratch, mind.noted.keys),
            tables,
            (log.frames, log.ids, mind.places.table, said.versions, said.notes),
            observed,
            given,
            hands,
            agents,
            numbers,
        )
        found, stage, missed, match.flags, viewed, *finished = out.tolist()
        if stage != kernel.NO_ROOM:
            break
        room = found
    if stage == kernel.FINISHED:
        match.finished = finished
        return match
    if stage < kernel.ABSORBED:
        if stage == kernel.CONTESTED:
            _assign(mind, frame, pairs[:found], costs[:found], match)
        _align(mind, frame, observed, match, stage, jumped)
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
            time,
            mind.limits,
            match.camera_from_world,
            match.pose[:3, 3].copy(),
            *eyes,
            match.missed,
            match.notes,
            match.near,
            mind.words.key_of,
            mind.motion.table,
            float(drift.state["way"][0]),
        )
        viewed = not (len(lens) and len(codes))
    if not viewed:
        mind.views.add(time, number, match.pose, match.camera_from_world, lens, codes)
    match.missed = match.missed[:missed].copy()
    return match


def _as_far_as_told(mind: Mind, codes: NDArray[np.uint8], observed: NDArray[np.void]) -> NDArray[np.uint8]:
    """How far the view is clear; in a frame that may be too full for more, up to the farthest thing in it."""
    count = len(observed)
    if count < max(LOOKING.full_frame, mind.rates["most"][0]):
        return codes
    mind.rates["most"][0] = count
    farthest = np.searchsorted(METRES_OF_CODE, observed["in_camera"][:, 2].max() - LOOKING.full_slack_m)
    told: NDArray[np.uint8] = np.minimum(codes, np.uint8(farthest))
    return told


def _numbers(mind: Mind, frame: ObservedFrame, number: int, seconds: float) -> tuple[float, ...]:
    """What is known of a frame before it is looked at; see `frame_end`."""
    drift, log = mind.drift, mind.journal.frames
    tag, camera = mind.words.place(frame.place) if frame.place else 0, mind.camera_number(frame.camera)
    return (
        float(frame.time), float(number), float(mind.known), float(seconds), float(drift.on),
        float(bool(mind.embeddings)), float(bool(mind.holding)), float(bool(mind.contents)), float(tag),
        float(camera), slack_of(mind), float(len(log)), float(log.seen), float(len(mind.journal.said)),
    )  # fmt: skip


def conclude(mind: Mind, frame: ObservedFrame, match: Matched, number: int) -> None:
    """Finish a frame in which something had to be decided."""
    chosen, missed, hands = match.chosen, match.missed, match.hands
    few, drift, log, said = len(chosen) + len(missed), mind.drift, mind.journal.frames, mind.journal.said
    every, out, given = few + len(hands), mind.tables(len(chosen))[5], mind.pose
    assert given is not None
    touched = mind.touched(len(mind.rows) + every)
    touched[: len(chosen)], touched[len(chosen) : few], touched[few:every] = chosen, missed, hands
    said.make_room(every)
    log.make_room()
    out[frame_end.PAIRS] = 0
    frame_end.conclude(
        mind.known_tables, drift.state, drift.correction, touched, every,
        (log.frames, log.ids, mind.places.table, said.versions, said.notes), given, match.pose, len(chosen),
        _numbers(mind, frame, number, 0.0), out,
    )  # fmt: skip
    match.finished = out[frame_end.NEAR :].tolist()


def _align(
    mind: Mind,
    frame: ObservedFrame,
    observed: NDArray[np.void],
    match: Matched,
    stage: int,
    jumped: NDArray[np.float64],
) -> None:
    """Go on with the correction of the pose where the common path left off."""
    drift, given = mind.drift, mind.pose
    assert given is not None
    if stage == kernel.MOVING:
        return
    if stage == kernel.SHIFTED:
        _associate(mind, frame, observed, match)
        return
    if stage == kernel.JUMPED:
        follow_jump(mind, jumped, match.pose)
    if stage == kernel.JUMPED or (drift.on and realign(mind, observed, match.chosen, match.pose, frame.time)):
        match.poses[0] = drift.correction @ given
        match.hands = reachable(mind, frame.time)
        match.expected = _in_hands(mind, match.hands, match.pose)
        _associate(mind, frame, observed, match)
    shift = drift.settle(
        mind.rows, observed, match.chosen, match.pose, mind.rates, mind.options.model_sigma_m
    )
    if shift > 0.0:
        match.poses[0] = drift.correction @ given
        if shift > MATCHING.rematch_m:
            _associate(mind, frame, observed, match)
        else:
            anchor(observed, match.pose)


def _in_hands(mind: Mind, hands: NDArray[np.int32], pose: Matrix) -> NDArray[np.float64]:
    points: NDArray[np.float64] = from_offset(mind.rows["offset"][hands], pose)
    return points


def _associate(mind: Mind, frame: ObservedFrame, observed: NDArray[np.void], match: Matched) -> None:
    """Once more, as the pose is known now."""
    agents, room = mind.agent_slots(), 64 + 24 * len(observed)
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
            mind.drift.state,
            mind.limits,
            mind.rates,
            frame.time,
            pairs,
            costs,
            match.chosen,
            match.how,
        )
        if found <= len(costs):
            break
        room = found
    if contested or mind.embeddings:
        _assign(mind, frame, pairs[:found], costs[:found], match)


def _assign(
    mind: Mind, frame: ObservedFrame, pairs: NDArray[np.int32], costs: NDArray[np.float64], match: Matched
) -> None:
    """The cheapest assignment. Unlike looks make a pair dearer; a cosine of 0.9 is as good as the same."""
    if mind.embeddings:
        for k, (i, slot, _) in enumerate(pairs.tolist()):
            ours, theirs = frame.observations[i].embedding, mind.embeddings.get(int(mind.rows[slot]["id"]))
            if ours is not None and theirs is not None and ours.shape == theirs.shape:
                costs[k] += 20.0 * max(0.0, 0.9 - cosine(ours, theirs))
    assign(pairs, costs, mind.options.gate, match.chosen, match.how)
