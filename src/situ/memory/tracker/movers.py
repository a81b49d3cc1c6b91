"""Movers are known by their behaviour: what moves on in view, from one frame to the next, moves by itself,
whatever its name.
"""

import math

from situ.memory.options.moves import WALKING
from situ.memory.options.scales import SCALE
from situ.memory.tables.motion import AGENT, PORTABLE
from situ.memory.tracker.identity import merge
from situ.memory.tracker.working_memory import WorkingMemory


def follow_movers(memory: WorkingMemory, new: list[int]) -> None:
    """Note which of the objects that turned up in this frame, by number, may be one of that name that was
    seen a moment ago and has moved on. After enough steps in a row, each on from the last, objects of that
    name are agents, unless more of them were seen at rest."""
    for number in new:
        slot = memory.tracks.slot_of.get(number, -1)
        if slot < 0 or memory.rows[slot]["motion"] != PORTABLE:
            continue
        before = _a_moment_ago(memory, slot)
        if before < 0:
            continue
        row, old = memory.rows[slot], memory.rows[before]
        row["step"] = row["position"][:2] - old["position"][:2]
        row["walked"], row["came_from"] = int(old["walked"]) + 1, int(old["id"])
        name = memory.motion.table[int(row["filed"])]
        name["walks"] += 1.0
        if row["walked"] >= SCALE.few and name["walks"] > name["confirmed"]:
            _make_agents(memory, int(row["filed"]))
            _join_steps(memory, number)


def _a_moment_ago(memory: WorkingMemory, slot: int) -> int:
    """The nearest row of that name from which it may have come in one step, -1 if there is none."""
    rows, row = memory.rows, memory.rows[slot]
    best, least = -1, math.inf
    for number in memory.by_label.get(int(row["filed"]), ()):
        other = memory.tracks.slot_of[number]
        old = rows[other]
        seconds = float(memory.time - old["last_seen"])
        if other == slot or not 0.0 < seconds <= SCALE.moment_s or old["held"]:
            continue
        step = row["position"][:2] - old["position"][:2]
        metres = math.hypot(*step.tolist())
        if not SCALE.hand_m < metres <= SCALE.run_mps * seconds:
            continue
        along = float(step @ old["step"]) / max(metres * math.hypot(*old["step"].tolist()), 1e-9)
        on = old["walked"] == 0 or along > WALKING.straight
        if on and metres < least:
            best, least = other, metres
    return best


def _make_agents(memory: WorkingMemory, label: int) -> None:
    name = memory.motion.table[label]
    name["kind"], name["prior_s"] = AGENT, memory.options.agent_stay_s
    name["moves"] = name["watched_s"] = 0.0
    for number in memory.by_label.get(label, ()):
        memory.note_motion(memory.tracks.slot_of[number])


def _join_steps(memory: WorkingMemory, number: int) -> None:
    """The steps of one way become detections of the one object that was seen first."""
    slot_of = memory.tracks.slot_of
    while number in slot_of:
        before = int(memory.rows[slot_of[number]]["came_from"])
        memory.rows[slot_of[number]]["came_from"] = 0
        if before not in slot_of or before == number:
            return
        merge(memory, slot_of[number], slot_of[before], True)
        number = before
