"""What a study found: scores of people, their agreement, the ceiling, and what thin margins cost."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from situ.benchmarks.dataset import QuestionRow
from situ.evaluation.protocols.base import Protocol
from situ.evaluation.records.answer import AnswerRecord, Reply, Status
from situ.evaluation.runs.score import parser_name, scored
from situ.evaluation.stats.aggregate import MICRO, Aggregate, macro
from situ.evaluation.stats.intervals import Interval, interval_of
from situ.study.agreement import Agreement, agreement
from situ.study.design import SCORED, Exclusion
from situ.study.exclusion import Conduct, conduct
from situ.study.intervals import TOO_FEW_PEOPLE, Vote, mean_interval, share_interval, spread_of
from situ.study.store import Given

CANNOT_TELL = "cannot tell"
MANY, LEAST_TIMED = (
    20,
    12,
)  # answers before a leaning is told; questions before times are held against margins
Rows = Mapping[tuple[str, str], QuestionRow]


@dataclass(frozen=True)
class Level:
    """A share of points over people and recordings. `note` says where the interval is over less."""

    name: str
    answers: int
    value: float
    interval: Interval | None
    note: str = ""


@dataclass(frozen=True)
class Leaning:
    """How much more often something is answered than it is right, as a share of answers."""

    what: str
    value: float
    interval: Interval | None


@dataclass(frozen=True)
class Ceiling:
    """What people reach together. Leaving out disputed questions selects the easy ones: an upper bound."""

    mean: float
    majority: float
    undisputed: float | None
    questions: int
    disputed: int


@dataclass(frozen=True)
class Timing:
    """Seconds of answers from thin to wide margins, in thirds of each task, with the share right;
    `correlation` is Spearman's between margin and seconds, within tasks."""

    task: str
    correlation: float | None
    thirds: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class StudyScore:
    people: tuple[Conduct, ...]
    kept: int
    micro: Level
    macro: Level
    tasks: tuple[Level, ...]
    each: tuple[Level, ...]
    agreement: Mapping[str, Agreement]
    ceiling: Ceiling
    leanings: tuple[Leaning, ...]
    timing: tuple[Timing, ...]
    votes: tuple[Vote, ...]

    def to_json(self) -> dict[str, Any]:
        return {k: v for k, v in asdict(self).items() if k != "votes"}


def score(rows: Rows, protocol: Protocol, answers: Sequence[Given], rule: Exclusion) -> StudyScore:
    """The score of the people that the rule keeps. `rows` by source and id."""
    parser = parser_name(protocol)

    def record(given: Given) -> AnswerRecord:
        reply = Reply(given.answer, CANNOT_TELL if given.cannot_tell else "", given.answer_ms / 1000)
        return scored(protocol, parser, rows[given.source, given.question], reply)

    behaved = conduct(answers, rule, lambda given: record(given).points >= 1.0)
    mine = [g for g in answers if g.role == SCORED and not behaved[g.person].excluded]
    votes = [Vote(given.person, record(given)) for given in mine]
    tasks = sorted({vote.record.task for vote in votes})
    said = _said(votes)
    people = sorted({vote.person for vote in votes})
    return StudyScore(
        tuple(behaved.values()),
        len(people),
        level("all questions", votes, MICRO),
        level("mean over tasks", votes, macro()),
        tuple(level(task, [v for v in votes if v.record.task == task], MICRO) for task in tasks),
        tuple(_one(person, [v for v in votes if v.person == person]) for person in people),
        {"all": agreement(said), **{task: agreement(_said(votes, task)) for task in tasks}},
        ceiling(votes, rows, protocol),
        tuple(leanings(mine, votes, rows)),
        tuple(_timing(task, mine, votes, rows) for task in tasks),
        tuple(votes),
    )


def level(name: str, votes: Sequence[Vote], aggregate: Aggregate) -> Level:
    records = [vote.record for vote in votes]
    if not records:
        return Level(name, 0, 0.0, None, "no answers")
    value = aggregate.score(records)
    found = spread_of(votes, [vote.points for vote in votes], aggregate)
    if found is not None:
        return Level(name, len(votes), value, share_interval(found))
    return Level(name, len(votes), value, interval_of(records, aggregate), TOO_FEW_PEOPLE)


def _one(person: int, votes: Sequence[Vote]) -> Level:
    """One person: over the recordings that they answered about."""
    records = [vote.record for vote in votes]
    return Level(f"person {person}", len(votes), MICRO.score(records), interval_of(records, MICRO))


def _claim(record: AnswerRecord) -> str:
    return CANNOT_TELL if record.status is Status.REFUSED else record.claim or record.reply


