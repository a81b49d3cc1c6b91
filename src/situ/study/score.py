"""Scores of a study: people, agreement between raters, ceiling, and how margins affect time and accuracy."""

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
from situ.evaluation.stats.agreement import krippendorff_alpha
from situ.evaluation.stats.intervals import Interval, interval_of
from situ.study.design import SCORED, Exclusion
from situ.study.exclusion import Conduct, conduct
from situ.study.intervals import TOO_FEW_PEOPLE, Vote, mean_interval, share_interval, spread_of
from situ.study.store import Given

Answers = Mapping[str, Mapping[int, str]]  # by question, then by participant


@dataclass(frozen=True)
class Agreement:
    """Agreement on questions answered by at least two people.

    `raw`: share of equal pairs of answers. `kappa`: Cohen's for the same two raters throughout, Fleiss' for
    equally many raters per question, else None.
    """

    questions: int
    raw: float | None
    alpha: float | None
    kappa: float | None
    kappa_of: str
    disputed: int


def agreement(answers: Answers) -> Agreement:
    shared = [dict(said) for said in answers.values() if len(said) > 1]
    number: dict[str, float] = {}
    for said in shared:
        for word in said.values():
            number.setdefault(word, float(len(number)))
    alpha = krippendorff_alpha([[number[word] for word in said.values()] for said in shared], "nominal")
    kappa, name = _kappa(shared)
    pairs = [_pairs(list(said.values())) for said in shared]
    total = sum(count for _, count in pairs)
    raw = sum(same for same, _ in pairs) / total if total else None
    return Agreement(
        len(shared), raw, alpha, kappa, name, sum(len(set(said.values())) > 1 for said in shared)
    )


def _pairs(words: Sequence[str]) -> tuple[int, int]:
    same = sum(n * (n - 1) // 2 for n in Counter(words).values())
    return same, len(words) * (len(words) - 1) // 2


def _kappa(shared: Sequence[Mapping[int, str]]) -> tuple[float | None, str]:
    people = {person for said in shared for person in said}
    sizes = {len(said) for said in shared}
    if len(sizes) != 1:
        return None, ""
    if len(people) == 2:
        a, b = sorted(people)
        return cohen_kappa([said[a] for said in shared], [said[b] for said in shared]), "Cohen"
    return fleiss_kappa([list(said.values()) for said in shared]), "Fleiss"


def cohen_kappa(a: Sequence[str], b: Sequence[str]) -> float | None:
    """Cohen's kappa of two raters; None if only one answer occurs."""
    total = len(a)
    seen = sum(x == y for x, y in zip(a, b, strict=True)) / total
    of_a, of_b = Counter(a), Counter(b)
    chance = sum(of_a[word] * of_b[word] for word in of_a) / total**2
    return None if chance >= 1 else (seen - chance) / (1 - chance)


def fleiss_kappa(units: Sequence[Sequence[str]]) -> float | None:
    """Fleiss' kappa for equally many raters per question, who may differ between questions."""
    each = len(units[0])
    seen = sum(_pairs(words)[0] / _pairs(words)[1] for words in units) / len(units)
    counts = Counter(word for words in units for word in words)
    chance = sum((n / (each * len(units))) ** 2 for n in counts.values())
    return None if chance >= 1 else (seen - chance) / (1 - chance)


CANNOT_TELL = "cannot tell"
MANY, MIN_TIMED = (
    20,
    12,
)  # answers before a bias is reported; questions before times are compared with margins
Rows = Mapping[tuple[str, str], QuestionRow]


@dataclass(frozen=True)
class Level:
    """A share of points over people and recordings. `note`: what the interval does not cover."""

    name: str
    answers: int
    value: float
    interval: Interval | None
    note: str = ""


@dataclass(frozen=True)
class Leaning:
    """Answer bias: how much more often an answer is given than it is correct, as a share of answers."""

    what: str
    value: float
    interval: Interval | None


@dataclass(frozen=True)
class Ceiling:
    """Upper bounds reached jointly. Without disputed questions only easy ones remain, hence an upper
    bound."""

    mean: float
    majority: float
    undisputed: float | None
    questions: int
    disputed: int


@dataclass(frozen=True)
class Timing:
    """Response times and accuracy by margin, in thirds of each task.

    `correlation`: Spearman's between margin and time, within tasks.
    """

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
    """Score of the participants that the rule keeps. `rows` by source and id."""
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
    """Score of one person over recordings."""
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
    """Points of the majority answer; the mean over ties."""
    counts = Counter(_claim(vote.record) for vote in votes)
    most = max(counts.values())
    points = {_claim(vote.record): vote.points for vote in votes}
    tied = [points[word] for word, n in counts.items() if n == most]
    return sum(tied) / len(tied)


def leanings(answers: Sequence[Given], votes: Sequence[Vote], rows: Rows) -> list[Leaning]:
    """Biases towards the first screen position and towards every common answer: given minus correct."""
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
    if len(names) < MIN_TIMED:
        return Timing(task, None, ())
    times = {name: median(seconds[name]) for name in names}
    cut = [names[len(names) * k // 3 : len(names) * (k + 1) // 3] for k in range(3)]
    thirds = tuple(
        (median([times[n] for n in part]), sum(sum(points[n]) / len(points[n]) for n in part) / len(part))
        for part in cut
    )
    return Timing(task, _spearman([margins[n] for n in names], [times[n] for n in names]), thirds)


def _spearman(a: Sequence[float], b: Sequence[float]) -> float | None:
    from scipy.stats import rankdata  # slow to import

    x, y = rankdata(a), rankdata(b)
    x, y = x - x.mean(), y - y.mean()
    size = float((x @ x) * (y @ y)) ** 0.5
    return float(x @ y) / size if size > 0 else None
