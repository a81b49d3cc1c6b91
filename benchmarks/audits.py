"""Audits at size: fresh seeds of one benchmark, made in small pictures, attacked as one set.

    python -m benchmarks.audits saw 71101 71102 71103 --scale 0.5 --out FOLDER
    python -m benchmarks.audits saw 71101 71102 71103 --scale 1 --planned

The attacks need questions, options, names, order, lengths and sizes, not what pictures look like, so frames
are small and few. Sets that are already in the folder are used as they are. The table has the strongest
attacks of every task over all seeds together; "sees" is the leak that four of five such sets would show.
With --planned nothing is filmed: the questions about SAW's walks and standing videos are those of the plan,
at any size in a minute; there are no files to be attacked, and no questions of memory and affordance.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median

from benchmarks.saw_plan import planned_rows
from situ.benchmarks.disjoint.recipe import DisjointRecipe
from situ.benchmarks.make import Recipe, make_dataset
from situ.benchmarks.narratives.recipe import NarrativeRecipe
from situ.benchmarks.rem.recipe import RemRecipe
from situ.benchmarks.saw.recipe import SawRecipe
from situ.benchmarks.ucs.recipe import UcsRecipe
from situ.evaluation.audit import AttackResult
from situ.evaluation.audit.exposure import Exposure, Media
from situ.evaluation.audit.run import audit_rows

STRONGEST = 4
UCS_QUESTIONS = 20  # asked for of each stream; balance finds about three quarters of them
DISJOINT_QUESTIONS = 8  # of each home, where a set has 3.2: attacks need many, and homes cost


class ManyOfEachHome(DisjointRecipe):
    @property
    def total(self) -> int:
        return DISJOINT_QUESTIONS * len(self.item_names())


def recipe(name: str, seed: int, scale: float, part: str) -> Recipe:
    if name == "rem":
        return RemRecipe(seed=seed, scale=scale, width=240, height=160)
    if name == "saw":
        return SawRecipe(seed=seed, scale=scale, part=part, fps=2.0, width=160, height=120)
    if name == "disjoint":
        return ManyOfEachHome(seed=seed, scale=scale, width=200, height=150)
    if name == "narratives":
        return NarrativeRecipe(seed=seed, scale=scale, width=160, height=120, pictures=False)
    streams = UcsRecipe(seed=seed, scale=scale, hours=0.2, width=160, height=120)
    return replace(streams, questions=UCS_QUESTIONS * len(streams.item_names()))


def planned(seed: int, scale: float) -> Exposure:
    """A SAW set that was not filmed."""
    rows, frames = planned_rows(SawRecipe(seed=seed, scale=scale))
    places = enumerate(sorted(frames.items()))
    media = {item: Media(place, count, float(count), 0, "") for place, (item, count) in places}
    return Exposure(tuple(rows), media)


def together(exposures: Sequence[Exposure]) -> Exposure:
    """All sets as one. Rows are interleaved by their place in their own file, so that order still tells."""
    rows, media = [], dict[str, Media]()
    for number, exposure in enumerate(exposures):
        media |= {f"{number}-{item}": measures for item, measures in exposure.media.items()}
        for place, row in enumerate(exposure.rows):
            named = replace(row, id=f"{number}-{row.id}", item=f"{number}-{row.item}")
            rows.append((place / len(exposure.rows), number, named))
    return Exposure(tuple(row for _, _, row in sorted(rows, key=lambda r: r[:2])), media)


def report(results: Sequence[AttackResult]) -> None:
    for task in dict.fromkeys(result.task for result in results):
        mine = [result for result in results if result.task == task]
        sees = median(r.sees for r in mine)
        print(f"\n{task}: {mine[0].questions} questions, chance {100 * mine[0].chance:.1f}, "
              f"sees {100 * sees:.1f} points, {len(mine)} attacks")  # fmt: skip
        for r in sorted(mine, key=lambda r: -r.told)[:STRONGEST]:
            low, high = (100 * end for end in r.interval)
            mark = "  LEAK" if r.leaks else ""
            told = f"{100 * r.accuracy:6.1f} [{low:.1f}, {high:.1f}] of {100 * r.chance:.1f}"
            print(f"  {r.attack:44}{told}{mark}")
    print(f"\n{len(results)} attacks, {sum(r.leaks for r in results)} leaks", flush=True)


def audit_all() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("benchmark", choices=("rem", "saw", "disjoint", "ucs", "narratives"))
    parser.add_argument("seeds", type=int, nargs="+")
    parser.add_argument("--scale", type=float, default=0.05)
    parser.add_argument("--part", default="all", help="of SAW")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, help="where the sets are made")
    parser.add_argument("--planned", action="store_true", help="SAW's questions without any filming")
    given = parser.parse_args()
    if given.planned == bool(given.out) or (given.planned and given.benchmark != "saw"):
        parser.error("give either --out FOLDER or, for saw, --planned")
    if given.planned:
        pooled = together([planned(seed, given.scale) for seed in given.seeds])
        report(audit_rows(pooled.rows, pooled))
        return
    made = []
    for seed in given.seeds:
        folder = given.out / f"{given.benchmark}-{given.part}-{seed}"
        made.append(make_dataset(recipe(given.benchmark, seed, given.scale, given.part), folder, given.jobs))
        print(
            f"{folder.name}: {len(made[-1].items)} recordings, {len(made[-1].questions)} questions",
            flush=True,
        )
    pooled = together([Exposure.of(dataset) for dataset in made])
    report(audit_rows(pooled.rows, pooled))


if __name__ == "__main__":
    audit_all()
