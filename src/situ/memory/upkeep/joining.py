"""Another recording of a place that a memory knows, told apart or joined by how the place looks."""

import itertools
import json
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from situ.geometry.path_uncertainty import PathUncertainty
from situ.memory.file.visual_map import read_map, write_map
from situ.memory.memory import SpatialMemory
from situ.memory.reading.stream import PATH_DOUBT, WATCHED
from situ.memory.upkeep.merging import replay
from situ.memory.upkeep.provenance import Recorded, take_up
from situ.perception.odometry.map_alignment import MapAlignment, align_maps
from situ.perception.odometry.visual_map import MapView, VisualMap

# How the two worlds lie to each other before anything was known again: radians, metres, log of the scale.
_UNKNOWN = np.array([1.0, 3.0, 0.7])


def known_again(memory: SpatialMemory, other: SpatialMemory) -> MapAlignment | None:
    """How the world of another memory lies in that of a memory; None if they share no place that shows."""
    return align_maps(read_map(memory.store), read_map(other.store))


def join(
    memory: SpatialMemory,
    other: SpatialMemory,
    again: MapAlignment,
    part: Recorded,
    progress: Callable[[int], None] | None = None,
) -> Recorded:
    """Let a memory live through the recording of another one, where it was known again.

    What was interrupted goes on: frames that the memory has are passed over.
    """
    old = read_map(memory.store)
    taken = take_up(memory, part, other.history.start, again.T_old_new)
    frames = replay(other, time_shift=taken.time_shift, place=again.placed, scale=again.scale)
    for done, frame in enumerate(itertools.islice(frames, memory.frames - taken.first_frame, None)):
        memory.observe(frame)
        if progress is not None:
            progress(done)
    doubt = _joined_doubt(memory, other, again, old, taken)
    with memory.store.transaction(durable=False):
        memory.store.put(WATCHED, json.dumps(_joined_facts(memory, other, taken.time_shift)))
        memory.store.put(PATH_DOUBT, doubt.thinned().to_text())
        write_map(memory.store, _joined_map(old, again, taken.time_shift))
    memory.commit()
    return taken


def _joined_map(old: VisualMap, again: MapAlignment, later: float) -> VisualMap:
    views = [
        MapView(
            view.time + later, pose, view.descriptors,
            (view.points * again.scale).astype(np.float16).astype(np.float32),
        )
        for view, pose in zip(again.new.views, again.poses, strict=True)
    ]  # fmt: skip
    before = old.only(old.times < views[0].time)  # so that joining twice is joining once
    return before.joined(VisualMap(tuple(views), old.metric))


def _joined_facts(memory: SpatialMemory, other: SpatialMemory, later: float) -> dict[str, str]:
    """What is known of the whole: units are those of the memory, names are there if either has some."""
    mine, new = memory.history.facts(), other.history.facts()
    unplaced = json.loads(mine.get("unplaced", "{}"))
    for name, (count, seen, bearing) in json.loads(new.get("unplaced", "{}")).items():
        unplaced[name] = (count, seen + later, bearing)
    return {
        **new,
        "scale_from": mine.get("scale_from", ""),
        "names": mine.get("names", "") or new.get("names", ""),
        "unplaced": json.dumps(unplaced),
        "known_names": json.dumps(_known_to_both(mine, new)),
        "calibrated": mine.get("calibrated", "") and new.get("calibrated", ""),
    }


def _known_to_both(mine: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    """Names that the eyes of either can tell; none where those of one may tell any."""
    ours, theirs = (json.loads(facts.get("known_names", "[]")) for facts in (mine, new))
    return sorted({*ours, *theirs}) if ours and theirs else []


def _joined_doubt(
    memory: SpatialMemory, other: SpatialMemory, again: MapAlignment, old: VisualMap, taken: Recorded
) -> PathUncertainty:
    """One path after the other. How they lie to each other is known by what was seen again, and no better."""
    later, start = taken.time_shift, other.history.start + taken.time_shift
    before = memory.history.path_doubt()
    if before is None:
        before = PathUncertainty.of([memory.history.start], np.zeros((1, 2)), np.zeros((1, 3)))
    before = before.until(np.nextafter(start, -np.inf), np.inf)
    after = other.history.path_doubt()
    if after is None:
        times = again.new.times
        after = PathUncertainty.of(times.tolist(), again.new.poses[:, :2, 3], np.zeros((len(times), 3)))
    after = after.scaled(again.scale)
    sigma = after.sigma.copy()
    sigma[0] = _UNKNOWN * [1.0, 1.0, not (old.metric and again.new.metric)]
    turn, shift = again.T_old_new[:2, :2], again.T_old_new[:2, 3]
    both = before.followed_by(replace(after, sigma=sigma), turn, shift, later)
    then = np.array([old.views[match.then].time for match in again.matches])
    now = np.array([again.new.views[match.now].time for match in again.matches]) + later
    return both.tied(then, now, again.sigma, known=other.history.end + later)
