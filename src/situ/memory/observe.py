"""One frame into the mind: associate, correct, fuse, look, decide, publish."""

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, inverse
from situ.memory.association import assign, gate
from situ.memory.belief import fuse, look
from situ.memory.carrying import in_image, look_at_hands, note_moves, note_reach, reachable
from situ.memory.checks import check_frame
from situ.memory.columns import anchor, to_columns
from situ.memory.identity import cosine
from situ.memory.journal import FrameEntry
from situ.memory.keyframes import best_frames, seen_together
from situ.memory.mind import Mind
from situ.memory.publish import worth_telling
from situ.memory.rates import count_first_sighting, p_confusion
from situ.memory.relocation import note_gone, settle
from situ.perception.freespace import METRES_OF_CODE
from situ.perception.observation import ObservedFrame

_NO_DEPTH = np.zeros((0, 0), np.uint8)
_DOUBTED = 0.9  # a thing this likely to be a false detection is dropped
_REPLACED = 3  # sightings in a row under another name before a thing counts as replaced
_REMATCH_M = 0.1  # a correction this large calls for a second association


def observe(mind: Mind, frame: ObservedFrame) -> None:
    """Take in a frame. Raises BadInput, with nothing changed, for a frame that cannot be right."""
    check_frame(mind, frame)
    observed = to_columns(mind, frame)
    if mind.pose is not None:
        mind.drift.walk(float(np.linalg.norm(frame.T_world_camera[:3, 3] - mind.pose[:3, 3])))
    mind.time, mind.pose = frame.time, frame.T_world_camera
    mind.known = frame.time if frame.known_at is None else frame.known_at
    number = mind.frames
    mind.frames += 1

    pose = mind.drift.correction @ frame.T_world_camera
    anchor(observed, pose)
    hands, expected = reachable(mind, pose, frame.time)
    chosen, how = _associate(mind, frame, observed, hands, expected)
    shift = mind.drift.settle(mind.rows, observed, chosen, pose[:3, 3], mind.options.model_sigma_m)
    if shift > 0.0:
        pose = mind.drift.correction @ frame.T_world_camera
        anchor(observed, pose)
        if shift > _REMATCH_M:
            chosen, how = _associate(mind, frame, observed, hands, expected)

    note_moves(mind, observed, chosen, how, pose, frame.time)
    model = np.array([mind.options.model_sigma_m, mind.options.model_size_share])
    fuse(mind.rows, mind.tracks.heads, observed, chosen, how, mind.rates, number, frame.time, model)
    for i in np.flatnonzero(chosen < 0).tolist():
        chosen[i] = mind.first_sighting(observed[i], number, frame.time)
    object_ids = mind.rows["id"][chosen]
    _remember(mind, frame, observed, chosen, number)
    missed = _look(mind, frame, pose, number, hands, expected)
    _decide(mind, observed, chosen, missed, number, frame.time)
    _publish(mind, np.concatenate([chosen, missed, hands]), frame.time)
    _write(mind, frame, number, observed, object_ids)


