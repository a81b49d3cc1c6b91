"""Wrong answers for open questions, in five stages: find, filter, diversify, fill up, refine."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from situ.authoring.adapters import Adapters, answer_shape
from situ.authoring.items import Item
from situ.authoring.logic import normal

ENTAILED = 0.7
LEAST_RELEVANCE = 0.5
DIVERSITY = 0.7  # lambda of maximal marginal relevance
ROUNDS = 3
MOST_CANDIDATES = 60
LENGTH_RATIO = 3.0  # between the truth and any distractor, counted with a few letters to spare
_SPARE = 6


class Candidate(NamedTuple):
    """A possible distractor and how like the truth's question and answer its own are."""

    text: str
    likeness: float


@dataclass(frozen=True)
class Pool:
    """All questions of a set, encoded once."""

    items: tuple[Item, ...]
    asked: np.ndarray
    answers: np.ndarray

    @classmethod
    def of(cls, items: Sequence[Item], adapters: Adapters) -> "Pool":
        encode = adapters.encoder.encode
        return cls(
            tuple(items),
            encode([f"Q {item.question} A {item.answer}" for item in items]),
            encode([item.answer for item in items]),
        )


def candidates(pool: Pool, number: int, adapters: Adapters) -> list[Candidate]:
    """Stages one and two: answers to neighbouring questions that are like the truth, but neither right nor
    beside the point. Those of the same bucket and source come first, then the bucket, then all."""
    item = pool.items[number]
    low, high = adapters.encoder.band
    near = pool.asked @ pool.asked[number]
    like = pool.answers @ pool.answers[number]
    found: dict[str, Candidate] = {}
    for wider in range(3):
        fits = [i for i, other in enumerate(pool.items) if i != number and _within(item, other, wider)]
        for i in sorted(fits, key=lambda i: -near[i]):
            text = pool.items[i].answer
            if normal(text) in found or not low <= like[i] <= high:
                continue
            if acceptable(item, text, adapters):
                found[normal(text)] = Candidate(text, float(near[i]) - 0.1 * wider)
            if len(found) >= MOST_CANDIDATES:
                return list(found.values())
    return list(found.values())


def _within(item: Item, other: Item, wider: int) -> bool:
    if wider == 0:
        return item.bucket == other.bucket and item.source == other.source
    if wider == 1:
        return item.bucket == other.bucket and item.source != other.source
    return item.qtype == other.qtype and item.bucket != other.bucket


def acceptable(item: Item, text: str, adapters: Adapters) -> bool:
    """Whether a text is wrong for a question, and still an answer to it."""
    for right in (item.answer, *item.also):
        if adapters.entailment(right, text) >= ENTAILED or adapters.entailment(text, right) >= ENTAILED:
            return False
    if answer_shape(text) != answer_shape(item.answer):
        return False
    # What is beside the point is measured by the truth, which may itself be put in an unusual way.
    least = min(LEAST_RELEVANCE, adapters.relevance(item.question, item.answer))
    return adapters.relevance(item.question, text) >= least and normal(text) != ""


def draw_distractors(
    item: Item, found: Sequence[Candidate], count: int, adapters: Adapters, rng: np.random.Generator
) -> tuple[list[str], str]:
    """Stages three to five; gives the distractors and, if they fell short, why."""
    chosen: list[str] = []
    refused: set[str] = set()
    # As many of the distractors are to be longer than the truth as a fair draw says.
    longer = int(rng.integers(count + 1))
    for attempt in range(ROUNDS):
        left = [c for c in found if c.text not in chosen and c.text not in refused]
        chosen = _diverse(item, chosen, left, count, longer, adapters)
        if len(chosen) < count and adapters.writer is not None:
            chosen += _written(item, chosen, count - len(chosen), adapters, 0.2 * attempt)
        bad = _offender(item, chosen, adapters)
        if bad is None:
            break
        refused.add(bad)
        chosen.remove(bad)
    if len(chosen) < count:
        return chosen, f"only {len(chosen)} of {count} distractors were found that are wrong and still fit"
    bad = _offender(item, chosen, adapters)
    return chosen, "" if bad is None else f"after {ROUNDS} rounds '{bad}' still stands out or says the same"


def _diverse(
    item: Item,
    chosen: Sequence[str],
    left: Sequence[Candidate],
    count: int,
    longer: int,
    adapters: Adapters,
) -> list[str]:
    """Maximal marginal relevance, with a share of longer and shorter texts to reach."""
    kept, rest = list(chosen), list(left)
    vectors = adapters.encoder.encode([*kept, *(c.text for c in rest)]) if kept or rest else np.zeros((0, 1))
    rows = {text: vectors[i] for i, text in enumerate([*kept, *(c.text for c in rest)])}
    size = len(item.answer)
    while len(kept) < count and rest:
        have = sum(len(text) > size for text in kept)
        scores = []
        for candidate in rest:
            echo = max((float(rows[candidate.text] @ rows[text]) for text in kept), default=0.0)
            wanted = have < longer if len(candidate.text) > size else len(kept) - have < count - longer
            scores.append(
                DIVERSITY * candidate.likeness
                - (1 - DIVERSITY) * echo
                - _unlike_length(candidate.text, item.answer)
                - (0.0 if wanted else 0.5)
            )
        best = rest.pop(int(np.argmax(scores)))
        if all(
            adapters.entailment(best.text, text) < ENTAILED
            and adapters.entailment(text, best.text) < ENTAILED
            for text in kept
        ):
            kept.append(best.text)
    return kept


def _unlike_length(text: str, truth: str) -> float:
    return 0.35 * abs(float(np.log((len(text) + _SPARE) / (len(truth) + _SPARE))))


def _offender(item: Item, chosen: Sequence[str], adapters: Adapters) -> str | None:
    """A distractor that is right after all, says the same as another, or gives itself away by its length."""
    for i, text in enumerate(chosen):
        others = [*chosen[:i], item.answer, *item.also]
        if any(
            adapters.entailment(text, o) >= ENTAILED or adapters.entailment(o, text) >= ENTAILED
            for o in others
        ):
            return text
        ratio = (len(text) + _SPARE) / (len(item.answer) + _SPARE)
        if not 1 / LENGTH_RATIO <= ratio <= LENGTH_RATIO:
            return text
    return None


def _written(
    item: Item, chosen: Sequence[str], count: int, adapters: Adapters, temperature: float
) -> list[str]:
    """What a writer adds, one per line, if it is acceptable."""
    assert adapters.writer is not None
    prompt = (
        f"Question: {item.question}\nRight answer: {item.answer}\nWrong answers so far: {'; '.join(chosen)}\n"
        f"Write {count} more wrong answers of the same kind and length, one per line, nothing else."
    )
    lines = [line.strip(" -*\t") for line in adapters.writer(prompt, temperature).splitlines()]
    known = {normal(text) for text in chosen}
    return [
        line for line in lines if line and normal(line) not in known and acceptable(item, line, adapters)
    ][:count]
