"""One frame into the mind: associate, correct, fuse, look, decide, publish."""

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Matrix
from situ.memory.tables.pending_rows import FrameEntry
from situ.memory.tables.rates import p_first_sighting
from situ.memory.tracker import frame_kernel as kernel
from situ.memory.tracker.association import assign
from situ.memory.tracker.belief import reconsider
from situ.memory.tracker.carrying import in_image, look_at_hands, note_moves, reachable
from situ.memory.tracker.contents import keep_together
from situ.memory.tracker.duplicates import match_doubles, merge_doubles
from situ.memory.tracker.explanations import decide
from situ.memory.tracker.frame_checks import check_frame
from situ.memory.tracker.keyframes import seen_together
from situ.memory.tracker.merge_and_split import cosine
from situ.memory.tracker.observation_table import anchor, to_columns
from situ.memory.tracker.pose_correction import rigid_inverse, turn_between
from situ.memory.tracker.pose_recovery import realign
from situ.memory.tracker.versions import worth_telling
from situ.memory.tracker.working_memory import Mind
from situ.perception.freespace import METRES_OF_CODE
from situ.perception.observation import ObservedFrame

_NO_DEPTH = np.zeros((0, 0), np.uint8)
_NO_LENS = np.zeros(0)
_REMATCH_M = 0.1  # a correction this large calls for a second association
_RECONSIDER_EVERY = 16  # frames
_Matches = tuple[NDArray[np.int32], NDArray[np.int32]]


def observe(mind: Mind, frame: ObservedFrame) -> None:
    """Take in a frame. Raises BadInput, with nothing changed, for a frame that cannot be right."""
    step_m = check_frame(mind, frame)
    observed = to_columns(mind, frame)
    mind.motion.cover(mind.words)
    turned = 0.0 if mind.pose is None else turn_between(mind.pose, frame.T_world_camera)
    mind.drift.walk(step_m, turned)
    mind.window.step(step_m, turned, frame.time - mind.time, frame.time)
    mind.time, mind.pose = frame.time, frame.T_world_camera.copy()  # callers may use theirs again
    mind.known = frame.time if frame.known_at is None else frame.known_at
    number = mind.frames
    mind.frames += 1

    pose = mind.drift.correction @ frame.T_world_camera
    hands, expected = reachable(mind, pose, frame.time)
    chosen, how = _associate(mind, frame, observed, pose, hands, expected)
    if mind.drift.on and realign(mind, observed, chosen, pose, frame.time):
        pose = mind.drift.correction @ frame.T_world_camera
        hands, expected = reachable(mind, pose, frame.time)
        chosen, how = _associate(mind, frame, observed, pose, hands, expected)
    shift = mind.drift.settle(mind.rows, observed, chosen, pose[:3, 3], mind.options.model_sigma_m)
    if shift > 0.0:
        pose = mind.drift.correction @ frame.T_world_camera
        if shift > _REMATCH_M:
            chosen, how = _associate(mind, frame, observed, pose, hands, expected)
        else:
            anchor(observed, pose)
    if mind.holding or how.any():
        note_moves(mind, observed, chosen, how, pose, frame.time)
    best, near = np.zeros(len(observed)), np.empty(len(observed), bool)
    seen_before = mind.rows["last_seen"][chosen]
    missed, flags = _absorb(mind, frame, observed, chosen, how, pose, number, hands, expected, best, near)
    if flags & kernel.ODD:
        for i in np.flatnonzero((chosen >= 0) & (mind.rows["streak"][chosen] == 1)).tolist():
            mind.odd_since[int(mind.rows["id"][chosen[i]])] = float(seen_before[i])
    if flags & kernel.NEW:
        match_doubles(mind, observed, chosen)
        for i in np.flatnonzero(chosen < 0).tolist():
            chosen[i] = mind.first_sighting(observed, i, number, frame.time)
            best[i] = mind.rows[chosen[i]]["key_quality"][0]
    object_ids = mind.rows["id"][chosen]
    for object_id in object_ids[near].tolist():
        mind.within_reach[object_id] = frame.time
    pairs = _remember(mind, frame, observed, chosen, object_ids, number, flags, best)
    if mind.contents:
        keep_together(mind, chosen, frame.time)
    touched = np.concatenate([chosen, missed, hands])
    if flags & ~(kernel.KEYFRAME | kernel.ODD):
        decide(mind, observed, chosen, missed, number, flags)
    if len(pairs):
        merge_doubles(mind, pairs)
    if number % _RECONSIDER_EVERY == 0:
        slots = mind.scratch()
        first = p_first_sighting(mind.rates)
        doubted = slots[: reconsider(mind.rows, mind.rates, first, frame.time, slots)]
        touched = np.concatenate([touched, doubted])
    _publish(mind, touched)
    _write(mind, frame, pose, number, observed, object_ids)


