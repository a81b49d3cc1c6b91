"""Published figures beside ours: on the same files where they are to be had, and from the same columns.

Three kinds of proof. *Files*: published answers or marks, scored here. *Runs*: a run of ours on an imported
set, by a system that the paper names. *Columns*: a paper's overall figure, computed again from its own
columns by the aggregation that is used here. Everything else is listed as what it is: not run.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from situ.benchmarks.official.files import SourceFiles
from situ.benchmarks.official.records import read_records
from situ.benchmarks.saw.plan import QUESTIONS as SAW_QUESTIONS
from situ.benchmarks.vsi.official import COLUMNS as VSI_COLUMNS
from situ.benchmarks.vsi.official import read_official as read_vsi
from situ.benchmarks.vsi.reader import BOXES
from situ.benchmarks.vsi.reader import read_vsi as read_rooms
from situ.benchmarks.vsi.reproduce import outcomes, results
from situ.errors import BadInput, SituError
from situ.evaluation.benchmark import BENCHMARKS, protocol_of
from situ.evaluation.protocols.base import Protocol, Published
from situ.evaluation.records.answer import Reply
from situ.evaluation.runs.run_folder import Run
from situ.evaluation.runs.score import scored
from situ.evaluation.stats.intervals import interval_of
from situ.evaluation.stats.llm_match import llm_match

SAME, INSIDE, EXPLAINED, DIFFERS, NOT_RUN = "same", "inside our interval", "explained", "differs", "not run"
ROUNDING = 0.051  # a figure printed with one digit
# Figures of files that come without a paper's table of their own.
KNOWN_FILES = {"blind-gpt4": 36.16, "llava-next": 40.85, "Gemini 3 Flash": 48.13}
# Published files that contradict each other: what is found where our reading is right, and why.
EXPLANATIONS = {
    "object_counting": (
        99.16,
        "two published counts are not the number of published boxes: 12 ceiling lights, 10 boxes in scene "
        "38d58a7a31; 1 refrigerator, 2 boxes in scene 09c1414f1b",
    ),
}


@dataclass(frozen=True)
class Line:
    """One row of the table. Figures are in percent; None where there is none."""

    benchmark: str
    system: str
    published: float | None
    ours: float | None
    proof: str
    status: str
    data: str = ""

    @property
    def difference(self) -> float | None:
        return None if self.ours is None or self.published is None else self.ours - self.published


def verification(data: Path | None = None, runs: Sequence[Run] = ()) -> list[Line]:
    """Every figure that can be checked, and every published row that was not."""
    found = [*_files(data)] if data else []
    found += _columns()
    for protocol in (benchmark.protocol for benchmark in BENCHMARKS.values()):
        found += [_row(protocol, row, runs) for row in protocol.published]
    return found


def _status(published: float | None, ours: float | None, inside: bool = False) -> str:
    if ours is None or published is None:
        return NOT_RUN
    if abs(ours - published) <= ROUNDING:
        return SAME
    return INSIDE if inside else DIFFERS


def _files(data: Path) -> Iterator[Line]:
    """Scores of published answers and marks below a folder."""
    for path in sorted(data.rglob("*-predictions-metrics.json")):
        marks = [int(mark) for record in read_records(path) for mark in record.values()]
        match = llm_match(marks)
        name = path.name.removesuffix("-predictions-metrics.json")
        known = KNOWN_FILES.get(name)
        proof = f"marks of {match.graded} answers"
        yield Line("OpenEQA", name, known, match.score, proof, _status(known, match.score), path.name)
    yield from vsi_replies(data)
    for folder in sorted({path.parent for path in data.rglob(BOXES)}):
        yield from _vsi_boxes(folder)


def vsi_replies(data: Path) -> Iterator[Line]:
    """Tables of VSI-Bench questions with a model's prediction, scored by the official parser."""
    protocol = protocol_of("vsi")
    try:
        tables = list(SourceFiles(data).tables((*VSI_COLUMNS, "prediction")))
    except BadInput:
        return
    for path, records in tables:
        rows = {row.id: row for row in read_vsi(SourceFiles(path), words_only=True).rows}
        answers = []
        for record in records:
            row = rows[f"{record['dataset']}-{record['scene_name']}-{record['id']}"]
            answers.append(scored(protocol, "official", row, Reply(str(record["prediction"]))))
        system = str(records[0].get("model", path.stem))
        score = 100 * protocol.aggregate.score(answers)
        known = KNOWN_FILES.get(system)
        yield Line(
            "VSI-Bench", system, known, score,
            f"{len(answers)} raw replies, official parser, mean over tasks", _status(known, score), path.name,
        )  # fmt: skip


def _vsi_boxes(folder: Path) -> Iterator[Line]:
    """The published keys of VSI-Bench, computed again from the boxes."""
    try:
        found = results(list(outcomes(read_rooms(folder))))
    except SituError:
        return
    for line in found:
        ours = 100 * line.score if line.answered else None
        proof = (
            f"{line.answered} of {line.asked} keys computed from boxes"
            if line.answered
            else "needs the videos"
        )
        status = _status(100.0, ours)
        expected, why = EXPLANATIONS.get(line.question_type, (100.0, ""))
        if status == DIFFERS and _status(expected, ours) == SAME:
            status, proof = EXPLAINED, f"{proof}; {why}"
        yield Line("VSI-Bench keys", line.question_type, 100.0, ours, proof, status, BOXES)


