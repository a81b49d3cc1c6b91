"""Figures of UCS-Bench: `python -m benchmarks.ucs [speed|check|audit|memory|causes|author] [SET ...]`.

Sets are folders made by `situ make ucs`; without any, one small set is made in a temporary folder. Tables
go to stdout as JSON lines, wrong answers to stderr. Recordings are shared out over all cores; times are CPU
seconds of this process.
"""

import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

from situ.authoring.author import author
from situ.authoring.blind import Posed, blind_test
from situ.authoring.items import read_items
from situ.benchmarks.balance import Candidate
from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.benchmarks.make import make_dataset
from situ.benchmarks.ucs.check import check_item
from situ.benchmarks.ucs.choose import choose_carelessly
from situ.benchmarks.ucs.film import write_day
from situ.benchmarks.ucs.published import INTERVALS_S, SUBTASKS
from situ.benchmarks.ucs.recipe import UcsRecipe
from situ.errors import Unanswerable
from situ.evaluation.attribution.attribute import cause_of
from situ.evaluation.audit import audit_rows
from situ.evaluation.participants.simulated import FAULTS
from situ.evaluation.participants.stages import StagedMemory
from situ.pool import spread, workers
from situ.recording import Recording
from situ.state import TruthState, Visibility
from situ.worlds.days import DaySpec, simulate

T = TypeVar("T")
LONGEST_FRAMES = 1800
FOLDER = Path("../shared/fixtures/openeqa/open-eqa-v0.json")


def speed(hours: float = 2.0) -> None:
    """A long stream: the day itself, and the day with what each frame shows."""
    recipe = UcsRecipe(seed=77)
    start = time.process_time()
    day = simulate(DaySpec(hours * 3600.0, 1, 6), np.random.default_rng(77))
    simulated = time.process_time() - start
    with tempfile.TemporaryDirectory() as folder:
        write_day(Path(folder) / "day", day, recipe.camera, 1.0)
    total = time.process_time() - start
    _print("speed", hours=hours, simulated_s=round(simulated, 1), with_what_is_seen_s=round(total, 1))


def check(sets: Sequence[Dataset], jobs: int) -> None:
    """Keys derived twice, and derived again from a recording that ends when the question is asked."""
    found = [result for _, result in _each(sets, jobs, _check_item)]
    _print(
        "check",
        sets=len(sets),
        items=len(found),
        questions=sum(questions for questions, _, _ in found),
        disagreements=sum(problems for _, problems, _ in found),
        differ_when_cut=sum(cut for _, _, cut in found),
    )


def _check_item(job: tuple[Path, int, str]) -> tuple[int, int, int]:
    dataset, rows = _opened(job)
    recording = dataset.recording(job[2])
    problems = check_item(recording, rows)
    for problem in problems:
        print(problem, file=sys.stderr)
    return len(rows), len(problems), sum(_differs_when_cut(recording, row) for row in rows)


def _differs_when_cut(recording: Recording, row: QuestionRow) -> bool:
    """Whether a key changes when frames, events and things after the question are taken away."""
    assert row.time is not None
    whole = TruthState.of(recording, Visibility(**recording.meta["visibility"]))
    late = {e.object_id for e in recording.events if e.kind == "appeared" and e.time > row.time}
    cut = TruthState(
        recording.path.until(row.time),
        {i: thing for i, thing in recording.objects.items() if i not in late},
        {i: [s for s in whole.sightings(i) if s.time <= row.time] for i in recording.objects},
        [event for event in recording.events if event.time <= row.time],
    )
    return row.question.answer(cut).text != row.answer


def audit(sets: Sequence[Dataset], jobs: int) -> None:
    """Guessing without looking, before and after: questions as they come, and as they are chosen."""
    after = [row for dataset in sets for row in _named(dataset, dataset.questions)]
    before = [row for dataset in sets for row in _named(dataset, _as_they_come(dataset, jobs))]
    for name, rows in (("before", before), ("after", after)):
        for binary in (True, False):
            mine = [row for row in rows if (len(row.options) == 2) == binary]
            posed = [Posed(row.item, row.text, row.options, row.options.index(row.answer)) for row in mine]
            guessed = blind_test(posed)
            attacks: Counter[str] = Counter()
            for result in audit_rows(mine):
                attacks[result.attack] += round(result.accuracy * result.questions)
            _print(
                "audit",
                when=name,
                options=2 if binary else 5,
                questions=len(mine),
                chance=round(100 * guessed.chance, 1),
                guesser=round(100 * guessed.accuracy, 1),
                **{attack: round(100 * right / len(mine), 1) for attack, right in attacks.items()},
            )


def _as_they_come(dataset: Dataset, jobs: int) -> list[QuestionRow]:
    """The same recordings asked carelessly."""
    proposed = dict(result for _, result in _each([dataset], jobs, _propose_item))
    quotas = Counter(row.task for row in dataset.questions)
    candidates = [candidate for number in sorted(proposed) for candidate, _ in proposed[number]]
    chosen = choose_carelessly(candidates, quotas, np.random.default_rng(_recipe(dataset).seed))
    return [proposed[c.item][c.number][1] for c in chosen]


def _propose_item(job: tuple[Path, int, str]) -> tuple[int, list[tuple[Candidate, QuestionRow]]]:
    dataset = Dataset.open(job[0])
    number = list(dataset.items).index(job[2])
    return number, _recipe(dataset).propose(number, dataset.recording(job[2]))


def _recipe(dataset: Dataset) -> UcsRecipe:
    return UcsRecipe(
        **{key: value for key, value in dataset.manifest["recipe"].items() if key != "benchmark"}
    )


