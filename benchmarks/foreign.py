"""How a memory holds up on streams of strangers: other detectors, depths and poses than it was made with.

    python -m benchmarks.foreign --seeds 1 2 3 [--families NAME ...] [--random FROM TO] [--without-depth]
        [--exact] [--json FILE]

For each family and each kind of question: asked, right, withheld, stated with a confidence above 0.9, right
of these, and the Brier score of the stated answers. `--exact` takes the same worlds with a perfect detector
and perfect poses, which proves the truth. "denied" are questions whether something exists that does not.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks import foreign_fifth as foreign_fifth
from benchmarks import foreign_first as foreign_first
from benchmarks import foreign_fourth as foreign_fourth
from benchmarks import foreign_second as foreign_second
from benchmarks import foreign_third as foreign_third
from benchmarks.foreign_random import random_family
from benchmarks.foreign_stage import FAMILIES, Moment
from situ import Memory
from situ.errors import Unanswerable
from situ.language.focus import decide
from situ.questions.programs.tallies import CLOSE_M, CLOSE_SHARE

SURE = 0.9


@dataclass(frozen=True)
class Reply:
    """One answer beside its truth; `value` is None where the memory withheld one."""

    family: str
    seed: int
    time: float
    kind: str
    text: str
    truth: str | int | float
    value: str | int | float | None = None
    confidence: float = 0.0

    @property
    def right(self) -> bool:
        if isinstance(self.truth, float) and self.value is not None:
            return abs(float(self.value) - self.truth) <= max(CLOSE_M, CLOSE_SHARE * self.truth)
        return str(self.value) == str(self.truth)


def replies(name: str, seed: int, moments: Iterable[Moment]) -> list[Reply]:
    """What a fresh memory answers, each question as soon as its frame was taken in."""
    found = []
    with Memory.create(":memory:") as memory:
        for moment in moments:
            memory.observe(moment.frame)
            state = memory.state() if moment.asked else None
            for asked in moment.asked:
                row = (name, seed, moment.frame.time, asked.kind, asked.question.text, asked.truth)
                try:
                    decided = decide(asked.question, state)
                except Unanswerable:
                    found.append(Reply(*row))
                else:
                    found.append(Reply(*row, decided.answer.value, decided.confidence))
    return found


def line(name: str, rows: Sequence[Reply]) -> str:
    stated = [row for row in rows if row.value is not None]
    sure = [row.right for row in stated if row.confidence > SURE]
    share = f"{100 * sum(sure) / len(sure):.1f} %" if sure else "-"
    brier = sum((row.confidence - row.right) ** 2 for row in stated) / max(1, len(stated))
    right, withheld = 100 * sum(row.right for row in rows) / max(1, len(rows)), len(rows) - len(stated)
    return f"| {name} | {len(rows)} | {right:.1f} % | {withheld} | {len(sure)} | {share} | {brier:.3f} |"


def table(rows: Sequence[Reply]) -> str:
    head = f"| | asked | right | withheld | stated > {SURE} | right of these | Brier |\n{'|---' * 7}|"
    families = [line(n, [r for r in rows if r.family == n]) for n in dict.fromkeys(r.family for r in rows)]
    kinds = [line(k, [r for r in rows if r.kind == k]) for k in sorted({r.kind for r in rows})]
    return "\n".join([head, *families, line("**all**", rows), *kinds])


def main(words: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument(
        "--families", nargs="+", default=list(FAMILIES), choices=list(FAMILIES), metavar="NAME"
    )
    parser.add_argument(
        "--random",
        type=int,
        nargs=2,
        metavar=("FROM", "TO"),
        help="families drawn at random instead",
    )
    parser.add_argument("--without-depth", action="store_true", help="a camera, but no free space")
    parser.add_argument("--exact", action="store_true", help="a perfect detector and perfect poses")
    parser.add_argument("--slips", action="store_true", help="print each answer that was wrong or withheld")
    parser.add_argument("--json", type=Path, help="write every answer to this file")
    given, rows = parser.parse_args(words), list[Reply]()
    chosen = [FAMILIES[name] for name in given.families]
    if given.random is not None:
        chosen = [random_family(number) for number in range(*given.random)]
    for one, seed in ((one, seed) for one in chosen for seed in given.seeds):
        name, began = one.name, time.process_time()
        moments = one.moments(seed, depth=not given.without_depth, exact=given.exact)
        made = time.process_time()
        rows += replies(name, seed, moments)
        spent = f"{made - began:.1f} s made, {time.process_time() - made:.1f} s remembered and answered"
        print(f"{name}, seed {seed}: {len(moments)} frames, {spent}", file=sys.stderr)
    for row in rows if given.slips else ():
        if not row.right:
            said = f"{row.value} ({row.confidence:.2f}), truly {row.truth}"
            print(f"{row.family} {row.seed} {row.time:.1f} s: {row.text} {said}")
    print(table(rows))
    if given.json is not None:
        given.json.write_text(
            json.dumps([asdict(row) | {"right": row.right} for row in rows], indent=1) + "\n"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
