"""Whether each row agrees with itself: its program gives its key, margin, evidence and strata."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.ucs.asking import last_seen
from situ.errors import SituError
from situ.evaluation.benchmark import BENCHMARKS
from situ.questions import Answer
from situ.recording import Recording
from situ.state import TruthState


def row_problems(recording: Recording, rows: Sequence[QuestionRow]) -> list[str]:
    """What each row says that its program or its recording does not."""
    truth = TruthState.of(recording)
    benchmark = BENCHMARKS.get(str(recording.meta.get("benchmark")))
    facts = dict(benchmark.facts(recording, truth)) if benchmark is not None and benchmark.facts else {}
    # Tasks of one benchmark are asked over recordings of another, too.
    programs = {task: kinds for one in BENCHMARKS.values() for task, kinds in one.programs.items()}
    strict = benchmark is not None and bool(benchmark.programs)
    found = []
    for row in rows:
        problems = [*_problems(recording, truth, row, programs, strict, facts)]
        found += [f"{row.id}: {problem}" for problem in problems]
    return found


def _problems(
    recording: Recording,
    truth: TruthState,
    row: QuestionRow,
    programs: Mapping[str, tuple[str, ...]],
    strict: bool,
    facts: Mapping[str, Any],
) -> Iterator[str]:
    if row.options and (row.answer not in row.options or len(set(row.options)) < len(row.options)):
        yield f"the options {list(row.options)} do not hold '{row.answer}' once and differ"
    if any(not 0 <= frame < len(recording) for frame in row.evidence):
        yield f"its evidence names frames outside 0 to {len(recording) - 1}"
        return
    if row.time is not None and not 0 <= row.time <= recording.path.times[-1] + 1e-6:
        yield f"it is asked at {row.time} s, the recording ends at {recording.path.times[-1]:g} s"
    if not row.program:
        return
    try:
        question = row.question
        state = truth if row.time is None else truth.as_of(row.time)
        answer = question.answer(state)
        if row.evidence and not answer.evidence:  # a program that measures does not say what it goes by
            answer = replace(answer, evidence=last_seen(question, state))
    except (SituError, KeyError, TypeError, ValueError, IndexError) as error:
        yield f"its program cannot be run ({error})"
        return
    if question.kind not in programs.get(row.task, () if strict else (question.kind,)):
        yield f"a question of the task {row.task} has the program {question.kind}"
    yield from _differences(row, answer, question.min_margin)
    offered = set(question.options)
    if offered and row.options and not set(row.options) <= offered:
        yield f"it offers {sorted(set(row.options) - offered)}, which its program does not know"
    yield from _strata(recording, row, answer, facts)


def _differences(row: QuestionRow, answer: Answer, least: float) -> Iterator[str]:
    if answer.text != row.answer:
        yield f"its program gives '{answer.text}', the key says '{row.answer}'"
    if not math.isclose(answer.margin, row.margin, rel_tol=1e-6, abs_tol=1e-6) or row.margin < least:
        yield f"its margin is {row.margin:g}, its program gives {answer.margin:g}; {least:g} is needed"
    if tuple(answer.evidence) != tuple(row.evidence):
        yield "its evidence is not that of its program"


def _strata(
    recording: Recording, row: QuestionRow, answer: Answer, facts: Mapping[str, Any]
) -> Iterator[str]:
    """Strata that follow from the recording or from the answer."""
    times = recording.path.times
    known: dict[str, Any] = {k: v for k, v in (answer.numbers or {}).items() if k in row.strata}
    known |= facts
    if row.program.get("frames"):
        known["frames"] = len(row.program["frames"])
    if row.time is not None and row.evidence and "evidence_age_s" in row.strata:
        ends = [float(times[i]) for i in (min(row.evidence), max(row.evidence))]
        known |= {"evidence_age_s": row.time - ends[1], "evidence_span_s": ends[1] - ends[0]}
        known["since_start_s"] = row.time - float(times[0])
    for name, value in known.items():
        given = row.strata.get(name)
        near = isinstance(given, (int, float)) and not isinstance(value, str) and abs(given - value) < 2e-3
        if given != value and not near:
            yield f"the stratum {name} is {given!r}, the recording gives {value!r}"
