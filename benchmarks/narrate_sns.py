"""Perfect narratives and the built-in reader on fresh tours: the ceiling of the Spatial Narrative Score.

With camera words and without, by task, and for segments of 16, 24 and 32 frames. SITU_BENCH_TOURS and
SITU_BENCH_SEED change how many tours and which, SITU_BENCH_JOBS on how many cores; no pictures are drawn.
"""

import os
import tempfile
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from situ.benchmarks.make import make_dataset
from situ.benchmarks.narratives.candidates import DIRECTION, DISTANCE, ORDER, ROUTE
from situ.benchmarks.narratives.recipe import ITEMS, NarrativeRecipe
from situ.evaluation.stats.aggregate import MICRO
from situ.evaluation.stats.intervals import clustered_wilson
from situ.evaluation.stats.paired import paired_test
from situ.narrate.oracle import oracle_narrative
from situ.narrate.reasoner import Reasoner

GROUPS = {
    **dict.fromkeys(DIRECTION.values(), "direction"),
    DISTANCE: "distance",
    ORDER: "order",
    ROUTE: "route",
}
SHORT = 12  # things that a segment may name when its length is limited
Marks = list[tuple[str, str, bool]]  # item, group, right


def main() -> None:
    tours, seed = int(os.environ.get("SITU_BENCH_TOURS", "30")), int(os.environ.get("SITU_BENCH_SEED", "11"))
    recipe = NarrativeRecipe(tours / ITEMS, seed, width=320, height=240, pictures=False)
    with tempfile.TemporaryDirectory() as folder:
        dataset = make_dataset(recipe, Path(folder) / "set", int(os.environ.get("SITU_BENCH_JOBS", "1")))
        recordings = {item: dataset.recording(item) for item in dataset.items}
        rows = {
            item: [row for _, row in recipe.propose(number, recording)]
            for number, (item, recording) in enumerate(recordings.items())
        }
        conditions = {
            "scene and camera, 16": {"segment": 16},
            "scene only, 16": {"segment": 16},
            "scene and camera, 24": {"segment": 24},
            "scene and camera, 32": {"segment": 32},
            **{f"at most {SHORT} objects, {n}": {"segment": n, "max_objects": SHORT} for n in (16, 24, 32)},
        }
        marks: dict[str, Marks] = {}
        for name, options in conditions.items():
            marks[name] = []
            for item, recording in recordings.items():
                narrative = oracle_narrative(recording, **options)
                reader = Reasoner((narrative.scene_only if "only" in name else narrative).text)
                for row in rows[item]:
                    found = reader.answer(row.question, row.options)
                    marks[name].append((item, GROUPS[row.task], found == row.answer))
    Console(width=150).print(table(marks, len(recordings), seed))
    Console(width=150).print(effect(marks["scene and camera, 16"], marks["scene only, 16"]))


def table(marks: dict[str, Marks], tours: int, seed: int) -> Table:
    count = len(next(iter(marks.values())))
    found = Table(title=f"accuracy %, {count} questions about {tours} tours, seed {seed} (95 % intervals)")
    found.add_column("narrative, frames in a segment")
    groups = ("all", *dict.fromkeys(GROUPS.values()))
    for group in groups:
        found.add_column(group, justify="right")
    for name, given in marks.items():
        cells = []
        for group in groups:
            some = [(item, right) for item, kind, right in given if group in ("all", kind)]
            low, high = clustered_wilson([right for _, right in some], [item for item, _ in some])
            share = float(np.mean([right for _, right in some]))
            cells.append(f"{100 * share:.1f} [{100 * low:.0f}, {100 * high:.0f}]")
        found.add_row(name, *cells)
    return found


def effect(full: Marks, scene: Marks) -> Table:
    """What camera words add, on the same questions; the interval is over tours."""
    found = Table(title="what camera words add, points (95 % interval over tours)")
    found.add_column("task")
    found.add_column("gain", justify="right")
    for group in dict.fromkeys(GROUPS.values()):
        gains: dict[str, list[int]] = {}
        for (item, kind, a), (_, _, b) in zip(full, scene, strict=True):
            if kind == group:
                gains.setdefault(item, []).append(int(a) - int(b))
        sums = np.array([sum(values) for values in gains.values()], dtype=float)
        counts = np.array([len(values) for values in gains.values()], dtype=float)
        interval, _ = paired_test(MICRO, [group], sums[:, None], counts[:, None])
        span = f" [{100 * interval.low:+.1f}, {100 * interval.high:+.1f}]" if interval else ""
        found.add_row(group, f"{100 * sums.sum() / counts.sum():+.1f}{span}")
    return found


if __name__ == "__main__":
    main()
