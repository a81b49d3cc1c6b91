"""The stress table: stream families unlike the usual noise, asked in plain English, with the truth known.

`python -m benchmarks.memory stress --seeds 901 902 903`; `--families` picks some of them by name. An answer
is right, unsure (none was given) or wrong; of those stated with odds above 0.9 the share that is right is
what a user can trust.
"""

import json
import sys
import time
from collections.abc import Iterable, Sequence

from benchmarks import memory_stress_changes as changes
from benchmarks import memory_stress_events as events
from benchmarks import memory_stress_families as eyes
from benchmarks import memory_stress_hands as hands
from benchmarks import memory_stress_heldout as heldout
from benchmarks.memory_stress_asking import RIGHT, UNSURE, WRONG, Tally
from benchmarks.memory_stress_families import Family

FAMILIES: dict[str, Family] = {
    family.__name__: family
    for family in (
        eyes.burst, eyes.confusion, eyes.big_boxes, eyes.depth_bias, eyes.pose_jumps, eyes.loop_closures,
        eyes.gap_hour, eyes.gap_day, eyes.fps_30, eyes.fps_1, eyes.fps_tenth, events.twins_in_a_row,
        events.swaps, events.found_after_hours, events.met_before_missed, events.destroyed,
        events.look_alikes, events.walking_person, events.cat_and_person, events.mirror_rooms,
        events.carried_by_wearer, events.carried_bag, events.carried_by_another, events.matching_sets,
        events.clutter, *heldout.HELD_OUT, *changes.CHANGES, *hands.HANDS,
    )
}  # fmt: skip
SEEDS = (901, 902, 903)


def stress(seeds: Sequence[int] = SEEDS, names: Iterable[str] | None = None, slips: bool = False) -> Tally:
    """Print one line for each family and one for all of them; the sum."""
    total = Tally()
    for name in names or FAMILIES:
        start = time.process_time()
        tally = sum((FAMILIES[name](seed) for seed in seeds), Tally())
        print_line(name, tally, time.process_time() - start)
        if slips:
            for slip in tally.slips:
                print(f"  {slip}", file=sys.stderr, flush=True)
        total += tally
    print_line("all", total, 0.0)
    return total


def print_line(name: str, tally: Tally, cpu_s: float) -> None:
    counts = tally.counts
    line = {
        "figure": "stress",
        "family": name,
        **{outcome: counts[outcome] for outcome in (RIGHT, UNSURE, WRONG)},
        "stated over 0.9": counts["sure"],
        "of these wrong": counts["sure"] - counts["sure right"],
        "right of stated": round(tally.sure_right, 4),
        "by kind": by_kind(tally),
        "cpu_s": round(cpu_s, 1),
    }
    print(json.dumps(line), flush=True)


def by_kind(tally: Tally) -> dict[str, str]:
    """For each kind of question, right/unsure/wrong."""
    return {
        kind: "/".join(str(tally.counts[f"{kind} {outcome}"]) for outcome in (RIGHT, UNSURE, WRONG))
        for kind in ("where", "how far", "can I see", "moved", "how many", "moved last")
    }
