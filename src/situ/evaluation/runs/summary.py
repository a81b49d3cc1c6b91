"""A run in numbers: scores with intervals, per task and per stratum, and what became of every question."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from situ.benchmarks.dataset import QuestionRow
from situ.display import card, note, table
from situ.evaluation.participants.base import possible_answers
from situ.evaluation.protocols.base import Analysis, Protocol, stratum_value
from situ.evaluation.records.answer import AnswerRecord, Status
from situ.evaluation.stats.aggregate import MICRO
from situ.evaluation.stats.agreement import krippendorff_alpha
from situ.evaluation.stats.intervals import Interval, interval_of, wilson
from situ.evaluation.stats.llm_match import FORMULA, LlmMatch, llm_match, stability
from situ.evaluation.stats.power import correlation_of, minimal_detectable_difference

MOST_VALUES, LEAST_VALUES = 12, 2
TYPICAL_DISCORDANT = 0.3


@dataclass(frozen=True)
class Score:
    """A share of points, and its interval over recordings where there are enough of them."""

    name: str
    questions: int
    value: float
    interval: Interval | None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Strata:
    """One analysis: scores of its strata, for all questions or task by task."""

    title: str
    series: Mapping[str, tuple[Score, ...]]


@dataclass(frozen=True)
class Summary:
    formula: str
    overall: Score
    tasks: tuple[Score, ...]
    statuses: Mapping[str, int]
    rules: Mapping[str, int]
    items: int
    correlation: float
    detectable: float
    tendencies: tuple[Score, ...] = ()
    expected_by_chance: float | None = None
    llm_match: LlmMatch | None = None
    judge_stability: Score | None = None
    judge_alpha: float | None = None
    stops: Mapping[str, int] = field(default_factory=dict)  # replies that ended otherwise than by themselves

    def __repr__(self) -> str:
        return f"<Score {_told(self.overall)} of {self.overall.questions} questions>"

    def _repr_html_(self) -> str:
        """For notebooks: a row for each task."""
        rows = [(s.name, str(s.questions), *_figures(s)) for s in (*self.tasks, self.overall)]
        return card(
            f"{_told(self.overall)} of {self.overall.questions} questions about {self.items} recordings",
            table(("task", "n", "score %", "95 % interval"), rows),
            note(self.formula),
        )

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "llm_match_formula": FORMULA if self.llm_match else None}


def _figures(score: Score) -> tuple[str, str]:
    between = score.interval
    ends = "too few recordings" if between is None else f"{100 * between.low:.1f} – {100 * between.high:.1f}"
    return f"{100 * score.value:.1f}", ends


def _told(score: Score) -> str:
    value, ends = _figures(score)
    return f"{value} % [{ends}]"


def summarise(
    protocol: Protocol, records: Sequence[AnswerRecord], rows: Sequence[QuestionRow] = ()
) -> Summary:
    """The numbers of a run. With the rows at hand, also what guessing is expected to score."""
    tasks = sorted({record.task for record in records})
    per_item = len(records) / max(1, len({record.item for record in records}))
    correlation = correlation_of(records)
    marks = [record.mark for record in records if record.mark is not None]
    return Summary(
        protocol.formula,
        score_of("overall", records, protocol),
        tuple(score_of(task, [r for r in records if r.task == task], protocol) for task in tasks),
        dict(Counter(record.status.value for record in records)),
        dict(Counter(record.rule for record in records if record.status is Status.ANSWERED).most_common()),
        len({record.item for record in records}),
        correlation,
        minimal_detectable_difference(len(records), per_item, correlation, TYPICAL_DISCORDANT),
        tuple(tendencies(protocol, records)),
        chance_score(protocol, records, rows) if rows else None,
        llm_match(marks) if marks else None,
        judge_stability(records),
        judge_alpha(records),
        dict(Counter(r.stop for r in records if r.stop not in ("", "stop"))),
    )


def judge_stability(records: Sequence[AnswerRecord]) -> Score | None:
    """The share of twice graded answers that got the same mark both times; None where none was."""
    pairs = _marked_twice(records)
    if not pairs:
        return None
    share = stability([first for first, _ in pairs], [second for _, second in pairs])
    return Score("same mark twice", len(pairs), share, wilson(share * len(pairs), len(pairs)))


def judge_alpha(records: Sequence[AnswerRecord]) -> float | None:
    """Krippendorff's alpha between a judge's first and second marks; None where it cannot be told."""
    return krippendorff_alpha(_marked_twice(records))


def _marked_twice(records: Sequence[AnswerRecord]) -> list[tuple[int, int]]:
    return [(r.mark, r.second_mark) for r in records if r.mark is not None and r.second_mark is not None]


def score_of(name: str, records: Sequence[AnswerRecord], protocol: Protocol) -> Score:
    """A score under the protocol's aggregation; for a single task that is the mean of its points."""
    aggregate = protocol.aggregate if len({r.task for r in records}) > 1 else MICRO
    return Score(name, len(records), aggregate.score(records), interval_of(records, aggregate))


