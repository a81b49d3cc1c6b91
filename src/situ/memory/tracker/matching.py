"""Which observation is of which object, and where the wearer is."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Matrix
from situ.memory.options.looks import LOOKING
from situ.memory.options.scales import SCALE
from situ.memory.options.sightings import LEARNING, MATCHING
from situ.memory.tables.offsets import from_offset
from situ.memory.tracker import frame_kernel as kernel
from situ.memory.tracker.association import assign
from situ.memory.tracker.carrying import note_moves, reachable
from situ.memory.tracker.frame_end import FrameFacts
from situ.memory.tracker.frame_end import conclude as publish
from situ.memory.tracker.known import Look
from situ.memory.tracker.merge_and_split import cosine
from situ.memory.tracker.observation_table import anchor
from situ.memory.tracker.places import worth_a_word
from situ.memory.tracker.pose_correction import invert
from situ.memory.tracker.pose_recovery import realign
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
    expected: NDArray[np.float64]  # and where they would be, if they are held
    chosen: NDArray[np.int32]  # for each observation its row, -1 if it has none
    how: NDArray[np.int32]
    notes: NDArray[np.float64]  # of each observation: how good a view it is, and its last sighting before
    near: NDArray[np.bool_]  # within reach
    poses: NDArray[np.float64]
    codes: NDArray[np.uint8]  # how far the view is clear
    missed: NDArray[np.int32]
    flags: int = 0

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
    """Match, correct the pose, fuse what was seen and look for what was not. `seconds` have passed since the
    frame before."""
    drift, window, given, count = mind.drift, mind.window, mind.pose, len(observed)
    assert given is not None
    lens = _NO_LENS if frame.camera is None else mind.lens(frame.camera)
    note_blind(mind, frame)
    codes = _NO_DEPTH if frame.free is None else _as_far_as_told(mind, frame.free.codes, observed)
    match = Matched(
        reachable(mind, frame.time), _NO_POINTS, np.empty(count, np.int32), np.empty(count, np.int32),
        np.empty((count, 2)), np.empty(count, bool), np.empty((2, 4, 4)), codes, mind.scratch(),
    )  # fmt: skip
    match.poses[0] = kernel.predict(
        drift.state, (window.seen, window.since, window.pace), mind.steps, seconds, frame.time,
        drift.correction, given,
    )  # fmt: skip
    _associate(mind, frame, observed, match)
    _align(mind, frame, observed, match)
    if mind.holding or match.how.any():
        note_moves(mind, observed, match.chosen, match.how, match.pose, frame.time)
    invert(match.pose, match.camera_from_world)
    way = float(drift.state["way"][0])
    look = Look(number, frame.time, way, match.poses, lens, codes, METRES_OF_CODE)
    out = match.missed, match.notes, match.near
    missed, match.flags = kernel.absorb(mind.known_tables, look, observed, match.chosen, match.how, out)
    if len(lens) and len(codes):
        mind.views.add(frame.time, number, match.pose, match.camera_from_world, lens, codes)
    match.missed = match.missed[:missed].copy()
    return match


def note_blind(mind: Mind, frame: ObservedFrame) -> None:
    """Without depth, and until the stream has taught how far ranges err, they err as usual."""
    if frame.free is None and mind.rates["errors"][0] == 0.0:
        mind.rates["radial"] = LEARNING.blind_range_share**2


def _as_far_as_told(mind: Mind, codes: NDArray[np.uint8], observed: NDArray[np.void]) -> NDArray[np.uint8]:
    """How far the view is clear; in a frame that may be too full for more, up to the farthest thing in it."""
    count = len(observed)
    if count < max(LOOKING.full_frame, mind.rates["most"][0]):
        return codes
    mind.rates["most"][0] = count
    farthest = np.searchsorted(METRES_OF_CODE, observed["in_camera"][:, 2].max() - SCALE.beside_m)
    told: NDArray[np.uint8] = np.minimum(codes, np.uint8(farthest))
    return told


def conclude(mind: Mind, frame: ObservedFrame, match: Matched, number: int) -> None:
    """Publish what has changed, and note the place where the wearer is."""
    chosen, missed, hands = match.chosen, match.missed, match.hands
    every, log, said = len(chosen) + len(missed) + len(hands), mind.journal.frames, mind.journal.said
    touched = mind.touched(len(mind.rows) + every)
    touched[:every] = np.concatenate((chosen, missed, hands))
    said.make_room(every)
    log.make_room()
    place = place_of(mind, frame, match.pose)
    facts = FrameFacts(number, frame.time, mind.known, place, mind.camera_number(frame.camera))
    at = len(log), len(said)
    news = publish(
        mind.known_tables, touched, every, (log.frames[at[0] : at[0] + 1], said.versions[at[1] :],
        said.notes[at[1] :]), facts, len(chosen), mind.pose, mind.drift.correction,
    )  # fmt: skip
    if news.versions:
        slots = touched[news.first : news.first + news.versions].copy()
        if news.written:
            mind.note_said(slots, bool(news.renamed))
        else:
            mind.tell_all(slots)


def place_of(mind: Mind, frame: ObservedFrame, pose: Matrix) -> int:
    """The number of the place where the wearer is, by the name that was given; 0 without one."""
    if not frame.place:
        return 0
    place = mind.places.visit(mind.words.place(frame.place), pose[:3, 3].copy(), frame.time)
    if worth_a_word(mind.places.table, place):
        mind.journal.places.append(mind.places.tell(place, mind.known))
    return place


def _align(mind: Mind, frame: ObservedFrame, observed: NDArray[np.void], match: Matched) -> None:
    """Correct the pose by what is known, and match again where that shifts much."""
    drift, given = mind.drift, mind.pose
    assert given is not None
    if drift.on and realign(mind, observed, match.chosen, match.pose, frame.time):
        match.poses[0] = drift.correction @ given
        match.hands = reachable(mind, frame.time)
        _associate(mind, frame, observed, match)
    shift = drift.settle(mind.rows, observed, match.chosen, match.pose, mind.rates, MATCHING.model_sigma_m)
    if shift > 0.0:
        match.poses[0] = drift.correction @ given
        if shift > SCALE.shift_m:
            _associate(mind, frame, observed, match)
        else:
            anchor(observed, match.pose, mind.rates)


def _associate(mind: Mind, frame: ObservedFrame, observed: NDArray[np.void], match: Matched) -> None:
    """Which observation is of which object, as the pose is known now. Unlike looks make a pair dearer; a
    cosine of 0.9 is as good as the same."""
    agents, room = mind.agent_slots(), 64 + 24 * len(observed)
    match.expected = from_offset(mind.rows["offset"][match.hands], match.pose)
    while True:
        pairs, costs = mind.candidates(room)
        found = kernel.associate(
            mind.known_tables, mind.drift.state, observed, match.pose, (match.hands, match.expected, agents),
            frame.time, (pairs, costs), (match.chosen, match.how),
        )  # fmt: skip
        if found <= len(costs):
            break
        room = found
    if not mind.embeddings:
        return
    for k, (i, slot, _) in enumerate(pairs[:found].tolist()):
        ours, theirs = frame.observations[i].embedding, mind.embeddings.get(int(mind.rows[slot]["id"]))
        if ours is not None and theirs is not None and ours.shape == theirs.shape:
            costs[k] += 20.0 * max(0.0, 0.9 - cosine(ours, theirs))
    assign(pairs[:found], costs[:found], MATCHING.gate, match.chosen, match.how)
