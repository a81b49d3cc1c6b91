"""Plain language over generated days: understood, right, refused, confidently wrong, and how fast.

python -m benchmarks ask                 three fresh days
python -m benchmarks.ask --days 1 --show every answer that is not right
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.ask_corpus import WORDINGS, Item, corpus
from benchmarks.ask_days import DETECTIONS, WITH_CAMERA, WITH_DEPTH, AskedDay, live_day
from benchmarks.ask_judging import agrees
from benchmarks.ask_sections import OUTSIDE, UNKNOWN
from benchmarks.ask_slips import with_slips
from situ.language import ask
from situ.language.answering import Told
from situ.questions.base import Answer

FIRST_SEED, DAYS, SECONDS = 900, 3, 900.0
SURE = 0.9  # stated so surely, an answer is a promise
RIGHT, WRONG, REFUSED, LOST = "right", "wrong", "refused", "not understood"


@dataclass(frozen=True)
class Verdict:
    """What came of a question."""

    item: Item
    sentence: str
    told: Told
    outcome: str
    seconds: float

    @property
    def understood(self) -> bool:
        return self.outcome != LOST


def put(day: AskedDay, item: Item, sentence: str) -> Verdict:
    """Ask the memory as of the moment, and judge its answer by the truth's."""
    start = time.process_time()
    told = ask(day.memory.state(item.time), sentence)
    seconds = time.process_time() - start
    return Verdict(item, sentence, told, judged(item, told), seconds)


def judged(item: Item, told: Told) -> str:
    if item.question is None or item.key is None:  # right is to refuse, and to say why
        reasons = {OUTSIDE: ("outside", "not seen"), UNKNOWN: ("not seen", "do not know")}[item.section]
        said = any(reason in told.abstained for reason in reasons)
        return RIGHT if said else LOST if told.abstained else WRONG
    if told.certificate is None:
        return LOST if "do not understand" in told.abstained else REFUSED
    # Of a program the answer alone is judged.
    asked = told.certificate.program.get("kind", item.question.kind)
    if told.abstained:
        return REFUSED if asked == item.question.kind else LOST
    assert told.value is not None
    return RIGHT if agrees(item.question, item.key.value, Answer(told.value, 1.0), told.text) else WRONG


def days(first: int, number: int, seconds: float, observed: str) -> Iterator[tuple[int, AskedDay]]:
    for seed in range(first, first + number):
        yield seed, live_day(seed, seconds, observed=observed)


def shares(verdicts: Sequence[Verdict]) -> dict[str, float]:
    count = Counter(v.outcome for v in verdicts)
    total = max(1, len(verdicts))
    return {
        "questions": len(verdicts),
        "understood": 100 * (1 - count[LOST] / total),
        "right": 100 * count[RIGHT] / total,
        "refused": 100 * (count[REFUSED] + count[LOST]) / total,
        "wrong": 100 * count[WRONG] / total,
        "surely wrong": 100 * sum(v.outcome == WRONG and v.told.confidence >= SURE for v in verdicts) / total,
    }


def table(rows: Iterable[tuple[str, Sequence[Verdict]]]) -> None:
    print(f"{'':28}{'questions':>10}{'understood':>12}{'right':>8}{'refused':>9}{'wrong':>8}{'at 0.9':>8}")
    for name, verdicts in rows:
        s = shares(verdicts)
        cells = f"{s['understood']:12.1f}{s['right']:8.1f}{s['refused']:9.1f}{s['wrong']:8.1f}"
        print(f"{name:28}{int(s['questions']):10}{cells}{s['surely wrong']:8.1f}")


def main(arguments: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--days", type=int, default=DAYS)
    parser.add_argument("--seed", type=int, default=FIRST_SEED)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--wordings", type=Path, default=WORDINGS, help="another file of wordings")
    parser.add_argument(
        "--observed",
        choices=(DETECTIONS, WITH_CAMERA, WITH_DEPTH),
        default=DETECTIONS,
        help="detections alone, with the camera, or with camera and depth",
    )
    parser.add_argument(
        "--show", action="store_true", help="print what is not right, but no wording held back"
    )
    options = parser.parse_args(list(arguments))
    clean: list[Verdict] = []
    slipped: list[Verdict] = []
    for seed, day in days(options.seed, options.days, options.seconds, options.observed):
        rng = np.random.default_rng([seed, *b"slips"])
        for item in corpus(day.truth, seed, path=options.wordings):
            clean.append(put(day, item, item.sentence))
            slipped.append(put(day, item, with_slips(item.sentence, rng)))
        day.memory.close()
    if options.show:
        everything = options.wordings != WORDINGS
        _show([v for v in (*clean, *slipped) if everything or not v.item.held_back])
    sections = sorted({v.item.section for v in clean})
    held = [v for v in clean if v.item.held_back]
    table([("all", clean), ("wordings held back", held), ("with slips of the keyboard", slipped)])
    print(f"{len(sections)} kinds")
    table([(name, [v for v in clean if v.item.section == name]) for name in sections])
    cost = np.array([v.seconds for v in clean]) * 1e3
    print(
        f"CPU ms a question: median {np.median(cost):.1f}, p95 {np.quantile(cost, 0.95):.1f}, most "
        f"{cost.max():.1f}"
    )
    slow = {
        name: 1e3 * float(np.quantile([v.seconds for v in clean if v.item.section == name], 0.95))
        for name in sections
    }
    print(
        "slowest kinds at p95: "
        + ", ".join(f"{n} {slow[n]:.1f}" for n in sorted(slow, key=slow.__getitem__)[:-9:-1])
    )


def _show(verdicts: Sequence[Verdict]) -> None:
    for v in verdicts:
        if v.outcome != RIGHT:
            key = "-" if v.item.key is None else v.item.key.value
            print(
                f"{v.outcome:15}{v.told.confidence:5.2f} {v.item.section:15}{v.sentence!r} at "
                f"{v.item.time:g}: {v.told.text!r}; key {key!r}"
            )


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