def _columns() -> Iterator[Line]:
    """Overall figures from the papers' own columns."""
    for row in protocol_of("rem").published:
        if len(row.tasks) == 4:
            ours = float(np.mean(list(row.tasks.values())))
            yield _recomputed("REM", row, ours, "mean of its four columns")
    for row in protocol_of("saw").published:
        if len(row.tasks) == len(SAW_QUESTIONS):
            weights = [SAW_QUESTIONS[task] for task in row.tasks]
            ours = float(np.average(list(row.tasks.values()), weights=weights))
            yield _recomputed("SAW-Bench", row, ours, "its six columns, weighted by questions")


def _recomputed(benchmark: str, row: Published, ours: float, proof: str) -> Line:
    return Line(benchmark, row.system, row.overall, ours, proof, _status(row.overall, ours), row.data)


def _row(protocol: Protocol, row: Published, runs: Sequence[Run]) -> Line:
    """A published row with our run of that system on an imported set, where there is one."""
    for run in (run for run in runs if run.records):
        recipe: Mapping[str, Any] = run.card.get("recipe", {})
        if run.card["protocol"] == protocol.benchmark and "imported" in recipe and _is(row.system, run.name):
            ours = 100 * protocol.aggregate.score(run.records)
            interval = interval_of(run.records, protocol.aggregate)
            inside = interval is not None and interval.holds(row.overall / 100)
            proof = f"{len(run.records)} questions, {run.card.get('preset') or 'no preset'}"
            status = _status(row.overall, ours, inside)
            return Line(protocol.title, row.system, row.overall, ours, proof, status, row.data)
    return Line(protocol.title, row.system, row.overall, None, "", NOT_RUN, row.data)


def _is(system: str, name: str) -> bool:
    """Whether every word of a published name is in a run's; `frequent` is the most frequent answer."""
    words = set(re.findall(r"[a-z0-9.]+", name.lower().replace("frequent", "most frequent answer")))
    return set(re.findall(r"[a-z0-9.]+", system.lower())) <= words


def as_page(lines: Sequence[Line], command: str) -> str:
    """The table as a page of the documentation."""
    checked = [line for line in lines if line.status != NOT_RUN]
    same = sum(line.status in (SAME, INSIDE) for line in checked)
    explained = sum(line.status == EXPLAINED for line in checked)
    head = [
        "# Verification",
        "",
        "Published figures, computed again here. A command writes this page:",
        "",
        f"    {command}",
        "",
        f"{len(checked)} figures were computed again: {same} agree, {explained} can be explained, "
        f"{len(checked) - same - explained} differ. "
        f"{len(lines) - len(checked)} published rows were not run, because the videos or the models were not "
        "available. To fill them in, import the set, run the preset, and pass the runs to the command:",
        "",
        "    situ import saw ucsbai/SAW-Bench --out sets/saw",
        "    situ eval sets/saw --preset saw-table2 --model google/gemini-3-flash --out runs/saw-flash",
        "    situ lab reproduce --runs runs --out docs/verification.md",
        "",
        "*same*: equal to the printed digits. *inside our interval*: the published figure lies in the 95 % "
        "interval of our run. *explained*: the published files contradict each other, and the difference "
        "follows from that. *differs*: none of these.",
    ]
    return "\n".join([*head, *_tables(lines)]) + "\n"


def _tables(lines: Sequence[Line]) -> Iterator[str]:
    """Figures that agree are counted; the others stand in rows of their own."""
    agreeing: dict[tuple[str, str], list[Line]] = {}
    for line in lines:
        if line.status in (SAME, INSIDE):
            agreeing.setdefault((line.benchmark, line.data), []).append(line)
    yield "\n## Figures that agree\n"
    yield "| benchmark | measured on | figures | largest difference |"
    yield "|---|---|---|---|"
    for (benchmark, data), found in agreeing.items():
        largest = max(abs(line.difference or 0.0) for line in found)
        yield f"| {benchmark} | {data} | {len(found)} | {largest:.2f} |"
    others = [line for line in lines if line.status in (EXPLAINED, DIFFERS)]
    if others:
        yield "\n## Figures that do not\n"
        yield "| benchmark | system or part | published | ours | status | how |"
        yield "|---|---|---|---|---|---|"
    for line in others:
        figures = (_figure(line.published), _figure(line.ours))
        cells = (line.benchmark, line.system, *figures, line.status, line.proof)
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
    missing = Counter(line.benchmark for line in lines if line.status == NOT_RUN)
    if missing:
        yield "\n## Not run\n"
        yield "`situ lab papers` prints these rows.\n"
        yield "| benchmark | rows |"
        yield "|---|---|"
        yield from (f"| {benchmark} | {rows} |" for benchmark, rows in missing.items())


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