def _associate(
    mind: Mind,
    frame: ObservedFrame,
    observed: NDArray[np.void],
    hands: NDArray[np.int32],
    expected: NDArray[np.float64],
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    options = mind.options
    room = 64 + 24 * len(observed)
    pairs, costs = np.empty((room, 3), np.int32), np.empty(room)
    limits = np.array(
        [
            options.gate,
            options.model_sigma_m,
            options.model_size_share,
            options.held_sigma_m,
            options.track_gap_s,
            options.track_speed_mps,
        ]
    )
    count = gate(
        mind.rows,
        mind.tracks.heads,
        observed,
        hands,
        expected,
        mind.words.key_of,
        mind.drift.sigma_m**2,
        limits,
        p_confusion(mind.rates[0]),
        frame.time,
        pairs,
        costs,
    )
    pairs, costs = pairs[:count], costs[:count]
    if mind.embeddings:
        _add_appearance(mind, frame, pairs, costs)
    return assign(pairs, costs, options.gate, len(observed))


def _add_appearance(
    mind: Mind, frame: ObservedFrame, pairs: NDArray[np.int32], costs: NDArray[np.float64]
) -> None:
    """Unlike looks make a pair dearer; a cosine of 0.9 is as good as the same."""
    for k, (i, slot, _) in enumerate(pairs.tolist()):
        ours, theirs = frame.observations[i].embedding, mind.embeddings.get(int(mind.rows[slot]["id"]))
        if ours is not None and theirs is not None and ours.shape == theirs.shape:
            costs[k] += 20.0 * max(0.0, 0.9 - cosine(ours, theirs))


def _remember(
    mind: Mind, frame: ObservedFrame, observed: NDArray[np.void], chosen: NDArray[np.int32], number: int
) -> None:
    """What hangs on this frame's sightings: reach, best frames, looks, and which twins are two."""
    note_reach(mind, observed, chosen, frame.time)
    best = best_frames(mind.rows, observed, chosen, frame.time)
    for i in np.flatnonzero(best > 0.0).tolist():
        mind.journal.keyframes.append((int(mind.rows[chosen[i]]["id"]), number, mind.known, float(best[i])))
    if frame.thumbnail is not None and best.any():
        mind.journal.thumbnails.append((number, frame.thumbnail))
    for pair in seen_together(mind.rows, observed, chosen):
        if pair not in mind.seen_together:
            mind.seen_together.add(pair)
            mind.journal.near_pairs.append(pair)
    for i, seen in enumerate(frame.observations):
        if seen.embedding is not None:
            object_id = int(mind.rows[chosen[i]]["id"])
            before = mind.embeddings.get(object_id)
            fresh = seen.embedding.astype(np.float32)
            same = before is not None and before.shape == fresh.shape
            mind.embeddings[object_id] = 0.8 * before + 0.2 * fresh if same and before is not None else fresh


def _look(
    mind: Mind,
    frame: ObservedFrame,
    pose: Matrix,
    number: int,
    hands: NDArray[np.int32],
    expected: NDArray[np.float64],
) -> NDArray[np.int32]:
    """Negative evidence: rows whose place is in plain view without the thing."""
    if frame.camera is None:
        return np.zeros(0, np.int32)
    lens = lens_of(frame.camera)
    camera_from_world = inverse(pose)
    codes = _NO_DEPTH if frame.free is None else frame.free.codes
    missed = np.empty(len(mind.rows), np.int32)
    count = look(
        mind.rows,
        mind.tracks.heads,
        mind.rates,
        camera_from_world,
        np.ascontiguousarray(pose[:3, 3]),
        lens,
        codes,
        METRES_OF_CODE,
        number,
        frame.time,
        mind.options.look_range_m,
        mind.options.border_share,
        missed,
    )
    if len(hands):
        look_at_hands(mind, hands, expected, in_image(expected, camera_from_world, lens), number)
    if frame.free is not None:
        mind.views.add(frame.time, number, pose, frame.camera, frame.free.codes)
    return missed[:count]


def lens_of(camera: Camera) -> NDArray[np.float64]:
    return np.array([camera.fx, camera.fy, camera.cx, camera.cy, camera.width, camera.height], dtype=float)


def _decide(
    mind: Mind,
    observed: NDArray[np.void],
    chosen: NDArray[np.int32],
    missed: NDArray[np.int32],
    number: int,
    time: float,
) -> None:
    """The rare turns: doubtful things are dropped, empty places and new things are explained."""
    rows = mind.rows
    doubtful = missed[rows["p_false"][missed] > _DOUBTED]
    for slot in doubtful.tolist():
        if rows[slot]["hits"] == 1:
            count_first_sighting(mind.rates[0], False)
        mind.forget_row(slot)
    back = chosen[rows["gone"][chosen].astype(bool) & (rows["p_here"][chosen] > 0.5)]
    rows["gone"][back] = 0
    mind.rates[0]["moves"] -= len(back)  # it had never left
    emptied = missed[
        (rows["id"][missed] > 0)
        & (rows["gone"][missed] == 0)
        & (rows["p_gone"][missed] > rows["p_here"][missed])
        & (rows["p_false"][missed] < 0.5)
    ]
    for object_id in rows["id"][emptied].tolist():
        if object_id in mind.tracks.slot_of:
            note_gone(mind, mind.tracks.slot_of[object_id])
    rows = mind.rows
    for i in np.flatnonzero(rows["streak"][chosen] >= _REPLACED).tolist():
        _replace(mind, observed[i], int(chosen[i]), number, time)
    rows = mind.rows
    confirmed = chosen[(rows["settled"][chosen] == 0) & (rows["p_false"][chosen] < 0.5)]
    for object_id in rows["id"][confirmed].tolist():
        if object_id in mind.tracks.slot_of:
            settle(mind, mind.tracks.slot_of[object_id])


def _replace(mind: Mind, seen: np.void, slot: int, number: int, time: float) -> None:
    """A thing that is called otherwise time and again is another thing in the same place."""
    if p_confusion(mind.rates[0]) > 0.1:
        return
    row = mind.rows[slot]
    row["streak"] = 0
    exists = 1.0 - row["p_false"]
    row["p_here"], row["p_gone"] = 0.05 * exists, 0.95 * exists
    row["gone"] = 1
    stranger = mind.first_sighting(seen, number, time)
    mind.rows[stranger]["p_here"], mind.rows[stranger]["p_false"] = 0.95, 0.05
    settle(mind, stranger)


def _publish(mind: Mind, touched: NDArray[np.int32], time: float) -> None:
    slots = np.unique(touched)
    slots = slots[mind.rows["id"][slots] > 0].astype(np.int32)
    news = np.zeros(len(slots), bool)
    was_told = mind.rows["told"][slots].copy()
    labels = mind.rows["told_label"][slots].copy()
    worth_telling(mind.rows, slots, time, news)
    for k in np.flatnonzero(news).tolist():
        slot = int(slots[k])
        if was_told[k] and labels[k] != mind.rows[slot]["told_label"]:
            mind.relabel(slot, int(labels[k]))
        mind.rows[slot]["told"] = was_told[k]
        mind.tell(slot)


def _write(
    mind: Mind, frame: ObservedFrame, number: int, observed: NDArray[np.void], object_ids: NDArray[np.int64]
) -> None:
    place = 0
    if frame.place:
        pose = mind.drift.correction @ frame.T_world_camera
        node = mind.places.visit(mind.words.place(frame.place), pose[:3, 3], frame.time)
        place = node.id
        if node.worth_telling:
            node.told = node.count
            mind.journal.places.append(node.row(mind.known))
    camera = 0
    if frame.camera is not None:
        if frame.camera not in mind.cameras:
            mind.cameras.append(frame.camera)
        camera = mind.cameras.index(frame.camera) + 1
    mind.journal.frames.append(
        FrameEntry(
            number,
            frame.time,
            mind.known,
            frame.T_world_camera,
            mind.drift.correction,
            place,
            camera,
            None if frame.free is None else frame.free.codes,
            object_ids,
            observed,
        )
    )
