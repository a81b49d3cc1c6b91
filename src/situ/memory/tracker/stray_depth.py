"""Depth that is far off in a single frame: an edge, a pane of glass. The thing is seen in its direction, not
at its distance, and nothing is seen at its place: that is no second thing."""

import numpy as np
from numpy.typing import NDArray

from situ.memory.options.sightings import STRAY_DEPTH
from situ.memory.tables.motion import AGENT
from situ.memory.tracker.working_memory import Mind


def match_stray_depth(
    mind: Mind, observed: NDArray[np.void], chosen: NDArray[np.int32], eye: NDArray[np.float64]
) -> None:
    """Give observations that match nothing to the well-known thing of their kind on the same line of sight,
    if that was not seen. Only once in a row: what is seen there again has been moved there."""
    taken = set(chosen.tolist())
    for i in np.flatnonzero(chosen < 0).tolist():
        seen = observed[i]
        away = seen["position"] - eye
        distance = float(np.linalg.norm(away))
        if distance <= mind.options.reach_m:  # which may be in the hands
            continue
        for number in sorted(mind.by_label.get(int(seen["label"]), ())):
            slot = mind.tracks.slot_of[number]
            if slot not in taken and _is_known(mind.rows[slot]) and _looks_alike(mind.rows[slot], seen):
                there = mind.rows[slot]["position"] - eye
                along = float(there @ away) / distance
                aside = float(np.linalg.norm(there - away * (along / distance)))
                if along > 0.0 and aside <= STRAY_DEPTH.aside_m + STRAY_DEPTH.aside_share * float(
                    mind.rows[slot]["size"].max()
                ):
                    chosen[i] = slot
                    taken.add(slot)
                    mind.rows[slot]["astray"] = mind.time
                    break


def _is_known(row: np.void) -> bool:
    """Whether a thing is surely at its place, and was seen there after its depth was last astray."""
    return bool(
        row["hits"] >= STRAY_DEPTH.enough_hits
        and row["p_here"] > 0.5
        and not row["held"]
        and row["motion"] != AGENT
        and row["last_seen"] > row["astray"]
    )


def _looks_alike(row: np.void, seen: np.void) -> bool:
    """Whether a thing has all that was seen of it."""
    return set(seen["features"].tolist()) - {0} <= set(row["features"].tolist())