def _said(votes: Sequence[Vote], task: str = "") -> dict[str, dict[int, str]]:
    found: dict[str, dict[int, str]] = {}
    for vote in votes:
        if not task or vote.record.task == task:
            found.setdefault(vote.record.id, {})[vote.person] = _claim(vote.record)
    return found


def ceiling(votes: Sequence[Vote], rows: Rows, protocol: Protocol) -> Ceiling:
    """Mean, majority and undisputed score, each question counted once."""
    by_question: dict[str, list[Vote]] = {}
    for vote in votes:
        by_question.setdefault(vote.record.id, []).append(vote)
    means = {name: sum(v.points for v in mine) / len(mine) for name, mine in by_question.items()}
    majority = {name: _majority(mine) for name, mine in by_question.items()}
    agreed = [
        n for n, mine in by_question.items() if len({_claim(v.record) for v in mine}) == 1 and len(mine) > 1
    ]
    shared = sum(len(mine) > 1 for mine in by_question.values())
    count = max(1, len(means))
    return Ceiling(
        sum(means.values()) / count,
        sum(majority.values()) / count,
        sum(means[name] for name in agreed) / len(agreed) if agreed else None,
        len(means),
        shared - len(agreed),
    )


def _majority(votes: Sequence[Vote]) -> float:
    """Points of what most people said; where several answers tie, their mean."""
    counts = Counter(_claim(vote.record) for vote in votes)
    most = max(counts.values())
    points = {_claim(vote.record): vote.points for vote in votes}
    tied = [points[word] for word, n in counts.items() if n == most]
    return sum(tied) / len(tied)


def leanings(answers: Sequence[Given], votes: Sequence[Vote], rows: Rows) -> list[Leaning]:
    """The first place on the screen, and every answer that is common: chosen minus right, by answer."""
    pairs = [(g, v) for g, v in zip(answers, votes, strict=True) if rows[g.source, g.question].options]
    if len(pairs) < MANY:
        return []

    def key_place(given: Given) -> int:
        row = rows[given.source, given.question]
        return given.order.index(row.options.index(row.answer))

    found = [
        _leaning(
            "the first place on the screen",
            pairs,
            lambda g, v: g.shown_at == 0,
            lambda g, v: not key_place(g),
        )
    ]
    words = Counter(v.record.key for _, v in pairs)
    for word in [w for w, n in words.most_common(12) if n >= MANY]:
        offered = [(g, v) for g, v in pairs if word in rows[g.source, g.question].options]
        found.append(
            _leaning(
                f"“{word}”",
                offered,
                lambda g, v, word=word: v.record.claim == word,
                lambda g, v, word=word: v.record.key == word,
            )
        )
    return found


def _leaning(
    what: str, pairs: Sequence[tuple[Given, Vote]], chosen: Callable[..., bool], right: Callable[..., bool]
) -> Leaning:
    values = [float(chosen(g, v)) - float(right(g, v)) for g, v in pairs]
    found = spread_of([v for _, v in pairs], values, MICRO)
    return Leaning(what, sum(values) / len(values), None if found is None else mean_interval(found))


def _timing(task: str, answers: Sequence[Given], votes: Sequence[Vote], rows: Rows) -> Timing:
    seconds: dict[str, list[float]] = {}
    points: dict[str, list[float]] = {}
    margins: dict[str, float] = {}
    for given, vote in zip(answers, votes, strict=True):
        if vote.record.task == task:
            seconds.setdefault(given.question, []).append(given.answer_ms / 1000)
            points.setdefault(given.question, []).append(vote.points)
            margins[given.question] = rows[given.source, given.question].margin
    names = sorted(margins, key=lambda name: (margins[name], name))
    if len(names) < LEAST_TIMED:
        return Timing(task, None, ())
    times = {name: median(seconds[name]) for name in names}
    cut = [names[len(names) * k // 3 : len(names) * (k + 1) // 3] for k in range(3)]
    thirds = tuple(
        (median([times[n] for n in part]), sum(sum(points[n]) / len(points[n]) for n in part) / len(part))
        for part in cut
    )
    return Timing(task, _spearman([margins[n] for n in names], [times[n] for n in names]), thirds)


def _spearman(a: Sequence[float], b: Sequence[float]) -> float | None:
    from scipy.stats import rankdata  # loaded when needed: it is slow to import

    x, y = rankdata(a), rankdata(b)
    x, y = x - x.mean(), y - y.mean()
    size = float((x @ x) * (y @ y)) ** 0.5
    return float(x @ y) / size if size > 0 else None
