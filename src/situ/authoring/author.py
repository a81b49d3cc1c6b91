"""From questions to questions with options: the whole pipeline, and what it could not do."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from situ.authoring.adapters import Adapters
from situ.authoring.blind import BlindResult, Posed, blind_test
from situ.authoring.counts import OPTIONS, count_options, even_ranks
from situ.authoring.distractors import Candidate, Pool, candidates, draw_distractors
from situ.authoring.items import Item, check_items
from situ.authoring.logic import normal, opposite_of
from situ.benchmarks.official.collection import Problem
from situ.benchmarks.question_types import BINARY, COUNT
from situ.errors import BadInput

TOLERANCE = 0.04
MOST_ROUNDS = 3


@dataclass(frozen=True)
class Settings:
    """How options are made. `compat` keeps the published rule for counts, which gives answers away."""

    options: int = OPTIONS
    seed: int = 0
    compat: bool = False
    blind_rounds: int = MOST_ROUNDS
    adapters: Adapters = field(default_factory=Adapters)

    def __post_init__(self) -> None:
        if not 3 <= self.options <= 10:
            raise BadInput(f"a question gets 3 to 10 options, got {self.options}")


@dataclass(frozen=True)
class Authored:
    """Questions with options, the problems of those without, and two blind tests.

    `before` is the test on options drawn at random from questions of the same bucket.
    """

    items: tuple[Item, ...]
    problems: tuple[Problem, ...]
    before: BlindResult
    after: BlindResult
    rounds: int


def author(items: Sequence[Item], settings: Settings | None = None) -> Authored:
    """Give every question its options; what cannot be done is listed, and the rest goes on."""
    chosen = settings or Settings()
    problems = check_items(items)
    bad = {problem.id for problem in problems}
    fit = [item for item in items if item.id not in bad]
    rng = np.random.default_rng([chosen.seed, *b"author"])
    pool = Pool.of(fit, chosen.adapters) if fit else None
    found = {
        item.id: candidates(pool, i, chosen.adapters)
        for i, item in enumerate(fit)
        if pool is not None and item.qtype not in (BINARY, COUNT)
    }
    made, fell_short = _first_options(fit, found, chosen, rng)
    problems += fell_short
    before = blind_test(_posed(_at_random(fit, {item.id for item in made}, chosen, rng)), chosen.seed)
    made, after, rounds = _until_blind(made, found, chosen, rng)
    return Authored(tuple(made), tuple(problems), before, after, rounds)


def options_for(item: Item, others: Sequence[Item], settings: Settings | None = None) -> tuple[str, ...]:
    """Options of one question among others of its set; BadInput says why there are none."""
    chosen = settings or Settings()
    rng = np.random.default_rng([chosen.seed, *b"option", *item.id.encode()])
    found: list[Candidate] = []
    if item.qtype not in (BINARY, COUNT):
        pool = Pool.of([item, *(other for other in others if other.id != item.id)], chosen.adapters)
        found = candidates(pool, 0, chosen.adapters)
    return _options(item, found, None, chosen, rng)


def _first_options(
    items: Sequence[Item],
    found: dict[str, list[Candidate]],
    settings: Settings,
    rng: np.random.Generator,
) -> tuple[list[Item], list[Problem]]:
    ranks = _ranks(items, settings, rng)
    made, problems = [], []
    for item in items:
        try:
            options = _options(item, found.get(item.id, []), ranks.get(item.id), settings, rng)
        except BadInput as error:
            problems.append(Problem(item.id, str(error)))
            continue
        made.append(replace(item, options=options))
    return made, problems


def _ranks(items: Sequence[Item], settings: Settings, rng: np.random.Generator) -> dict[str, int]:
    counted = [item for item in items if item.qtype == COUNT and normal(item.answer).isdigit()]
    if settings.compat:
        return {}
    ranks = even_ranks([int(normal(item.answer)) for item in counted], rng, settings.options)
    return {item.id: rank for item, rank in zip(counted, ranks, strict=True)}


def _options(
    item: Item, found: Sequence[Candidate], rank: int | None, settings: Settings, rng: np.random.Generator
) -> tuple[str, ...]:
    if item.qtype == BINARY:
        other = opposite_of(item.question, item.answer)
        if other is None:
            raise BadInput(f"no opposite of '{item.answer}' is known")
        return _shuffled([item.answer, other], rng)
    if item.qtype == COUNT:
        if not normal(item.answer).isdigit():
            raise BadInput(f"the count '{item.answer}' is not a whole number")
        truth = int(normal(item.answer))
        numbers = count_options(truth, rng, rank, settings.options, settings.compat)
        return tuple(item.answer if number == str(truth) else number for number in numbers)
    distractors, why = draw_distractors(item, found, settings.options - 1, settings.adapters, rng)
    if why:
        raise BadInput(why)
    return _shuffled([item.answer, *distractors], rng)


def _until_blind(
    made: list[Item], found: dict[str, list[Candidate]], settings: Settings, rng: np.random.Generator
) -> tuple[list[Item], BlindResult, int]:
    """Give new options to what a blind guesser is surest of, until it does no better than chance."""
    result = blind_test(_posed(made), settings.seed)
    for number in range(settings.blind_rounds):
        if result.excess <= TOLERANCE:
            return made, result, number
        surest = sorted(range(len(made)), key=lambda i: -result.belief[i])
        for i in surest[: max(1, round(2 * result.excess * len(made)))]:
            item = made[i]
            used = {normal(option) for option in item.options}
            fresh = [c for c in found.get(item.id, []) if normal(c.text) not in used]
            distractors, why = draw_distractors(item, fresh, settings.options - 1, settings.adapters, rng)
            if not why and item.qtype not in (BINARY, COUNT):
                made[i] = replace(item, options=_shuffled([item.answer, *distractors], rng))
        result = blind_test(_posed(made), settings.seed + number + 1)
    return made, result, settings.blind_rounds


def _at_random(
    items: Sequence[Item], ids: set[str], settings: Settings, rng: np.random.Generator
) -> list[Item]:
    """Options made without care: answers of other questions of the bucket, counts by the published rule."""
    made = []
    for item in items:
        if item.id not in ids:
            continue
        others = list(
            dict.fromkeys(
                o.answer for o in items if o.bucket == item.bucket and normal(o.answer) != normal(item.answer)
            )
        )
        if item.qtype == COUNT:
            options = _options(item, [], None, replace(settings, compat=True), rng)
        elif item.qtype == BINARY:
            options = item.options or _options(item, [], None, settings, rng)
        elif len(others) >= settings.options - 1:
            picks = rng.permutation(len(others))[: settings.options - 1]
            options = _shuffled([item.answer, *(others[int(i)] for i in picks)], rng)
        else:
            continue
        made.append(replace(item, options=options))
    return made


def _posed(items: Sequence[Item]) -> list[Posed]:
    return [
        Posed(item.source, item.question, item.options, item.options.index(item.answer)) for item in items
    ]


def _shuffled(texts: Sequence[str], rng: np.random.Generator) -> tuple[str, ...]:
    return tuple(texts[int(i)] for i in rng.permutation(len(texts)))