def tendencies(protocol: Protocol, records: Sequence[AnswerRecord]) -> Iterator[Score]:
    """Shares of answers that lean one way, for every tendency that has questions."""
    for tendency in protocol.tendencies:
        mine = [r for r in records if r.status is Status.ANSWERED and tendency.applies(r)]
        if mine:
            leaning = [_with_points(record, float(tendency.leans(record))) for record in mine]
            yield score_of(tendency.title, leaning, protocol)


def chance_score(protocol: Protocol, records: Sequence[AnswerRecord], rows: Sequence[QuestionRow]) -> float:
    """What picking at random among the options (or the numbers of the task) is expected to score."""
    known = possible_answers(rows)
    by_id = {row.id: row for row in rows}
    expected = []
    for record in records:
        row = by_id.get(record.id)
        if row is None:
            continue
        choices = row.options or known[row.task]
        points = sum(protocol.points(row, choice) for choice in choices) / len(choices)
        expected.append(_with_points(record, points))
    return protocol.aggregate.score(expected)


def _with_points(record: AnswerRecord, points: float) -> AnswerRecord:
    return AnswerRecord(
        record.id, record.item, record.task, record.key, "", None, "", Status.ANSWERED, "", points
    )


def analyses(protocol: Protocol, records: Sequence[AnswerRecord]) -> list[Strata]:
    """The protocol's own analyses, and one for every other stratum that is a word of a handful."""
    own = [strata for strata in (cut(a, protocol, records) for a in protocol.analyses) if strata]
    named = {strata.title for strata in own}
    for name in sorted({name for record in records for name in record.strata}):
        title = name.replace("_", " ")
        values = {record.strata[name] for record in records if isinstance(record.strata.get(name), str)}
        if title not in named and LEAST_VALUES <= len(values) <= MOST_VALUES:
            extra = cut(Analysis(title, stratum_value(name), by_task=True), protocol, records)
            own += [extra] if extra else []
    return own


def cut(analysis: Analysis, protocol: Protocol, records: Sequence[AnswerRecord]) -> Strata | None:
    """Scores by stratum; None where fewer than two strata have questions."""
    placed = [(analysis.stratum(record), record) for record in records]
    groups: dict[str, list[tuple[str, AnswerRecord]]] = {}
    for stratum, record in placed:
        if stratum is not None:
            groups.setdefault(record.task if analysis.by_task else "all", []).append((stratum, record))
    series = {}
    for name, members in sorted(groups.items()):
        strata = sorted({stratum for stratum, _ in members}, key=_order(analysis))
        if len(strata) >= LEAST_VALUES:
            series[name] = tuple(
                score_of(stratum, [r for s, r in members if s == stratum], protocol) for stratum in strata
            )
    return Strata(analysis.title, series) if series else None


def _order(analysis: Analysis) -> Any:
    def key(stratum: str) -> tuple[int, float, str]:
        if stratum in analysis.order:
            return analysis.order.index(stratum), 0.0, stratum
        try:
            return len(analysis.order), float(stratum.split()[-1]), stratum
        except ValueError:
            return len(analysis.order), 0.0, stratum

    return key