def _named(dataset: Dataset, rows: Sequence[QuestionRow]) -> list[QuestionRow]:
    """Rows of several sets side by side: their items must not be mixed up."""
    return [QuestionRow(**{**vars(row), "item": f"{dataset.folder.name}/{row.item}"}) for row in rows]


def memory(
    sets: Sequence[Dataset], jobs: int, who: Sequence[str] = ("memory-oracle", "memory-noisy")
) -> None:
    """What a memory answers, by subtask and by the age of the evidence."""
    answered = [answer for _, some in _each(sets, jobs, _memory_item, tuple(who)) for answer in some]
    order = ["overall", *SUBTASKS, *(_interval(edge) for edge in INTERVALS_S)]
    for name in who:
        asked: Counter[str] = Counter()
        right: Counter[str] = Counter()
        for whose, task, interval, good in answered:
            if whose == name:
                asked.update(("overall", task, interval))
                right.update(("overall", task, interval) if good else ())
        table = {key: f"{100 * right[key] / asked[key]:.1f} ({asked[key]})" for key in order if asked[key]}
        share = sum(SUBTASKS[key].share * right[key] / asked[key] for key in SUBTASKS if asked[key])
        _print("memory", who=name, at_published_shares=round(share, 1), **table)


def _memory_item(job: tuple[Path, int, str, tuple[str, ...]]) -> list[tuple[str, str, str, bool]]:
    dataset, rows = _opened(job)
    recording = dataset.recording(job[2])
    answered = []
    for name in job[3]:
        staged = StagedMemory(FAULTS[name][0])
        for row in rows:
            found = _answer(staged, recording, row)
            age = _interval(float(row.strata["evidence_age_s"] or 0.0))
            answered.append((name, row.task, age, found == row.answer))
            if found != row.answer:
                wrong = (name, job[0].name, row.id, row.task, row.time, row.text, row.answer, found)
                print(*wrong, sep=" | ", file=sys.stderr)
    return answered


def causes(sets: Sequence[Dataset], jobs: int) -> None:
    """Which stage failures are laid to, for each injected fault; streams of up to half an hour."""
    found: dict[str, Counter[str]] = {name: Counter() for name in FAULTS}
    for _, some in _each(sets, jobs, _causes_item):
        for name, cause in some:
            found[name][cause] += 1
    for name, counted in found.items():
        total = sum(counted.values())
        shares = {cause: round(100 * count / total, 1) for cause, count in counted.most_common()}
        _print("causes", who=name, failures=total, **shares)


def _causes_item(job: tuple[Path, int, str]) -> list[tuple[str, str]]:
    dataset, rows = _opened(job)
    recording = dataset.recording(job[2])
    found: list[tuple[str, str]] = []
    if len(recording) > LONGEST_FRAMES:
        return found
    for name in FAULTS:
        staged = StagedMemory(FAULTS[name][0])
        for row in rows:
            if _answer(staged, recording, row) != row.answer:
                found.append((name, cause_of(staged, recording, row)[0]))
    return found


def _each(
    sets: Sequence[Dataset], jobs: int, work: Callable[..., T], *more: object
) -> Iterator[tuple[int, T]]:
    """The result for every recording of every set, the longest recordings first."""
    wanted = [(dataset.folder, 0, item, *more) for dataset in sets for item in dataset.items]
    wanted.sort(key=lambda job: -len(Recording.open(job[0] / "items" / job[2])))  # type: ignore[operator]
    with workers(jobs) as pool:
        yield from spread(pool, work, wanted)


def _opened(job: tuple) -> tuple[Dataset, list[QuestionRow]]:  # type: ignore[type-arg]
    dataset = Dataset.open(job[0])
    return dataset, [row for row in dataset.questions if row.item == job[2]]


def human(limit: int = 200) -> None:
    """Options for questions that people wrote."""
    items, problems = read_items(FOLDER)
    made = author(items[:limit])
    many = [item for item in made.items if len(item.options) > 2]
    longest = float(np.mean([len(i.answer) >= max(map(len, i.options)) for i in many]))
    _print(
        "author",
        questions=len(made.items),
        left_out=len(problems) + len(made.problems),
        truth_is_longest=round(longest, 3),
        blind_before=round(made.before.accuracy, 3),
        blind_after=round(made.after.accuracy, 3),
        chance=round(made.after.chance, 3),
    )


def _answer(staged: StagedMemory, recording, row: QuestionRow) -> str:  # type: ignore[no-untyped-def]
    try:
        return staged.answer(recording, row)
    except Unanswerable:
        return ""


def _interval(age_s: float) -> str:
    low = max(edge for edge in INTERVALS_S if edge <= age_s)
    return f"evidence {low:g} s and older"


def _print(figure: str, **values: object) -> None:
    print(json.dumps({"figure": figure, **values}), flush=True)


def main() -> None:
    known = {"check": check, "audit": audit, "memory": memory, "causes": causes}
    words = sys.argv[1:] if sys.argv[0].endswith("ucs.py") else []
    wanted = [word for word in words if word in (*known, "speed", "author")] or ["speed", "check", "memory"]
    folders = [Path(word) for word in words if word not in (*known, "speed", "author")]
    jobs = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as temporary:
        sets = [Dataset.open(folder) for folder in folders]
        if not sets and set(wanted) & set(known):
            sets = [make_dataset(UcsRecipe(0.004, 5, hours=0.2, questions=60), Path(temporary) / "set")]
        for name in wanted:
            if name == "speed":
                speed()
            elif name == "author":
                human()
            else:
                known[name](sets, jobs)


if __name__ == "__main__":
    main()