def _associate(
    mind: Mind,
    frame: ObservedFrame,
    observed: NDArray[np.void],
    pose: Matrix,
    hands: NDArray[np.int32],
    expected: NDArray[np.float64],
) -> _Matches:
    count = len(observed)
    chosen, how = np.empty(count, np.int32), np.empty(count, np.int32)
    agents, room = mind.agent_slots(), 64 + 24 * count
    while True:
        pairs, costs = np.empty((room, 3), np.int32), np.empty(room)
        found, contested = kernel.associate(
            mind.rows,
            mind.tracks.heads,
            observed,
            pose,
            hands,
            expected,
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
        if found <= room:
            break
        room = found
    pairs, costs = pairs[:found], costs[:found]
    if mind.embeddings:
        _add_appearance(mind, frame, pairs, costs)
        contested = True
    return assign(pairs, costs, mind.options.gate, count) if contested else (chosen, how)


def _add_appearance(
    mind: Mind, frame: ObservedFrame, pairs: NDArray[np.int32], costs: NDArray[np.float64]
) -> None:
    """Unlike looks make a pair dearer; a cosine of 0.9 is as good as the same."""
    for k, (i, slot, _) in enumerate(pairs.tolist()):
        ours, theirs = frame.observations[i].embedding, mind.embeddings.get(int(mind.rows[slot]["id"]))
        if ours is not None and theirs is not None and ours.shape == theirs.shape:
            costs[k] += 20.0 * max(0.0, 0.9 - cosine(ours, theirs))


def _absorb(
    mind: Mind,
    frame: ObservedFrame,
    observed: NDArray[np.void],
    chosen: NDArray[np.int32],
    how: NDArray[np.int32],
    pose: Matrix,
    number: int,
    hands: NDArray[np.int32],
    expected: NDArray[np.float64],
    best: NDArray[np.float64],
    near: NDArray[np.bool_],
) -> tuple[NDArray[np.int32], int]:
    """Sightings and looks in vain: rows missed, and what the frame calls for. Fills `best` and `near`."""
    lens = _NO_LENS if frame.camera is None else mind.lens(frame.camera)
    camera_from_world = rigid_inverse(pose)
    options, missed = mind.options, mind.scratch()
    count, flags = kernel.absorb(
        mind.rows,
        mind.tracks.heads,
        observed,
        chosen,
        how,
        mind.rates,
        number,
        frame.time,
        mind.limits,
        camera_from_world,
        pose[:3, 3].copy(),
        lens,
        _NO_DEPTH if frame.free is None else frame.free.codes,
        METRES_OF_CODE,
        options.look_range_m,
        options.border_share,
        options.reach_m,
        missed,
        best,
        near,
        mind.words.key_of,
        mind.motion.table,
    )
    if mind.holding and len(lens):
        look_at_hands(mind, hands, in_image(expected, camera_from_world, lens), number)
    if frame.free is not None and frame.camera is not None:
        mind.views.add(frame.time, number, pose, camera_from_world, lens, frame.free.codes)
    return missed[:count].copy(), flags


def _remember(
    mind: Mind,
    frame: ObservedFrame,
    observed: NDArray[np.void],
    chosen: NDArray[np.int32],
    object_ids: NDArray[np.int64],
    number: int,
    flags: int,
    best: NDArray[np.float64],
) -> NDArray[np.int64]:
    """What hangs on this frame's sightings: best frames, looks, and pairs side by side."""
    if flags & (kernel.KEYFRAME | kernel.NEW):
        for object_id, quality in zip(object_ids.tolist(), best.tolist(), strict=True):
            if quality:
                mind.journal.keyframes.append((object_id, number, mind.known, quality))
        if frame.thumbnail is not None:
            mind.journal.thumbnails.append((number, frame.thumbnail))
    count = seen_together(mind.rows, observed, chosen, mind.pair_scratch)
    if count > len(mind.pair_scratch):
        mind.pair_scratch = np.empty((2 * count, 2), np.int64)
        count = seen_together(mind.rows, observed, chosen, mind.pair_scratch)
    pairs = mind.pair_scratch[:count]
    for a, b in pairs.tolist():
        if a != b and mind.note_together(a, b):
            mind.journal.near_pairs.append((a, b))
    for i, seen in enumerate(frame.observations):
        if seen.embedding is not None:
            object_id = int(object_ids[i])
            before = mind.embeddings.get(object_id)
            fresh = seen.embedding.astype(np.float32)
            if before is not None and before.shape == fresh.shape:
                fresh = 0.8 * before + 0.2 * fresh
            mind.embeddings[object_id] = fresh
    return pairs


def _publish(mind: Mind, touched: NDArray[np.int32]) -> None:
    news = np.empty(len(touched), bool)
    if worth_telling(mind.rows, touched, mind.motion.table, mind.rates, news):
        mind.tell_all(touched[news])


def _write(
    mind: Mind,
    frame: ObservedFrame,
    pose: Matrix,
    number: int,
    observed: NDArray[np.void],
    object_ids: NDArray[np.int64],
) -> None:
    place = 0
    if frame.place:
        node = mind.places.visit(mind.words.place(frame.place), pose[:3, 3], frame.time)
        place = node.id
        if node.worth_telling:
            node.told = node.count
            mind.journal.places.append(node.row(mind.known))
    camera, given = mind.camera_number(frame.camera), mind.pose
    assert given is not None
    codes = None if frame.free is None else frame.free.codes
    entry = FrameEntry(
        number,
        frame.time,
        mind.known,
        given,
        mind.drift.correction,
        place,
        camera,
        codes,
        object_ids,
        observed,
    )
    mind.journal.frames.append(entry)
