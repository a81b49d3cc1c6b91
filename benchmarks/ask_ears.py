"""Measure the ears of `situ ask` on the files of wordings and on sentences that nothing answers.

python -m benchmarks.ask_ears [--ears FILE] [FILE ...]

For each file: how many sentences are heard with the right intent and the right words in its holes, how many
of what is called surer than 0.9 and 0.7 is right, and the milliseconds. The ears of the package were taught
on these files too; `teach_ears --without FILE` teaches some that were not.
"""

import argparse
import random
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.ears_corpus import OUTSIDE, SECTIONS, Row, Sayer, patterns, rows, wording_patterns
from situ.language.ears import Ears, expressed, spans
from situ.language.ears_networks import Convolved, Encoded, installed

HERE = Path(__file__).parent
ALSO = {groups[0]: frozenset(groups) for groups in SECTIONS.values()}  # intents that answer the same section


@dataclass(frozen=True)
class Judged:
    """What was heard of one sentence: how surely, and whether intent and holes are right."""

    row: Row
    share: float
    intent: str
    right: bool
    ms: float


def judged(ears: Ears, row: Row) -> Judged:
    """The first choice that fills its holes, as `heard` takes it before the frames read it."""
    began = time.perf_counter()
    hearing = ears.hear(row.words)
    names = [*ears.said, OUTSIDE]
    name, share, where = OUTSIDE, 0.0, dict[str, tuple[int, int]]()
    for k in np.argsort(-hearing.shares)[:3]:
        name, share = names[int(k)], float(hearing.shares[k])
        if name == OUTSIDE:
            break
        said = ears.said[name].split()
        found = spans(hearing.tags, [part[1] for part in said if part.startswith("{")])
        if found is None:
            continue
        where, fit = found
        taken = {k for start, end in where.values() for k in range(start, end)}
        share *= fit
        if not expressed(row.words, taken, name, said, ears.licensed):
            share = min(share, 0.65)
        break
    ms = 1e3 * (time.perf_counter() - began)
    wants = {
        hole: [k for k, tag in enumerate(row.tags) if tag[1:] == hole]
        for hole in {t[1:] for t in row.tags} - {""}
    }
    same = {hole: [*range(*span)] for hole, span in where.items()} == wants
    accepted = ALSO.get(row.intent, frozenset({row.intent})) | {row.intent}
    right = name in accepted and (name == OUTSIDE or same or name != row.intent)
    return Judged(row, share, name, right, ms)


def told(name: str, found: Sequence[Judged]) -> None:
    inside = [one for one in found if one.row.intent != OUTSIDE]
    outside = [one for one in found if one.row.intent == OUTSIDE]
    line = f"{name}: "
    if inside:
        right = 100 * sum(one.right for one in inside) / len(inside)
        line += f"{len(inside)} sentences, {right:.1f} % right"
        for least in (0.9, 0.7):
            some = [one.right for one in inside if one.share >= least and one.intent != OUTSIDE]
            line += f"; above {least}: {len(some)}, {100 * sum(some) / max(1, len(some)):.1f} % right"
    if outside:
        taken = sum(one.intent != OUTSIDE and one.share >= 0.7 for one in outside)
        asked = sum(one.intent != OUTSIDE and 0.3 <= one.share < 0.7 for one in outside)
        line += f"; {len(outside)} outside: {taken} taken for a question, {asked} asked back"
    print(f"{line}; {statistics.median(one.ms for one in found):.2f} ms", flush=True)


def _outside() -> Iterator[Row]:
    """Sentences that nothing answers, from a list that the corpus does not hold."""
    from benchmarks.ears_corpus import Pattern

    sayer = Sayer(random.Random(3))
    for line in (HERE / "ask_outside.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            text = line.lower().replace("the {a}", "{a}").replace("{room}", "{p}").replace("the {p}", "{p}")
            if (row := sayer.row(Pattern(OUTSIDE, text, "."))) is not None:
                yield row


def _ears(path: Path | None) -> Ears:
    if path is None:
        return installed()
    if path.suffix == ".onnx":
        return Encoded.of(path)
    with np.load(path, allow_pickle=False) as stored:
        return Convolved.of(dict(stored))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--ears", type=Path, help="an .onnx or .npz; without it, what this machine has")
    parser.add_argument("--wrong", action="store_true", help="show what is heard wrongly and surely")
    parser.add_argument("names", nargs="*", help="of files of wordings; without them, all")
    options = parser.parse_args(arguments)
    ears = _ears(options.ears)
    paths = [p for p in sorted(HERE.glob("ask_*.txt")) if p.stem != "ask_outside"]
    every: list[Judged] = []
    for path in paths:
        if options.names and path.stem not in options.names:
            continue
        sayer = Sayer(random.Random(path.stem))
        some = [judged(ears, row) for one in wording_patterns(path) if (row := sayer.row(one)) is not None]
        told(path.stem, some)
        every += some
    outside = [judged(ears, row) for row in _outside()]
    told("ask_outside", outside)
    told("all", [*every, *outside])
    corpus = [judged(ears, row) for row in rows(patterns(), 3, 77, 1)]
    told("corpus, drawn anew", corpus)
    if options.wrong:
        for one in [*every, *outside]:
            if not one.right and one.share >= 0.7:
                print(f"  {one.share:.2f} {one.intent} for {one.row.intent}: {' '.join(one.row.words)}")


if __name__ == "__main__":
    main()
